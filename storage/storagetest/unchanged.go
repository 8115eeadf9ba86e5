package storagetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// unchangedCases are about unchanged checks that end at the same time, which a store may save together.
func unchangedCases() cases {
	return cases{
		"many unchanged boards are saved together, each with its own outcome": func(t *testing.T, w *world) {
			const boards = 90
			a := w.account(account.PlanUltra)
			for i := range boards {
				w.track(a, fmt.Sprintf("company%d", i))
			}
			stale, err := w.ClaimDue(t.Context(), boards, time.Millisecond, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, stale, boards)
			var claims []boardwatch.Claim
			for len(claims) < boards { // again, as leases expire
				more, err := w.ClaimDue(t.Context(), boards, time.Minute, boardwatch.ClaimFilter{})
				require.NoError(t, err)
				claims = append(claims, more...)
			}
			next := func(i int) time.Time { return boardwatch.Milli(claims[i].At.Add(time.Duration(i+1) * time.Minute)) }
			late, errs := make([]error, boards), make([]error, boards)
			var group sync.WaitGroup
			for i := range boards {
				group.Go(func() { late[i] = w.saveUnchanged(t.Context(), stale[i], "stale", next(0)) })
				group.Go(func() { errs[i] = w.saveUnchanged(t.Context(), claims[i], fmt.Sprint("print", i), next(i)) })
			}
			group.Wait()
			for i := range boards {
				require.ErrorIs(t, late[i], boardwatch.ErrLeaseLost)
				require.NoError(t, errs[i])
				b := w.board(claims[i].Board.ID)
				require.Equal(t, fmt.Sprint("print", i), b.State.Fingerprint)
				require.Equal(t, next(i), b.NextCheckAt)
				require.Equal(t, b.State.LastCheckedAt, b.State.LastSuccessAt)
				require.ErrorIs(t, w.saveUnchanged(t.Context(), claims[i], "again", next(0)), boardwatch.ErrLeaseLost)
			}
		},
		"a board that others are changing does not hold up the rest": func(t *testing.T, w *world) {
			const boards = 40
			a := w.account(account.PlanUltra)
			for i := range boards {
				w.track(a, fmt.Sprintf("company%d", i))
			}
			claims, err := w.ClaimDue(t.Context(), boards, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, claims, boards)
			var group sync.WaitGroup
			errs := make([]error, boards)
			for i, c := range claims {
				group.Go(func() { errs[i] = w.saveUnchanged(t.Context(), c, "print", c.At.Add(time.Hour)) })
			}
			faster := w.account(account.PlanUltra)
			for i := range boards / 4 { // takes the rows' locks meanwhile
				group.Go(func() { w.track(faster, fmt.Sprintf("company%d", i)) })
			}
			group.Wait()
			for i, c := range claims {
				require.NoError(t, errs[i])
				require.Equal(t, "print", w.board(c.Board.ID).State.Fingerprint)
			}
		},
	}
}
