package observe

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// lostStore is a store whose database is gone.
type lostStore struct{ pace.Store }

func (lostStore) SlowHosts(context.Context, int) ([]pace.SlowHost, error) {
	return nil, errors.New("no answer")
}

func TestPaceMetrics(t *testing.T) {
	t.Parallel()
	store := storagetest.New(t)
	for range 2 * slowHostsShown {
		_, err := store.Turns(t.Context(), []pace.TurnEnd{
			{Host: boardwatch.NewID() + ".example:443", Process: "a", Number: 1, Refused: true, RetryAfter: time.Hour},
		}, nil)
		require.NoError(t, err)
	}
	m := NewPace(store)
	m.Observe(outbound.Paced{System: "lever", Waited: 2 * time.Second})
	m.Observe(outbound.Paced{System: "lever", Waited: time.Second, Refused: true})
	m.Observe(outbound.Paced{})
	require.Equal(t, slowHostsShown, testutil.CollectAndCount(m, "boardwatch_host_pace_ratio"), "however many there are")
	require.Equal(t, slowHostsShown, testutil.CollectAndCount(m, "boardwatch_host_quiet_seconds"))

	lost := NewPace(lostStore{})
	lost.systems = m.systems
	require.NoError(t, testutil.CollectAndCompare(lost, strings.NewReader(`
# HELP boardwatch_host_refusals_total Requests that were answered with 429 or 503.
# TYPE boardwatch_host_refusals_total counter
boardwatch_host_refusals_total{system="lever"} 1
boardwatch_host_refusals_total{system="page"} 0
# HELP boardwatch_host_requests_total Requests to hosts, by the hosted system whose board is read; "page" stands for all others.
# TYPE boardwatch_host_requests_total counter
boardwatch_host_requests_total{system="lever"} 2
boardwatch_host_requests_total{system="page"} 1
# HELP boardwatch_host_wait_seconds_total How long requests waited for their turn at a host.
# TYPE boardwatch_host_wait_seconds_total counter
boardwatch_host_wait_seconds_total{system="lever"} 3
boardwatch_host_wait_seconds_total{system="page"} 0
`)))
}
