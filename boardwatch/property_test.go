package boardwatch_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// world is one board and its jobs, stored as a store does it, with a ledger that counts what the readings showed,
// independently of the rules.
type world struct {
	t       *testing.T
	rules   boardwatch.Rules
	misses  int // absences that close a role
	board   boardwatch.Board
	jobs    map[string]boardwatch.Job // by id
	hook    boardwatch.Webhook
	sub     boardwatch.Subscription
	newID   func() string
	now     time.Time
	absent  map[string]int       // healthy, counted absences in a row, by key
	since   map[string]time.Time // the first of them
	found   map[string]int       // events by job id
	closed  map[string]int
	changes int
}

func newWorld(t *testing.T, rules boardwatch.Rules) *world {
	t.Helper()
	misses := max(2, rules.CloseAfter)
	if rules.CloseAfter == 0 {
		misses = 3
	}
	sub := boardwatch.Subscription{AccountID: hook.AccountID, BoardID: board.ID, Plan: "ultra"}
	b := boardwatch.Board{ID: board.ID, Source: board.Source, Cadence: time.Hour, Status: boardwatch.BoardScraping}
	return &world{
		t: t, rules: rules, misses: misses, board: b, jobs: map[string]boardwatch.Job{}, hook: hook, sub: sub, newID: ids(), now: noon,
		absent: map[string]int{}, since: map[string]time.Time{}, found: map[string]int{}, closed: map[string]int{},
	}
}

// check runs one check, stores its result and compares it with the ledger.
func (w *world) check(r boardwatch.Reading, fleetHold bool) boardwatch.CheckResult {
	w.t.Helper()
	w.now = w.now.Add(time.Hour)
	var known []boardwatch.Job
	for _, j := range w.jobs {
		known = append(known, j)
	}
	before := w.board.State.LastSuccessAt
	res := boardwatch.Decide(boardwatch.CheckInput{
		Now: w.now, Board: w.board, Known: known, Subscribers: []boardwatch.Subscription{w.sub}, Webhooks: []boardwatch.Webhook{w.hook},
	}, r, fleetHold, w.rules, w.newID)

	w.ledger(res, r, fleetHold)
	w.events(res)
	for _, list := range [][]boardwatch.Job{res.Change.Found, res.Change.Reopened, res.Change.Closed, res.Change.Updated, res.Change.Touched} {
		for _, j := range list {
			if old, ok := w.jobs[j.ID]; ok {
				require.Equal(w.t, old.FirstSeenAt, j.FirstSeenAt, "the first sight of a job never moves")
				if old.Key != j.Key {
					require.Equal(w.t, old.Title, j.Title, "another title is another role")
				}
			}
			w.jobs[j.ID] = j
		}
	}
	open := 0
	for id, j := range w.jobs {
		if j.Status != boardwatch.JobOpen {
			continue
		}
		open++
		touched := slices.ContainsFunc(res.Change.Touched, func(o boardwatch.Job) bool { return o.ID == id })
		if res.Check.Health == boardwatch.HealthOK && j.LastSeenAt.Equal(before) && !touched {
			j.LastSeenAt = w.now // derived from the board, as a store does
			w.jobs[id] = j
		}
	}
	w.board = res.Board
	require.Equal(w.t, open, w.board.OpenJobs)
	require.Equal(w.t, len(w.jobs)-open, w.board.ClosedJobs)
	return res
}

// ledger counts absences by itself and compares what was closed with them.
func (w *world) ledger(res boardwatch.CheckResult, r boardwatch.Reading, fleetHold bool) {
	shown := map[string]bool{}
	if r.Health.Read() {
		for _, p := range r.Postings {
			shown[p.Key] = true
		}
		for _, key := range r.Present {
			shown[key] = true
		}
	}
	for key := range shown {
		delete(w.absent, key)
		delete(w.since, key)
	}
	healthy := r.Health == boardwatch.HealthOK && res.Board.State.Gain == nil
	for _, j := range w.jobs {
		switch {
		case j.Status != boardwatch.JobOpen || shown[j.Key]:
		case fleetHold && r.Health == boardwatch.HealthOK:
			delete(w.absent, j.Key)
			delete(w.since, j.Key)
		case healthy:
			if w.absent[j.Key]++; w.absent[j.Key] == 1 {
				w.since[j.Key] = w.now
			}
		}
	}
	for _, j := range res.Change.Closed {
		require.Equal(w.t, boardwatch.HealthOK, res.Check.Health, "only a healthy check closes")
		require.False(w.t, fleetHold)
		require.False(w.t, shown[j.Key], "a role that was shown is not closed")
		require.GreaterOrEqual(w.t, w.absent[j.Key], w.misses, "closed too early")
		require.GreaterOrEqual(w.t, w.now.Sub(w.since[j.Key]), w.rules.CloseHold, "closed before its hold was over")
		delete(w.absent, j.Key)
		delete(w.since, j.Key)
	}
}

