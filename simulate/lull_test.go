//go:build simulate

package simulate_test

import (
	"sync"
	"time"
)

// lull is a time in which no board is due, as a store has said. Watchers look for due boards four times a second, which
// costs nothing in reality and nearly everything where a second passes in no time. Nobody adds boards while the watchers
// run, and a claim makes no board due, so such a look finds nothing until the moment that the store named, unless a
// check is saved or a board given back before.
type lull struct {
	mu      sync.Mutex
	changes int64     // begun and ended ones
	until   time.Time // when the next board is due; zero if that is not known
}

// change notes that a board may be due earlier, when a change begins and when it ends.
func (l *lull) change() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changes++
	l.until = time.Time{}
}

// changing notes a change that lasts until the function that it returns is called.
func (l *lull) changing() (ended func()) {
	l.change()
	return l.change
}

// lasts reports whether nothing is due yet, and until when.
func (l *lull) lasts() (until time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.until, time.Now().Before(l.until)
}

// asks notes that a store is asked for the next due board. The answer counts if nothing has changed meanwhile.
func (l *lull) asks() (answered func(time.Time)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := l.changes
	return func(due time.Time) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.changes == asked {
			l.until = due
		}
	}
}
