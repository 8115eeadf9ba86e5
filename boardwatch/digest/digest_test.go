package digest_test

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/digest"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/mail"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

const base = "https://boards.example"

// world is an installation with a mail server and a clock that the test controls.
type world struct {
	*storage.Store
	*digest.Digest
	t        *testing.T
	server   *mailtest.Server
	database storagetest.Database
	roles    map[string][]string // by board

	mu  sync.Mutex
	now time.Time
}

func setup(t *testing.T, now time.Time) *world {
	t.Helper()
	w := &world{
		t: t, now: now, server: mailtest.New(t, mailtest.Options{}), database: storagetest.SQLite(t), roles: map[string][]string{},
	}
	w.restart()
	return w
}

// restart is another process on the same database.
func (w *world) restart() {
	w.t.Helper()
	w.Store = w.database(w.t, storage.Options{Now: w.clock})
	mailer, err := mail.NewSMTP(w.server.URL(), mail.Options{BaseURL: base, Now: w.clock})
	require.NoError(w.t, err)
	w.Digest = digest.New(w.Store, mailer, digest.Options{Hour: 7, BaseURL: base, UnsubscribeURL: base + "/unsubscribe"})
}

// with returns a digest on a different store or mailer.
func (w *world) with(store digest.Store, send sender) *digest.Digest {
	return digest.New(store, send, digest.Options{Hour: 7, BaseURL: base, UnsubscribeURL: base + "/unsubscribe"})
}

func (w *world) mailer() account.Mailer {
	w.t.Helper()
	mailer, err := mail.NewSMTP(w.server.URL(), mail.Options{BaseURL: base, Now: w.clock})
	require.NoError(w.t, err)
	return mailer
}

// sender is a function that sends mail.
type sender func(ctx context.Context, m account.Mail) error

func (s sender) Send(ctx context.Context, m account.Mail) error { return s(ctx, m) }

// racingStore lets something happen between the promise of a list of changes and its reading.
type racingStore struct {
	digest.Store
	meanwhile func()
}

func (s racingStore) Changes(ctx context.Context, accountID string, f track.ChangeFilter) (track.ChangePage, error) {
	before, err := s.Store.Changes(ctx, accountID, f)
	if err != nil {
		return before, err
	}
	s.meanwhile()
	page, err := s.Store.Changes(ctx, accountID, f)
	page.PolledAt = before.PolledAt
	return page, err
}

// leavingStore deletes an account just before it is notified.
type leavingStore struct {
	*storage.Store
	leaver string
}

func (s leavingStore) BeginNotice(ctx context.Context, n track.Notice, now time.Time, lease time.Duration) (bool, error) {
	if n.Account.ID == s.leaver {
		if err := s.DeleteAccount(ctx, s.leaver); err != nil {
			return false, err
		}
	}
	return s.Store.BeginNotice(ctx, n, now, lease)
}

// clock advances by a millisecond whenever it is read.
func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(time.Millisecond)
	return w.now
}

func (w *world) turn(to time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = to
}

func (w *world) work() {
	w.t.Helper()
	require.NoError(w.t, w.Work(w.t.Context()))
}

// account adds a person who wants mail at that hour of their zone.
func (w *world) account(name string, hour int, zone string) account.Account {
	w.t.Helper()
	a := account.Account{
		ID: boardwatch.NewID(), Email: name + "@northwind.example", Plan: account.PlanUltra, Verified: true, CreatedAt: w.clock(),
	}
	require.NoError(w.t, w.CreateAccount(w.t.Context(), a))
	p := account.DefaultPreferences(a.ID)
	p.DigestHour, p.TimeZone = hour, zone
	require.NoError(w.t, w.SavePreferences(w.t.Context(), p))
	return a
}

// track puts a board on the account's list. It is read for the first time and has no roles, so that all that it has later is news.
func (w *world) track(a account.Account, token string) string {
	w.t.Helper()
	b, _, err := w.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "greenhouse:" + token, URL: "https://boards.hosted.example/" + token}, token)
	require.NoError(w.t, err)
	if !b.WasRead() {
		w.find(b.ID)
	}
	return b.ID
}

