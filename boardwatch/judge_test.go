package boardwatch_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func health(res boardwatch.CheckResult) boardwatch.Health { return res.Check.Health }

func seq(from, to int) []int {
	var out []int
	for k := from; k <= to; k++ {
		out = append(out, k)
	}
	return out
}

func TestARoleClosesAfterThreeHealthyMisses(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.DefaultRules())
	w.check(ok(1, 2, 3), false)
	require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
	require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
	require.Empty(t, w.check(boardwatch.Failed(boardwatch.CauseSiteError, "timeout"), false).Change.Closed, "a failure neither counts nor starts anew")
	closed := w.check(ok(1, 2), false).Change.Closed
	require.Len(t, closed, 1)
	require.Equal(t, w.now, closed[0].ClosedAt)
	require.Equal(t, noon.Add(time.Hour), closed[0].LastSeenAt, "the last healthy check that saw it")
}

func TestNoSettingLetsASingleMissCloseARole(t *testing.T) {
	t.Parallel()

	for _, setting := range []int{1, -3} {
		w := newWorld(t, boardwatch.Rules{CloseAfter: setting})
		w.check(ok(1, 2, 3), false)
		require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
		require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
	}
}

func TestARoleSeenAgainStartsAnew(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.DefaultRules())
	w.check(ok(1, 2, 3), false)
	w.check(ok(1, 2), false)
	w.check(ok(1, 2), false)
	w.check(ok(1, 2, 3), false)
	w.check(ok(1, 2), false)
	require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
	require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
}

func TestAClosedRoleOpensAgainUnderItsID(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.DefaultRules())
	first := w.check(ok(1, 2, 3), false).Change.Found[2]
	for range 3 {
		w.check(ok(1, 2), false)
	}
	res := w.check(ok(1, 2, 3), false)
	require.Len(t, res.Change.Reopened, 1)
	again := res.Change.Reopened[0]
	require.Equal(t, first.ID, again.ID)
	require.Equal(t, first.FirstSeenAt, again.FirstSeenAt)
	require.True(t, again.ClosedAt.IsZero())
	require.Equal(t, boardwatch.EventJobFound, res.Deliveries[0].Type)
}

func TestAnotherTitleUnderTheSameKeyIsTheSameJob(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.DefaultRules())
	w.check(ok(1, 2), false)
	r := ok(1, 2)
	r.Postings[0].Title = "Principal role"
	res := w.check(r, false)
	require.Len(t, res.Change.Updated, 1)
	require.Empty(t, res.Change.Found)
	require.Equal(t, "Principal role", w.jobs[res.Change.Updated[0].ID].Title)
}

