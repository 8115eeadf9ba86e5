package storagetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// raceCases are about two processes that make conflicting changes to the same rows.
func raceCases() cases {
	return cases{
		"fifty adds of one board at once put it on the list once": func(t *testing.T, w *world) {
			a, both := w.account(account.PlanPro), w.andAnother()
			boards, errs := make([]boardwatch.Board, 50), make([]error, 50)
			atOnce(len(errs), func(i int) {
				boards[i], _, errs[i] = both[i%2].Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted("northwind"),
					fmt.Sprintf("https://northwind.example/%d", i%5))
			})
			added := 0
			list, err := w.Tracked(t.Context(), a.ID, "")
			require.NoError(t, err)
			require.Len(t, list, 1)
			for i, err := range errs {
				if err == nil {
					added++
					require.Equal(t, list[0].Board.ID, boards[i].ID)
					continue
				}
				hasCode(t, boardwatch.CodeAlreadyTracked, err)
				e, _ := errors.AsType[*boardwatch.Error](err)
				require.Equal(t, boardwatch.AlreadyTracked{BoardID: list[0].Board.ID}, e.Details)
			}
			require.Equal(t, 1, added)
			w.consistent(a, plans()[account.PlanPro].Boards)
		},
		"fifty accounts that add one page at once share one board": func(t *testing.T, w *world) {
			accounts, both := make([]account.Account, 50), w.andAnother()
			for i := range accounts {
				accounts[i] = w.account(account.PlanFree)
			}
			ids, errs := make([]string, len(accounts)), make([]error, len(accounts))
			atOnce(len(accounts), func(i int) {
				const address = "https://northwind.example/careers"
				var b boardwatch.Board
				b, _, errs[i] = both[i%2].Subscribe(t.Context(), boardwatch.Subscription{AccountID: accounts[i].ID}, boardwatch.Board{URL: address}, address)
				ids[i] = b.ID
			})
			for i := range ids {
				require.NoError(t, errs[i])
				require.Equal(t, ids[0], ids[i])
			}
			stats, err := w.BoardStats(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, stats.Total)
		},
		"adds at the limit lock exactly what has no room": func(t *testing.T, w *world) {
			a, both := w.account(account.PlanPro), w.andAnother()
			locked := make([]bool, 20)
			atOnce(len(locked), func(i int) {
				_, s, err := both[i%2].Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted(fmt.Sprintf("company%d", i)), "")
				if err != nil {
					t.Error(err)
				}
				locked[i] = s.Locked
			})
			limit := plans()[account.PlanPro].Boards
			told := 0
			for _, l := range locked {
				if !l {
					told++
				}
			}
			require.LessOrEqual(t, told, limit, "as many were told that there is room")
			tracked, past, err := w.Places(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, len(locked), tracked)
			require.Equal(t, len(locked)-limit, past)
			w.consistent(a, limit)
		},
		"when plans change while boards are added, the last plan decides": func(t *testing.T, w *world) {
			a, both := w.account(account.PlanUltra), w.andAnother()
			atOnce(24, func(i int) {
				var err error
				if i%3 == 0 {
					err = both[i%2].SetPlan(t.Context(), a.ID, account.PlanNames()[i/3%3])
				} else {
					_, _, err = both[i%2].Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted(fmt.Sprintf("company%d", i)), "")
				}
				if err != nil {
					t.Error(err)
				}
			})
			now, err := w.Account(t.Context(), a.ID)
			require.NoError(t, err)
			w.consistent(a, plans()[now.Plan].Boards)
		},
		"boards that come and go while they are checked keep their roles and their places": func(t *testing.T, w *world) {
			a, both := w.account(account.PlanUltra), w.andAnother()
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles(many(5)...))
			atOnce(2, func(i int) {
				for n := range 20 {
					var err error
					if i == 0 {
						err = w.comeAndGo(both[1], a, b.ID)
					} else {
						err = w.checkIfDue(roles(many(6 + n)...))
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
			w.consistent(a, plans()[account.PlanUltra].Boards)
			page := w.jobs(a, track.JobFilter{Limit: 100})
			require.GreaterOrEqual(t, page.Total, int64(5))
			require.EqualValues(t, w.board(b.ID).OpenJobs, page.Total)
			require.Len(t, page.Jobs, int(page.Total))
			for _, j := range page.Jobs {
				require.Equal(t, b.ID, j.BoardID)
			}
		},
		"two discoveries that lead to one source leave one board": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			first, second := w.pending(a, "https://northwind.example/"), w.pending(a, "https://careers.northwind.example/")
			w.pending(other, "https://careers.northwind.example/")
			claims := []boardwatch.Claim{w.claim(first.ID), w.claim(second.ID)}
			ends, merged, errs := make([]boardwatch.Claim, 2), make([]bool, 2), make([]error, 2)
			atOnce(2, func(i int) { ends[i], merged[i], errs[i] = w.Resolve(t.Context(), claims[i], hosted("northwind")) })
			require.NoError(t, errors.Join(errs...))
			require.NotEqual(t, merged[0], merged[1], "one moves into the other")
			require.Equal(t, ends[0].Board.ID, ends[1].Board.ID)
			for _, id := range []string{first.ID, second.ID} {
				require.Equal(t, ends[0].Board.ID, w.board(id).ID)
			}
			for _, owner := range []account.Account{a, other} {
				list, err := w.Tracked(t.Context(), owner.ID, "")
				require.NoError(t, err)
				require.Equal(t, []string{ends[0].Board.ID}, boardIDs(list))
			}
		},
		"a password that is changed while a link sets it is set, without a deadlock": func(t *testing.T, w *world) {
			both := w.andAnother()
			for range 20 {
				a := w.account(account.PlanPro)
				l, token := account.NewLink(account.LinkReset, w.clock())
				l.AccountID, l.Email = a.ID, a.Email
				require.NoError(t, w.CreateLink(t.Context(), l))
				errs := make([]error, 2)
				atOnce(2, func(i int) {
					if i == 0 {
						errs[i] = both[i].SetPassword(t.Context(), a.ID, "changed")
						return
					}
					_, errs[i] = both[i].Redeem(t.Context(), l.Kind, account.HashSecret(token), l.CreatedAt,
						func(account.Link) account.Outcome { return account.Outcome{PasswordHash: "reset"} })
					if boardwatch.CodeOf(errs[i]) == boardwatch.CodeNotFound {
						errs[i] = nil // the other link was used first and ended this one
					}
				})
				require.NoError(t, errors.Join(errs...))
				now, err := w.Account(t.Context(), a.ID)
				require.NoError(t, err)
				require.Contains(t, []string{"changed", "reset"}, now.PasswordHash)
			}
		},
		"an account can be deleted during its requests, which then find nobody": func(t *testing.T, w *world) {
			both := w.andAnother()
			for range 15 {
				a := w.account(account.PlanPro)
				k, _ := account.NewAPIKey(a.ID, "laptop", w.clock())
				require.NoError(t, w.CreateKey(t.Context(), k, account.MaxKeys))
				_, err := w.Spend(t.Context(), a.ID, k.ID, account.RESTRate())
				require.NoError(t, err)
				atOnce(9, func(i int) {
					if i == 0 {
						if err := both[0].DeleteAccount(t.Context(), a.ID); err != nil {
							t.Error(err)
						}
						return
					}
					for range 20 {
						_, err := both[i%2].Spend(t.Context(), a.ID, k.ID, account.RESTRate())
						if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
							return
						}
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
		},
		"two links for one address create one account, without a deadlock": func(t *testing.T, w *world) {
			both := w.andAnother()
			for n := range 20 {
				email := fmt.Sprintf("robin%d@contoso.example", n)
				hashes := make([]string, 2)
				for i := range hashes {
					l, token := account.NewLink(account.LinkSignUp, w.clock())
					l.Email, hashes[i] = email, account.HashSecret(token)
					require.NoError(t, w.CreateLink(t.Context(), l))
				}
				errs := make([]error, 2)
				atOnce(2, func(i int) {
					_, errs[i] = both[i].Redeem(t.Context(), account.LinkSignUp, hashes[i], w.clock(), func(l account.Link) account.Outcome {
						return account.Outcome{Create: &account.Account{ID: boardwatch.NewID(), Email: l.Email, Plan: account.PlanFree}}
					})
				})
				if errs[0] == nil {
					slices.Reverse(errs)
				}
				hasCode(t, boardwatch.CodeNotFound, errs[0])
				require.NoError(t, errs[1])
			}
		},
		"a page and its total are read at one instant": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			var done atomic.Bool
			var group sync.WaitGroup
			for _, f := range []track.JobFilter{{Limit: 1000}, {Limit: 1000, Search: "role"}} {
				group.Go(func() {
					for !done.Load() {
						page, err := w.Jobs(t.Context(), a.ID, f)
						if err != nil || int64(len(page.Jobs)) != page.Total {
							t.Errorf("%d jobs of %d: %v", len(page.Jobs), page.Total, err)
							return
						}
					}
				})
			}
			for n := range 40 {
				w.check(b.ID, roles(many(1+5*n)...))
			}
			done.Store(true)
			group.Wait()
		},
	}
}

// andAnother returns this process's store and that of another one.
func (w *world) andAnother() []*world { return []*world{w, w.another(options())} }

// comeAndGo removes the board from the list and adds it again.
func (w *world) comeAndGo(from *world, a account.Account, boardID string) error {
	if err := from.Unsubscribe(w.t.Context(), a.ID, boardID); err != nil {
		return err
	}
	_, _, err := from.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID}, hosted("northwind"), "")
	return err
}

// checkIfDue checks a due board, if there is one.
func (w *world) checkIfDue(r boardwatch.Reading) error {
	claims, err := w.ClaimDue(w.t.Context(), 10, time.Minute, boardwatch.ClaimFilter{})
	for _, c := range claims {
		_, saved := w.save(c, r)
		if !errors.Is(saved, boardwatch.ErrLeaseLost) {
			err = errors.Join(err, saved)
		}
	}
	return err
}

// atOnce runs f n times in parallel, all started together.
func atOnce(n int, f func(i int)) {
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		group.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	group.Wait()
}
