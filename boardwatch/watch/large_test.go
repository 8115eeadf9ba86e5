package watch_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// Forty pages stand in one line, ten seconds each, and are due all the time. Twenty others are read as often as they should.
func TestLargePagesDelayOneAnotherAndNobodyElse(t *testing.T) {
	t.Parallel()
	const large, boards, cadence = 40, 60, 15 * time.Second
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		due, reads, at := [boards]time.Time{}, [boards]int{}, map[string]int{}
		claimed, released, most, reading := 0, 0, 0, 0
		store := &queue{claimDue: func(n int, _ time.Duration) (claims []boardwatch.Claim, err error) {
			mu.Lock()
			defer mu.Unlock()
			for i := range boards {
				if b := settled(i); len(claims) < n && !due[i].After(time.Now()) {
					b.Source, at[b.ID] = "page:https://northwind.example/"+b.ID, i
					due[i] = time.Now().Add(24 * time.Hour) // until it is saved
					claims = append(claims, boardwatch.Claim{Board: b, At: time.Now(), Token: "1"})
				}
			}
			claimed += len(claims)
			return claims, nil
		}, save: func(_ context.Context, c boardwatch.Claim) error {
			mu.Lock()
			defer mu.Unlock()
			due[at[c.Board.ID]] = time.Now().Add(cadence)
			require.Less(t, time.Since(c.At), 12*cadence)
			return nil
		}, release: func(boardwatch.Claim) {
			mu.Lock()
			defer mu.Unlock()
			released++
		}}
		count := func(board string, by int) {
			mu.Lock()
			defer mu.Unlock()
			reading += by
			most = max(most, reading)
			if by < 0 {
				reads[at[board]]++
			}
		}
		line := make(chan struct{}, 1)
		reader := source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			count(b.ID, 1)
			defer count(b.ID, -1)
			mu.Lock()
			n := at[b.ID]
			mu.Unlock()
			if n >= large {
				<-time.After(10 * time.Millisecond)
				return sameAsBefore(ctx, b)
			}
			boardwatch.WaitingLong(ctx)
			select {
			case line <- struct{}{}:
				defer func() { <-line }()
			case <-ctx.Done():
				return boardwatch.Reading{}, ctx.Err()
			}
			select {
			case <-time.After(10 * time.Second):
			case <-ctx.Done():
				return boardwatch.Reading{}, ctx.Err()
			}
			return sameAsBefore(ctx, b)
		}}
		observed := 0
		stop := run(t, watch.New(store, reader, watch.Options{Concurrency: 8, Timeout: time.Hour, Observe: func(watch.CheckReport) {
			mu.Lock()
			defer mu.Unlock()
			observed++
		}}))
		<-time.After(10 * time.Minute) // all are known
		mu.Lock()
		reads = [boards]int{}
		mu.Unlock()
		<-time.After(10 * time.Minute)
		mu.Lock()
		of := reads
		mu.Unlock()
		stop()
		total := 0
		for i, n := range of {
			if i < large {
				total += n
				require.Positive(t, n, "each of them has its turn")
			} else {
				require.GreaterOrEqual(t, n, 39, "ten minutes are forty times fifteen seconds")
			}
		}
		require.InDelta(t, 60, total, 1, "the line is never empty")
		require.LessOrEqual(t, most, 8)
		require.Equal(t, claimed, observed, "those that waited when it stopped were given back")
		require.Positive(t, released)
	})
}
