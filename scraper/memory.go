package scraper

import (
	"sync"

	"github.com/boardwatch/boardwatch/ats"
)

// generation is how many entries are kept before the oldest are let go.
const generation = 20_000

// memory keeps what adapters learned from pages of single roles, so that the next reading need not ask for them again. It
// holds two generations: what nobody asked for while a whole generation came in is forgotten.
type memory struct {
	mu         sync.Mutex
	young, old map[string]string
}

func (m *memory) Recall(key string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.young[key]; ok {
		return value, true
	}
	value, ok := m.old[key]
	if ok {
		m.put(key, value)
	}
	return value, ok
}

func (m *memory) Remember(key, value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(key, value)
}

func (m *memory) put(key, value string) {
	if len(m.young) >= generation {
		m.young, m.old = nil, m.young
	}
	if m.young == nil {
		m.young = make(map[string]string)
	}
	m.young[key] = value
}

var _ ats.Memory = (*fingerprinter)(nil)

// Recall and Remember make a client for adapters one that learns.
func (f *fingerprinter) Recall(key string) (string, bool) { return f.memory.Recall(key) }

func (f *fingerprinter) Remember(key, value string) { f.memory.Remember(key, value) }
