package account

import (
	"context"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// RESTRate is the limit of the REST API.
func RESTRate() boardwatch.Rate { return boardwatch.Rate{Name: "rest", Limit: 60, Window: time.Minute} }

// MCPRate is the limit of tool calls over MCP.
func MCPRate() boardwatch.Rate { return boardwatch.Rate{Name: "mcp", Limit: 120, Window: time.Minute} }

// Allowance is how often something may be done: Burst times at once, and then once in Every. The zero value means no
// limit.
type Allowance struct {
	Burst int
	Every time.Duration
}

// Take uses one turn now. until is when all used turns are available again; the zero time means that none was used.
// Take returns the new value of until. If no turn is left, none is used, and wait is how long until there is one.
func (a Allowance) Take(until, now time.Time) (next time.Time, wait time.Duration) {
	all := time.Duration(a.Burst) * a.Every
	if until.After(now.Add(all)) {
		until = now.Add(all) // the clock has been set back
	}
	if until.Before(now) {
		until = now
	}
	if next = until.Add(a.Every); next.After(now.Add(all)) {
		return until, next.Sub(now.Add(all))
	}
	return next, 0
}

// GiveBack returns the value of until after a used turn is given back.
func (a Allowance) GiveBack(until time.Time) time.Time { return until.Add(-a.Every) }

// GuessStore counts wrong passwords, for all processes on one database.
type GuessStore interface {
	// Guess takes a turn of every key, by the rule of Allowance.Take. If one of them has none left, it takes none, and
	// wait is how long until all of them have one. The count is exact, even if many calls are made at once.
	Guess(ctx context.Context, keys []string, a Allowance, now time.Time) (wait time.Duration, err error)
	// GiveBack returns a turn of every key.
	GiveBack(ctx context.Context, keys []string, a Allowance) error
}

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

// Turns lets each network address do something a number of times at once, and then at intervals. An IPv6 network counts
// as one address. It may be used concurrently.
type Turns struct {
	limiter *limiter
	now     func() time.Time
}

// NewTurns returns Turns; a nil clock means time.Now.
func NewTurns(burst int, every time.Duration, now func() time.Time) *Turns {
	if now == nil {
		now = time.Now
	}
	return &Turns{newLimiter(burst, every), now}
}

// Take uses one turn of an address, which may have a port. If there is none, it is a rate_limited error.
func (t *Turns) Take(address string) error {
	wait := t.limiter.take(networkOf(address), t.now())
	if wait == 0 {
		return nil
	}
	return &boardwatch.Error{
		Code: boardwatch.CodeRateLimited, Message: "too many requests from this address; wait a moment",
		RetryAfter: (wait + time.Second - 1).Truncate(time.Second),
	}
}
