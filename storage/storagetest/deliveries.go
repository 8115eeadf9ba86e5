package storagetest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// webhook adds a webhook that takes every event.
func (w *world) webhook(a boardwatch.Account) boardwatch.Webhook {
	w.t.Helper()
	now, err := w.Now(w.t.Context())
	require.NoError(w.t, err)
	hook := boardwatch.Webhook{
		ID: boardwatch.NewID(), AccountID: a.ID, URL: "https://receiver.example/hook", Events: boardwatch.EventTypes(),
		Secret: boardwatch.NewWebhookSecret(), CreatedAt: now,
	}
	require.NoError(w.t, w.CreateWebhook(w.t.Context(), hook, boardwatch.MaxWebhooks))
	return hook
}

func (w *world) deliveriesOf(hook boardwatch.Webhook) []boardwatch.Delivery {
	w.t.Helper()
	list, err := w.DeliveriesOf(w.t.Context(), hook.ID, 100)
	require.NoError(w.t, err)
	return list
}

func (w *world) claimDeliveries(n, perWebhook int) []boardwatch.DeliveryClaim {
	w.t.Helper()
	claims, err := w.ClaimDeliveries(w.t.Context(), n, perWebhook, time.Minute)
	require.NoError(w.t, err)
	return claims
}

// deliver saves the outcome of a claimed attempt. One that fails is dead at once.
func (w *world) deliver(c boardwatch.DeliveryClaim, ok bool) boardwatch.Delivery {
	w.t.Helper()
	after, err := w.attempt(c, ok, boardwatch.Rules{RetrySchedule: []time.Duration{}})
	require.NoError(w.t, err)
	return after
}

func (w *world) attempt(c boardwatch.DeliveryClaim, ok bool, rules boardwatch.Rules) (boardwatch.Delivery, error) {
	w.t.Helper()
	receipt := boardwatch.Receipt{Code: 500, Error: "answered 500", Duration: 30 * time.Millisecond}
	if ok {
		receipt = boardwatch.Receipt{Code: 204, Duration: 20 * time.Millisecond}
	}
	now, err := w.Now(w.t.Context())
	require.NoError(w.t, err)
	after := c.Delivery.After(receipt, rules, now)
	return after, w.SaveAttempt(w.t.Context(), c, after, c.Webhook.After(after, rules, now))
}

// owe makes deliveries that are due: one for each webhook of the account and each of n roles found in turn.
func (w *world) owe(a boardwatch.Account, token string, n int) boardwatch.Board {
	w.t.Helper()
	b := w.track(a, token).Board
	for i := range n {
		w.check(b.ID, roles(many(i+1)...))
	}
	return b
}

// switchOff lets a webhook fail until it is off.
func (w *world) switchOff(hook boardwatch.Webhook) {
	w.t.Helper()
	a, err := w.Account(w.t.Context(), hook.AccountID)
	require.NoError(w.t, err)
	w.owe(a, "switchoff", 1)
	for _, c := range w.claimDeliveries(100, 100) {
		if c.Webhook.ID != hook.ID {
			w.deliver(c, true)
			continue
		}
		_, err := w.attempt(c, false, boardwatch.Rules{RetrySchedule: []time.Duration{}, DisableAfter: -1})
		require.NoError(w.t, err)
	}
	require.NoError(w.t, w.Unsubscribe(w.t.Context(), a.ID, w.boardOf(a, "greenhouse:switchoff")))
}

func (w *world) boardOf(a boardwatch.Account, source string) string {
	w.t.Helper()
	list, err := w.Tracked(w.t.Context(), a.ID, "")
	require.NoError(w.t, err)
	i := slices.IndexFunc(list, func(b boardwatch.TrackedBoard) bool { return b.Board.Source == source })
	require.GreaterOrEqual(w.t, i, 0)
	return list[i].Board.ID
}

