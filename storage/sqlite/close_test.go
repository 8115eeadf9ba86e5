package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

func TestCloseLeavesOneWholeFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	for range 2 { // made, and opened again
		s, err := sqlite.Open(t.Context(), path, storage.Options{})
		require.NoError(t, err)
		require.NoError(t, s.CreateAccount(t.Context(), account.Account{
			ID: boardwatch.NewID(), Email: boardwatch.NewID() + "@northwind.example", Plan: account.PlanUltra,
		}))
		_, err = s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(t, err)
		require.NoError(t, s.Close())
		require.NoError(t, s.Close(), "once more")
		files, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		require.Len(t, files, 1, "no log is left beside the file")
	}
	require.Equal(t, 2, accountsOfCopy(t, path))
}

func TestCloseBesideOthersWhoUseTheFile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before, after string // what another process does before and after the last write
		moved         bool   // it allows the log to be moved
	}{
		"who are idle": {moved: true},
		"who read":     {before: "BEGIN; SELECT count(*) FROM accounts"},
		"who write":    {after: "BEGIN IMMEDIATE; DELETE FROM accounts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "boardwatch.db")
			s, err := sqlite.Open(t.Context(), path, storage.Options{})
			require.NoError(t, err)
			other, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			defer other.Close()
			other.SetMaxOpenConns(1)
			require.Zero(t, accounts(t, other))
			_, err = other.ExecContext(t.Context(), tt.before)
			require.NoError(t, err)
			tracked(t, s)
			_, err = other.ExecContext(t.Context(), tt.after)
			require.NoError(t, err)

			began := time.Now()
			require.NoError(t, s.Close())
			require.Less(t, time.Since(began), 3*time.Second, "closing does not wait for the others")
			log, err := os.Stat(path + "-wal")
			require.NoError(t, err, "it is in use")
			require.Equal(t, tt.moved, log.Size() == 0)
			if tt.moved {
				require.Equal(t, 1, accountsOfCopy(t, path))
				return
			}
			_, err = other.ExecContext(t.Context(), "ROLLBACK")
			require.NoError(t, err)
			require.Equal(t, 1, accounts(t, other), "nothing is lost")
		})
	}
}

// accountsOfCopy counts the accounts in a copy of the file alone, without its log.
func accountsOfCopy(t *testing.T, path string) int {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	alone := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, os.WriteFile(alone, b, 0o600))
	db, err := sql.Open("sqlite", alone)
	require.NoError(t, err)
	defer db.Close()
	return accounts(t, db)
}

func accounts(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM accounts").Scan(&n))
	return n
}
