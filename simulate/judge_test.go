//go:build simulate

package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// These tests are about the judge: its zeros only mean something if it detects errors.

// readHourly returns a world of one board that was read every hour for days and has lost a role, and the correct
// content of a store.
func readHourly(t *testing.T) (*world, *company, []boardwatch.Job) {
	t.Helper()
	for seed := range uint64(100) {
		w := newWorld(options{boards: 1, length: 5 * 24 * time.Hour, seed: seed})
		c := w.accounts[0].companies[0]
		for hour := range 5 * 24 {
			c.answers = append(c.answers, answeredAt(begin.Add(time.Duration(hour)*time.Hour), whole))
		}
		roles, doubtful := c.roles()
		gone := 0
		var jobs []boardwatch.Job
		for url, k := range roles {
			j := boardwatch.Job{URL: url, Title: k.title, Status: boardwatch.JobOpen}
			if !k.open {
				j.Status = boardwatch.JobClosed
			}
			if !k.open && c.overdue(k, doubtful) {
				gone++
			}
			jobs = append(jobs, j)
		}
		if gone > 0 && gone < len(jobs) {
			return w, c, jobs
		}
	}
	require.Fail(t, "no board loses a role")
	return nil, nil, nil
}

// first returns the first job with a status.
func first(jobs []boardwatch.Job, status boardwatch.JobStatus) *boardwatch.Job {
	for i := range jobs {
		if jobs[i].Status == status {
			return &jobs[i]
		}
	}
	return nil
}

func TestJudgeSeesWhatTheStoreHasWrong(t *testing.T) {
	t.Parallel()
	for kind, spoil := range map[string]func([]boardwatch.Job) []boardwatch.Job{
		"":                   func(jobs []boardwatch.Job) []boardwatch.Job { return jobs },
		"never found":        func(jobs []boardwatch.Job) []boardwatch.Job { return jobs[1:] },
		"twice in the store": func(jobs []boardwatch.Job) []boardwatch.Job { return append(jobs, jobs[0]) },
		"invented": func(jobs []boardwatch.Job) []boardwatch.Job {
			return append(jobs, boardwatch.Job{URL: "https://northwind.example/1", Status: boardwatch.JobOpen})
		},
		"stale": func(jobs []boardwatch.Job) []boardwatch.Job {
			first(jobs, boardwatch.JobOpen).Title = "Something else"
			return jobs
		},
		"closed though there": func(jobs []boardwatch.Job) []boardwatch.Job {
			first(jobs, boardwatch.JobOpen).Status = boardwatch.JobClosed
			return jobs
		},
		"open though gone": func(jobs []boardwatch.Job) []boardwatch.Job {
			for i := range jobs {
				jobs[i].Status = boardwatch.JobOpen
			}
			return jobs
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w, c, jobs := readHourly(t)
			w.compare(c, spoil(jobs))
			if kind == "" {
				require.Empty(t, w.findings)
				return
			}
			require.NotEmpty(t, w.findings[kind])
			require.Len(t, w.findings, 1, "and nothing else")
		})
	}
}

func TestJudgeSeesAClosingThatCameTooEarly(t *testing.T) {
	t.Parallel()
	w, c, jobs := readHourly(t)
	report := watch.CheckReport{Board: boardwatch.Board{Source: c.source()}}
	report.Change.Closed = []boardwatch.Job{*first(jobs, boardwatch.JobClosed)}
	w.observe(report)
	require.Empty(t, w.findings)

	there := *first(jobs, boardwatch.JobOpen)
	c.answers = append(c.answers, answeredAt(c.lastWhole(), lie), answeredAt(c.lastWhole(), sick))
	report.Change.Closed = []boardwatch.Job{there}
	w.observe(report)
	require.Len(t, w.findings["closed too early"], 1)
}

// An answer that lacks most roles still shows the others in their current form.
func TestJudgeTakesTitlesFromAnswersThatAreNotWhole(t *testing.T) {
	t.Parallel()
	const later = 10 * 24 * time.Hour
	for seed := range uint64(100) {
		w := newWorld(options{boards: 1, length: later, seed: seed})
		c := w.accounts[0].companies[0]
		c.answers = []answer{answeredAt(begin, whole)}
		roles, _ := c.roles()
		var jobs []boardwatch.Job
		edited := 0
		for url, k := range roles {
			jobs = append(jobs, boardwatch.Job{URL: url, Title: k.title, Status: boardwatch.JobOpen})
			for _, s := range c.shows(begin.Add(later)) {
				if title := c.role(s).Title; c.vendor.Role(c.token, s.n) == url && title != k.title {
					jobs[len(jobs)-1].Title = title
					edited++
				}
			}
		}
		if edited == 0 {
			continue
		}
		w.compare(c, jobs)
		require.Len(t, w.findings["stale"], edited, "nobody has shown it yet")
		w = newWorld(w.o)
		c = w.accounts[0].companies[0]
		c.answers = []answer{answeredAt(begin, whole), answeredAt(begin.Add(later), lie)}
		w.compare(c, jobs)
		require.Empty(t, w.findings)
		return
	}
	require.Fail(t, "no board edits a role")
}

func TestHostCountsTheRequestsOfAnyMinute(t *testing.T) {
	t.Parallel()
	h := new(host)
	for i := range 200 {
		h.ask(begin.Add(time.Duration(i) * time.Second))
	}
	require.Equal(t, 60, h.highest)
	h.ask(begin.Add(199 * time.Second))
	require.Equal(t, 61, h.highest)
}

func TestSpreadTellsQuantilesAndTheMost(t *testing.T) {
	t.Parallel()
	s := new(spread)
	for i := range 1000 {
		s.add(time.Duration(i+1) * time.Second)
	}
	require.InEpsilon(t, 500, s.quantile(0.5).Seconds(), 0.06)
	require.InEpsilon(t, 990, s.quantile(0.99).Seconds(), 0.06)
	require.Equal(t, 1000*time.Second, s.quantile(1))
}
