//go:build chaos

package chaos_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The ledger's own rules for what may be closed when. They are derived from the promises and share no code with the
// service: if the ledger cannot know what the service saw, because a process was killed around that time, it assumes
// nothing.

// doubt is how long before the death of its process an answer may have been lost unsaved.
func (s *site) doubt() time.Duration {
	if s.pace == slow {
		return 12 * time.Second
	}
	return 3 * time.Second
}

// certain reports whether an answer in the ledger was certainly saved. An answer followed immediately by another does
// not count: a check may ask twice and uses the last answer. Nor do the first answers of a page, which may have served
// discovery, nor what only a browser can read while none was there to ask for it.
func (w *world) certain(s *site, i int) bool {
	a := s.answers[i]
	if s.vendor.Page && i < 3 || s.vendor.Name == "computed" && a.plain {
		return false
	}
	if a.process == nil || i+1 < len(s.answers) && s.answers[i+1].at.Sub(a.at) < s.pace.cadence()/2 {
		return false
	}
	if end := a.process.ended(); !end.IsZero() && end.Sub(a.at) < s.doubt() {
		return false
	}
	for _, o := range w.outages {
		if a.at.After(o.from.Add(-s.doubt())) && a.at.Before(o.to.Add(3*time.Second)) {
			return false
		}
	}
	return true
}

// shown returns the roles that an answer of the site showed.
func (s *site) shown(a answer) roleSet {
	if a.kind != whole {
		return a.shown
	}
	var numbers []int
	for _, r := range s.roles {
		if r.shownIn(a.version) {
			numbers = append(numbers, r.n)
		}
	}
	return setOf(numbers)
}

// trial is what can be concluded from the answers of one site: what each showed, and how the service may have taken it.
type trial struct {
	site    *site
	shown   []roleSet
	certain []bool
	mass    []bool              // it may have lost too many roles at once
	health  []health            // what it says about the site's system
	closed  map[int][]time.Time // when the service has closed roles, by number
}

// health is what an answer says about the system of its site.
type health int

const (
	well health = iota
	perhapsSick
	surelySick
)

// try finds out how the service may have taken the answers of a site.
func (w *world) try(s *site, closings map[string][]time.Time) *trial {
	t := &trial{site: s, closed: make(map[int][]time.Time)}
	for _, r := range s.roles {
		t.closed[r.n] = closings[s.url(r)]
	}
	seen, missed := make(map[int]time.Time), make(map[int]bool)
	last, stayed := -1, roleSet("") // the last list that was certainly saved, and what it and all since then showed
	for i, a := range s.answers {
		shown, certain := s.shown(a), w.certain(s, i)
		t.shown, t.certain = append(t.shown, shown), append(t.certain, certain)
		lost, anew := 0, false
		for _, r := range s.roles {
			if at, known := seen[r.n]; known && !shown.has(r.n) && !t.closedBetween(r.n, at, a.at) {
				lost++
				anew = anew || !missed[r.n]
			}
		}
		stayed = stayed.both(shown)
		kept, mass, state := stayed.len(), false, well
		switch {
		case !a.decides():
		case a.kind == sick:
			if state = perhapsSick; certain && last >= 0 {
				state = surelySick
			}
		default:
			mass = anew && (kept == 0 || lost > kept && lost+shown.len() >= 6)
			switch {
			case certain && last >= 0 && t.lostMost(last, i):
				state = surelySick
			case mass, lost > 1 && 5*lost >= lost+kept:
				state = perhapsSick
			}
			if certain {
				last, stayed = i, shown
			}
		}
		t.mass, t.health = append(t.mass, mass), append(t.health, state)
		for _, r := range s.roles {
			if shown.has(r.n) {
				seen[r.n], missed[r.n] = a.at, false
			} else if certain && a.kind != sick {
				missed[r.n] = true
			}
		}
	}
	return t
}

// closedBetween reports whether the service closed the role in that time.
func (t *trial) closedBetween(n int, from, to time.Time) bool {
	return slices.ContainsFunc(t.closed[n], func(at time.Time) bool { return !at.Before(from) && !at.After(to) })
}