func TestSuspicion(t *testing.T) {
	t.Parallel()

	t.Run("losing every role is suspect, however few there were", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(1), false)
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(), false)))
	})
	t.Run("more than half of six is suspect, half is not", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(seq(1, 6)...), false)
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(1, 2, 3), false)))

		w = newWorld(t, boardwatch.Rules{})
		w.check(ok(seq(1, 6)...), false)
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(1, 2), false)))
	})
	t.Run("more than half of five is not", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(seq(1, 5)...), false)
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(1), false)))
	})
	t.Run("it ends after three further checks and the hold, whatever else changes", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{SuspectHold: 5 * time.Hour})
		w.check(ok(seq(1, 10)...), false)
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(1, 2, 3), false)))
		success := w.board.State.LastSuccessAt
		for i := range 4 { // one to four hours later
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(1, 2, 3, 20+i), false)))
		}
		require.Equal(t, success, w.board.State.LastSuccessAt)
		require.Equal(t, boardwatch.BoardReady, w.board.Status)
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(1, 2, 3), false)))
		w.check(ok(1, 2, 3), false)
		require.Len(t, w.check(ok(1, 2, 3), false).Change.Closed, 11, "the vanished seven, and the four that came and went")
	})
	t.Run("by default it is held for a day", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		for range 24 { // the loss, and the 23 hours after it
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(1, 2, 3), false)))
		}
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(1, 2, 3), false)))
	})
	t.Run("it ends at once when the roles come back", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		w.check(ok(), false)
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(seq(1, 10)...), false)))
		require.Empty(t, w.board.State.Vanished)
	})
	t.Run("roles that only a doubtful reading showed are waited for like others", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(seq(50, 90)...), false)), "another company's board")
		for range 24 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(seq(1, 10)...), false)))
		}
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(seq(1, 10)...), false)))
		w.check(ok(seq(1, 10)...), false)
		require.Len(t, w.check(ok(seq(1, 10)...), false).Change.Closed, 41)
	})
	t.Run("a board that was only ever read incompletely is suspect when it shows nothing", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(partial(seq(1, 100)...), false)
		for range 24 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(), false)))
		}
		w.check(ok(), false)
		w.check(ok(), false)
		require.Len(t, w.check(ok(), false).Change.Closed, 100)
	})
	t.Run("roles that an incomplete reading found count, however many the last healthy one showed", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		w.check(partial(seq(1, 100)...), false)
		for range 24 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(seq(1, 10)...), false)))
		}
		w.check(ok(seq(1, 10)...), false)
		w.check(ok(seq(1, 10)...), false)
		require.Len(t, w.check(ok(seq(1, 10)...), false).Change.Closed, 90)
	})
	t.Run("another company's roles do not make the loss look small", func(t *testing.T) {
		t.Parallel()
		for _, before := range []boardwatch.Reading{ok(seq(1, 10)...), partial(seq(1, 10)...)} {
			w := newWorld(t, boardwatch.DefaultRules())
			w.check(before, false)
			for range 24 {
				require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(seq(50, 90)...), false)))
			}
		}
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		w.check(partial(seq(50, 90)...), false)
		for range 24 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(seq(50, 90)...), false)))
		}
	})
	t.Run("a role that came back between two healthy readings counts again", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(seq(1, 6)...), true)), "the system is sick: nothing counts")
		w.check(partial(seq(1, 10)...), false)
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(seq(1, 4)...), false)))
	})
	t.Run("losing the few that were left starts the waiting anew", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{SuspectHold: 10 * time.Hour})
		w.check(ok(seq(1, 10)...), false)
		for range 9 {
			w.check(ok(1, 2, 3), false)
		}
		for range 10 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(), false)))
		}
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(), false)))
	})
	t.Run("it does not end while the system is sick, and waits its time afterwards", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{SuspectHold: 10 * time.Hour})
		w.check(ok(seq(1, 10)...), false)
		for range 72 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(), true)))
		}
		for range 9 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(), false)))
		}
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(), false)))
	})
	t.Run("roles that came with another board are waited for too", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(1, 2, 3), false)
		for k := range 10 {
			id := boardwatch.NewID()
			w.jobs[id] = boardwatch.Job{
				ID: id, Key: boardwatch.MergedKey + id, Title: "Role", Status: boardwatch.JobOpen, LastSeenAt: noon.Add(-time.Duration(k) * time.Hour),
			}
			w.found[id] = 1
			w.board.OpenJobs++
			w.board.State.Missing++
		}
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(1, 2, 3), false)))
	})
	t.Run("a second mass loss starts the waiting anew", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{SuspectHold: time.Hour})
		w.check(ok(seq(1, 40)...), false)
		w.check(ok(seq(1, 12)...), false)
		w.check(ok(seq(1, 12)...), false)
		w.check(ok(1), false)
		for range 2 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(1), false)))
		}
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(1), false)))
	})
	t.Run("halves that take turns never close anything", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(seq(1, 41)...), false)
		for i := range 50 {
			r := ok(seq(1, 20)...)
			if i%2 == 1 {
				r = ok(seq(21, 41)...)
			}
			require.Empty(t, w.check(r, false).Change.Closed)
		}
	})
	t.Run("a partial reading that shows the roles ends it", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(seq(1, 10)...), false)
		w.check(ok(), false)
		w.check(ok(), false)
		w.check(boardwatch.Reading{Health: boardwatch.HealthPartial, Claimed: -1, Postings: postings(seq(1, 10)...)}, false)
		require.Empty(t, w.board.State.Vanished)
		for range 3 {
			require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(), false)))
		}
	})
	t.Run("a failure in between neither ends it nor counts", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(seq(1, 10)...), false)
		w.check(ok(), false)
		w.check(ok(), false)
		w.check(boardwatch.Failed(boardwatch.CauseSiteError, "timeout"), false)
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(), false)))
		require.Equal(t, boardwatch.HealthOK, health(w.check(ok(), false)))
	})
}

