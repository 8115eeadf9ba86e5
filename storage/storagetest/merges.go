package storagetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func mergeCases() cases {
	found := func(token string) boardwatch.Board {
		b := hosted(token)
		b.Company, b.Domain = "Northwind Labs", "northwind.example"
		return b
	}
	return cases{
		"a pending board gets its source under the same claim": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanPro)
			p := w.pending(a, "https://northwind.example/careers")
			c, merged, err := w.Resolve(t.Context(), w.claim(p.ID), found("northwind"))
			require.NoError(t, err)
			require.False(t, merged)
			require.Equal(t, p.ID, c.Board.ID)
			require.Equal(t, boardwatch.BoardScraping, c.Board.Status)
			require.Equal(t, "greenhouse:northwind", c.Board.Source)
			require.Equal(t, "Northwind Labs", c.Board.Company)
			require.Equal(t, "northwind.example", c.Board.Domain)
			require.Equal(t, found("northwind").URL, c.Board.URL)
			require.Equal(t, c.Board, w.board(p.ID))
			_, err = w.save(c, roles("Cook"))
			require.NoError(t, err)
			_, _, err = w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted("northwind"), "")
			hasCode(t, boardwatch.CodeAlreadyTracked, err)
		},
		"a pending board that is another one merges into it": func(t *testing.T, w *world) {
			a, both, late := w.account(boardwatch.PlanPro), w.account(boardwatch.PlanPro), w.account(boardwatch.PlanPro)
			const address = "https://northwind.example/careers"
			p := w.pending(a, address)
			w.pending(both, address)
			s := w.track(both, "northwind").Board
			w.check(s.ID, roles("Cook"))
			before := w.board(s.ID)
			c := w.claim(p.ID)
			resolved, merged, err := w.Resolve(t.Context(), c, found("northwind"))
			require.NoError(t, err)
			require.True(t, merged)
			require.Equal(t, s.ID, resolved.Board.ID)
			now := w.board(s.ID)
			require.Equal(t, before.Company, now.Company, "identity is not taken from the page that merged in")
			require.Equal(t, before.URL, now.URL)

			_, err = w.save(c, roles("Baker"))
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost, "the claim is spent")
			_, err = w.save(resolved, roles("Baker"))
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)

			require.Equal(t, s.ID, w.board(p.ID).ID, "the old id is another name")
			tracked, err := w.TrackedBoard(t.Context(), a.ID, p.ID)
			require.NoError(t, err)
			require.Equal(t, s.ID, tracked.Board.ID)
			require.Len(t, w.jobs(a, boardwatch.JobFilter{BoardID: p.ID}).Jobs, 1)
			require.Equal(t, w.history(s.ID), w.history(p.ID))
			_, _, err = w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{URL: address}, address)
			hasCode(t, boardwatch.CodeAlreadyTracked, err)
			e, _ := errors.AsType[*boardwatch.Error](err)
			require.Equal(t, boardwatch.AlreadyTracked{BoardID: s.ID}, e.Details)
			require.Equal(t, s.ID, w.pending(late, address).ID)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, p.ID))
		},
		"an account that had both keeps the older place and its name for the company": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanFree)
			b, older, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{URL: "https://n.example"}, "https://n.example")
			require.NoError(t, err)
			middle := w.track(a, "contoso")
			s, younger, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID, CompanyName: "Ours"}, hosted("northwind"), "")
			require.NoError(t, err)
			last := w.track(a, "fabrikam")
			require.True(t, younger.Locked)
			require.True(t, last.Subscription.Locked)
			_, merged, err := w.Resolve(t.Context(), w.claim(b.ID), found("northwind"))
			require.NoError(t, err)
			require.True(t, merged)
			list, err := w.Tracked(t.Context(), a.ID, "")
			require.NoError(t, err)
			require.Equal(t, []string{s.ID, middle.Board.ID, last.Board.ID}, boardIDs(list))
			require.Equal(t, older.AddedAt, list[0].Subscription.AddedAt)
			require.Equal(t, "Ours", list[0].Subscription.CompanyName)
			w.consistent(a, 2)
			require.Equal(t, 24*time.Hour, list[0].Board.Cadence)
			w.claim(s.ID)
		},
		"the survivor takes the pace of its new subscribers": func(t *testing.T, w *world) {
			slow, fast := w.account(boardwatch.PlanFree), w.account(boardwatch.PlanUltra)
			s := w.track(slow, "northwind").Board
			w.check(s.ID, roles("Cook"))
			p := w.pending(fast, "https://northwind.example/")
			_, _, err := w.Resolve(t.Context(), w.claim(p.ID), found("northwind"))
			require.NoError(t, err)
			require.Equal(t, time.Hour, w.board(s.ID).Cadence)
		},
		"aliases of a board that merges follow it": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			one, two := w.pending(a, "https://one.example/"), w.track(a, "two").Board
			_, _, err := w.Resolve(t.Context(), w.claim(one.ID), found("two"))
			require.NoError(t, err)
			three := w.track(a, "three").Board
			_, merged, err := w.Resolve(t.Context(), w.claim(two.ID), found("three"))
			require.NoError(t, err)
			require.True(t, merged)
			require.Equal(t, three.ID, w.board(one.ID).ID)
			require.Equal(t, three.ID, w.board(two.ID).ID)
		},
		"roles of boards that were read under other sources survive": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			s, hook := w.track(a, "northwind").Board, w.webhook(a)
			w.check(s.ID, roles("Cook"))
			cook := w.jobs(a, boardwatch.JobFilter{}).Jobs[0]
			for _, token := range []string{"first", "second"} { // each with a role of its own, and one that closed
				b := w.track(a, token).Board
				w.check(b.ID, roles("Cook", "Baker of "+token, "Smith of "+token))
				for range 2 {
					w.check(b.ID, roles("Cook", "Baker of "+token))
				}
				_, merged, err := w.Resolve(t.Context(), w.claim(b.ID), found("northwind"))
				require.NoError(t, err)
				require.True(t, merged)
			}
			open := w.jobs(a, boardwatch.JobFilter{Status: boardwatch.JobOpen})
			require.ElementsMatch(t, []string{"Cook", "Baker of first", "Baker of second"}, titles(open.Jobs))
			require.Contains(t, open.Jobs, cook)
			require.EqualValues(t, 3, open.Total)
			closed := w.jobs(a, boardwatch.JobFilter{Status: boardwatch.JobClosed})
			require.ElementsMatch(t, []string{"Smith of first", "Smith of second"}, titles(closed.Jobs))
			require.EqualValues(t, 2, closed.Total)
			require.NotEmpty(t, w.deliveriesOf(hook))
			for _, d := range w.deliveriesOf(hook) {
				require.Equal(t, s.ID, w.board(d.BoardID).ID)
			}
			require.Empty(t, w.board(s.ID).State.Fingerprint, "the next check reads it in full")

			w.check(s.ID, roles("Cook"))
			require.Len(t, w.check(s.ID, roles("Cook")).Change.Closed, 2, "like any role that stays away")
			require.EqualValues(t, 1, w.jobs(a, boardwatch.JobFilter{Status: boardwatch.JobOpen}).Total)
		},
		"a role that gets another key keeps its id": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Cook", "Baker", "Smith"))
			w.check(b.ID, roles("Baker", "Smith")) // so that seeing it again is no more than bookkeeping
			id := w.jobs(a, boardwatch.JobFilter{Search: "cook"}).Jobs[0].ID
			r := roles("Cook", "Baker", "Smith")
			r.Postings[0].Key = "new key"
			err := w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				in.Known = boardwatch.Rekey(in.Known, r)
				result := decide(in, r)
				require.Len(t, result.Change.Touched, 1)
				result.Board.NextCheckAt = in.Now
				return result
			})
			require.NoError(t, err)
			for _, j := range w.known(b.ID) {
				require.Equal(t, j.ID == id, j.Key == "new key")
			}
		},
		"a board whose source changes keeps its roles and forgets its last answer": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			b := w.track(a, "old").Board
			w.check(b.ID, roles("Cook"))
			c, merged, err := w.Resolve(t.Context(), w.claim(b.ID), found("new"))
			require.NoError(t, err)
			require.False(t, merged)
			require.Empty(t, c.Board.State.Fingerprint)
			require.Equal(t, boardwatch.BoardReady, c.Board.Status)
			_, err = w.save(c, roles("Cook"))
			require.NoError(t, err)
			require.Len(t, w.jobs(a, boardwatch.JobFilter{}).Jobs, 1)
		},
		"many that merge at once, while lists change, end as one": func(t *testing.T, w *world) {
			const n = 6
			accounts := make([]boardwatch.Account, n)
			claims := make([]boardwatch.Claim, n)
			for i := range n {
				accounts[i] = w.account(boardwatch.PlanUltra)
				for j := range n {
					if i != j {
						w.pending(accounts[i], fmt.Sprintf("https://page%d.example/", j))
					}
				}
			}
			all, err := w.ClaimDue(t.Context(), n, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			copy(claims, all)
			require.Len(t, all, n)
			var group sync.WaitGroup
			errs := make(chan error, 2*n)
			for i := range n {
				group.Go(func() {
					_, _, err := w.Resolve(t.Context(), claims[i], found("northwind"))
					errs <- err
				})
				group.Go(func() {
					_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: accounts[i].ID}, hosted("northwind"), fmt.Sprintf("https://page%d.example/", i))
					if boardwatch.CodeOf(err) == boardwatch.CodeAlreadyTracked {
						err = nil
					}
					errs <- err
				})
			}
			group.Wait()
			close(errs)
			for err := range errs {
				require.NoError(t, err)
			}
			stats, err := w.BoardStats(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, stats.Total)
			for _, a := range accounts {
				list, err := w.Tracked(t.Context(), a.ID, "")
				require.NoError(t, err)
				require.Len(t, list, 1)
				require.False(t, list[0].Subscription.Locked)
			}
		},
	}
}
