package storagetest

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
)

// TestADatabaseIsLentAgainOnlyAsItWas runs alone, so that no other test takes what it gives back.
func TestADatabaseIsLentAgainOnlyAsItWas(t *testing.T) { //nolint:paralleltest // see above
	server := postgresServer(t)
	migrated.use(t, server)
	var filled, changed string
	t.Run("filled", func(t *testing.T) { //nolint:paralleltest // one after the other
		filled = lend(t, server)
		s, err := postgres.Open(t.Context(), filled, storage.Options{})
		require.NoError(t, err)
		a := boardwatch.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: boardwatch.PlanFree}
		require.NoError(t, s.CreateAccount(t.Context(), a))
		require.NoError(t, s.Close())
		require.NotEqual(t, migrated.emptying, emptyingAs(t, filled))
	})
	t.Run("emptied, then given an index", func(t *testing.T) { //nolint:paralleltest // one after the other
		changed = lend(t, server)
		require.Equal(t, filled, changed)
		require.Equal(t, migrated.emptying, emptyingAs(t, changed), "as the template is")
		onServer(t, changed, "CREATE INDEX another ON accounts (plan)")
	})
	t.Run("not lent again", func(t *testing.T) { //nolint:paralleltest // one after the other
		require.NotEqual(t, changed, lend(t, server))
	})
}

// emptyingAs returns the statements that would make an empty copy the same as the database.
func emptyingAs(t *testing.T, address string) string {
	t.Helper()
	db, err := sql.Open("pgx", address)
	require.NoError(t, err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	return emptyingOf(t.Context(), t, conn)
}
