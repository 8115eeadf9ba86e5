package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// A machine without a browser says so in one sentence, and reads all other pages.
func TestBrowserMissing(t *testing.T) {
	t.Parallel()
	a := newApplication(t, map[string]string{"/careers": fmt.Sprintf(shell, plainFetch), "/plain": goodPage})
	b := browser.New(browser.Options{Outbound: onLoopback(), Path: filepath.Join(t.TempDir(), "chromium")})
	s := reads(t, scraper.Options{Browser: b})
	r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthFailed, r.Health)
	require.Regexp(t, `^the page is rendered by JavaScript: reading it needs a browser, but .*chromium is not a program: correct browser.path$`, r.Reason)
	r, err = s.Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/plain"})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	trials := b.Try()
	require.Len(t, trials, 1)
	require.ErrorContains(t, trials[0].Err, "browser.path")
	require.NoError(t, b.Close())

	r, err = reads(t, scraper.Options{BrowserMode: scraper.BrowserNever}).Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
	require.NoError(t, err)
	require.Equal(t, "the page is rendered by JavaScript: reading it needs a browser, and browser.mode is never", r.Reason)
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
	b := browser.New(browser.Options{Outbound: onLoopback(), TempDir: dir, MaxPages: 1})
	_, err := b.Show(t.Context(), scraper.View{Address: a.URL})
	require.NoError(t, err)
	require.NoDirExists(t, left)
	require.DirExists(t, foreign)
	other := browser.New(browser.Options{Outbound: onLoopback(), TempDir: dir, MaxPages: 1})
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
