package boardwatch_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// An empty hosted board is looked for once a week, whatever its cadence, and boards take turns.
func TestAnEmptyHostedBoardIsLookedForOnceAWeek(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	hours := make(map[int]bool)
	for n := range 50 {
		b := boardwatch.Board{ID: "b" + strconv.Itoa(n), Source: "greenhouse:northwind"}
		b.State.Health, b.State.LastCheckedAt = boardwatch.HealthOK, begin
		looks := 0
		for hour := 1; hour <= 4*7*24; hour++ {
			at := begin.Add(time.Duration(hour) * time.Hour)
			if b.LooksAgain(at) {
				looks++
				hours[hour%(7*24)] = true
			}
			for _, other := range []func(*boardwatch.Board){
				func(b *boardwatch.Board) { b.OpenJobs = 1 },
				func(b *boardwatch.Board) { b.Source = "page:https://northwind.example/careers" },
				func(b *boardwatch.Board) { b.State.Health = boardwatch.HealthPartial },
			} {
				o := b
				other(&o)
				require.False(t, o.LooksAgain(at))
			}
			b.State.LastCheckedAt = at
		}
		require.Equal(t, 4, looks)
	}
	require.Greater(t, len(hours), 25, "not all at once")
}
