package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// closed lists the closed roles that the account sees.
func (w *world) closed(a account.Account, f track.ClosedFilter) track.JobPage {
	w.t.Helper()
	page, err := w.ClosedJobs(w.t.Context(), a.ID, f)
	require.NoError(w.t, err)
	return page
}

func closedCases() cases {
	return cases{
		"closed roles are listed by closing time, in pages": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A", "B", "C", "D"))
			require.Empty(t, w.closed(a, track.ClosedFilter{Limit: 10}).Jobs)
			w.check(b.ID, roles("B", "C", "D"))
			first := w.check(b.ID, roles("B", "C", "D")) // closes A
			w.check(b.ID, roles("C", "D"))
			second := w.check(b.ID, roles("C", "D")) // closes B
			page := w.closed(a, track.ClosedFilter{Limit: 10})
			require.Equal(t, []string{"B", "A"}, titles(page.Jobs))
			require.EqualValues(t, 2, page.Total)
			require.False(t, page.PolledAt.After(w.now()))
			require.Equal(t, boardwatch.JobClosed, page.Jobs[0].Status)
			require.Equal(t, second.Check.At, page.Jobs[0].ClosedAt)
			require.Equal(t, []string{"A"}, titles(w.closed(a, track.ClosedFilter{Limit: 1, Skip: 1}).Jobs))
			require.Equal(t, []string{"B"}, titles(w.closed(a, track.ClosedFilter{Limit: 9, After: first.Check.At, BoardID: b.ID}).Jobs))
			none := w.closed(a, track.ClosedFilter{After: first.Check.At})
			require.Empty(t, none.Jobs)
			require.EqualValues(t, 1, none.Total, "the total is told without a page too")
		},
		"a reopened role is not among them, nor is another account's": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			for _, titles := range [][]string{{"A", "B", "C"}, {"A", "B"}, {"A", "B"}} {
				w.check(b.ID, roles(titles...))
			}
			require.Equal(t, []string{"C"}, titles(w.closed(a, track.ClosedFilter{Limit: 10}).Jobs))
			require.Empty(t, w.closed(other, track.ClosedFilter{Limit: 10, BoardID: b.ID}).Jobs)
			w.check(b.ID, roles("A", "B", "C"))
			require.Empty(t, w.closed(a, track.ClosedFilter{Limit: 10}).Jobs)
		},
	}
}
