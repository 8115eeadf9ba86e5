package browser

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// State describes one browser at a moment.
type State struct {
	Name    string // "local", or the host of a remote browser
	Product string // "HeadlessChrome/148.0.7778.96"; empty when no browser runs
	Open    int    // pages shown at this moment
	Room    int    // how many pages may be shown at the same time
	Shown   int    // pages, in all
	Lost    int    // how often it was lost
	// Fault is why no browser runs, as of the last attempt. It is nil when one runs, and while no page has needed one.
	Fault error
	// Retry is the earliest time of the next attempt.
	Retry time.Time
}

// States describes each browser, in the order of Options.Remotes, and says how many pages wait for one.
func (b *Browser) States() (states []State, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, at := range b.places {
		s := State{Name: at.name, Open: at.active, Room: b.o.MaxPages, Shown: at.shown, Lost: at.lost}
		switch e := at.engine; {
		case e != nil && !e.lost():
			s.Product = e.product
		case at.failure != nil:
			s.Fault, s.Retry = at.failure, at.until
		}
		states = append(states, s)
	}
	return states, len(b.queue)
}

// String describes the browser in a few words, for people.
func (s State) String() string {
	switch {
	case s.Product != "":
		return fmt.Sprintf("%s: %s runs, %d of %d pages in use, %d shown", s.Name, s.Product, s.Open, s.Room, s.Shown)
	case s.Fault != nil:
		return s.Name + ": " + s.Fault.Error()
	}
	return s.Name + ": not started, because no page has needed it yet"
}

// State describes all browsers in a few words, for people: what runs and how busy it is, or why nothing runs.
func (b *Browser) State() string {
	states, waiting := b.States()
	said := make([]string, 0, len(states)+1)
	for _, s := range states {
		said = append(said, s.String())
	}
	if waiting > 0 {
		said = append(said, strconv.Itoa(waiting)+" pages wait")
	}
	return strings.Join(said, "; ")
}
