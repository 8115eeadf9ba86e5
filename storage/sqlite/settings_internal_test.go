package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func TestSettingsOfConnections(t *testing.T) {
	t.Parallel()
	d, err := open(t.Context(), filepath.Join(t.TempDir(), "boardwatch.db"), storage.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	for name, tt := range map[string]struct {
		db       bun.IDB
		settings map[string]string
	}{
		"writer": {d.writer.conn, map[string]string{
			"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000", "query_only": "0",
		}},
		"readers": {d.reads, map[string]string{"query_only": "1", "busy_timeout": "5000", "cache_size": "-8192"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for setting, want := range tt.settings {
				var got string
				require.NoError(t, tt.db.QueryRowContext(t.Context(), "PRAGMA "+setting).Scan(&got))
				require.Equal(t, want, got, setting)
			}
		})
	}
}

// withSchema returns a driver for a new database with the schema.
func withSchema(t *testing.T) *file {
	t.Helper()
	d, err := open(t.Context(), filepath.Join(t.TempDir(), "boardwatch.db"), storage.Options{})
	require.NoError(t, err)
	s, err := storage.New(t.Context(), d, storage.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return d
}

// A commit waits for the disk only if something that it saves has to survive a power failure.
func TestCommitsWaitForTheDiskOnlyForWhatHasToLast(t *testing.T) {
	t.Parallel()
	d := withSchema(t)
	for range 2 {
		var got string
		require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx driver.Tx) error {
			return tx.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&got)
		}))
		require.Equal(t, "2", got)
		require.NoError(t, d.WriteCounts(t.Context(), func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
			return nil, tx.Ask(ctx, []driver.Question{driver.Ask("PRAGMA synchronous", nil, nil, &got)})
		}))
		require.Equal(t, "1", got)
		_, err := d.SaveUnchanged(t.Context(), []driver.Unchanged{{BoardID: "none"}})
		require.NoError(t, err)
		require.Equal(t, light, d.writer.synced)
	}
}

// Operations that wait for the disk do not delay the rest of their group.
func TestLightOperationsOfAGroupComeFirst(t *testing.T) {
	t.Parallel()
	d := withSchema(t)
	held, release := make(chan struct{}), make(chan struct{})
	finished := make(chan error, 3)
	var order []weight // written by one goroutine at a time: there is one writer
	go func() {
		finished <- d.Write(t.Context(), func(context.Context, driver.Tx) error { close(held); <-release; return nil })
	}()
	<-held
	go func() {
		finished <- d.Write(t.Context(), func(context.Context, driver.Tx) error { order = append(order, durable); return nil })
	}()
	require.Eventually(t, func() bool { return len(d.writer.queue) == 1 }, time.Minute, time.Millisecond)
	go func() {
		finished <- d.WriteCounts(t.Context(), func(context.Context, driver.CheckTx) ([]driver.Statement, error) {
			order = append(order, light)
			return nil, nil
		})
	}()
	require.Eventually(t, func() bool { return len(d.writer.queue) == 2 }, time.Minute, time.Millisecond)
	close(release)
	for range 3 {
		require.NoError(t, <-finished)
	}
	require.Equal(t, []weight{light, durable}, order)
}
