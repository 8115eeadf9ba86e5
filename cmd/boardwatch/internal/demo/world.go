// Package demo is the invented companies behind "serve --demo": their hosts, pages, roles and past. Nothing of it is asked on the Internet.
package demo

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
	// PastDays is how many days the companies have behind them when the demo begins.
	PastDays = 90

	dayLength = 40 * time.Second // how long one of their days takes from then on
	waves     = 1000             // added to counts of past laps and cycles, which are below zero
)

// World is the invented companies and their time. Until the demo began their days were as long as ours; since then
// they pass quickly, so that things happen while somebody looks.
type World struct {
	began time.Time
	clock func() time.Time
	past  atomic.Pointer[time.Time] // the moment that is played; nil once the past is over
	late  atomic.Int64              // how long it took to play the past, in nanoseconds
	Home  http.Handler              // the web site that listens on this machine once the past is over
}

// NewWorld is a world that begins now.
func NewWorld(clock func() time.Time) *World {
	w := &World{began: clock(), clock: clock}
	w.Home = site{began: w.began, pace: pace, now: w.Now}.handler()
	return w
}

// Now is the moment that the companies live in.
func (w *World) Now() time.Time {
	if at := w.past.Load(); at != nil {
		return *at
	}
	return w.clock().Add(-time.Duration(w.late.Load()))
}

// Pass moves the past to a day.
func (w *World) Pass(day float64) {
	at := w.began.Add(time.Duration(day * 24 * float64(time.Hour)))
	w.past.Store(&at)
}

// Begin ends the past. However long it took to play, the companies' story goes on from where it begins.
func (w *World) Begin() {
	w.late.Store(int64(w.clock().Sub(w.began)))
	w.past.Store(nil)
}

// day is how many of the companies' days have passed since the demo began; below zero before.
func (w *World) day() float64 {
	since := w.Now().Sub(w.began)
	if since < 0 {
		return since.Hours() / 24
	}
	return float64(since) / float64(dayLength)
}

// Employer is an invented company with a careers page.
type Employer struct {
	Name   string
	Site   string // the address of its board
	Form   Form
	Desks  int   // how many roles are open at most
	trend  trend // of the last 90 days
	places []string
	trades []trade
}

// trade is a kind of work at a company, and the professions in it.
type trade struct {
	department  string
	professions []string
}

// trend says how a company's number of roles has developed.
type trend int

const (
	steady trend = iota
	grows
	shrinks
)

// roles are the roles that are open on a day. Each desk has one role after another: it is advertised for weeks, then filled,
// and after a while the next one opens there.
func (c Employer) roles(day float64) []Role {
	var open []Role
	for desk := range c.Desks {
		if !c.staffed(desk, day) {
			continue
		}
		period := 30 + float64(c.dice(desk, 0)%70)
		cycle, part := math.Modf((day+float64(c.dice(desk, 1)%100))/period + waves)
		r, luck := c.role(desk, int(cycle)), c.dice(desk, int(cycle)+2)
		away := luck%9 == 0 && part > 0.3 && part < 0.4 && c.Form > embedding // it is taken down, and comes back
		if part > 0.85 || away {
			continue
		}
		if luck%4 == 1 && part > 0.5 && c.Form != taught {
			r.Title = "Senior " + r.Title
		}
		if luck%6 == 2 && part > 0.4 && c.Form != taught {
			r.Location = "Remote"
		}
		open = append(open, r)
	}
	slices.SortFunc(open, func(a, b Role) int { return a.ID - b.ID })
	return open
}

// staffed reports whether a desk is there on a day: half of those of a company that grows or shrinks come or go one by one.
func (c Employer) staffed(desk int, day float64) bool {
	half := c.Desks / 2
	if c.trend == steady || desk < half {
		return true
	}
	turn := -PastDays * float64(desk-half+1) / float64(c.Desks-half+1)
	return (day >= turn) == (c.trend == grows)
}

func (c Employer) role(desk, cycle int) Role {
	luck := c.dice(desk, cycle)
	trade, profession := luck%len(c.trades), luck/7
	if c.Form == taught {
		// A page without links tells roles apart by their words: they are different, and stay so.
		trade, profession = desk%len(c.trades), desk/len(c.trades)
	}
	professions := c.trades[trade].professions
	return Role{
		ID:    1000*(desk+1) + cycle%1000,
		Title: professions[profession%len(professions)], Department: c.trades[trade].department,
		Location: c.places[luck/3%len(c.places)],
	}
}

// dice is a number that looks like chance and is the same each time.
func (c Employer) dice(a, b int) int {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s/%d/%d", c.Name, a, b) // never fails
	return int(h.Sum32() >> 8)
}
