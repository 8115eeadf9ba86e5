//go:build unix

package watch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const (
	benchBoards      = 10_000 // with 100 roles each
	benchConcurrency = 64
)

// BenchmarkCheck is what a check costs, against fetching the same bytes and doing nothing with them. The site is another
// process; CPU is that of this one, from getrusage. docs/performance.md explains the figures.
func BenchmarkCheck(b *testing.B) {
	addresses := startSite(b)
	change(b.Context(), b, addresses[0], 0)
	s := benchWorld(b)
	reader := benchSource(addresses)
	firstChecks(b, s, reader)

	// BareGet fetches a board's answer and throws it away.
	b.Run("BareGet", func(b *testing.B) {
		crowd := startGets(b, addresses)
		defer crowd.cancel()
		before := cpu(b)
		for b.Loop() {
			<-crowd.done
		}
		report(b, before)
	})
	// Unchanged checks boards that answer as they did before.
	b.Run("Unchanged", func(b *testing.B) {
		benchmarkChecks(b, s, reader, addresses, benchConcurrency)
	})
	// Mixed checks boards of which every tenth answers with two roles less and two more than before. Those that are gone
	// are counted as absent in two further checks before they are closed.
	b.Run("Mixed", func(b *testing.B) {
		change(b.Context(), b, addresses[0], 10)
		benchmarkChecks(b, s, reader, addresses, 3*benchBoards)
		change(b.Context(), b, addresses[0], 0)
	})
}

func benchmarkChecks(b *testing.B, s boardwatch.Store, reader boardwatch.Source, addresses []string, warmUp int) {
	b.Helper()
	bare := bareGet(b, addresses)
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan watch.CheckReport, benchConcurrency)
	var running sync.WaitGroup
	running.Go(func() {
		_ = watch.New(s, reader, watch.Options{Rules: boardwatch.DefaultRules(), Observe: func(r watch.CheckReport) {
			select {
			case done <- r:
			case <-ctx.Done():
			}
		}}).Run(ctx)
	})
	for range warmUp {
		<-done
	}
	resetPeak()
	var changed, compared int
	before := cpu(b)
	for b.Loop() {
		r := <-done
		if r.Err != nil || r.Board.Status != boardwatch.BoardReady {
			b.Fatalf("check: %v, %s", r.Err, r.Check.Reason)
		}
		if !r.Unchanged {
			compared++
		}
		if len(r.Change.Found) > 0 {
			changed++
		}
	}
	each := report(b, before)
	reportPeak(b)
	cancel()
	running.Wait()
	bare = (bare + bareGet(b, addresses)) / 2
	b.ReportMetric(each/bare, "x-bare-get")
	b.ReportMetric(100*float64(changed)/float64(b.N), "%changed")
	b.ReportMetric(100*float64(compared)/float64(b.N), "%compared")
}

// benchWorld is a store in which all boards are due all the time.
func benchWorld(b *testing.B) boardwatch.Store {
	b.Helper()
	const perAccount = 100
	s := storagetest.Open(b, storage.Options{Plans: boardwatch.Plans{
		boardwatch.PlanUltra: {Boards: perAccount, Cadence: time.Millisecond},
	}})
	for first := 0; first < benchBoards; first += perAccount {
		a := boardwatch.Account{
			ID: boardwatch.NewID(), Email: fmt.Sprintf("robin%d@northwind.example", first), Plan: boardwatch.PlanUltra,
			CreatedAt: boardwatch.Milli(time.Now()),
		}
		require.NoError(b, s.CreateAccount(b.Context(), a))
		for n := range perAccount {
			name := fmt.Sprintf("northwind%d", first+n)
			_, _, err := s.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
				Source: "greenhouse:" + name, URL: "https://boards.greenhouse.io/" + name, Status: boardwatch.BoardScraping,
			}, name)
			require.NoError(b, err)
		}
	}
	return s
}

// benchSource is the real reader, whose requests go to the site.
func benchSource(addresses []string) boardwatch.Source {
	all := ats.All()
	at := slices.IndexFunc(all, func(a ats.Adapter) bool { return a.Name() == "greenhouse" })
	client := outbound.New(outbound.Options{AllowLoopback: true})
	return scraper.New(client, scraper.Options{Adapters: []ats.Adapter{nearby{all[at], addresses}}})
}

// firstChecks reads every board once.
func firstChecks(b *testing.B, s boardwatch.Store, reader boardwatch.Source) {
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
		if len(checked) == benchBoards {
			cancel()
		}
	}
	require.NoError(b, watch.New(s, reader, watch.Options{Observe: observe}).Run(ctx))
}

// gets is a crowd of workers who fetch boards.
type gets struct {
	done   chan struct{}
	cancel func()
}

func startGets(b *testing.B, addresses []string) gets {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	transport := &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true}
	done := make(chan struct{}, benchConcurrency)
	var workers sync.WaitGroup
	for w := range benchConcurrency {
		workers.Go(func() {
			for n := w; ctx.Err() == nil; n += benchConcurrency {
				board := fmt.Sprintf("northwind%d", n%benchBoards)
				url := "http://" + addressOf(addresses, board) + "/v1/boards/" + board + "/jobs?content=true"
				if err := get(ctx, transport, url); err != nil && ctx.Err() == nil {
					b.Error(err)
					return
				}
				select {
				case done <- struct{}{}:
				case <-ctx.Done():
				}
			}
		})
	}
	return gets{done, func() {
		cancel()
		workers.Wait()
		transport.CloseIdleConnections()
	}}
}

func get(ctx context.Context, transport http.RoundTripper, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// bareGet is the CPU of one fetch in microseconds.
func bareGet(b *testing.B, addresses []string) float64 {
	b.Helper()
	crowd := startGets(b, addresses)
	defer crowd.cancel()
	const n = 20_000
	for range n / 10 {
		<-crowd.done
	}
	before := cpu(b)
	for range n {
		<-crowd.done
	}
	return (cpu(b) - before).Seconds() * 1e6 / n
}

// cpu is the time that this process has computed.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// report tells the CPU of each turn of the loop, in microseconds.
func report(b *testing.B, before time.Duration) float64 {
	b.Helper()
	each := (cpu(b) - before).Seconds() * 1e6 / float64(b.N)
	b.ReportMetric(each, "cpu-us/op")
	return each
}

// resetPeak starts the measurement of memory anew, where the system can do that.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// reportPeak tells the largest resident memory, where the system says it.
func reportPeak(b *testing.B) {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(status)) {
		var kB float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kB); err == nil {
			b.ReportMetric(kB/1024, "peak-rss-MB")
		}
	}
}
