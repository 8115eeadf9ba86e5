package storage

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// existing runs a statement about one thing that is there. When it changes no row, that is a not_found error which names
// the thing.
func existing(ctx context.Context, db bun.IDB, thing, query string, args ...any) error {
	n, err := affected(ctx, db, query, args...)
	if err == nil && n == 0 {
		err = boardwatch.NotFound(thing)
	}
	return err
}
