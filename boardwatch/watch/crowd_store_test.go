package watch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const (
	rushBoards = 300 // of a system whose host has a pause, all of them due
	rushPause  = 100 * time.Millisecond
	calmBoards = 50 // of other systems, checked every second
)

// TestABusyHostMakesNoOtherBoardsLateOnRealStores is the rule on real databases and real connections.
func TestABusyHostMakesNoOtherBoardsLateOnRealStores(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		database func(testing.TB) storagetest.Database
		watchers int
	}{
		{"SQLite", storagetest.SQLite, 1},
		{"PostgreSQL", storagetest.Postgres, 1},
		{"two watchers on PostgreSQL", storagetest.Postgres, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRush(t, tt.database(t), tt.watchers)
			const lasts = 5 * time.Second
			ctx, cancel := context.WithTimeout(t.Context(), lasts)
			defer cancel()
			var running sync.WaitGroup
			for _, w := range r.watchers {
				running.Go(func() { _ = w.Run(ctx) })
			}
			running.Wait()

			r.mu.Lock()
			defer r.mu.Unlock()
			require.Less(t, r.lag, 2*time.Second, "of boards that no other waits for")
			require.Len(t, r.calm, calmBoards)
			for path, n := range r.calm {
				require.GreaterOrEqual(t, n, 2, path)
			}
			possible := tt.watchers * int(lasts/rushPause)
			require.Greater(t, r.asked, possible*2/3, "the busy host is asked as often as it may be")
			require.Len(t, r.busy, r.asked, "and for another board each time")
		})
	}
}

// rush is a busy site, some calm ones, and who watches them.
type rush struct {
	watchers []*watch.Watcher

	mu    sync.Mutex
	asked int            // requests to the busy host
	busy  map[string]int // the same, by path
	calm  map[string]int // requests to the others, by path
	lag   time.Duration  // the longest, of boards of other systems
}

func newRush(t *testing.T, database storagetest.Database, watchers int) *rush {
	t.Helper()
	r := &rush{busy: make(map[string]int), calm: make(map[string]int)}
	busy := r.serve(t, func(path string) {
		r.asked++
		r.busy[path]++
	})
	calm := []string{r.serve(t, r.sawCalm), r.serve(t, r.sawCalm), r.serve(t, r.sawCalm)}
	o := storage.Options{Plans: boardwatch.Plans{
		boardwatch.PlanPro:   {Boards: rushBoards, Cadence: time.Hour},
		boardwatch.PlanUltra: {Boards: calmBoards, Cadence: time.Second},
	}}
	store := database(t, o)
	r.track(t, store, boardwatch.PlanPro, rushBoards, "greenhouse", busy)
	r.track(t, store, boardwatch.PlanUltra, calmBoards, "workday", calm...)
	for i := range watchers {
		if i > 0 {
			store = database(t, o)
		}
		client := outbound.New(outbound.Options{AllowLoopback: true})
		at, err := url.Parse(busy)
		require.NoError(t, err)
		client.Slow(at, rushPause)
		r.watchers = append(r.watchers, watch.New(punctual{store, r}, reads(client), watch.Options{Concurrency: 16}))
	}
	return r
}

func (r *rush) sawCalm(path string) { r.calm[path]++ }

// serve starts a site that notes what it is asked for.
func (r *rush) serve(t *testing.T, saw func(path string)) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		saw(q.URL.Path)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// track puts boards of a system on the list of an account of its own. They are read at the addresses by turns.
func (r *rush) track(
	t *testing.T, store boardwatch.Store, plan boardwatch.PlanName, n int, system string, addresses ...string,
) {
	t.Helper()
	a := boardwatch.Account{
		ID: boardwatch.NewID(), Email: string(plan) + "@northwind.example", Plan: plan, Verified: true,
		CreatedAt: boardwatch.Milli(time.Now()),
	}
	require.NoError(t, store.CreateAccount(t.Context(), a))
	for i := range n {
		address := fmt.Sprintf("%s/%s/%d", addresses[i%len(addresses)], system, i)
		_, _, err := store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
			Source: fmt.Sprintf("%s:company%d", system, i), URL: address, Status: boardwatch.BoardScraping,
		}, address)
		require.NoError(t, err)
	}
}

// reads asks for a board at its address. No answer shows a role.
func reads(client *outbound.Client) source {
	return source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
		if _, err := client.Session().Get(ctx, b.URL, nil); err != nil {
			return boardwatch.Reading{}, err
		}
		return roles(), nil
	}}
}

// punctual is a store that notes how long after they fell due boards are claimed.
type punctual struct {
	boardwatch.CheckStore

	r *rush
}

// ClaimDue is the store's own.
func (p punctual) ClaimDue(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) ([]boardwatch.Claim, error) {
	claims, err := p.CheckStore.ClaimDue(ctx, n, lease, f)
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	for _, c := range claims {
		if c.Board.System() != "greenhouse" && !c.Board.State.LastCheckedAt.IsZero() {
			p.r.lag = max(p.r.lag, c.At.Sub(c.Board.NextCheckAt))
		}
	}
	return claims, err
}
