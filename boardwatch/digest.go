package boardwatch

import (
	"context"
	"time"
)

// FailingLong is how long a board must have been failing before its trackers are notified.
const FailingLong = 72 * time.Hour

// DueDigest is an account whose daily mail is due, or not planned yet.
type DueDigest struct {
	Account     Account
	Preferences Preferences
	Planned     time.Time // when it was due; zero: not planned yet
	Day         string    // the day of the last mail that was begun; empty: none
	Until       time.Time // the last mail has covered everything up to here
}

// Notice is something that an account's owner is told once.
type Notice struct {
	ID      string // identifies the notice, the same in every process
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
	// Now returns the time of the store's clock, from which every stamp comes.
	Now(ctx context.Context) (time.Time, error)

	// DueNotices lists up to n notices that were not sent yet.
	DueNotices(ctx context.Context, now time.Time, n int) ([]Notice, error)
	// BeginNotice reserves a notice for that long. It reports false if another process has reserved it, or if it was
	// sent meanwhile.
	BeginNotice(ctx context.Context, n Notice, now time.Time, lease time.Duration) (bool, error)
	// EndNotice records that the notice was sent.
	EndNotice(ctx context.Context, n Notice, now time.Time) error
}
