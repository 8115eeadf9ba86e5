package track

import (
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// FailingLong is how long a board must have been failing before its trackers are notified.
const FailingLong = 72 * time.Hour

// DueDigest is an account whose daily mail is due, or not planned yet.
type DueDigest struct {
	Account     account.Account
	Preferences account.Preferences
	Planned     time.Time // when it was due; zero: not planned yet
	Day         string    // the day of the last mail that was begun; empty: none
	Until       time.Time // the last mail has covered everything up to here
}

// Notice is something that an account's owner is told once.
type Notice struct {
	ID      string // identifies the notice, the same in every process
	Account account.Account
	Webhook *boardwatch.Webhook // it was switched off; without its secret
	Board   *TrackedBoard       // it has failed for FailingLong
	Since   time.Time           // since when
}
