package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage"
)

// Migrating uses connections of its own, without time limits. The lock belongs to a transaction, so that it also works
// behind a pooler that gives each transaction another connection.
func (d *server) Migrating(ctx context.Context, f func(context.Context, *bun.DB) error) (err error) {
	db := d.unhurried("boardwatch migration", 2)
	defer func() { err = errors.Join(err, db.Close()) }()
	lock, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Rollback()) }()
	if _, err := lock.ExecContext(ctx, "SELECT pg_advisory_xact_lock(?)", schemaLock); err != nil {
		return err
	}
	return f(ctx, db)
}

// Alone does not work behind a pooler, which keeps the connections of processes that have gone and shares those of
// others.
func (d *server) Alone(ctx context.Context, f func(context.Context, *bun.DB) error) error {
	if d.pooled {
		return ErrPooled
	}
	return d.Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
		switch others, err := d.others(ctx, db); {
		case err != nil:
			return err
		case others:
			return storage.ErrInUse
		}
		return f(ctx, db)
	})
}

// Still reads in a single transaction whose snapshot is taken at its beginning.
func (d *server) Still(ctx context.Context, f func(ctx context.Context, db bun.IDB) error) (err error) {
	db := d.unhurried("boardwatch backup", 1)
	defer func() { err = errors.Join(err, db.Close()) }()
	o := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	return db.RunInTx(ctx, o, func(ctx context.Context, tx bun.Tx) error { return f(ctx, tx) })
}

// unhurried is a pool for work without time limits.
func (d *server) unhurried(name string, connections int) *bun.DB {
	config := d.config.Copy()
	config.RuntimeParams["application_name"] = name
	for _, limit := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
		config.RuntimeParams[limit] = "0"
	}
	return newPool(config, connections)
}

// others counts the connections with this program's application name. It waits a moment for those that are about to
// close. This process closes its own connections first.
func (d *server) others(ctx context.Context, db bun.IDB) (bool, error) {
	d.db.SetMaxIdleConns(0)
	defer d.db.SetMaxIdleConns(d.size)
	for deadline := time.Now().Add(leaving); ; {
		var n int
		err := db.QueryRowContext(ctx, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = ?`, applicationName).Scan(&n)
		if err != nil {
			return false, fmt.Errorf("count other processes: %w", err)
		}
		if n == 0 || time.Now().After(deadline) {
			return n > 0, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// leaving is the longest time the server takes to notice that a connection was closed.
const leaving = 2 * time.Second

// Restored advances the sequences of numbered rows past existing numbers, and updates the planner's statistics. A
// rollback does not undo changes to sequences, so they never move backwards.
func (d *server) Restored(ctx context.Context, tx bun.IDB) error {
	var columns []struct {
		Table  string `bun:"table_name"`
		Column string `bun:"column_name"`
	}
	err := tx.NewRaw(`SELECT table_name, column_name FROM information_schema.columns
		WHERE table_schema = current_schema() AND is_identity = 'YES'`).Scan(ctx, &columns)
	if err != nil {
		return fmt.Errorf("list counters: %w", err)
	}
	for _, c := range columns {
		_, err := tx.ExecContext(ctx, `SELECT setval(counter, greatest(last, COALESCE(pg_sequence_last_value(counter), 0)) + 1, FALSE)
			FROM (SELECT pg_get_serial_sequence(?0, ?1)::regclass AS counter, (SELECT COALESCE(max(?2), 0) FROM ?3) AS last) AS c`,
			c.Table, c.Column, bun.Ident(c.Column), bun.Ident(c.Table))
		if err != nil {
			return fmt.Errorf("set counter of %s: %w", c.Table, err)
		}
	}
	_, err = tx.ExecContext(ctx, "ANALYZE")
	return wrap(err, "analyze")
}

func wrap(err error, attempt string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", attempt, err)
}
