package storage

import (
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// byTheClock corrects a result whose stamp is ahead of a clock that was set back. Its findings keep the stamp, because
// readers were promised that nothing new is earlier. Its plans follow the clock, or nothing would be checked or sent
// until the clock has caught up.
func byTheClock(r boardwatch.CheckResult, ahead time.Duration) boardwatch.CheckResult {
	if ahead <= 0 {
		return r
	}
	r.Board.NextCheckAt = earlier(r.Board.NextCheckAt, ahead)
	r.Board.State.RetryAfter = earlier(r.Board.State.RetryAfter, ahead)
	for i := range r.Deliveries {
		r.Deliveries[i].NextAttemptAt = earlier(r.Deliveries[i].NextAttemptAt, ahead)
	}
	return r
}

// earlier moves an instant back, unless it is zero.
func earlier(t time.Time, by time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(-by)
}
