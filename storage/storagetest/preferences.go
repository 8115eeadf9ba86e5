package storagetest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// digest returns the progress of the account's daily mail.
func (w *world) digest(a account.Account) track.DueDigest {
	w.t.Helper()
	d, err := w.Digest(w.t.Context(), a.ID)
	require.NoError(w.t, err)
	return d
}

// dueDigests returns the addresses whose daily mail is due or not planned.
func (w *world) dueDigests(now time.Time) []string {
	w.t.Helper()
	list, err := w.DueDigests(w.t.Context(), now, 7, 100)
	require.NoError(w.t, err)
	var emails []string
	for _, d := range list {
		emails = append(emails, d.Account.Email)
	}
	return emails
}

func preferenceCases() cases {
	return cases{
		"an account that chose nothing has the default preferences": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			got, err := w.Preferences(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, account.DefaultPreferences(a.ID), got)
			require.NoError(t, w.PlanDigest(t.Context(), a.ID, w.now(), 7))
			got, err = w.Preferences(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, account.DefaultPreferences(a.ID), got, "a row of its own changes nothing")
			require.Equal(t, got, w.digest(a).Preferences)
		},
		"preferences are saved": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			p := account.Preferences{AccountID: a.ID, DigestHour: 18, TimeZone: "Europe/Berlin", Theme: account.ThemeDark}
			require.NoError(t, w.SavePreferences(t.Context(), p))
			got, err := w.Preferences(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, p, got)
			hasCode(t, boardwatch.CodeNotFound, w.SavePreferences(t.Context(), account.Preferences{AccountID: "nobody"}))
		},
		"what a person has seen is saved, and stays when they choose other preferences": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			seen := account.Visits{SeenAt: w.now().Add(-time.Hour), LastAt: w.now()}
			require.NoError(t, w.SaveVisits(t.Context(), a.ID, seen))
			p := account.DefaultPreferences(a.ID)
			p.Theme = account.ThemeDark
			require.NoError(t, w.SavePreferences(t.Context(), p))
			got, err := w.Preferences(t.Context(), a.ID)
			require.NoError(t, err)
			p.Visits = seen
			require.Equal(t, p, got)
			hasCode(t, boardwatch.CodeNotFound, w.SaveVisits(t.Context(), "nobody", seen))
		},
		"a new hour is planned again, a new appearance is not": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			at := w.now().Add(time.Hour)
			require.NoError(t, w.PlanDigest(t.Context(), a.ID, at, 7))
			p := account.DefaultPreferences(a.ID)
			p.Theme = account.ThemeLight
			require.NoError(t, w.SavePreferences(t.Context(), p))
			require.Equal(t, at, w.digest(a).Planned)
			p.DigestHour = 9
			require.NoError(t, w.SavePreferences(t.Context(), p))
			require.True(t, w.digest(a).Planned.IsZero())
		},
		"daily mail that is switched on covers the changes from then on": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			p := account.DefaultPreferences(a.ID)
			require.NoError(t, w.SavePreferences(t.Context(), p))
			require.True(t, w.digest(a).Until.IsZero())
			p.Digest = false
			require.NoError(t, w.SavePreferences(t.Context(), p))
			require.Empty(t, w.dueDigests(w.now()))
			before := w.now()
			p.Digest = true
			require.NoError(t, w.SavePreferences(t.Context(), p))
			require.False(t, w.digest(a).Until.Before(before))
		},
		"mail is due if it is not planned, if its time has come, and if the default hour has changed": func(t *testing.T, w *world) {
			a, early, own := w.account(account.PlanPro), w.account(account.PlanPro), w.account(account.PlanPro)
			stranger := w.account(account.PlanPro)
			require.NoError(t, w.SetVerified(t.Context(), stranger.ID, false))
			now := w.now()
			require.ElementsMatch(t, []string{a.Email, early.Email, own.Email}, w.dueDigests(now))
			p := account.DefaultPreferences(own.ID)
			p.DigestHour = 3
			require.NoError(t, w.SavePreferences(t.Context(), p))
			for _, b := range []account.Account{a, early, own} {
				require.NoError(t, w.PlanDigest(t.Context(), b.ID, now.Add(time.Hour), 7))
			}
			require.NoError(t, w.PlanDigest(t.Context(), early.ID, now, 7))
			require.Equal(t, []string{early.Email}, w.dueDigests(now))
			for _, b := range []account.Account{a, early, own} {
				require.NoError(t, w.PlanDigest(t.Context(), b.ID, now.Add(time.Hour), 8))
			}
			require.ElementsMatch(t, []string{a.Email, early.Email}, w.dueDigests(now), "own hours do not follow the usual one")
		},
		"the mail of a day is begun once": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			begin := func(date string, again bool) bool {
				day := account.DigestDay{Date: date, Next: time.UnixMilli(1_900_000_000_000).UTC()}
				ok, err := w.BeginDigest(t.Context(), a.ID, day, again)
				require.NoError(t, err)
				return ok
			}
			require.True(t, begin("2026-11-20", false))
			require.Equal(t, time.UnixMilli(1_900_000_000_000).UTC(), w.digest(a).Planned)
			require.False(t, begin("2026-11-20", false))
			require.False(t, begin("2026-11-19", false))
			require.False(t, begin("2026-11-19", true))
			require.True(t, begin("2026-11-20", true))
			require.True(t, begin("2026-11-21", false))
			require.Equal(t, "2026-11-21", w.digest(a).Day)
			at := w.now()
			require.NoError(t, w.UndoDigest(t.Context(), a.ID, "2026-11-20", "2026-11-19", at))
			require.Equal(t, "2026-11-21", w.digest(a).Day, "another day's is not taken back")
			require.NoError(t, w.UndoDigest(t.Context(), a.ID, "2026-11-21", "2026-11-20", at))
			require.Equal(t, "2026-11-20", w.digest(a).Day)
			require.Equal(t, at, w.digest(a).Planned)
			require.NoError(t, w.EndDigest(t.Context(), a.ID, at))
			require.NoError(t, w.EndDigest(t.Context(), a.ID, at.Add(-time.Hour)))
			require.Equal(t, at, w.digest(a).Until)
			p := account.DefaultPreferences(a.ID)
			p.Digest = false
			require.NoError(t, w.SavePreferences(t.Context(), p))
			require.False(t, begin("2026-11-22", true))
			_, err := w.Digest(t.Context(), "nobody")
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"of all that begin a day's mail or a notice at once, only one succeeds": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			day := account.DigestDay{Date: "2026-11-20", Next: w.now().Add(time.Hour)}
			n := track.Notice{ID: "webhook:" + boardwatch.NewID(), Account: a}
			now := w.now()
			var mails, notices atomic.Int64
			var group sync.WaitGroup
			for _, one := range []*world{w, w.another(options()), w.another(options())} {
				for range 4 {
					group.Go(func() {
						if ok, err := one.BeginDigest(t.Context(), a.ID, day, false); err != nil {
							t.Error(err)
						} else if ok {
							mails.Add(1)
						}
						if ok, err := one.BeginNotice(t.Context(), n, now, time.Minute); err != nil {
							t.Error(err)
						} else if ok {
							notices.Add(1)
						}
					})
				}
			}
			group.Wait()
			require.EqualValues(t, 1, mails.Load())
			require.EqualValues(t, 1, notices.Load())
		},
		"a feed is found only by its latest token": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			token, err := w.FeedToken(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, token)
			require.NoError(t, w.SetFeedToken(t.Context(), a.ID, "first"))
			require.NoError(t, w.SetFeedToken(t.Context(), other.ID, "other"))
			require.NoError(t, w.SetFeedToken(t.Context(), a.ID, "second"))
			token, err = w.FeedToken(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, "second", token)
			found, err := w.AccountByFeed(t.Context(), account.HashSecret("second"))
			require.NoError(t, err)
			require.Equal(t, a, found)
			_, err = w.AccountByFeed(t.Context(), account.HashSecret("first"))
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"a webhook that was switched off is told once": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			require.Empty(t, w.notices(w.now()))
			w.switchOff(hook)
			now := w.now()
			list := w.notices(now)
			require.Len(t, list, 1)
			require.Equal(t, a, list[0].Account)
			require.Equal(t, hook.ID, list[0].Webhook.ID)
			require.Empty(t, list[0].Webhook.Secret)
			require.Equal(t, list[0].Webhook.DisabledAt, list[0].Since)
			w.tellOnce(list[0], now)
		},
		"a board that has failed for three days is told once to each who tracks it that long": func(t *testing.T, w *world) {
			a, quiet, newcomer := w.account(account.PlanUltra), w.account(account.PlanUltra), w.account(account.PlanUltra)
			p := account.DefaultPreferences(quiet.ID)
			p.Notices = false
			require.NoError(t, w.SavePreferences(t.Context(), p))
			b := w.track(a, "northwind").Board
			w.track(quiet, "northwind")
			w.check(b.ID, roles("A"))
			w.check(b.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			require.Empty(t, w.notices(w.now()))
			w.passMoment()
			w.track(newcomer, "northwind")
			later := w.board(b.ID).State.SickSince.Add(track.FailingLong)
			list := w.notices(later)
			require.Len(t, list, 1)
			require.Equal(t, a, list[0].Account)
			require.Equal(t, b.ID, list[0].Board.Board.ID)
			require.Equal(t, w.board(b.ID).State.SickSince, list[0].Since)
			require.NoError(t, w.Unsubscribe(t.Context(), newcomer.ID, b.ID))
			w.tellOnce(list[0], later)
			w.check(b.ID, roles("A"))
			require.Empty(t, w.notices(later.Add(track.FailingLong)), "it is well again")
		},
	}
}

func (w *world) notices(now time.Time) []track.Notice {
	w.t.Helper()
	list, err := w.DueNotices(w.t.Context(), now, 10)
	require.NoError(w.t, err)
	return list
}

// tellOnce sends a notice, and checks that nobody else can send it meanwhile or afterwards.
func (w *world) tellOnce(n track.Notice, now time.Time) {
	w.t.Helper()
	begin := func(at time.Time) bool {
		ok, err := w.BeginNotice(w.t.Context(), n, at, time.Minute)
		require.NoError(w.t, err)
		return ok
	}
	require.True(w.t, begin(now))
	require.False(w.t, begin(now.Add(time.Second)))
	require.Empty(w.t, w.notices(now.Add(time.Second)))
	require.Len(w.t, w.notices(now.Add(2*time.Minute)), 1, "who took it on is gone")
	require.True(w.t, begin(now.Add(2*time.Minute)))
	require.NoError(w.t, w.EndNotice(w.t.Context(), n, now))
	require.False(w.t, begin(now.Add(time.Hour)))
	require.Empty(w.t, w.notices(now.Add(time.Hour)))
}
