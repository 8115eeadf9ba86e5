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
	Plan        PlanName // of the account
	Locked      bool
	CompanyName string // the account's own name for the company, until the source has said the real one
	AddedAt     time.Time
	Seq         int64 // order of adding, for equal instants
	// AsOf is when a merge moved the subscription to its board, or when it was unlocked; zero when neither happened. To its
	// owner, the roles that were open on the board then were first seen at that moment.
	AsOf time.Time
	Tags []string // words by which the account sorts its boards
}

// Sees is a job of the board as the owner of the subscription sees it: who polls for what is new since an earlier moment
// is told once what was open on the board when a merge brought them to it, or when it was unlocked.
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

// CompanyOf is the company name that the subscriber sees.
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
