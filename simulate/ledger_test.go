//go:build simulate

package simulate_test

import (
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// answer is what one request for a list was answered with.
type answer struct {
	at   time.Time
	kind answerKind
}

type answerKind byte

const (
	whole answerKind = iota // the list as it is
	lie                     // a list in form that lacks roles which are there
	sick                    // anything else
)

// closeAfter is how many whole answers without a role close it.
const closeAfter = 3

// observe notes in the ledger what came of a check, and judges the closings in it.
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

// absences counts the whole answers in a row, up to the last, that did not show the role at an address.
func (c *company) absences(url string) (count int) {
	n, known := c.number(url)
	for _, a := range slices.Backward(c.answers) {
		if a.kind != whole {
			continue
		}
		if known && slices.ContainsFunc(c.shows(a.at), func(s spell) bool { return s.n == n }) {
			break
		}
		count++
	}
	return count
}

// number is that of the role at an address.
func (c *company) number(url string) (n int, known bool) {
	for n := range c.desks * mostHeirs {
		if c.vendor.Role(c.token, n) == url {
			return n, true
		}
	}
	return 0, false
}

// known is what the ledger says of a role.
type known struct {
	title  string // as shown last in a whole answer
	newer  string // as shown since in an answer that lacks other roles, which is no reason to doubt a title
	open   bool   // in the last whole answer
	absent int    // whole answers since it was shown last that surely count
	since  time.Time
}

// roles are all that were ever shown in a whole answer, by address. doubtful says that so many vanished at once from the
// board that it was right to wait.
func (c *company) roles() (roles map[string]known, doubtful bool) {
	roles = make(map[string]known)
	before := 0
	for _, a := range c.answers {
		if a.kind != whole {
			c.renew(roles, a.at)
			continue
		}
		shown := make(map[string]bool)
		for _, s := range c.shows(a.at) {
			r := c.role(s)
			url := c.vendor.Role(c.token, s.n)
			shown[url] = true
			roles[url] = known{title: r.Title, open: true}
		}
		lost, counts := 0, !c.vendor.shadowed(a.at)
		for url, k := range roles {
			if shown[url] {
				continue
			}
			if k.open {
				lost++
				k.since = a.at
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

// renew notes the titles of roles at the moment of an answer that was not whole.
func (c *company) renew(roles map[string]known, at time.Time) {
	for _, s := range c.shows(at) {
		url := c.vendor.Role(c.token, s.n)
		if k, shown := roles[url]; shown {
			k.newer = c.role(s).Title
			roles[url] = k
		}
	}
}

// compare judges what the store has of a board by what the board has shown.
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

// overdue reports whether a role that is gone should be closed by now, with one whole answer to spare.
func (c *company) overdue(k known, doubtful bool) bool {
	if doubtful { // a day and three more answers are waited before any absence counts
		return k.absent > 2*closeAfter+2 && c.lastWhole().Sub(k.since) > 48*time.Hour
	}
	return k.absent > closeAfter
}

func (c *company) lastWhole() (at time.Time) {
	for _, a := range c.answers {
		if a.kind == whole {
			at = a.at
		}
	}
	return at
}

// maybeShown reports whether the role at an address exists at all: lies show some of what is there too.
func (c *company) maybeShown(url string) bool {
	_, known := c.number(url)
	return known && slices.ContainsFunc(c.answers, func(a answer) bool { return a.kind != whole })
}
