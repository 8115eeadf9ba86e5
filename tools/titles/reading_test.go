package main

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const labelsOfTwo = `[
	{"id": "whole", "url": "https://one.example/jobs", "file": "whole.html", "lang": "en", "shape": "list", "verdict": "ok", "roles": [{"titles": ["Welder", "Welder (m/f/d)"]}, {"titles": ["Night Porter"]}]},
	{"id": "none", "url": "https://two.example/about", "file": "none.html", "lang": "en", "verdict": "none", "roles": []},
	{"id": "unclear", "url": "https://three.example/", "file": "none.html", "verdict": "none", "unsure": true}
]`

func folderOfTwo(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"pages.json": labelsOfTwo,
		"whole.html": `<!doctype html><html lang="en"><title>Jobs</title><body><h1>Open positions</h1><ul><li><a href="/jobs/1">Welder (m/f/d)</a></li><li><a href="/jobs/2">Night Porter</a></li></ul></body></html>`,
		"none.html":  `<!doctype html><html lang="en"><title>About</title><body><h1>About us</h1><p>We build bridges, and have done so for years.</p></body></html>`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	return folder
}

func TestReadingsAreHeldAgainstTheLabels(t *testing.T) {
	t.Parallel()
	pages, err := readPages([]string{folderOfTwo(t)})
	require.NoError(t, err)
	require.Len(t, pages, 2)
	whole, none := pages[0].read(nil), pages[1].read(nil)
	require.True(t, whole.right && whole.isWhole() && !whole.unsafe)
	require.Equal(t, 2, whole.hit)
	require.True(t, none.right && !none.unsafe && !none.isWhole())

	pages[0].Roles = pages[0].Roles[:1]
	less := pages[0].read(nil)
	require.Equal(t, []string{"Night Porter"}, less.wrong)
	require.False(t, less.unsafe)

	pages[0].Verdict, pages[0].Roles = "none", nil
	require.True(t, pages[0].read(nil).unsafe)
}

func TestTheDocumentIsMadeFromThePages(t *testing.T) {
	t.Parallel()
	folder := folderOfTwo(t)
	pages, err := readPages([]string{folder})
	require.NoError(t, err)
	text := string(accuracyOf(newLesson(pages, nil).read(folds-1), digestOf(pages), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)))
	require.Contains(t, text, "Made on 2026-01-02")
	require.Contains(t, text, "| 2 | 2 | 100.0 % | 100.0 % | 100.0 % | 0 |")
	require.Contains(t, text, "| en | 2 | 2 | 100.0 | 100.0 | 100.0 | 0 |")
	before := digestOf(pages)
	pages[1].at = &url.URL{}
	pages[1].Verdict = "empty"
	require.NotEqual(t, before, digestOf(pages))
}

func TestFoldersWithoutLabelsAreRefused(t *testing.T) {
	t.Parallel()
	_, err := readPages([]string{t.TempDir()})
	require.ErrorContains(t, err, "holds no pages.json")
	_, err = readPages(nil)
	require.ErrorContains(t, err, "no folder")
}
