package storagetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func listCases() cases {
	return cases{
		"boards that have been read are found by the beginning of the company's name": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			for token, company := range map[string]string{"one": "Acorn Foods", "two": "ACORN Garden", "three": "Corn & Co", "four": "Ærø 100%"} {
				b := w.track(a, token).Board
				reading := roles("A")
				reading.Company = company
				w.check(b.ID, reading)
			}
			_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID, CompanyName: "Acorn Secret"}, hosted("five"), "https://five.example/")
			require.NoError(t, err)
			named := func(name string, limit int) (names []string) {
				boards, err := w.BoardsNamed(t.Context(), name, limit)
				require.NoError(t, err)
				for _, b := range boards {
					names = append(names, b.Company)
				}
				return names
			}
			require.Equal(t, []string{"Acorn Foods", "ACORN Garden"}, named("acorn", 5), "an account's own name for a company is its own")
			require.Equal(t, []string{"Acorn Foods"}, named("ACORN", 1))
			require.Equal(t, []string{"ACORN Garden"}, named("Acorn Garden", 5))
			require.Empty(t, named("%", 5))
			require.Empty(t, named("acorn_", 5))
			require.Empty(t, named("Nobody", 5))
		},
		"a board is created once, whatever address led to it": func(t *testing.T, w *world) {
			a, b := w.account(account.PlanPro), w.account(account.PlanPro)
			first := w.track(a, "northwind")
			require.Equal(t, boardwatch.BoardPending, first.Board.Status, "until its first reading is under way")
			require.Equal(t, boardwatch.TrackingActive, first.Subscription.Tracking())
			require.False(t, first.Board.AddedAt.IsZero())
			require.False(t, first.Subscription.AddedAt.IsZero())
			second, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: b.ID}, hosted("northwind"), "https://other.example/")
			require.NoError(t, err)
			require.Equal(t, first.Board.ID, second.ID)
			page := w.pending(a, "https://northwind.example/careers")
			require.Equal(t, boardwatch.BoardPending, page.Status)
			require.Empty(t, page.Source)
			require.Equal(t, page.ID, w.pending(b, "https://northwind.example/careers").ID)
		},
		"adding a board that is already on the list names it": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			for _, address := range []string{"https://northwind.example/", "https://new.example/"} {
				_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted("northwind"), address)
				hasCode(t, boardwatch.CodeAlreadyTracked, err)
				e, _ := errors.AsType[*boardwatch.Error](err)
				require.Equal(t, boardwatch.AlreadyTracked{BoardID: b.ID}, e.Details)
			}
			list, err := w.Tracked(t.Context(), a.ID, "")
			require.NoError(t, err)
			require.Len(t, list, 1)
		},
		"an unknown account is not found": func(t *testing.T, w *world) {
			_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: boardwatch.NewID()}, hosted("northwind"), "")
			hasCode(t, boardwatch.CodeNotFound, err)
			hasCode(t, boardwatch.CodeNotFound, w.Unsubscribe(t.Context(), boardwatch.NewID(), boardwatch.NewID()))
			_, err = w.Board(t.Context(), boardwatch.NewID())
			hasCode(t, boardwatch.CodeNotFound, err)
			_, err = w.TrackedBoard(t.Context(), w.account(account.PlanPro).ID, boardwatch.NewID())
			hasCode(t, boardwatch.CodeNotFound, err)
			_, err = w.RequestCheck(t.Context(), "", boardwatch.NewID())
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"boards are listed in the order they were added": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			var ids []string
			for i := range 12 {
				ids = append(ids, w.track(a, fmt.Sprintf("company%d", 11-i)).Board.ID)
			}
			w.check(ids[3], roles("Cook"))
			list, err := w.Tracked(t.Context(), a.ID, "")
			require.NoError(t, err)
			require.Equal(t, ids, boardIDs(list))
			list, err = w.Tracked(t.Context(), a.ID, boardwatch.BoardReady)
			require.NoError(t, err)
			require.Equal(t, ids[3:4], boardIDs(list))
			one, err := w.TrackedBoard(t.Context(), a.ID, ids[3])
			require.NoError(t, err)
			require.Equal(t, list[0], one)
		},
		"a board past the limit is locked and not read": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			first, _ := w.track(a, "a").Board, w.track(a, "b")
			third := w.track(a, "c")
			require.True(t, third.Subscription.Locked)
			require.Zero(t, third.Board.Cadence)
			_, due := w.tryClaim(third.Board.ID)
			require.False(t, due)
			asked, err := w.RequestCheck(t.Context(), "", third.Board.ID)
			require.NoError(t, err)
			require.False(t, asked)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, first.ID))
			now, err := w.TrackedBoard(t.Context(), a.ID, third.Board.ID)
			require.NoError(t, err)
			require.False(t, now.Subscription.Locked)
			require.Equal(t, 24*time.Hour, now.Board.Cadence)
			w.claim(third.Board.ID)
			_, due = w.tryClaim(first.ID)
			require.False(t, due, "nobody tracks it any more")
		},
		"removing and adding again restores everything": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Cook", "Baker"))
			before := w.jobs(a, track.JobFilter{}).Jobs
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, b.ID))
			hasCode(t, boardwatch.CodeNotFound, w.Unsubscribe(t.Context(), a.ID, b.ID))
			require.Empty(t, w.jobs(a, track.JobFilter{}).Jobs)
			again := w.track(a, "northwind")
			require.Equal(t, b.ID, again.Board.ID)
			require.Equal(t, boardwatch.BoardReady, again.Board.Status)
			require.Equal(t, before, w.jobs(a, track.JobFilter{}).Jobs)
		},
		"the fastest active subscriber sets the pace": func(t *testing.T, w *world) {
			free, ultra := w.account(account.PlanFree), w.account(account.PlanUltra)
			b := w.track(free, "northwind").Board
			require.Equal(t, 24*time.Hour, b.Cadence)
			require.Equal(t, time.Hour, w.track(ultra, "northwind").Board.Cadence)
			require.NoError(t, w.SetPlan(t.Context(), free.ID, account.PlanPro))
			require.Equal(t, time.Hour, w.board(b.ID).Cadence)
			require.NoError(t, w.Unsubscribe(t.Context(), ultra.ID, b.ID))
			require.Equal(t, 6*time.Hour, w.board(b.ID).Cadence)
			require.NoError(t, w.DeleteAccount(t.Context(), free.ID))
			require.Zero(t, w.board(b.ID).Cadence)
			require.True(t, w.board(b.ID).NextCheckAt.IsZero())
		},
		"a recently read board keeps its place in the interval": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			require.NoError(t, w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				return decide(in, roles("Cook"))
			}))
			checked := w.board(b.ID)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, b.ID))
			again := w.track(a, "northwind").Board
			require.Equal(t, checked.NextCheckAt, again.NextCheckAt)
			_, due := w.tryClaim(b.ID)
			require.False(t, due)
			slow := w.account(account.PlanFree)
			w.track(slow, "northwind")
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, b.ID))
			require.Equal(t, checked.NextCheckAt, w.board(b.ID).NextCheckAt, "due no later than it was")
		},
		"a failing board that is added again still backs off": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			require.NoError(t, w.SaveCheck(t.Context(), w.claim(b.ID), func(in boardwatch.CheckInput) boardwatch.CheckResult {
				return decide(in, boardwatch.Failed(cause.SiteError, "no answer"))
			}))
			wait := w.board(b.ID).NextCheckAt
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, b.ID))
			require.Equal(t, wait, w.track(a, "northwind").Board.NextCheckAt)
		},
		"a check on demand is allowed once a minute": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			asked, err := w.RequestCheck(t.Context(), "", b.ID)
			require.NoError(t, err)
			require.True(t, asked, "it was never checked")
			w.check(b.ID, roles("Cook"))
			asked, err = w.RequestCheck(t.Context(), "", b.ID)
			require.NoError(t, err)
			require.False(t, asked)
		},
		"a change of plan locks the youngest and unlocks the oldest": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			for i := range 6 {
				w.track(a, fmt.Sprintf("company%d", i))
			}
			for _, tt := range []struct {
				plan   account.PlanName
				active int
			}{{account.PlanPro, 4}, {account.PlanFree, 2}, {account.PlanUltra, 6}, {account.PlanFree, 2}} {
				require.NoError(t, w.SetPlan(t.Context(), a.ID, tt.plan))
				w.consistent(a, tt.active)
			}
			hasCode(t, boardwatch.CodeNotFound, w.SetPlan(t.Context(), boardwatch.NewID(), account.PlanPro))
		},
		"no place is left unused or used twice, whatever happens at once": func(t *testing.T, w *world) {
			a, b := w.account(account.PlanFree), w.account(account.PlanPro)
			var group sync.WaitGroup
			fail := make(chan error, 8)
			for worker := range 4 {
				group.Go(func() {
					r := rand.New(rand.NewPCG(uint64(worker), 1)) //nolint:gosec // not a secret
					for range 25 {
						if err := w.shuffle(r, a, b); err != nil {
							fail <- err
							return
						}
					}
				})
			}
			group.Wait()
			close(fail)
			require.NoError(t, <-fail)
			for _, account := range []account.Account{a, b} {
				now, err := w.Account(t.Context(), account.ID)
				require.NoError(t, err)
				w.consistent(now, plans()[now.Plan].Boards)
			}
		},
		"the configured plans apply to all accounts": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			for i := range 5 {
				w.track(a, fmt.Sprintf("company%d", i))
			}
			later := w.reconciled(account.Plan{Boards: 3, Cadence: time.Minute})
			list, err := later.Tracked(t.Context(), a.ID, "")
			require.NoError(t, err)
			for i, b := range list {
				require.Equal(t, i >= 3, b.Subscription.Locked)
				require.Equal(t, i < 3, b.Board.Cadence == time.Minute)
				require.Equal(t, i < 3, !b.Board.NextCheckAt.IsZero())
			}
		},
		"other programs that open the database follow the plans that were applied": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			for i := range 5 {
				w.track(a, fmt.Sprintf("company%d", i))
			}
			w.reconciled(account.Plan{Boards: 3, Cadence: time.Minute})
			list := func(w *world) []track.TrackedBoard {
				list, err := w.Tracked(t.Context(), a.ID, "")
				require.NoError(t, err)
				return list
			}
			beside := w.another(options()) // for example a command started with other settings
			before := list(beside)
			require.NoError(t, beside.SetPlan(t.Context(), a.ID, account.PlanPro))
			require.NoError(t, beside.SetPlan(t.Context(), a.ID, account.PlanFree))
			for i, b := range list(beside) {
				require.Equal(t, i >= 3, b.Subscription.Locked)
				require.Equal(t, before[i].Board.Cadence, b.Board.Cadence)
			}
			require.NoError(t, beside.Reconcile(t.Context()))
			require.Equal(t, plans()[account.PlanFree].Cadence, list(beside)[0].Board.Cadence, "who reconciles says what counts")
		},
		"an installation's boards are counted": func(t *testing.T, w *world) {
			stats, err := w.BoardStats(t.Context())
			require.NoError(t, err)
			require.Zero(t, stats.Total)
			a := w.account(account.PlanUltra)
			w.check(w.track(a, "a").Board.ID, roles("Cook", "Baker"))
			w.check(w.track(a, "b").Board.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			w.pending(a, "https://c.example/")
			partial := roles("Smith")
			partial.Health = boardwatch.HealthPartial
			d := w.track(a, "d").Board
			for range 10 {
				w.check(d.ID, partial)
			}
			stats, err = w.BoardStats(t.Context())
			require.NoError(t, err)
			require.Equal(t, account.BoardStats{
				Total: 4, PartialLong: 1, OpenJobs: 3,
				ByStatus: map[boardwatch.BoardStatus]int{boardwatch.BoardReady: 2, boardwatch.BoardFailed: 1, boardwatch.BoardPending: 1},
				ByHealth: map[boardwatch.Health]int{boardwatch.HealthOK: 1, boardwatch.HealthFailed: 1, boardwatch.HealthPartial: 1},
			}, stats)
		},
	}
}

