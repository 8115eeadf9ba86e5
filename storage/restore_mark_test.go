package storage_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestARestoredDatabaseKnowsWhatReadersWerePromised takes a backup of a service whose clock was an hour ahead. A client
// that polled it asks the restored one for roles found after the last promise.
func TestARestoredDatabaseKnowsWhatReadersWerePromised(t *testing.T) {
	t.Parallel()
	for name, into := range map[string]func(testing.TB) storagetest.Database{"SQLite": storagetest.SQLite, "PostgreSQL": storagetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ahead := storage.Options{
				Now: func() time.Time { return time.Now().Add(time.Hour) }, SealKey: []byte(storagetest.SealKey),
			}
			source := storagetest.SQLite(t)(t, ahead)
			promise, err := source.Horizon(t.Context())
			require.NoError(t, err)
			var backup bytes.Buffer
			_, err = source.Backup(t.Context(), &backup)
			require.NoError(t, err)
			target := into(t)(t, storage.Options{NoMigrate: true, SealKey: []byte(storagetest.SealKey)})
			_, err = target.Restore(t.Context(), &backup, true)
			require.NoError(t, err)
			next, err := target.Horizon(t.Context())
			require.NoError(t, err)
			require.False(t, next.Before(promise), "roles found from now on are later than this, and so than the promise")
		})
	}
}
