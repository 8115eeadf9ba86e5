package storagetest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// limited opens the database again, where the checks of one account's boards may add only so much.
func (w *world) limited(bytes int) *world {
	w.t.Helper()
	o := options()
	o.Growth = bytes
	return w.another(o)
}

// of a new role whose texts are short.
const roleBytes = 2000

func growthCases() cases {
	return cases{
		"all boards of an account share what their checks may add within an hour, in all processes": func(t *testing.T, w *world) {
			l := w.limited(10 * roleBytes)
			other := w.limited(10 * roleBytes)
			a := l.account(account.PlanUltra)
			first, second, third := l.track(a, "northwind").Board, l.track(a, "contoso").Board, l.track(a, "fabrikam").Board
			require.Len(t, l.check(first.ID, roles(many(6)...)).Change.Found, 6)
			claim := l.claim(second.ID)
			r, err := other.save(claim, roles(many(6)...))
			require.Contains(t, []error{nil, boardwatch.ErrLeaseLost}, err)
			if err != nil { // SQLite gives claims to one process only
				r, err = l.save(claim, roles(many(6)...))
				require.NoError(t, err)
			}
			require.Len(t, r.Change.Found, 3, "the check itself counts a little")
			require.Equal(t, boardwatch.HealthPartial, r.Check.Health)
			require.Equal(t, cause.PageLimit, r.Check.Cause)
			require.Empty(t, l.check(third.ID, roles(many(6)...)).Change.Found)
			free := l.account(account.PlanFree)
			require.Len(t, l.check(l.track(free, "tailspin").Board.ID, roles(many(6)...)).Change.Found, 6, "others have their own")
		},
		"of a board that several accounts track, the one with the most room counts": func(t *testing.T, w *world) {
			l := w.limited(10 * roleBytes)
			greedy, honest := l.account(account.PlanUltra), l.account(account.PlanUltra)
			l.check(l.track(greedy, "contoso").Board.ID, roles(many(20)...))
			shared := l.track(greedy, "northwind").Board
			l.track(honest, "northwind")
			r := l.check(shared.ID, roles(many(5)...))
			require.Len(t, r.Change.Found, 5)
			require.Equal(t, boardwatch.HealthOK, r.Check.Health)
		},
		"what the operator asks for counts for nobody": func(t *testing.T, w *world) {
			l := w.limited(10 * roleBytes)
			a := l.account(account.PlanUltra)
			b := l.track(a, "northwind").Board
			require.Len(t, l.check(b.ID, roles(many(20)...)).Change.Found, 10)
			c := l.claim(b.ID)
			c.Demand = boardwatch.Demand{BoardID: b.ID}
			r, err := l.save(c, roles(many(30)...))
			require.NoError(t, err)
			require.Len(t, r.Change.Found, 20)
		},
		"nothing is added for a board that nobody tracks any more": func(t *testing.T, w *world) {
			l := w.limited(10 * roleBytes)
			a := l.account(account.PlanUltra)
			b := l.track(a, "northwind").Board
			c := l.claim(b.ID)
			require.NoError(t, l.Unsubscribe(t.Context(), a.ID, b.ID))
			r, err := l.save(c, roles(many(5)...))
			require.NoError(t, err)
			require.Empty(t, r.Change.Found)
		},
		"texts of roles that change, and roles that come and go, count too": func(t *testing.T, w *world) {
			l := w.limited(60 * roleBytes)
			a := l.account(account.PlanUltra)
			b := l.track(a, "northwind").Board
			l.check(b.ID, roles(many(20)...))
			updated := 0
			for turn := range 20 {
				r := roles(many(20)...)
				for i := range r.Postings {
					r.Postings[i].Department = strings.Repeat(strconv.Itoa(turn), 400)
				}
				res := l.check(b.ID, r)
				require.Empty(t, res.Change.Found)
				require.Empty(t, res.Change.Closed)
				require.Equal(t, 20, l.board(b.ID).OpenJobs)
				updated += len(res.Change.Updated)
			}
			require.Positive(t, updated)
			require.Less(t, updated, 100)
			missed := 0
			for range 20 {
				l.check(b.ID, roles(many(20)...))
				res := l.check(b.ID, roles(many(10)...))
				missed += len(res.Change.Missed)
			}
			require.Less(t, missed, 100)
			require.Equal(t, 20, l.board(b.ID).OpenJobs, "absences that are not kept close nothing")
		},
	}
}