// find adds a role to the board.
func (w *world) find(boardID string, titles ...string) {
	w.t.Helper()
	w.roles[boardID] = append(w.roles[boardID], titles...)
	r := boardwatch.Reading{Company: "Contoso", Claimed: -1, Health: boardwatch.HealthOK}
	for _, title := range w.roles[boardID] {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title, Location: "Berlin", URL: "https://jobs.example/" + url.PathEscape(title)})
	}
	w.read(boardID, r)
}

func (w *world) read(boardID string, r boardwatch.Reading) {
	w.t.Helper()
	claims, err := w.ClaimDue(w.t.Context(), 100, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(w.t, err)
	due := false
	for _, c := range claims {
		if c.Board.ID != boardID {
			require.NoError(w.t, w.Release(w.t.Context(), c))
			continue
		}
		due = true
		require.NoError(w.t, w.SaveCheck(w.t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			result := boardwatch.Decide(in, r.Normalize(), false, boardwatch.Rules{CloseAfter: 2}, boardwatch.NewID)
			result.Board.NextCheckAt = in.Now
			return result
		}))
	}
	require.True(w.t, due, "the board is not due")
}

func at(y int, m time.Month, d, hour, minute int) time.Time {
	return time.Date(y, m, d, hour, minute, 0, 0, time.UTC)
}

// arrival returns the moment of a message on the test's clock.
func arrival(t *testing.T, m mailtest.Message, zone string) string {
	t.Helper()
	sent, err := m.Header.Date()
	require.NoError(t, err)
	loc, err := time.LoadLocation(zone)
	require.NoError(t, err)
	return sent.In(loc).Format("2006-01-02 15:04")
}

