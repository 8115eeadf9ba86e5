package account

import (
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// limiter lets each of many keys do something so often. It remembers a key only until it may do everything again.
type limiter struct {
	allowance boardwatch.Allowance

	mu     sync.Mutex
	until  map[string]time.Time // when all of a key's turns will have come back
	sweeps time.Time            // when forgotten keys are next looked for
}

func newLimiter(burst int, every time.Duration) *limiter {
	return &limiter{allowance: boardwatch.Allowance{Burst: burst, Every: every}, until: map[string]time.Time{}}
}

// take uses one turn of the key. When there is none it uses nothing, and says how long until there is.
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

// sweep forgets keys with nothing spent, now and then.
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
