package boardwatch_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestFleetHold(t *testing.T) {
	t.Parallel()

	// board returns a board of the system that was read that long ago, and has been sick for that long; for 0 it is
	// healthy.
	board := func(read, sick time.Duration) boardwatch.FleetReading {
		f := boardwatch.FleetReading{System: "greenhouse", At: noon.Add(-read)}
		if sick > 0 {
			f.SickSince = noon.Add(-sick)
		}
		return f
	}
	boards := func(n int, read, sick time.Duration) []boardwatch.FleetReading {
		return slices.Repeat([]boardwatch.FleetReading{board(read, sick)}, n)
	}
	spread := func(n int, every time.Duration) (out []boardwatch.FleetReading) {
		for i := range n {
			out = append(out, board(time.Minute, time.Minute+time.Duration(i)*every))
		}
		return out
	}
	// oneByOne returns 192 boards that fell ill one by one within a day, eight an hour.
	oneByOne := func(read time.Duration) (out []boardwatch.FleetReading) {
		for i := range 192 {
			out = append(out, board(read, 20*time.Hour+time.Duration(i)*450*time.Second))
		}
		return out
	}
	// away returns boards that became sick at intervals of that length, and are not read again yet.
	away := func(n int, every time.Duration) (out []boardwatch.FleetReading) {
		for i := range n {
			at := 2*time.Hour + time.Duration(i)*every
			out = append(out, board(at, at))
		}
		return out
	}
	// well returns boards that became sick ten days ago and have been well for less than a day.
	well := func(n int) []boardwatch.FleetReading {
		out := slices.Repeat([]boardwatch.FleetReading{board(time.Minute, 240*time.Hour)}, n)
		for i := range out {
			out[i].WellSince = noon.Add(-23 * time.Hour)
		}
		return out
	}
	const short, long, day = 10 * time.Minute, 61 * time.Minute, 24 * time.Hour
	healthy := func(n int) []boardwatch.FleetReading { return boards(n, short, 0) }
	for name, c := range map[string]struct {
		readings []boardwatch.FleetReading
		want     bool
	}{
		"five of fifty hold":                                      {slices.Concat(boards(5, short, short), healthy(45)), true},
		"five of fifty-one are under a tenth":                     {slices.Concat(boards(5, short, short), healthy(46)), false},
		"four are too few":                                        {boards(4, short, short), false},
		"they hold as long as they stay sick":                     {slices.Concat(boards(5, short, 9*day), healthy(45)), true},
		"and for a day after":                                     {slices.Concat(well(5), healthy(45)), true},
		"and until the fifth of them has been well for a day":     {slices.Concat(boards(4, short, 9*day), healthy(1)), false},
		"also while their back-off runs":                          {slices.Concat(boards(5, 20*time.Hour, 9*day), healthy(45)), true},
		"which does not make them fewer of all":                   {slices.Concat(boards(5, 20*time.Hour, 9*day), healthy(46)), false},
		"boards read long ago are not counted":                    {slices.Concat(boards(5, short, short), healthy(45), boards(50, long, 0)), true},
		"a small system whose boards are read over the day":       {slices.Concat(spread(2, time.Hour), away(6, 3*time.Hour), healthy(2)), true},
		"half of which are well":                                  {slices.Concat(spread(2, time.Hour), away(6, 3*time.Hour), healthy(3)), false},
		"boards that fell ill one after the other do not":         {slices.Concat(spread(6, 16*time.Minute), healthy(7)), false},
		"five within the hour do":                                 {slices.Concat(spread(6, 15*time.Minute), healthy(7)), true},
		"one that fell ill for itself does not":                   {slices.Concat(boards(5, short, 9*day), boards(1, short, 3*day), healthy(45)), false},
		"boards that were never healthy are no sign":              {healthy(25), false},
		"boards that have been sick for a month are no sign":      {boards(25, short, 31*day), false},
		"and no hindrance either":                                 {slices.Concat(boards(5, short, short), boards(20, short, 31*day)), true},
		"nor those that fell ill on a whole day, each for itself": {slices.Concat(oneByOne(20*time.Hour), healthy(100)), false},
		"but those of them that are still read in vain count":     {slices.Concat(oneByOne(short), healthy(100)), true},
		"unless most of what is read is well":                     {slices.Concat(oneByOne(short), healthy(200)), false},
		"a second outage holds when the first one is forgotten":   {slices.Concat(boards(5, short, 31*day), boards(5, short, 2*day)), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, boardwatch.FleetHold("greenhouse", c.readings, boardwatch.Rules{}, noon))
			require.False(t, boardwatch.FleetHold("lever", c.readings, boardwatch.Rules{}, noon), "another system is not concerned")
			for i := range c.readings {
				c.readings[i].System = boardwatch.PageSystem
			}
			require.False(t, boardwatch.FleetHold(boardwatch.PageSystem, c.readings, boardwatch.Rules{}, noon), "pages have nothing in common")
		})
	}

	t.Run("while it lasts nothing is closed, and nothing counts", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(1, 2, 3), false)
		for range 10 {
			require.Empty(t, w.check(ok(1, 2), true).Change.Closed)
		}
		require.False(t, w.board.State.Settled(), "the absent role still has to be looked at")
		w.check(ok(1, 2), false)
		w.check(ok(1, 2), false)
		require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
	})
	t.Run("absences from before begin anew", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(1, 2, 3), false)
		w.check(ok(1, 2), false)
		w.check(ok(1, 2), false)
		w.check(ok(1, 2), true)
		w.check(ok(1, 2), false)
		w.check(ok(1, 2), false)
		require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
	})
}
