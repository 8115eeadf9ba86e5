package deliver

import (
	"math/rand/v2"
	"time"
)

// longestJitter keeps long waits close to the schedule.
const longestJitter = 30 * time.Second

// jitter returns up to a twentieth of a wait; attempts are only ever slightly later.
func jitter(wait time.Duration) time.Duration {
	most := min(wait/20, longestJitter)
	if most <= 0 {
		return 0
	}
	return rand.N(most) //nolint:gosec // spreads load, guards nothing
}
