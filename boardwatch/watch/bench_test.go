//go:build unix

package watch_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// benchBoardsEnv names the variable that says how many boards the largest database of BenchmarkCheck has.
const benchBoardsEnv = "BENCH_BOARDS"

const (
	benchConcurrency = 64
	// lap is how many checks, and how many bare fetches, alternate.
	lap = 2500
)

// BenchmarkCheck compares the cost of a check with that of only fetching the same bytes, and with the floor: the
// cheapest possible check, written by hand (floorWorld). The three are measured alternately, so that all run under the
// same load; x-bare-get and x-floor are the medians of all turns. The site is another process; CPU is measured for this
// process and, separately, for PostgreSQL. Boards have 100 roles each. docs/performance.md explains the figures.
func BenchmarkCheck(b *testing.B) {
	addresses := startSite(b)
	for _, driver := range []string{"SQLite", "PostgreSQL"} {
		b.Run(driver, func(b *testing.B) {
			sizes := benchSizes(b)
			for i, boards := range sizes {
				b.Run(strconv.Itoa(boards)+"_boards", func(b *testing.B) {
					w := newBenchWorld(b, driver, addresses, boards)
					kinds := benchKinds()
					if i < len(sizes)-1 {
						kinds = kinds[:1]
					}
					for _, k := range kinds {
						b.Run(k.name, func(b *testing.B) { w.run(b, k) })
					}
				})
			}
		})
	}
}

// benchSizes are the measured numbers of boards, in ascending order.
func benchSizes(b *testing.B) []int {
	b.Helper()
	most := 1000
	if v := os.Getenv(benchBoardsEnv); v != "" {
		var err error
		most, err = strconv.Atoi(v)
		require.NoError(b, err, benchBoardsEnv)
	}
	var sizes []int
	for n := 100; n < most; n *= 10 {
		sizes = append(sizes, n)
	}
	return append(sizes, most)
}

// benchKind says how boards change between two checks.
type benchKind struct {
	name  string
	every int // a board changes after this many checks: two roles less, two more; 0 means never
	laps  int // how many times all boards are checked first: roles that go are missed in two further checks
}

func benchKinds() []benchKind {
	return []benchKind{
		{name: "Unchanged", laps: 1},
		{name: "Tenth_changed", every: 10, laps: 3},
		{name: "All_changed", every: 1, laps: 3},
	}
}

// run checks boards, fetches them, and checks others at the floor, by turns.
func (w *benchWorld) run(b *testing.B, k benchKind) {
	b.Helper()
	change(b.Context(), b, w.addresses[0], k.every)
	defer change(context.WithoutCancel(b.Context()), b, w.addresses[0], 0)
	if b.N == 1 { // the first of several runs
		w.check(b, w.boards*k.laps, func(watch.CheckReport) {})
		w.floor.check(b, w.boards*k.laps, func() time.Duration { return w.serverCPU(b) })
	}
	var peak float64
	var ours, bare, floor, server, floorServer turns
	var compared, changed int
	b.ResetTimer()
	b.StopTimer()
	for left := b.N; left > 0; left -= lap {
		n := min(left, lap)
		bare.add(w.fetch(b, lap))
		least, leastServer := w.floor.check(b, lap, func() time.Duration { return w.serverCPU(b) })
		floor.add(least)
		floorServer.add(leastServer)
		resetPeak()
		b.StartTimer()
		mine, theirs := w.check(b, n, func(r watch.CheckReport) {
			if !r.Unchanged {
				compared++
			}
			if len(r.Change.Found) > 0 {
				changed++
			}
		})
		b.StopTimer()
		peak = max(peak, peakMB(b))
		ours.add(mine)
		server.add(theirs)
	}
	b.ReportMetric(ours.median(), "cpu-us/op")
	b.ReportMetric(bare.median(), "bare-cpu-us/op")
	b.ReportMetric(floor.median(), "floor-cpu-us/op")
	b.ReportMetric(ours.over(bare), "x-bare-get")
	b.ReportMetric(floor.over(bare), "floor-x-bare-get")
	b.ReportMetric(ours.over(floor), "x-floor")
	b.ReportMetric(1e6/ours.median(), "checks/s/core")
	b.ReportMetric(100*float64(compared)/float64(b.N), "%compared")
	b.ReportMetric(100*float64(changed)/float64(b.N), "%changed")
	if w.url != "" {
		b.ReportMetric(server.median(), "server-cpu-us/op")
		b.ReportMetric(floorServer.median(), "floor-server-cpu-us/op")
	}
	b.ReportMetric(peak, "peak-rss-MB")
}

// turns are the microseconds of one operation in each turn.
type turns []float64

func (t *turns) add(us float64) { *t = append(*t, us) }

func (t turns) median() float64 {
	sorted := slices.Sorted(slices.Values(t))
	return sorted[len(sorted)/2]
}

// over returns the median ratio to the other's turns.
func (t turns) over(other turns) float64 {
	var times turns
	for i := range t {
		times.add(t[i] / other[i])
	}
	return times.median()
}

// check lets a watcher make n checks, after some that are not measured, and returns the CPU of one: this process's, and
// that of PostgreSQL.
func (w *benchWorld) check(b *testing.B, n int, saw func(watch.CheckReport)) (mine, server float64) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	begun, done := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	seen := 0
	observe := func(r watch.CheckReport) { // wakes nobody until it is time, so that it hardly counts
		mu.Lock()
		defer mu.Unlock()
		seen++
		made := seen - 2*benchConcurrency
		switch {
		case made == 0:
			close(begun)
		case made > 0 && made <= n:
			if ctx.Err() == nil && (r.Err != nil || r.Board.Status != boardwatch.BoardReady) {
				b.Errorf("check: %v, %s", r.Err, r.Check.Reason)
			}
			saw(r)
			if made == n {
				close(done)
			}
		}
	}
	var running sync.WaitGroup
	running.Go(func() {
		_ = watch.New(w.store, w.reader, watch.Options{Rules: boardwatch.DefaultRules(), Observe: observe}).Run(ctx)
	})
	<-begun
	before, beforeServer := cpu(b), w.serverCPU(b)
	<-done
	mine = (cpu(b) - before).Seconds() * 1e6 / float64(n)
	server = (w.serverCPU(b) - beforeServer).Seconds() * 1e6 / float64(n)
	cancel()
	running.Wait()
	return mine, server
}

func (w *benchWorld) serverCPU(b *testing.B) time.Duration {
	b.Helper()
	if w.url == "" {
		return 0
	}
	busy, _ := storagetest.PostgresCPU(b, w.url)
	return busy
}

// firstChecks reads every board of a store once.
func firstChecks(b *testing.B, store *storage.Store, reader boardwatch.Source, boards int) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var mu sync.Mutex
	checked := make(map[string]bool)
	observe := func(r watch.CheckReport) {
		mu.Lock()
		defer mu.Unlock()
		if r.Err == nil && r.Board.OpenJobs == siteRoles {
			checked[r.Board.ID] = true
		}
		if len(checked) == boards {
			cancel()
		}
	}
	require.NoError(b, watch.New(store, reader, watch.Options{Observe: observe}).Run(ctx))
}

func boardName(n int) string { return fmt.Sprintf("northwind%d", n) }