func TestDailyMail(t *testing.T) {
	t.Parallel()

	t.Run("tells what has changed, in both parts, with a way out", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 12, 0))
		a := w.account("ann", 7, "")
		b := w.track(a, "contoso")
		w.work()
		w.find(b, "Engineer", "Writer")
		w.find(b, "<b>Designer</b>")
		w.turn(at(2026, 11, 21, 7, 0))
		w.work()
		m := w.server.Wait(1)[0]
		require.Equal(t, []string{a.Email}, m.To)
		require.Equal(t, "3 new roles at Contoso", m.Subject)
		for _, text := range []string{"Engineer (Berlin)", "https://jobs.example/Engineer", "<b>Designer</b>", base + "/boards/" + b, "Saturday, 21 November 2026"} {
			require.Contains(t, m.Text, text)
		}
		require.Contains(t, m.HTML, `<a href="https://jobs.example/Engineer">Engineer</a>`)
		require.Contains(t, m.HTML, "&lt;b&gt;Designer&lt;/b&gt;")
		require.NotContains(t, m.HTML, "<b>")
		require.Equal(t, "List-Unsubscribe=One-Click", m.Header.Get("List-Unsubscribe-Post"))
		out := strings.Trim(m.Header.Get("List-Unsubscribe"), "<>")
		require.Contains(t, m.Text, out)
		token, ok := strings.CutPrefix(out, base+"/unsubscribe?token=")
		require.True(t, ok)
		l, err := w.Link(t.Context(), account.LinkUnsubscribe, account.HashSecret(token), w.clock())
		require.NoError(t, err)
		require.Equal(t, a.ID, l.AccountID)
	})

	t.Run("goes out only when something has changed, to who wants it", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 12, 0))
		a, quiet, off, stranger := w.account("ann", 7, ""), w.account("bob", 7, ""), w.account("cy", 7, ""), w.account("dee", 7, "")
		b := w.track(a, "contoso")
		w.track(quiet, "fabrikam")
		w.track(off, "contoso")
		w.track(stranger, "contoso")
		require.NoError(t, w.SavePreferences(t.Context(), account.Preferences{AccountID: off.ID, Theme: account.ThemeAuto}))
		require.NoError(t, w.SetVerified(t.Context(), stranger.ID, false))
		w.work()
		w.find(b, "Engineer")
		for day := 21; day <= 24; day++ {
			w.turn(at(2026, 11, day, 7, 5))
			w.work()
		}
		require.Len(t, w.server.Received(), 1)
		w.find(b, "Writer")
		w.turn(at(2026, 11, 25, 7, 5))
		w.work()
		got := w.server.Received()
		require.Len(t, got, 2)
		require.Equal(t, []string{a.Email}, got[1].To)
		require.Contains(t, got[1].Text, "Writer")
		require.NotContains(t, got[1].Text, "Engineer")
	})

	t.Run("goes out at each person's hour, across changes of daylight saving", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2027, 3, 12, 23, 0)) // clocks leap on the 14th in New York and on the 28th in Berlin
		people := map[string][2]any{          // hour and zone
			"ann": {7, "Europe/Berlin"}, "bob": {2, "America/New_York"}, "cy": {2, "Europe/Berlin"},
		}
		var b string
		for name, p := range people {
			b = w.track(w.account(name, p[0].(int), p[1].(string)), "contoso")
		}
		w.work()
		n, asleep := 0, at(2027, 3, 27, 0, 0)
		for now := at(2027, 3, 13, 0, 0); now.Before(at(2027, 3, 29, 12, 0)); now = now.Add(time.Hour) {
			if now.Equal(at(2027, 3, 15, 12, 0)) {
				now = asleep // days without a leap are like others
			}
			w.turn(now)
			if now.Hour()%6 == 0 {
				n++
				w.find(b, "Role "+strings.Repeat("I", n))
			}
			w.work()
		}
		got := map[string][]string{}
		for _, m := range w.server.Received() {
			name, _, _ := strings.Cut(m.To[0], "@")
			if sent, err := m.Header.Date(); err == nil && sent.Equal(asleep) {
				continue // mail that was due meanwhile is sent at once
			}
			got[name] = append(got[name], arrival(t, m, people[name][1].(string)))
		}
		for name, p := range people {
			require.GreaterOrEqual(t, len(got[name]), 4, name)
			seen := map[string]bool{}
			for _, moment := range got[name] {
				day, clock, _ := strings.Cut(moment, " ")
				require.False(t, seen[day], "%s got two on %s", name, day)
				seen[day] = true
				want := map[int]string{7: "07:00", 2: "02:00"}[p[0].(int)]
				if name == "bob" && day == "2027-03-14" || name == "cy" && day == "2027-03-28" {
					want = "03:00" // there is no two o'clock that day
				}
				require.Equal(t, want, clock, "%s on %s", name, day)
			}
		}
		require.Contains(t, got["ann"], "2027-03-28 07:00")
	})

	t.Run("goes out once when the hour comes twice", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 10, 23, 22, 0)) // the hour from two to three comes twice in Berlin on the 25th
		b := w.track(w.account("ann", 2, "Europe/Berlin"), "contoso")
		w.work()
		for now := w.clock(); now.Before(at(2026, 10, 26, 4, 0)); now = now.Add(time.Hour) {
			w.turn(now)
			w.find(b, now.String())
			w.work()
		}
		var moments []string
		for _, m := range w.server.Received() {
			sent, err := m.Header.Date()
			require.NoError(t, err)
			moments = append(moments, sent.UTC().Format("02 15:04"))
		}
		require.Equal(t, []string{"24 00:00", "25 00:00", "26 01:00"}, moments)
	})

	t.Run("goes out once a day, whatever restarts", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		w.find(b, "Engineer")
		w.restart()
		w.work()
		require.Empty(t, w.server.Received())
		w.turn(at(2026, 11, 20, 15, 0)) // it was down at seven
		for range 3 {
			w.restart()
			w.work()
			w.find(b, w.clock().String())
			w.turn(w.clock().Add(time.Hour))
		}
		require.Len(t, w.server.Received(), 1)
		w.turn(at(2026, 11, 25, 3, 0)) // it was down for days
		w.restart()
		w.work()
		w.turn(at(2026, 11, 25, 7, 0))
		w.work()
		got := w.server.Received()
		require.Len(t, got, 2, "nothing has changed since the second")
		require.Contains(t, got[1].Text, "3 new roles", "what was found after the first")
	})

	t.Run("several processes send it once", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		w.find(b, "Engineer")
		w.turn(at(2026, 11, 20, 7, 0))
		var group sync.WaitGroup
		for range 4 {
			w.restart()
			other := w.Digest
			group.Go(func() {
				if err := other.Work(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.Len(t, w.server.Received(), 1)
	})

	t.Run("what a lost mail had to tell is told the next day, and no mail is sent twice", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		a := w.account("ann", 7, "")
		b := w.track(a, "contoso")
		w.work()
		w.find(b, "Engineer")
		w.turn(at(2026, 11, 20, 7, 0))
		day := account.DefaultPreferences(a.ID).DigestAt(w.clock(), 7)
		begun, err := w.BeginDigest(t.Context(), a.ID, day, false) // and then the process was killed
		require.NoError(t, err)
		require.True(t, begun)
		w.restart()
		w.work()
		require.Empty(t, w.server.Received())
		w.turn(at(2026, 11, 21, 7, 0))
		w.find(b, "Writer")
		w.work()
		got := w.server.Wait(1)
		require.Contains(t, got[0].Text, "Engineer")
		require.Contains(t, got[0].Text, "Writer")
	})

	t.Run("is tried again when the mail server does not take it, under the same id", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		w.find(b, "Engineer")
		tries := 0
		w.server.Refuse(func(string) error {
			tries++
			return errors.New("busy")
		})
		for now := at(2026, 11, 20, 7, 0); now.Before(at(2026, 11, 20, 9, 0)); now = now.Add(5 * time.Minute) {
			w.turn(now)
			w.work()
		}
		require.GreaterOrEqual(t, tries, 4, "at once, after five minutes, and then after as long again each time")
		require.LessOrEqual(t, tries, 6)
		w.server.Refuse(nil)
		w.turn(at(2026, 11, 20, 10, 30))
		w.restart()
		w.work()
		w.work()
		got := w.server.Wait(1)
		require.Len(t, got, 1)
		require.Contains(t, got[0].Header.Get("Message-Id"), ".2026-11-20@")
	})

	t.Run("what the mail server did not confirm is sent again, with the same id", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		w.find(b, "Engineer")
		w.server.HangUp(1)
		for hour := 7; hour < 24; hour++ {
			w.turn(at(2026, 11, 20, hour, 0))
			w.work()
		}
		got := w.server.Received()
		require.Len(t, got, 2)
		require.Contains(t, got[1].Text, "Engineer")
		require.Equal(t, got[0].Header.Get("Message-Id"), got[1].Header.Get("Message-Id"))
	})

	t.Run("what is found while it is written is told by the next one only", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		w.find(b, "Engineer")
		w.turn(at(2026, 11, 20, 7, 0))
		racing := w.with(racingStore{w.Store, func() { w.find(b, "Writer") }}, w.mailer().Send)
		require.NoError(t, racing.Work(t.Context()))
		w.turn(at(2026, 11, 21, 7, 0))
		w.work()
		got := w.server.Received()
		require.Len(t, got, 2)
		require.Equal(t, "1 new role at Contoso", got[0].Subject)
		require.NotContains(t, got[0].Text, "Writer")
		require.Equal(t, "1 new role at Contoso", got[1].Subject)
		require.Contains(t, got[1].Text, "Writer")
	})

	t.Run("nothing is lost though the mail server takes nothing for eight days", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 1, 6, 30))
		fresh, told := w.track(w.account("ann", 7, ""), "contoso"), w.track(w.account("bob", 7, ""), "fabrikam")
		w.work()
		w.find(told, "Miller")
		w.turn(at(2026, 11, 1, 7, 0))
		w.work()
		require.Len(t, w.server.Received(), 1)
		w.turn(at(2026, 11, 1, 12, 0))
		w.find(fresh, "Engineer")
		w.find(told, "Writer")
		w.server.Refuse(func(string) error { return errors.New("busy") })
		for now := at(2026, 11, 2, 7, 0); now.Before(at(2026, 11, 10, 7, 0)); now = now.Add(2 * time.Hour) {
			w.turn(now)
			w.work()
		}
		w.find(fresh, "Designer")
		w.server.Refuse(nil)
		w.turn(at(2026, 11, 10, 7, 0))
		w.restart()
		w.work()
		mails := map[string]string{}
		for _, m := range w.server.Received()[1:] {
			mails[m.To[0]] = m.Text
		}
		require.Len(t, mails, 2)
		require.Contains(t, mails["bob@northwind.example"], "Writer")
		require.NotContains(t, mails["bob@northwind.example"], "Miller")
		require.Contains(t, mails["ann@northwind.example"], "Engineer")
		require.Contains(t, mails["ann@northwind.example"], "Designer")
	})

	t.Run("who is written to for the first time after a year is told of the last week", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2025, 11, 1, 6, 30))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.find(b, "Engineer")
		w.turn(at(2026, 11, 18, 12, 0))
		w.find(b, "Writer")
		w.turn(at(2026, 11, 20, 7, 0)) // the operator sets up a mail server
		w.work()
		got := w.server.Received()
		require.Len(t, got, 1)
		require.Equal(t, "1 new role at Contoso", got[0].Subject)
		require.Contains(t, got[0].Text, "Writer")
	})

	t.Run("a person who moves or changes the hour gets one a day", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		a := w.account("ann", 7, "")
		b := w.track(a, "contoso")
		w.work()
		w.find(b, "Engineer")
		w.turn(at(2026, 11, 20, 7, 0))
		w.work()
		w.find(b, "Writer")
		p := account.DefaultPreferences(a.ID)
		for _, p.DigestHour = range []int{8, 9, 10} {
			require.NoError(t, w.SavePreferences(t.Context(), p))
			w.work()
			w.turn(at(2026, 11, 20, p.DigestHour, 0))
			w.work()
		}
		require.Len(t, w.server.Received(), 1)
		w.turn(at(2026, 11, 21, 10, 0))
		w.work()
		require.Len(t, w.server.Received(), 2)
	})

	t.Run("waits for news as long as its hour lasts", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 7, 20))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		w.turn(at(2026, 11, 20, 7, 40))
		w.work()
		w.find(b, "Engineer")
		w.work()
		require.Empty(t, w.server.Received(), "it looks once a minute")
		w.turn(at(2026, 11, 20, 7, 42))
		w.work()
		require.Len(t, w.server.Received(), 1)
		w.find(b, "Writer")
		for minute := 43; minute < 75; minute += 4 {
			w.turn(at(2026, 11, 20, 7, minute))
			w.work()
		}
		require.Len(t, w.server.Received(), 1)
		w.turn(at(2026, 11, 21, 7, 0))
		w.work()
		require.Len(t, w.server.Received(), 2)
		w.turn(at(2026, 11, 22, 7, 59))
		w.work()
		w.find(b, "Designer")
		w.turn(at(2026, 11, 22, 8, 0))
		w.work()
		require.Len(t, w.server.Received(), 2, "the hour is over")
	})

	t.Run("who came and went is only gone", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 8, 0))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		w.find(b, "Engineer", "Writer")
		w.roles[b] = []string{"Engineer"}
		w.find(b)
		w.find(b)
		w.turn(at(2026, 11, 21, 7, 0))
		w.work()
		m := w.server.Wait(1)[0]
		require.Equal(t, "1 new role at Contoso", m.Subject)
		require.Contains(t, m.Text, "1 role closed:\n- Writer (Berlin)\n")
		require.Equal(t, 1, strings.Count(m.Text, "Writer"))
	})

	t.Run("long lists are cut and counted", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 5, 30))
		b := w.track(w.account("ann", 7, ""), "contoso")
		w.work()
		var titles []string
		for i := range 500 {
			titles = append(titles, "Role "+string(rune('A'+i%26))+strings.Repeat("x", i/26))
		}
		w.find(b, titles...)
		w.turn(at(2026, 11, 20, 6, 45)) // so many at once are believed when they are seen again
		w.find(b)
		w.turn(at(2026, 11, 20, 7, 0))
		w.work()
		m := w.server.Wait(1)[0]
		require.Equal(t, "500 new roles at Contoso", m.Subject)
		require.Contains(t, m.Text, "and 480 more")
		require.Less(t, len(m.Raw), 30_000)
	})

	t.Run("what changed before the last five hundred checks is counted too", func(t *testing.T) {
		t.Parallel()
		w := setup(t, at(2026, 11, 20, 6, 30))
		a := w.account("ann", 7, "")
		calm, busy := w.track(a, "contoso"), w.track(a, "fabrikam")
		w.work()
		w.find(calm, "Engineer", "Writer")
		for i := range 501 {
			w.read(busy, boardwatch.Reading{Company: "Fabrikam", Claimed: -1, Health: boardwatch.HealthOK, Postings: []boardwatch.Posting{
				{Key: "1", Title: "Role " + strconv.Itoa(i)},
			}})
		}
		w.turn(at(2026, 11, 20, 7, 0))
		w.work()
		m := w.server.Wait(1)[0]
		require.Equal(t, "3 new roles at Fabrikam and Contoso", m.Subject)
		require.Contains(t, m.Text, base+"/boards/"+calm+"\n\n2 new roles:\n- and 2 more")
	})
}

