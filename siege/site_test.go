//go:build siege

package siege_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sites are all careers pages. They differ by their loopback addresses: each is a host of its own, on one port.
type sites struct {
	port    int
	started time.Time
	bomb    []byte

	mu     sync.Mutex
	visits map[string][]time.Time // of honest boards since begin
	seen   map[string]bool        // honest boards that were ever read
	read   atomic.Int64

	dripped, bombs atomic.Int64
}

func newSites(t *testing.T) *sites {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "0.0.0.0:0")
	require.NoError(t, err)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err = zip.Write([]byte(strings.Repeat("<li>x", 2<<20)))
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	s := &sites{port: listener.Addr().(*net.TCPAddr).Port, bomb: packed.Bytes(), visits: map[string][]time.Time{}, seen: map[string]bool{}}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
	})
	return s
}

// board is the address of an honest account's board.
func (s *sites) board(account, n int) string {
	return fmt.Sprintf("http://127.1.%d.%d:%d/careers", n+1, account+1, s.port)
}

// hostile is the address of a page that drips, or is a bomb: a new host for each number.
func (s *sites) hostile(kind string, account, n int) string {
	return fmt.Sprintf("http://127.%d.%d.%d:%d/%s", 2+account, n/250%250+1, n%250+1, s.port, kind)
}

func (s *sites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/drip":
		s.dripped.Add(1)
		w.Header().Set("Content-Type", "text/html")
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte("<p>x")); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			pause(r.Context(), time.Second)
		}
	case r.URL.Path == "/bomb":
		s.bombs.Add(1)
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(s.bomb)
	case r.URL.Path == "/careers":
		s.note(r.Host)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(careers(r.Host, int(s.read.Load()/500)))
	case r.Method == http.MethodPost: // a receiver of webhooks
		w.WriteHeader(http.StatusNoContent)
	default:
		http.NotFound(w, r)
	}
}

// careers is a list of roles, one of which changes now and then.
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

// awaitAll waits until so many boards were read once.
func (s *sites) awaitAll(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.seen) >= n
	}, 2*time.Minute, 100*time.Millisecond, "not all boards were read for the first time")
}

// begin has gaps counted from now on.
func (s *sites) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = time.Now()
	clear(s.visits)
}

// gaps are the times between two checks of each honest board, that until now among them.
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
