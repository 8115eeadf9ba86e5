package boardwatch

import (
	"context"
	"maps"
	"sync"
	"time"
)

// PaceMemory is a PaceStore in the memory of one process. It is safe for concurrent use.
type PaceMemory struct {
	mu      sync.Mutex
	hosts   map[string]HostPace
	sweepAt int // the number of hosts at which idle ones are forgotten
}

var _ PaceStore = (*PaceMemory)(nil)

// firstSweep is how many hosts are remembered before idle ones are forgotten.
const firstSweep = 64

// NewPaceMemory returns an empty memory.
func NewPaceMemory() *PaceMemory {
	return &PaceMemory{hosts: make(map[string]HostPace), sweepAt: firstSweep}
}

// PacesInMemory returns the memory itself. A store that keeps its paces in memory has this method too, so that callers
// can ask for single turns without waiting.
func (m *PaceMemory) PacesInMemory() *PaceMemory { return m }

// Turns never fails.
func (m *PaceMemory) Turns(_ context.Context, ends []TurnEnd, requests []TurnRequest) ([]TurnAnswer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return GiveTurns(m.hosts, ends, requests, m.sweep()), nil
}

// Ask is like Turns, for a single request.
func (m *PaceMemory) Ask(r TurnRequest) (answer TurnAnswer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.sweep()
	m.hosts[r.Host], answer = m.hosts[r.Host].Ask(r, now)
	return answer
}

// End is like Turns, for the end of a single turn.
func (m *PaceMemory) End(e TurnEnd) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.sweep()
	m.hosts[e.Host] = m.hosts[e.Host].End(e, now)
}

// sweep forgets idle hosts if there are many, and returns the time.
func (m *PaceMemory) sweep() (now time.Time) {
	now = time.Now()
	if len(m.hosts) >= m.sweepAt {
		maps.DeleteFunc(m.hosts, func(_ string, h HostPace) bool { return !h.IdleAt().After(now) })
		m.sweepAt = max(firstSweep, 2*len(m.hosts))
	}
	return now
}

// SlowHosts never fails.
func (m *PaceMemory) SlowHosts(_ context.Context, n int) ([]SlowHost, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return SlowestOf(m.hosts, n, time.Now()), nil
}

// Hosts returns the number of remembered hosts.
func (m *PaceMemory) Hosts() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.hosts)
}