func TestSend(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	a := w.account("ann", 7, "")
	b := w.track(a, "contoso")
	send := func(again bool) digest.Sent {
		t.Helper()
		sent, err := w.Send(t.Context(), a, again)
		require.NoError(t, err)
		return sent
	}
	require.Contains(t, send(false).Reason, "nothing has changed")
	w.find(b, "Engineer")
	require.Equal(t, digest.Sent{Sent: true, Found: 1}, send(false))
	require.Equal(t, "today's mail was sent already", send(false).Reason)
	require.Contains(t, send(true).Reason, "nothing has changed")
	w.find(b, "Writer")
	require.False(t, send(false).Sent)
	require.True(t, send(true).Sent)
	got := w.server.Wait(2)
	require.NotEqual(t, got[0].Header.Get("Message-Id"), got[1].Header.Get("Message-Id"))
	w.work()
	w.turn(at(2026, 11, 21, 6, 59))
	w.find(b, "Designer")
	w.work()
	require.Len(t, w.server.Received(), 2)
	w.server.Refuse(func(string) error { return errors.New("busy") })
	w.turn(at(2026, 11, 21, 7, 0))
	_, err := w.Send(t.Context(), a, false)
	require.ErrorContains(t, err, "busy")
	w.server.Refuse(nil)
	w.work()
	require.Len(t, w.server.Received(), 3, "what an operator tried in vain is still due")
	require.NoError(t, w.SavePreferences(t.Context(), account.Preferences{AccountID: a.ID}))
	require.Contains(t, send(true).Reason, "switched off")
	require.NoError(t, w.SetVerified(t.Context(), a.ID, false))
	require.Contains(t, send(true).Reason, "not confirmed")
}

