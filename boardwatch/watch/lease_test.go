package watch_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// patient reads every board for a while, unless it is interrupted.
func patient(look time.Duration) source {
	return source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
		select {
		case <-time.After(look):
			return sameAsBefore(ctx, b)
		case <-ctx.Done():
			return boardwatch.Reading{}, ctx.Err()
		}
	}}
}

func TestLeasesAreShortAndProlongedWhileTheWorkGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		ends := started // when the lease of every board would end
		next := endless(20)
		var mu sync.Mutex
		var heartbeats, saved int
		store := &queue{
			claimDue: func(n int, lease time.Duration) ([]boardwatch.Claim, error) {
				mu.Lock()
				defer mu.Unlock()
				if time.Since(started) == 0 {
					ends = time.Now().Add(lease)
					require.LessOrEqual(t, lease, 30*time.Second)
				}
				return next(n, lease)
			},
			renew: func(claims []boardwatch.Claim) ([]boardwatch.Claim, error) {
				mu.Lock()
				defer mu.Unlock()
				require.Equal(t, 20, len(claims), "one call for all boards") //nolint:testifylint // Len would print them all
				require.True(t, time.Now().Before(ends))
				ends = time.Now().Add(15 * time.Second)
				heartbeats++
				return nil, nil
			},
			save: func(context.Context, boardwatch.Claim) error {
				mu.Lock()
				defer mu.Unlock()
				saved++
				require.True(t, time.Now().Before(ends))
				return nil
			},
		}
		stop := run(t, watch.New(store, patient(5*time.Minute+time.Second), watch.Options{Timeout: time.Hour, Concurrency: 20}))
		<-time.After(6 * time.Minute)
		synctest.Wait()
		before := heartbeats
		stop()
		require.Greater(t, before, 20)
		require.Less(t, before, 600)
		require.Equal(t, before, heartbeats, "what is over is not prolonged")
		require.Equal(t, 20, saved)
	})
}

func TestAnswersThatComeAtOnceNeedNoHeartbeat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var checked, asked atomic.Int64
		store := &queue{
			claimDue: endless(10_000), release: func(boardwatch.Claim) {},
			renew: func([]boardwatch.Claim) ([]boardwatch.Claim, error) {
				asked.Add(1)
				return nil, nil
			},
		}
		stop := run(t, watch.New(store, patient(time.Second/2), watch.Options{
			Observe: func(watch.CheckReport) { checked.Add(1) },
		}))
		<-time.After(time.Minute)
		stop()
		require.Greater(t, checked.Load(), int64(1000))
		require.Zero(t, asked.Load())
	})
}

func TestALostLeaseBreaksItsCheckOffAndNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var saved, released []string
		lost := settled(1).ID
		store := &queue{
			claimDue: endless(2),
			renew: func(claims []boardwatch.Claim) (gone []boardwatch.Claim, err error) {
				for _, c := range claims {
					if c.Board.ID == lost {
						gone = append(gone, c)
					}
				}
				return gone, nil
			},
			save: func(_ context.Context, c boardwatch.Claim) error {
				mu.Lock()
				defer mu.Unlock()
				saved = append(saved, c.Board.ID)
				return nil
			},
			release: func(c boardwatch.Claim) {
				mu.Lock()
				defer mu.Unlock()
				released = append(released, c.Board.ID)
			},
		}
		stop := run(t, watch.New(store, patient(time.Minute), watch.Options{Timeout: time.Hour}))
		<-time.After(10 * time.Second)
		synctest.Wait()
		require.Equal(t, []string{lost}, released, "broken off at the first heartbeat, and given up")
		<-time.After(time.Minute)
		stop()
		require.Equal(t, []string{settled(0).ID}, saved)
	})
}

// Nobody tells the watcher that a board was removed, perhaps by another process: its heartbeat asks often enough.
func TestAReadingEndsWithinTwoSecondsOfTheRemovalOfItsBoard(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, time.Millisecond, time.Second, 10*time.Second + time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			var removed atomic.Bool
			ended := make(chan error, 1)
			store := &queue{claimDue: endless(1), release: func(boardwatch.Claim) {}, renew: func(claims []boardwatch.Claim) ([]boardwatch.Claim, error) {
				if removed.Load() {
					return claims, nil
				}
				return nil, nil
			}}
			reading := source{read: func(ctx context.Context, _ boardwatch.Board) (boardwatch.Reading, error) {
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return boardwatch.Reading{}, ctx.Err()
			}}
			stop := run(t, watch.New(store, reading, watch.Options{Timeout: time.Hour}))
			<-time.After(after)
			removed.Store(true)
			at := time.Now()
			require.ErrorIs(t, <-ended, boardwatch.ErrLeaseLost)
			require.LessOrEqual(t, time.Since(at), 1500*time.Millisecond)
			stop()
		})
	}
}

func TestAStoreThatDoesNotAnswerBreaksNoCheckOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var saved, asked atomic.Int64
		store := &queue{
			claimDue: endless(5),
			renew: func([]boardwatch.Claim) ([]boardwatch.Claim, error) {
				asked.Add(1)
				return nil, errors.New("database is away")
			},
			save: func(context.Context, boardwatch.Claim) error {
				saved.Add(1)
				return nil
			},
		}
		stop := run(t, watch.New(store, patient(time.Minute), watch.Options{Timeout: time.Hour}))
		<-time.After(2 * time.Minute)
		stop()
		require.EqualValues(t, 5, saved.Load())
		require.Greater(t, asked.Load(), int64(10), "it is asked again and again")
	})
}
