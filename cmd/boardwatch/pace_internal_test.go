package main

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
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// refusedBy has a host refuse a request, and ask to be left alone if quiet is not zero.
func refusedBy(t *testing.T, store *storage.Store, host string, quiet time.Duration) {
	t.Helper()
	_, err := store.Turns(t.Context(), []pace.TurnEnd{{Host: host, Process: "a", Number: 1, Refused: true, RetryAfter: quiet}}, nil)
	require.NoError(t, err)
}

func TestTheDoctorNamesHostsThatAreAskedLessOften(t *testing.T) {
	t.Parallel()
	store := storagetest.New(t)
	require.Equal(t, finding{"pace", stateOK, "no host has asked for fewer requests"}, examinePace(t.Context(), store))
	refusedBy(t, store, "api.example:443", 0)
	refusedBy(t, store, "jobs.example:8443", time.Hour)
	require.Equal(t, finding{
		"pace", stateWarning,
		"jobs.example:8443 wants to be left alone for another 1h0m0s, api.example is asked at 50 % of its pace, because it refused requests",
	},
		examinePace(t.Context(), store))
	for _, host := range []string{"a", "b", "c", "d"} {
		refusedBy(t, store, host+".example:443", 0)
	}
	require.True(t, strings.HasSuffix(examinePace(t.Context(), store).Detail, ", and more"))
}

// lostStore is a store whose database is gone.
type lostStore struct{ pace.Store }

func (lostStore) SlowHosts(context.Context, int) ([]pace.SlowHost, error) {
	return nil, errors.New("no answer")
}

func TestPaceMetrics(t *testing.T) {
	t.Parallel()
	store := storagetest.New(t)
	for range 2 * slowHostsShown {
		refusedBy(t, store, boardwatch.NewID()+".example:443", time.Hour)
	}
	m := newPaceMetrics(store)
	m.observe(outbound.Paced{System: "lever", Waited: 2 * time.Second})
	m.observe(outbound.Paced{System: "lever", Waited: time.Second, Refused: true})
	m.observe(outbound.Paced{})
	require.Equal(t, slowHostsShown, testutil.CollectAndCount(m, "boardwatch_host_pace_ratio"), "however many there are")
	require.Equal(t, slowHostsShown, testutil.CollectAndCount(m, "boardwatch_host_quiet_seconds"))

	lost := newPaceMetrics(lostStore{})
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