func TestNotices(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 1, 8, 0))
	a := w.account("ann", 7, "")
	first, second := w.track(a, "contoso"), w.track(a, "fabrikam")
	for _, b := range []string{first, second} {
		w.find(b, "Engineer")
	}
	for _, hour := range []int{0, 36, 71, 72, 79} {
		w.turn(at(2026, 11, 1, 9+hour, 0))
		for _, b := range []string{first, second} {
			w.read(b, boardwatch.Failed(cause.SiteError, "the page\r\nBcc: eve@evil.example answered 503"))
		}
		w.work()
	}
	notices := func() (list []mailtest.Message) {
		for _, m := range w.server.Received() {
			if strings.Contains(m.Header.Get("Message-Id"), "notice.") {
				list = append(list, m)
			}
		}
		return list
	}
	got := notices()
	require.Len(t, got, 1, "both in one message")
	require.Equal(t, "2 boards have failed for three days", got[0].Subject)
	require.Equal(t, "2026-11-04 09:00", arrival(t, got[0], "UTC"))
	require.Contains(t, got[0].Text, base+"/boards/"+first)
	require.Contains(t, got[0].Text, "answered 503")
	w.restart()
	w.work()
	require.Len(t, notices(), 1)
	w.find(first, "Writer")
	w.server.Refuse(func(string) error { return errors.New("busy") })
	w.turn(at(2026, 11, 8, 10, 0))
	w.read(first, boardwatch.Failed(cause.SiteError, "no answer"))
	w.turn(at(2026, 11, 11, 10, 0))
	w.read(first, boardwatch.Failed(cause.SiteError, "no answer"))
	w.work()
	w.server.Refuse(nil)
	w.work()
	require.Len(t, notices(), 1, "the pause after a failure")
	w.turn(at(2026, 11, 11, 10, 20))
	w.work()
	got = notices()
	require.Len(t, got, 2, "it was well in between")
	require.Equal(t, "Contoso has failed for three days", got[1].Subject)
}

