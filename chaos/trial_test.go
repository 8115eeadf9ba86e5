//go:build chaos

package chaos_test

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
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

// state is the state of a board at a moment: whether its reading is to be trusted.
type state struct {
	at   time.Time
	site *site
	sick bool
	sure bool // nothing else is possible
}

// trial is what can be concluded from the answers of one site.
type trial struct {
	site     *site
	states   []state
	counting []int  // answers that certainly count as absences of the roles they lack, unless the fleet's state forbids it
	believed []bool // for each answer, whether it may have been trusted
	held     beliefs
}

// try finds out which answers count. perhaps are the times in which the site's system may have been known to be sick.
func (w *world) try(s *site, perhaps []fleetSpan) *trial {
	t := &trial{site: s, held: beliefs{{}: true}}
	holds := []time.Duration{suspectHold}
	if w.o.untimed {
		holds = append(holds, 24*time.Hour) // stamps never go back, but the clock did
	}
	for i, a := range s.answers {
		sure := w.certain(s, i)
		next, some, all := t.held.after(a, s.shown(a), sure, s.inSickFleet(a.at, perhaps), holds...)
		t.held = next
		t.believed = append(t.believed, some)
		if some {
			t.states = append(t.states, state{a.at, s, false, sure && all})
		}
		if !all {
			t.states = append(t.states, state{a.at, s, true, sure && !some})
		}
		if a.kind == whole && sure && all {
			t.counting = append(t.counting, i)
		}
	}
	return t
}

// waited reports whether the site may still be under suspicion because too many roles vanished at once.
func (w *world) waited(s *site) bool {
	for b := range w.try(s, nil).held {
		if b.gone != "" {
			return true
		}
	}
	return false
}

// fleetSpan is a time in which a system was sick.
type fleetSpan struct{ from, to time.Time }

// spans returns the times in which at least that share of a system's boards was sick: certainly, or possibly.
func spans(states []state, boards int, share float64, least int, surely bool) []fleetSpan {
	sort.SliceStable(states, func(i, j int) bool { return states[i].at.Before(states[j].at) })
	sick := make(map[*site]bool)
	var out []fleetSpan
	inside := false
	for _, st := range states {
		switch {
		case st.sick && (st.sure || !surely):
			sick[st.site] = true
		case !st.sick && (st.sure || surely):
			delete(sick, st.site)
		}
		is := len(sick) >= least && float64(len(sick)) >= share*float64(boards)
		switch {
		case is && !inside:
			out = append(out, fleetSpan{st.at, st.at})
		case is:
			out[len(out)-1].to = st.at
		case inside:
			out[len(out)-1].to = st.at
		}
		inside = is
	}
	return out
}

// within reports whether a moment lies in one of the spans, extended or shortened at both ends.
func within(spans []fleetSpan, at time.Time, after, before time.Duration) bool {
	return slices.ContainsFunc(spans, func(s fleetSpan) bool { return at.After(s.from.Add(after)) && at.Before(s.to.Add(before)) })
}

// inSickFleet reports whether the service may have known at that moment that the site's system was sick.
func (s *site) inSickFleet(at time.Time, perhaps []fleetSpan) bool {
	return !s.vendor.Page && within(perhaps, at, -2*time.Second, 40*time.Second)
}

// wait is the time between the moment from which a role has to be closed and the moment when it was closed.
type wait struct {
	role *role
	seen time.Time // the last answer that certainly showed it
	due  time.Time // when enough absences had counted that it had to be closed
}

// waits returns the roles that must have been closed. perhaps are the times in which the fleet guard may have held.
func (w *world) waits(t *trial, perhaps []fleetSpan) []wait {
	s := t.site
	const need = closeAfter + 2
	counting := make(map[int]bool, len(t.counting))
	for _, i := range t.counting {
		counting[i] = true
	}
	absent := make(map[int]int)
	seen := make(map[int]time.Time)
	known := make(map[int]bool)
	told := make(map[int]bool)
	var out []wait
	for i, a := range s.answers {
		held := s.inSickFleet(a.at, perhaps)
		for _, r := range s.roles {
			switch {
			case r.shownIn(a.version):
				absent[r.n], told[r.n] = 0, false
				if counting[i] {
					known[r.n], seen[r.n] = true, a.at
				}
			case !known[r.n] || !counting[i]:
			default:
				if held {
					continue
				}
				if absent[r.n]++; absent[r.n] == need && !told[r.n] {
					told[r.n] = true
					out = append(out, wait{r, seen[r.n], a.at})
				}
			}
		}
	}
	return out
}

// lacked counts the possibly trusted answers without a role, before a moment and since the last answer that certainly
// showed it. missed says whether the very last answer was one of these. They include lies that nobody could recognise:
// small ones, until their whole system is known to be sick.
func (w *world) lacked(t *trial, r *role, before time.Time, sick []fleetSpan) (n int, missed bool) {
	s, first := t.site, true
	for i, a := range slices.Backward(s.answers) {
		if a.at.After(before) || !a.decides() {
			continue
		}
		there := r.shownIn(a.version)
		lacks := t.believed[i] && (!there || !s.shown(a).has(r.n) && (s.vendor.Page || !within(sick, a.at, 12*time.Second, 0)))
		if first {
			missed, first = lacks, false
		}
		switch {
		case lacks:
			n++
		case there && a.kind == whole && w.certain(s, i):
			return n, missed
		}
	}
	return n, missed
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
