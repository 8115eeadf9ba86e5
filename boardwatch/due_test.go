package boardwatch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func TestNextCheck(t *testing.T) {
	t.Parallel()

	b := boardwatch.Board{ID: board.ID, Cadence: time.Hour}
	t.Run("an untracked board is not scheduled", func(t *testing.T) {
		t.Parallel()
		require.True(t, boardwatch.NextCheck(boardwatch.Board{ID: board.ID}, noon).IsZero())
	})
	t.Run("it comes within one interval and then exactly every interval", func(t *testing.T) {
		t.Parallel()
		first := boardwatch.NextCheck(b, noon)
		require.True(t, first.After(noon))
		require.LessOrEqual(t, first.Sub(noon), time.Hour)
		require.Equal(t, first.Add(time.Hour), boardwatch.NextCheck(b, first.Add(3*time.Second)), "the check took three seconds")
		require.Equal(t, first.Add(2*time.Hour), boardwatch.NextCheck(b, first.Add(61*time.Minute)), "one was missed")
	})
	t.Run("boards are spread evenly over the interval", func(t *testing.T) {
		t.Parallel()
		var buckets [12]int
		const boards = 12_000
		for range boards {
			wait := boardwatch.NextCheck(boardwatch.Board{ID: boardwatch.NewID(), Cadence: time.Hour}, noon).Sub(noon)
			buckets[min(11, int(wait/(5*time.Minute)))]++
		}
		for _, n := range buckets {
			require.InDelta(t, boards/12, n, 200)
		}
	})
	t.Run("failures double the wait up to a day", func(t *testing.T) {
		t.Parallel()
		for failures, want := range map[int]time.Duration{
			1: 2 * time.Hour, 2: 4 * time.Hour, 3: 8 * time.Hour, 4: 16 * time.Hour, 5: 24 * time.Hour, 60: 24 * time.Hour,
		} {
			b := b
			b.State.BadRuns = failures
			require.Equal(t, noon.Add(want), boardwatch.NextCheck(b, noon), failures)
		}
		slow := boardwatch.Board{ID: board.ID, Cadence: 48 * time.Hour, State: boardwatch.BoardState{BadRuns: 3}}
		require.Equal(t, noon.Add(48*time.Hour), boardwatch.NextCheck(slow, noon), "never more often than healthy")
	})
	t.Run("a source that asked to be left alone is", func(t *testing.T) {
		t.Parallel()
		b := b
		b.State.RetryAfter = noon.Add(5 * time.Hour)
		require.Equal(t, noon.Add(5*time.Hour), boardwatch.NextCheck(b, noon))
	})
	t.Run("when the pause of a host ends, others go before the board that was refused", func(t *testing.T) {
		t.Parallel()
		refused, kept := b, b
		end := noon.Add(5 * time.Hour)
		refused.State = boardwatch.BoardState{Health: boardwatch.HealthFailed, Cause: cause.Throttled, BadRuns: 1, RetryAfter: end}
		kept.State = boardwatch.BoardState{Health: boardwatch.HealthPartial, Cause: cause.Throttled, BadRuns: 1, RetryAfter: end}
		require.Equal(t, end, boardwatch.NextCheck(kept, noon))
		require.Equal(t, end.Add(time.Minute), boardwatch.NextCheck(refused, noon))
		refused.State.Health, refused.State.Cause = boardwatch.HealthPartial, cause.PageMissing
		require.Equal(t, end.Add(time.Minute), boardwatch.NextCheck(refused, noon), "a further page was refused")
		refused.State.RetryAfter = noon.Add(time.Second)
		require.False(t, boardwatch.NextCheck(refused, noon).After(noon.Add(refused.Cadence)), "a short pause is no matter")
	})
	t.Run("cadences have no floor", func(t *testing.T) {
		t.Parallel()
		b := boardwatch.Board{ID: board.ID, Cadence: 10 * time.Millisecond}
		require.LessOrEqual(t, boardwatch.NextCheck(b, noon).Sub(noon), 10*time.Millisecond)
	})
	t.Run("times before 1970 do not matter", func(t *testing.T) {
		t.Parallel()
		old := time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)
		next := boardwatch.NextCheck(b, old)
		require.True(t, next.After(old) && next.Sub(old) <= time.Hour, fmt.Sprint(next))
	})
}

