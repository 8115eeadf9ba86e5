package boardwatch_test

import (
	"fmt"
	"strings"
	"sync"
)

// totals gathers the tallies of all sicknesses.
type totals struct {
	mu    sync.Mutex
	names map[string]tally
}

func newTotals() *totals { return &totals{names: map[string]tally{}} }

func (t *totals) add(name string, sum tally) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names[name] = sum
}

func (t *totals) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all, healthy, sick, not tally
	for name, sum := range t.names {
		switch {
		case unknowable[name] != "":
			not.add(sum)
			continue
		case strings.HasSuffix(name, ": healthy"):
			healthy.add(sum)
		default:
			sick.add(sum)
		}
		all.add(sum)
	}
	late := func(of tally) string {
		return fmt.Sprintf("%d true closings, late by %s (median), %s (worst)", len(of.late), quantile(of.late, 0.5), quantile(of.late, 1))
	}
	return fmt.Sprintf("%d sicknesses: %s; healthy boards: %s; sick boards: %s. Besides, %d that nobody could know: %s",
		len(t.names)-len(unknowable), all, late(healthy), late(sick), len(unknowable), not)
}
