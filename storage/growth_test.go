package storage_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
)

// Whoever uses up the room at once, over and over, adds no more than the limit within any hour, and gets the room back
// five minutes later at most.
func TestNoHourHasMoreGrowthThanTheLimit(t *testing.T) {
	t.Parallel()
	const limit = 1000
	random := rand.New(rand.NewPCG(3, 5))
	var g storage.Growth
	type added struct {
		at    time.Time
		bytes int
	}
	var all []added
	now := time.Date(2026, time.November, 28, 12, 0, 0, 0, time.UTC)
	for range 5000 {
		now = now.Add(time.Duration(random.IntN(120)) * time.Second)
		bytes := random.IntN(limit - g.Sum(now) + 1)
		if random.IntN(3) > 0 {
			bytes /= 8
		}
		g = g.Add(bytes, now)
		all = append(all, added{now, bytes})
		within, lately := 0, 0
		for _, a := range all {
			if now.Sub(a.at) < time.Hour {
				within += a.bytes
			}
			if now.Sub(a.at) < time.Hour+5*time.Minute {
				lately += a.bytes
			}
		}
		require.LessOrEqual(t, within, limit)
		require.LessOrEqual(t, within, g.Sum(now))
		require.GreaterOrEqual(t, lately, g.Sum(now))
		require.Less(t, len(g), 15)
	}
	require.Zero(t, g.Sum(now.Add(65*time.Minute)))
	require.Zero(t, g.Sum(now.Add(-3*time.Hour)), "a clock that was set back by hours does not lock anybody out")
}
