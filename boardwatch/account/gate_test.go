package account_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestGate(t *testing.T) {
	t.Parallel()

	t.Run("finds the caller of a key, and nobody for any other text", func(t *testing.T) {
		t.Parallel()
		store := storagetest.New(t)
		gate, keys := account.NewGate(store, account.Options{}), account.NewKeys(store, account.Options{})
		a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanPro}
		require.NoError(t, store.CreateAccount(t.Context(), a))
		key, secret, err := keys.Create(t.Context(), a, "laptop")
		require.NoError(t, err)
		c, err := gate.ByKey(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, key.ID, c.Key.ID)
		require.Equal(t, a.ID, c.Account.ID)
		_, stranger := account.NewAPIKey(a.ID, "stranger", time.Now())
		for _, s := range []string{"", "bw_", secret[:len(secret)-1], secret + "0", stranger, key.Hash} {
			_, err := gate.ByKey(t.Context(), s)
			require.Equal(t, boardwatch.CodeUnauthorized, boardwatch.CodeOf(err))
		}
		require.NoError(t, keys.Delete(t.Context(), a, key.ID))
		_, err = gate.Spend(t.Context(), c, account.DoorREST)
		require.Equal(t, boardwatch.CodeUnauthorized, boardwatch.CodeOf(err), "it was deleted in between")
		_, err = gate.ByKey(t.Context(), secret)
		require.Equal(t, boardwatch.CodeUnauthorized, boardwatch.CodeOf(err))
	})

	t.Run("admits by address first and plan second", func(t *testing.T) {
		t.Parallel()
		gate := account.NewGate(nil, account.Options{})
		for _, tt := range []struct {
			plan     account.PlanName
			verified bool
			door     account.Door
			want     boardwatch.Code
		}{
			{account.PlanFree, false, account.DoorREST, boardwatch.CodeEmailNotVerified},
			{account.PlanUltra, false, account.DoorMCP, boardwatch.CodeEmailNotVerified},
			{account.PlanFree, true, account.DoorREST, boardwatch.CodePlanRequired},
			{account.PlanFree, true, account.DoorMCP, ""},
			{account.PlanPro, true, account.DoorREST, ""},
			{account.PlanUltra, true, account.DoorREST, ""},
		} {
			err := gate.Admit(account.Account{Plan: tt.plan, Verified: tt.verified}, tt.door)
			if tt.want == "" {
				require.NoError(t, err)
				continue
			}
			require.Equal(t, tt.want, boardwatch.CodeOf(err))
		}
	})

	t.Run("tells how long to wait in whole seconds, rounded up", func(t *testing.T) {
		t.Parallel()
		for wait, want := range map[time.Duration]time.Duration{
			time.Millisecond: time.Second, time.Second: time.Second, 1001 * time.Millisecond: 2 * time.Second, time.Minute: time.Minute,
		} {
			gate := account.NewGate(spender{boardwatch.Budget{Limit: 60, Wait: wait}, nil}, account.Options{})
			b, err := gate.Spend(t.Context(), account.Caller{}, account.DoorREST)
			e, ok := errors.AsType[*boardwatch.Error](err)
			require.True(t, ok)
			require.Equal(t, boardwatch.CodeRateLimited, e.Code)
			require.Equal(t, want, e.RetryAfter)
			require.Equal(t, 60, b.Limit)
		}
	})

	t.Run("lets nobody in when it cannot count", func(t *testing.T) {
		t.Parallel()
		gate := account.NewGate(spender{err: errors.New("disk full")}, account.Options{})
		_, err := gate.Spend(t.Context(), account.Caller{}, account.DoorREST)
		require.ErrorContains(t, err, "disk full")
		_, err = gate.ByKey(t.Context(), newSecret())
		require.Equal(t, boardwatch.CodeInternal, boardwatch.CodeOf(err))
	})

	t.Run("has a budget for each door", func(t *testing.T) {
		t.Parallel()
		store := storagetest.New(t)
		gate := account.NewGate(store, account.Options{})
		a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanPro}
		require.NoError(t, store.CreateAccount(t.Context(), a))
		for door, limit := range map[account.Door]int{account.DoorREST: 60, account.DoorMCP: 120} {
			b, err := gate.Spend(t.Context(), account.Caller{Account: a}, door)
			require.NoError(t, err)
			require.Equal(t, limit, b.Limit)
			require.Equal(t, limit-1, b.Remaining)
		}
	})
}

func newSecret() string {
	_, secret := account.NewAPIKey(boardwatch.NewID(), "", time.Now())
	return secret
}

// spender answers every request with the same budget.
type spender struct {
	budget boardwatch.Budget
	err    error
}

func (s spender) Spend(context.Context, string, string, boardwatch.Rate) (boardwatch.Budget, error) {
	return s.budget, s.err
}

func (s spender) KeyByHash(context.Context, string) (account.APIKey, account.Account, error) {
	return account.APIKey{}, account.Account{}, s.err
}
