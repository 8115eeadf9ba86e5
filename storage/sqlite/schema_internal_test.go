package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage"
)

// TestMigratingWaitsForAnotherProcessThatMigrates holds the lock of a step for longer than a connection waits for it.
func TestMigratingWaitsForAnotherProcessThatMigrates(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	var processes [2]*file
	for i := range processes {
		d, err := open(t.Context(), path, storage.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		require.NoError(t, d.Migrating(t.Context(), func(ctx context.Context, db *bun.DB) error {
			_, err := db.ExecContext(ctx, "PRAGMA busy_timeout = 1")
			return err
		}))
		processes[i] = d
	}
	require.NoError(t, processes[0].Migrating(t.Context(), func(ctx context.Context, db *bun.DB) error {
		step, err := db.BeginTx(ctx, nil)
		require.NoError(t, err)
		tries := 0
		err = processes[1].Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
			if tries++; tries == 3 {
				require.NoError(t, step.Rollback())
			}
			_, err := db.ExecContext(ctx, "CREATE TABLE steps (id)")
			return err
		})
		require.Equal(t, 3, tries)
		return err
	}))

	require.NoError(t, processes[0].Migrating(t.Context(), func(ctx context.Context, db *bun.DB) error {
		step, err := db.BeginTx(ctx, nil)
		require.NoError(t, err)
		ctx, stop := context.WithCancel(ctx)
		err = processes[1].Migrating(ctx, func(_ context.Context, db *bun.DB) error {
			defer stop()
			_, err := db.ExecContext(context.WithoutCancel(ctx), "DROP TABLE steps")
			return err
		})
		require.ErrorContains(t, err, "database is locked", "whoever starts it gives up")
		return step.Rollback()
	}))
}
