package deliver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestJitterIsLaterAndLittle(t *testing.T) {
	t.Parallel()
	for wait, most := range map[time.Duration]time.Duration{
		0: 0, time.Nanosecond: 0, time.Second: 50 * time.Millisecond, time.Minute: 3 * time.Second,
		30 * time.Minute: 30 * time.Second, 12 * time.Hour: 30 * time.Second,
	} {
		seen := map[time.Duration]bool{}
		for range 100 {
			j := jitter(wait)
			require.GreaterOrEqual(t, j, time.Duration(0))
			require.LessOrEqual(t, j, most)
			seen[j] = true
		}
		require.Equal(t, most > 0, len(seen) > 1, "spread, where there is room")
	}
}