func deliveryCases() cases {
	return cases{
		"webhooks are kept with their secret, at most so many": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			var want []boardwatch.Webhook
			for range boardwatch.MaxWebhooks {
				want = append(want, w.webhook(a))
			}
			got, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.ElementsMatch(t, want, got)
			hasCode(t, boardwatch.CodeInvalidRequest, w.CreateWebhook(t.Context(),
				boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, Secret: "x"}, boardwatch.MaxWebhooks))
			hasCode(t, boardwatch.CodeNotFound, w.DeleteWebhook(t.Context(), w.account(boardwatch.PlanUltra).ID, want[0].ID))
			require.NoError(t, w.DeleteWebhook(t.Context(), a.ID, want[0].ID))
			hasCode(t, boardwatch.CodeNotFound, w.DeleteWebhook(t.Context(), a.ID, want[0].ID))
		},
		"what a check owes is due at once, with its body": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			hook := w.webhook(a)
			b := w.owe(a, "northwind", 1)
			claims := w.claimDeliveries(10, 4)
			require.Len(t, claims, 1)
			c := claims[0]
			require.Equal(t, hook, c.Webhook)
			require.Equal(t, b.ID, c.Delivery.BoardID)
			require.Equal(t, boardwatch.EventJobFound, c.Delivery.Type)
			require.Contains(t, string(c.Delivery.Body), `{"id":"`+c.Delivery.ID+`","type":"job.found"`)
			require.Empty(t, w.claimDeliveries(10, 4), "under way")
			after := w.deliver(c, true)
			after.Body = nil
			require.Equal(t, []boardwatch.Delivery{after}, w.deliveriesOf(hook))
			require.Empty(t, w.claimDeliveries(10, 4))
		},
		"a failed attempt waits, and the same body is due again": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			hook := w.webhook(a)
			w.owe(a, "northwind", 1)
			c := w.claimDeliveries(10, 4)[0]
			_, err := w.attempt(c, false, boardwatch.Rules{RetrySchedule: []time.Duration{time.Hour}})
			require.NoError(t, err)
			require.Empty(t, w.claimDeliveries(10, 4))
			log := w.deliveriesOf(hook)
			require.Equal(t, boardwatch.DeliveryPending, log[0].State)
			require.Equal(t, 500, log[0].ResponseCode)
			require.Equal(t, "answered 500", log[0].Error)
			require.Equal(t, 30*time.Millisecond, log[0].Duration)
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, log[0].LastAttemptAt, hooks[0].FailingSince)
		},
		"an attempt that no longer holds its claim records nothing": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			hook := w.webhook(a)
			w.owe(a, "northwind", 1)
			late, err := w.ClaimDeliveries(t.Context(), 1, 1, time.Nanosecond)
			require.NoError(t, err)
			require.Len(t, late, 1)
			var again []boardwatch.DeliveryClaim
			require.Eventually(t, func() bool {
				again = w.claimDeliveries(1, 1)
				return len(again) == 1
			}, 10*time.Second, time.Millisecond)
			require.Equal(t, late[0].Delivery.Body, again[0].Delivery.Body)
			_, err = w.attempt(late[0], true, boardwatch.Rules{})
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
			require.Equal(t, boardwatch.DeliveryPending, w.deliveriesOf(hook)[0].State)
			w.deliver(again[0], true)
			_, err = w.attempt(again[0], true, boardwatch.Rules{})
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
			require.NoError(t, w.DeleteWebhook(t.Context(), a.ID, hook.ID))
			_, err = w.attempt(again[0], true, boardwatch.Rules{})
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
		},
		"webhooks take turns, each with so many under way": func(t *testing.T, w *world) {
			busy, quiet := w.account(boardwatch.PlanUltra), w.account(boardwatch.PlanUltra)
			first := w.webhook(busy)
			w.owe(busy, "busy", 12)
			second := w.webhook(quiet)
			w.owe(quiet, "quiet", 2)
			claims := w.claimDeliveries(4, 3)
			require.Equal(t, []string{first.ID, second.ID, first.ID, second.ID}, hooksOf(claims))
			claims = append(claims, w.claimDeliveries(10, 3)...)
			require.Len(t, claims, 5, "one more of the busy one")
			require.Empty(t, w.claimDeliveries(10, 3))
			w.deliver(claims[0], true)
			require.Equal(t, []string{first.ID}, hooksOf(w.claimDeliveries(10, 3)))
		},
		"every delivery is claimed once by many workers": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			for range 3 {
				w.webhook(a)
			}
			w.owe(a, "northwind", 20)
			var mu sync.Mutex
			count := map[string]int{}
			underWay := map[string]int{}
			var group sync.WaitGroup
			for range 6 {
				group.Go(func() {
					for range 40 {
						for _, c := range w.claimDeliveries(3, 2) {
							mu.Lock()
							count[c.Delivery.ID]++
							underWay[c.Webhook.ID]++
							if underWay[c.Webhook.ID] > 2 {
								t.Errorf("%d under way", underWay[c.Webhook.ID])
							}
							mu.Unlock()
							mu.Lock()
							underWay[c.Webhook.ID]--
							mu.Unlock()
							w.deliver(c, true)
						}
					}
				})
			}
			group.Wait()
			for len(count) < 60 {
				rest := w.claimDeliveries(10, 2)
				require.NotEmpty(t, rest)
				for _, c := range rest {
					count[c.Delivery.ID]++
					w.deliver(c, true)
				}
			}
			for id, n := range count {
				require.Equal(t, 1, n, id)
			}
		},
		"a webhook that is switched off gets nothing more": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			hook := w.webhook(a)
			b := w.owe(a, "northwind", 3)
			claims := w.claimDeliveries(2, 2)
			_, err := w.attempt(claims[0], false, boardwatch.Rules{RetrySchedule: []time.Duration{}, DisableAfter: -1})
			require.NoError(t, err)
			log := w.deliveriesOf(hook)
			require.Len(t, log, 3)
			for _, d := range log {
				require.Equal(t, boardwatch.DeliveryDead, d.State)
				require.NotEmpty(t, d.Error)
				require.True(t, d.NextAttemptAt.IsZero())
			}
			_, err = w.attempt(claims[1], true, boardwatch.Rules{})
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.False(t, hooks[0].DisabledAt.IsZero())
			require.NotEmpty(t, hooks[0].DisabledReason)
			w.check(b.ID, roles(many(9)...))
			require.Len(t, w.deliveriesOf(hook), 3)
		},
		"a success while others fail begins the failures anew": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			w.webhook(a)
			w.owe(a, "northwind", 4)
			w.deliver(w.claimDeliveries(1, 1)[0], false) // failing since now
			claims := w.claimDeliveries(2, 2)            // and so both of these see it
			w.deliver(claims[0], true)
			after, err := w.attempt(claims[1], false, boardwatch.Rules{RetrySchedule: []time.Duration{}, DisableAfter: time.Nanosecond})
			require.NoError(t, err)
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.True(t, hooks[0].DisabledAt.IsZero(), "judged on what was true before the success")
			require.Equal(t, after.LastAttemptAt, hooks[0].FailingSince)
		},
		"what waits for a deleted webhook is dropped": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			hook, kept := w.webhook(a), w.webhook(a)
			w.owe(a, "northwind", 2)
			require.NoError(t, w.DeleteWebhook(t.Context(), a.ID, hook.ID))
			require.Empty(t, w.deliveriesOf(hook))
			require.Equal(t, []string{kept.ID, kept.ID}, hooksOf(w.claimDeliveries(10, 10)))
		},
		"what was owed is delivered though its ground is gone": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			w.webhook(a)
			b := w.owe(a, "northwind", 1)
			require.NoError(t, w.SetPlan(t.Context(), a.ID, boardwatch.PlanFree))
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, b.ID))
			require.Len(t, w.claimDeliveries(10, 10), 1)
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Len(t, hooks, 1, "the registration stays")
		},
	}
}

func hooksOf(claims []boardwatch.DeliveryClaim) []string {
	ids := make([]string, len(claims))
	for i, c := range claims {
		ids[i] = c.Webhook.ID
	}
	return ids
}