func TestARowWithoutATitleKeepsItsRoleOpen(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2, 3), false)
	r := ok(1, 2)
	r.Present = []string{"3", "4"}
	for range 5 {
		res := w.check(r, false)
		require.True(t, res.Change.Empty(), "role 3 is there, and role 4 was never seen")
	}
	require.True(t, w.board.State.Settled())
	for range 2 {
		w.check(ok(1, 2), false)
	}
	require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
}

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
	const short, long, day = 10 * time.Minute, 61 * time.Minute, 24 * time.Hour
	healthy := func(n int) []boardwatch.FleetReading { return boards(n, short, 0) }
	for name, c := range map[string]struct {
		readings []boardwatch.FleetReading
		want     bool
	}{
		"five of twenty-five hold":                                {slices.Concat(boards(5, short, short), healthy(20)), true},
		"five of twenty-six are under a fifth":                    {slices.Concat(boards(5, short, short), healthy(21)), false},
		"four are too few":                                        {boards(4, short, short), false},
		"they hold as long as they stay sick":                     {slices.Concat(boards(5, short, 9*day), healthy(20)), true},
		"and until the fifth of them has recovered":               {slices.Concat(boards(4, short, 9*day), healthy(1)), false},
		"also while their back-off runs":                          {slices.Concat(boards(5, 20*time.Hour, 9*day), healthy(20)), true},
		"which does not make them fewer of all":                   {slices.Concat(boards(5, 20*time.Hour, 9*day), healthy(21)), false},
		"boards read long ago are not counted":                    {slices.Concat(boards(5, short, short), healthy(20), boards(50, long, 0)), true},
		"boards that fell ill one after the other do not":         {spread(6, 16*time.Minute), false},
		"five within the hour do":                                 {spread(6, 15*time.Minute), true},
		"those that followed them count as well":                  {slices.Concat(spread(20, 15*time.Minute), healthy(80)), true},
		"one that fell ill for itself does not":                   {slices.Concat(boards(5, short, 9*day), boards(1, short, 3*day), healthy(20)), false},
		"boards that were never healthy are no sign":              {healthy(25), false},
		"boards that have been sick for a month are no sign":      {boards(25, short, 31*day), false},
		"and no hindrance either":                                 {slices.Concat(boards(5, short, short), boards(20, short, 31*day)), true},
		"nor those that fell ill on a whole day, each for itself": {slices.Concat(oneByOne(20*time.Hour), healthy(100)), false},
		"but those of them that are still read in vain count":     {slices.Concat(oneByOne(short), healthy(100)), true},
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
}

func TestStateAfterAReading(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2), false)
	require.True(t, w.board.State.Settled())

	w.check(boardwatch.Reading{Health: boardwatch.HealthFailed, Reason: "no such board", Unknown: true, RetryAfter: 2 * time.Hour}, false)
	s := w.board.State
	require.Equal(t, 1, s.UnknownRuns)
	require.Equal(t, 1, s.Failures)
	require.Equal(t, w.now, s.SickSince)
	require.Equal(t, w.now.Add(2*time.Hour), s.RetryAfter)
	require.Equal(t, boardwatch.BoardFailed, w.board.Status)
	require.Equal(t, "no such board", s.Reason)

	for range 10 {
		w.check(boardwatch.Reading{Health: boardwatch.HealthPartial, Reason: "page 2 failed", Claimed: -1, Postings: postings(1)}, false)
	}
	require.True(t, w.board.State.PartialTooLong())
	require.Equal(t, boardwatch.BoardReady, w.board.Status)
	require.Equal(t, "page 2 failed", w.board.State.Reason)
	require.Zero(t, w.board.State.UnknownRuns)

	w.check(ok(1, 2), false)
	require.Empty(t, w.board.State.Reason)
	require.True(t, w.board.State.SickSince.IsZero())
	require.Zero(t, w.board.State.PartialRuns)
}

