package storagetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// merge resolves the board of a claim to the source that is found.
func (w *world) merge(boardID string, found boardwatch.Board) {
	w.t.Helper()
	_, merged, err := w.Resolve(w.t.Context(), w.claim(boardID), found)
	require.NoError(w.t, err)
	require.True(w.t, merged)
}

// toldIn returns the titles of the roles in a delivery's body.
func (w *world) toldIn(d boardwatch.Delivery) (titles []string) {
	w.t.Helper()
	due, _, err := w.DueDeliveries(w.t.Context(), d.WebhookID, w.now().Add(time.Hour), nil, 100, 1<<20)
	require.NoError(w.t, err)
	at := slices.IndexFunc(due, func(o boardwatch.Delivery) bool { return o.ID == d.ID })
	require.GreaterOrEqual(w.t, at, 0)
	var body struct{ Jobs []boardwatch.Job }
	require.NoError(w.t, json.Unmarshal(due[at].Body, &body))
	for _, j := range body.Jobs {
		titles = append(titles, j.Title)
	}
	return titles
}

func mergeCases() cases {
	found := func(token string) boardwatch.Board {
		b := hosted(token)
		b.Company, b.Domain = "Northwind Labs", "northwind.example"
		return b
	}
	return cases{
		"a pending board gets its source under the same claim": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
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
		"a pending board that turns out to be another one merges into it": func(t *testing.T, w *world) {
			a, both, late := w.account(account.PlanPro), w.account(account.PlanPro), w.account(account.PlanPro)
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
			require.Len(t, w.jobs(a, track.JobFilter{BoardID: p.ID}).Jobs, 1)
			require.Equal(t, w.history(s.ID), w.history(p.ID))
			_, _, err = w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{URL: address}, address)
			hasCode(t, boardwatch.CodeAlreadyTracked, err)
			e, _ := errors.AsType[*boardwatch.Error](err)
			require.Equal(t, boardwatch.AlreadyTracked{BoardID: s.ID}, e.Details)
			require.Equal(t, s.ID, w.pending(late, address).ID)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, p.ID))
		},
		"an account that had both keeps the older place and its name for the company": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
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
			slow, fast := w.account(account.PlanFree), w.account(account.PlanUltra)
			s := w.track(slow, "northwind").Board
			w.check(s.ID, roles("Cook"))
			p := w.pending(fast, "https://northwind.example/")
			_, _, err := w.Resolve(t.Context(), w.claim(p.ID), found("northwind"))
			require.NoError(t, err)
			require.Equal(t, time.Hour, w.board(s.ID).Cadence)
		},
		"aliases of a board that merges follow it": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
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
		"what only the ended board showed is seen only by those who tracked it": func(t *testing.T, w *world) {
			old, late, both := w.account(account.PlanUltra), w.account(account.PlanUltra), w.account(account.PlanUltra)
			s, b := w.track(late, "northwind").Board, w.track(old, "first").Board
			w.track(both, "northwind")
			w.track(both, "first")
			w.check(s.ID, roles("Cook"))
			w.check(b.ID, roles("Baker", "Smith", "Cook"))
			for range 2 {
				w.check(b.ID, roles("Baker", "Cook"))
			}
			baker := w.jobs(old, track.JobFilter{Search: "baker"}).Jobs[0]
			hooks := map[string]boardwatch.Webhook{old.ID: w.webhook(old), late.ID: w.webhook(late), both.ID: w.webhook(both)}
			before := w.board(s.ID)
			w.passMoment()
			fed := w.changes(late, track.ChangeFilter{}).PolledAt
			w.passMoment()
			w.merge(b.ID, found("northwind"))

			now := w.board(s.ID)
			require.Equal(t, before.OpenJobs, now.OpenJobs)
			require.Equal(t, before.ClosedJobs, now.ClosedJobs)
			require.Equal(t, before.State, now.State, "a check under way may go on comparing")
			require.Empty(t, w.deliveriesOf(hooks[late.ID]))
			require.Equal(t, []string{"Cook"}, titles(w.jobs(late, track.JobFilter{}).Jobs))
			require.Empty(t, w.changes(late, track.ChangeFilter{After: fed}).Changes)
			_, err := w.Job(t.Context(), late.ID, baker.ID)
			hasCode(t, boardwatch.CodeNotFound, err)
			for _, a := range []account.Account{old, both} {
				closed := w.jobs(a, track.JobFilter{Status: boardwatch.JobClosed, BoardID: s.ID})
				require.ElementsMatch(t, []string{"Baker", "Smith"}, titles(closed.Jobs))
				require.EqualValues(t, 2, closed.Total)
				for _, j := range closed.Jobs {
					require.Equal(t, s.ID, j.BoardID, "the board that they know it by")
				}
				list, err := w.ClosedJobs(t.Context(), a.ID, track.ClosedFilter{Limit: 10})
				require.NoError(t, err)
				require.ElementsMatch(t, []string{"Baker", "Smith"}, titles(list.Jobs))
				require.Equal(t, []string{"Cook"}, titles(w.jobs(a, track.JobFilter{Status: boardwatch.JobOpen}).Jobs))
				role, err := w.Job(t.Context(), a.ID, baker.ID)
				require.NoError(t, err)
				require.Equal(t, boardwatch.JobClosed, role.Status)
				events, err := w.RoleEvents(t.Context(), []string{baker.ID}, time.Time{}, 10)
				require.NoError(t, err)
				require.Equal(t, "the board became another one", events[baker.ID][len(events[baker.ID])-1].Reason())
				owed := w.deliveriesOf(hooks[a.ID])
				told := map[boardwatch.EventType][]string{}
				for _, d := range owed {
					require.Equal(t, s.ID, w.board(d.BoardID).ID)
					told[d.Type] = w.toldIn(d)
				}
				require.Equal(t, []string{"Baker"}, told[boardwatch.EventJobArchived])
				if a.ID == old.ID {
					require.Equal(t, []string{"Cook"}, told[boardwatch.EventJobFound])
				}
			}
			_, err = w.Job(t.Context(), "", baker.ID)
			require.NoError(t, err, "the operator sees every role")
			stats, err := w.BoardStats(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, stats.Total)
			require.NoError(t, w.Unsubscribe(t.Context(), old.ID, s.ID))
			_, err = w.Job(t.Context(), old.ID, baker.ID)
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"marks of a role that both boards have go on with it": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			s, b := w.track(a, "northwind").Board, w.track(a, "first").Board
			w.check(s.ID, roles("Cook"))
			cook := w.jobs(a, track.JobFilter{}).Jobs[0]
			other := roles("Cook")
			other.Postings[0].Location = "Berlin, Germany"
			w.check(b.ID, other)
			same := w.jobs(a, track.JobFilter{BoardID: b.ID}).Jobs[0]
			require.NoError(t, w.SaveMark(t.Context(), track.Mark{AccountID: a.ID, JobID: same.ID, Starred: true}, 10, 100))
			w.merge(b.ID, found("northwind"))
			require.Equal(t, []string{cook.ID}, []string{w.jobs(a, track.JobFilter{}).Jobs[0].ID})
			require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 1)
			marks, err := w.Marks(t.Context(), a.ID, cook.ID)
			require.NoError(t, err)
			require.True(t, marks[cook.ID].Starred)
			events, err := w.RoleEvents(t.Context(), []string{cook.ID}, time.Time{}, 10)
			require.NoError(t, err)
			require.Len(t, events[cook.ID], 1, "what the ended board said of it is not told as the survivor's history")
		},
		"a moved account sees the roles that were on the board as of then": func(t *testing.T, w *world) {
			owner, moved, waiting := w.account(account.PlanUltra), w.account(account.PlanUltra), w.account(account.PlanUltra)
			s, b := w.track(owner, "northwind").Board, w.track(moved, "first").Board
			p := w.pending(waiting, "https://northwind.example/careers")
			w.check(s.ID, roles("Cook", "Gone", "Smith"))
			w.check(s.ID, roles("Cook", "Smith"))
			w.check(s.ID, roles("Cook", "Smith")) // closes one
			w.check(b.ID, roles("Baker", "Cook"))
			hooks := map[string]boardwatch.Webhook{}
			polls := map[string]*poller{}
			for _, a := range []account.Account{owner, moved, waiting} {
				hooks[a.ID] = w.webhook(a)
				w.passMoment()
				polls[a.ID] = &poller{list: w.Jobs, account: a.ID, seen: map[string]int{}}
				require.NoError(t, polls[a.ID].poll(t.Context()))
			}
			w.passMoment()
			fed := w.changes(moved, track.ChangeFilter{}).PolledAt
			w.merge(b.ID, found("northwind"))
			w.passMoment()
			w.merge(p.ID, found("northwind"))

			for _, a := range []account.Account{moved, waiting} {
				after := polls[a.ID].after
				require.NoError(t, polls[a.ID].poll(t.Context()))
				page := w.jobs(a, track.JobFilter{AddedAfter: after})
				require.ElementsMatch(t, []string{"Cook", "Smith"}, titles(page.Jobs))
				require.EqualValues(t, 2, page.Total)
				for i, j := range page.Jobs {
					require.Contains(t, polls[a.ID].seen, j.ID)
					require.True(t, j.FirstSeenAt.After(after), "what is shown is what is compared")
					require.False(t, j.LastSeenAt.Before(j.FirstSeenAt))
					if i > 0 {
						require.False(t, j.FirstSeenAt.After(page.Jobs[i-1].FirstSeenAt), "newest first")
					}
				}
				require.Empty(t, w.jobs(a, track.JobFilter{AddedAfter: page.Jobs[0].FirstSeenAt}).Jobs)
				require.Equal(t, page.Jobs[1:], w.jobs(a, track.JobFilter{AddedAfter: after, Skip: 1}).Jobs)
				told, began := map[string]bool{}, 0
				changes := w.changes(a, track.ChangeFilter{After: fed})
				for _, c := range changes.Changes {
					require.Regexp(t, "^[0-9a-f]{24}$", c.CheckID)
					if c.Beginning {
						began += c.Open
					}
					for _, j := range c.Found.Jobs {
						told[j.Title] = true
					}
				}
				if a.ID == waiting.ID {
					require.Equal(t, 2, began, "whose own board was never read begins to watch this one")
					require.Empty(t, told)
					require.Len(t, w.changes(a, track.ChangeFilter{}).Changes, 1)
					continue
				}
				require.Equal(t, map[string]bool{"Cook": true, "Smith": true}, told)
				require.False(t, changes.More)
				top := changes.Changes[0]
				for _, c := range w.changes(a, track.ChangeFilter{After: fed, Limit: 1}).Changes {
					require.Equal(t, top.At, c.At, "only what is of one moment stays together")
				}
				require.Empty(t, w.changes(a, track.ChangeFilter{After: top.At}).Changes)
				require.Greater(t, len(w.changes(a, track.ChangeFilter{Before: top.At}).Changes), 1, "those of the checks before")
			}
			told := map[boardwatch.EventType][]string{}
			for _, d := range w.deliveriesOf(hooks[moved.ID]) {
				told[d.Type] = w.toldIn(d)
			}
			require.Equal(t, map[boardwatch.EventType][]string{
				boardwatch.EventJobFound: {"Cook", "Smith"}, boardwatch.EventJobArchived: {"Baker"},
			}, told)
			require.Equal(t, []string{"Cook", "Smith"}, w.toldIn(w.deliveriesOf(hooks[waiting.ID])[0]))
			require.Empty(t, w.deliveriesOf(hooks[owner.ID]))
			after := polls[owner.ID].after
			require.Empty(t, w.jobs(owner, track.JobFilter{AddedAfter: after}).Jobs, "nobody else is told anything")
			require.Len(t, w.jobs(moved, track.JobFilter{}).Jobs, 4, "with the one that stayed behind")
		},
		"a subscription that was locked has seen nothing before a merge": func(t *testing.T, w *world) {
			owner, a := w.account(account.PlanUltra), w.account(account.PlanFree)
			s := w.track(owner, "northwind").Board
			b := w.track(a, "first").Board
			w.track(a, "contoso")
			require.True(t, w.track(a, "northwind").Subscription.Locked)
			w.check(s.ID, roles("Cook"))
			p := &poller{list: w.Jobs, account: a.ID, seen: map[string]int{}}
			w.passMoment()
			require.NoError(t, p.poll(t.Context()))
			w.passMoment()
			w.merge(b.ID, found("northwind"))
			require.NoError(t, p.poll(t.Context()))
			require.Len(t, p.seen, 1)
		},
		"a check under way when another board merges in goes on": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			s, b := w.track(a, "northwind").Board, w.track(a, "first").Board
			w.check(s.ID, roles("Cook", "Smith"))
			w.check(s.ID, roles("Cook")) // so that it is not settled
			w.check(b.ID, roles("Baker"))
			hook, c := w.webhook(a), w.claim(s.ID)
			w.merge(b.ID, found("northwind"))
			c.Unchanged = true
			require.NoError(t, w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				result := decide(in, boardwatch.Reading{Health: boardwatch.HealthOK, Unchanged: true, Claimed: -1, Fingerprint: "same"})
				result.Board.NextCheckAt = in.Now
				return result
			}))
			require.Equal(t, boardwatch.HealthOK, w.board(s.ID).State.Health, w.board(s.ID).State.Reason)
			for _, d := range w.deliveriesOf(hook) {
				require.NotEqual(t, boardwatch.EventBoardFailed, d.Type)
			}
			require.ElementsMatch(t, []string{"Smith", "Baker"}, titles(w.jobs(a, track.JobFilter{Status: boardwatch.JobClosed}).Jobs))
			require.EqualValues(t, 1, w.jobs(a, track.JobFilter{Status: boardwatch.JobOpen}).Total)
		},
		"a role that gets another key keeps its id": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Cook", "Baker", "Smith"))
			w.check(b.ID, roles("Baker", "Smith")) // so that seeing it again changes nothing else
			id := w.jobs(a, track.JobFilter{Search: "cook"}).Jobs[0].ID
			r := roles("Cook", "Baker", "Smith")
			r.Postings[0].Key = "new key"
			err := w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				in.Board.Source = "page:https://northwind.example/" // where roles are known by title and place
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
			a := w.account(account.PlanUltra)
			b := w.track(a, "old").Board
			w.check(b.ID, roles("Cook"))
			c, merged, err := w.Resolve(t.Context(), w.claim(b.ID), found("new"))
			require.NoError(t, err)
			require.False(t, merged)
			require.Empty(t, c.Board.State.Fingerprint)
			require.Equal(t, boardwatch.BoardReady, c.Board.Status)
			_, err = w.save(c, roles("Cook"))
			require.NoError(t, err)
			require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 1)
		},
		"many boards that merge at once, while lists change, end as one": func(t *testing.T, w *world) {
			const n = 6
			accounts := make([]account.Account, n)
			claims := make([]boardwatch.Claim, n)
			for i := range n {
				accounts[i] = w.account(account.PlanUltra)
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
