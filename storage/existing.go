package storage

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
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

// write runs changes in one transaction. What is attempted begins the error.
func (s *Store) write(ctx context.Context, attempt string, change func(ctx context.Context, tx driver.Tx) error) error {
	return wrap(attempt, s.driver.Write(ctx, change))
}

// exec is write for a single statement.
func (s *Store) exec(ctx context.Context, attempt, query string, args ...any) error {
	return s.write(ctx, attempt, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// change is exec for a statement on one row that must exist.
func (s *Store) change(ctx context.Context, attempt, thing, query string, args ...any) error {
	return s.write(ctx, attempt, func(ctx context.Context, tx driver.Tx) error { return existing(ctx, tx, thing, query, args...) })
}

// found is the error of a query for one row: not_found for a thing that is not there.
func found(attempt, thing string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return boardwatch.NotFound(thing)
	}
	return wrap(attempt, err)
}