// lostMost reports whether an answer certainly lost too many roles at once, whatever happened since an earlier one that was
// certainly saved: nothing is left, or less than half of what is open, of six or more.
func (t *trial) lostMost(earlier, i int) bool {
	var open []int
	for _, r := range t.site.roles {
		if t.shown[earlier].has(r.n) && !t.closedBetween(r.n, t.site.answers[earlier].at, t.site.answers[i].at) {
			open = append(open, r.n)
		}
	}
	before, now := setOf(open), t.shown[i]
	return before != "" && (now == "" || before.len() >= 6 && 2*before.both(now).len()+now.without(before).len() < before.len())
}

// guard is from when the guard of a hosted system may hold, and from when it certainly does. It never lets go in a run, which
// is shorter than the day for which its boards would have to be well.
type guard struct{ perhaps, surely time.Time }

// guards returns the guards of all systems whose sites have failed.
func guards(trials map[*site]*trial) map[string]guard {
	boards := make(map[string]int)
	perhaps, surely := make(map[string][]time.Time), make(map[string][]time.Time)
	first := func(t *trial, is func(health) bool, into map[string][]time.Time) {
		if i := slices.IndexFunc(t.health, is); i >= 0 {
			into[t.site.vendor.Name] = append(into[t.site.vendor.Name], t.site.answers[i].at)
		}
	}
	for s, t := range trials {
		if s.vendor.Page {
			continue
		}
		boards[s.vendor.Name]++
		first(t, func(h health) bool { return h != well }, perhaps)
		first(t, func(h health) bool { return h == surelySick }, surely)
	}
	nth := func(times []time.Time, n int) time.Time {
		if len(times) < n {
			return time.Time{}
		}
		slices.SortFunc(times, time.Time.Compare)
		return times[n-1]
	}
	out := make(map[string]guard)
	for name, n := range boards {
		out[name] = guard{nth(perhaps[name], max(3, n/20)), nth(surely[name], max(5, (n+9)/10))}
	}
	return out
}

// passed reports whether a moment that may never come came before another.
func passed(moment, at time.Time) bool { return !moment.IsZero() && moment.Before(at) }

// wait is the time between the moment from which a role had to be closed and the moment when it was closed.
type wait struct {
	role *role
	seen time.Time // the last answer that certainly showed it
	due  time.Time // when it had to be closed at the latest
}

// spare is how many more answers than the rule needs may pass before a role is closed.
const spare = 3

