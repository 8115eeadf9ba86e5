package mcp_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport/rest"
)

// BenchmarkJobs asks both doors for the same fifty roles, with all that stands before the answer.
func BenchmarkJobs(b *testing.B) {
	d := newDoor(b)
	board := d.caller(b)
	d.add(b, board, acme)
	roles := make([]string, 200)
	for i := range roles {
		roles[i] = "Senior Software Engineer " + strconv.Itoa(i)
	}
	d.check(b, roles...)
	// Each account tracks the board and is used as often as its budget allows.
	next := func(b *testing.B) boardwatch.Account {
		b.Helper()
		a := d.account(b, func(a *boardwatch.Account) { a.Plan = boardwatch.PlanPro })
		_, _, err := d.store.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID, Plan: a.Plan}, boardwatch.Board{URL: "https://acme.example/careers"},
			"https://acme.example/careers")
		require.NoError(b, err)
		return a
	}
	run := func(b *testing.B, handler http.Handler, request func(b *testing.B, a boardwatch.Account) func() *http.Request) {
		b.Helper()
		left, ask := 0, (func() *http.Request)(nil)
		for b.Loop() {
			if left == 0 {
				b.StopTimer()
				ask, left = request(b, next(b)), boardwatch.RESTRate().Limit
				b.StartTimer()
			}
			left--
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, ask())
			if w.Code != http.StatusOK || w.Body.Len() < 10_000 {
				b.Fatal(errors.New(w.Body.String()))
			}
		}
	}
	b.Run("rest", func(b *testing.B) {
		h := rest.New(account.NewGate(d.store, account.Options{}), track.New(d.store, recognize, track.Options{}), rest.Options{})
		keys := account.NewKeys(d.store, account.Options{})
		run(b, h, func(b *testing.B, a boardwatch.Account) func() *http.Request {
			b.Helper()
			_, secret, err := keys.Create(b.Context(), a, "bench")
			require.NoError(b, err)
			return func() *http.Request {
				r := httptest.NewRequest(http.MethodGet, base+"/v1/jobs", nil)
				r.Header.Set("Authorization", "Bearer "+secret)
				return r
			}
		})
	})
	b.Run("mcp", func(b *testing.B) {
		run(b, d.bare, func(b *testing.B, a boardwatch.Account) func() *http.Request {
			b.Helper()
			token := d.token(b, a, boardwatch.ScopeBoardsRead)
			return func() *http.Request { return request(token, callText("search_jobs", `{}`)) }
		})
	})
}
