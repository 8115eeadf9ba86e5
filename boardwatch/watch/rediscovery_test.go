package watch_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// pages is a site whose pages can be replaced; a page that it does not have is 404.
type pages struct {
	mu    sync.Mutex
	byURL map[string]string
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	body, ok := p.byURL[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte("<!doctype html><html><head><title>Northwind</title></head><body>" + body + "</body></html>"))
}

func (p *pages) become(byURL map[string]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byURL = byURL
}

// look checks the due board with the source.
func (w world) look(t *testing.T, s boardwatch.Source) watch.CheckReport {
	t.Helper()
	var report watch.CheckReport
	o := watch.Options{Observe: func(r watch.CheckReport) { report = r }}
	require.NoError(t, watch.New(w.store, s, o).Check(t.Context(), w.claim(t)))
	return report
}

func TestBoardThatMovedIsFoundByTheRealReader(t *testing.T) {
	t.Parallel()
	site := &pages{}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	client := outbound.New(outbound.Options{AllowLoopback: true, Backoff: []time.Duration{}})
	reader := scraper.New(client, scraper.Options{})
	w := setup(t)

	site.become(map[string]string{
		"/":        `<p>We bake.</p><a href="/careers">Careers</a>`,
		"/careers": `<h1>Open positions</h1><ul><li><a href="/careers/1">Baker</a></li><li><a href="/careers/2">Miller</a></li><li><a href="/careers/3">Brewer</a></li></ul>`,
	})
	board := w.track(t, "", server.URL+"/careers")
	require.Equal(t, boardwatch.HealthOK, w.look(t, reader).Check.Health)
	require.Equal(t, "page:"+server.URL+"/careers", w.board(t, board.ID).Source)
	before := w.jobs(t)
	require.Len(t, before, 3)

	site.become(map[string]string{
		"/":                  `<p>We bake.</p><a href="/company/vacancies">Work with us</a>`,
		"/company/vacancies": `<h1>Open positions</h1><ul><li><a href="/company/vacancies/a">Baker</a></li><li><a href="/company/vacancies/b">Miller</a></li><li><a href="/company/vacancies/c">Cooper</a></li></ul>`,
	})
	for range 3 {
		report := w.look(t, reader)
		require.Equal(t, boardwatch.HealthFailed, report.Check.Health)
		require.Equal(t, "the page does not exist (status 404)", report.Check.Reason)
	}
	report := w.look(t, reader)
	require.Equal(t, boardwatch.HealthOK, report.Check.Health, report.Check.Reason)
	require.Len(t, report.Change.Found, 1, "only Cooper is new")

	moved := w.board(t, board.ID)
	require.Equal(t, "page:"+server.URL+"/company/vacancies", moved.Source)
	require.Equal(t, server.URL+"/company/vacancies", moved.URL)
	after := w.jobs(t)
	require.Equal(t, before["Baker"].ID, after["Baker"].ID)
	require.Equal(t, before["Miller"].ID, after["Miller"].ID)
	require.Equal(t, boardwatch.JobOpen, after["Brewer"].Status, "absent once only")

	for range 2 {
		require.Equal(t, boardwatch.HealthOK, w.look(t, reader).Check.Health)
	}
	require.Equal(t, boardwatch.JobClosed, w.jobs(t)["Brewer"].Status)
}

func TestUnchangedPageIsNotSentAgain(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var statuses []int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		status := http.StatusOK
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Type", "text/html")
		if r.Header.Get("If-None-Match") == `"v1"` {
			status = http.StatusNotModified
		}
		mu.Lock()
		if len(statuses) == 2 { // in trouble once
			status = http.StatusInternalServerError
		}
		statuses = append(statuses, status)
		mu.Unlock()
		w.WriteHeader(status)
		if status == http.StatusOK {
			_, _ = w.Write([]byte(`<html><body><h1>Open positions</h1><ul><li><a href="/careers/1">Baker</a></li><li><a href="/careers/2">Miller</a></li></ul></body></html>`))
		}
	}))
	t.Cleanup(server.Close)
	client := outbound.New(outbound.Options{AllowLoopback: true, Backoff: []time.Duration{}})
	reader := scraper.New(client, scraper.Options{Version: "1"})
	w := setup(t)
	board := w.track(t, "page:"+server.URL+"/careers", server.URL+"/careers")

	require.Equal(t, boardwatch.HealthOK, w.look(t, reader).Check.Health)
	require.True(t, w.look(t, reader).Unchanged, "304")
	require.Equal(t, boardwatch.HealthFailed, w.look(t, reader).Check.Health)
	require.False(t, w.look(t, reader).Unchanged, "after a check that was not healthy the page is read in full")
	require.True(t, w.look(t, reader).Unchanged)
	require.Equal(t, []int{200, 304, 500, 200, 304}, statuses)
	require.Equal(t, 2, w.board(t, board.ID).OpenJobs)
}
