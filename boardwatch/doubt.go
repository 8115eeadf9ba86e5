package boardwatch

import (
	"cmp"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// verdict is the judgement of the rules about a reading.
type verdict struct {
	Rules

	Health    Health
	Counts    bool      // the absence of a role from the reading counts towards closing it
	FleetHold bool      // the reading is healthy, but its system is sick: no absence counts, and those before are forgotten
	MassLoss  bool      // it lost too many roles at once
	Since     time.Time // the last healthy check before this one: the LastSeenAt of every role that it saw
}

// sickMemory is how long a board must be healthy before it no longer counts as a sign that its system is sick.
const sickMemory = 24 * time.Hour

// judge decides how far a reading can be trusted, given the open jobs and what the board remembers. It returns the
// verdict and the state to remember; Decide fills in what depends on the change.
func (in CheckInput) judge(who identity, r Reading, fleetHold bool, rules Rules) (verdict, BoardState) {
	last, now := in.Board.State, in.Now
	next := last
	next.LastCheckedAt = now
	r = next.habit(r).standing(who).explained()
	next.Health, next.Cause, next.Reason = r.Health, r.Cause, r.Reason
	next.RetryAfter = r.quietUntil(now)
	runs, failures := 0, last.Failures()
	if last.Health == HealthPartial {
		runs = next.BadRuns // as habit has left it
	}
	next.BadRuns, next.UnknownRuns = 0, 0
	next.Taught = cmp.Or(r.Taught, last.Taught)
	if r.Unknown {
		next.UnknownRuns = last.UnknownRuns + 1
	}
	v := verdict{Rules: rules, Since: last.LastSuccessAt}
	sick := true
	switch r.Health {
	case HealthOK:
		loss := in.loss(who, r)
		v.MassLoss, sick = loss.mass(), loss.all().large()
		v.Counts, v.FleetHold = !fleetHold, fleetHold
		if waiting := in.waiting(who, r, v); waiting > 0 {
			next.suspect(cause.MassLoss, "too many roles vanished at once ("+itoa(waiting)+
				"): waiting to see whether they stay away before any of them counts as closed")
		}
	case HealthPartial:
		next.BadRuns = runs + 1
	default: // blocked, failed; a reader that says anything else is not trusted either
		if r.Health != HealthBlocked {
			next.Health = HealthFailed
		}
		next.BadRuns = failures + 1
	}
	if next.gained(in, who, r) {
		v.Counts = false
	}
	v.Health = next.Health
	next.settle(r, last, sick || next.Health != HealthOK)
	return v, next
}

// suspect marks the board as suspect.
func (s *BoardState) suspect(cause cause.Cause, reason string) {
	s.Health, s.Cause, s.Reason = HealthSuspect, cause, reason
}

// settle records what follows from the verdict for the next check.
func (s *BoardState) settle(r Reading, last BoardState, sick bool) {
	now := s.LastCheckedAt
	if s.Health == HealthOK {
		s.LastSuccessAt = now
		s.Cause, s.Reason = "", ""
	}
	switch {
	case sick && (s.SickSince.IsZero() || !s.WellSince.IsZero()) && !last.LastSuccessAt.IsZero():
		s.SickSince, s.WellSince = now, time.Time{}
	case !sick && s.WellSince.IsZero() && !s.SickSince.IsZero():
		s.WellSince = now
	case !sick && now.Sub(s.WellSince) >= sickMemory:
		s.SickSince, s.WellSince = time.Time{}, time.Time{}
	}
	if s.Health.Read() {
		// A later answer must not refer to a doubtful one.
		s.Fingerprint = ""
		if s.Health == HealthOK {
			s.Fingerprint = r.Fingerprint
		}
		if !r.Unchanged {
			s.Shortcut, s.Took = r.Shortcut, r.Took
		}
	}
}

// keys returns the keys of all rows, whether they can be shown or not.
func (r Reading) keys() map[string]bool {
	keys := make(map[string]bool, len(r.Postings)+len(r.Present))
	for _, p := range r.Postings {
		keys[p.Key] = true
	}
	for _, key := range r.Present {
		keys[key] = true
	}
	return keys
}

// present returns the keys of all roles that the reading shows in any way.
func (w identity) present(r Reading) map[string]bool {
	keys := r.keys()
	for _, key := range w.covered {
		keys[key] = true
	}
	return keys
}

// loss counts the roles that a reading does not show, and says how many there were.
type loss struct {
	of, lost      int // that no healthy reading has missed yet
	open, nowhere int // all that are open
}

// loss compares the reading with the roles that were open until now, whatever reading found them.
func (in CheckInput) loss(who identity, r Reading) loss {
	l := loss{of: r.unnamed, open: r.unnamed}
	present := who.present(r)
	for _, j := range who.known {
		if j.Status != JobOpen {
			continue
		}
		l.open++
		gone := !present[j.Key]
		if gone {
			l.nowhere++
		}
		if j.MissedSince.IsZero() {
			l.of++
			if gone {
				l.lost++
			}
		}
	}
	return l
}

// all is the same of all open roles, whether they have been missed before or not.
func (l loss) all() loss { return loss{of: l.open, lost: l.nowhere} }

// mass reports whether so large a loss is unlikely on a board that was read correctly, be it at once or step by step.
func (l loss) mass() bool {
	return l.lost > 0 && (l.lost == l.of || l.of >= 6 && 2*l.lost > l.of || l.open >= 6 && 2*l.nowhere > l.open)
}

// large reports whether the loss is a sign that the board's system may be sick, if other boards lose as much.
func (l loss) large() bool { return l.lost > 1 && 5*l.lost >= l.of || l.mass() }

// waiting counts the roles lost in a mass loss that wait for its hold, with this reading.
func (in CheckInput) waiting(who identity, r Reading, v verdict) (n int) {
	present := who.present(r)
	for _, j := range who.known {
		if j.Status != JobOpen || present[j.Key] {
			continue
		}
		if j.MissedSince.IsZero() {
			j.MassLoss, j.MissedSince = v.MassLoss, in.Now
		}
		if j.MassLoss && in.Now.Before(v.holdEnds(j, in.Board.State, in.Now)) {
			n++
		}
	}
	return n
}

// Gain is what a reading showed that gained too much. It is kept back until another reading shows it again.
type Gain struct {
	Since  time.Time `json:"since"`  // the first reading that showed it
	Sketch []uint32  `json:"sketch"` // the smallest hashes of its roles
	Other  bool      `json:"other"`  // the company's name changed as well
}

const (
	sketchSize = 64
	// gainWait is the longest wait for the reading that confirms a gain.
	gainWait = time.Hour
)

// gained decides whether what the reading found is kept back: none of the known roles is on it though it has some, or it
// has more than three times as many as were open and at least fifty more. Another reading has to show at least half of it
// again, at least one cadence or an hour later. If none does, or if the company's name changed too, the hold of a mass
// loss is long enough.
func (s *BoardState) gained(in CheckInput, who identity, r Reading) bool {
	if !s.Health.Read() {
		return false // it says nothing about what is kept back
	}
	gain := s.Gain
	s.Gain = nil
	if r.Unchanged || !in.Board.WasRead() || in.first(s.Health) {
		return false
	}
	other := r.Company != "" && in.Board.Company != "" && fold(r.Company) != fold(in.Board.Company)
	titles := make(map[string]string, len(who.known)) // of open roles
	open := 0
	for _, j := range who.known {
		if j.Status == JobOpen {
			open++
			titles[j.Key] = j.Title
		}
	}
	var fresh []Posting
	for _, p := range r.Postings {
		// The ids of one company may be those of another.
		if title, ok := titles[p.Key]; !ok || other && !sameTitle(title, p.Title) {
			fresh = append(fresh, p)
		}
	}
	replaced := open > 0 && len(fresh) > 0 && len(fresh) == len(r.Postings) && len(r.Present)+len(who.covered) == 0
	flooded := len(r.Postings) > 3*open && len(r.Postings)-open >= 50
	if !replaced && !flooded {
		return false
	}
	now := Gain{Since: in.Now, Sketch: sketch(fresh), Other: other}
	if gain != nil {
		wait := in.rules.SuspectHold
		if now.confirms(*gain) && !now.Other {
			wait = min(in.Board.Cadence, gainWait)
		}
		if in.Now.Sub(gain.Since) >= wait {
			return false
		}
		now.Since = gain.Since
	}
	s.Gain = &now
	if s.Health == HealthPartial {
		return true // its own reason says more
	}
	if replaced {
		s.suspect(cause.Replaced, "none of the known roles is listed any more, but "+itoa(len(fresh))+" others are: waiting for another reading before they are reported")
	} else {
		s.suspect(cause.Flooded, itoa(len(fresh))+" new roles at once, where "+itoa(open)+" were open: waiting for another reading before they are reported")
	}
	return true
}

// sketch returns the smallest hashes of the postings' titles and places, which stay the same under other addresses.
func sketch(postings []Posting) []uint32 {
	hashes := make([]uint32, len(postings))
	for i, p := range postings {
		hashes[i] = p.hash()
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	return hashes[:min(len(hashes), sketchSize)]
}

// confirms reports whether at least half of what the earlier reading showed is there again, as far as the sketches tell.
func (g Gain) confirms(earlier Gain) bool {
	again := 0
	for _, h := range earlier.Sketch {
		if _, ok := slices.BinarySearch(g.Sketch, h); ok {
			again++
		}
	}
	return 2*again >= len(earlier.Sketch)
}

// habitRuns is how many readings in a row must claim the same number of roles too many, with the end of the list seen,
// before the claim is taken for a habit of the vendor.
const habitRuns = 10

// habit returns the reading as healthy if all that is wrong with it is a count that is always too high by as many.
func (s *BoardState) habit(r Reading) Reading {
	over := 0
	if r.Health == HealthPartial && r.Cause == cause.FewerThanClaimed && r.EndSeen {
		over = r.Claimed - len(r.Postings) - len(r.Present)
	}
	switch {
	case r.Unchanged || !r.Health.Read():
	case over == 0:
		s.Overcount = 0
	case over != s.Overcount:
		if s.Overcount = over; s.Health == HealthPartial {
			s.BadRuns = 0
		}
	case s.Health == HealthPartial && s.BadRuns >= habitRuns || s.Health == HealthOK || s.Health == HealthSuspect:
		r.Health, r.Cause, r.Reason = HealthOK, "", ""
	}
	return r
}
