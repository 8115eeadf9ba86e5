//go:build chaos

package chaos_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// verdict collects every error found, by kind.
type verdict struct {
	kinds    []string
	findings map[string][]string

	closings, due, waiting int // roles that were closed, that had to be, and that have gone and may still be open
}

// The kinds, in the order of the table.
var findingKinds = []string{
	"never found", "invented", "stale", "twice in the store", "another id", openThoughGone, "closed though there",
	"closed too early", "closed on a sick reading", "closed while its fleet was sick", "closed without asking its page", "closed too late",
	"change not delivered", "change delivered twice", "delivery missing at a receiver", "failure without cause", "changed under one id", "not signed",
	"missed by a poller", "missed by an agent", "clock went backwards", "added and not there", "anything else",
}

func newVerdict() *verdict {
	return &verdict{kinds: findingKinds, findings: make(map[string][]string)}
}

func (v *verdict) add(kind, format string, args ...any) {
	v.findings[kind] = append(v.findings[kind], fmt.Sprintf(format, args...))
}

// comparison is the difference between the saved roles and what the sites show now.
type comparison struct {
	differences []difference
	jobs        map[string]map[string]storedJob // by account and address
}

// difference is one of them.
type difference struct {
	kind    string
	address string // of the role, if it is about one
	site    *site  // of a role that is open though it has gone
	text    string
}

// openThoughGone is the kind of difference that a hold explains.
const openThoughGone = "open though gone"

func (c *comparison) add(kind, address, format string, args ...any) {
	c.differences = append(c.differences, difference{kind: kind, address: address, text: address + fmt.Sprintf(format, args...)})
}

// settled reports whether nothing is left to wait for: roles of systems that certainly are held stay open.
func (w *world) settled(c *comparison) bool {
	return !slices.ContainsFunc(c.differences, func(d difference) bool {
		return d.kind != openThoughGone || !w.o.untimed && (d.site.vendor.Page || d.site.calm())
	})
}

// compare compares the store with the sites as they are now.
func (w *world) compare(ctx context.Context) *comparison {
	c := &comparison{jobs: make(map[string]map[string]storedJob)}
	w.compareList(ctx, c, owner, w.sites)
	for _, r := range w.readers {
		r.mu.Lock()
		added := append([]*site{}, r.added...)
		r.mu.Unlock()
		w.compareList(ctx, c, r.email, append(append([]*site{}, r.sites...), added...))
	}
	return c
}

func (w *world) compareList(ctx context.Context, c *comparison, email string, sites []*site) {
	jobs, twice, err := w.stored(ctx, email)
	if err != nil {
		c.add("anything else", "", "the roles of %s cannot be listed: %v", email, err)
		return
	}
	c.jobs[email] = jobs
	for _, address := range twice {
		c.add("twice in the store", address, "")
	}
	known := make(map[string]bool, len(jobs))
	for _, s := range sites {
		s.mu.Lock()
		for _, r := range s.roles {
			known[s.url(r)] = true
			w.compareRole(c, s, r, jobs)
		}
		s.mu.Unlock()
	}
	for address := range jobs {
		if !known[address] && !w.isLate(address) {
			c.add("invented", address, " of %s", email)
		}
	}
}

// isLate reports whether the address belongs to a board that may have been added although the answer was lost.
func (w *world) isLate(address string) bool {
	return slices.ContainsFunc(w.late, func(s *site) bool {
		return slices.ContainsFunc(s.roles, func(r *role) bool { return s.url(r) == address })
	})
}

func (w *world) compareRole(c *comparison, s *site, r *role, jobs map[string]storedJob) {
	address := s.url(r)
	j, saved := jobs[address]
	switch {
	case r.listed && !saved:
		c.add("never found", address, "")
	case r.listed && j.Status != "open":
		c.add("closed though there", address, "")
	case r.listed && (j.Title != r.title() || j.Location != r.place):
		c.add("stale", address, " is %q in %q, not %q in %q", r.title(), r.place, j.Title, j.Location)
	case !r.listed && saved && j.Status == "open":
		text := address + w.story(s, time.Now().Add(-2*time.Minute), time.Now())
		c.differences = append(c.differences, difference{openThoughGone, address, s, text})
	case !r.listed && !saved:
		for i, a := range s.answers {
			if a.kind == whole && r.shownIn(a.version) && w.certain(s, i) {
				c.add("never found", address, ", which was there at %s and has gone since%s", clock(a.at), w.story(s, a.at, a.at.Add(10*time.Second)))
				break
			}
		}
	}
}

// delivered reports whether all receivers have the same deliveries.
func (w *world) delivered() bool {
	first := len(w.hooks[0].deliveries())
	return !slices.ContainsFunc(w.hooks, func(h *hook) bool { return len(h.deliveries()) != first })
}

// judge compares everything, prints the table and fails if anything is wrong.
func (w *world) judge() {
	v := newVerdict()
	c := w.compare(w.t.Context())
	for _, p := range w.problems {
		v.add("anything else", "%s", p)
	}
	w.judgeClosings(v, c)
	w.judgeDeliveries(v, c)
	w.judgeReaders(v, c)
	w.judgeLogs(v)
	w.table(v)
}

