package storagetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// world is a store and the few things that most cases need in it.
type world struct {
	*storage.Store
	t     testing.TB
	rules boardwatch.Rules
	n     int
}

func newWorld(t testing.TB, s *storage.Store) *world {
	t.Helper()
	return &world{Store: s, t: t, rules: boardwatch.Rules{CloseAfter: 2}}
}

// account adds an account on the plan.
func (w *world) account(plan boardwatch.PlanName) boardwatch.Account {
	w.t.Helper()
	w.n++
	a := boardwatch.Account{
		ID: boardwatch.NewID(), Email: fmt.Sprintf("person%d@northwind.example", w.n), Plan: plan, Verified: true,
	}
	require.NoError(w.t, w.CreateAccount(w.t.Context(), a))
	a, err := w.Account(w.t.Context(), a.ID)
	require.NoError(w.t, err)
	return a
}

// track puts the board of a source on the account's list.
func (w *world) track(a boardwatch.Account, source string) (boardwatch.Board, boardwatch.Subscription) {
	w.t.Helper()
	b, s, err := w.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted(source), "https://"+source+".example/")
	require.NoError(w.t, err)
	return b, s
}

// hosted is a board as its address alone shows it.
func hosted(source string) boardwatch.Board {
	return boardwatch.Board{Source: "greenhouse:" + source, URL: "https://boards.greenhouse.example/" + source}
}

// claim leases one board, which must be due.
func (w *world) claim(boardID string) boardwatch.Claim {
	w.t.Helper()
	claims, err := w.ClaimDue(w.t.Context(), 1000, time.Minute)
	require.NoError(w.t, err)
	var mine *boardwatch.Claim
	for _, c := range claims {
		if c.Board.ID == boardID {
			mine = &c
		} else {
			require.NoError(w.t, w.Release(w.t.Context(), c))
		}
	}
	require.NotNil(w.t, mine, "the board is not due")
	return *mine
}

// check claims a board and saves what a reading makes of it.
func (w *world) check(boardID string, r boardwatch.Reading) boardwatch.CheckResult {
	w.t.Helper()
	result, err := w.save(w.claim(boardID), r)
	require.NoError(w.t, err)
	return result
}

// save decides on a reading under a claim. The board stays due.
func (w *world) save(c boardwatch.Claim, r boardwatch.Reading) (result boardwatch.CheckResult, err error) {
	err = w.SaveCheck(w.t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		result = boardwatch.Decide(in, r, false, w.rules, boardwatch.NewID)
		result.Board.NextCheckAt = in.Now
		return result
	})
	return result, err
}

// roles is a healthy reading of roles with these titles; the title is the key as well.
func roles(titles ...string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Requests: 1}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: title, Title: title, Location: "Berlin", Department: "Engineering", URL: "https://northwind.example/" + title,
		})
	}
	return r.Normalize()
}
