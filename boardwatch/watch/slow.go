package watch

import (
	"sync"
	"time"
)

const (
	// slowAfter is how long the last reading of a slow page took, unless the page is large.
	slowAfter = 5 * time.Second
	// mostSlow is how many slow pages are remembered. Beyond that all are forgotten, and noticed again.
	mostSlow = 10_000
)

// slow are the pages whose last reading took long: large ones, which wait for one another, and those of hosts that hardly
// answer. They get a quarter of the places, and wait for them without taking any, so that they delay one another and nobody
// else. Hosted systems do not count here, because crowds limits them.
type slow struct {
	most  int           // may be read at the same time
	room  int           // may wait for that
	freed chan struct{} // signals that one was read

	mu      sync.Mutex
	boards  map[string]bool
	waiting []task
	reading int
}

func newSlow(concurrency int) *slow {
	return &slow{most: max(1, concurrency/4), room: 16 * concurrency, freed: make(chan struct{}, 1), boards: make(map[string]bool)}
}

// keep keeps a slow page until there is a place for it. It returns false if the page is read at once: it is not slow, a person
// waits for it, or too many wait already.
func (s *slow) keep(t task) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.look != nil || t.claim.Demand.BoardID != "" || !s.boards[t.claim.Board.ID] || len(s.waiting) >= s.room {
		return false
	}
	t.slow, t.since = true, time.Now()
	s.waiting = append(s.waiting, t)
	return true
}

// next is the page that is to be read now. ok is false if there is none, or no place.
func (s *slow) next() (t task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reading >= s.most || len(s.waiting) == 0 {
		return task{}, false
	}
	t, s.waiting = s.waiting[0], s.waiting[1:]
	s.reading++
	return t, true
}

// drain returns the pages that are waiting, which nobody will read any more.
func (s *slow) drain() []task {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := s.waiting
	s.waiting = nil
	s.reading += len(waiting)
	return waiting
}

// leave records that a reading is over, and whether it took long.
func (s *slow) leave(t task, boardID string, long bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case t.look != nil:
		return
	case !long:
		delete(s.boards, boardID)
	default:
		if len(s.boards) >= mostSlow {
			clear(s.boards)
		}
		s.boards[boardID] = true
	}
	if !t.slow {
		return
	}
	s.reading--
	select {
	case s.freed <- struct{}{}:
	default:
	}
}
