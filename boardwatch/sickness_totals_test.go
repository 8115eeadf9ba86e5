package boardwatch_test

import (
	"fmt"
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
	var known, not tally
	for name, sum := range t.names {
		if unknowable[name] == "" {
			known.add(sum)
		} else {
			not.add(sum)
		}
	}
	return fmt.Sprintf("%d sicknesses: %s; true closings %d, late by %s (median), %s (worst). Of them %d unknowable: %s",
		len(t.names), known, len(known.late), quantile(known.late, 0.5), quantile(known.late, 1), len(unknowable), not)
}
