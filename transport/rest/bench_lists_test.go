package rest_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkLists is the price of the lists that programs ask for, with all that stands before them: the account tracks
// twelve boards with fifty roles each. How it grows with the number of all roles is measured in package storage.
func BenchmarkLists(b *testing.B) {
	const boards, roles = 12, 50
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		b.Run(name, func(b *testing.B) {
			d := doorOn(database(b)(b, storage.Options{Plans: account.Plans{
				account.PlanPro: {Boards: boards, Cadence: time.Hour, REST: true},
			}}), nil)
			callers := newListers(d, boards)
			callers.next(b) // puts the boards on a list, so that they can be read
			fillBoards(b, d, boards, roles)
			for _, target := range []string{"/v1/jobs", "/v1/jobs?search=engineer&limit=100", "/v1/boards"} {
				b.Run("GET "+target, func(b *testing.B) {
					for b.Loop() {
						w := d.ask(http.MethodGet, target, "", callers.next(b))
						require.Equal(b, http.StatusOK, w.Code)
						require.Greater(b, w.Body.Len(), 2000)
					}
				})
			}
		})
	}
}

// fillBoards reads the boards once.
func fillBoards(b *testing.B, d *door, boards, roles int) {
	b.Helper()
	claims, err := d.store.ClaimDue(b.Context(), boards, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(b, err)
	require.Len(b, claims, boards)
	for _, c := range claims {
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind"}
		for i := range roles {
			r.Postings = append(r.Postings, boardwatch.Posting{
				Key: strconv.Itoa(i), Title: fmt.Sprint("Software Engineer ", i), Location: "Berlin", Department: "Platform",
				URL: fmt.Sprint("https://northwind.example/jobs/", i),
			})
		}
		require.NoError(b, d.store.SaveCheck(b.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			return boardwatch.Decide(in, r, false, boardwatch.DefaultRules(), boardwatch.NewID)
		}))
	}
}

// listers are keys of accounts that all track the same boards, each as often as its budget allows.
type listers struct {
	door   *door
	boards int
	left   int
	key    string
}

func newListers(d *door, boards int) *listers { return &listers{door: d, boards: boards} }

func (l *listers) next(b *testing.B) string {
	b.Helper()
	if l.left == 0 {
		b.StopTimer()
		defer b.StartTimer()
		a := account.Account{
			ID: boardwatch.NewID(), Email: boardwatch.NewID() + "@northwind.example", Plan: account.PlanPro, Verified: true,
		}
		require.NoError(b, l.door.store.CreateAccount(b.Context(), a))
		for n := range l.boards {
			source := fmt.Sprint("greenhouse:company", n)
			_, _, err := l.door.store.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID, Plan: string(a.Plan)},
				boardwatch.Board{Source: source, URL: "https://boards.greenhouse.io/company"}, source)
			require.NoError(b, err)
		}
		var err error
		_, l.key, err = l.door.keys.Create(b.Context(), a, "bench")
		require.NoError(b, err)
		l.left = account.RESTRate().Limit
	}
	l.left--
	return l.key
}
