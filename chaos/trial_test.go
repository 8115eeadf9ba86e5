//go:build chaos

package chaos_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
)

// The ledger's own idea of what may be closed when. It is written from the promises and shares no line with the service:
// where it cannot know what the service saw, because a process was killed around that time, it assumes nothing.

// doubt is how long before the death of its process an answer may not have been saved.
func (s *site) doubt() time.Duration {
	if s.pace == slow {
		return 12 * time.Second
	}
	return 3 * time.Second
}

// certain reports whether the answer at a place in the ledger has surely been saved. One that was followed by another at
// once was not: a check may ask twice, and the last answer is what it goes by. Nor were the first ones of a page, which may
// have served to find out what it is.
func (w *world) certain(s *site, i int) bool {
	a := s.answers[i]
	if s.vendor.page && i < 3 {
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

// shown is what the site showed in a version, by number of the role.
func (s *site) shown(version int) map[int]bool {
	set := make(map[int]bool)
	for _, r := range s.roles {
		if r.shownIn(version) {
			set[r.n] = true
		}
	}
	return set
}

// state is how a board was at a moment: whether its reading is one to trust.
type state struct {
	at   time.Time
	site *site
	sick bool
	sure bool // it was saved
}

// trial goes through the answers of one site.
type trial struct {
	site     *site
	base     map[int]bool // what the last trusted answer showed
	since    time.Time    // when a suspicion began
	further  int          // answers since
	states   []state
	counting []int // answers that count as absences of what they lack, unless the fleet's state forbids it
}

// try finds out which answers count.
func (w *world) try(s *site) *trial {
	t := &trial{site: s}
	for i, a := range s.answers {
		switch {
		case a.kind != whole:
			t.states = append(t.states, state{a.at, s, true, w.certain(s, i)})
		case !w.certain(s, i):
			t.states = append(t.states, state{a.at, s, false, false})
		case t.trusts(s.shown(a.version), a.at):
			t.states = append(t.states, state{a.at, s, false, true})
			t.counting = append(t.counting, i)
		default:
			t.states = append(t.states, state{a.at, s, true, true})
		}
	}
	return t
}

// trusts reports whether a list is one to trust after the last such one.
func (t *trial) trusts(set map[int]bool, at time.Time) bool {
	lost := 0
	for n := range t.base {
		if !set[n] {
			lost++
		}
	}
	massive := lost > 0 && (lost == len(t.base) || len(t.base) >= 6 && 2*lost > len(t.base))
	switch {
	case !massive:
		t.since, t.further = time.Time{}, 0
	case t.since.IsZero():
		t.since, t.further = at, 0
		return false
	default:
		if t.further++; t.further < 3 || at.Sub(t.since) < suspectHold {
			return false
		}
		t.since, t.further = time.Time{}, 0
	}
	t.base = set
	return true
}

// fleetSpan is a time in which a system was sick.
type fleetSpan struct{ from, to time.Time }

// spans are the times in which at least that share of a system's boards was sick: surely, or as far as one can know.
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

// within reports whether a moment lies in one of the spans, made longer or shorter at both ends.
func within(spans []fleetSpan, at time.Time, after, before time.Duration) bool {
	return slices.ContainsFunc(spans, func(s fleetSpan) bool { return at.After(s.from.Add(after)) && at.Before(s.to.Add(before)) })
}

// wait is the time between the moment from which a role has to be closed and the moment when it was.
type wait struct {
	role *role
	seen time.Time // the last answer that surely showed it
	due  time.Time // when so many had counted that it must be closed
}

// waits are the roles that must have been closed. perhaps are the times in which the fleet guard may have held.
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
		held := !s.vendor.page && within(perhaps, a.at, -2*time.Second, 40*time.Second)
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

// lacked counts the whole answers without a role before a moment, since the last that surely showed it.
func (w *world) lacked(s *site, r *role, before time.Time) (n int, last answerKind) {
	last = whole
	first := true
	for i, a := range slices.Backward(s.answers) {
		if a.at.After(before) {
			continue
		}
		if first {
			last, first = a.kind, false
		}
		switch {
		case a.kind != whole:
		case !r.shownIn(a.version):
			n++
		case w.certain(s, i):
			return n, last
		}
	}
	return n, last
}

// story tells the answers of a site between two moments.
func (s *site) story(from, to time.Time) string {
	var b strings.Builder
	for _, a := range s.answers {
		if a.at.Before(from.Add(-time.Second)) || a.at.After(to.Add(time.Second)) {
			continue
		}
		by := "nobody"
		if a.process != nil {
			by = a.process.slot.name
		}
		fmt.Fprintf(&b, "; %s %s v%d to %s", clock(a.at), [...]string{"whole", "lie", "sick"}[a.kind], a.version, by)
	}
	return b.String()
}
