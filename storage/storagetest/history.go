package storagetest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

// history lists all checks of a board.
func (w *world) history(boardID string) []boardwatch.Check {
	w.t.Helper()
	h, err := w.History(w.t.Context(), boardID, 100)
	require.NoError(w.t, err)
	return h
}

func historyCases() cases {
	return cases{
		"checks without changes share an entry with the check they repeat": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			first := w.check(b.ID, roles("Cook"))
			w.check(b.ID, roles("Cook"))
			require.NoError(t, w.saveUnchanged(t.Context(), w.claim(b.ID), "x", time.Now()))
			h := w.history(b.ID)
			require.Len(t, h, 1)
			require.Equal(t, first.Check.ID, h[0].ID)
			require.Equal(t, first.Check.At, h[0].At)
			require.Equal(t, 1, h[0].Found)
			require.Equal(t, 2, h[0].Repeats)
			require.Equal(t, w.board(b.ID).State.LastCheckedAt, h[0].LastAt)
			end := h[0].LastAt

			second := w.check(b.ID, roles("Cook", "Baker"))
			h = w.history(b.ID)
			require.Len(t, h, 2)
			require.Equal(t, second.Check, h[0])
			require.Equal(t, 2, h[1].Repeats)
			require.Equal(t, end, h[1].LastAt)
		},
		"a check that missed a role has an entry of its own": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			w.check(b.ID, roles("Cook", "Baker"))
			w.check(b.ID, roles("Cook", "Baker"))
			missed := w.check(b.ID, roles("Cook"))
			require.Equal(t, 1, missed.Check.Missed)
			h := w.history(b.ID)
			require.Len(t, h, 2)
			require.Equal(t, missed.Check, h[0])
			require.True(t, h[1].First)
			require.Equal(t, 1, h[1].Repeats)
		},
		"failures with the same cause are one entry, with another cause two": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			w.check(b.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			w.check(b.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			w.check(b.ID, boardwatch.Failed(cause.SignIn, "a login page"))
			h := w.history(b.ID)
			require.Len(t, h, 2)
			require.Equal(t, "a login page", h[0].Reason)
			require.Equal(t, boardwatch.HealthFailed, h[0].Health)
			require.Equal(t, 1, h[1].Repeats)
		},
		"the newest entries come first": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			for i := range 5 {
				w.check(b.ID, roles(many(i+1)...))
			}
			h, err := w.History(t.Context(), b.ID, 2)
			require.NoError(t, err)
			require.Len(t, h, 2)
			require.Equal(t, 5, h[0].OpenJobs)
			require.Equal(t, 4, h[1].OpenJobs)
			_, err = w.History(t.Context(), boardwatch.NewID(), 2)
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"old history is pruned, the newest entry and the last twenty deliveries stay": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			hook := w.webhook(a)
			for i := range 23 {
				w.check(b.ID, roles(many(i+1)...))
			}
			c := w.claimWebhooks(1)[0]
			w.deliver(c.WebhookClaim, c.due...)
			w.check(b.ID, roles(many(24)...))
			require.NoError(t, w.Prune(t.Context(), storage.Retention{}))
			require.Len(t, w.history(b.ID), 24, "kept for ever")
			w.passMoment()
			require.NoError(t, w.Prune(t.Context(), storage.Retention{Checks: time.Millisecond, Deliveries: time.Millisecond}))
			require.Len(t, w.history(b.ID), 1)
			log := w.deliveriesOf(hook)
			require.Len(t, log, 20)
			require.Equal(t, boardwatch.DeliveryPending, log[0].State)
			require.Len(t, w.due(c.WebhookClaim, nil), 1, "its payload stays as well")
			page := w.jobs(a, track.JobFilter{Limit: 1})
			require.EqualValues(t, 24, page.Total)
			require.Len(t, w.events(page.Jobs[0].ID), 1, "what happened to a role is kept as long as the role")
		},
		"an untracked board is pruned only if it was never read": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			ids := map[string]string{}
			for _, name := range []string{"never tried", "never read", "read", "tracked", "locked", "wished for"} {
				ids[name] = w.pending(a, "https://"+strings.ReplaceAll(name, " ", "")+".example/careers").ID
			}
			w.check(ids["never read"], boardwatch.Failed(cause.Timeout, "no answer"))
			w.check(ids["read"], roles())
			require.NoError(t, w.SetAccess(t.Context(), ids["wished for"], boardwatch.Access{Robots: boardwatch.RobotsIgnore}))
			for _, name := range []string{"never tried", "never read", "read", "wished for"} {
				require.NoError(t, w.Unsubscribe(t.Context(), a.ID, ids[name]))
			}
			free := w.account(account.PlanFree) // reads two
			w.pages(free, "northwind", 2)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, ids["locked"]))
			require.Equal(t, ids["locked"], w.pending(free, "https://locked.example/careers").ID)
			require.Zero(t, w.board(ids["locked"]).Cadence)
			require.NoError(t, w.Prune(t.Context(), storage.Retention{Unread: time.Hour}))
			w.board(ids["never tried"])
			w.passMoment()
			require.NoError(t, w.Prune(t.Context(), storage.Retention{Unread: time.Millisecond}))
			for name, gone := range map[string]bool{
				"never tried": true, "never read": true, "read": false, "tracked": false, "locked": false, "wished for": false,
			} {
				_, err := w.Board(t.Context(), ids[name])
				require.Equal(t, gone, boardwatch.CodeOf(err) == boardwatch.CodeNotFound && err != nil, name)
			}
			again := w.pending(a, "https://neverread.example/careers")
			require.NotEqual(t, ids["never read"], again.ID)
			w.claim(again.ID)
		},
		"a run of checks is as old as its last check, and a delivery as its last attempt": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			hook := w.webhook(a)
			for i := range 22 {
				w.check(b.ID, roles(many(i+1)...))
			}
			c := w.claimWebhooks(1)[0]
			w.deliver(c.WebhookClaim, c.due[1:]...)
			w.passMoment() // earlier steps must not share a stamp with what has to be kept
			before := w.clock()
			w.passUntil(before.Add(time.Second)) // pruning reads the clock itself, perhaps late
			_, held := w.attempt(c.WebhookClaim, false, once(), c.due[0])
			require.True(t, held)
			w.check(b.ID, roles(many(22)...))
			w.check(b.ID, roles(many(23)...))
			age := w.clock().Sub(before)
			require.NoError(t, w.Prune(t.Context(), storage.Retention{Checks: age, Deliveries: age}))
			h := w.history(b.ID)
			require.Len(t, h, 2, "the run that has just ended, and what ended it")
			require.Equal(t, 1, h[1].Repeats)
			log := w.deliveriesOf(hook)
			require.Len(t, log, 21, "the last twenty, and one that has only just died")
			require.Equal(t, c.due[0].ID, log[20].ID)
		},
	}
}

// passMoment waits until the store's clock has moved on by the most that polledAt may lag behind.
func (w *world) passMoment() {
	w.t.Helper()
	w.passUntil(w.clock().Add(21 * time.Millisecond))
}

// passUntil waits until the store's clock has reached a time.
func (w *world) passUntil(at time.Time) {
	w.t.Helper()
	var err error
	require.Eventually(w.t, func() bool {
		var now time.Time
		now, err = w.Now(w.t.Context())
		return err != nil || !now.Before(at)
	}, 10*time.Second, time.Millisecond)
	require.NoError(w.t, err)
}
