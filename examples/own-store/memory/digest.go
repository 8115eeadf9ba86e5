package memory

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// preferences are what a person chose, and how far their daily mail has come.
type preferences struct {
	boardwatch.Preferences

	planned     time.Time // zero: not planned
	plannedHour int       // the installation's hour when it was planned
	day         string    // of the last mail that was begun
	until       time.Time // everything up to here has been told
}

// own makes sure that the account has preferences of its own.
func (a *account) own() *preferences {
	if a.preferences == nil {
		a.preferences = &preferences{Preferences: boardwatch.DefaultPreferences(a.ID)}
	}
	return a.preferences
}

// chosen are the account's preferences, or the default ones.
func (a *account) chosen() boardwatch.Preferences {
	if a.preferences == nil {
		return boardwatch.DefaultPreferences(a.ID)
	}
	return a.preferences.Preferences
}

// Preferences are the account's, or the default ones when it chose nothing.
func (s *Store) Preferences(_ context.Context, accountID string) (p boardwatch.Preferences, err error) {
	s.read(func(d *Database) {
		p = boardwatch.DefaultPreferences(accountID)
		if a, ok := d.accounts[accountID]; ok {
			p = a.chosen()
		}
	})
	return p, nil
}

// SavePreferences replaces the account's preferences.
func (s *Store) SavePreferences(ctx context.Context, p boardwatch.Preferences) error {
	return s.change(ctx, p.AccountID, func(d *Database, a *account) error {
		row := a.own()
		if p.Digest != row.Digest || p.DigestHour != row.DigestHour || p.TimeZone != row.TimeZone {
			row.planned = time.Time{}
		}
		if p.Digest && !row.Digest {
			row.until = d.now()
		}
		row.Preferences = p
		return nil
	})
}

// FeedToken is the token in the addresses of the account's feeds.
func (s *Store) FeedToken(_ context.Context, accountID string) (token string, err error) {
	s.read(func(d *Database) {
		if a, ok := d.accounts[accountID]; ok {
			token = a.feedToken
		}
	})
	return token, nil
}

// SetFeedToken replaces the token.
func (s *Store) SetFeedToken(ctx context.Context, accountID, token string) error {
	return s.change(ctx, accountID, func(_ *Database, a *account) error {
		a.feedToken = token
		return nil
	})
}

// AccountByFeed finds the account that a feed's token belongs to.
func (s *Store) AccountByFeed(_ context.Context, hash string) (boardwatch.Account, error) {
	return s.find(func(a *account) bool { return a.feedToken != "" && boardwatch.HashSecret(a.feedToken) == hash })
}

// mail is how far the account's daily mail has come.
func (a *account) mail() boardwatch.DueDigest {
	out := boardwatch.DueDigest{Account: a.Account, Preferences: a.chosen()}
	if p := a.preferences; p != nil {
		out.Planned, out.Day, out.Until = p.planned, p.day, p.until
	}
	return out
}

// mailDue reports whether the account's daily mail is due or has to be planned.
func (a *account) mailDue(now time.Time, hour int) bool {
	p := a.preferences
	return a.Verified && (p == nil || p.Digest && (!p.planned.After(now) || p.DigestHour < 0 && p.plannedHour != hour))
}

