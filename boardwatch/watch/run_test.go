package watch_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// The tests in this file are about when the watcher calls its store, with their own clock. Checks are tested on a real
// store in check_test.go.

// queue is a store whose boards come from the test.
type queue struct {
	boardwatch.CheckStore // nil: an unexpected call breaks the test

	claimDue func(n int, lease time.Duration) ([]boardwatch.Claim, error)
	claimOf  func(n int, f boardwatch.ClaimFilter) []boardwatch.Claim // instead of claimDue
	nextDue  func() time.Time
	fleet    func() ([]boardwatch.FleetReading, error)
	release  func(c boardwatch.Claim)
	renew    func(claims []boardwatch.Claim) (lost []boardwatch.Claim, err error)
	save     func(ctx context.Context, c boardwatch.Claim) error
	hand     func(saved func(error)) // instead of save: takes an unchanged check over
}

func (q *queue) ClaimDue(
	_ context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) ([]boardwatch.Claim, error) {
	if f.Kind == boardwatch.ClaimDemanded {
		return nil, nil // nobody asks for anything here: see demand_test.go
	}
	if q.claimOf != nil {
		return q.claimOf(n, f), nil
	}
	return q.claimDue(n, lease)
}

func (q *queue) NextDue(context.Context) (time.Time, error) {
	if q.nextDue == nil {
		return time.Time{}, nil
	}
	return q.nextDue(), nil
}

func (q *queue) FleetReadings(context.Context, time.Time) ([]boardwatch.FleetReading, error) {
	if q.fleet == nil {
		return nil, nil
	}
	return q.fleet()
}

func (q *queue) Release(_ context.Context, c boardwatch.Claim) error {
	q.release(c)
	return nil
}

func (q *queue) RenewClaims(_ context.Context, claims []boardwatch.Claim, _ time.Duration) ([]boardwatch.Claim, error) {
	if q.renew == nil {
		return nil, nil
	}
	return q.renew(claims)
}

func (q *queue) SaveUnchanged(ctx context.Context, c boardwatch.Claim, _ string, _ time.Time, saved func(error)) {
	switch {
	case q.hand != nil:
		q.hand(saved)
	case q.save != nil:
		saved(q.save(ctx, c))
	default:
		saved(nil)
	}
}

// endless hands out as many boards as requested, up to a total.
func endless(total int) func(int, time.Duration) ([]boardwatch.Claim, error) {
	var handed int
	return func(n int, _ time.Duration) ([]boardwatch.Claim, error) {
		claims := make([]boardwatch.Claim, min(n, total-handed))
		for i := range claims {
			claims[i] = boardwatch.Claim{Board: settled(handed + i), At: time.Now(), Token: "1"}
		}
		handed += len(claims)
		return claims, nil
	}
}

// settled returns a board whose next reading may be "unchanged".
func settled(n int) boardwatch.Board {
	return boardwatch.Board{
		ID: fmt.Sprintf("%024d", n), Source: "greenhouse:northwind", Status: boardwatch.BoardReady, Cadence: time.Hour,
		State: boardwatch.BoardState{Health: boardwatch.HealthOK, Fingerprint: "same"},
	}
}

// source is a boardwatch.Source made of two functions.
type source struct {
	discover func(ctx context.Context, input string) (boardwatch.Board, error)
	read     func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error)
}

func (s source) Discover(ctx context.Context, input string) (boardwatch.Board, error) {
	return s.discover(ctx, input)
}

func (s source) Read(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
	return s.read(ctx, b)
}

func sameAsBefore(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
	return boardwatch.Reading{Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: "same", Claimed: -1}, nil
}

// run starts a watcher; the returned function stops it and waits for its end.
func run(t *testing.T, w *watch.Watcher) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	return func() {
		t.Helper()
		cancel()
		require.NoError(t, <-ended)
	}
}

func TestRunChecksEverythingThatIsDueWithBoundedWorkers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var running, most, checked atomic.Int64
		slow := source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			now := running.Add(1)
			defer running.Add(-1)
			most.Store(max(most.Load(), now))
			select {
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
			}
			return sameAsBefore(ctx, b)
		}}
		w := watch.New(&queue{claimDue: endless(1000)}, slow, watch.Options{
			Concurrency: 8, Observe: func(watch.CheckReport) { checked.Add(1) },
		})
		started := time.Now()
		stop := run(t, w)
		for checked.Load() < 1000 {
			<-time.After(time.Millisecond)
		}
		took := time.Since(started)
		stop()
		require.EqualValues(t, 8, most.Load())
		require.Less(t, took, 15*time.Second, "eight workers need 12.5 s when they are kept busy")
	})
}

func TestRunLooksForDueBoards(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		poll    time.Duration
		nextDue func() time.Time
		looks   int // in ten seconds
	}{
		{name: "four times a second when nothing is due", looks: 40},
		{name: "no less often than that, whatever is asked", poll: time.Minute, looks: 40},
		{name: "more often when asked", poll: 100 * time.Millisecond, looks: 100},
		{
			name:    "no more often when the next one is far away",
			nextDue: func() time.Time { return time.Now().Add(time.Hour) }, looks: 40,
		},
		{
			name:    "no more often when the store's clock goes after",
			nextDue: func() time.Time { return time.Now().Add(-time.Hour) }, looks: 40,
		},
		{
			name:    "at once when one falls due in between",
			nextDue: func() time.Time { return time.Now().Add(50 * time.Millisecond) }, looks: 200,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var looks atomic.Int64
				w := watch.New(&queue{nextDue: tt.nextDue, claimDue: func(int, time.Duration) ([]boardwatch.Claim, error) {
					looks.Add(1)
					return nil, nil
				}}, source{}, watch.Options{Poll: tt.poll})
				stop := run(t, w)
				<-time.After(10*time.Second - time.Millisecond)
				stop()
				require.EqualValues(t, tt.looks, looks.Load())
			})
		})
	}
}