func TestAChannelThatWasSwitchedOffIsTold(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 1, 8, 0))
	c, err := account.CleanChannel(boardwatch.Channel{
		ID: boardwatch.NewID(), AccountID: w.account("ann", 7, "").ID, Kind: account.ChannelSlack, To: "https://hooks.slack.example/services/sesame",
		DisabledAt: at(2026, 11, 1, 7, 0), DisabledReason: "every delivery has failed since 2026-10-29T07:00:00Z",
	})
	require.NoError(t, err)
	require.NoError(t, w.CreateChannel(t.Context(), c, account.MaxChannels))
	w.work()
	w.work()
	got := w.server.Received()
	require.Len(t, got, 1, "once")
	require.Equal(t, "Your channel at hooks.slack.example was switched off", got[0].Subject)
	require.Contains(t, got[0].Text, "every delivery has failed since 2026-10-29")
	require.Contains(t, got[0].Text, "When it works again, switch it on in the settings:\n")
	require.NotContains(t, got[0].Text, "sesame")
}

func TestNoticesReachTheOthersWhenTheOwnerOfOneHasGone(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 1, 8, 0))
	people := map[string]account.Account{}
	boards := map[string]bool{}
	for _, name := range []string{"ann", "bob", "cy"} {
		people[name] = w.account(name, 7, "")
		boards[w.track(people[name], "contoso")] = true
	}
	for _, hour := range []int{0, 72} {
		w.turn(at(2026, 11, 1, 9+hour, 0))
		for b := range boards {
			w.read(b, boardwatch.Failed(cause.Unreachable, "no answer"))
		}
	}
	due, err := w.DueNotices(t.Context(), w.clock(), 10)
	require.NoError(t, err)
	require.Len(t, due, 3)
	leaver := due[0].Account
	err = w.with(leavingStore{w.Store, leaver.ID}, w.mailer().Send).Work(t.Context())
	require.ErrorContains(t, err, leaver.ID, "whoever runs it is told")
	told := map[string]bool{}
	for _, m := range w.server.Received() {
		told[m.To[0]] = true
	}
	for _, n := range due[1:] {
		require.True(t, told[n.Account.Email], n.Account.Email)
	}
	require.Len(t, told, 2)
}
