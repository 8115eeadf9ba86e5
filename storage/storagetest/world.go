package storagetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

// world is a store on a database of its own, and the few things that most cases need.
type world struct {
	*storage.Store
	t     testing.TB
	open  Database
	place func(tb testing.TB) Database // makes further databases of the kind
	n     atomic.Int64
}

func newWorld(tb testing.TB, place func(tb testing.TB) Database) *world {
	tb.Helper()
	open := place(tb)
	return &world{Store: open(tb, options()), t: tb, open: open, place: place}
}

// another opens a store on the same database, as another process would.
func (w *world) another(o storage.Options) *world {
	w.t.Helper()
	return &world{Store: w.open(w.t, o), t: w.t, open: w.open}
}

// reconciled opens a store of another process that has a different free plan and has applied it.
func (w *world) reconciled(free account.Plan) *world {
	w.t.Helper()
	o := options()
	o.Plans = plans()
	o.Plans[account.PlanFree] = free
	later := w.another(o)
	require.NoError(w.t, later.Reconcile(w.t.Context()))
	return later
}

// account adds an account on the plan.
func (w *world) account(plan account.PlanName) account.Account {
	w.t.Helper()
	a := account.Account{
		ID: boardwatch.NewID(), Email: fmt.Sprintf("person%d@northwind.example", w.n.Add(1)), Plan: plan, Verified: true,
	}
	require.NoError(w.t, w.CreateAccount(w.t.Context(), a))
	a, err := w.Account(w.t.Context(), a.ID)
	require.NoError(w.t, err)
	return a
}

// track adds the board of a hosted system to the account's list.
func (w *world) track(a account.Account, token string) track.TrackedBoard {
	w.t.Helper()
	b, s, err := w.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted(token), "https://"+token+".example/")
	require.NoError(w.t, err)
	return track.TrackedBoard{Board: b, Subscription: s}
}

// hosted returns a board with only what its address shows.
func hosted(token string) boardwatch.Board {
	return boardwatch.Board{Source: "greenhouse:" + token, URL: "https://boards.greenhouse.example/" + token}
}

// pending adds a page whose source is not known yet to the account's list.
func (w *world) pending(a account.Account, address string) boardwatch.Board {
	w.t.Helper()
	b, _, err := w.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{URL: address}, address)
	require.NoError(w.t, err)
	return b
}

// claim leases a board that must be due.
func (w *world) claim(boardID string) boardwatch.Claim {
	w.t.Helper()
	c, ok := w.tryClaim(boardID)
	require.True(w.t, ok, "the board is not due")
	return c
}

// saveUnchanged saves an unchanged check and waits for the outcome.
func (w *world) saveUnchanged(ctx context.Context, c boardwatch.Claim, fingerprint string, next time.Time) error {
	w.t.Helper()
	outcome := make(chan error, 1)
	w.SaveUnchanged(ctx, c, fingerprint, next, func(err error) { outcome <- err })
	return <-outcome
}

// tryClaim leases this board if it is due, and no other board.
func (w *world) tryClaim(boardID string) (mine boardwatch.Claim, ok bool) {
	w.t.Helper()
	claims, err := w.ClaimDue(w.t.Context(), 1000, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(w.t, err)
	for _, c := range claims {
		if c.Board.ID == boardID {
			mine, ok = c, true
		} else {
			require.NoError(w.t, w.Release(w.t.Context(), c))
		}
	}
	return mine, ok
}

// check claims a board and saves a check with a reading.
func (w *world) check(boardID string, r boardwatch.Reading) boardwatch.CheckResult {
	w.t.Helper()
	result, err := w.save(w.claim(boardID), r)
	require.NoError(w.t, err)
	return result
}

// save decides on a reading under a claim. The board stays due.
func (w *world) save(c boardwatch.Claim, r boardwatch.Reading) (result boardwatch.CheckResult, err error) {
	c.Listed = make([]string, len(r.Postings))
	for i, p := range r.Postings {
		c.Listed[i] = p.Key
		if p.Text != "" {
			c.Texts = append(c.Texts, p.Text)
		}
	}
	err = w.SaveCheck(w.t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		result = decide(in, r)
		result.Board.NextCheckAt = in.Now
		return result
	})
	return result, err
}

func decide(in boardwatch.CheckInput, r boardwatch.Reading) boardwatch.CheckResult {
	return boardwatch.Decide(in, r, false, boardwatch.Rules{CloseAfter: 2}, boardwatch.NewID)
}

// board reads a board.
func (w *world) board(id string) boardwatch.Board {
	w.t.Helper()
	b, err := w.Board(w.t.Context(), id)
	require.NoError(w.t, err)
	return b
}

// jobs lists what the account sees.
func (w *world) jobs(a account.Account, f track.JobFilter) track.JobPage {
	w.t.Helper()
	page, err := w.Jobs(w.t.Context(), a.ID, f)
	require.NoError(w.t, err)
	return page
}

// titles returns the titles of jobs, in order.
func titles(jobs []boardwatch.Job) []string {
	out := make([]string, len(jobs))
	for i, j := range jobs {
		out[i] = j.Title
	}
	return out
}

// roles returns a healthy reading of roles with these titles, which are also their keys.
func roles(titles ...string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Requests: 1, Fingerprint: fmt.Sprint(titles)}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: title, Title: title, Location: "Berlin", Department: "Engineering", URL: "https://northwind.example/" + title,
		})
	}
	return r.Normalize()
}

// many returns n different titles.
func many(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("Role %04d", i)
	}
	return out
}

// hasCode requires an error with a public code.
func hasCode(tb testing.TB, code boardwatch.Code, err error) {
	tb.Helper()
	require.Error(tb, err)
	require.Equal(tb, code, boardwatch.CodeOf(err), err.Error())
}
