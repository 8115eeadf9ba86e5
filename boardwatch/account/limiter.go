package account

import (
	"sync"
	"time"
)

// limiter limits how often each of many keys may do something. It remembers a key only until its limit is fully
// restored.
type limiter struct {
	allowance Allowance

	mu     sync.Mutex
	until  map[string]time.Time // when all of a key's turns are restored
	sweeps time.Time            // when forgotten keys are next looked for
}

func newLimiter(burst int, every time.Duration) *limiter {
	return &limiter{allowance: Allowance{Burst: burst, Every: every}, until: map[string]time.Time{}}
}

// take uses one turn of the key. If there is none, it returns the time until the next.
func (l *limiter) take(key string, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	next, wait := l.allowance.Take(l.until[key], now)
	if wait == 0 {
		l.until[key] = next
	}
	return wait
}

// sweep forgets keys with nothing spent, from time to time.
func (l *limiter) sweep(now time.Time) {
	if now.Before(l.sweeps) {
		return
	}
	l.sweeps = now.Add(time.Duration(l.allowance.Burst) * l.allowance.Every)
	for key, until := range l.until {
		if !now.Before(until) {
			delete(l.until, key)
		}
	}
}