// closings returns the times at which roles were closed, by address: as delivered, and as saved.
func (w *world) closings(c *comparison) map[string][]time.Time {
	out := make(map[string][]time.Time)
	add := func(address string, at time.Time) {
		if !slices.ContainsFunc(out[address], at.Equal) {
			out[address] = append(out[address], at)
		}
	}
	for _, d := range w.hooks[0].deliveries() {
		if d.kind == boardwatch.EventJobArchived {
			for _, j := range d.jobs {
				add(j.URL, j.ClosedAt)
			}
		}
	}
	for _, jobs := range c.jobs {
		for address, j := range jobs {
			if j.Status == "closed" {
				add(address, j.ClosedAt)
			}
		}
	}
	return out
}

// judgeClosings checks that every closing was right, and that every role that has gone was closed in time.
func (w *world) judgeClosings(v *verdict, c *comparison) {
	closings := w.closings(c)
	trials := make(map[*site]*trial)
	for _, s := range append(append([]*site{}, w.sites...), w.late...) {
		trials[s] = w.try(s, closings)
	}
	held := guards(trials)
	overdue := make(map[string]bool)
	for _, s := range w.sites {
		if w.o.untimed {
			break
		}
		t, g := trials[s], held[s.vendor.Name]
		for _, r := range s.roles {
			for _, at := range t.closed[r.n] {
				v.closings++
				w.judgeClosing(v, t, r, at, g)
			}
		}
		for _, due := range t.waits(g) {
			v.due++
			overdue[s.url(due.role)] = true
			if !t.closedBetween(due.role.n, due.seen, due.due.Add(2*time.Second)) && !w.truncated(s) {
				v.add("closed too late", "%s was last seen at %s and had to be closed at %s; it was closed at %v%s",
					s.url(due.role), clock(due.seen), clock(due.due), clocks(t.closed[due.role.n]), w.story(s, due.seen, due.due))
			}
		}
	}
	for _, d := range c.differences {
		if d.kind == openThoughGone && !overdue[d.address] {
			v.waiting++ // its hold, or that of its system, may go on
			continue
		}
		v.add(d.kind, "%s", d.text)
	}
}

func (w *world) judgeClosing(v *verdict, t *trial, r *role, at time.Time, g guard) {
	s := t.site
	l := t.lacked(r, at.Add(time.Millisecond))
	hold := closeHold
	if l.mass {
		hold = suspectHold
	}
	told := w.story(s, at.Add(-5*time.Minute), at)
	switch {
	case l.n < closeAfter:
		v.add("closed too early", "%s at %s, after %d answers without it%s", s.url(r), clock(at), l.n, told)
	case at.Before(l.first.Add(hold)):
		v.add("closed too early", "%s at %s, %s after the first answer without it%s", s.url(r), clock(at), at.Sub(l.first), told)
	case at.Before(t.returned(r, l.first, at)):
		v.add("closed too early", "%s at %s, before %s although another role had come back%s", s.url(r), clock(at), clock(t.returned(r, l.first, at)), told)
	}
	if !l.last {
		v.add("closed on a sick reading", "%s at %s%s", s.url(r), clock(at), told)
	}
	if passed(g.surely, at.Add(-12*time.Second)) {
		v.add("closed while its fleet was sick", "%s at %s", s.url(r), clock(at))
	}
	if l.n > 0 && !slices.ContainsFunc(r.visits, func(v visit) bool { return !v.there && v.at.After(l.first) && v.at.Before(at.Add(time.Second)) }) {
		v.add("closed without asking its page", "%s at %s, missed since %s%s", s.url(r), clock(at), clock(l.first), told)
	}
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05.000") }

func clocks(list []time.Time) string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = clock(t)
	}
	return strings.Join(texts, " ")
}

// truncated reports whether a delivery about the site left out roles, so that not every closing is known.
func (w *world) truncated(s *site) bool { return len(s.roles) > 100 }

// judgeReaders checks what pollers and agents have missed.
func (w *world) judgeReaders(v *verdict, c *comparison) {
	for _, r := range w.readers {
		if err := r.poller.failed(); err != nil {
			v.add("anything else", "the poller of %s: %v", r.email, err)
		}
		if r.poller.backwards > 0 {
			v.add("clock went backwards", "polledAt of %s, %d times", r.email, r.poller.backwards)
		}
		for address, j := range c.jobs[r.email] {
			if r.poller.seen[j.ID] == 0 {
				v.add("missed by a poller", "%s of %s, first seen at %s", address, r.email, clock(j.FirstSeenAt))
			}
			if ids := r.poller.urls[address]; len(ids) > 1 {
				v.add("another id", "%s had %d ids", address, len(ids))
			}
		}
		w.judgeAgent(v, r, c.jobs[r.email])
		for _, s := range r.added {
			if !slices.ContainsFunc(s.roles, func(role *role) bool { _, ok := c.jobs[r.email][s.url(role)]; return ok }) {
				v.add("added and not there", "%s", s.address)
			}
		}
	}
}

func (w *world) judgeAgent(v *verdict, r *reader, jobs map[string]storedJob) {
	a := r.agent
	if a == nil {
		return
	}
	if a.err != nil {
		v.add("anything else", "the agent of %s: %v", r.email, a.err)
	}
	if a.backwards > 0 {
		v.add("clock went backwards", "polledAt of the agent of %s, %d times", r.email, a.backwards)
	}
	for address, j := range jobs {
		if !a.found[j.ID] {
			v.add("missed by an agent", "%s, first seen at %s", address, clock(j.FirstSeenAt))
		}
		if j.Status == "closed" && !a.closed[j.ID] {
			v.add("missed by an agent", "%s, closed at %s", address, clock(j.ClosedAt))
		}
	}
}