func TestASickBoardRemembersWhenItLeftHealth(t *testing.T) {
	t.Parallel()

	sick := []boardwatch.Reading{
		boardwatch.Failed(boardwatch.CauseSiteError, "timeout"), {Health: boardwatch.HealthPartial, Claimed: -1}, {Health: boardwatch.HealthBlocked, Claimed: -1}, ok(),
	}
	w := newWorld(t, boardwatch.Rules{})
	for _, r := range sick[:3] {
		w.check(r, false)
		require.Zero(t, w.board.State.SickSince, "it never was healthy")
	}
	w.check(ok(1, 2, 3), false)
	since := w.now.Add(time.Hour)
	for _, r := range sick {
		w.check(r, false)
		require.Equal(t, since, w.board.State.SickSince)
	}
}

func TestASourceIsLeftAloneForADayAtMost(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	for asked, want := range map[time.Duration]time.Duration{
		23 * time.Hour: 23 * time.Hour, 24 * time.Hour: 24 * time.Hour, 365 * 24 * time.Hour: 24 * time.Hour,
	} {
		r := ok(1)
		r.RetryAfter = asked
		w.check(r, false)
		require.Equal(t, w.now.Add(want), w.board.State.RetryAfter, asked)
	}
}

func TestAnIncompleteReadingEndsTheBackoff(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2), false)
	for range 4 {
		w.check(boardwatch.Failed(boardwatch.CauseSiteError, "timeout"), false)
	}
	require.Equal(t, w.now.Add(16*time.Hour), w.board.NextCheckAt)
	w.check(boardwatch.Reading{Health: boardwatch.HealthPartial, Claimed: -1, Postings: postings(1)}, false)
	require.False(t, w.board.NextCheckAt.After(w.now.Add(time.Hour)))
}

func TestARoleOfAnIncompleteReadingIsTakenAlongByTheHealthyOne(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1), false)
	found := w.check(boardwatch.Reading{Health: boardwatch.HealthPartial, Claimed: -1, Postings: postings(1, 2)}, false).Change.Found
	for range 3 {
		w.check(ok(1, 2), false)
		require.Equal(t, w.now, w.jobs[found[0].ID].LastSeenAt, "the last healthy check saw it")
	}
}

func TestIdentityComesFromTheSourceAndStays(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	r := ok(1)
	r.Company, r.Domain = "Northwind Labs", "northwind.example"
	w.check(r, false)
	w.check(ok(1), false)
	require.Equal(t, "Northwind Labs", w.board.Company)
	require.Equal(t, "northwind.example", w.board.Domain)
}

func TestRekeyKeepsTheIdsOfRolesFoundAgain(t *testing.T) {
	t.Parallel()

	known := []boardwatch.Job{
		{ID: "a", Key: "old-1", Title: "Engineer", Location: "Berlin", Status: boardwatch.JobOpen},
		{ID: "b", Key: "old-2", Title: "Cook", Location: "Rome", Status: boardwatch.JobOpen},
		{ID: "c", Key: "old-3", Title: "Cook", Location: "Rome", Status: boardwatch.JobOpen},
		{ID: "d", Key: "old-4", Title: "Driver", Status: boardwatch.JobClosed},
	}
	r := boardwatch.Reading{Postings: []boardwatch.Posting{
		{Key: "new-1", Title: "ENGINEER ", Location: "berlin"}, {Key: "new-2", Title: "Cook", Location: "Rome"}, {Key: "new-3", Title: "Driver"},
	}}
	got := boardwatch.Rekey(known, r)
	require.Equal(t, []string{"new-1", "old-2", "old-3", "old-4"}, []string{got[0].Key, got[1].Key, got[2].Key, got[3].Key})
	require.Equal(t, "old-1", known[0].Key, "what was handed in is left alone")
}

