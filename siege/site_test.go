//go:build siege

package siege_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sites are the careers pages of honest accounts. They differ by their loopback addresses: each is a separate host, on
// one port.
type sites struct {
	port    int
	started time.Time

	mu     sync.Mutex
	visits map[string][]time.Time // since begin
	seen   map[string]bool        // boards that were ever read
	read   atomic.Int64
}

func newSites(t *testing.T) *sites {
	t.Helper()
	s := &sites{visits: map[string][]time.Time{}, seen: map[string]bool{}}
	port, stop, err := host(t.Context(), s)
	require.NoError(t, err)
	t.Cleanup(stop)
	s.port = port
	return s
}

// host serves the pages on every loopback address, on one port.
func host(ctx context.Context, pages http.Handler) (port int, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "0.0.0.0:0")
	if err != nil {
		return 0, nil, err
	}
	server := &http.Server{Handler: pages, ReadHeaderTimeout: time.Minute}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	return listener.Addr().(*net.TCPAddr).Port, func() {
		_ = server.Close()
		serving.Wait()
	}, nil
}

// board returns the address of an account's board.
func (s *sites) board(account, n int) string {
	return fmt.Sprintf("http://127.1.%d.%d:%d/careers", n+1, account+1, s.port)
}

func (s *sites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/careers" {
		http.NotFound(w, r)
		return
	}
	s.note(r.Host)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(careers(r.Host, int(s.read.Load()/500)))
}

// careers serves a list of roles, one of which changes from time to time.
func careers(host string, turn int) []byte {
	var b bytes.Buffer
	b.WriteString(`<!doctype html><html><head><title>Careers at Northwind</title></head><body><main><h1>Open positions</h1><ul class="jobs">`)
	for i := range 20 {
		if i == 0 {
			i = 100 + turn
		}
		fmt.Fprintf(&b, `<li class="job"><a href="http://%s/jobs/%d">Engineer %d</a> <span class="location">Hamburg</span></li>`, host, i, i)
	}
	b.WriteString(`</ul></main></body></html>`)
	return b.Bytes()
}

func (s *sites) note(board string) {
	s.read.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[board] = true
	s.visits[board] = append(s.visits[board], time.Now())
}

// awaitAll waits until that many boards were read once.
func (s *sites) awaitAll(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.seen) >= n
	}, 2*time.Minute, 100*time.Millisecond, "not all boards were read for the first time")
}

// begin starts counting gaps.
func (s *sites) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = time.Now()
	clear(s.visits)
}

// gaps returns the times between checks of each honest board, including the time since the last one.
func (s *sites) gaps() (gaps []time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for board := range s.seen {
		last := s.started
		for _, at := range s.visits[board] {
			gaps = append(gaps, at.Sub(last))
			last = at
		}
		if open := now.Sub(last); open > 2*cadence {
			gaps = append(gaps, open)
		}
	}
	return gaps
}
