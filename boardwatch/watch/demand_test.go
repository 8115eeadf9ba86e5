package watch_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// drips reports whether a board is on a host whose answers never end.
func drips(b boardwatch.Board) bool { return strings.Contains(b.URL, "drip") }

// dripping reads boards; those on dripping hosts never finish.
func dripping(seen func(ctx context.Context, b boardwatch.Board)) source {
	return source{
		discover: func(_ context.Context, address string) (boardwatch.Board, error) {
			return boardwatch.Board{Source: "page:" + address, URL: address}, nil
		},
		read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			seen(ctx, b)
			if !drips(b) {
				return roles("Cook"), nil
			}
			<-ctx.Done()
			return boardwatch.Reading{}, ctx.Err()
		},
	}
}

// crowdOfTwo is an honest and a greedy account on one store.
type crowdOfTwo struct {
	store          *storage.Store
	honest, greedy account.Account
}

func newCrowdOfTwo(t *testing.T, database storagetest.Database) crowdOfTwo {
	t.Helper()
	store := database(t, storage.Options{Plans: account.Plans{
		account.PlanFree: {Boards: 5, Cadence: 24 * time.Hour},
		account.PlanPro:  {Boards: 50, Cadence: 10 * time.Millisecond},
	}})
	c := crowdOfTwo{store: store}
	for plan, a := range map[account.PlanName]*account.Account{account.PlanPro: &c.honest, account.PlanFree: &c.greedy} {
		*a = account.Account{
			ID: boardwatch.NewID(), Email: string(plan) + "@northwind.example", Plan: plan, Verified: true,
			CreatedAt: boardwatch.Milli(time.Now()),
		}
		require.NoError(t, store.CreateAccount(t.Context(), *a))
	}
	return c
}

func (c crowdOfTwo) add(t *testing.T, a account.Account, address string) boardwatch.Board {
	t.Helper()
	b, _, err := c.store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{URL: address}, address)
	require.NoError(t, err)
	return b
}

// TestDrippingHostsOfOneAccountMakeNoCheckLate has a free account add and remove five boards that never answer, over
// and over, while another account's boards are due all the time.
func TestDrippingHostsOfOneAccountMakeNoCheckLate(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"SQLite": storagetest.SQLite, "PostgreSQL": storagetest.Postgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCrowdOfTwo(t, database(t))
			c.add(t, c.honest, "https://northwind.example/careers")
			var stuck, most, honest atomic.Int64
			w := watch.New(c.store, dripping(func(ctx context.Context, b boardwatch.Board) {
				if !drips(b) {
					honest.Add(1)
					return
				}
				n := stuck.Add(1)
				defer stuck.Add(-1) // before another look may begin
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				<-ctx.Done()
			}), watch.Options{Concurrency: 8, Timeout: time.Minute})
			stop := run(t, w)
			defer stop()
			for round := range 6 {
				var ids []string
				for i := range 5 {
					ids = append(ids, c.add(t, c.greedy, fmt.Sprintf("https://drip%d-%d.example/", round, i)).ID)
				}
				seen := honest.Load()
				require.Eventually(t, func() bool { return stuck.Load() >= 2 && honest.Load() >= seen+5 }, 20*time.Second, time.Millisecond,
					"round %d: the honest board is read on, and the greedy account has its two looks", round)
				for _, id := range ids {
					require.NoError(t, c.store.Unsubscribe(t.Context(), c.greedy.ID, id))
				}
			}
			require.EqualValues(t, 2, most.Load(), "looks of the greedy account at a time")
		})
	}
}

// TestHalfOfThePlacesAreForScheduledChecks has enough accounts demand boards that never answer to fill all places.
func TestHalfOfThePlacesAreForScheduledChecks(t *testing.T) {
	t.Parallel()
	c := newCrowdOfTwo(t, storagetest.SQLite(t))
	for i := range 8 {
		a := account.Account{
			ID: boardwatch.NewID(), Email: fmt.Sprintf("greedy%d@northwind.example", i), Plan: account.PlanFree, Verified: true,
			CreatedAt: boardwatch.Milli(time.Now()),
		}
		require.NoError(t, c.store.CreateAccount(t.Context(), a))
		for n := range 2 {
			c.add(t, a, fmt.Sprintf("https://drip%d-%d.example/", i, n))
		}
	}
	var mu sync.Mutex
	stuck := map[string]bool{}
	var honest atomic.Int64
	w := watch.New(c.store, dripping(func(_ context.Context, b boardwatch.Board) {
		if !drips(b) {
			honest.Add(1)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		stuck[b.ID] = true
	}), watch.Options{Concurrency: 8, Timeout: time.Minute})
	b := c.add(t, c.honest, "https://northwind.example/careers")
	claims, err := c.store.ClaimDue(t.Context(), 100, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	for _, claim := range claims {
		if claim.Board.ID == b.ID { // it was read before the others were added
			require.NoError(t, w.Check(t.Context(), claim))
			continue
		}
		require.NoError(t, c.store.Release(t.Context(), claim))
	}
	stop := run(t, w)
	defer stop()
	full := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(stuck) == 4
	}
	require.Eventually(t, full, 20*time.Second, time.Millisecond)
	seen := honest.Load()
	require.Eventually(t, func() bool { return honest.Load() >= seen+50 }, 20*time.Second, time.Millisecond)
	require.True(t, full(), "no more than half of the places are taken")
}

func TestALookEndsWithTheLastSubscriber(t *testing.T) {
	t.Parallel()
	c := newCrowdOfTwo(t, storagetest.SQLite(t))
	begun, ended := make(chan string, 1), make(chan string, 1)
	w := watch.New(c.store, dripping(func(ctx context.Context, b boardwatch.Board) {
		begun <- b.ID
		context.AfterFunc(ctx, func() { ended <- b.ID })
	}), watch.Options{Timeout: time.Hour})
	stop := run(t, w)
	defer stop()
	b := c.add(t, c.greedy, "https://drip.example/")
	require.Equal(t, b.ID, <-begun)
	require.NoError(t, c.store.Unsubscribe(t.Context(), c.greedy.ID, b.ID))
	select {
	case id := <-ended:
		require.Equal(t, b.ID, id)
	case <-time.After(30 * time.Second):
		t.Fatal("the look goes on, though nobody tracks its board")
	}
}
