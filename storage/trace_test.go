package storage_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

// steps collects the steps that a store traces.
type steps struct {
	mu    sync.Mutex
	begun []string
	open  int
}

type stepKey struct{}

// trace notes a step with those around it.
func (s *steps) trace(ctx context.Context, step string) (context.Context, func(error)) {
	if around, ok := ctx.Value(stepKey{}).(string); ok {
		step = around + " > " + step
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = append(s.begun, step)
	s.open++
	return context.WithValue(ctx, stepKey{}, step), func(error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
	}
}

func TestAStoreTellsOfItsStepsWithoutTheirValues(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			told := &steps{}
			tellsOfItsSteps(t, database(t)(t, storage.Options{Trace: told.trace}), told)
		})
	}
}

func tellsOfItsSteps(t *testing.T, s *storage.Store, told *steps) {
	t.Helper()
	told.begun = nil
	a := account.Account{ID: boardwatch.NewID(), Email: "from.robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	_, err := s.AccountByEmail(t.Context(), a.Email)
	require.NoError(t, err)
	b, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{Source: "greenhouse:northwind", URL: "https://northwind.example/from secrets"}, "")
	require.NoError(t, err)
	claims, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	require.NoError(t, s.SaveCheck(t.Context(), claims[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
		return boardwatch.Decide(in, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}, true, boardwatch.DefaultRules(), boardwatch.NewID)
	}))
	require.NoError(t, s.Close())

	require.NotEmpty(t, b.ID)
	for _, step := range []string{"transaction", "transaction > INSERT accounts", "SELECT accounts", "transaction > SELECT boards", "transaction > INSERT checks"} {
		require.Contains(t, told.begun, step)
	}
	for _, step := range told.begun {
		require.Regexp(t, `^(transaction|horizon|(transaction > )?[A-Z]+( [a-z_]+)?)$`, step)
		require.NotContains(t, step, "secrets")
	}
	require.Zero(t, told.open, "every step ends")
}
