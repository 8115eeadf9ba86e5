package storagetest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func checkCases() cases {
	return cases{
		"the first check finds every role": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			r := w.check(b.ID, roles("Cook", "Baker"))
			page := w.jobs(a, track.JobFilter{})
			require.ElementsMatch(t, []string{"Cook", "Baker"}, titles(page.Jobs))
			for _, j := range page.Jobs {
				require.Equal(t, r.Check.At, j.FirstSeenAt)
				require.Equal(t, r.Check.At, j.LastSeenAt)
				require.Equal(t, boardwatch.JobOpen, j.Status)
				require.True(t, j.ClosedAt.IsZero())
				require.Equal(t, b.ID, j.BoardID)
				require.Equal(t, "Berlin", j.Location)
			}
			now := w.board(b.ID)
			require.Equal(t, boardwatch.BoardReady, now.Status)
			require.Equal(t, 2, now.OpenJobs)
			require.Equal(t, r.Check.At, now.State.LastSuccessAt)
		},
		"a role is closed, reopened and keeps its id": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Cook", "Baker", "Smith"))
			cook := w.jobs(a, track.JobFilter{Search: "cook"}).Jobs[0]
			last := w.check(b.ID, roles("Cook", "Baker", "Smith")).Check.At
			w.check(b.ID, roles("Baker", "Smith"))
			require.Len(t, w.jobs(a, track.JobFilter{Status: boardwatch.JobOpen}).Jobs, 3, "missed once")
			closed := w.check(b.ID, roles("Baker", "Smith"))
			require.Len(t, closed.Change.Closed, 1)
			gone := w.jobs(a, track.JobFilter{Status: boardwatch.JobClosed}).Jobs[0]
			require.Equal(t, cook.ID, gone.ID)
			require.Equal(t, closed.Check.At, gone.ClosedAt)
			require.Equal(t, last, gone.LastSeenAt, "when a healthy check last saw it")
			require.Equal(t, 1, w.board(b.ID).ClosedJobs)
			back := w.check(b.ID, roles("Baker", "Smith", "Cook"))
			require.Len(t, back.Change.Reopened, 1)
			again := w.jobs(a, track.JobFilter{Search: "cook"}).Jobs[0]
			require.Equal(t, cook.ID, again.ID)
			require.Equal(t, cook.FirstSeenAt, again.FirstSeenAt)
			require.True(t, again.ClosedAt.IsZero())
			require.Equal(t, 0, w.board(b.ID).ClosedJobs)
			returned, err := w.Returned(t.Context())
			require.NoError(t, err)
			require.Len(t, returned, 1, "operators see that it was perhaps closed by mistake")
			require.Equal(t, b.ID, returned[0].Board.ID)
			require.Equal(t, 1, returned[0].Roles)
			require.Equal(t, back.Check.At, returned[0].LastAt)
		},
		"a check with an unchanged answer only reads the roles missing from it": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Cook", "Baker", "Smith"))
			w.check(b.ID, roles("Cook", "Baker"))
			w.check(b.ID, roles("Cook", "Baker")) // Smith is closed
			w.check(b.ID, roles("Cook"))
			claim := w.claim(b.ID)
			claim.Unchanged = true
			err := w.SaveCheck(t.Context(), claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				require.Equal(t, []string{"Baker"}, titles(in.Known))
				require.Equal(t, 1, in.Known[0].Misses)
				return decide(in, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Unchanged: true})
			})
			require.NoError(t, err)
			page := w.jobs(a, track.JobFilter{Status: boardwatch.JobOpen})
			require.Equal(t, []string{"Cook"}, titles(page.Jobs))
			require.Equal(t, w.board(b.ID).State.LastSuccessAt, page.Jobs[0].LastSeenAt)
			require.Equal(t, 2, w.board(b.ID).ClosedJobs)
		},
		"a check reads those closed roles that are listed, and those that closed lately": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			all := many(250)
			gone, open := all[:90], all[90:]
			for _, shown := range [][]string{all, open, open} { // roles that are gone are closed
				w.check(b.ID, roles(shown...))
			}
			require.Equal(t, 90, w.board(b.ID).ClosedJobs)
			for i, back := range [][]string{nil, gone[:1], gone[3:24], gone, {}} {
				claim := w.claim(b.ID)
				claim.Listed = slices.Concat(open[1:], []string{"of no role", "of no role"}, back)
				want := slices.Concat(open, gone) // any of them may be the unknown role under another key
				if i < 4 {
					claim.At = claim.At.Add(boardwatch.ReopenWithin)
					want = slices.Concat(open, back)
				}
				err := w.SaveCheck(t.Context(), claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
					require.ElementsMatch(t, want, titles(in.Known))
					result := decide(in, boardwatch.Failed(cause.SiteError, "no answer"))
					result.Board.NextCheckAt = in.Now
					return result
				})
				require.NoError(t, err)
			}
		},
		"lastSeenAt moves with healthy checks only": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			seen := func() time.Time { return w.jobs(a, track.JobFilter{}).Jobs[0].LastSeenAt }
			first := w.check(b.ID, roles("Cook")).Check.At
			w.check(b.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			require.Equal(t, first, seen())
			second := w.check(b.ID, roles("Cook")).Check.At
			require.Greater(t, second, first)
			require.Equal(t, second, seen())
			require.NoError(t, w.saveUnchanged(t.Context(), w.claim(b.ID), "same", time.Now()))
			now := w.board(b.ID)
			require.Equal(t, now.State.LastSuccessAt, seen())
			require.False(t, now.State.LastSuccessAt.Before(second))
			known := w.known(b.ID)
			require.Equal(t, now.State.LastSuccessAt, known[0].LastSeenAt, "as the next decision is told")
		},
		"an edited role is updated in place": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Cook"))
			id := w.jobs(a, track.JobFilter{}).Jobs[0].ID
			edited := roles("Cook")
			edited.Postings[0].Title, edited.Postings[0].Location = "Head Cook", "Zürich"
			require.Len(t, w.check(b.ID, edited).Change.Updated, 1)
			j := w.jobs(a, track.JobFilter{Search: "HEAD", Location: "ZÜRICH"}).Jobs
			require.Len(t, j, 1)
			require.Equal(t, id, j[0].ID)
		},
		"identity, state and the next check are kept": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			c := w.claim(b.ID)
			var want boardwatch.Board
			require.NoError(t, w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				r := roles(many(10)...)
				r.Company, r.Domain = "Northwind Labs", "northwind.example"
				result := decide(in, r)
				result.Board.State.Gain = &boardwatch.Gain{Since: in.Now, Sketch: []uint32{1, 1 << 31}}
				result.Board.State.Returns = []boardwatch.Return{{At: in.Now, For: time.Hour}}
				result.Board.State.RetryAfter, result.Board.State.BadRuns = in.Now.Add(time.Hour), 3
				result.Board.State.SickSince = in.Now
				want = result.Board
				return result
			}))
			require.Equal(t, want, w.board(b.ID))
		},
		"deliveries and found roles are saved together or not at all": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			b := w.track(a, "northwind").Board
			c := w.claim(b.ID)
			require.Error(t, w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				r := decide(in, roles("Cook"))
				require.NotEmpty(t, r.Payloads)
				r.Deliveries = append(r.Deliveries, r.Deliveries[0]) // cannot be saved
				return r
			}))
			require.Empty(t, w.jobs(a, track.JobFilter{}).Jobs)
			require.Empty(t, w.deliveriesOf(hook))
			require.NoError(t, w.Release(t.Context(), c))
			w.check(b.ID, roles("Cook"))
			require.Error(t, w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				r := decide(in, roles("Cook", "Baker", "Miller"))
				r.Change.Found[1].Key = r.Change.Found[0].Key // cannot be saved
				return r
			}))
			require.Len(t, w.deliveriesOf(hook), 1, "what the check before owed")
			other := w.track(a, "fabrikam").Board
			require.Error(t, w.SaveCheck(t.Context(), w.claim(other.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				r := decide(in, roles("Cook"))
				r.Board.State.RetryAfter = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) // cannot be saved, and comes last
				return r
			}))
			require.Len(t, w.deliveriesOf(hook), 1)
		},
		"the next check of a board has a later stamp even if the clock was set back": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			var ahead time.Time
			require.NoError(t, w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				r := decide(in, roles("Cook"))
				ahead = in.Now.Add(time.Minute)
				r.Board.State.LastCheckedAt, r.Board.State.LastSuccessAt, r.Board.NextCheckAt = ahead, ahead, in.Now
				return r
			}))
			require.True(t, w.check(b.ID, roles("Cook", "Baker")).Check.At.After(ahead))
		},
		"a webhook that is deleted during a check does not undo it": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			b := w.track(a, "northwind").Board
			deleted := make(chan error, 1)
			require.NoError(t, w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				go func() { deleted <- w.DeleteWebhook(t.Context(), a.ID, hook.ID) }()
				select {
				case err := <-deleted:
					deleted <- err
				case <-time.After(300 * time.Millisecond): // it waits for the check
				}
				return decide(in, roles("Cook"))
			}))
			require.NoError(t, <-deleted)
			require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 1)
		},
		"a failed check closes nothing and says why": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Cook"))
			for range 4 {
				w.check(b.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			}
			now := w.board(b.ID)
			require.Equal(t, boardwatch.BoardFailed, now.Status)
			require.Equal(t, 4, now.State.Failures())
			require.Equal(t, "no answer", now.State.Reason)
			require.Len(t, w.jobs(a, track.JobFilter{Status: boardwatch.JobOpen}).Jobs, 1)
		},
		"a decision gets all of its input": func(t *testing.T, w *world) {
			active, other := w.account(account.PlanUltra), w.account(account.PlanPro)
			locked := w.account(account.PlanFree)
			for _, token := range []string{"a", "b"} {
				w.track(locked, token)
			}
			b := w.track(active, "northwind").Board
			_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: other.ID, CompanyName: "Ours"}, hosted("northwind"), "")
			require.NoError(t, err)
			require.True(t, w.track(locked, "northwind").Subscription.Locked)
			mine, off := w.webhook(active), w.webhook(active)
			w.webhook(other)
			w.switchOff(off)
			w.check(b.ID, roles("Cook", "Baker"))
			for range 2 {
				w.check(b.ID, roles("Cook"))
			}
			err = w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				require.Len(t, in.Known, 2, "open and closed")
				require.Len(t, in.Subscribers, 2)
				require.EqualValues(t, account.PlanUltra, in.Subscribers[0].Plan)
				require.Equal(t, "Ours", in.Subscribers[1].CompanyName)
				require.Len(t, in.Webhooks, 1, "enabled, of a plan that has them")
				require.Equal(t, mine.ID, in.Webhooks[0].ID)
				require.Equal(t, mine.Events, in.Webhooks[0].Events)
				require.True(t, in.Now.After(in.Board.State.LastCheckedAt))
				return decide(in, roles("Cook"))
			})
			require.NoError(t, err)
		},
		"a check that cannot be saved completely leaves nothing": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			hook := w.webhook(a)
			w.check(b.ID, roles("Cook"))
			before, history := w.board(b.ID), w.history(b.ID)
			for name, spoil := range map[string]func(*boardwatch.CheckResult){
				"two roles under one key": func(r *boardwatch.CheckResult) {
					r.Change.Found[1].Key = r.Change.Found[0].Key
				},
				"a check id that is already used": func(r *boardwatch.CheckResult) { r.Check.ID = history[0].ID },
				"a delivery to nobody": func(r *boardwatch.CheckResult) {
					r.Deliveries[len(r.Deliveries)-1].WebhookID = boardwatch.NewID()
				},
			} {
				c := w.claim(b.ID)
				err := w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
					r := decide(in, roles("Cook", "Baker", "Smith"))
					spoil(&r)
					return r
				})
				require.Error(t, err, name)
				require.NotErrorIs(t, err, boardwatch.ErrLeaseLost, name)
				require.Equal(t, before, w.board(b.ID), name)
				require.Equal(t, history, w.history(b.ID), name)
				require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 1, name)
				require.Len(t, w.deliveriesOf(hook), 1, name)
				require.NoError(t, w.Release(t.Context(), c))
			}
			w.check(b.ID, roles("Cook", "Baker", "Smith"))
			require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 3)
		},
		"a panic of the decision saves nothing and breaks nothing": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			c := w.claim(b.ID)
			require.PanicsWithValue(t, "a bug", func() {
				_ = w.SaveCheck(t.Context(), c, func(boardwatch.CheckInput) boardwatch.CheckResult { panic("a bug") })
			})
			_, err := w.save(c, roles("Cook"))
			require.NoError(t, err)
		},
		"a decision that ends its goroutine blocks nobody": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			c := w.claim(b.ID)
			var ended sync.WaitGroup
			ended.Go(func() {
				_ = w.SaveCheck(t.Context(), c, func(boardwatch.CheckInput) boardwatch.CheckResult {
					runtime.Goexit()
					panic("unreachable")
				})
			})
			ended.Wait()
			_, err := w.save(c, roles("Cook"))
			require.NoError(t, err)
		},
		"checks that are saved together fail separately": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			const n = 30
			claims := w.claimAll(a, n)
			var group sync.WaitGroup
			errs := make([]error, n)
			for i, c := range claims {
				group.Go(func() {
					errs[i] = w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
						r := decide(in, roles("Cook", "Baker"))
						if i%3 == 0 {
							r.Change.Found[1].Key = r.Change.Found[0].Key
						}
						return r
					})
				})
			}
			group.Wait()
			for i, c := range claims {
				jobs := w.jobs(a, track.JobFilter{BoardID: c.Board.ID})
				if i%3 == 0 {
					require.Error(t, errs[i])
					require.Empty(t, jobs.Jobs)
					require.Empty(t, w.history(c.Board.ID))
				} else {
					require.NoError(t, errs[i])
					require.Len(t, jobs.Jobs, 2)
				}
			}
		},
		"a check whose caller has given up is not begun": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			c := w.claim(b.ID)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			err := w.SaveCheck(ctx, c, func(boardwatch.CheckInput) boardwatch.CheckResult { panic("decided") })
			require.ErrorIs(t, err, context.Canceled)
		},
		"a check that has begun is finished even if its caller gives up": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			ctx, cancel := context.WithCancel(t.Context())
			err := w.SaveCheck(ctx, w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				cancel()
				return decide(in, roles("Cook"))
			})
			require.NoError(t, err)
			require.Equal(t, 1, w.board(b.ID).OpenJobs)
		},
		"a large board is saved completely": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles(many(1500)...))
			require.EqualValues(t, 1500, w.jobs(a, track.JobFilter{}).Total)
			require.Len(t, w.known(b.ID), 1500)
		},
		"texts that a database might refuse are cleaned": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			err := w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				r := decide(in, roles("Cook"))
				r.Change.Found[0].Title = "Co\x00ok ? ?0 'quoted' \\ \xff"
				r.Check.Reason = "why\x00"
				return r
			})
			require.NoError(t, err)
			require.Equal(t, "Cook ? ?0 'quoted' \\ \uFFFD", w.jobs(a, track.JobFilter{}).Jobs[0].Title)
		},
	}
}

// known returns the input of the next decision about a board.
func (w *world) known(boardID string) (jobs []boardwatch.Job) {
	w.t.Helper()
	c := w.claim(boardID)
	defer func() {
		w.t.Helper()
		require.Equal(w.t, errLook, recover())
		require.NoError(w.t, w.Release(w.t.Context(), c))
	}()
	_ = w.SaveCheck(w.t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		jobs = in.Known
		panic(errLook)
	})
	return nil
}

const errLook = "only looked"

// claimAll tracks and claims n boards.
func (w *world) claimAll(a account.Account, n int) []boardwatch.Claim {
	w.t.Helper()
	for i := range n {
		w.track(a, fmt.Sprintf("company%d", i))
	}
	claims, err := w.ClaimDue(w.t.Context(), n, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(w.t, err)
	require.Len(w.t, claims, n)
	return claims
}
