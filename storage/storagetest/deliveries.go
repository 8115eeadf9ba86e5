package storagetest

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// webhook adds a webhook for every event.
func (w *world) webhook(a account.Account) boardwatch.Webhook {
	w.t.Helper()
	now, err := w.Now(w.t.Context())
	require.NoError(w.t, err)
	hook := boardwatch.Webhook{
		ID: boardwatch.NewID(), AccountID: a.ID, URL: "https://receiver.example/hook", Events: boardwatch.EventTypes(),
		Secret: account.NewWebhookSecret(), CreatedAt: now,
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

// sending is a worker's claim on a webhook, and the deliveries due under it.
type sending struct {
	boardwatch.WebhookClaim

	due []boardwatch.Delivery
}

// claimWebhooks leases webhooks and reads what is due for each.
func (w *world) claimWebhooks(n int) []sending {
	w.t.Helper()
	claims, err := w.ClaimWebhooks(w.t.Context(), n, time.Minute)
	require.NoError(w.t, err)
	out := make([]sending, len(claims))
	for i, c := range claims {
		out[i] = sending{c, w.due(c, nil)}
	}
	return out
}

func (w *world) due(c boardwatch.WebhookClaim, skip map[string]bool) []boardwatch.Delivery {
	w.t.Helper()
	due, more, err := w.DueDeliveries(w.t.Context(), c.Webhook.ID, w.clock(), skip, 100, 1<<20)
	require.NoError(w.t, err)
	require.False(w.t, more)
	return due
}

func (w *world) clock() time.Time {
	w.t.Helper()
	now, err := w.Now(w.t.Context())
	require.NoError(w.t, err)
	return now
}

// outcome is the effect of attempts, one after the other, on deliveries and their webhook.
func (w *world) outcome(c boardwatch.WebhookClaim, ok bool, rules boardwatch.Rules, due ...boardwatch.Delivery) boardwatch.Attempts {
	w.t.Helper()
	receipt := boardwatch.Receipt{Code: 500, Error: "answered 500", Duration: 30 * time.Millisecond}
	if ok {
		receipt = boardwatch.Receipt{Code: 204, Duration: 20 * time.Millisecond}
	}
	out := boardwatch.Attempts{Claim: c, Webhook: c.Webhook}
	now := w.clock()
	for _, d := range due {
		d = d.After(receipt, rules, now)
		d.Body = nil
		out.Deliveries = append(out.Deliveries, d)
		out.Webhook = out.Webhook.After(d, rules, now)
	}
	return out
}

// attempt saves the outcomes of attempts, and reports whether the claim held.
func (w *world) attempt(c boardwatch.WebhookClaim, ok bool, rules boardwatch.Rules, due ...boardwatch.Delivery) (boardwatch.Attempts, bool) {
	w.t.Helper()
	o := w.outcome(c, ok, rules, due...)
	lost, err := w.SaveAttempts(w.t.Context(), []boardwatch.Attempts{o})
	require.NoError(w.t, err)
	return o, len(lost) == 0
}

// deliver saves that the deliveries were accepted.
func (w *world) deliver(c boardwatch.WebhookClaim, due ...boardwatch.Delivery) []boardwatch.Delivery {
	w.t.Helper()
	o, held := w.attempt(c, true, boardwatch.Rules{}, due...)
	require.True(w.t, held)
	return o.Deliveries
}

// once is a schedule without retries.
func once() boardwatch.Rules { return boardwatch.Rules{RetrySchedule: []time.Duration{}} }

// withoutMercy switches a webhook off at its first dead delivery.
func withoutMercy() boardwatch.Rules {
	return boardwatch.Rules{RetrySchedule: []time.Duration{}, DisableAfter: -1}
}

// owe creates due deliveries: one for each webhook of the account and each of n roles found in turn.
func (w *world) owe(a account.Account, token string, n int) boardwatch.Board {
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
	for _, c := range w.claimWebhooks(100) {
		w.attempt(c.WebhookClaim, c.Webhook.ID != hook.ID, withoutMercy(), c.due...)
		require.NoError(w.t, w.ReleaseWebhooks(w.t.Context(), []boardwatch.WebhookClaim{c.WebhookClaim}))
	}
	require.NoError(w.t, w.Unsubscribe(w.t.Context(), a.ID, w.boardOf(a, "greenhouse:switchoff")))
}

func (w *world) boardOf(a account.Account, source string) string {
	w.t.Helper()
	list, err := w.Tracked(w.t.Context(), a.ID, "")
	require.NoError(w.t, err)
	i := slices.IndexFunc(list, func(b track.TrackedBoard) bool { return b.Board.Source == source })
	require.GreaterOrEqual(w.t, i, 0)
	return list[i].Board.ID
}

func deliveryCases() cases {
	return cases{
		"webhooks are saved with their secret, up to the limit": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			var want []boardwatch.Webhook
			for range boardwatch.MaxWebhooks {
				want = append(want, w.webhook(a))
			}
			got, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.ElementsMatch(t, want, got)
			hasCode(t, boardwatch.CodeInvalidRequest, w.CreateWebhook(t.Context(),
				boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, Secret: "x"}, boardwatch.MaxWebhooks))
			hasCode(t, boardwatch.CodeNotFound, w.DeleteWebhook(t.Context(), w.account(account.PlanUltra).ID, want[0].ID))
			require.NoError(t, w.DeleteWebhook(t.Context(), a.ID, want[0].ID))
			hasCode(t, boardwatch.CodeNotFound, w.DeleteWebhook(t.Context(), a.ID, want[0].ID))
		},
		"only its owner can change a webhook, and pending deliveries go to the new address": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook, other := w.webhook(a), w.webhook(a)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A"))
			claims, err := w.ClaimWebhooks(t.Context(), 10, time.Minute)
			require.NoError(t, err)
			require.Len(t, claims, 2)
			hook.Name, hook.URL, hook.Secret = "Team chat", "https://other.example/hook", account.NewWebhookSecret()
			hook.Events = []boardwatch.EventType{boardwatch.EventJobFound}
			require.NoError(t, w.ChangeWebhook(t.Context(), hook))
			got, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.ElementsMatch(t, []boardwatch.Webhook{hook, other}, got)
			again, err := w.ClaimWebhooks(t.Context(), 10, time.Minute)
			require.NoError(t, err)
			require.Len(t, again, 1, "the claim has ended with the change")
			require.Equal(t, hook.URL, again[0].Webhook.URL)
			require.Equal(t, hook.Secret, again[0].Webhook.Secret)
			hook.AccountID = w.account(account.PlanUltra).ID
			hasCode(t, boardwatch.CodeNotFound, w.ChangeWebhook(t.Context(), hook))
		},
		"the log of a delivery has every attempt and resend": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			w.owe(a, "northwind", 1)
			c := w.claimWebhooks(10)[0]
			soon := boardwatch.Rules{RetrySchedule: []time.Duration{time.Millisecond}}
			o, held := w.attempt(c.WebhookClaim, false, soon, c.due...)
			require.True(t, held)
			asked := boardwatch.Receipt{Code: 502, Error: "answered 502: <\x00\n>", Duration: 7 * time.Millisecond, Signature: "t=1,v1=ab"}.Attempt(w.clock(), true)
			require.NoError(t, w.SaveResend(t.Context(), c.due[0].ID, asked))
			asked.Error = "answered 502: <\n>"
			last, held := w.attempt(c.WebhookClaim, true, soon, o.Deliveries...) // it does not know of the resend
			require.True(t, held)
			want := []boardwatch.Attempt{o.Deliveries[0].Log[0], asked, last.Deliveries[0].Log[1]}
			require.Equal(t, want, w.deliveriesOf(hook)[0].Log)
			d, _, err := w.StoredDelivery(t.Context(), c.due[0].ID)
			require.NoError(t, err)
			require.Equal(t, want, d.Log)
			require.NoError(t, w.SaveResend(t.Context(), "gone", asked))

			asked.Error = strings.Repeat("x", 70<<10)
			require.NoError(t, w.SaveResend(t.Context(), d.ID, asked))
			require.NoError(t, w.SaveResend(t.Context(), d.ID, asked))
			require.Len(t, w.deliveriesOf(hook)[0].Log, 4, "a full log gets no more")
		},
		"a webhook keeps the result of its last test": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook, other := w.webhook(a), w.webhook(a)
			require.NoError(t, w.SaveTest(t.Context(), hook.ID, boardwatch.Receipt{Code: 500, Error: "answered 500"}.Attempt(w.clock(), true)))
			hook.Tested = boardwatch.Receipt{Code: 200, Duration: time.Second}.Attempt(w.clock(), true)
			require.NoError(t, w.SaveTest(t.Context(), hook.ID, hook.Tested))
			got, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.ElementsMatch(t, []boardwatch.Webhook{hook, other}, got)
		},
		"only its owner switches a webhook on again, and is told when failures switch it off once more": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			w.switchOff(hook)
			w.tellOnce(w.notices(w.now())[0], w.now())
			hasCode(t, boardwatch.CodeNotFound, w.EnableWebhook(t.Context(), w.account(account.PlanUltra).ID, hook.ID))
			require.NoError(t, w.EnableWebhook(t.Context(), a.ID, hook.ID))
			got, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.Webhook{hook}, got)
			w.owe(a, "northwind", 1)
			c := w.claimWebhooks(10)[0]
			w.attempt(c.WebhookClaim, false, withoutMercy(), c.due...)
			require.Len(t, w.notices(w.now()), 1)
		},
		"a check's deliveries are due at once, with their bodies": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			b := w.owe(a, "northwind", 1)
			c := w.claimWebhooks(10)[0]
			require.Equal(t, hook, c.Webhook)
			require.Len(t, c.due, 1)
			d := c.due[0]
			require.Equal(t, b.ID, d.BoardID)
			require.Equal(t, boardwatch.EventJobFound, d.Type)
			require.Contains(t, string(d.Body), `{"id":"`+d.ID+`","type":"job.found"`)
			require.Empty(t, w.claimWebhooks(10), "somebody sends to it")
			require.Empty(t, w.due(c.WebhookClaim, map[string]bool{d.ID: true}))
			require.Equal(t, w.deliver(c.WebhookClaim, d), w.deliveriesOf(hook))
			require.Empty(t, w.due(c.WebhookClaim, nil))
			require.NoError(t, w.ReleaseWebhooks(t.Context(), []boardwatch.WebhookClaim{c.WebhookClaim}))
			require.Empty(t, w.claimWebhooks(10))
		},
		"due deliveries are read by number and size, the longest due first": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			w.owe(a, "northwind", 5)
			all := w.claimWebhooks(1)[0].due
			require.Len(t, all, 5)
			require.True(t, slices.IsSortedFunc(all, func(a, b boardwatch.Delivery) int { return a.NextAttemptAt.Compare(b.NextAttemptAt) }))
			read := func(skip map[string]bool, n, size int) ([]boardwatch.Delivery, bool) {
				due, more, err := w.DueDeliveries(t.Context(), hook.ID, w.clock(), skip, n, size)
				require.NoError(t, err)
				return due, more
			}
			some, more := read(nil, 2, 1<<20)
			require.True(t, more)
			require.Equal(t, all[:2], some)
			some, more = read(map[string]bool{all[0].ID: true, all[1].ID: true}, 3, 1<<20)
			require.False(t, more)
			require.Equal(t, all[2:], some)
			some, more = read(nil, 5, 1)
			require.True(t, more)
			require.Equal(t, all[:1], some, "one at least")
			some, _ = read(nil, 5, len(all[0].Body)+len(all[1].Body))
			require.Equal(t, all[:2], some)
			due, more, err := w.DueDeliveries(t.Context(), hook.ID, all[1].NextAttemptAt, nil, 5, 1<<20)
			require.NoError(t, err)
			require.False(t, more)
			require.Equal(t, all[:2], due, "what is due by then")
		},
		"a failed attempt waits, and the same body is due again": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			w.owe(a, "northwind", 1)
			c := w.claimWebhooks(10)[0]
			after, held := w.attempt(c.WebhookClaim, false, boardwatch.Rules{RetrySchedule: []time.Duration{time.Hour}}, c.due...)
			require.True(t, held)
			require.Empty(t, w.due(c.WebhookClaim, nil))
			log := w.deliveriesOf(hook)
			require.Equal(t, after.Deliveries, log)
			require.Equal(t, boardwatch.DeliveryPending, log[0].State)
			require.Equal(t, 500, log[0].ResponseCode)
			require.Equal(t, "answered 500", log[0].Error)
			require.Equal(t, 30*time.Millisecond, log[0].Duration)
			again, _, err := w.DueDeliveries(t.Context(), hook.ID, w.clock().Add(2*time.Hour), nil, 10, 1<<20)
			require.NoError(t, err)
			require.Equal(t, c.due[0].Body, again[0].Body)
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, log[0].LastAttemptAt, hooks[0].FailingSince)
		},
		"many outcomes for many webhooks are saved together": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hooks := []boardwatch.Webhook{w.webhook(a), w.webhook(a), w.webhook(a)}
			w.owe(a, "northwind", 30)
			var outcomes []boardwatch.Attempts
			for _, c := range w.claimWebhooks(10) {
				require.Len(t, c.due, 30)
				outcomes = append(outcomes, w.outcome(c.WebhookClaim, c.Webhook.ID == hooks[0].ID, once(), c.due...))
			}
			require.Len(t, outcomes, 3)
			lost, err := w.SaveAttempts(t.Context(), outcomes)
			require.NoError(t, err)
			require.Empty(t, lost)
			for _, o := range outcomes {
				require.ElementsMatch(t, o.Deliveries, w.deliveriesOf(o.Webhook))
			}
		},
		"outcomes under a lost claim are not saved": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook, other := w.webhook(a), w.webhook(a)
			w.owe(a, "northwind", 1)
			late, err := w.ClaimWebhooks(t.Context(), 2, time.Nanosecond)
			require.NoError(t, err)
			require.Len(t, late, 2)
			due := map[string][]boardwatch.Delivery{}
			for _, c := range late {
				due[c.Webhook.ID] = w.due(c, nil)
			}
			var again []sending
			require.Eventually(t, func() bool {
				again = append(again, w.claimWebhooks(1)...)
				return len(again) == 1
			}, 10*time.Second, time.Millisecond)
			var outcomes []boardwatch.Attempts
			for _, c := range late {
				outcomes = append(outcomes, w.outcome(c, true, boardwatch.Rules{}, due[c.Webhook.ID]...))
			}
			lost, err := w.SaveAttempts(t.Context(), outcomes)
			require.NoError(t, err)
			require.Len(t, lost, 1)
			require.Equal(t, again[0].Webhook.ID, lost[0].Webhook.ID)
			for _, h := range []boardwatch.Webhook{hook, other} {
				want := boardwatch.DeliveryDelivered
				if h.ID == lost[0].Webhook.ID {
					want = boardwatch.DeliveryPending
				}
				require.Equal(t, want, w.deliveriesOf(h)[0].State)
			}
			w.deliver(again[0].WebhookClaim, again[0].due...)
			require.NoError(t, w.DeleteWebhook(t.Context(), a.ID, again[0].Webhook.ID))
			_, held := w.attempt(again[0].WebhookClaim, true, boardwatch.Rules{}, again[0].due...)
			require.False(t, held, "the webhook is deleted")
		},
		"a lease can be extended as long as it is valid": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			w.owe(a, "northwind", 1)
			first, err := w.ClaimWebhooks(t.Context(), 1, time.Nanosecond)
			require.NoError(t, err)
			held, err := w.RenewWebhooks(t.Context(), first, time.Hour)
			require.NoError(t, err)
			require.Len(t, held, 1)
			require.Equal(t, hook, held[0].Webhook)
			require.Equal(t, first[0].Token, held[0].Token)
			require.False(t, held[0].At.Before(first[0].At))
			require.Empty(t, w.claimWebhooks(1))
			require.NoError(t, w.ReleaseWebhooks(t.Context(), held))
			require.NoError(t, w.ReleaseWebhooks(t.Context(), held), "twice is as good as once")
			next := w.claimWebhooks(1)
			require.Len(t, next, 1, "released")
			held, err = w.RenewWebhooks(t.Context(), first, time.Hour)
			require.NoError(t, err)
			require.Empty(t, held)
			require.NoError(t, w.ReleaseWebhooks(t.Context(), first))
			held, err = w.RenewWebhooks(t.Context(), []boardwatch.WebhookClaim{next[0].WebhookClaim}, time.Hour)
			require.NoError(t, err)
			require.Len(t, held, 1, "an old claim releases nothing")
		},
		"webhooks take turns": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			for range 3 {
				w.webhook(a)
			}
			w.owe(a, "northwind", 2)
			var order []string
			for range 6 {
				c := w.claimWebhooks(1)
				require.Len(t, c, 1)
				order = append(order, c[0].Webhook.ID)
				require.NoError(t, w.ReleaseWebhooks(t.Context(), []boardwatch.WebhookClaim{c[0].WebhookClaim}))
				w.passMoment()
			}
			require.ElementsMatch(t, order[:3], order[3:])
			require.Len(t, slices.Compact(slices.Sorted(slices.Values(order))), 3)
		},
		"every webhook is claimed by one of many workers": func(t *testing.T, w *world) {
			var hooks []boardwatch.Webhook
			for i := range 4 {
				a := w.account(account.PlanUltra)
				hooks = append(hooks, w.webhook(a))
				w.owe(a, "northwind"+string(rune('a'+i)), 15)
			}
			var mu sync.Mutex
			busy := map[string]bool{}
			count := 0
			var group sync.WaitGroup
			for range 6 {
				group.Go(func() {
					for range 40 {
						for _, c := range w.claimWebhooks(2) {
							mu.Lock()
							if busy[c.Webhook.ID] {
								t.Errorf("two workers at %s", c.Webhook.ID)
							}
							busy[c.Webhook.ID] = true
							mu.Unlock()
							some := c.due[:min(3, len(c.due))]
							w.deliver(c.WebhookClaim, some...)
							mu.Lock()
							busy[c.Webhook.ID] = false
							count += len(some)
							mu.Unlock()
							if err := w.ReleaseWebhooks(t.Context(), []boardwatch.WebhookClaim{c.WebhookClaim}); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			group.Wait()
			require.Equal(t, 4*15, count)
			for _, h := range hooks {
				for _, d := range w.deliveriesOf(h) {
					require.Equal(t, boardwatch.DeliveryDelivered, d.State)
					require.Equal(t, 1, d.Attempts)
				}
			}
		},
		"a webhook that is switched off gets nothing more": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			b := w.owe(a, "northwind", 3)
			c := w.claimWebhooks(2)[0]
			_, held := w.attempt(c.WebhookClaim, false, withoutMercy(), c.due[0])
			require.True(t, held)
			log := w.deliveriesOf(hook)
			require.Len(t, log, 3)
			for _, d := range log {
				require.Equal(t, boardwatch.DeliveryDead, d.State)
				require.NotEmpty(t, d.Error)
				require.True(t, d.NextAttemptAt.IsZero())
			}
			w.deliver(c.WebhookClaim, c.due[1]) // was under way
			require.Equal(t, boardwatch.DeliveryDelivered, w.deliveriesOf(hook)[1].State, "what happened is what is shown")
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.False(t, hooks[0].DisabledAt.IsZero())
			require.NotEmpty(t, hooks[0].DisabledReason)
			w.check(b.ID, roles(many(9)...))
			require.Len(t, w.deliveriesOf(hook), 3)
		},
		"deliveries added while the webhook is switched off do not wait for ever": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			b := w.owe(a, "northwind", 1)
			c := w.claimWebhooks(1)[0]
			w.attempt(c.WebhookClaim, false, withoutMercy(), c.due...)
			require.NoError(t, w.ReleaseWebhooks(t.Context(), []boardwatch.WebhookClaim{c.WebhookClaim}))
			// A check that read the webhooks before the switch and commits after it.
			err := w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				result := decide(in, roles(many(2)...))
				require.Empty(t, result.Deliveries)
				p := boardwatch.JobsPayload(boardwatch.NewID(), boardwatch.EventJobFound, in.Board, "", nil, in.Now)
				result.Payloads = []boardwatch.Payload{p}
				result.Deliveries = []boardwatch.Delivery{{
					ID: boardwatch.NewID(), WebhookID: hook.ID, BoardID: b.ID, PayloadID: p.ID, Type: p.Type,
					State: boardwatch.DeliveryPending, CreatedAt: in.Now, NextAttemptAt: in.Now,
				}}
				return result
			})
			require.NoError(t, err)
			require.Empty(t, w.claimWebhooks(10))
			log := w.deliveriesOf(hook)
			require.Len(t, log, 2)
			for _, d := range log {
				require.Equal(t, boardwatch.DeliveryDead, d.State)
			}
			require.Contains(t, log[0].Error, "every delivery has failed since")
		},
		"deliveries pending for a deleted webhook are dropped": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook, kept := w.webhook(a), w.webhook(a)
			w.owe(a, "northwind", 2)
			require.NoError(t, w.DeleteWebhook(t.Context(), a.ID, hook.ID))
			require.Empty(t, w.deliveriesOf(hook))
			claims := w.claimWebhooks(10)
			require.Len(t, claims, 1)
			require.Equal(t, kept.ID, claims[0].Webhook.ID)
			require.Len(t, claims[0].due, 2)
		},
		"a pending delivery is sent even if its board has left the list and the plan has changed": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			w.webhook(a)
			b := w.owe(a, "northwind", 1)
			require.NoError(t, w.SetPlan(t.Context(), a.ID, account.PlanFree))
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, b.ID))
			require.Len(t, w.claimWebhooks(10)[0].due, 1)
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Len(t, hooks, 1, "the registration stays")
		},
		"stored deliveries are found and read again": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook, other := w.webhook(a), w.webhook(a)
			w.owe(a, "northwind", 3)
			var died boardwatch.Delivery
			for _, c := range w.claimWebhooks(10) {
				if c.Webhook.ID == hook.ID {
					died = c.due[1]
					w.attempt(c.WebhookClaim, false, once(), died)
				}
			}
			find := func(f boardwatch.DeliveryFilter) []string {
				ids, err := w.FindDeliveries(t.Context(), f)
				require.NoError(t, err)
				return ids
			}
			require.Len(t, find(boardwatch.DeliveryFilter{}), 6)
			require.Len(t, find(boardwatch.DeliveryFilter{WebhookID: other.ID}), 3)
			require.Equal(t, []string{died.ID}, find(boardwatch.DeliveryFilter{WebhookID: hook.ID, State: boardwatch.DeliveryDead}))
			require.Len(t, find(boardwatch.DeliveryFilter{WebhookID: hook.ID, Since: died.CreatedAt}), 2)
			require.Empty(t, find(boardwatch.DeliveryFilter{WebhookID: other.ID, State: boardwatch.DeliveryDead}))
			d, h, err := w.StoredDelivery(t.Context(), died.ID)
			require.NoError(t, err)
			require.Equal(t, died.Body, d.Body)
			require.Equal(t, boardwatch.DeliveryDead, d.State)
			require.Equal(t, hook.Secret, h.Secret)
			_, _, err = w.StoredDelivery(t.Context(), boardwatch.NewID())
			hasCode(t, boardwatch.CodeNotFound, err)
		},
	}
}