func TestCheckOnDemand(t *testing.T) {
	t.Parallel()

	b := boardwatch.Board{Cadence: time.Hour}
	require.True(t, boardwatch.CheckOnDemand(b, noon), "never checked")
	require.False(t, boardwatch.CheckOnDemand(boardwatch.Board{}, noon), "nobody tracks it")

	b.State.LastCheckedAt = noon
	require.False(t, boardwatch.CheckOnDemand(b, noon.Add(59*time.Second)))
	require.True(t, boardwatch.CheckOnDemand(b, noon.Add(time.Minute)))
	require.True(t, boardwatch.CheckOnDemand(b, noon.Add(-time.Hour)), "the clock was set back")

	b.State.BadRuns, b.NextCheckAt = 1, noon.Add(2*time.Hour)
	require.False(t, boardwatch.CheckOnDemand(b, noon.Add(time.Hour)), "a back-off runs")
	require.True(t, boardwatch.CheckOnDemand(b, noon.Add(2*time.Hour)))

	b.State.BadRuns, b.State.RetryAfter = 0, noon.Add(3*time.Hour)
	require.False(t, boardwatch.CheckOnDemand(b, noon.Add(2*time.Hour)), "the source wants to be left alone")
}

func TestFresh(t *testing.T) {
	t.Parallel()

	b := boardwatch.Board{Status: boardwatch.BoardReady, State: boardwatch.BoardState{LastSuccessAt: noon}}
	require.True(t, boardwatch.Fresh(b, noon.Add(24*time.Hour)))
	require.False(t, boardwatch.Fresh(b, noon.Add(24*time.Hour+time.Millisecond)))
	b.Status = boardwatch.BoardFailed
	require.False(t, boardwatch.Fresh(b, noon))
	require.False(t, boardwatch.Fresh(boardwatch.Board{Status: boardwatch.BoardReady}, noon))
}

func TestNextUnder(t *testing.T) {
	t.Parallel()

	read := boardwatch.Board{ID: board.ID, Cadence: time.Hour, State: boardwatch.BoardState{LastCheckedAt: noon}}
	read.NextCheckAt = boardwatch.NextCheck(read, noon)
	daily := read
	daily.Cadence = 24 * time.Hour
	idle := read
	idle.Cadence, idle.NextCheckAt = 0, time.Time{}
	now := noon.Add(time.Minute)
	for name, c := range map[string]struct {
		board   boardwatch.Board
		cadence time.Duration
		want    time.Time
	}{
		"nobody tracks it any more":              {read, 0, time.Time{}},
		"it was never checked":                   {boardwatch.Board{ID: board.ID}, time.Hour, now},
		"a slower pace leaves what is due alone": {read, 24 * time.Hour, read.NextCheckAt},
		"a faster pace counts from the last check": {
			boardwatch.Board{ID: board.ID, NextCheckAt: noon.Add(20 * time.Hour), State: read.State}, time.Hour, read.NextCheckAt,
		},
		"somebody tracks it again": {idle, 24 * time.Hour, boardwatch.NextCheck(daily, noon)},
		"its time has passed":      {boardwatch.Board{ID: board.ID, State: boardwatch.BoardState{LastCheckedAt: noon.Add(-time.Hour)}}, time.Minute, now},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, boardwatch.NextUnder(c.board, c.cadence, now))
		})
	}
}

func TestRepeating(t *testing.T) {
	t.Parallel()

	last := boardwatch.BoardState{LastCheckedAt: noon, Health: boardwatch.HealthFailed, Reason: "no answer"}
	same := boardwatch.Check{Health: boardwatch.HealthFailed, Reason: "nothing came back"}
	require.True(t, same.Repeating(last), "a sentence may be reworded")
	require.False(t, same.Repeating(boardwatch.BoardState{Health: boardwatch.HealthFailed, Reason: "no answer"}), "the first check")
	for _, c := range []boardwatch.Check{
		{Health: boardwatch.HealthOK, Reason: "no answer"},
		{Health: boardwatch.HealthFailed, Cause: cause.Timeout, Reason: "no answer"},
		{Health: boardwatch.HealthFailed, Reason: "no answer", Found: 1},
		{Health: boardwatch.HealthFailed, Reason: "no answer", Closed: 1},
		{Health: boardwatch.HealthFailed, Reason: "no answer", Updated: 1},
		{Health: boardwatch.HealthFailed, Reason: "no answer", Missed: 1},
	} {
		require.False(t, c.Repeating(last))
	}
}
