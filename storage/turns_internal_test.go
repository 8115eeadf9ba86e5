package storage

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTurns(t *testing.T) {
	t.Parallel()

	t.Run("one caller has the turn at a time, and nothing is left behind", func(t *testing.T) {
		t.Parallel()
		var turns turns
		var inside, most atomic.Int64
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				done, err := turns.take(t.Context(), "a")
				if err != nil {
					t.Error(err)
					return
				}
				most.Store(max(most.Load(), inside.Add(1)))
				inside.Add(-1)
				done()
			})
		}
		group.Wait()
		require.EqualValues(t, 1, most.Load())
		require.Empty(t, turns.queues)
	})

	t.Run("other keys do not wait, and a waiting caller may give up", func(t *testing.T) {
		t.Parallel()
		var turns turns
		done, err := turns.take(t.Context(), "a")
		require.NoError(t, err)
		other, err := turns.take(t.Context(), "b")
		require.NoError(t, err)
		other()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = turns.take(ctx, "a")
		require.ErrorIs(t, err, context.Canceled)
		done()
		again, err := turns.take(t.Context(), "a")
		require.NoError(t, err)
		again()
		require.Empty(t, turns.queues)
	})
}
