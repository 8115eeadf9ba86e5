package boardwatch

import (
	"context"
	"time"
)

// FailingLong is how long a board must have been failing before its trackers are notified.
const FailingLong = 72 * time.Hour

// DigestDay is the occurrence of the daily mail that is the last one due.
type DigestDay struct {
	Date string    // the day in the person's time zone, such as 2026-11-20
	At   time.Time // when it was due
	Next time.Time // when the next one will be
}

// DigestAt returns the daily mail's last occurrence that is not after now. hour is the installation's own, for people
// who have not chosen one. On a day on which the clock skips that hour, the mail is due at the moment of the change. On
// a day that has the hour twice, it is due the first time.
func (p Preferences) DigestAt(now time.Time, hour int) DigestDay {
	if p.DigestHour >= 0 && p.DigestHour <= 23 {
		hour = p.DigestHour
	}
	loc := p.Location()
	y, m, d := now.In(loc).Date()
	at := hourOf(y, m, d, hour, loc)
	if at.After(now) {
		next := at
		d--
		at = hourOf(y, m, d, hour, loc)
		return DigestDay{Date: date(y, m, d), At: at, Next: next}
	}
	return DigestDay{Date: date(y, m, d), At: at, Next: hourOf(y, m, d+1, hour, loc)}
}

func date(y int, m time.Month, d int) string {
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// hourOf is the first moment of a day at which its clock shows the hour or a later one. It counts minutes from a moment
// that is certainly earlier, which works for changes of half an hour and for days that begin at one o'clock.
func hourOf(y int, m time.Month, d, hour int, loc *time.Location) time.Time {
	want := time.Date(y, m, d, hour, 0, 0, 0, time.UTC) // as a wall clock that never changes
	wall := func(t time.Time) time.Time {
		_, offset := t.In(loc).Zone()
		return t.UTC().Add(time.Duration(offset) * time.Second)
	}
	guess := time.Date(y, m, d, hour, 0, 0, 0, loc)
	t := guess.Add(-4 * time.Hour).Truncate(time.Minute)
	for wall(t).Before(want) {
		t = t.Add(time.Minute)
	}
	return t.UTC()
}

// DueDigest is an account whose daily mail is due, or not planned yet.
type DueDigest struct {
	Account     Account
	Preferences Preferences
	Planned     time.Time // when it was due; zero: not planned yet
	Day         string    // the day of the last mail that was begun; empty: none
	Until       time.Time // the last mail has told everything up to here
}

// Notice is something that an account's owner should be told once.
type Notice struct {
	ID      string // tells this notice from all others, also in another process
	Account Account
	Webhook *Webhook      // it was switched off; without its secret
	Board   *TrackedBoard // it has failed for FailingLong
	Since   time.Time     // since when
}

// DigestStore is what the daily mail and notices need from a store.
type DigestStore interface {
	FeedStore
	SearchStore
	// DueDigests lists up to n accounts with a confirmed address that want the daily mail and for which it is due, or
	// not planned yet, or planned for another hour than the installation's is now.
	DueDigests(ctx context.Context, now time.Time, hour, n int) ([]DueDigest, error)
	// Digest returns the account's state, whether its mail is due or not. An unknown account is a not_found error.
	Digest(ctx context.Context, accountID string) (DueDigest, error)
	// PlanDigest sets when the account's mail is due next. hour is the installation's.
	PlanDigest(ctx context.Context, accountID string, next time.Time, hour int) error
	// BeginDigest marks the mail of a day as begun and plans the next one. It reports false, and changes nothing, if
	// the mail of the same or a later day was begun before. again allows the same day once more.
	BeginDigest(ctx context.Context, accountID string, day DigestDay, again bool) (bool, error)
	// EndDigest records that everything up to that moment was sent.
	EndDigest(ctx context.Context, accountID string, until time.Time) error
	// UndoDigest undoes BeginDigest for a mail that was certainly not sent. The mail is due again at that time.
	UndoDigest(ctx context.Context, accountID, day, before string, at time.Time) error
	// CreateLink saves the link that ends the daily mail.
	CreateLink(ctx context.Context, l Link) error
	// Now is the store's clock: the one that every stamp comes from.
	Now(ctx context.Context) (time.Time, error)

	// DueNotices lists up to n notices that were not sent yet.
	DueNotices(ctx context.Context, now time.Time, n int) ([]Notice, error)
	// BeginNotice reserves a notice for that long. It reports false if another process has reserved it, or if it was
	// sent meanwhile.
	BeginNotice(ctx context.Context, n Notice, now time.Time, lease time.Duration) (bool, error)
	// EndNotice records that the notice was sent.
	EndNotice(ctx context.Context, n Notice, now time.Time) error
}
