package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// service answers with what is next in its script, and notes what it is asked.
type service struct {
	answers []string // a status, a space and a body
	asked   []string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked = append(s.asked, r.URL.Query().Get("status")+" "+r.URL.Query().Get("addedAfter")+" "+r.URL.Query().Get("skip")+" "+r.Header.Get("Authorization"))
	status, body, _ := strings.Cut(s.answers[0], " ")
	s.answers = s.answers[1:]
	code := 0
	_, _ = fmt.Sscan(status, &code)
	w.WriteHeader(code)
	_, _ = io.WriteString(w, body)
}

func jobs(polledAt string, ids ...string) string {
	var list []string
	for _, id := range ids {
		list = append(list, `{"id":"`+id+`","title":"Role `+id+`","status":"open"}`)
	}
	return `200 {"jobs":[` + strings.Join(list, ",") + `],"polledAt":"` + polledAt + `"}`
}

func TestPoller(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range pageSize {
		many = append(many, fmt.Sprintf("m%03d", i))
	}
	s := &service{answers: []string{
		jobs("t1", "old"),
		"429 " + `{"error":{"code":"rate_limited","message":"wait","retryAfter":7}}`,
		"500 " + `{"error":{"code":"internal_error","message":"oops"}}`,
		"502 <html>",
		jobs("t2", "new", "old"), // a role may come twice
		jobs("t3", many...),
		jobs("t4", "m099", "last"), // the page moved on while it was read
		"401 " + `{"error":{"code":"unauthorized","message":"this key does not exist, or no longer"}}`,
	}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	var out strings.Builder
	var waited []time.Duration
	p := &poller{
		client: server.Client(), base: server.URL, key: "bw_x", out: &out,
		wait: func(_ context.Context, d time.Duration) error {
			waited = append(waited, d)
			return nil
		},
	}
	require.EqualError(t, p.run(t.Context()), "this key does not exist, or no longer")
	require.Equal(t, []time.Duration{pause, 7 * time.Second, 2 * time.Second, 4 * time.Second, pause, pause}, waited)
	require.Equal(t, []string{
		"all  0 Bearer bw_x", "all t1 0 Bearer bw_x", "all t1 0 Bearer bw_x", "all t1 0 Bearer bw_x", "all t1 0 Bearer bw_x",
		"all t2 0 Bearer bw_x", "all t2 100 Bearer bw_x", "all t3 0 Bearer bw_x",
	}, s.asked)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 1+pageSize+1)
	require.Contains(t, lines[0], "Role new")
	require.Contains(t, lines[len(lines)-1], "Role last")
}
