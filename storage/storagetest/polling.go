package storagetest

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func pollingCases() cases {
	return cases{
		"a poller sees every role while checks are saved": func(t *testing.T, w *world) {
			race(t, w, raceSize{writers: 4, pollers: 8, checks: 20, roles: 5})
		},
		"a poller of another process does too": func(t *testing.T, w *world) {
			o := w.another(options())
			race(t, w, raceSize{writers: 4, pollers: 2, checks: 12, roles: 5}, w.Jobs, o.Jobs)
		},
		"a poller sees every role though one commit stalls": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			stalled, free := w.track(a, "stalled").Board, w.track(a, "free").Board
			w.check(stalled.ID, roles("Before"))
			later := w.another(options())
			begun, gate := make(chan boardwatch.CheckInput, 1), make(chan struct{})
			goOn := sync.OnceFunc(func() { close(gate) })
			t.Cleanup(goOn) // before the store is closed, however the case ends
			claims := []boardwatch.Claim{w.claim(stalled.ID), w.claim(free.ID)}
			var group sync.WaitGroup
			group.Go(func() {
				err := w.SaveCheck(t.Context(), claims[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
					begun <- in
					<-gate
					return decide(in, roles("Before", "Stalled"))
				})
				if err != nil {
					t.Error(err)
				}
			})
			in := <-begun
			group.Go(func() { // waits behind the stalled one, or overtakes it
				if _, err := w.save(claims[1], roles("Free")); err != nil {
					t.Error(err)
				}
			})
			pollers := []*poller{
				{list: w.Jobs, account: a.ID, seen: map[string]int{}},
				{list: later.Jobs, account: a.ID, seen: map[string]int{}},
			}
			for range 20 {
				for _, p := range pollers {
					require.NoError(t, p.poll(t.Context()))
					require.True(t, p.after.Before(in.Now), "promised %s, stamped %s", p.after, in.Now)
				}
			}
			goOn()
			group.Wait()
			for _, p := range pollers {
				require.NoError(t, p.poll(t.Context()))
				require.Len(t, p.seen, 3)
				after := p.after
				for range 100 { // a busy writer may delay a promise
					w.passMoment()
					require.NoError(t, p.poll(t.Context()))
					if p.after.After(after) && !p.after.Before(in.Now) {
						break
					}
				}
				require.True(t, p.after.After(after), "it goes on")
				require.False(t, p.after.Before(in.Now), "past the stalled one")
			}
		},
		"polledAt never goes backwards, and is never in the future": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			last := w.jobs(a, track.JobFilter{}).PolledAt
			for i := range 20 {
				at := w.check(b.ID, roles(many(i+1)...)).Check.At
				require.True(t, at.After(last), "a stamp is later than every promise before it")
				polled := w.jobs(a, track.JobFilter{}).PolledAt
				require.False(t, polled.Before(last))
				now, err := w.Now(t.Context())
				require.NoError(t, err)
				require.True(t, polled.Before(now))
				last = polled
			}
		},
		"a poller gets what was found while a board was locked": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanUltra)
			kept, lost := w.track(a, "kept").Board, w.track(a, "lost").Board
			for _, token := range []string{"c", "d"} {
				w.track(a, token)
			}
			w.track(other, "lost")
			w.check(kept.ID, roles("Cook"))
			w.check(lost.ID, roles("Baker"))
			w.passMoment()
			p := &poller{list: w.Jobs, account: a.ID, seen: map[string]int{}}
			require.NoError(t, p.poll(t.Context()))
			require.Len(t, p.seen, 2)
			before := w.jobs(a, track.JobFilter{}).PolledAt
			fifth := w.track(a, "fifth") // locked: there is no room
			require.True(t, fifth.Subscription.Locked)
			w.track(other, "fifth")
			w.check(fifth.Board.ID, roles("Miller", "Smith"))
			for range 3 { // the promises to the poller are later than those roles
				w.passMoment()
				require.NoError(t, p.poll(t.Context()))
			}
			require.Len(t, p.seen, 2)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, lost.ID))
			require.NoError(t, p.poll(t.Context()))
			require.Len(t, p.seen, 4, "the board has room now")
			require.Equal(t, int64(2), w.jobs(a, track.JobFilter{AddedAfter: before}).Total)
			w.passMoment()
			require.NoError(t, p.poll(t.Context()))
			require.Empty(t, w.jobs(a, track.JobFilter{AddedAfter: p.after}).Jobs, "it is told once")
			require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 3, "all that it may see")
		},
		"a board that is added is not news to a poller": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanUltra)
			w.check(w.track(other, "known").Board.ID, roles("Cook"))
			w.passMoment()
			polled := w.jobs(a, track.JobFilter{}).PolledAt
			w.passMoment()
			w.track(a, "known")
			require.Empty(t, w.jobs(a, track.JobFilter{AddedAfter: polled}).Jobs)
			require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 1)
		},
		"a check that fails leaves no promise behind": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			c := w.claim(b.ID)
			var at boardwatch.CheckInput
			require.Error(t, w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				at = in
				r := decide(in, roles("Cook", "Baker"))
				r.Change.Found[1].Key = r.Change.Found[0].Key
				return r
			}))
			var page track.JobPage
			var err error
			require.Eventually(t, func() bool { // on a busy machine a reader is promised less at first
				page, err = w.Jobs(t.Context(), a.ID, track.JobFilter{})
				return err != nil || !page.PolledAt.Before(at.Now)
			}, 10*time.Second, time.Millisecond)
			require.NoError(t, err)
		},
	}
}

