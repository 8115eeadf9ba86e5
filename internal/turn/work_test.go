package turn_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/turn"
)

func TestWorkEndsWithItsContext(t *testing.T) {
	t.Parallel()
	why := errors.New("nobody waits for it")
	ctx, end := context.WithCancelCause(t.Context())
	compute := func(ctx context.Context) (err error) {
		ctx, w := turn.Begin(ctx)
		defer func() {
			if p := recover(); p != nil {
				err = turn.Over(ctx, p)
			}
		}()
		for w.Steps() < 1_000_000 {
			if w.Step(1); w.Steps() == 100_000 {
				end(why)
			}
		}
		return nil
	}
	require.ErrorIs(t, compute(ctx), why)
	require.ErrorIs(t, compute(ctx), why, "it does not begin either")
	require.NoError(t, compute(t.Context()), "another one goes on")
}

func TestWorkCountsTheStepsOfAllWhoShareItsContext(t *testing.T) {
	t.Parallel()
	ctx, w := turn.Begin(t.Context())
	w.Step(3)
	_, same := turn.Begin(ctx)
	same.Step(4)
	require.Equal(t, 7, w.Steps())
	new(turn.Work).Step(1 << 20)
}

func TestOverLetsOtherPanicsGoOn(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, "a bug", func() { _ = turn.Over(t.Context(), "a bug") })
}
