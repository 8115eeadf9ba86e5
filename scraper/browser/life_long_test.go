//go:build long && linux

package browser_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// family are the processes of the browsers whose folders are in dir, by process group.
func family(tb testing.TB, dir string) map[int][]int {
	tb.Helper()
	groups := make(map[int]bool)
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(tb, err)
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(dir)) {
			if group := groupOf(filepath.Dir(file)); group != 0 {
				groups[group] = true
			}
		}
	}
	members := make(map[int][]int)
	for _, file := range files {
		if group := groupOf(filepath.Dir(file)); groups[group] {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			require.NoError(tb, err)
			members[group] = append(members[group], pid)
		}
	}
	return members
}

func groupOf(proc string) int {
	stat, err := os.ReadFile(filepath.Join(proc, "stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 3 || fields[0] == "Z" {
		return 0
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return 0
	}
	return group
}

// resident is how many bytes this process has in memory.
func resident(tb testing.TB) int {
	tb.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	require.NoError(tb, err)
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	require.NoError(tb, err)
	return pages * os.Getpagesize()
}

// Three hundred pages in a row, while the browser is killed ten times: all are read, and nothing is left of it.
//
//nolint:paralleltest // it measures memory
func TestBrowserIsKilledMeanwhile(t *testing.T) {
	needsChromium(t)
	dir := t.TempDir()
	a := newApplication(t, map[string]string{"/careers": fmt.Sprintf(shell, plainFetch)})
	b := browser.New(browser.Options{Outbound: onLoopback(), TempDir: dir, MaxPages: 4})
	s := reads(t, scraper.Options{Browser: b, BrowserMode: scraper.BrowserAlways})
	readOne := func() string {
		r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
		if err != nil || r.Health != boardwatch.HealthOK || len(r.Postings) != 4 {
			return fmt.Sprintf("%s, %d roles: %s %v", r.Health, len(r.Postings), r.Reason, err)
		}
		return ""
	}
	for range 20 {
		require.Empty(t, readOne())
	}
	before := resident(t)

	const pages, kills = 300, 10
	var done atomic.Int64
	var workers sync.WaitGroup
	left := make(chan struct{}, pages)
	for range pages {
		left <- struct{}{}
	}
	close(left)
	for range 4 {
		workers.Go(func() {
			for range left {
				if fault := readOne(); fault != "" {
					t.Error(fault)
				}
				done.Add(1)
			}
		})
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for killed := 0; killed < kills; {
		<-tick.C
		if done.Load() < int64((killed+1)*pages/(kills+1)) {
			continue
		}
		for group, pids := range family(t, dir) {
			if killed%2 == 0 {
				_ = syscall.Kill(-group, syscall.SIGKILL)
			} else {
				_ = syscall.Kill(pids[len(pids)-1], syscall.SIGKILL) // a helper: often the one that draws a page
				_ = syscall.Kill(group, syscall.SIGKILL)
			}
		}
		killed++
	}
	workers.Wait()
	require.EqualValues(t, pages, done.Load())
	t.Logf("memory of this process: %d MiB before, %d MiB after %d pages and %d kills", before>>20, resident(t)>>20, pages, kills)
	require.Less(t, resident(t), before+64<<20)
	members := 0
	for _, pids := range family(t, dir) {
		members += len(pids)
	}
	require.Positive(t, members)

	require.NoError(t, b.Close())
	require.Empty(t, family(t, dir))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A page that takes all the memory it can get takes none from others: the browser is ended at its limit.
//
//nolint:paralleltest // it takes much memory
func TestBrowserMemoryIsBounded(t *testing.T) {
	needsChromium(t)
	a := newApplication(t, map[string]string{
		"/careers": fmt.Sprintf(shell, plainFetch),
		"/greedy":  fmt.Sprintf(shell, `const all = []; setInterval(() => all.push(new Uint8Array(50e6).fill(1)), 20)`),
	})
	b := browser.New(browser.Options{Outbound: onLoopback(), TempDir: t.TempDir(), MaxMemory: 700 << 20, PageTimeout: 30 * time.Second})
	_, err := b.Show(t.Context(), scraper.View{Address: a.URL + "/greedy", Enough: func(*scraper.Shown) scraper.Patience { return scraper.WaitBegin }})
	t.Logf("the greedy page: %v", err)
	shown, err := b.Show(t.Context(), scraper.View{Address: a.URL + "/careers"})
	require.NoError(t, err)
	require.Contains(t, string(shown.HTML), "Harbour Pilot")
	require.NoError(t, b.Close())
}
