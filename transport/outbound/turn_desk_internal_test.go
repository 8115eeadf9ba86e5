package outbound

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

// silent is a store that answers nothing until it is gone.
type silent struct {
	pace.Store

	gone  chan struct{}
	asked int
}

func (s *silent) Turns(context.Context, []pace.TurnEnd, []pace.TurnRequest) ([]pace.TurnAnswer, error) {
	s.asked++
	<-s.gone
	return nil, errors.New("the store is gone")
}

// Otherwise a process that is stopped while its store is lost would wait for ever.
func TestNobodyWaitsForAStoreThatIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &silent{gone: make(chan struct{})}
		desk := newTurnDesk(store)
		var told atomic.Int32
		finish := func(number int64) {
			go func() {
				desk.finish(t.Context(), pace.TurnEnd{Host: "northwind.example:443", Number: number})
				told.Add(1)
			}()
			synctest.Wait()
		}
		finish(1)
		finish(2) // while the store is told about the first
		require.Zero(t, told.Load())
		close(store.gone)
		synctest.Wait()
		require.EqualValues(t, 2, told.Load())
		require.Equal(t, 2, store.asked, "it is told again with the next question")
		require.Len(t, desk.ends, 2)
	})
}
