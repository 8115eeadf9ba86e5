package boardwatch

import (
	"hash/fnv"
	"slices"
	"time"
)

// Rules are the settings that the rules of this package depend on. In the zero value every field has its default,
// except SuspectHold, where zero means no waiting. DefaultRules sets that too.
type Rules struct {
	CloseAfter    int           // counted absences in a row that close a role; 0 means 3, and it is never less than 2
	SuspectHold   time.Duration // how long vanished roles must stay away before a suspect board is healthy again
	SuspectChecks int           // further checks they must stay away; 0 means 3
	SuspectFrom   int           // the number of open roles from which losing more than half is suspect; 0 means 6

	// Fleet guard: FleetBoards boards of one system turned sick within FleetWindow and still are, and so are FleetShare of
	// those read within it.
	FleetBoards int           // 0 means 5
	FleetShare  float64       // 0 means 0.2
	FleetWindow time.Duration // 0 means 1 h

	RetrySchedule []time.Duration // waits between delivery attempts; nil means 1 m, 5 m, 30 m, 2 h, 12 h
	DisableAfter  time.Duration   // how long a webhook may fail without a success before it is switched off; 0 means 72 h
}

// DefaultRules returns the documented rules.
func DefaultRules() Rules { return Rules{SuspectHold: 24 * time.Hour} }

func (r Rules) closeAfter() int     { return max(2, orDefault(r.CloseAfter, 3)) }
func (r Rules) suspectChecks() int  { return orDefault(r.SuspectChecks, 3) }
func (r Rules) suspectFrom() int    { return orDefault(r.SuspectFrom, 6) }
func (r Rules) fleetBoards() int    { return orDefault(r.FleetBoards, 5) }
func (r Rules) fleetShare() float64 { return orDefault(r.FleetShare, 0.2) }
func (r Rules) disableAfter() time.Duration {
	return orDefault(r.DisableAfter, 72*time.Hour)
}

// Window is how far back the fleet guard looks.
func (r Rules) Window() time.Duration { return orDefault(r.FleetWindow, time.Hour) }

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// Cadence returns the interval at which a board is read: that of the fastest plan among its active subscribers. Zero
// means that nobody actively tracks the board.
func Cadence(subs []Subscription, plans Plans) time.Duration {
	var fastest time.Duration
	for _, s := range subs {
		if s.Locked {
			continue
		}
		if c := plans[s.Plan].Cadence; c > 0 && (fastest == 0 || c < fastest) {
			fastest = c
		}
	}
	return fastest
}

// maxBackoff is the longest wait after failures, and the longest pause that a source can ask for.
const maxBackoff = 24 * time.Hour

// NextCheck returns the time of the next check, after a check that ended now. Boards with the same cadence are spread
// evenly over it, because each has its own place in the interval. After failures the wait doubles each time. It is
// never shorter than the pause that the source asked for. Zero means never.
func NextCheck(b Board, now time.Time) time.Time {
	if b.Cadence <= 0 {
		return time.Time{}
	}
	next := spread(b.ID, b.Cadence, now)
	if n := b.State.Failures; n > 0 {
		next = now.Add(backoff(b.Cadence, n, maxBackoff))
	}
	if next.Before(b.State.RetryAfter) {
		next = b.State.RetryAfter
	}
	return Milli(next)
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
	if b.State.Failures > 0 && b.NextCheckAt.After(now) {
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

// sickFor is how long a failing board counts as a sign that its system is sick. After that, the board itself is assumed
// to be the problem.
const sickFor = 30 * 24 * time.Hour

// FleetHold reports whether so many boards of one hosted system became sick within one window that the system must be
// at fault. Then nothing may be closed on any of its boards. Only boards that are sick now count, so the hold lasts
// until enough of them have recovered. readings must contain every board that is sick, whenever it was read last, and
// all boards read within the window. Ordinary pages have nothing in common, so there is never a hold for them.
//
// A board stays sick until it is read again, which may be a day later. So boards that fell ill one by one over a day,
// each for itself, are many compared with what is read in an hour. Therefore the share is that of the boards read within
// the window that are sick, or that of boards that became sick within one window, never that of all sick boards.
func FleetHold(system string, readings []FleetReading, rules Rules, now time.Time) bool {
	if system == PageSystem || system == "" {
		return false
	}
	var sick []FleetReading
	read := 0
	for _, f := range readings {
		if f.System != system {
			continue
		}
		if f.read(rules, now) {
			read++
		}
		if !f.SickSince.IsZero() && now.Sub(f.SickSince) <= sickFor {
			sick = append(sick, f)
		}
	}
	if len(sick) < rules.fleetBoards() {
		return false
	}
	slices.SortFunc(sick, func(a, b FleetReading) int { return a.SickSince.Compare(b.SickSince) })
	for len(sick) > 0 {
		n := 1
		for n < len(sick) && sick[n].SickSince.Sub(sick[n-1].SickSince) <= rules.Window() {
			n++
		}
		if rules.outage(sick[:n], read, now) {
			return true
		}
		sick = sick[n:]
	}
	return false
}

// outage reports whether boards that became sick one after the other, given in this order, are a sign that their system
// is sick. read is how many boards of the system were read recently.
func (r Rules) outage(sick []FleetReading, read int, now time.Time) bool {
	several := false // so many became sick within one window
	recent := 0      // sick ones that were read recently
	first, away := 0, 0
	for i, f := range sick {
		if f.read(r, now) {
			recent++
		} else {
			away++
		}
		for f.SickSince.Sub(sick[first].SickSince) > r.Window() {
			if !sick[first].read(r, now) {
				away--
			}
			first++
		}
		// Those that were not read recently, because they wait after a failure for example, are boards of the system as well.
		n := i - first + 1
		if n >= r.fleetBoards() {
			several = true
		}
		if r.many(n, read+away) {
			return true
		}
	}
	return several && r.many(recent, read)
}

// many reports whether so many sick boards of all are a sign that their system is sick.
func (r Rules) many(sick, all int) bool {
	return sick >= r.fleetBoards() && float64(sick) >= r.fleetShare()*float64(all)
}

// read reports whether the board was read within the window.
func (f FleetReading) read(rules Rules, now time.Time) bool { return now.Sub(f.At) <= rules.Window() }

// sortSubscriptions puts the oldest first.
func sortSubscriptions(subs []Subscription) {
	slices.SortFunc(subs, func(a, b Subscription) int {
		if c := a.AddedAt.Compare(b.AddedAt); c != 0 {
			return c
		}
		return a.seq(b)
	})
}
