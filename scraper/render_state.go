package scraper

import (
	"fmt"
	"strings"
	"time"
)

// State says in a few words how the browser does: what runs and how busy it is, or why none does. It is for people.
func (b *Browser) State() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return "ended"
	}
	said := make([]string, 0, len(b.places))
	for _, at := range b.places {
		said = append(said, at.state(b.o.MaxPages))
	}
	return strings.Join(said, "; ")
}

func (at place) state(maxPages int) string {
	switch e := at.engine; {
	case e != nil && !e.lost():
		return fmt.Sprintf("%s runs, %d of %d pages in use, %d shown since its start %s ago",
			e.product, e.active, maxPages, e.pages, time.Since(e.started).Round(time.Second))
	case at.failure != nil:
		return "it could not be started: " + at.failure.Error()
	default:
		return "not started: no page has needed it yet"
	}
}
