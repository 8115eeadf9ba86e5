package scraper

import (
	"slices"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/transport/outbound"
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

// Bounds of what a discovery leaves for the first reading.
const (
	maxBrought     = 8
	maxBroughtPage = 2 << 20
	broughtFor     = time.Minute
)

// brought are the pages that discoveries found to be boards, so that their first readings need not ask for them again.
type brought struct {
	mu    sync.Mutex
	pages []broughtPage
}

type broughtPage struct {
	source string
	page   *outbound.Page
	at     time.Time
}

func (b *brought) put(source string, answer *outbound.Page) {
	if len(answer.Body) > maxBroughtPage {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pages) == maxBrought {
		b.pages = slices.Delete(b.pages, 0, 1)
	}
	b.pages = append(b.pages, broughtPage{source, answer, time.Now()})
}

// take returns the page of a board once; nil when there is none, or it is old.
func (b *brought) take(source string) *outbound.Page {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages = slices.DeleteFunc(b.pages, func(p broughtPage) bool { return time.Since(p.at) > broughtFor })
	at := slices.IndexFunc(b.pages, func(p broughtPage) bool { return p.source == source })
	if at < 0 {
		return nil
	}
	answer := b.pages[at].page
	b.pages = slices.Delete(b.pages, at, at+1)
	return answer
}
