package storagetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func demandCases() cases {
	return cases{
		"an account has two checks on demand at a time, in the order it asked": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			ids := w.pages(a, "northwind", 6)
			first := w.demanded()
			require.ElementsMatch(t, ids[:2], boardsClaimed(first))
			require.Empty(t, w.demanded(), "while these are looked at")
			_, err := w.save(first[0], roles("Cook"))
			require.NoError(t, err)
			require.Equal(t, ids[2:3], boardsClaimed(w.demanded()))
			require.NoError(t, w.Release(t.Context(), first[1]))
			require.Equal(t, []string{first[1].Board.ID}, boardsClaimed(w.demanded()), "given back, it is still the oldest")
		},
		"a host has one check on demand at a time": func(t *testing.T, w *world) {
			a, b := w.account(account.PlanPro), w.account(account.PlanPro)
			w.pending(a, "https://northwind.example/careers")
			w.pending(b, "https://northwind.example/jobs")
			other := w.pending(b, "https://contoso.example/jobs")
			claims := w.demanded()
			require.Len(t, claims, 2)
			require.Contains(t, boardsClaimed(claims), other.ID)
		},
		"a claim names the account that asked": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.pending(a, "https://northwind.example:8443/careers")
			claims := w.demanded()
			require.Len(t, claims, 1)
			require.Equal(t, boardwatch.Demand{BoardID: b.ID, AccountID: a.ID, Host: "northwind.example:8443"}, claims[0].Demand)
			_, err := w.save(claims[0], roles("Cook"))
			require.NoError(t, err)
			require.Zero(t, w.claim(b.ID).Demand, "it is due by schedule now")
		},
		"checks the caller is still working on count, whether anybody tracks the board or not": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			ids := w.pages(a, "northwind", 3)
			var looks []boardwatch.Demand
			for _, c := range w.demanded() {
				looks = append(looks, c.Demand)
			}
			for _, id := range ids[:2] {
				require.NoError(t, w.Unsubscribe(t.Context(), a.ID, id))
			}
			claims, err := w.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimDemanded, UnderWay: looks})
			require.NoError(t, err)
			require.Empty(t, claims)
			require.Equal(t, ids[2:], boardsClaimed(w.demanded()))
		},
		"several processes keep the limits together": func(t *testing.T, w *world) {
			accounts := []account.Account{w.account(account.PlanUltra), w.account(account.PlanUltra)}
			for i, a := range accounts {
				w.pages(a, fmt.Sprintf("company%d", i), 6)
			}
			claimed := make([][]boardwatch.Claim, 8)
			errs := make([]error, len(claimed))
			atOnce(len(claimed), func(i int) {
				claimed[i], errs[i] = w.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimDemanded})
			})
			of := map[string]int{}
			for i, claims := range claimed {
				require.NoError(t, errs[i])
				for _, c := range claims {
					of[c.Demand.AccountID]++
				}
			}
			require.Equal(t, map[string]int{accounts[0].ID: 2, accounts[1].ID: 2}, of)
		},
		"scheduled checks are claimed apart": func(t *testing.T, w *world) {
			a, greedy := w.account(account.PlanPro), w.account(account.PlanUltra)
			due := w.track(a, "northwind").Board
			w.check(due.ID, roles("Cook")) // and due again at once
			w.pages(greedy, "contoso", 5)
			claims, err := w.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimScheduled})
			require.NoError(t, err)
			require.Equal(t, []string{due.ID}, boardsClaimed(claims))
			require.Zero(t, claims[0].Demand)
		},
		"a board unlocked for the first time by a removal counts as asked for": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree) // reads two
			ids := w.pages(a, "northwind", 3)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, ids[0]))
			claims, err := w.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimScheduled})
			require.NoError(t, err)
			require.Empty(t, claims)
			require.ElementsMatch(t, ids[1:], boardsClaimed(w.demanded()))
		},
		"a lease does not outlast the last subscriber": func(t *testing.T, w *world) {
			a, b := w.account(account.PlanPro), w.account(account.PlanPro)
			shared, alone := w.track(a, "northwind").Board, w.track(a, "contoso").Board
			w.track(b, "northwind")
			claims := []boardwatch.Claim{w.claim(shared.ID), w.claim(alone.ID)}
			for _, id := range []string{shared.ID, alone.ID} {
				require.NoError(t, w.Unsubscribe(t.Context(), a.ID, id))
			}
			lost, err := w.RenewClaims(t.Context(), claims, time.Minute)
			require.NoError(t, err)
			require.Equal(t, claims[1:], lost)
			require.NoError(t, w.Release(t.Context(), lost[0]))
			w.track(a, "contoso")
			w.claim(alone.ID)
		},
		"a list holds ten times the plan's limit, and at least a hundred": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			ids := w.pages(a, "northwind", 100)
			_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted("contoso"), "https://contoso.example/")
			hasCode(t, boardwatch.CodeInvalidRequest, err)
			require.ErrorContains(t, err, "at most 100 boards")
			_, err = w.FindBoard(t.Context(), "greenhouse:contoso", "")
			hasCode(t, boardwatch.CodeNotFound, err)
			_, _, err = w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{}, "https://northwind0.example/careers")
			hasCode(t, boardwatch.CodeAlreadyTracked, err)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, ids[99]))
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, ids[0]))
			w.track(a, "contoso")
			w.track(a, "fabrikam")
			_, _, err = w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted("tailspin"), "https://tailspin.example/")
			hasCode(t, boardwatch.CodeInvalidRequest, err)
			w.consistent(a, 2)
		},
	}
}

// pages adds that many pages, each on a host of its own, to the account's list.
func (w *world) pages(a account.Account, name string, n int) (ids []string) {
	w.t.Helper()
	for i := range n {
		ids = append(ids, w.pending(a, fmt.Sprintf("https://%s%d.example/careers", name, i)).ID)
	}
	return ids
}

// demanded claims boards that somebody asked for.
func (w *world) demanded() []boardwatch.Claim {
	w.t.Helper()
	claims, err := w.ClaimDue(w.t.Context(), 10, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimDemanded})
	require.NoError(w.t, err)
	return claims
}

func boardsClaimed(claims []boardwatch.Claim) (ids []string) {
	for _, c := range claims {
		ids = append(ids, c.Board.ID)
	}
	return ids
}
