package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestCadence(t *testing.T) {
	t.Parallel()

	plans := account.DefaultPlans()
	sub := func(p account.PlanName, locked bool) boardwatch.Subscription {
		return boardwatch.Subscription{Plan: string(p), Locked: locked}
	}
	for name, c := range map[string]struct {
		subs []boardwatch.Subscription
		want time.Duration
	}{
		"nobody":                    {nil, 0},
		"the fastest counts":        {[]boardwatch.Subscription{sub("free", false), sub("ultra", false), sub("pro", false)}, time.Hour},
		"a locked one does not":     {[]boardwatch.Subscription{sub("free", false), sub("ultra", true)}, 24 * time.Hour},
		"only locked ones":          {[]boardwatch.Subscription{sub("ultra", true)}, 0},
		"an unknown plan is no one": {[]boardwatch.Subscription{sub("gold", false)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, account.Cadence(c.subs, plans))
		})
	}
}

func TestAListHoldsTenTimesThePlan(t *testing.T) {
	t.Parallel()
	for boards, listed := range map[int]int{0: 100, 5: 100, 10: 100, 11: 110, 500: 5000} {
		require.Equal(t, listed, account.Plan{Boards: boards}.Listed())
	}
}