// waits returns the roles that had to be closed, and when. Where the service may have had a reason to wait longer, it is
// given that time: after a loss of many roles the longer hold, twice the longest absence from which a role may have come
// back, counted from when the last one came back, and for ever while the role's own page was still there.
func (t *trial) waits(g guard) []wait {
	type absence struct {
		since  time.Time // the first answer that may have missed it
		sure   time.Time // the first that did
		misses int
		spared int
	}
	s, hold, from := t.site, closeHold, time.Time{}
	away, seen, known := make(map[int]*absence), make(map[int]time.Time), roleSet("")
	var out []wait
	for i, a := range s.answers {
		if passed(g.perhaps, a.at) {
			break
		}
		if t.mass[i] {
			hold, from = max(hold, suspectHold), a.at
		}
		for _, r := range s.roles {
			if o := away[r.n]; o != nil && t.shown[i].has(r.n) {
				hold = max(hold, 2*(a.at.Sub(o.since)+s.doubt()))
				if 2*(a.at.Sub(o.since)+s.doubt()) >= closeHold {
					from = a.at
				}
			}
		}
		for _, r := range s.roles {
			switch o := away[r.n]; {
			case t.shown[i].has(r.n) && t.certain[i]:
				seen[r.n] = a.at
				delete(away, r.n)
			case t.shown[i].has(r.n): // perhaps not saved: the absence may go on, or begin anew
				if o != nil {
					o.sure, o.misses, o.spared = time.Time{}, 0, 0
				}
			case a.kind == sick || !known.has(r.n):
			default:
				if o == nil {
					o = &absence{since: a.at}
					away[r.n] = o
				}
				if !t.certain[i] || seen[r.n].IsZero() {
					break
				}
				if o.misses++; o.misses == 1 {
					o.sure = a.at
				}
				due := maxTime(o.sure, from).Add(hold)
				if o.misses < closeAfter || a.at.Before(due) || r.thereSince(o.since) {
					break
				}
				if o.spared++; o.spared == spare {
					out = append(out, wait{r, seen[r.n], a.at})
				}
			}
		}
		known = known.union(t.shown[i])
	}
	return out
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// thereSince reports whether anybody saw the role's own page since then.
func (r *role) thereSince(since time.Time) bool {
	return slices.ContainsFunc(r.visits, func(v visit) bool { return v.there && !v.at.Before(since) })
}

// lack is what was said without a role before it closed, since the last answer that certainly showed it.
type lack struct {
	n     int       // answers without it
	first time.Time // the first of them
	mass  bool      // all of them certainly lost too many roles at once
	last  bool      // the very last answer was one of them
}

// lacked finds the answers without a role before a moment. They include lies that nobody could recognise.
func (t *trial) lacked(r *role, before time.Time) lack {
	s := t.site
	var without []int
	from, l := -1, lack{}
	latest := true
	for i, a := range slices.Backward(s.answers) {
		if a.at.After(before) || !a.decides() {
			continue
		}
		lacks := a.kind != sick && !t.shown[i].has(r.n)
		if latest {
			l.last, latest = lacks && !t.recognised(i), false
		}
		if lacks {
			without = append(without, i)
		} else if t.certain[i] && t.shown[i].has(r.n) {
			from = i
			break
		}
	}
	if l.n = len(without); l.n == 0 {
		return l
	}
	l.first = s.answers[without[l.n-1]].at
	l.mass = from >= 0 && !slices.ContainsFunc(without, func(i int) bool { return !t.lostMost(from, i) })
	return l
}

// recognised reports whether the answer was a lie that lost too many roles shown so shortly before that the service must
// still have been waiting for them: nothing closes then.
func (t *trial) recognised(i int) bool {
	a := t.site.answers[i]
	for j := i - 1; j >= 0 && a.kind == lie && a.at.Sub(t.site.answers[j].at) < suspectHold; j-- {
		if t.certain[j] && t.site.answers[j].kind != sick && t.lostMost(j, i) {
			return true
		}
	}
	return false
}

// returned returns the latest moment until which the service had to wait with a role that was first missed then, because
// another role of its board had been away and came back. Only on calm sites is it known what the service has seen.
func (t *trial) returned(r *role, first, before time.Time) (until time.Time) {
	s := t.site
	if !s.calm() {
		return time.Time{}
	}
	for _, o := range s.roles {
		var since time.Time
		known := false
		for i, a := range s.answers {
			shown := t.shown[i].has(o.n)
			switch {
			case a.at.After(before) || o == r:
			case !t.certain[i]:
				if shown {
					since = time.Time{} // perhaps it came back, and what follows is another absence
				}
			case !shown:
				if known && since.IsZero() {
					since = a.at
				}
			case since.IsZero():
				known = true
			default:
				if hold := 2 * (a.at.Sub(since) - s.doubt()); hold > closeHold && !t.closedBetween(o.n, since, a.at) {
					until = maxTime(until, maxTime(first, a.at.Add(-s.doubt())).Add(hold))
				}
				since = time.Time{}
			}
		}
	}
	return until
}

// story describes the answers of a site between two moments.
func (w *world) story(s *site, from, to time.Time) string {
	var b strings.Builder
	for i, a := range s.answers {
		if a.at.Before(from.Add(-time.Second)) || a.at.After(to.Add(time.Second)) {
			continue
		}
		by, doubt := "nobody", ""
		if a.plain {
			doubt = ", without a browser"
		}
		if a.process != nil {
			by = a.process.slot.name
		}
		if !w.certain(s, i) {
			doubt += ", perhaps lost"
		}
		fmt.Fprintf(&b, "; %s v%d %s to %s%s", clock(a.at), a.version, cmp.Or(a.fault, "whole"), by, doubt)
	}
	return b.String()
}
