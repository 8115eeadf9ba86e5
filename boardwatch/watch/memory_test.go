package watch_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// hosted is a hosted system with one board, however many addresses lead to it. It answers "unchanged" where it can.
type hosted struct {
	mu    sync.Mutex
	roles []string
	told  []string // what the watcher reported
}

func (s *hosted) post(roles ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.roles = roles
}

func (s *hosted) source() source {
	return source{
		discover: func(context.Context, string) (boardwatch.Board, error) {
			return boardwatch.Board{Source: "greenhouse:northwind", Company: "Northwind"}, nil
		},
		read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: "of"}
			for _, title := range s.roles {
				r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title})
				r.Fingerprint += " " + title
			}
			if r.Fingerprint == b.State.Fingerprint {
				r.Unchanged, r.Postings = true, nil
			}
			return r.Normalize(), nil
		},
	}
}

func (s *hosted) observe(r watch.CheckReport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range r.Change.Found {
		s.told = append(s.told, "+ "+j.Title)
	}
	for _, j := range r.Change.Closed {
		s.told = append(s.told, "- "+j.Title)
	}
	switch {
	case r.Err != nil:
		s.told = append(s.told, r.Err.Error())
	case r.Merged:
		s.told = append(s.told, "merged")
	case r.Unchanged:
		s.told = append(s.told, "unchanged")
	}
}

// since returns what was reported since the last call, each thing once.
func (s *hosted) since() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	told := slices.Clone(s.told)
	s.told = nil
	slices.Sort(told)
	return slices.Compact(told)
}

func TestBoardsAreWatchedWithoutAnAccount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s hosted
		s.post("Cook", "Pilot")
		store := watch.NewMemory(10*time.Minute, "https://northwind.example/careers")
		stop := run(t, watch.New(store, s.source(), watch.Options{Rules: boardwatch.Rules{CloseAfter: 2}, Observe: s.observe}))
		defer stop()
		<-time.After(time.Second)
		require.Equal(t, []string{"+ Cook", "+ Pilot"}, s.since())
		<-time.After(time.Hour)
		require.Equal(t, []string{"unchanged"}, s.since())
		s.post("Pilot", "Baker")
		<-time.After(time.Hour)
		require.Equal(t, []string{"+ Baker", "- Cook", "unchanged"}, s.since())
	})
}

func TestTwoAddressesOfOneBoardAreReadOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s hosted
		s.post("Cook")
		store := watch.NewMemory(time.Hour, "https://northwind.example/careers", "https://northwind.example/jobs")
		stop := run(t, watch.New(store, s.source(), watch.Options{Observe: s.observe}))
		<-time.After(time.Second)
		stop()
		require.Equal(t, []string{"+ Cook", "merged"}, s.since())
		readings, err := store.FleetReadings(t.Context(), time.Now().Add(-time.Minute))
		require.NoError(t, err)
		require.Len(t, readings, 1)
	})
}

func TestAClaimThatPassedToAnotherSavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, store := t.Context(), watch.NewMemory(time.Hour, "https://northwind.example/careers")
		claim := func() []boardwatch.Claim {
			claims, err := store.ClaimDue(ctx, 5, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			return claims
		}
		first := claim()
		require.Len(t, first, 1)
		require.Empty(t, claim(), "it is leased")
		lost, err := store.RenewClaims(ctx, first, time.Minute)
		require.NoError(t, err)
		require.Empty(t, lost)
		<-time.After(2 * time.Minute)
		second := claim()
		require.Len(t, second, 1, "the lease has ended")

		lost, err = store.RenewClaims(ctx, first, time.Minute)
		require.NoError(t, err)
		require.Equal(t, first, lost)
		never := func(boardwatch.CheckInput) boardwatch.CheckResult { panic("decided under a lost claim") }
		require.ErrorIs(t, store.SaveCheck(ctx, first[0], never), boardwatch.ErrLeaseLost)
		store.SaveUnchanged(ctx, first[0], "", time.Now(), func(err error) { require.ErrorIs(t, err, boardwatch.ErrLeaseLost) })
		_, _, err = store.Resolve(ctx, first[0], boardwatch.Board{Source: "greenhouse:northwind"})
		require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
		require.ErrorIs(t, store.Release(ctx, first[0]), boardwatch.ErrLeaseLost)

		require.NoError(t, store.Release(ctx, second[0]))
		next, err := store.NextDue(ctx)
		require.NoError(t, err)
		require.False(t, next.After(time.Now()))
		require.Len(t, claim(), 1)
	})
}
