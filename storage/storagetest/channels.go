package storagetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

// channel saves a channel of an account with the notifications given by the form.
func (w *world) channel(a account.Account, form boardwatch.Channel) boardwatch.Channel {
	w.t.Helper()
	form.ID, form.AccountID, form.CreatedAt = boardwatch.NewID(), a.ID, w.now()
	if form.Kind == "" {
		form.Kind, form.To = account.ChannelNtfy, "https://ntfy.example/"+form.ID
	}
	c, err := account.CleanChannel(form)
	require.NoError(w.t, err)
	require.NoError(w.t, w.CreateChannel(w.t.Context(), c, account.MaxChannels))
	return c
}

// told returns the messages pending for a channel, oldest first.
func (w *world) told(c boardwatch.Channel) (out []boardwatch.Message) {
	w.t.Helper()
	list, err := w.DeliveriesOf(w.t.Context(), c.ID, 100)
	require.NoError(w.t, err)
	for i := range list {
		d, place, err := w.StoredDelivery(w.t.Context(), list[len(list)-1-i].ID)
		require.NoError(w.t, err)
		require.Equal(w.t, c.Place().Secret, place.Secret)
		require.Equal(w.t, c.Kind, place.Channel)
		var m boardwatch.Message
		require.NoError(w.t, json.Unmarshal(d.Body, &m))
		require.Equal(w.t, d.ID, m.ID)
		out = append(out, m)
	}
	return out
}

// happenings returns the kinds and titles of a message's events.
func happenings(m boardwatch.Message) (out []string) {
	for _, r := range m.Roles {
		out = append(out, string(r.Kind)+" "+r.Title)
	}
	return out
}

