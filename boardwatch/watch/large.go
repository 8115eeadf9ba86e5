package watch

import (
	"sync"
	"time"
)

// mostLarge is how many large pages are remembered. Beyond that all are forgotten, and noticed again.
const mostLarge = 10_000

// large are the pages that were so large at their last reading that they waited for a turn among all that computes for long.
// They get a quarter of the places, and wait for these without taking any, so that they delay one another and nobody else.
type large struct {
	most  int           // may be read at the same time
	room  int           // may wait for that
	freed chan struct{} // signals that one was read

	mu      sync.Mutex
	boards  map[string]bool
	waiting []task
	reading int
}

func newLarge(concurrency int) *large {
	return &large{most: max(1, concurrency/4), room: 16 * concurrency, freed: make(chan struct{}, 1), boards: make(map[string]bool)}
}

// keep keeps a large page until there is a place for it. It returns false if the page is read at once: it is not large, or that
// of a hosted system, which crowds knows; a person waits for it; or too many wait already.
func (l *large) keep(t task) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.look != nil || t.claim.Demand.BoardID != "" || !l.boards[t.claim.Board.ID] || len(l.waiting) >= l.room {
		return false
	}
	t.kept = time.Now()
	l.waiting = append(l.waiting, t)
	return true
}

// next is the page that is to be read now. ok is false if there is none, or no place.
func (l *large) next() (t task, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reading >= l.most || len(l.waiting) == 0 {
		return task{}, false
	}
	t, l.waiting = l.waiting[0], l.waiting[1:]
	l.reading++
	return t, true
}

// drain returns the pages that are waiting, which nobody will read any more.
func (l *large) drain() []task {
	l.mu.Lock()
	defer l.mu.Unlock()
	waiting := l.waiting
	l.waiting = nil
	l.reading += len(waiting)
	return waiting
}

// leave records that a reading is over, and whether its page was large.
func (l *large) leave(t task, boardID string, was bool) {
	if t.look != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !was:
		delete(l.boards, boardID)
	case len(l.boards) >= mostLarge:
		l.boards = map[string]bool{boardID: true}
	default:
		l.boards[boardID] = true
	}
	if !t.kept.IsZero() {
		l.reading--
		signal(l.freed)
	}
}
