package receiver

import (
	"context"
	"sync"
)

// State is what is known of a delivery that has just come.
type State string

// The states of a delivery.
const (
	Fresh State = "fresh" // it never came, or was not taken when it did; it is reserved for the caller now
	Busy  State = "busy"  // it came before and is still being worked on
	Taken State = "taken" // it was taken before
)

// Seen remembers deliveries, so that each is acted upon once although it may come several times. It may be called
// concurrently, by several processes if several share it.
type Seen interface {
	// Begin says what is known of a delivery and reserves it if it is Fresh, in one step: of several callers one gets it.
	// Where a reservation outlives its process it has to expire, in more time than the work may take.
	Begin(ctx context.Context, id string) (State, error)
	// End says what became of a reserved delivery: taken, and never Fresh again, or to be had anew.
	End(ctx context.Context, id string, taken bool) error
}

// Memory is a Seen that forgets everything when the process ends.
type Memory struct {
	mu    sync.Mutex
	known map[string]State // Busy or Taken
	taken []string         // a ring of those taken
	next  int              // where the next one goes; the one there is the oldest
}

// NewMemory returns a Memory of the last n deliveries taken, at least one.
func NewMemory(n int) *Memory {
	return &Memory{known: make(map[string]State), taken: make([]string, max(n, 1))}
}

// Begin says what is known of a delivery and reserves it if it is Fresh.
func (m *Memory) Begin(_ context.Context, id string) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if state, ok := m.known[id]; ok {
		return state, nil
	}
	m.known[id] = Busy
	return Fresh, nil
}

// End says what became of a reserved delivery.
func (m *Memory) End(_ context.Context, id string, taken bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !taken {
		delete(m.known, id)
		return nil
	}
	if oldest := m.taken[m.next]; oldest != "" {
		delete(m.known, oldest)
	}
	m.taken[m.next] = id
	m.next = (m.next + 1) % len(m.taken)
	m.known[id] = Taken
	return nil
}

// Forgetful is a Seen that remembers nothing: every delivery is handed on each time it comes.
type Forgetful struct{}

// Begin takes every delivery for a new one.
func (Forgetful) Begin(context.Context, string) (State, error) { return Fresh, nil }

// End forgets.
func (Forgetful) End(context.Context, string, bool) error { return nil }
