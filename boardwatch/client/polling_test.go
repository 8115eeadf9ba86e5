package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/client"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/transport/rest"
)

// A poll sees every role that checks find while it runs, through the real interface, and hands out none twice.
func TestPollMissesNothingWhileRolesAreFound(t *testing.T) {
	t.Parallel()
	const all = racingBoards * racingRoles
	store := racingStore(t)
	server := httptest.NewServer(rest.New(account.NewGate(store, account.Options{}),
		track.New(store, func(string) (boardwatch.Recognized, error) {
			return boardwatch.Recognized{}, errors.New("adds nothing")
		}, track.Options{}),
		rest.Options{}))
	t.Cleanup(server.Close)

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Minute)
	defer cancel()
	lend := &lender{keys: racingAccounts(t, store)}
	c, err := client.New(server.URL, lend.keys[0], client.Options{HTTP: &http.Client{Transport: lend}, Patience: 10 * time.Minute})
	require.NoError(t, err)
	began := make(chan struct{})
	poll := c.Poll(client.PollOptions{Every: 20 * time.Millisecond, Save: func(context.Context, client.Cursor) error {
		select {
		case <-began:
		default:
			close(began)
		}
		return nil
	}})

	// Roles are found from the first poll on.
	watching, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() {
		select {
		case <-began:
			_ = watch.New(store, finder{}, watch.Options{Concurrency: 4}).Run(watching)
		case <-watching.Done():
		}
	})
	defer working.Wait()
	defer stop()

	seen := make(map[string]bool, all)
	for job, err := range poll.Jobs(ctx) {
		require.NoError(t, err)
		require.False(t, seen[job.ID], "a role came twice")
		seen[job.ID] = true
		if len(seen) == all {
			break
		}
	}
	t.Logf("%d roles in %d requests", len(seen), lend.lent.Load())
	require.Len(t, seen, all)
}

// racingStore is a store whose boards are due again at once.
func racingStore(t *testing.T) *storage.Store {
	t.Helper()
	plans := account.DefaultPlans()
	ultra := plans[account.PlanUltra]
	ultra.Boards, ultra.Cadence = racingBoards, 10*time.Millisecond
	plans[account.PlanUltra] = ultra
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "boardwatch.db"), storage.Options{Plans: plans})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// racingAccounts are keys of accounts that all track the same boards: one account alone may not ask often enough.
func racingAccounts(t *testing.T, store *storage.Store) (keys []string) {
	t.Helper()
	for range racingKeys {
		a := account.Account{
			ID: boardwatch.NewID(), Email: boardwatch.NewID() + "@northwind.example", Plan: account.PlanUltra, Verified: true,
		}
		require.NoError(t, store.CreateAccount(t.Context(), a))
		_, secret, err := account.NewKeys(store, account.Options{}).Create(t.Context(), a, "poll")
		require.NoError(t, err)
		keys = append(keys, secret)
		for n := range racingBoards {
			name := fmt.Sprintf("northwind-%d", n)
			_, _, err := store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
				Source: "greenhouse:" + name, URL: "https://boards.greenhouse.io/" + name, Status: boardwatch.BoardScraping,
			}, name)
			require.NoError(t, err)
		}
	}
	return keys
}

// lender makes each request with the next of several keys.
type lender struct {
	keys []string
	lent atomic.Int64
}

func (l *lender) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+l.keys[int(l.lent.Add(1))%len(l.keys)])
	return http.DefaultTransport.RoundTrip(r)
}

// finder reads every board as it is, and some new roles.
type finder struct{}

func (finder) Discover(context.Context, string) (boardwatch.Board, error) {
	return boardwatch.Board{}, errors.New("every board is known")
}

func (finder) Read(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for n := range min(b.OpenJobs+racingGrowth, racingRoles) {
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: strconv.Itoa(n), Title: "Keeper of lamp " + strconv.Itoa(n) + " at " + strings.TrimPrefix(b.Source, "greenhouse:"),
		})
	}
	return r, nil
}
