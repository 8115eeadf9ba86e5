//go:build unix

package watch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// benchWorld is a site with many boards and a store in which all of them are due all the time.
type benchWorld struct {
	store     *storage.Store
	url       string // of PostgreSQL
	reader    boardwatch.Source
	addresses []string
	boards    int
	floor     *floorWorld
}

func newBenchWorld(b *testing.B, driver string, addresses []string, boards int) *benchWorld {
	b.Helper()
	place := newBenchPlace(b, driver)
	store := place.open(b)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	w := &benchWorld{addresses: addresses, boards: boards, reader: benchSource(addresses), url: place.url, store: store}
	change(b.Context(), b, addresses[0], 0)
	fillBench(b, store, boards, boardName)
	firstChecks(b, store, w.reader, boards)
	w.floor = newFloorWorld(b, driver, w)
	return w
}

// benchPlace is where the store of a benchmark is kept: in a SQLite file, or in a PostgreSQL database.
type benchPlace struct{ path, url string }

func newBenchPlace(b *testing.B, driver string) benchPlace {
	b.Helper()
	if driver == "PostgreSQL" {
		return benchPlace{url: storagetest.PostgresURL(b)}
	}
	return benchPlace{path: filepath.Join(b.TempDir(), "boardwatch.db")}
}

// benchAccount is how many boards an account of a benchmark has.
const benchAccount = 100

// open opens the place's store, in which every board is due at once.
func (p benchPlace) open(b *testing.B) *storage.Store {
	b.Helper()
	o := storage.Options{SealKey: []byte(storagetest.SealKey), Plans: account.Plans{
		account.PlanUltra: {Boards: benchAccount, Cadence: time.Millisecond},
	}}
	var s *storage.Store
	var err error
	if p.url != "" {
		s, err = postgres.Open(b.Context(), p.url, o)
	} else {
		s, err = sqlite.Open(b.Context(), p.path, o)
	}
	require.NoError(b, err)
	return s
}

// fillBench makes accounts track that many boards of the site. Their addresses are on hosts of their own, because first checks
// are made on demand, one per host at a time.
func fillBench(b *testing.B, store *storage.Store, boards int, named func(n int) string) {
	b.Helper()
	for first := 0; first < boards; first += benchAccount {
		a := account.Account{
			ID: boardwatch.NewID(), Email: fmt.Sprintf("robin%d@northwind.example", first), Plan: account.PlanUltra,
			CreatedAt: boardwatch.Milli(time.Now()),
		}
		require.NoError(b, store.CreateAccount(b.Context(), a))
		for n := range min(benchAccount, boards-first) {
			name := named(first + n)
			_, _, err := store.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
				Source: "greenhouse:" + name, URL: "https://" + name + ".example/", Status: boardwatch.BoardScraping,
			}, name)
			require.NoError(b, err)
		}
	}
}

// benchSource is the real reader, whose requests go to the site.
func benchSource(addresses []string) boardwatch.Source {
	all := ats.All()
	at := slices.IndexFunc(all, func(a ats.Adapter) bool { return a.Name() == "greenhouse" })
	client := outbound.New(outbound.Options{AllowLoopback: true})
	return scraper.New(client, scraper.Options{Adapters: []ats.Adapter{nearby{all[at], addresses}}})
}

// fetch gets n boards' answers, after some that are not measured, throws them away and returns the CPU of one.
func (w *benchWorld) fetch(b *testing.B, n int) float64 {
	b.Helper()
	crowd := w.startGets(b)
	defer crowd.cancel()
	for range 2 * benchConcurrency {
		<-crowd.done
	}
	before := cpu(b)
	for range n {
		<-crowd.done
	}
	return (cpu(b) - before).Seconds() * 1e6 / float64(n)
}

// gets is a crowd of workers who fetch boards.
type gets struct {
	done   chan struct{}
	cancel func()
}

func (w *benchWorld) startGets(b *testing.B) gets {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	transport := &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true}
	done := make(chan struct{}, benchConcurrency)
	var workers sync.WaitGroup
	for first := range benchConcurrency {
		workers.Go(func() {
			for n := first; ctx.Err() == nil; n += benchConcurrency {
				board := boardName(n % w.boards)
				url := "http://" + addressOf(w.addresses, board) + "/v1/boards/" + board + "/jobs?content=true&still"
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

// cpu returns the CPU time of this process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resetPeak restarts the measurement of memory, if the system can do that.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMB returns the largest resident memory since then; 0 if the system does not report it.
func peakMB(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kB float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kB); err == nil {
			return kB / 1024
		}
	}
	return 0
}