func TestRunClaimsForSeveralFreedWorkersAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var claims, checked atomic.Int64
		next := endless(10_000)
		store := &queue{claimDue: func(n int, lease time.Duration) ([]boardwatch.Claim, error) {
			claims.Add(1)
			return next(n, lease)
		}}
		uneven := source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			<-time.After(time.Duration(b.ID[23]) * time.Millisecond)
			return sameAsBefore(ctx, b)
		}}
		stop := run(t, watch.New(store, uneven, watch.Options{Observe: func(watch.CheckReport) { checked.Add(1) }}))
		for checked.Load() < 10_000 {
			<-time.After(time.Millisecond)
		}
		stop()
		require.Less(t, claims.Load(), int64(1000), "a claim for each board would be 10,000")
	})
}

func TestRunServesOthersWhileMostWorkersHang(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var checked atomic.Int64
		hanging := source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			if b.ID < fmt.Sprintf("%024d", 62) {
				<-ctx.Done()
			}
			return sameAsBefore(ctx, b)
		}}
		stop := run(t, watch.New(&queue{claimDue: endless(1062)}, hanging, watch.Options{
			Timeout: time.Hour, Observe: func(watch.CheckReport) { checked.Add(1) },
		}))
		<-time.After(10 * time.Second)
		require.EqualValues(t, 1000, checked.Load(), "two workers at a hundred claims a second")
		stop()
	})
}

func TestRunStops(t *testing.T) {
	t.Parallel()
	t.Run("breaks off looks and gives their boards back", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			released := make(map[string]bool)
			store := &queue{claimDue: endless(1000), release: func(c boardwatch.Claim) {
				mu.Lock()
				defer mu.Unlock()
				released[c.Board.ID] = true
			}}
			hanging := source{read: func(ctx context.Context, _ boardwatch.Board) (boardwatch.Reading, error) {
				<-ctx.Done()
				return boardwatch.Failed(cause.SiteError, "the connection was closed"), nil
			}}
			stop := run(t, watch.New(store, hanging, watch.Options{Concurrency: 10}))
			synctest.Wait()
			started := time.Now()
			stop()
			require.Len(t, released, 10)
			require.Zero(t, time.Since(started))
		})
	})
	t.Run("lets what was read be saved", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var saved atomic.Int64
			store := &queue{claimDue: endless(10), save: func(ctx context.Context, _ boardwatch.Claim) error {
				<-time.After(time.Second)
				if ctx.Err() == nil {
					saved.Add(1)
				}
				return ctx.Err()
			}}
			stop := run(t, watch.New(store, source{read: sameAsBefore}, watch.Options{}))
			synctest.Wait()
			stop()
			require.EqualValues(t, 10, saved.Load())
		})
	})
	t.Run("does not wait for ever for a store that hangs", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			store := &queue{claimDue: endless(10), save: func(ctx context.Context, _ boardwatch.Claim) error {
				<-ctx.Done()
				return ctx.Err()
			}}
			stop := run(t, watch.New(store, source{read: sameAsBefore}, watch.Options{}))
			synctest.Wait()
			started := time.Now()
			stop()
			require.Equal(t, 30*time.Second, time.Since(started))
		})
	})
}

// TestUnchangedChecksDoNotKeepWorkersFromReading has a store that saves nothing until it is told to. All boards are read
// meanwhile, their leases are renewed, and Run ends when the outcome of the last check is known.
func TestUnchangedChecksDoNotKeepWorkersFromReading(t *testing.T) {
	t.Parallel()
	const boards = 40
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var handed []func(error)
		var renewed int
		var ended atomic.Int64
		store := &queue{
			claimDue: endless(boards),
			hand: func(saved func(error)) {
				mu.Lock()
				defer mu.Unlock()
				handed = append(handed, saved)
			},
			renew: func(claims []boardwatch.Claim) ([]boardwatch.Claim, error) {
				renewed = len(claims)
				return nil, nil
			},
		}
		w := watch.New(store, source{read: sameAsBefore}, watch.Options{
			Concurrency: 4, Observe: func(r watch.CheckReport) {
				if r.Unchanged {
					ended.Add(1)
				}
			},
		})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		var stopped atomic.Bool
		running.Go(func() {
			_ = w.Run(ctx)
			stopped.Store(true)
		})
		<-time.After(10 * time.Second)
		synctest.Wait()
		require.Len(t, handed, boards)
		require.Zero(t, ended.Load())
		require.Equal(t, boards, renewed)
		cancel()
		synctest.Wait()
		require.False(t, stopped.Load())
		for _, saved := range handed {
			saved(nil)
		}
		running.Wait()
		require.EqualValues(t, boards, ended.Load())
	})
}

func TestRunOutlivesAStoreThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var attempts, checked atomic.Int64
		next := endless(5)
		store := &queue{
			claimDue: func(n int, lease time.Duration) ([]boardwatch.Claim, error) {
				if attempts.Add(1) <= 10 {
					return nil, errors.New("database is away")
				}
				return next(n, lease)
			},
			fleet: func() ([]boardwatch.FleetReading, error) { return nil, errors.New("database is away") },
		}
		stop := run(t, watch.New(store, source{read: sameAsBefore}, watch.Options{
			Observe: func(watch.CheckReport) { checked.Add(1) },
		}))
		<-time.After(9 * time.Second)
		synctest.Wait()
		require.EqualValues(t, 10, attempts.Load(), "once a second while it is away")
		<-time.After(2 * time.Second)
		stop()
		require.EqualValues(t, 5, checked.Load())
	})
}