type list func(ctx context.Context, accountID string, f track.JobFilter) (track.JobPage, error)

// poller reads as the documentation of the interface advises: each time after the moment named by the last answer.
type poller struct {
	list    list
	account string
	after   time.Time
	seen    map[string]int
}

// poll reads all pages. The moment of the first page counts.
func (p *poller) poll(ctx context.Context) error {
	f := track.JobFilter{AddedAfter: p.after, Limit: 40}
	for {
		page, err := p.list(ctx, p.account, f)
		if err != nil {
			return err
		}
		if f.Skip == 0 {
			p.after = page.PolledAt
		}
		for _, j := range page.Jobs {
			p.seen[j.ID]++
		}
		if len(page.Jobs) < f.Limit {
			return nil
		}
		f.Skip += int64(len(page.Jobs))
	}
}

type raceSize struct{ writers, pollers, checks, roles int }

// race lets checks find roles while pollers read, and requires that each poller has seen every role.
func race(t *testing.T, w *world, size raceSize, lists ...list) {
	t.Helper()
	if len(lists) == 0 {
		lists = []list{w.Jobs}
	}
	a := w.account(account.PlanUltra)
	for _, c := range w.claimAll(a, size.writers) {
		require.NoError(t, w.Release(t.Context(), c))
	}
	var writing, reading sync.WaitGroup
	var done atomic.Bool
	for range size.writers {
		writing.Go(func() {
			for range size.checks {
				if err := w.findMore(size.roles); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	pollers := make([]*poller, size.pollers)
	for i := range pollers {
		p := &poller{list: lists[i%len(lists)], account: a.ID, seen: map[string]int{}}
		pollers[i] = p
		reading.Go(func() {
			for last := false; !last; {
				last = done.Load() // one more round after the writers have ended
				if err := p.poll(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	writing.Wait()
	done.Store(true)
	reading.Wait()
	for i, p := range pollers {
		require.Len(t, p.seen, size.writers*size.checks*size.roles, "poller %d", i)
	}
}

// findMore checks any due board and finds that many more roles on it.
func (w *world) findMore(n int) error {
	for {
		claims, err := w.ClaimDue(w.t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		if err != nil {
			return err
		}
		for _, c := range claims {
			_, err := w.save(c, roles(many(c.Board.OpenJobs+n)...))
			return err
		}
		runtime.Gosched() // other writers have claimed all of them
	}
}
