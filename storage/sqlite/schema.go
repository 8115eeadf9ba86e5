package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage"
)

// Migrating lends out the writer's connection. Each step takes the file's write lock, and then looks whether another
// process has taken the step before. While another process takes a step, which may need minutes, f fails as busy and is
// called again.
func (d *file) Migrating(ctx context.Context, f func(context.Context, *bun.DB) error) error {
	return d.lend(ctx, func(ctx context.Context, db *bun.DB) error {
		err := f(ctx, db)
		for busy(err) && ctx.Err() == nil {
			err = f(ctx, db)
		}
		return err
	})
}

// lend lends out the writer's connection.
func (d *file) lend(ctx context.Context, f func(context.Context, *bun.DB) error) error {
	err := d.writer.pause()
	if err == nil {
		err = f(ctx, d.writes)
	}
	return errors.Join(err, d.writer.resume(context.WithoutCancel(ctx))) // writing resumes even if ctx has ended
}

// Alone locks everybody else out of the file while f runs. It fails while another process has the file open: a service
// in any role, a command, or a foreign program.
func (d *file) Alone(ctx context.Context, f func(context.Context, *bun.DB) error) error {
	return d.lend(ctx, func(ctx context.Context, db *bun.DB) error {
		d.keepIdle(0, 0, 0) // this process must not block itself
		defer d.keepIdle(readers, watchers, 1)
		if err := shut(ctx, db); err != nil {
			return err
		}
		err := f(ctx, db)
		return errors.Join(err, unshut(context.WithoutCancel(ctx), db))
	})
}

// keepIdle sets how many idle connections stay open in each pool except the writer's.
func (d *file) keepIdle(reads, watches, probes int) {
	d.reads.SetMaxIdleConns(reads)
	d.watches.SetMaxIdleConns(watches)
	d.probe.SetMaxIdleConns(probes)
}

// leaving is how long processes that are about to close the file may take.
const leaving = 2 * time.Second

// shut turns off the write-ahead log, which SQLite allows only if no other connection exists, and keeps the lock that
// this takes. It returns ErrInUse if others keep the file open for longer than a moment.
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

// unshut lets others in again. SQLite releases the lock at the next read, so unshut reads something.
func unshut(ctx context.Context, db *bun.DB) error {
	_, err := db.ExecContext(ctx, "PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL; SELECT 1 FROM sqlite_schema")
	if err != nil {
		return fmt.Errorf("open the database to others: %w", err)
	}
	return nil
}

// Still reads in a single transaction, which sees the file as it was at its beginning.
func (d *file) Still(ctx context.Context, f func(ctx context.Context, db bun.IDB) error) error {
	return d.reads.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return f(ctx, tx) })
}

// Restored does nothing, because the counters follow the rows.
func (d *file) Restored(context.Context, bun.IDB) error { return nil }
