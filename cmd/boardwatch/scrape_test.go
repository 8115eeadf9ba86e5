package main_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

func TestScrapeEndsAtOnceWhenInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		interrupt()
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	got := main.Line{Args: []string{"scrape", "--dev", site.URL}}.Run(ctx)
	require.Equal(t, 1, got.Code)
	require.Equal(t, "boardwatch: interrupted\n", got.Err)
	require.Empty(t, got.Out)
}

func TestScrapeReadsNoMoreOnceInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	args := []string{"scrape"}
	for range 100 {
		args = append(args, "https://northwind.example/careers")
	}
	got := main.Line{Args: args}.Run(ctx)
	require.Equal(t, 1, got.Code)
	require.Equal(t, "boardwatch: interrupted\n", got.Err)
}

func TestScrapeKeepsTheOrderOfItsAddresses(t *testing.T) {
	t.Parallel()
	args := []string{"scrape", "-o", "csv"}
	for range 50 {
		args = append(args, "not a url", "https://a:b@northwind.example")
	}
	got := main.Line{Args: args}.Run(t.Context())
	require.Equal(t, 1, got.Code)
	lines := strings.Split(strings.TrimSpace(got.Out), "\n")
	require.Len(t, lines, 101)
	for i, line := range lines[1:] {
		require.True(t, strings.HasPrefix(line, []string{"not a url,", "https://a:xxxxx@northwind.example,"}[i%2]), line)
	}
	require.NotContains(t, got.Err, "a:b@")
}

// careersPages is a site with a page of roles, and one that draws the same roles by script. asked counts the requests of each path.
func careersPages(t *testing.T) (site *httptest.Server, asked func(path string) int) {
	t.Helper()
	var mu sync.Mutex
	count := make(map[string]int)
	pages := map[string]string{
		"/careers": `<!doctype html><html><body><h1>Open positions</h1><ul><li><a href="/careers/welder-1">Welder</a></li>` +
			`<li><a href="/careers/fitter-2">Pipe Fitter</a></li></ul></body></html>`,
		"/drawn": `<!doctype html><html><head><title>Careers</title></head><body><div id="root"></div><script>
			fetch('/api/roles').then(r => r.json()).then(jobs => document.getElementById('root').innerHTML = '<h1>Open positions</h1>' +
				jobs.map(j => '<li><a href="/careers/' + j.id + '">' + j.title + '</a> ' + j.location + '</li>').join(''))</script></body></html>`,
		"/api/roles": `[{"id":"welder-1","title":"Welder","location":"Bergen"},{"id":"fitter-2","title":"Pipe Fitter","location":"Oslo"}]`,
	}
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		count[r.URL.Path]++
		mu.Unlock()
		page, ok := pages[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
			return
		case strings.HasPrefix(r.URL.Path, "/api/"):
			w.Header().Set("Content-Type", "application/json")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		_, err := w.Write([]byte(page))
		require.NoError(t, err)
	}))
	t.Cleanup(site.Close)
	return site, func(path string) int {
		mu.Lock()
		defer mu.Unlock()
		return count[path]
	}
}

func TestScrapeAsksForRobotsOnce(t *testing.T) {
	t.Parallel()
	site, asked := careersPages(t)
	got := main.Line{Args: []string{"scrape", "--dev", "-o", "json", site.URL + "/careers", site.URL + "/careers?page=1", site.URL + "/careers?team=2"}}.Run(t.Context())
	require.Equal(t, 0, got.Code, got.Err)
	require.Equal(t, 1, asked("/robots.txt"))
}

// What a browser asked for while it was recorded is enough to read the page again, in a browser, without a network.
func TestScrapeRecordsWhatABrowserAsksFor(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts Chromium")
	}
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	site, asked := careersPages(t)
	archive := filepath.Join(t.TempDir(), "drawn.har")
	type reading struct {
		Health string
		Jobs   []map[string]any
	}
	read := func(flags ...string) reading {
		got := main.Line{Args: append([]string{"scrape", "--dev", "-o", "json", "--browser", "always", site.URL + "/drawn"}, flags...)}.Run(t.Context())
		require.Equal(t, 0, got.Code, got.Err)
		var r reading
		require.NoError(t, json.Unmarshal([]byte(got.Out), &r))
		return r
	}
	first := read("--record", archive)
	require.Equal(t, "ok", first.Health)
	require.Len(t, first.Jobs, 2)
	before := asked("/drawn") + asked("/api/roles")
	require.Equal(t, first, read("--har", archive))
	require.Equal(t, before, asked("/drawn")+asked("/api/roles"))
}

// One attempt at a wall is fair, and as many are made when it is read again from an archive.
func TestScrapeTriesAWallOnceFromAnArchiveToo(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(site.Close)
	archive := filepath.Join(t.TempDir(), "walled.har")
	read := func(flags ...string) (requests int) {
		got := main.Line{Args: append([]string{"scrape", "--dev", "-o", "json", "--browser", "never", site.URL + "/careers"}, flags...)}.Run(t.Context())
		require.Equal(t, 1, got.Code, got.Err)
		var r struct {
			Requests  int
			BlockedBy string
		}
		require.NoError(t, json.Unmarshal([]byte(got.Out), &r))
		require.Equal(t, "Cloudflare", r.BlockedBy)
		return r.Requests
	}
	require.Equal(t, read("--record", archive), read("--har", archive))
}
