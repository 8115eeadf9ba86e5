package deliver

import (
	"math/rand/v2"
	"time"
)

// longestJitter keeps long waits near to what the schedule promises.
const longestJitter = 30 * time.Second

// jitter is up to a twentieth of a wait: only ever later, and little.
func jitter(wait time.Duration) time.Duration {
	most := min(wait/20, longestJitter)
	if most <= 0 {
		return 0
	}
	return rand.N(most) //nolint:gosec // spreads load, guards nothing
}
