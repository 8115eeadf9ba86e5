package sqlite_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// TestAskingForABoardThatIsDueMakesItNoLater has a second account add a board that has not been read for a day. Its
// place among the scheduled boards is better than one behind that account's other demands.
func TestAskingForABoardThatIsDueMakesItNoLater(t *testing.T) {
	t.Parallel()
	start := time.Now()
	var passed atomic.Int64
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "b.db"), storage.Options{
		Now: func() time.Time { return start.Add(time.Duration(passed.Load())) },
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	add := func(email string) boardwatch.Board {
		a := account.Account{ID: boardwatch.NewID(), Email: email, Plan: account.PlanFree, Verified: true}
		require.NoError(t, s.CreateAccount(t.Context(), a))
		b, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{URL: "https://northwind.example/"}, "https://northwind.example/")
		require.NoError(t, err)
		return b
	}
	claim := func(kind boardwatch.ClaimKind) []boardwatch.Claim {
		claims, err := s.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{Kind: kind})
		require.NoError(t, err)
		return claims
	}
	b := add("robin@northwind.example")
	first := claim(boardwatch.ClaimDemanded)
	require.Len(t, first, 1)
	require.NoError(t, s.SaveCheck(t.Context(), first[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
		return boardwatch.Decide(in, boardwatch.Reading{Claimed: 0, Health: boardwatch.HealthOK}, false, boardwatch.Rules{}, boardwatch.NewID)
	}))

	passed.Store(int64(25 * time.Hour))
	require.Equal(t, b.ID, add("sasha@northwind.example").ID)
	require.Empty(t, claim(boardwatch.ClaimDemanded))
	due := claim(boardwatch.ClaimScheduled)
	require.Len(t, due, 1)
	require.Equal(t, b.ID, due[0].Board.ID)
}
