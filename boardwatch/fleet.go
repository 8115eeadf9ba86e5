package boardwatch

import (
	"slices"
	"time"
)

// FleetReading says how the last check of one board of a hosted system went.
type FleetReading struct {
	BoardID string
	System  string
	At      time.Time
	// SickSince is when the board stopped being healthy or lost a fifth of its roles; zero if it did not.
	SickSince time.Time
	// WellSince is the first healthy check after that; zero while the board is sick.
	WellSince time.Time
}

// Fleet returns the reading as the fleet guard needs it.
func (b Board) Fleet() FleetReading {
	s := b.State
	return FleetReading{BoardID: b.ID, System: b.System(), At: s.LastCheckedAt, SickSince: s.SickSince, WellSince: s.WellSince}
}

// sickFor is how long a failing board counts as a sign that its system is sick. After that, the board itself is assumed
// to be the problem.
const sickFor = 30 * 24 * time.Hour

// FleetHold reports whether so many boards of one hosted system became sick at once that the system must be at fault.
// Then nothing closes on any of its boards, and absences begin anew afterwards. readings must contain every board that
// is sick, whenever it was read last, and all boards read within the window. Ordinary pages have nothing in common, so
// there is never a hold for them.
//
// There are two signs, which last until these boards have been healthy for a day. Of the boards read within one window, a
// share became sick. Or as many became sick within a day, and half of what was read within the last window is among them:
// the boards of a small system are read one after the other. If nothing was read lately, the latest of them speaks for some
// days.
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
		if !f.SickSince.IsZero() && now.Sub(f.SickSince) <= sickFor && (f.WellSince.IsZero() || now.Sub(f.WellSince) < sickMemory) {
			sick = append(sick, f)
		}
	}
	if len(sick) < rules.fleetBoards() {
		return false
	}
	slices.SortFunc(sick, func(a, b FleetReading) int { return a.SickSince.Compare(b.SickSince) })
	// Those that were not read lately, because they wait after a failure for example, are boards of the system as well.
	share := func(n, recent int) bool { return float64(n) >= rules.fleetShare()*float64(read+n-recent) }
	fresh := now.Sub(sick[len(sick)-1].SickSince) <= rules.SuspectHold
	half := func(_, recent int) bool { return 2*recent >= read && (recent > 0 || fresh) }
	return rules.crowded(sick, rules.Window(), now, share) || rules.crowded(sick, 24*time.Hour, now, half)
}

// crowded reports whether so many boards, given in the order in which they became sick, became sick within some period of
// that length that many holds for it. many is asked about at least FleetBoards of them, and told how many of them were
// read lately.
func (r Rules) crowded(sick []FleetReading, within time.Duration, now time.Time, many func(n, recent int) bool) bool {
	first, recent := 0, 0
	for i, f := range sick {
		if f.read(r, now) {
			recent++
		}
		for f.SickSince.Sub(sick[first].SickSince) > within {
			if sick[first].read(r, now) {
				recent--
			}
			first++
		}
		if n := i - first + 1; n >= r.fleetBoards() && many(n, recent) {
			return true
		}
	}
	return false
}

// read reports whether the board was read within the window.
func (f FleetReading) read(rules Rules, now time.Time) bool { return now.Sub(f.At) <= rules.Window() }
