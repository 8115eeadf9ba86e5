package receiver

import (
	"context"
	"sync"
)

// State is what is known about a delivery that has just arrived.
type State string

// The states of a delivery.
const (
	Fresh State = "fresh" // it never came, or was not accepted; it is now reserved for the caller
	Busy  State = "busy"  // it came before and is still being worked on
	Taken State = "taken" // it was accepted before
)

// Seen remembers deliveries, so that each is handled once although it may arrive several times. It may be called
// concurrently, and by several processes if they share it.
type Seen interface {
	// Begin returns what is known about a delivery and reserves it if it is Fresh, in one step, so only one of several
	// callers gets it. A reservation that survives its process must expire, but not before the work can be finished.
	Begin(ctx context.Context, id string) (State, error)
	// End ends a reservation: the delivery was taken and is never Fresh again, or it can be reserved again.
	End(ctx context.Context, id string, taken bool) error
}

// Memory is a Seen that forgets everything when the process ends.
type Memory struct {
	mu    sync.Mutex
	known map[string]State // Busy or Taken
	taken []string         // a ring of accepted deliveries
	next  int              // the index of the oldest entry, which the next one replaces
}

// NewMemory returns a Memory of the last n accepted deliveries, at least one.
func NewMemory(n int) *Memory {
	return &Memory{known: make(map[string]State), taken: make([]string, max(n, 1))}
}

// Begin returns what is known about a delivery and reserves it if it is Fresh.
func (m *Memory) Begin(_ context.Context, id string) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if state, ok := m.known[id]; ok {
		return state, nil
	}
	m.known[id] = Busy
	return Fresh, nil
}

// End ends a reservation.
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

// Forgetful is a Seen that remembers nothing, so every delivery is passed on each time it arrives.
type Forgetful struct{}

// Begin treats every delivery as new.
func (Forgetful) Begin(context.Context, string) (State, error) { return Fresh, nil }

// End does nothing.
func (Forgetful) End(context.Context, string, bool) error { return nil }
