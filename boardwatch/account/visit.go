package account

import "time"

// VisitGap is how long a person must not have looked at changes or roles for their next look to begin a new visit.
const VisitGap = time.Hour

// NewsReach is how far back what is new is counted.
const NewsReach = 30 * 24 * time.Hour

// Visits say what a person has seen of the changes on their boards.
type Visits struct {
	SeenAt time.Time // what happened until then was seen before the present visit
	LastAt time.Time // the last look; zero: there was none yet
}

// Mark returns the moment until which everything counts as seen. It stays the same during a visit, so that new things
// are marked as new until the visit ends. Zero means that the person has never looked.
func (v Visits) Mark(now time.Time) time.Time {
	if now.Sub(v.LastAt) >= VisitGap {
		return v.LastAt
	}
	return v.SeenAt
}

// Look returns the visits after a look at what is new. After the first look ever, nothing is new.
func (v Visits) Look(now time.Time) Visits {
	if v.LastAt.IsZero() {
		return Visits{now, now}
	}
	return Visits{v.Mark(now), now}
}
