//go:build simulate

package simulate_test

import (
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// answer is the answer to one request for a list. There are millions of them, so it is small: lists change at whole
// seconds.
type answer struct {
	second uint32 // since the world began
	kind   answerKind
}

func answeredAt(at time.Time, kind answerKind) answer {
	return answer{uint32(at.Sub(begin) / time.Second), kind}
}

func (a answer) at() time.Time { return begin.Add(time.Duration(a.second) * time.Second) }

type answerKind byte

const (
	whole answerKind = iota // the list as it is
	lie                     // a well-formed list that lacks existing roles
	sick                    // anything else
)

// closeAfter is how many complete answers without a role close it.
const closeAfter = 3

// observe records the result of a check in the ledger, and judges its closings.
func (w *world) observe(r watch.CheckReport) {
	c := w.bySource[r.Board.Source]
	if c == nil {
		w.find("a board that nobody has", "%s", r.Board.Source)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	heard := c.heard
	c.heard = nil
	if r.Err != nil {
		w.broken.Add(1)
		return
	}
	w.checks.Add(1)
	if heard != nil {
		c.answers = append(c.answers, *heard)
	}
	if r.Unchanged {
		return
	}
	w.changes.Add(int64(len(r.Change.Found) + len(r.Change.Reopened) + len(r.Change.Closed) + len(r.Change.Updated)))
	for _, j := range r.Change.Closed {
		w.closings.Add(1)
		if n := c.absences(j.URL); n < closeAfter {
			w.find("closed too early", "%s, after %d whole answers without it", j.URL, n)
		}
	}
}

// absences counts the latest consecutive complete answers that did not show the role at an address.
func (c *company) absences(url string) (count int) {
	n, known := c.number(url)
	for _, a := range slices.Backward(c.answers) {
		if a.kind != whole {
			continue
		}
		if known && slices.ContainsFunc(c.shows(a.at()), func(s spell) bool { return s.n == n }) {
			break
		}
		count++
	}
	return count
}

// number returns the number of the role at an address.
func (c *company) number(url string) (n int, known bool) {
	for n := range c.desks * mostHeirs {
		if c.vendor.Role(c.token, n) == url {
			return n, true
		}
	}
	return 0, false
}

// known is what the ledger knows about a role.
type known struct {
	title  string // as last shown in a complete answer
	newer  string // as shown since then in an answer that lacks other roles, whose titles are still right
	open   bool   // in the last whole answer
	absent int    // complete answers since it was last shown that certainly count
	since  time.Time
}

// roles returns all roles that were ever shown in a complete answer, by address. doubtful says that so many vanished at
// once from the board that waiting was right.
func (c *company) roles() (roles map[string]known, doubtful bool) {
	roles = make(map[string]known)
	before := 0
	for _, a := range c.answers {
		if a.kind != whole {
			c.renew(roles, a.at())
			continue
		}
		shown := make(map[string]bool)
		for _, s := range c.shows(a.at()) {
			r := c.role(s)
			url := c.vendor.Role(c.token, s.n)
			shown[url] = true
			roles[url] = known{title: r.Title, open: true}
		}
		lost, counts := 0, !c.vendor.shadowed(a.at())
		for url, k := range roles {
			if shown[url] {
				continue
			}
			if k.open {
				lost++
				k.since = a.at()
			}
			k.open = false
			if counts {
				k.absent++
			}
			roles[url] = k
		}
		doubtful = doubtful || lost > 0 && (lost == before || before >= 6 && 2*lost > before)
		before = len(shown)
	}
	return roles, doubtful
}

// renew records the titles of roles at the moment of an incomplete answer.
func (c *company) renew(roles map[string]known, at time.Time) {
	for _, s := range c.shows(at) {
		url := c.vendor.Role(c.token, s.n)
		if k, shown := roles[url]; shown {
			k.newer = c.role(s).Title
			roles[url] = k
		}
	}
}

// compare judges the store's content for a board by what the board has shown.
func (w *world) compare(c *company, jobs []boardwatch.Job) {
	roles, doubtful := c.roles()
	w.roles.Add(int64(len(roles)))
	stored := make(map[string]bool, len(jobs))
	for _, j := range jobs {
		if stored[j.URL] {
			w.find("twice in the store", "%s", j.URL)
		}
		stored[j.URL] = true
		k, shown := roles[j.URL]
		switch {
		case !shown && !c.maybeShown(j.URL):
			w.find("invented", "%s", j.URL)
		case !shown:
		case k.open && j.Status != boardwatch.JobOpen:
			w.find("closed though there", "%s", j.URL)
		case k.open && j.Title != k.title && j.Title != k.newer:
			w.find("stale", "%s is %q, not %q", j.URL, j.Title, k.title)
		case !k.open && j.Status == boardwatch.JobOpen && c.overdue(k, doubtful):
			w.find("open though gone", "%s, after %d whole answers without it since %s", j.URL, k.absent, k.since)
		}
	}
	for url := range roles {
		if !stored[url] {
			w.find("never found", "%s", url)
		}
	}
}

// overdue reports whether a role that is gone should be closed by now, allowing one extra complete answer.
func (c *company) overdue(k known, doubtful bool) bool {
	if doubtful { // absences only count after a day and three more answers
		return k.absent > 2*closeAfter+2 && c.lastWhole().Sub(k.since) > 48*time.Hour
	}
	return k.absent > closeAfter
}

func (c *company) lastWhole() (at time.Time) {
	for _, a := range c.answers {
		if a.kind == whole {
			at = a.at()
		}
	}
	return at
}

// maybeShown reports whether the role at an address exists at all: lies also show some of the existing roles.
func (c *company) maybeShown(url string) bool {
	_, known := c.number(url)
	return known && slices.ContainsFunc(c.answers, func(a answer) bool { return a.kind != whole })
}
