package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
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
		a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanFree}
		require.NoError(t, s.CreateAccount(t.Context(), a))
		require.NoError(t, s.Close())
		_, emptying := lookAt(t, filled)
		require.NotEqual(t, migrated.emptying, emptying)
	})
	t.Run("emptied, then given an index", func(t *testing.T) { //nolint:paralleltest // one after the other
		changed = lend(t, server)
		require.Equal(t, filled, changed)
		_, emptying := lookAt(t, changed)
		require.Equal(t, migrated.emptying, emptying, "as the template is")
		onServer(t, changed, "CREATE INDEX another ON accounts (plan)")
	})
	t.Run("not lent again", func(t *testing.T) { //nolint:paralleltest // one after the other
		require.NotEqual(t, changed, lend(t, server))
	})
}
