package account

import (
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

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
