//go:build siege

package siege_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// phase is what honest accounts experienced during a period.
type phase struct {
	mu       sync.Mutex
	waits    []time.Duration // response times of REST
	sleeps   []time.Duration // how late honest clients woke up to send requests
	failures atomic.Int64
	people   atomic.Int64 // answered page views and agent calls

	gaps   []time.Duration // between two checks of a board
	memory int64           // of the service at its peak
	size   int64           // of the database at the end
	length time.Duration
	busy   time.Duration // of processors, taken by the service
}

func (p *phase) answered(took, overslept time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits, p.sleeps = append(p.waits, took), append(p.sleeps, overslept)
}

// watch runs a phase of that length, which begins with a function.
func (p *phase) watch(ctx context.Context, s *service, web *sites, length time.Duration, begin func()) {
	web.begin()
	s.peak()
	before, start := s.processed(), time.Now()
	begin()
	pause(ctx, length)
	p.gaps, p.memory = web.gaps(), s.peak()
	p.busy, p.length = s.processed()-before, time.Since(start)
}

// slow returns the 99th percentile of REST.
func (p *phase) slow() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return percentile(p.waits, 0.99)
}

// percentile sorts its argument.
func percentile(all []time.Duration, share float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(int(share*float64(len(all))), len(all)-1)]
}

func (p *phase) report(t *testing.T, name string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	figures := func(all []time.Duration) string {
		return fmt.Sprintf("median %v, p99 %v", percentile(all, 0.5).Round(time.Millisecond/10), percentile(all, 0.99).Round(time.Millisecond/10))
	}
	t.Logf("%s: REST %d answers, %s; app and agents %d answers; %d failed", name, len(p.waits), figures(p.waits), p.people.Load(), p.failures.Load())
	t.Logf("%s: honest clients woke up late themselves, %s", name, figures(p.sleeps))
	t.Logf("%s: %d checks that followed another, %.2f %% of them later than two cadences; the longest gap %v of %v", name, len(p.gaps),
		100*late(p.gaps), longest(p.gaps).Round(time.Millisecond), cadence)
	t.Logf("%s: memory at most %d MiB, database %.1f MiB, %.2f processors", name, p.memory>>20, float64(p.size)/(1<<20),
		p.busy.Seconds()/p.length.Seconds())
}

// late returns the share of gaps that are longer than two cadences.
func late(gaps []time.Duration) float64 {
	n := 0
	for _, g := range gaps {
		if g > 2*cadence {
			n++
		}
	}
	return float64(n) / float64(max(1, len(gaps)))
}

func longest(gaps []time.Duration) time.Duration {
	if len(gaps) == 0 {
		return 0
	}
	return slices.Max(gaps)
}

func everyone(people []*person, do func(p *person)) {
	for _, p := range people {
		do(p)
	}
}

// pause waits, unless the run ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func number(n int) string { return strconv.Itoa(n) }