func boardIDs(list []track.TrackedBoard) []string {
	ids := make([]string, len(list))
	for i, b := range list {
		ids[i] = b.Board.ID
	}
	return ids
}

// shuffle does one random thing to the lists of two accounts. Refusals are expected.
func (w *world) shuffle(r *rand.Rand, accounts ...account.Account) error {
	ctx := w.t.Context()
	a := accounts[r.IntN(len(accounts))]
	var err error
	switch r.IntN(6) {
	case 0, 1, 2:
		_, _, err = w.Subscribe(ctx, boardwatch.Subscription{AccountID: a.ID}, hosted(fmt.Sprintf("company%d", r.IntN(8))), "")
		if boardwatch.CodeOf(err) == boardwatch.CodeAlreadyTracked {
			return nil
		}
	case 3, 4:
		list, err := w.Tracked(ctx, a.ID, "")
		if err != nil || len(list) == 0 {
			return err
		}
		err = w.Unsubscribe(ctx, a.ID, list[r.IntN(len(list))].Board.ID)
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return nil
		}
		return err
	default:
		err = w.SetPlan(ctx, a.ID, account.PlanNames()[r.IntN(3)])
	}
	return err
}

// consistent requires that exactly the oldest boards of the account up to the limit are active, and that a board is
// scheduled if and only if somebody actively tracks it.
func (w *world) consistent(a account.Account, limit int) {
	w.t.Helper()
	list, err := w.Tracked(w.t.Context(), a.ID, "")
	require.NoError(w.t, err)
	require.True(w.t, slices.IsSortedFunc(list, func(a, b track.TrackedBoard) int {
		return a.Subscription.AddedAt.Compare(b.Subscription.AddedAt)
	}))
	for i, b := range list {
		require.Equal(w.t, i >= limit, b.Subscription.Locked, "place %d of %d, limit %d", i, len(list), limit)
		require.Equal(w.t, b.Board.Cadence > 0, !b.Board.NextCheckAt.IsZero())
		if !b.Subscription.Locked {
			require.Positive(w.t, b.Board.Cadence)
		}
	}
}
