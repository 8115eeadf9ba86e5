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
