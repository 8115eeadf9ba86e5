package boardwatch

import (
	"cmp"
	"slices"
	"time"
)

// Tracking is the lifecycle of a subscription.
type Tracking string

// The two states of a subscription.
const (
	TrackingActive Tracking = "active"
	TrackingLocked Tracking = "locked" // past the plan's limit: listed, not read
)

// Subscription is an account's claim on a board.
type Subscription struct {
	AccountID   string
	BoardID     string
	Plan        string // the name of the account's plan
	Locked      bool
	CompanyName string // the account's own name for the company, until the source has said the real one
	AddedAt     time.Time
	Seq         int64 // order of adding, for equal instants
	// AsOf is when a merge moved the subscription to its board, or when it was unlocked; zero if neither happened. For
	// its owner, the roles open on the board at that moment count as first seen then.
	AsOf time.Time
	Tags []string // words with which the account groups its boards
	// Since is when its owner began to watch the board: when it was added while there was room, or unlocked, or when a
	// merge moved the subscription from a board that was never read. Earlier changes are not news to them.
	Since time.Time
	// OpenThen is how many roles the board had then; -1 if it had not been read, or if this is not known.
	OpenThen int
}

// Begin returns the subscription of an account that begins to watch the board.
func (s Subscription) Begin(b Board, at time.Time) Subscription {
	s.Since, s.OpenThen = at, -1
	if b.WasRead() {
		s.OpenThen = b.OpenJobs
	}
	return s
}

// Joined returns the subscription combined with another of its owner after a merge: an owner who watched either board
// knows the changes since then.
func (s Subscription) Joined(other Subscription) Subscription {
	if other.Since.Before(s.Since) {
		s.Since, s.OpenThen = other.Since, other.OpenThen
	}
	return s
}

// Arrived reports whether a merge moved its owner to the board while they watched another one, so that the open roles
// there are news.
func (s Subscription) Arrived() bool { return s.AsOf.After(s.Since) }

// Sees returns a job of the board as the owner of the subscription sees it: a poller that asks for new roles gets,
// once, the roles that were open on the board when a merge moved the subscription to it, or when it was unlocked.
func (s Subscription) Sees(j Job) Job {
	if j.FirstSeenAt.Before(s.AsOf) && (j.Status == JobOpen || j.ClosedAt.After(s.AsOf)) {
		j.FirstSeenAt = s.AsOf
	}
	if j.LastSeenAt.Before(j.FirstSeenAt) {
		j.LastSeenAt = j.FirstSeenAt
	}
	return j
}

// Tracking is the published word for Locked.
func (s Subscription) Tracking() Tracking {
	if s.Locked {
		return TrackingLocked
	}
	return TrackingActive
}

// CompanyOf returns the company name that the subscriber sees.
func (s Subscription) CompanyOf(b Board) string {
	if b.Company != "" {
		return b.Company
	}
	return s.CompanyName
}

func (s Subscription) seq(o Subscription) int {
	return cmp.Or(cmp.Compare(s.Seq, o.Seq), cmp.Compare(s.BoardID, o.BoardID))
}

// Locked returns one account's subscriptions, oldest first, with those past the limit locked and all others active.
func Locked(subs []Subscription, limit int) []Subscription {
	out := slices.Clone(subs)
	sortSubscriptions(out)
	for i := range out {
		out[i].Locked = i >= limit
	}
	return out
}
