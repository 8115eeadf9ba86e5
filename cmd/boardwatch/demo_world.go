package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"slices"
	"sync/atomic"
	"time"
)

const (
	demoPastDays = 90               // that the companies have behind them when the demo begins
	demoDay      = 40 * time.Second // how long one of their days takes from then on
	demoWaves    = 1000             // added to counts of past laps and cycles, which are below zero
)

// demoWorld is the invented companies and their time. Until the demo began their days were as long as ours; since then
// they pass quickly, so that things happen while somebody looks.
type demoWorld struct {
	began time.Time
	clock func() time.Time
	past  atomic.Pointer[time.Time] // the moment that is played; nil once the past is over
	late  atomic.Int64              // how long it took to play the past, in nanoseconds
	home  http.Handler              // the web site that listens on this machine once the past is over
}

func newDemoWorld(clock func() time.Time) *demoWorld {
	w := &demoWorld{began: clock(), clock: clock}
	w.home = demoSite{began: w.began, pace: demoPace, now: w.now}.handler()
	return w
}

// now is the moment that the companies live in.
func (w *demoWorld) now() time.Time {
	if at := w.past.Load(); at != nil {
		return *at
	}
	return w.clock().Add(-time.Duration(w.late.Load()))
}

// pass moves the past to a day.
func (w *demoWorld) pass(day float64) {
	at := w.began.Add(time.Duration(day * 24 * float64(time.Hour)))
	w.past.Store(&at)
}

// begin ends the past. However long it took to play, the companies' story goes on from where it begins.
func (w *demoWorld) begin() {
	w.late.Store(int64(w.clock().Sub(w.began)))
	w.past.Store(nil)
}

// day is how many of the companies' days have passed since the demo began; below zero before.
func (w *demoWorld) day() float64 {
	since := w.now().Sub(w.began)
	if since < 0 {
		return since.Hours() / 24
	}
	return float64(since) / float64(demoDay)
}

// demoEmployer is an invented company with a careers page.
type demoEmployer struct {
	name   string
	site   string // the address of its board
	form   demoForm
	desks  int       // how many roles are open at most
	trend  demoTrend // of the last 90 days
	places []string
	trades []demoTrade
}

// demoTrade is a kind of work at a company, and the professions in it.
type demoTrade struct {
	department  string
	professions []string
}

// demoTrend says how a company's number of roles has developed.
type demoTrend int

const (
	demoSteady demoTrend = iota
	demoGrows
	demoShrinks
)

// roles are the roles that are open on a day. Each desk has one role after another: it is advertised for weeks, then filled,
// and after a while the next one opens there.
func (c demoEmployer) roles(day float64) []demoRole {
	var open []demoRole
	for desk := range c.desks {
		if !c.staffed(desk, day) {
			continue
		}
		period := 30 + float64(c.dice(desk, 0)%70)
		cycle, part := math.Modf((day+float64(c.dice(desk, 1)%100))/period + demoWaves)
		r, luck := c.role(desk, int(cycle)), c.dice(desk, int(cycle)+2)
		away := luck%9 == 0 && part > 0.3 && part < 0.4 && c.form > demoEmbedding // it is taken down, and comes back
		if part > 0.85 || away {
			continue
		}
		if luck%4 == 1 && part > 0.5 && c.form != demoTaught {
			r.Title = "Senior " + r.Title
		}
		if luck%6 == 2 && part > 0.4 && c.form != demoTaught {
			r.Location = "Remote"
		}
		open = append(open, r)
	}
	slices.SortFunc(open, func(a, b demoRole) int { return a.ID - b.ID })
	return open
}

// staffed reports whether a desk is there on a day: half of those of a company that grows or shrinks come or go one by one.
func (c demoEmployer) staffed(desk int, day float64) bool {
	half := c.desks / 2
	if c.trend == demoSteady || desk < half {
		return true
	}
	turn := -demoPastDays * float64(desk-half+1) / float64(c.desks-half+1)
	return (day >= turn) == (c.trend == demoGrows)
}

func (c demoEmployer) role(desk, cycle int) demoRole {
	luck := c.dice(desk, cycle)
	trade, profession := luck%len(c.trades), luck/7
	if c.form == demoTaught {
		// A page without links tells roles apart by their words: they are different, and stay so.
		trade, profession = desk%len(c.trades), desk/len(c.trades)
	}
	professions := c.trades[trade].professions
	return demoRole{
		ID:    1000*(desk+1) + cycle%1000,
		Title: professions[profession%len(professions)], Department: c.trades[trade].department,
		Location: c.places[luck/3%len(c.places)],
	}
}

// dice is a number that looks like chance and is the same each time.
func (c demoEmployer) dice(a, b int) int {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s/%d/%d", c.name, a, b) // never fails
	return int(h.Sum32() >> 8)
}
