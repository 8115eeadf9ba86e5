package boardwatch

import (
	"hash/fnv"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// maxBackoff is the longest wait after failures, and the longest pause that a source can ask for.
const maxBackoff = 24 * time.Hour

// NextCheck returns the time of the next check, after a check that ended now. Boards with the same cadence are spread
// evenly over it, because each has its own place in the interval. After failures the wait doubles each time. It is
// never shorter than the pause that the source asked for; then other boards of the host go first. Zero means never.
func NextCheck(b Board, now time.Time) time.Time {
	if b.Cadence <= 0 {
		return time.Time{}
	}
	next := spread(b.ID, b.Cadence, now)
	if g := b.State.Gain; g != nil && !g.Other {
		next = now.Add(min(b.Cadence, gainWait))
	}
	if n := b.State.Failures(); n > 0 {
		next = now.Add(backoff(b.Cadence, n, maxBackoff))
	}
	if pause := b.State.pause(); next.Before(pause) {
		next = pause
	}
	return Milli(next)
}

// lastInLine is how long a board that its host has refused lets other boards of the host go first when the pause is over.
const lastInLine = time.Minute

// pause returns until when the source wants to be left alone. A board that was refused itself waits longer than those that
// kept away because of it, which are throttled, but were read before.
func (s BoardState) pause() time.Time {
	if s.RetryAfter.IsZero() || s.Failures() == 0 && (s.Health != HealthPartial || s.Cause == cause.Throttled) {
		return s.RetryAfter
	}
	return s.RetryAfter.Add(lastInLine)
}

// NextUnder returns when a board is due after its cadence has changed: at the time that the new cadence would have
// given after the last check, at once if that time has passed or the board was never checked, and never later than
// before. Zero means never.
func NextUnder(b Board, cadence time.Duration, now time.Time) time.Time {
	due := b.NextCheckAt
	b.Cadence = cadence
	if cadence == 0 {
		return time.Time{}
	}
	next := now
	if !b.State.LastCheckedAt.IsZero() {
		if n := NextCheck(b, b.State.LastCheckedAt); n.After(now) {
			next = n
		}
	}
	if !due.IsZero() && due.Before(next) {
		return due
	}
	return next
}

// backoff doubles the interval with each failure up to the limit; an interval above the limit stays as it is.
func backoff(interval time.Duration, failures int, limit time.Duration) time.Duration {
	wait := interval
	for range failures {
		if wait >= limit/2 {
			return max(interval, limit)
		}
		wait *= 2
	}
	return wait
}

// spread returns the next occurrence of the board's own place in the interval.
func spread(id string, interval time.Duration, now time.Time) time.Time {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	phase := int64(h.Sum64() % uint64(interval)) //nolint:gosec // both are positive
	since := (now.UnixNano() - phase) % int64(interval)
	if since < 0 {
		since += int64(interval)
	}
	return now.Add(interval - time.Duration(since))
}

// CheckOnDemand reports whether a board may be checked now, ahead of its schedule: at most once a minute, and not while
// the source asked for a pause or the board waits after failures. A last check in the future was made before the clock
// was set back, and does not count.
func CheckOnDemand(b Board, now time.Time) bool {
	if b.Cadence <= 0 || b.State.RetryAfter.After(now) {
		return false
	}
	if b.State.Failures() > 0 && b.NextCheckAt.After(now) {
		return false
	}
	since := now.Sub(b.State.LastCheckedAt)
	return since < 0 || since >= time.Minute
}

// Fresh reports whether a board is known well enough to answer for it immediately: it is ready, and was read within a
// day.
func Fresh(b Board, now time.Time) bool {
	return b.Status == BoardReady && !b.State.LastSuccessAt.IsZero() && now.Sub(b.State.LastSuccessAt) <= 24*time.Hour
}

// sortSubscriptions puts the oldest first.
func sortSubscriptions(subs []Subscription) {
	slices.SortFunc(subs, func(a, b Subscription) int {
		if c := a.AddedAt.Compare(b.AddedAt); c != 0 {
			return c
		}
		return a.seq(b)
	})
}
