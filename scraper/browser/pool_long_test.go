//go:build long && linux

package browser_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// A browser that hangs with its connections open is noticed, its pages are shown by another, and it gets pages again when
// it has woken up.
func TestBrowserPoolNoticesOneThatHangs(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": goodPage})
	dir := t.TempDir()
	hanging, end := startElsewhere(t, 0, dir)
	t.Cleanup(end)
	b := browser.New(browser.Options{Outbound: onLoopback(), Remotes: []string{hanging, elsewhere(t)}, MaxPages: 2})
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	shows(t, b, a.URL+"/careers", 8, 4, func(int) {})

	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var pids []int
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte("--user-data-dir="+dir+"\x00")) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	require.NotEmpty(t, pids)
	send := func(s syscall.Signal) {
		for _, pid := range pids {
			require.NoError(t, syscall.Kill(pid, s))
		}
	}
	send(syscall.SIGSTOP)
	began := time.Now()
	shows(t, b, a.URL+"/careers", 12, 4, func(int) {})
	t.Logf("12 pages with one of two browsers hanging: %s", time.Since(began).Round(time.Second))
	require.Less(t, time.Since(began), 45*time.Second)
	states, _ := b.States()
	require.Equal(t, 1, states[0].Lost)
	send(syscall.SIGCONT)
	before := states[0].Shown
	require.Eventually(t, func() bool {
		shows(t, b, a.URL+"/careers", 4, 4, func(int) {})
		states, _ = b.States()
		return states[0].Shown > before
	}, 2*time.Minute, 200*time.Millisecond)
}

// Where all browsers stay away, pages wait for ten seconds, and then say at once what is wrong.
func TestBrowserPoolStaysAway(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": goodPage})
	address, end := startElsewhere(t, 0, t.TempDir())
	b := browser.New(browser.Options{Outbound: onLoopback(), Remotes: []string{address}, MaxPages: 1})
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	show := func() error {
		_, err := b.Show(t.Context(), scraper.View{Address: a.URL + "/careers"})
		return err
	}
	require.NoError(t, show())
	end()
	began := time.Now()
	require.ErrorContains(t, show(), "no browser answers at 127.0.0.1")
	require.InDelta(t, 14, time.Since(began).Seconds(), 8)
	began = time.Now()
	for range 50 {
		require.Error(t, show())
	}
	require.Less(t, time.Since(began), 2*time.Second)
}
