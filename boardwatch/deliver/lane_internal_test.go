package deliver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// An attempt that began later than this could still be on its way when another process claims the webhook.
func TestAnAttemptBeginsOnlyIfItEndsWithinTheLease(t *testing.T) {
	t.Parallel()
	const timeout = 10 * time.Second
	now := time.Date(2026, 10, 21, 9, 0, 0, 0, time.UTC)
	l := newLane(boardwatch.WebhookClaim{}, now.Add(timeout))
	l.queue = []boardwatch.Delivery{{}}
	require.True(t, l.sendable(now, timeout))
	require.False(t, l.sendable(now.Add(time.Millisecond), timeout))
}
