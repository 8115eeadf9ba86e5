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
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const (
	rushBoards = 300 // boards of a system whose host has a pause, all due
	rushPause  = 100 * time.Millisecond
	calmBoards = 50 // boards of other systems, checked every second
)

// TestABusyHostMakesNoOtherBoardsLateOnRealStores tests the rule with real databases and real connections.
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
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // enough for a slow machine
			defer cancel()
			r.done = cancel
			began := time.Now()
			var running sync.WaitGroup
			for _, w := range r.watchers {
				running.Go(func() { _ = w.Run(ctx) })
			}
			running.Wait()
			took := time.Since(began)

			r.mu.Lock()
			defer r.mu.Unlock()
			require.Equal(t, calmBoards, r.again, "the others are read, and read again")
			if took < rushBoards*rushPause/2 { // otherwise the busy host may have answered for all of its boards
				require.Less(t, len(r.busy), rushBoards, "while boards of the busy host wait")
			}
			require.Positive(t, r.asked, "and are not forgotten")
			require.LessOrEqual(t, r.asked, tt.watchers*(int(took/rushPause)+1), "the busy host has its pause")
			require.Len(t, r.busy, r.asked, "and for another board each time")
		})
	}
}

// rush is a busy site, some calm ones, and their watcher.
type rush struct {
	watchers []*watch.Watcher

	mu    sync.Mutex
	asked int            // requests to the busy host
	busy  map[string]int // the same, by path
	calm  map[string]int // requests to the others, by path
	again int            // boards of other systems that were requested twice
	done  func()         // called when all of them were requested
}

func newRush(t *testing.T, database storagetest.Database, watchers int) *rush {
	t.Helper()
	r := &rush{busy: make(map[string]int), calm: make(map[string]int)}
	busy := r.serve(t, func(path string) {
		r.asked++
		r.busy[path]++
	})
	calm := []string{r.serve(t, r.sawCalm), r.serve(t, r.sawCalm), r.serve(t, r.sawCalm)}
	o := storage.Options{Plans: account.Plans{
		account.PlanPro:   {Boards: rushBoards, Cadence: time.Hour},
		account.PlanUltra: {Boards: calmBoards, Cadence: time.Second},
	}}
	store := database(t, o)
	r.track(t, store, account.PlanPro, rushBoards, "greenhouse", busy)
	r.track(t, store, account.PlanUltra, calmBoards, "workday", calm...)
	for i := range watchers {
		if i > 0 {
			store = database(t, o)
		}
		client := outbound.New(outbound.Options{AllowLoopback: true})
		at, err := url.Parse(busy)
		require.NoError(t, err)
		client.Slow(at, rushPause)
		r.watchers = append(r.watchers, watch.New(store, reads(client), watch.Options{Concurrency: 16}))
	}
	return r
}

func (r *rush) sawCalm(path string) {
	if r.calm[path]++; r.calm[path] == 2 {
		r.again++
	}
	if r.again == calmBoards {
		r.done()
	}
}

// serve starts a site that records its requests.
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

// track adds boards of a system to the list of a new account. Their addresses alternate.
func (r *rush) track(
	t *testing.T, store *storage.Store, plan account.PlanName, n int, system string, addresses ...string,
) {
	t.Helper()
	a := account.Account{
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

// reads requests a board at its address. No answer shows a role.
func reads(client *outbound.Client) source {
	return source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
		if _, err := client.Session().Get(ctx, b.URL, nil); err != nil {
			return boardwatch.Reading{}, err
		}
		return roles(), nil
	}}
}
