package browser

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// State is how one browser does.
type State struct {
	Name    string // "local", or the host of a browser elsewhere
	Product string // "HeadlessChrome/148.0.7778.96"; empty when none runs
	Open    int    // pages that it shows just now
	Room    int    // how many it may show at the same time
	Shown   int    // pages, in all
	Lost    int    // how often it was lost
	// Fault is why none runs, as of the last attempt. It is nil when one runs or no page has needed it.
	Fault error
	// Retry is when it is tried again at the earliest.
	Retry time.Time
}

// States says how each browser does, in the order of Options.Remotes, and how many pages wait for one.
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

// String says it in a few words, for people.
func (s State) String() string {
	switch {
	case s.Product != "":
		return fmt.Sprintf("%s: %s runs, %d of %d pages in use, %d shown", s.Name, s.Product, s.Open, s.Room, s.Shown)
	case s.Fault != nil:
		return s.Name + ": " + s.Fault.Error()
	}
	return s.Name + ": not started, because no page has needed it yet"
}

// State says in a few words how each browser does: what runs and how busy it is, or why none does. It is for people.
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
