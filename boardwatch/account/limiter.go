package account

import (
	"sync"
	"time"
)

// limiter lets each of many keys do something so often at once, and then at intervals. It remembers a key only until it
// may do everything again.
type limiter struct {
	burst int
	every time.Duration

	mu     sync.Mutex
	spent  map[string]spending
	sweeps time.Time // when forgotten keys are next looked for
}

// spending is how much of a key's burst was gone at a moment.
type spending struct {
	used float64
	at   time.Time
}

func newLimiter(burst int, every time.Duration) *limiter {
	return &limiter{burst: burst, every: every, spent: map[string]spending{}}
}

// take uses one turn of the key. When there is none it uses nothing, and says how long until there is.
func (l *limiter) take(key string, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	used := l.used(key, now)
	if free := float64(l.burst) - used; free < 1 {
		return max(time.Duration((1-free)*float64(l.every)), 1)
	}
	l.spent[key] = spending{used: used + 1, at: now}
	return 0
}

// giveBack returns a turn that was taken.
func (l *limiter) giveBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.spent[key]; ok {
		s.used = max(0, s.used-1)
		l.spent[key] = s
	}
}

// used is what is gone of the key's burst now.
func (l *limiter) used(key string, now time.Time) float64 {
	s, ok := l.spent[key]
	if !ok {
		return 0
	}
	return max(0, s.used-max(0, float64(now.Sub(s.at))/float64(l.every)))
}

// sweep forgets keys with nothing spent, now and then.
func (l *limiter) sweep(now time.Time) {
	if now.Before(l.sweeps) {
		return
	}
	l.sweeps = now.Add(time.Duration(l.burst) * l.every)
	for key := range l.spent {
		if l.used(key, now) == 0 {
			delete(l.spent, key)
		}
	}
}
