package watch_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// idleStore has nothing due, and records how far back healthy boards are requested.
type idleStore struct {
	boardwatch.CheckStore

	reaches []time.Duration // 0 if none are
}

func (*idleStore) ClaimDue(context.Context, int, time.Duration, boardwatch.ClaimFilter) ([]boardwatch.Claim, error) {
	return nil, nil
}

func (*idleStore) NextDue(context.Context) (time.Time, error) { return time.Time{}, nil }

func (s *idleStore) FleetReadings(_ context.Context, since time.Time) ([]boardwatch.FleetReading, error) {
	var reach time.Duration
	if !since.IsZero() {
		reach = time.Since(since)
	}
	s.reaches = append(s.reaches, reach)
	return nil, nil
}

func TestHealthyBoardsOfOthersAreFetchedNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := new(idleStore)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute+time.Second)
		defer cancel()
		require.NoError(t, watch.New(s, source{}, watch.Options{}).Run(ctx))
		all, sick := []time.Duration{time.Hour}, make([]time.Duration, 19)
		require.Equal(t, slices.Concat(all, sick, all, sick, all), s.reaches)
	})
}

// soleStore is an idleStore from which no other process claims boards.
type soleStore struct{ idleStore }

func (*soleStore) ClaimsAlone() bool { return true }

func TestAProcessThatReadsAloneDoesNotAskAllTheTimeWhatOthersHaveRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := new(soleStore)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute+time.Second)
		defer cancel()
		require.NoError(t, watch.New(s, source{}, watch.Options{}).Run(ctx))
		require.Equal(t, []time.Duration{time.Hour, time.Hour, time.Hour}, s.reaches)
	})
}
