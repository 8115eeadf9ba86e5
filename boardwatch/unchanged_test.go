package boardwatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// keeper is a program that stores a board and its jobs as values, check after check.
type keeper struct {
	t     *testing.T
	board boardwatch.Board
	jobs  []boardwatch.Job
	now   time.Time

	rules       boardwatch.Rules
	testimonies map[string]boardwatch.Testimony
}

func newKeeper(t *testing.T) *keeper {
	t.Helper()
	return &keeper{
		t: t, board: boardwatch.Board{ID: boardwatch.NewID(), Source: "page:https://northwind.example/careers", Cadence: time.Hour},
		now: time.Date(2026, 10, 21, 9, 0, 0, 0, time.UTC),
	}
}

func (k *keeper) check(r boardwatch.Reading, fleetHold bool) boardwatch.Change {
	in := boardwatch.CheckInput{Now: k.now, Board: k.board, Known: k.jobs, Testimonies: k.testimonies}
	result := boardwatch.Decide(in, r.Normalize(), fleetHold, k.rules, boardwatch.NewID)
	k.board, k.jobs, k.now = result.Board, result.Jobs(in), k.now.Add(time.Hour)
	open := 0
	for _, j := range k.jobs {
		if j.Status == boardwatch.JobOpen {
			open++
		}
	}
	require.Equal(k.t, k.board.OpenJobs, open)
	return result.Change
}

func (k *keeper) statuses() map[string]boardwatch.JobStatus {
	all := map[string]boardwatch.JobStatus{}
	for _, j := range k.jobs {
		all[j.Title] = j.Status
	}
	return all
}

func shows(print string, titles ...string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: print}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title})
	}
	return r
}

func asBefore(print string) boardwatch.Reading {
	return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: print, Unchanged: true}
}

func TestUnchangedReadings(t *testing.T) {
	t.Parallel()
	const open, closed = boardwatch.JobOpen, boardwatch.JobClosed

	t.Run("a page that never changes closes nothing", func(t *testing.T) {
		t.Parallel()
		k := newKeeper(t)
		require.Len(t, k.check(shows("1", "Baker", "Miller"), false).Found, 2)
		for range 10 {
			require.True(t, k.check(asBefore("1"), false).Empty())
			require.Equal(t, boardwatch.HealthOK, k.board.State.Health)
			require.Equal(t, k.board.State.LastSuccessAt, k.jobs[0].LastSeenAt)
		}
		require.Equal(t, map[string]boardwatch.JobStatus{"Baker": open, "Miller": open}, k.statuses())
	})

	t.Run("what it lacked before it still lacks", func(t *testing.T) {
		t.Parallel()
		k := newKeeper(t)
		k.check(shows("1", "Baker", "Miller", "Cooper"), false)
		k.check(shows("2", "Baker", "Miller"), false)
		require.Empty(t, k.check(asBefore("2"), false).Closed)
		require.Len(t, k.check(asBefore("2"), false).Closed, 1)
		require.Equal(t, map[string]boardwatch.JobStatus{"Baker": open, "Miller": open, "Cooper": closed}, k.statuses())
		require.True(t, k.check(asBefore("2"), false).Empty())
		require.Len(t, k.check(shows("1", "Baker", "Miller", "Cooper"), false).Reopened, 1)
	})

	t.Run("an absence that did not count is one all the same", func(t *testing.T) {
		t.Parallel()
		k := newKeeper(t)
		k.check(shows("1", "Baker", "Miller", "Cooper"), false)
		k.check(shows("2", "Baker", "Miller"), true)
		for range 2 {
			require.Empty(t, k.check(asBefore("2"), false).Closed)
		}
		require.Equal(t, "Cooper", k.check(asBefore("2"), false).Closed[0].Title)
	})

	t.Run("it refers to healthy answers only", func(t *testing.T) {
		t.Parallel()
		k := newKeeper(t)
		k.rules = boardwatch.DefaultRules()
		k.check(shows("1", "Baker", "Miller"), false)
		k.check(shows("2"), false)
		require.Equal(t, boardwatch.HealthSuspect, k.board.State.Health)
		require.Empty(t, k.board.State.Fingerprint, "a source that is asked now has to say everything")
		k.check(asBefore("2"), false)
		require.Equal(t, boardwatch.HealthFailed, k.board.State.Health, "nobody asked for that answer")
		require.Equal(t, map[string]boardwatch.JobStatus{"Baker": open, "Miller": open}, k.statuses())
	})

	t.Run("after a failure it refers to the healthy answer before", func(t *testing.T) {
		t.Parallel()
		k := newKeeper(t)
		k.check(shows("1", "Baker", "Miller"), false)
		k.check(boardwatch.Failed(cause.SiteError, "the site is in trouble"), false)
		require.True(t, k.check(asBefore("1"), false).Empty())
		require.Equal(t, boardwatch.HealthOK, k.board.State.Health)
	})
}