func (w *world) events(res boardwatch.CheckResult) {
	tails := map[string]boardwatch.Payload{}
	for _, p := range res.Payloads {
		tails[p.ID] = p
	}
	seen := map[boardwatch.EventType]bool{}
	for _, d := range res.Deliveries {
		require.False(w.t, seen[d.Type], "one delivery per check, kind and webhook")
		seen[d.Type] = true
		var body struct {
			ID        string
			Jobs      []struct{ ID string }
			Truncated int
		}
		require.NoError(w.t, json.Unmarshal(tails[d.PayloadID].Body(d.ID), &body))
		require.Equal(w.t, d.ID, body.ID)
		require.LessOrEqual(w.t, len(body.Jobs), boardwatch.MaxEventJobs)
		switch d.Type {
		case boardwatch.EventJobFound:
			require.Equal(w.t, len(res.Change.Found)+len(res.Change.Reopened), len(body.Jobs)+body.Truncated)
		case boardwatch.EventJobArchived:
			require.Equal(w.t, len(res.Change.Closed), len(body.Jobs)+body.Truncated)
		default:
			require.False(w.t, res.Check.Health.Read())
		}
	}
	require.Equal(w.t, len(res.Change.Announced()) > 0, seen[boardwatch.EventJobFound])
	require.Equal(w.t, len(res.Change.Closed) > 0, seen[boardwatch.EventJobArchived])
	require.Equal(w.t, !res.Check.Health.Read(), seen[boardwatch.EventBoardFailed])

	for _, j := range res.Change.Announced() {
		w.found[j.ID]++
		require.Equal(w.t, w.closed[j.ID]+1, w.found[j.ID], "found once, and once again for every closing")
	}
	for _, j := range res.Change.Closed {
		w.closed[j.ID]++
		require.Equal(w.t, w.found[j.ID], w.closed[j.ID], "closed once for every time it was found")
	}
	w.changes += len(res.Change.Announced()) + len(res.Change.Closed)
}

func postings(keys ...int) []boardwatch.Posting {
	out := make([]boardwatch.Posting, len(keys))
	for i, k := range keys {
		out[i] = boardwatch.Posting{Key: strconv.Itoa(k), Title: fmt.Sprintf("Role %d", k), Location: "Berlin"}
	}
	return out
}

func ok(keys ...int) boardwatch.Reading {
	return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: postings(keys...), Fingerprint: fmt.Sprint(keys)}
}

func partial(keys ...int) boardwatch.Reading {
	return boardwatch.Reading{Health: boardwatch.HealthPartial, Claimed: -1, Postings: postings(keys...)}
}

func TestAnySequenceOfReadingsKeepsThePromises(t *testing.T) {
	t.Parallel()
	sequences := uint64(readingSequences)
	if testing.Short() {
		sequences /= 10
	}
	for seed := range sequences {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 7))
			rules := boardwatch.Rules{CloseAfter: 2 + rng.IntN(3), CloseHold: time.Duration(rng.IntN(6)) * time.Hour}
			rules.SuspectHold = rules.CloseHold + time.Duration(rng.IntN(6))*time.Hour
			w := newWorld(t, rules)
			site := map[int]bool{}
			size := 1 + rng.IntN(40)
			if seed%10 == 0 {
				size = 260 // more than fit into one delivery
			}
			for range 120 {
				for k := range size {
					if rng.IntN(12) == 0 {
						site[k] = !site[k]
					}
				}
				var keys []int
				for k := range size {
					if site[k] {
						keys = append(keys, k)
					}
				}
				r := ok(keys...)
				switch rng.IntN(12) {
				case 0:
					r = boardwatch.Failed(cause.SiteError, "the server answered 500")
				case 1:
					r = boardwatch.Reading{Health: boardwatch.HealthBlocked, BlockedBy: "Cloudflare", Claimed: -1}
				case 2:
					r.Postings, r.Health = r.Postings[:len(r.Postings)/2], boardwatch.HealthPartial
				case 3:
					r.Postings = nil // an empty answer that claims to be fine
				case 4:
					r = partial(append(keys, seq(1000, 1000+size)...)...) // roles that only an incomplete answer shows
				case 5:
					r = ok(seq(2000, 2000+size)...) // another company's roles
				}
				w.check(r, rng.IntN(8) == 0)
			}
			require.Positive(t, w.changes)
			// From now on nothing happens any more: all that is gone closes, however long roles were away before.
			var stay []int
			for k := range size {
				if site[k] {
					stay = append(stay, k)
				}
			}
			for range 3 * 14 * 2 {
				w.now = w.now.Add(11 * time.Hour)
				w.check(ok(stay...), false)
			}
			require.Equal(t, len(stay), w.board.OpenJobs)
		})
	}
}

func TestUnhealthyReadingsAloneNeverClose(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2, 3), false)
	for i := range 200 {
		r := []boardwatch.Reading{
			boardwatch.Failed(cause.SiteError, "timeout"),
			{Health: boardwatch.HealthBlocked, Claimed: -1},
			{Health: boardwatch.HealthPartial, Claimed: -1},
			{Health: "nonsense", Claimed: -1},
		}[i%4]
		require.Empty(t, w.check(r, false).Change.Closed)
	}
	require.Equal(t, 3, w.board.OpenJobs)
}

func TestLockedLeavesNoRoomUnused(t *testing.T) {
	t.Parallel()

	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		subs := make([]boardwatch.Subscription, rng.IntN(30))
		for i := range subs {
			subs[i] = boardwatch.Subscription{
				BoardID: strconv.Itoa(i), AddedAt: noon.Add(time.Duration(rng.IntN(5)) * time.Minute), Locked: rng.IntN(2) == 0, Seq: int64(i),
			}
		}
		limit := rng.IntN(12)
		got := boardwatch.Locked(subs, limit)
		require.Len(t, got, len(subs))
		active := 0
		for i, s := range got {
			if !s.Locked {
				active++
				require.Equal(t, i+1, active, "the oldest are active")
			}
			if i > 0 {
				require.False(t, s.AddedAt.Before(got[i-1].AddedAt), "oldest first")
			}
		}
		require.Equal(t, min(limit, len(subs)), active)
	}
}
