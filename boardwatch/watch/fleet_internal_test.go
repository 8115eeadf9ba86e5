package watch

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestTheFleetRemembersSickBoards(t *testing.T) {
	t.Parallel()

	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	readings := func(n int, at, sick time.Time) (out []boardwatch.FleetReading) {
		for i := range n {
			id := fmt.Sprint(i, sick)
			out = append(out, boardwatch.FleetReading{BoardID: id, System: "greenhouse", At: at, SickSince: sick})
		}
		return out
	}
	failing := readings(5, noon, noon) // and not read again, because they are backing off
	for name, c := range map[string]struct {
		later []boardwatch.FleetReading // sick ones that the store still names nine hours later
		want  bool
	}{
		"as long as the store names them":      {failing, true},
		"but not those that nobody tracks now": {failing[:4], false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(boardwatch.Rules{}, slog.New(slog.DiscardHandler))
			for _, r := range failing {
				f.record(r)
			}
			require.True(t, f.holds("greenhouse", noon))
			now := noon.Add(9 * time.Hour)
			f.merge(slices.Concat(c.later, readings(20, now, time.Time{})), now)
			require.Equal(t, c.want, f.holds("greenhouse", now.Add(2*rejudge)))
		})
	}

	t.Run("by what the store says alone, after a restart", func(t *testing.T) {
		t.Parallel()
		f := newFleet(boardwatch.Rules{}, slog.New(slog.DiscardHandler))
		now := noon.Add(9 * time.Hour)
		f.merge(slices.Concat(failing, readings(20, now, time.Time{})), now)
		require.True(t, f.holds("greenhouse", now))
	})
	t.Run("also one that was saved while the store was asked", func(t *testing.T) {
		t.Parallel()
		f := newFleet(boardwatch.Rules{}, slog.New(slog.DiscardHandler))
		for _, r := range failing {
			f.record(r)
		}
		f.merge(nil, noon.Add(savedFleet))
		require.True(t, f.holds("greenhouse", noon.Add(2*rejudge)))
	})
}
