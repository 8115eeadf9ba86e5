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
	sweepAt int // how many hosts call for forgetting the idle ones
}

var _ PaceStore = (*PaceMemory)(nil)

// firstSweep is how many hosts are remembered before idle ones are looked for.
const firstSweep = 64

// NewPaceMemory returns a memory that knows no host yet.
func NewPaceMemory() *PaceMemory {
	return &PaceMemory{hosts: make(map[string]HostPace), sweepAt: firstSweep}
}

// PacesInMemory is the memory itself. A store whose paces are kept in one has this method too: who asks for turns one by one can
// ask the memory without waiting.
func (m *PaceMemory) PacesInMemory() *PaceMemory { return m }

// Turns never fails.
func (m *PaceMemory) Turns(_ context.Context, ends []TurnEnd, requests []TurnRequest) ([]TurnAnswer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return GiveTurns(m.hosts, ends, requests, m.sweep()), nil
}

// Ask is Turns for one request.
func (m *PaceMemory) Ask(r TurnRequest) (answer TurnAnswer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.sweep()
	m.hosts[r.Host], answer = m.hosts[r.Host].Ask(r, now)
	return answer
}

// End is Turns for the end of one turn.
func (m *PaceMemory) End(e TurnEnd) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.sweep()
	m.hosts[e.Host] = m.hosts[e.Host].End(e, now)
}

// sweep forgets idle hosts when there are many, and returns the time.
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

// Hosts is how many hosts are remembered.
func (m *PaceMemory) Hosts() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.hosts)
}
