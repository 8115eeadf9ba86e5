//go:build unix

package deliver_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkDeliver measures how fast deliveries of 2 kB go out to a receiver that verifies every signature, each
// attempt recorded durably, compared with a bare loop that signs and posts the same body and stores nothing. Both are
// in one process with the receiver. docs/performance.md explains the figures.
func BenchmarkDeliver(b *testing.B) {
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"SQLite": storagetest.SQLite, "PostgreSQL": storagetest.Postgres,
	} {
		for _, hooks := range []int{1, 16} {
			b.Run(name+"/"+map[int]string{1: "one_webhook", 16: "sixteen_webhooks"}[hooks], func(b *testing.B) {
				benchmarkDeliver(b, database(b), hooks)
			})
		}
	}
}

func benchmarkDeliver(b *testing.B, database storagetest.Database, hooks int) {
	b.Helper()
	const warmUp = 200
	w := newWorld(b, database)
	var secret atomic.Value
	var count, want atomic.Int64
	arrived := make(chan struct{}, 1)
	rc := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		key, _ := secret.Load().([]byte)
		if boardwatch.Verify(key, body, r.Header.Get("X-Boardwatch-Signature"), boardwatch.SignatureTolerance, time.Now()) != nil {
			rw.WriteHeader(http.StatusForbidden)
			return
		}
		rw.WriteHeader(http.StatusNoContent)
		if count.Add(1) == want.Load() {
			arrived <- struct{}{}
		}
	}))
	b.Cleanup(rc.Close)
	key := account.NewWebhookSecret()
	secret.Store([]byte(key))
	var list []boardwatch.Webhook
	for range hooks {
		hook := boardwatch.Webhook{
			ID: boardwatch.NewID(), URL: rc.URL, Events: boardwatch.EventTypes(), Secret: key, CreatedAt: boardwatch.Milli(time.Now()),
		}
		hook.AccountID = w.account(hook.ID + "@northwind.example")
		require.NoError(b, w.store.CreateWebhook(b.Context(), hook, 1))
		list = append(list, hook)
	}
	attempt := func(n int) (took, busy time.Duration) {
		count.Store(0)
		want.Store(int64(n / hooks * hooks))
		w.oweAtOnce(n / hooks)
		stop := w.run(deliver.New(w.store, newSender(), deliver.Options{}))
		start, before := time.Now(), cpu(b)
		<-arrived
		stop() // when all is recorded
		took, busy = time.Since(start), cpu(b)-before
		for _, hook := range list {
			w.settled(hook)
		}
		return took, busy
	}
	attempt(warmUp * hooks)
	n := max(b.N, hooks)
	b.ResetTimer()
	took, busy := attempt(n)
	b.StopTimer()
	rate := float64(n) / took.Seconds()
	before := cpu(b)
	bare := bareLoop(b, rc.URL, []byte(key), w.body(list[0]), 4*min(hooks, 8), n)
	bareBusy := cpu(b) - before
	b.ReportMetric(rate, "deliveries/s")
	b.ReportMetric(bare, "bare/s")
	b.ReportMetric(100*rate/bare, "%ofbare")
	b.ReportMetric(float64(busy.Microseconds())/float64(n), "cpu-µs")
	b.ReportMetric(float64(bareBusy.Microseconds())/float64(n), "bare-cpu-µs")
}

// cpu returns the CPU time of this process: sender, receiver and, with SQLite, the database.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bareLoop signs and posts a body n times with that many in flight, and returns how many were sent per second.
func bareLoop(b *testing.B, url string, secret, body []byte, inFlight, n int) float64 {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: inFlight}}
	defer client.CloseIdleConnections()
	var left atomic.Int64
	left.Store(int64(n))
	start := time.Now()
	var group sync.WaitGroup
	for range inFlight {
		group.Go(func() {
			for left.Add(-1) >= 0 {
				req, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, url, bytes.NewReader(body))
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("X-Boardwatch-Signature", boardwatch.Sign(secret, body, time.Now()))
				resp, err := client.Do(req)
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
	group.Wait()
	return float64(n) / time.Since(start).Seconds()
}

func (w *world) body(hook boardwatch.Webhook) []byte {
	w.t.Helper()
	d, _, err := w.store.StoredDelivery(w.t.Context(), w.log(hook)[0].ID)
	require.NoError(w.t, err)
	return d.Body
}

// BenchmarkIsolation sends 2,000 events to a receiver that answers at once, alone and beside one that takes five seconds
// for each. The ratio is how much longer the former has to wait for its last one.
func BenchmarkIsolation(b *testing.B) {
	const events = 2000
	alone, beside := time.Hour, time.Hour // the best of all runs: other work on the machine only adds time
	for b.Loop() {
		alone = min(alone, timeOf(b, events, false))
		beside = min(beside, timeOf(b, events, true))
	}
	b.ReportMetric(alone.Seconds(), "s-alone")
	b.ReportMetric(beside.Seconds(), "s-beside")
	b.ReportMetric(beside.Seconds()/alone.Seconds(), "ratio")
}

func timeOf(b *testing.B, events int64, beside bool) time.Duration {
	b.Helper()
	w := newWorld(b, storagetest.SQLite(b))
	var count atomic.Int64
	done := make(chan struct{})
	instant := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		rw.WriteHeader(http.StatusNoContent)
		if count.Add(1) == events {
			close(done)
		}
	}))
	b.Cleanup(instant.Close)
	slow := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-time.After(5 * time.Second):
		case <-r.Context().Done():
		}
		rw.WriteHeader(http.StatusNoContent)
	}))
	b.Cleanup(slow.Close)
	w.webhook(instant.URL)
	if beside {
		w.webhook(slow.URL)
	}
	w.oweAtOnce(int(events))
	start := time.Now()
	w.run(w.dispatcher())
	<-done
	return time.Since(start)
}
