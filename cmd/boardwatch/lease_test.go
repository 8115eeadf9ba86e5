//go:build long

package main_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestKilledWorkerLosesItsBoards has two workers on one PostgreSQL. The first reads pages that do not answer: as long as
// it lives, nobody else reads them; after kill -9 the other has them within the lease, although a check may take ten
// minutes.
func TestKilledWorkerLosesItsBoards(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	i := install(t, storagetest.PostgresURL(t),
		"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=1h", "BOARDWATCH_LOG_LEVEL=error", "BOARDWATCH_HTTP_OBEY_ROBOTS=false")
	sites := make([]*stuckSite, 6)
	for n := range sites {
		email := fmt.Sprintf("robin%d@northwind.example", n/2) // of one account, two boards are read on demand at a time
		if n%2 == 0 {
			i.do(&struct{}{}, "account", "create", "--email", email, "--plan", "ultra", "--verified")
		}
		sites[n] = newStuckSite(t)
		i.do(&struct{}{}, "board", "add", "--account", email, sites[n].url+"/careers")
	}
	doomed := exec.CommandContext(t.Context(), binary, "serve", "--role", "worker", "--listen", "127.0.0.1:0")
	doomed.Env, doomed.Stderr = i.env, t.Output()
	require.NoError(t, doomed.Start())
	for _, s := range sites {
		i.eventually("the page is asked for", func() bool { return s.asked.Load() == 1 })
	}

	other := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "serve", "--role", "worker", "--listen", "127.0.0.1:0")
	other.Env = i.env
	runServer(t, other)
	<-time.After(20 * time.Second) // longer than a lease
	for _, s := range sites {
		require.EqualValues(t, 1, s.asked.Load(), "while the first worker lives nobody else reads its boards")
	}

	for _, s := range sites {
		close(s.open)
	}
	require.NoError(t, doomed.Process.Kill())
	killed := time.Now()
	require.ErrorContains(t, doomed.Wait(), "killed")
	for _, s := range sites {
		i.eventually("the other worker reads the page", func() bool { return s.asked.Load() > 1 })
	}
	took := time.Since(killed)
	t.Logf("all boards were read again %v after the kill", took.Round(10*time.Millisecond))
	require.Less(t, took, 25*time.Second)
}

// stuckSite is a careers page that does not answer until it is opened.
type stuckSite struct {
	url   string
	asked atomic.Int64
	open  chan struct{}
}

func newStuckSite(t *testing.T) *stuckSite {
	t.Helper()
	s := &stuckSite{open: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		select {
		case <-s.open:
		case <-r.Context().Done():
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}
