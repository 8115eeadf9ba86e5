//go:build simulate

package simulate_test

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/chaos/systems"
)

// company is one board from its owner's point of view. Its roles at any moment are computed from its seed, so that
// nothing about them has to be stored.
type company struct {
	vendor *vendor
	token  string
	seed   uint64
	plan   account.PlanName
	desks  int           // roles that can be open at the same time
	zone   time.Duration // how far its office is ahead of UTC
	layOff time.Time     // when most desks are removed; zero if never
	tagged bool          // its list has an ETag
	slow   bool          // its own host is slow
	board  string        // its id in the store

	mu      sync.Mutex
	asked   host     // if it has its own host
	heard   *answer  // the last one given in the current check
	answers []answer // saved answers, oldest first
}

// spell is a period in which a desk shows one edition of a role.
type spell struct {
	n, edition int
	from, to   time.Time
}

const (
	mostDesks = 40
	// mostHeirs is the most roles that one desk can have, one after the other. Role n is at desk n / mostHeirs.
	mostHeirs = 20
	meanLife  = 30 * 24 * time.Hour
	meanGap   = 3 * 24 * time.Hour
)

func newCompany(v *vendor, number int, seed uint64, o options) *company {
	d := dice{seed}
	c := &company{vendor: v, token: fmt.Sprintf("%s%d", v.Prefix, number), seed: seed}
	c.desks = min(mostDesks, 3+int(d.exponential(9)))
	c.zone = time.Duration(d.n(17)-8) * time.Hour
	c.tagged, c.slow = d.n(2) == 0, d.n(50) == 0
	switch n := d.n(100); {
	case n < 70:
		c.plan = account.PlanFree
	case n < 94:
		c.plan = account.PlanPro
	default:
		c.plan = account.PlanUltra
	}
	if d.n(100) == 0 {
		c.layOff = c.office(begin.Add(d.between(0, o.length)), 1)
	}
	return c
}

// spells returns the spells of a desk that begin before a moment.
func (c *company) spells(desk int, before time.Time, yield func(spell)) {
	d := dice{c.seed + uint64(desk+1)*0x9e3779b97f4a7c15}
	s := spell{n: desk * mostHeirs, to: c.office(begin.Add(time.Duration(d.exponential(float64(meanLife)))), d.next())}
	for {
		if ends := !c.layOff.IsZero() && desk%4 != 0; ends && s.to.After(c.layOff) {
			s.to = c.layOff
			if s.from.Before(s.to) {
				yield(s)
			}
			return
		}
		yield(s)
		gap := time.Duration(0)
		switch kind := d.n(100); {
		case kind < 12: // another title
			s.edition++
		case desk == 0: // never vacant, so that no list is truly empty
			s.n, s.edition = s.n+1, 0
		case kind < 20: // away for a while
			gap = d.between(3*time.Hour, 60*time.Hour)
		default:
			s.n, s.edition = s.n+1, 0
			gap = time.Duration(d.exponential(float64(meanGap)))
		}
		s.from = s.to
		if gap > 0 {
			s.from = later(s.to.Add(10*time.Minute), c.office(s.to.Add(gap), d.next()))
		}
		if !s.from.Before(before) || s.n == (desk+1)*mostHeirs {
			return
		}
		s.to = later(s.from.Add(time.Hour), c.office(s.from.Add(time.Duration(d.exponential(float64(meanLife)))), d.next()))
	}
}

// office returns a moment in office hours, on the given day or the next Monday.
func (c *company) office(t time.Time, spread uint64) time.Time {
	local := t.Add(c.zone)
	day := local.Truncate(24 * time.Hour)
	switch day.Weekday() { //nolint:exhaustive // the days of the weekend
	case time.Saturday:
		day = day.Add(48 * time.Hour)
	case time.Sunday:
		day = day.Add(24 * time.Hour)
	}
	return day.Add(8*time.Hour + time.Duration(spread%36_000)*time.Second - c.zone)
}

// shows lists the roles that are open at a moment.
func (c *company) shows(at time.Time) []spell {
	var open []spell
	for desk := range c.desks {
		c.spells(desk, at.Add(time.Nanosecond), func(s spell) {
			if !s.from.After(at) && at.Before(s.to) {
				open = append(open, s)
			}
		})
	}
	return open
}

var (
	crafts = []string{"Lamp Engineer", "Tide Analyst", "Harbour Pilot", "Rigging Technician", "Chart Designer", "Dock Manager", "Signal Operator", "Keel Welder"}
	places = []string{"Bergen", "Halifax", "Porto", "Gdansk", "Split", "Leith", "Turku"}
	teams  = []string{"Engineering", "Operations", "Finance", "Design"}
)

// role returns a spell as a visitor sees it.
func (c *company) role(s spell) systems.Role {
	d := dice{c.seed ^ uint64(s.n)}
	r := systems.Role{N: s.n, Place: places[d.n(len(places))], Team: teams[d.n(len(teams))]}
	r.Title = fmt.Sprintf("%s %d", crafts[d.n(len(crafts))], s.n)
	if s.edition > 0 {
		r.Title += fmt.Sprintf(", edition %d", s.edition+1)
	}
	return r
}

// dice are pseudo-random numbers from a seed: SplitMix64.
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// n returns a number below a bound.
func (d *dice) n(bound int) int { return int(d.next() % uint64(bound)) }

func (d *dice) exponential(mean float64) float64 {
	return -mean * math.Log(1-float64(d.next()>>11)/(1<<53))
}

func (d *dice) between(least, most time.Duration) time.Duration {
	return least + time.Duration(d.next()%uint64(max(1, most-least)))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
