package boardwatch

import (
	"slices"
	"time"
)

// Rules are the settings that the rules of this package depend on. In the zero value every field has its default,
// except CloseHold and SuspectHold, where zero means no waiting. DefaultRules sets those too.
type Rules struct {
	CloseAfter  int           // counted absences in a row that close a role; 0 means 3, and it is never less than 2
	CloseHold   time.Duration // how long a role must be absent before it closes
	SuspectHold time.Duration // the same after a mass loss
	MaxRoles    int           // the most open roles of a board; 0 means 20,000

	Details Details  // where facts and texts come from; empty means what lists hold
	Texts   TextRule // which texts of roles are kept; empty means all

	// Fleet guard: FleetBoards boards of one system turned sick within FleetWindow, and they are FleetShare of those read
	// within it.
	FleetBoards int           // 0 means 5
	FleetShare  float64       // 0 means 0.1
	FleetWindow time.Duration // 0 means 1 h

	RetrySchedule []time.Duration // waits between delivery attempts; nil means 1 m, 5 m, 30 m, 2 h, 12 h
	DisableAfter  time.Duration   // how long a webhook may fail without a success before it is switched off; 0 means 72 h
}

// Details says where facts and texts of roles come from.
type Details string

// The choices.
const (
	DetailsListed Details = "listed" // what the answers hold that are read anyway
	DetailsAll    Details = "all"    // also the own page of a role, which is read once
	DetailsOff    Details = "off"    // nothing but titles, places, departments and links is kept
)

// TextRule says which texts of roles are kept.
type TextRule string

// The rules.
const (
	TextsKept TextRule = "keep" // also of closed roles
	TextsOpen TextRule = "open" // only of open roles
	TextsOff  TextRule = "off"  // none
)

// Kept returns a reading without the facts and texts that are not kept.
func (r Rules) Kept(reading Reading) Reading {
	if r.Details != DetailsOff && r.Texts != TextsOff {
		return reading
	}
	reading.Postings = slices.Clone(reading.Postings)
	for i := range reading.Postings {
		reading.Postings[i].Text = ""
		if r.Details == DetailsOff {
			reading.Postings[i].Facts = Facts{}
		}
	}
	return reading
}

// DefaultRules returns the documented rules.
func DefaultRules() Rules { return Rules{CloseHold: 24 * time.Hour, SuspectHold: 72 * time.Hour} }

func (r Rules) closeAfter() int     { return max(2, orDefault(r.CloseAfter, 3)) }
func (r Rules) fleetBoards() int    { return orDefault(r.FleetBoards, 5) }
func (r Rules) fleetShare() float64 { return orDefault(r.FleetShare, 0.1) }
func (r Rules) disableAfter() time.Duration {
	return orDefault(r.DisableAfter, 72*time.Hour)
}

// Window is how far back the fleet guard looks.
func (r Rules) Window() time.Duration { return orDefault(r.FleetWindow, time.Hour) }

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
