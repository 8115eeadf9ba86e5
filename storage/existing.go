package storage

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// existing runs a statement on one row that must exist. If it changes no row, the result is a not_found error that
// names the thing.
func existing(ctx context.Context, db bun.IDB, thing, query string, args ...any) error {
	n, err := affected(ctx, db, query, args...)
	if err == nil && n == 0 {
		err = boardwatch.NotFound(thing)
	}
	return err
}
