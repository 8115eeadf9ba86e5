package boardwatch_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestRateSpend(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	rate := boardwatch.Rate{Name: "test", Limit: 2, Window: time.Minute}
	at := func(seconds ...float64) []time.Time {
		var out []time.Time
		for _, s := range seconds {
			out = append(out, start.Add(time.Duration(s*float64(time.Second))))
		}
		return out
	}
	tests := []struct {
		name      string
		used      []time.Time
		now       float64
		kept      []time.Time
		remaining int
		reset     float64
		wait      time.Duration
	}{
		{"the first request leaves the rest", nil, 0, at(0), 1, 60, 0},
		{"the last place is a place", at(0), 1, at(0, 1), 0, 60, 0},
		{"one more is refused, and counts", at(0, 1), 2, at(1, 2), 0, 61, 59 * time.Second},
		{"a refused one prolongs the wait of the next", at(1, 2), 3, at(2, 3), 0, 62, 59 * time.Second},
		{"a place is free again when the window has passed, to the millisecond", at(0, 1), 60, at(1, 60), 0, 61, 0},
		{"and not before", at(0, 1), 59.999, at(1, 59.999), 0, 61, 1001 * time.Millisecond},
		{"what is long past is forgotten", at(0, 1), 3600, at(3600), 1, 3660, 0},
		{"a clock that goes back stands still", at(10), 5, at(10, 10), 0, 70, 0},
		{"a clock that was set back by hours holds nobody up for hours", at(7190, 7200), 10, at(10, 10), 0, 70, time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kept, b := rate.Spend(tt.used, at(tt.now)[0])
			require.Equal(t, tt.kept, kept)
			require.Equal(t, boardwatch.Budget{
				Limit: 2, Remaining: tt.remaining, At: kept[len(kept)-1], ResetAt: at(tt.reset)[0], Wait: tt.wait,
			}, b)
		})
	}

	t.Run("a lenient one does not count what it refuses", func(t *testing.T) {
		t.Parallel()
		lenient := rate
		lenient.Lenient = true
		kept, b := lenient.Spend(at(0, 1), at(2)[0])
		require.Equal(t, at(0, 1), kept)
		require.Equal(t, boardwatch.Budget{Limit: 2, At: at(2)[0], ResetAt: at(60)[0], Wait: 58 * time.Second}, b)
		_, b = lenient.Spend(kept, at(60)[0])
		require.Zero(t, b.Wait)
	})

	t.Run("is a sliding log of all requests, whatever comes", func(t *testing.T) {
		t.Parallel()
		r := rand.New(rand.NewPCG(1, 2))
		rate := boardwatch.Rate{Limit: 5, Window: time.Second}
		var kept, all []time.Time
		now := start
		for range 20_000 {
			now = now.Add(time.Duration(r.IntN(400)) * time.Millisecond)
			inWindow := 0
			for i := len(all) - 1; i >= 0 && all[i].After(now.Add(-rate.Window)); i-- {
				inWindow++
			}
			var b boardwatch.Budget
			kept, b = rate.Spend(kept, now)
			all = append(all, now)
			require.Equal(t, inWindow < rate.Limit, b.Wait == 0)
			require.Equal(t, max(0, rate.Limit-inWindow-1), b.Remaining)
			if b.Wait > 0 {
				_, next := rate.Spend(kept, now.Add(b.Wait))
				require.Zero(t, next.Wait, "after the wait it fits")
				_, next = rate.Spend(kept, now.Add(b.Wait-time.Millisecond))
				require.NotZero(t, next.Wait, "and not a moment before")
			}
		}
	})

	t.Run("leaves what it was given as it was", func(t *testing.T) {
		t.Parallel()
		used := at(0, 1)
		_, _ = rate.Spend(used[:1], at(2)[0])
		require.Equal(t, at(0, 1), used)
	})
}
