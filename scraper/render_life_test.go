package scraper_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
)

// A machine without a browser says so in one sentence, and reads all other pages.
func TestBrowserMissing(t *testing.T) {
	t.Parallel()
	a := newApplication(t, map[string]string{"/careers": fmt.Sprintf(shell, plainFetch), "/plain": goodPage})
	b := scraper.NewBrowser(scraper.BrowserOptions{Outbound: onLoopback(), Path: filepath.Join(t.TempDir(), "chromium")})
	s := reads(t, scraper.Options{Browser: b})
	r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthFailed, r.Health)
	require.Regexp(t, `^the page is filled by script: reading it needs a browser, but .*chromium is not a program: correct browser.path$`, r.Reason)
	r, err = s.Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/plain"})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	_, err = b.Try(t.Context())
	require.ErrorContains(t, err, "browser.path")
	require.NoError(t, b.Close())

	r, err = reads(t, scraper.Options{BrowserMode: scraper.BrowserNever}).Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
	require.NoError(t, err)
	require.Equal(t, "the page is filled by script: reading it needs a browser, and browser.mode is never", r.Reason)
}

// What a browser that was killed left behind is removed by the next; what belongs to one that runs is not.
func TestBrowserRemovesItsFolders(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	dir := t.TempDir()
	left := filepath.Join(dir, "boardwatch-browser-999999-1-123")
	require.NoError(t, os.MkdirAll(filepath.Join(left, "Default"), 0o700))
	foreign := filepath.Join(dir, "boardwatch-browser-notes")
	require.NoError(t, os.MkdirAll(foreign, 0o700))
	a := newApplication(t, map[string]string{"/": goodPage})
	b := scraper.NewBrowser(scraper.BrowserOptions{Outbound: onLoopback(), TempDir: dir, MaxPages: 1})
	_, err := b.Show(t.Context(), scraper.View{Address: a.URL})
	require.NoError(t, err)
	require.NoDirExists(t, left)
	require.DirExists(t, foreign)
	other := scraper.NewBrowser(scraper.BrowserOptions{Outbound: onLoopback(), TempDir: dir, MaxPages: 1})
	_, err = other.Show(t.Context(), scraper.View{Address: a.URL})
	require.NoError(t, err)
	require.NoError(t, other.Close())
	_, err = b.Show(t.Context(), scraper.View{Address: a.URL})
	require.NoError(t, err, "the second did not disturb the first")
	require.NoError(t, b.Close())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	_, err = b.Show(t.Context(), scraper.View{Address: a.URL})
	require.ErrorContains(t, err, "closed")
}

// Pages that never end, ask questions, or are no pages do not hold anybody up.
func TestBrowserAgainstStubbornPages(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	block := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/asks", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<script>alert(1);confirm(2);prompt(3);window.print();window.open('/x');onbeforeunload=()=>'stay'</script>`+goodPage)
	})
	mux.HandleFunc("/streams", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, goodPage+`<script>new EventSource('/forever');fetch('/forever');setInterval(()=>fetch('/tick'),50)</script>`)
	})
	mux.HandleFunc("/forever", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-block:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/spins", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, goodPage+`<script>for(;;);</script>`)
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=roles.zip")
		w.Header().Set("Content-Type", "application/zip")
		fmt.Fprint(w, "PK")
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(block) })
	b := scraper.NewBrowser(scraper.BrowserOptions{Outbound: onLoopback(), PageTimeout: 6 * time.Second, TempDir: t.TempDir()})
	for path, want := range map[string]string{"/asks": "", "/streams": "", "/spins": "too long", "/file": "a file to keep", "/gone": ""} {
		shown, err := b.Show(t.Context(), scraper.View{Address: s.URL + path})
		if want != "" {
			require.ErrorContains(t, err, want, path)
			continue
		}
		require.NoError(t, err, path)
		require.Equal(t, path == "/gone", shown.Status == http.StatusNotFound, path)
		require.Equal(t, path != "/gone", strings.Contains(string(shown.HTML), "Pipe Fitter"), path)
	}
	_, err := b.Show(t.Context(), scraper.View{Address: "http://127.0.0.1:1/"})
	require.ErrorContains(t, err, "browser")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("no longer wanted"))
	_, err = b.Show(ctx, scraper.View{Address: s.URL})
	require.EqualError(t, err, "no longer wanted")
	require.NoError(t, b.Close())
}