// DueDigests lists accounts whose daily mail is due or has to be planned.
func (s *Store) DueDigests(_ context.Context, now time.Time, hour, n int) (out []boardwatch.DueDigest, err error) {
	s.read(func(d *Database) {
		for _, a := range d.accounts {
			if a.mailDue(now, hour) {
				out = append(out, a.mail())
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.DueDigest) int {
		return cmp.Or(a.Planned.Compare(b.Planned), cmp.Compare(a.Account.ID, b.Account.ID))
	})
	return out[:min(n, len(out))], nil
}

// Digest is how far the account's daily mail has come.
func (s *Store) Digest(_ context.Context, accountID string) (out boardwatch.DueDigest, err error) {
	s.read(func(d *Database) {
		var a *account
		if a, err = d.account(accountID); err == nil {
			out = a.mail()
		}
	})
	return out, err
}

// PlanDigest says when the account's mail is due next.
func (s *Store) PlanDigest(ctx context.Context, accountID string, next time.Time, hour int) error {
	return s.change(ctx, accountID, func(_ *Database, a *account) error {
		p := a.own()
		p.planned, p.plannedHour = next, hour
		return nil
	})
}

// BeginDigest marks the mail of a day as begun and plans the next one.
func (s *Store) BeginDigest(ctx context.Context, accountID string, day boardwatch.DigestDay, again bool) (begun bool, err error) {
	err = s.change(ctx, accountID, func(_ *Database, a *account) error {
		p := a.own()
		if begun = p.Digest && (p.day < day.Date || again && p.day == day.Date); begun {
			p.day, p.planned = day.Date, day.Next
		}
		return nil
	})
	return begun, err
}

// EndDigest records that everything up to that moment has been told.
func (s *Store) EndDigest(ctx context.Context, accountID string, until time.Time) error {
	return s.change(ctx, accountID, func(_ *Database, a *account) error {
		if p := a.own(); p.until.Before(until) {
			p.until = until
		}
		return nil
	})
}

// UndoDigest takes back that a day's mail was begun.
func (s *Store) UndoDigest(ctx context.Context, accountID, day, before string, at time.Time) error {
	return s.change(ctx, accountID, func(_ *Database, a *account) error {
		if p := a.own(); p.day == day {
			p.day, p.planned = before, at
		}
		return nil
	})
}

// notice is that somebody is being told something, or has been.
type notice struct {
	accountID  string
	leaseUntil time.Time
	told       bool
}

// untold reports whether nobody has told a notice or is about to.
func (d *Database) untold(id string, now time.Time) bool {
	n, ok := d.notices[id]
	return !ok || !n.told && !n.leaseUntil.After(now)
}

// DueNotices lists up to n notices that nobody has been told yet.
func (s *Store) DueNotices(_ context.Context, now time.Time, n int) (out []boardwatch.Notice, err error) {
	s.read(func(d *Database) {
		for _, a := range d.accounts {
			if !a.Verified || !a.chosen().Notices {
				continue
			}
			for _, due := range append(a.webhookNotices(), d.boardNotices(a, now)...) {
				if d.untold(due.ID, now) {
					out = append(out, due)
				}
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Notice) int {
		return cmp.Or(cmp.Compare(a.Account.ID, b.Account.ID), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
	})
	return out[:min(n, len(out))], nil
}

// webhookNotices are about the account's webhooks that were switched off.
func (a *account) webhookNotices() (out []boardwatch.Notice) {
	for _, w := range a.webhooks {
		if hidden := w.hidden(); !w.DisabledAt.IsZero() {
			out = append(out, boardwatch.Notice{ID: "webhook:" + w.ID, Account: a.Account, Webhook: &hidden, Since: w.DisabledAt})
		}
	}
	return out
}

// boardNotices are about boards that have failed for long, and that the account has tracked as long.
func (d *Database) boardNotices(a *account, now time.Time) (out []boardwatch.Notice) {
	cut := now.Add(-boardwatch.FailingLong)
	for _, t := range d.active(a.ID, "") {
		since := t.Board.State.SickSince
		if since.IsZero() {
			since = t.Board.AddedAt
		}
		if t.Board.Status != boardwatch.BoardFailed || since.After(cut) || t.Subscription.AddedAt.After(cut) ||
			d.boards[t.Board.ID].readSince(cut) {
			continue
		}
		id := "board:" + a.ID + ":" + t.Board.ID + ":" + strconv.FormatInt(since.UnixMilli(), 10)
		out = append(out, boardwatch.Notice{ID: id, Account: a.Account, Board: &t, Since: since})
	}
	return out
}

// readSince reports whether a check has read the board after that moment.
func (b *board) readSince(at time.Time) bool {
	return slices.ContainsFunc(b.checks, func(c check) bool { return c.Health.Read() && (c.At.After(at) || c.LastAt.After(at)) })
}

// BeginNotice takes a notice on for that long.
func (s *Store) BeginNotice(ctx context.Context, n boardwatch.Notice, now time.Time, lease time.Duration) (begun bool, err error) {
	err = s.change(ctx, n.Account.ID, func(d *Database, _ *account) error {
		if begun = d.untold(n.ID, now); begun {
			d.notices[n.ID] = &notice{accountID: n.Account.ID, leaseUntil: now.Add(lease)}
		}
		return nil
	})
	return begun, err
}

// EndNotice records that the owner was told.
func (s *Store) EndNotice(ctx context.Context, n boardwatch.Notice, _ time.Time) error {
	return s.write(ctx, func(d *Database) error {
		if row, ok := d.notices[n.ID]; ok {
			row.told = true
		}
		return nil
	})
}
