package postgres_test

import (
	"database/sql"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestPoolIsAsLargeAsTheAddressSays(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	s := open(t, address+"&pool_max_conns=5", storage.Options{})
	var group sync.WaitGroup
	for range 40 {
		group.Go(func() {
			_, err := s.Now(t.Context())
			if err == nil {
				_, err = s.Figures(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	db := raw(t, address)
	require.LessOrEqual(t, ours(t, db), 5)
	for _, wrong := range []string{"3", "many", "-1", ""} {
		_, err := postgres.Open(t.Context(), address+"&pool_max_conns="+wrong, storage.Options{})
		require.ErrorContains(t, err, "pool_max_conns")
	}
}

// ours counts boardwatch's connections.
func ours(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = 'boardwatch'`).Scan(&n)
	require.NoError(t, err)
	return n
}
