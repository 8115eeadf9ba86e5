package boardwatch_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// site is the true state of a company's board on a hosted system, and what boardwatch knows about it.
type site struct {
	live map[int]bool
	gone map[string]time.Time // when a role was removed, by key
	next int                  // the next role's number
	at   time.Time            // up to when roles have come and gone
	late time.Duration        // how long after the first site its outage begins and ends

	board boardwatch.Board
	jobs  []boardwatch.Job
}

// until advances the site: about one role in thirty comes or goes each day.
func (s *site) until(now time.Time, rng *rand.Rand) {
	for ; s.at.Before(now); s.at = s.at.Add(time.Hour) {
		for k := range s.next {
			if s.live[k] && rng.IntN(24*60) == 0 {
				delete(s.live, k)
				s.gone[strconv.Itoa(k)] = s.at
			}
		}
		if rng.IntN(24*60) < max(1, len(s.live)) {
			s.live[s.next] = true
			s.next++
		}
	}
}

// shows returns a reader's reading of the site during an outage of that kind; "" means no outage.
func (s *site) shows(outage string) boardwatch.Reading {
	var keys []int
	for k := range s.next {
		if s.live[k] {
			keys = append(keys, k)
		}
	}
	switch outage {
	case "failed":
		return boardwatch.Failed(cause.SiteError, "the site answered 500")
	case "empty lists":
		return ok()
	case "incomplete lists":
		return partial(keys[:len(keys)/2]...)
	case "two thirds of each list":
		return ok(keys[:(len(keys)*2+2)/3]...)
	case "less than half of each list":
		return ok(keys[:len(keys)*2/5]...)
	}
	return ok(keys...)
}

// system is a hosted system with an outage.
type system struct {
	t        *testing.T
	sites    []*site
	kind     string
	from, to time.Time
	late     time.Duration // the longest that a role was gone before it was closed
	closed   int
	rng      *rand.Rand
}

func newSystem(t *testing.T, seed uint64, kind string, length, stagger time.Duration) *system {
	t.Helper()
	from := noon.Add(4*24*time.Hour + 17*time.Minute)
	s := &system{t: t, kind: kind, from: from, to: from.Add(length), rng: rand.New(rand.NewPCG(seed, uint64(length)))}
	newID := ids()
	for i := range outageBoards {
		b := &site{live: map[int]bool{}, gone: map[string]time.Time{}, at: noon, late: stagger * time.Duration(i) / outageBoards}
		b.board = boardwatch.Board{ID: newID(), Source: "greenhouse:northwind", Cadence: time.Hour}
		if i%4 == 3 {
			b.board.Cadence = 6 * time.Hour
		}
		for range 2 + s.rng.IntN(30) {
			b.live[b.next] = true
			b.next++
		}
		b.board.NextCheckAt = boardwatch.NextCheck(b.board, noon)
		s.sites = append(s.sites, b)
	}
	return s
}

// run checks boards when they are due.
func (s *system) run(until time.Time) {
	s.t.Helper()
	newID := ids()
	for {
		due := s.sites[0]
		for _, b := range s.sites {
			if b.board.NextCheckAt.Before(due.board.NextCheckAt) {
				due = b
			}
		}
		now := due.board.NextCheckAt.Add(time.Second) // the duration of a check
		if now.After(until) {
			return
		}
		due.until(now, s.rng)
		s.check(due, now, newID)
	}
}

func (s *system) check(b *site, now time.Time, newID func() string) {
	s.t.Helper()
	outage := ""
	if !now.Before(s.from.Add(b.late)) && now.Before(s.to.Add(b.late)) {
		outage = s.kind
	}
	fleet := make([]boardwatch.FleetReading, 0, len(s.sites))
	for _, o := range s.sites {
		fleet = append(fleet, o.board.Fleet())
	}
	hold := boardwatch.FleetHold(b.board.System(), fleet, boardwatch.DefaultRules(), now)
	in := boardwatch.CheckInput{Now: now, Board: b.board, Known: b.jobs}
	result := boardwatch.Decide(in, b.shows(outage), hold, boardwatch.DefaultRules(), newID)
	for _, j := range result.Change.Closed {
		gone, really := b.gone[j.Key]
		require.True(s.t, really, "%s closed live role %s of board %s with %d roles", now, j.Key, b.board.ID, len(b.live))
		s.late = max(s.late, now.Sub(gone))
		s.closed++
	}
	b.board, b.jobs = result.Board, result.Jobs(in)
}

func TestOutagesOfASystemCloseNoLiveRole(t *testing.T) {
	t.Parallel()

	// A role that is gone is missed by three checks of a board that is read every six hours. Added to that are the
	// outage, the day after it in which nothing closes, the hold of a role (longer if it was the last one of its board), a
	// day for a later loss of that kind, for which it waits too, and the longest back-off, which may have begun just before
	// the outage ended.
	const day = 24 * time.Hour
	const normal, hold, backoff = 4 * 6 * time.Hour, 5 * day, day
	for _, kind := range []string{"failed", "empty lists", "incomplete lists", "two thirds of each list", "less than half of each list"} {
		for i, length := range outageLengths {
			stagger := time.Duration(i%2) * 3 * time.Hour // in every other run, the boards fall ill one after the other
			for seed := range uint64(outageSeeds) {
				t.Run(fmt.Sprintf("%s for %s, within %s, seed %d", kind, length, stagger, seed), func(t *testing.T) {
					t.Parallel()
					s := newSystem(t, seed, kind, length, stagger)
					limit := normal + length + stagger + hold
					if kind == "failed" {
						limit += min(backoff, length)
					}
					end := s.to.Add(stagger + normal + hold + backoff + 2*day)
					s.run(end)
					require.Positive(t, s.closed)
					require.LessOrEqual(t, s.late, limit)
					for _, b := range s.sites {
						for _, j := range b.jobs {
							gone, really := b.gone[j.Key]
							if really && j.Status == boardwatch.JobOpen {
								require.LessOrEqual(t, end.Sub(gone), limit, "never closed")
							}
						}
					}
					t.Logf("%d roles closed, none of them live; the latest %s after it was gone", s.closed, s.late)
				})
			}
		}
	}
}
