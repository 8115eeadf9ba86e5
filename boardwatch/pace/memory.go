package pace

import (
	"context"
	"maps"
	"sync"
	"time"
)

// Memory is a Store in the memory of one process. It is safe for concurrent use.
type Memory struct {
	mu      sync.Mutex
	hosts   map[string]*Host
	sweepAt int // the number of hosts at which idle ones are forgotten
}

var _ Store = (*Memory)(nil)

// firstSweep is how many hosts are remembered before idle ones are forgotten.
const firstSweep = 64

// NewMemory returns an empty memory.
func NewMemory() *Memory {
	return &Memory{hosts: make(map[string]*Host), sweepAt: firstSweep}
}

// PacesInMemory returns the memory itself. A store that keeps its paces in memory has this method too, so that callers
// can ask for single turns without waiting.
func (m *Memory) PacesInMemory() *Memory { return m }

// Turns never fails.
func (m *Memory) Turns(_ context.Context, ends []TurnEnd, requests []TurnRequest) ([]TurnAnswer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.sweep()
	for _, e := range ends {
		m.end(e, now)
	}
	answers := make([]TurnAnswer, len(requests))
	for i, r := range requests {
		answers[i] = m.ask(r, now)
	}
	return answers, nil
}

// Ask is like Turns, for a single request.
func (m *Memory) Ask(r TurnRequest) TurnAnswer {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ask(r, m.sweep())
}

func (m *Memory) ask(r TurnRequest, now time.Time) (answer TurnAnswer) {
	h := m.host(r.Host)
	*h, answer = h.Ask(r, now)
	return answer
}

// End is like Turns, for the end of a single turn.
func (m *Memory) End(e TurnEnd) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end(e, m.sweep())
}

func (m *Memory) end(e TurnEnd, now time.Time) {
	h := m.host(e.Host)
	*h = h.End(e, now)
}

// host returns what is remembered about a host.
func (m *Memory) host(name string) *Host {
	h := m.hosts[name]
	if h == nil {
		h = new(Host)
		m.hosts[name] = h
	}
	return h
}

// sweep forgets idle hosts if there are many, and returns the time.
func (m *Memory) sweep() (now time.Time) {
	now = time.Now()
	if len(m.hosts) >= m.sweepAt {
		maps.DeleteFunc(m.hosts, func(_ string, h *Host) bool { return !h.IdleAt().After(now) })
		m.sweepAt = max(firstSweep, 2*len(m.hosts))
	}
	return now
}

// SlowHosts never fails.
func (m *Memory) SlowHosts(_ context.Context, n int) ([]SlowHost, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	hosts := make(map[string]Host, len(m.hosts))
	for name, h := range m.hosts {
		hosts[name] = *h
	}
	return SlowestOf(hosts, n, time.Now()), nil
}

// Hosts returns the number of remembered hosts.
func (m *Memory) Hosts() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.hosts)
}
