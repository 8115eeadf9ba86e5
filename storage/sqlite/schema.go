package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage"
)

// Migrating lends the writer's connection out. Each step takes the file's write lock, and looks there whether another
// process has taken it before.
func (d *driver) Migrating(ctx context.Context, f func(context.Context, *bun.DB) error) error {
	err := d.writer.pause()
	if err == nil {
		err = f(ctx, d.writes)
	}
	return errors.Join(err, d.writer.resume(context.WithoutCancel(ctx))) // writing goes on, whatever has ended
}

// Alone shuts the file to everybody else while f runs. Whoever has it open keeps that from happening: a service of any
// role, a command, a program of somebody else's.
func (d *driver) Alone(ctx context.Context, f func(context.Context, *bun.DB) error) error {
	return d.Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
		d.keepIdle(0, 0, 0) // this process is not to stand in its own way
		defer d.keepIdle(readers, watchers, 1)
		if err := shut(ctx, db); err != nil {
			return err
		}
		err := f(ctx, db)
		return errors.Join(err, unshut(context.WithoutCancel(ctx), db))
	})
}

// keepIdle says how many connections that nobody uses stay open, in each pool but the writer's.
func (d *driver) keepIdle(reads, watches, probes int) {
	d.reads.SetMaxIdleConns(reads)
	d.watches.SetMaxIdleConns(watches)
	d.probe.SetMaxIdleConns(probes)
}

// leaving is how long those that are about to close the file may take.
const leaving = 2 * time.Second

// shut gives up the write-ahead log, which SQLite allows only to a connection that is alone, and keeps the lock that this
// takes. It is ErrInUse when others have the file open, for longer than a moment.
func shut(ctx context.Context, db *bun.DB) error {
	if _, err := db.ExecContext(ctx, "PRAGMA locking_mode = EXCLUSIVE"); err != nil {
		return fmt.Errorf("shut the database: %w", err)
	}
	for deadline := time.Now().Add(leaving); ; {
		_, err := db.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
		switch {
		case err == nil:
			return nil
		case !busy(err):
			return errors.Join(fmt.Errorf("shut the database: %w", err), unshut(context.WithoutCancel(ctx), db))
		case time.Now().After(deadline):
			return errors.Join(storage.ErrInUse, unshut(context.WithoutCancel(ctx), db))
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), unshut(context.WithoutCancel(ctx), db))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// unshut lets others in again. The lock goes with the next read, and so there is one.
func unshut(ctx context.Context, db *bun.DB) error {
	_, err := db.ExecContext(ctx, "PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL; SELECT 1 FROM sqlite_schema")
	if err != nil {
		return fmt.Errorf("open the database to others: %w", err)
	}
	return nil
}

// Still reads in one transaction, which sees the file as it was at its beginning.
func (d *driver) Still(ctx context.Context, f func(ctx context.Context, db bun.IDB) error) error {
	return d.reads.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return f(ctx, tx) })
}

// Restored has nothing to do: the counters follow the rows.
func (d *driver) Restored(context.Context, bun.IDB) error { return nil }
