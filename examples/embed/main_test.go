package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// careers is a careers page whose roles can be changed.
type careers struct {
	mu    sync.Mutex
	roles []string
}

func (c *careers) post(roles ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.roles = roles
}

func (c *careers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/careers" {
		http.NotFound(w, r)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprint(w, "<!doctype html><title>Careers at Northwind Labs</title><h1>Open roles</h1><ul>")
	for _, role := range c.roles {
		path := strings.ReplaceAll(strings.ToLower(role), " ", "-")
		_, _ = fmt.Fprintf(w, `<li><a href="/careers/%s"><h3>%s</h3><span class="location">Turku, Finland</span></a></li>`, path, role)
	}
	_, _ = fmt.Fprint(w, "</ul>")
}

// screen is what was printed so far. It can be broken.
type screen struct {
	mu     sync.Mutex
	all    bytes.Buffer
	broken bool
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return 0, errors.New("the screen is broken")
	}
	return s.all.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

func (s *screen) shows(t *testing.T, line string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(s.text(), line) }, 20*time.Second, 5*time.Millisecond, line)
}

// start runs the program on the file until the returned function is called. A role closes when three readings missed it.
func start(t *testing.T, file, address string, out *screen) (stop func()) {
	t.Helper()
	plans := account.DefaultPlans()
	plans[account.PlanUltra] = account.Plan{Boards: 10, Cadence: 20 * time.Millisecond, Webhooks: true}
	p := program{
		file: file, addresses: []string{address}, plans: plans, out: out,
		client: outbound.New(outbound.Options{AllowLoopback: true}),
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	t.Cleanup(stop)
	return stop
}

func TestProgram(t *testing.T) {
	t.Parallel()
	page := &careers{}
	page.post("Glass Blower", "Kiln Engineer", "Night Watch")
	site := httptest.NewServer(page)
	t.Cleanup(site.Close)
	file := filepath.Join(t.TempDir(), "boards.db")

	first := &screen{}
	stop := start(t, file, site.URL+"/careers", first)
	first.shows(t, "found\tKiln Engineer\tTurku, Finland\t"+site.URL+"/careers/kiln-engineer\n")
	page.post("Glass Blower", "Kiln Engineer")
	first.shows(t, "closed\tNight Watch\t")
	stop()
	require.Equal(t, 3, strings.Count(first.text(), "found\t"), "each once")

	page.post("Glass Blower", "Kiln Engineer", "Lamp Lighter")
	second := &screen{}
	stop = start(t, file, site.URL+"/careers", second)
	second.shows(t, "found\tLamp Lighter\t")
	stop()
	require.Equal(t, 1, strings.Count(second.text(), "\n"), "what was printed by the first is not printed again")
}

func TestPrinter(t *testing.T) {
	t.Parallel()
	out := &screen{}
	p := printer{out}
	board := boardwatch.Board{ID: boardwatch.NewID(), URL: "https://northwind.example/careers"}
	jobs := make([]boardwatch.Job, boardwatch.MaxEventJobs+2)
	for _, payload := range []boardwatch.Payload{
		boardwatch.JobsPayload("1", boardwatch.EventJobArchived, board, "", jobs, time.Now()),
		boardwatch.FailedPayload("2", board, "", "no answer", time.Now()),
	} {
		d := boardwatch.Delivery{Body: payload.Body(boardwatch.NewID())}
		require.True(t, p.Deliver(t.Context(), boardwatch.Webhook{}, d).OK())
		out.broken = true
		require.Equal(t, boardwatch.Receipt{Error: "the screen is broken"}, p.Deliver(t.Context(), boardwatch.Webhook{}, d))
		out.broken = false
	}
	require.Equal(t, boardwatch.MaxEventJobs+1, strings.Count(out.text(), "closed\t"))
	require.Contains(t, out.text(), "closed\t2 more\n")
	require.Contains(t, out.text(), "failed\thttps://northwind.example/careers\tno answer\n")
	require.False(t, p.Deliver(t.Context(), boardwatch.Webhook{}, boardwatch.Delivery{Body: []byte("{")}).OK())
}

func TestProgramSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := program{
		file: filepath.Join(t.TempDir(), "boards.db"), addresses: []string{"ftp://northwind.example"},
		client: outbound.New(outbound.Options{}), out: &screen{},
	}
	require.ErrorContains(t, p.run(t.Context()), "ftp://northwind.example: ")
	p.file = filepath.Join(t.TempDir(), "nowhere", "boards.db")
	require.ErrorContains(t, p.run(t.Context()), "nowhere")
}
