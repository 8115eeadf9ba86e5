package scraper

import (
	"fmt"
	"time"
)

// State says in a few words how the browser does: what runs and how busy it is, or why none does. It is for people.
func (b *Browser) State() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := b.engine; {
	case b.closed:
		return "ended"
	case e != nil && !e.lost():
		return fmt.Sprintf("%s runs, %d of %d pages in use, %d shown since its start %s ago",
			e.product, e.active, b.o.MaxPages, e.pages, time.Since(e.started).Round(time.Second))
	case b.failure != nil:
		return "it could not be started: " + b.failure.Error()
	default:
		return "not started: no page has needed it yet"
	}
}