func channelCases() cases {
	return cases{
		"a channel comes back as it was saved, to its account only": func(t *testing.T, w *world) {
			s := w.Store
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			q := w.search(a, "Data", boardwatch.Criteria{Text: "data"})
			first := w.channel(a, boardwatch.Channel{Searches: []string{q.ID}, Failures: true})
			w.passUntil(first.CreatedAt.Add(time.Millisecond))
			second := w.channel(a, boardwatch.Channel{All: true})
			list, err := s.Channels(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.Channel{first, second}, list, "oldest first")
			list, err = s.Channels(t.Context(), other.ID)
			require.NoError(t, err)
			require.Empty(t, list)
			hooks, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, hooks, "a channel is no webhook")
			hasCode(t, boardwatch.CodeNotFound, w.DeleteWebhook(t.Context(), a.ID, first.ID))
			hasCode(t, boardwatch.CodeNotFound, w.ChangeWebhook(t.Context(), first.Place()))
			hasCode(t, boardwatch.CodeNotFound, s.DeleteChannel(t.Context(), other.ID, first.ID))
			hasCode(t, boardwatch.CodeNotFound, s.DeleteChannel(t.Context(), a.ID, w.webhook(a).ID))
			require.NoError(t, w.DeleteSearch(t.Context(), a.ID, q.ID))
			list, err = s.Channels(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, list[0].Searches, "a search that is gone is in no list")
			require.NoError(t, s.DeleteChannel(t.Context(), a.ID, first.ID))
			hasCode(t, boardwatch.CodeNotFound, s.DeleteChannel(t.Context(), a.ID, first.ID))
		},
		"a channel tells of searches for words, in new texts and in stored ones": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			soup := w.search(a, "Soup", boardwatch.Criteria{Words: "SOUP creme"})
			w.search(a, "Nothing", boardwatch.Criteria{Words: "!?"})
			c := w.channel(a, boardwatch.Channel{Searches: []string{soup.ID}})
			cook := boardwatch.Posting{Key: "1", Title: "Cook", Text: "Soups and crème.", Location: "Porto"}
			second, baker := cook, boardwatch.Posting{Key: "3", Title: "Baker", Text: "Bread."}
			second.Key, second.Location = "2", "Faro"
			read := func(list ...boardwatch.Posting) {
				w.check(b.ID, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: list}.Normalize())
			}
			read(baker)
			read(baker, cook, second)
			cook.Text, second.Text = "", ""
			cook.Department = "Kitchen"
			read(baker, cook, second) // the stored text has the words
			cook.Text = "Stew."
			read(baker, cook, second)
			baker.Text = "Bread, soup, creme."
			read(baker, cook, second)
			read(baker, cook)
			read(baker, cook)
			var all [][]string
			for _, m := range w.told(c) {
				all = append(all, happenings(m))
				require.Zero(t, m.More)
			}
			require.Equal(t, [][]string{{"found Cook"}, {"updated Cook"}, {"updated Baker"}, {"closed Cook"}}, all)
			require.Equal(t, "in 2 places: Faro; Porto", w.told(c)[0].Roles[0].Location)
			require.Equal(t, 1, w.told(c)[0].Roles[0].Others)
		},
		"an account has at most its limit of channels, and only for searches of its own": func(t *testing.T, w *world) {
			s := w.Store
			a, other := w.account(account.PlanUltra), w.account(account.PlanFree)
			w.webhook(a)
			theirs := w.search(other, "Theirs", boardwatch.Criteria{})
			make1 := func(searches ...string) error {
				c := boardwatch.Channel{ID: boardwatch.NewID(), AccountID: a.ID, Kind: account.ChannelNtfy, To: "https://ntfy.example/x", Searches: searches}
				return s.CreateChannel(t.Context(), c, 2)
			}
			hasCode(t, boardwatch.CodeInvalidRequest, make1(theirs.ID))
			require.NoError(t, make1())
			require.NoError(t, make1(), "webhooks do not count")
			hasCode(t, boardwatch.CodeInvalidRequest, make1())
			w.webhook(a) // channels do not count as webhooks
		},
		"the owner of a channel changes its name, its address and what it tells": func(t *testing.T, w *world) {
			s := w.Store
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			own, theirs := w.search(a, "Data", boardwatch.Criteria{Text: "data"}), w.search(other, "Theirs", boardwatch.Criteria{})
			board := w.track(a, "northwind").Board
			c := w.channel(a, boardwatch.Channel{All: true})
			w.check(board.ID, roles("Pilot"))
			w.check(board.ID, roles("Pilot", "Cook"))
			sent := w.claimWebhooks(10)[0]
			failed := sent.due[0].After(boardwatch.Receipt{Error: "no answer"}, boardwatch.Rules{}, w.clock())
			_, err := w.SaveAttempts(t.Context(), []boardwatch.Attempts{{
				Claim: sent.WebhookClaim, Deliveries: []boardwatch.Delivery{failed}, Webhook: sent.Webhook.After(failed, boardwatch.Rules{}, w.clock()),
			}})
			require.NoError(t, err)
			change := func(form boardwatch.Channel) error {
				form, err := account.CleanChannel(form)
				require.NoError(t, err)
				return s.ChangeChannel(t.Context(), form)
			}
			held := func() bool {
				claims, err := w.RenewWebhooks(t.Context(), []boardwatch.WebhookClaim{sent.WebhookClaim}, time.Minute)
				require.NoError(t, err)
				return len(claims) == 1
			}
			now := func() boardwatch.Channel {
				list, err := s.Channels(t.Context(), a.ID)
				require.NoError(t, err)
				require.Len(t, list, 1)
				return list[0]
			}
			form := now()
			require.Equal(t, boardwatch.ChannelFailing, form.State())
			form.Name, form.All, form.Searches, form.Failures = "Team", false, []string{own.ID}, true
			require.NoError(t, change(form))
			require.Equal(t, form, now())
			require.True(t, held(), "whoever sends to it goes on")

			form.To = "https://push.example/elsewhere"
			require.NoError(t, change(form))
			moved := now()
			require.Equal(t, "https://push.example/elsewhere", moved.To)
			require.Equal(t, "https://push.example/…", moved.Shown)
			require.Equal(t, boardwatch.ChannelOn, moved.State(), "nothing has failed there")
			require.False(t, held(), "nothing more goes to the old address")

			stranger, foreign, hook := form, form, form
			stranger.AccountID, stranger.Searches = other.ID, nil
			foreign.Searches = []string{theirs.ID}
			hook.ID = w.webhook(a).ID
			hasCode(t, boardwatch.CodeNotFound, change(stranger))
			hasCode(t, boardwatch.CodeInvalidRequest, change(foreign))
			hasCode(t, boardwatch.CodeNotFound, change(hook))
			require.Equal(t, moved, now())
			require.Equal(t, c.CreatedAt, now().CreatedAt)
		},
		"the owner of a channel switches it off and on": func(t *testing.T, w *world) {
			s := w.Store
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			board := w.track(a, "northwind").Board
			c := w.channel(a, boardwatch.Channel{All: true})
			w.check(board.ID, roles("Pilot"))
			w.check(board.ID, roles("Pilot", "Cook"))
			sent := w.claimWebhooks(10)[0]
			stranger := c.Switched(false, w.now())
			stranger.AccountID = other.ID
			hasCode(t, boardwatch.CodeNotFound, s.SwitchChannel(t.Context(), stranger))

			off := c.Switched(false, w.now())
			require.NoError(t, s.SwitchChannel(t.Context(), off))
			list, err := s.Channels(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.Channel{off}, list)
			waited, err := w.DeliveriesOf(t.Context(), c.ID, 10)
			require.NoError(t, err)
			require.Equal(t, boardwatch.DeliveryDead, waited[0].State)
			require.Equal(t, off.DisabledReason, waited[0].Error)
			lost, err := w.SaveAttempts(t.Context(), []boardwatch.Attempts{{Claim: sent.WebhookClaim, Webhook: sent.Webhook}})
			require.NoError(t, err)
			require.Len(t, lost, 1, "whoever sent to it has lost it")
			w.check(board.ID, roles("Pilot", "Cook", "Nurse"))
			require.Len(t, w.told(c), 1, "what happens meanwhile is not told")

			require.NoError(t, s.SwitchChannel(t.Context(), off.Switched(true, w.now())))
			list, err = s.Channels(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.Channel{c}, list)
			w.check(board.ID, roles("Pilot", "Cook", "Nurse", "Baker"))
			messages := w.told(c)
			require.Len(t, messages, 2)
			require.Equal(t, []string{"found Baker"}, happenings(messages[1]))
		},
		"an email channel follows its account to a new address": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			mail := w.channel(a, boardwatch.Channel{Kind: boardwatch.ChannelEmail, To: a.Email, All: true})
			chat := w.channel(a, boardwatch.Channel{All: true})
			theirs := w.channel(other, boardwatch.Channel{Kind: boardwatch.ChannelEmail, To: other.Email, All: true})
			_, err := w.redeem(w.link(account.LinkMove, account.Account{ID: a.ID, Email: "moved@contoso.example"}), account.Outcome{Move: true})
			require.NoError(t, err)
			mail.To, mail.Shown = "moved@contoso.example", "m…@contoso.example"
			list, err := w.Channels(t.Context(), a.ID)
			require.NoError(t, err)
			require.ElementsMatch(t, []boardwatch.Channel{mail, chat}, list) // made in one millisecond, perhaps
			list, err = w.Channels(t.Context(), other.ID)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.Channel{theirs}, list)
		},
		"the owner of a channel gets a mail each time that failures switch it off": func(t *testing.T, w *world) {
			s := w.Store
			a := w.account(account.PlanFree)
			board := w.track(a, "northwind").Board
			c := w.channel(a, boardwatch.Channel{All: true})
			titles := []string{"Pilot"}
			w.check(board.ID, roles(titles...))
			later := w.clock().Add(time.Hour)
			fail := func() {
				t.Helper()
				titles = append(titles, "Role "+boardwatch.NewID())
				w.check(board.ID, roles(titles...))
				sent := w.claimWebhooks(10)[0]
				dead := sent.due[0]
				dead.State, dead.NextAttemptAt = boardwatch.DeliveryDead, time.Time{}
				sent.Webhook.DisabledAt, sent.Webhook.DisabledReason = w.clock(), "every delivery has failed"
				_, err := w.SaveAttempts(t.Context(), []boardwatch.Attempts{{
					Claim: sent.WebhookClaim, Deliveries: []boardwatch.Delivery{dead}, Webhook: sent.Webhook,
				}})
				require.NoError(t, err)
				require.NoError(t, w.ReleaseWebhooks(t.Context(), []boardwatch.WebhookClaim{sent.WebhookClaim}))
			}
			turn := func(on bool) {
				t.Helper()
				list, err := s.Channels(t.Context(), a.ID)
				require.NoError(t, err)
				require.NoError(t, s.SwitchChannel(t.Context(), list[0].Switched(on, w.now())))
			}
			for range 2 {
				fail()
				require.Len(t, w.notices(later), 1)
				w.tellOnce(w.notices(later)[0], later)
				turn(false) // it is already off
				require.Empty(t, w.notices(later))
				turn(true)
			}
			turn(false)
			require.Empty(t, w.notices(later), "what they do themselves is no news to them")
			turn(true)
			fail()
			require.Len(t, w.notices(later), 1, "%s", c.ID)
		},
		"a check tells channels what changed, but a first reading is not news": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			board := w.track(a, "northwind").Board
			all := w.channel(a, boardwatch.Channel{All: true})
			data := w.search(a, "Data", boardwatch.Criteria{Text: "DATA", Boards: []string{board.ID}})
			found := w.channel(a, boardwatch.Channel{Searches: []string{data.ID}})
			elsewhere := w.channel(other, boardwatch.Channel{All: true})
			w.check(board.ID, roles("Data Scientist", "Pilot"))
			require.Empty(t, w.told(all), "what the first reading finds is no news")
			w.check(board.ID, roles("Data Scientist", "Pilot", "Data Engineer", "Cook"))
			w.check(board.ID, roles("Pilot", "Data Engineer", "Cook"))
			w.check(board.ID, roles("Pilot", "Data Engineer", "Cook"))
			messages := w.told(all)
			require.Len(t, messages, 2)
			require.ElementsMatch(t, []string{"found Data Engineer", "found Cook"}, happenings(messages[0]))
			require.Equal(t, []string{"closed Data Scientist"}, happenings(messages[1]))
			require.Equal(t, board.ID, messages[1].BoardID)
			messages = w.told(found)
			require.Len(t, messages, 2)
			require.Equal(t, []string{"found Data Engineer"}, happenings(messages[0]))
			require.Equal(t, []string{"Data"}, messages[0].Searches)
			require.Empty(t, w.told(elsewhere), "only those who track the board are told")
		},
		"a channel's search selects kinds of changes and tags of boards": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			board := w.track(a, "northwind").Board
			_, err := w.Tag(t.Context(), a.ID, board.ID, []string{"Near"}, nil)
			require.NoError(t, err)
			save := func(name string, tag string, kinds ...boardwatch.ChangeKind) boardwatch.Channel {
				q := boardwatch.Search{
					ID: boardwatch.NewID(), AccountID: a.ID, Name: name, Criteria: boardwatch.Criteria{Tags: []string{tag}}, Kinds: kinds, CreatedAt: w.now(),
				}
				require.NoError(t, w.CreateSearch(t.Context(), q, track.MaxSearches))
				return w.channel(a, boardwatch.Channel{Searches: []string{q.ID}})
			}
			closed, far := save("Closed", "near", boardwatch.ChangeClosed), save("Far", "far")
			w.check(board.ID, roles("Pilot", "Cook"))
			w.check(board.ID, roles("Pilot", "Nurse"))
			w.check(board.ID, roles("Pilot", "Nurse"))
			messages := w.told(closed)
			require.Len(t, messages, 1)
			require.Equal(t, []string{"closed Cook"}, happenings(messages[0]))
			require.Empty(t, w.told(far))
		},
		"a channel for failures is told only once that a board cannot be read": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			board := w.track(a, "northwind").Board
			failures, all := w.channel(a, boardwatch.Channel{Failures: true}), w.channel(a, boardwatch.Channel{All: true})
			broken := boardwatch.Failed(cause.Timeout, "it took too long")
			w.check(board.ID, roles("Pilot"))
			w.check(board.ID, broken)
			w.check(board.ID, broken)
			messages := w.told(failures)
			require.Len(t, messages, 1)
			require.Equal(t, boardwatch.EventBoardFailed, messages[0].Type)
			require.Equal(t, "it took too long", messages[0].Reason)
			require.Empty(t, w.told(all))
			w.check(board.ID, roles("Pilot"))
			w.check(board.ID, broken)
			require.Len(t, w.told(failures), 2, "it worked in between")
		},
		"mail is collected, and everything else is sent at once": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			board := w.track(a, "northwind").Board
			mail := w.channel(a, boardwatch.Channel{Kind: boardwatch.ChannelEmail, To: a.Email, All: true})
			chat := w.channel(a, boardwatch.Channel{All: true})
			w.check(board.ID, roles("Pilot"))
			r := w.check(board.ID, roles("Pilot", "Cook"))
			due := func(c boardwatch.Channel) time.Time {
				list, err := w.DeliveriesOf(t.Context(), c.ID, 10)
				require.NoError(t, err)
				require.Len(t, list, 1)
				return list[0].NextAttemptAt
			}
			require.Equal(t, r.Check.At, due(chat))
			require.True(t, due(mail).After(r.Check.At))
			require.False(t, due(mail).After(r.Check.At.Add(boardwatch.GatherTime)))
		},
		"a merge is told to accounts that did not have the roles": func(t *testing.T, w *world) {
			a, known := w.account(account.PlanFree), w.account(account.PlanFree)
			survivor := w.track(known, "northwind").Board
			w.check(survivor.ID, roles("Pilot"))
			page := w.pending(a, "https://northwind.example/jobs")
			moved, stays := w.channel(a, boardwatch.Channel{All: true}), w.channel(known, boardwatch.Channel{All: true})
			q := w.search(a, "Here", boardwatch.Criteria{Boards: []string{page.ID}})
			narrow := w.channel(a, boardwatch.Channel{Searches: []string{q.ID}})
			_, merged, err := w.Resolve(t.Context(), w.claim(page.ID), hosted("northwind"))
			require.NoError(t, err)
			require.True(t, merged)
			require.Empty(t, w.told(moved), "adding a board that is known is no news")
			w.check(survivor.ID, roles("Pilot", "Cook"))
			for _, c := range []boardwatch.Channel{moved, stays, narrow} {
				messages := w.told(c)
				require.Len(t, messages, 1)
				require.Equal(t, []string{"found Cook"}, happenings(messages[0]))
				require.Equal(t, survivor.ID, messages[0].BoardID)
			}
		},
		"messages go to a channel as to a webhook, and can be postponed for a while": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			board := w.track(a, "northwind").Board
			c := w.channel(a, boardwatch.Channel{All: true})
			w.check(board.ID, roles("Pilot"))
			w.check(board.ID, roles("Pilot", "Cook"))
			w.check(board.ID, roles("Pilot", "Cook", "Nurse"))
			claims := w.claimWebhooks(10)
			require.Len(t, claims, 1)
			require.Equal(t, c.Kind, claims[0].Webhook.Channel)
			require.Equal(t, c.To, claims[0].Webhook.Secret)
			require.Len(t, claims[0].due, 2)
			receipt := boardwatch.Receipt{Code: 429, Error: "answered 429", RetryAfter: time.Hour}
			after := claims[0].due[0].After(receipt, boardwatch.Rules{}, w.clock())
			quiet := w.clock().Add(time.Hour)
			lost, err := w.SaveAttempts(t.Context(), []boardwatch.Attempts{{
				Claim: claims[0].WebhookClaim, Deliveries: []boardwatch.Delivery{after},
				Webhook: claims[0].Webhook.After(after, boardwatch.Rules{}, w.clock()), Quiet: quiet,
			}})
			require.NoError(t, err)
			require.Empty(t, lost)
			list, err := w.DeliveriesOf(t.Context(), c.ID, 10)
			require.NoError(t, err)
			for _, d := range list {
				require.False(t, d.NextAttemptAt.Before(quiet.Add(-time.Second)))
			}
			found, err := w.FindDeliveries(t.Context(), boardwatch.DeliveryFilter{})
			require.NoError(t, err)
			require.Empty(t, found, "what people were told is not replayed")
		},
		"the address of a channel is kept encrypted, also under a new key": func(t *testing.T, w *world) {
			s := w.Store
			a := w.account(account.PlanFree)
			c := w.channel(a, boardwatch.Channel{All: true})
			_, err := s.RotateSealKey(t.Context(), []byte("another key of exactly 32 bytes!"))
			require.NoError(t, err)
			list, err := s.Channels(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, c.To, list[0].To)
			_, err = w.open(t, storage.Options{SealKey: []byte("another key of exactly 32 bytes!")}).Channels(t.Context(), a.ID)
			require.NoError(t, err)
		},
	}
}
