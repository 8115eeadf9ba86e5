package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage"
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