func TestRekeyMatchesNoRoleThatMayBeAnother(t *testing.T) {
	t.Parallel()

	open, closed := boardwatch.JobOpen, boardwatch.JobClosed
	for name, c := range map[string]struct {
		known  []boardwatch.Job
		listed []string // keys of postings of one title
		want   []string
	}{
		"one and one":     {[]boardwatch.Job{{Key: "old", Status: open}}, []string{"new"}, []string{"new"}},
		"two postings":    {[]boardwatch.Job{{Key: "old", Status: open}}, []string{"new", "newer"}, []string{"old"}},
		"two known roles": {[]boardwatch.Job{{Key: "old", Status: open}, {Key: "older", Status: open}}, []string{"new"}, []string{"old", "older"}},
		"the posting is another known role, closed": {[]boardwatch.Job{{Key: "old", Status: open}, {Key: "new", Status: closed}}, []string{"new"}, []string{"old", "new"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range c.known {
				c.known[i].Title = "Cook"
			}
			var r boardwatch.Reading
			for _, key := range c.listed {
				r.Postings = append(r.Postings, boardwatch.Posting{Key: key, Title: "Cook"})
			}
			var got []string
			for _, j := range boardwatch.Rekey(c.known, r) {
				got = append(got, j.Key)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestAnAccountsOwnNameGoesToItsOwnWebhooksOnly(t *testing.T) {
	t.Parallel()

	b := boardwatch.Board{ID: board.ID, URL: "https://acme.example/careers"}
	hooks := []boardwatch.Webhook{
		{ID: "h1", AccountID: "a1", Events: boardwatch.EventTypes()},
		{ID: "h2", AccountID: "a2", Events: boardwatch.EventTypes()},
		{ID: "h3", AccountID: "a3", Events: boardwatch.EventTypes()},
		{ID: "h4", AccountID: "nobody", Events: boardwatch.EventTypes()},
		{ID: "h5", AccountID: "a2", Events: []boardwatch.EventType{boardwatch.EventBoardFailed}},
		{ID: "h6", AccountID: "a2", Events: boardwatch.EventTypes(), DisabledAt: noon},
	}
	subs := []boardwatch.Subscription{{AccountID: "a1", CompanyName: "Secret project"}, {AccountID: "a2"}, {AccountID: "a3"}}
	change := boardwatch.Change{Found: []boardwatch.Job{openJob}}
	payloads, deliveries := boardwatch.Deliveries(b, boardwatch.Check{At: noon, Health: boardwatch.HealthOK}, change, subs, hooks, ids())
	require.Len(t, payloads, 2)
	require.Len(t, deliveries, 3)
	require.Equal(t, deliveries[1].PayloadID, deliveries[2].PayloadID, "equal content is kept once")
	require.Contains(t, string(payloads[0].Tail), "Secret project")
	require.NotContains(t, string(payloads[1].Tail), "Secret project")
	require.NotContains(t, string(payloads[1].Tail), "Northwind", "the name stands for the whole payload")
}

func TestAnUnprovenReaderFindsRolesButClosesNone(t *testing.T) {
	t.Parallel()

	unproven := func(keys ...int) boardwatch.Reading {
		r := ok(keys...)
		r.Unproven = true
		return r
	}
	w := newWorld(t, boardwatch.Rules{})
	w.check(unproven(1, 2, 3), false)
	res := w.check(unproven(1, 2, 3, 4), false)
	require.Equal(t, boardwatch.HealthOK, health(res), "nothing is missing")
	require.Len(t, res.Change.Found, 1)
	for range 10 {
		res = w.check(unproven(2, 3, 4, 5), false)
		require.Equal(t, boardwatch.HealthPartial, health(res))
		require.Empty(t, res.Change.Closed)
		require.Contains(t, res.Check.Reason, "1 known roles are not listed")
	}
	require.Equal(t, boardwatch.HealthOK, health(w.check(unproven(1, 2, 3, 4, 5), false)))
}
