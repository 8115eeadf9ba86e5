//go:build chaos

// Package chaos tests the built program's promises while everything around it fails: single sites and whole vendors
// fail, receivers flap, processes and browsers are killed, a database crashes, a disk fills up, clocks jump. A ledger,
// independent of the service, records what the sites really showed. At the end it is compared with what the service has
// saved, delivered and shown to its readers.
//
// It runs with "make chaos" and reaches nothing but the loopback address.
package chaos_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	boardsFlag  = flag.Int("boards", 2000, "how many boards there are")
	minutesFlag = flag.Float64("minutes", 4, "how many minutes each database takes")
	binaryFlag  = flag.String("binary", "", "the program, if it is already built")
	seedFlag    = flag.Uint64("seed", 0, "number that determines the plan; 0 chooses one")
	keepFlag    = flag.String("keep", "", "folder for the SQLite database of a failed run, and for the logs of processes that did not end")
)

// options are the settings of one run.
type options struct {
	binary  string
	boards  int
	length  time.Duration
	seed    uint64
	browser bool
	jumps   []jump            // of the machine's clock
	astray  map[string][]jump // of the clocks of single processes, by slot
	untimed bool              // the clock is wrong, so times are not judged
}

func newOptions(t *testing.T) options {
	t.Helper()
	o := options{binary: *binaryFlag, boards: max(60, *boardsFlag), length: time.Duration(*minutesFlag * float64(time.Minute)), seed: *seedFlag}
	if o.binary == "" {
		o.binary = build(t)
	}
	if o.seed == 0 {
		o.seed = rand.Uint64() >> 32
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if _, err := exec.LookPath(name); err == nil {
			o.browser = true
		}
	}
	if !o.browser {
		t.Log("NOT TESTED: pages that need a browser, because no browser is installed")
	}
	t.Logf("seed %d: CHAOS_SEED=%[1]d CHAOS_BOARDS=%d repeats this plan", o.seed, o.boards)
	return o
}

// One process on a file, on a disk that fills up.
func TestSQLite(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	o := newOptions(t)
	chaos(t, o, newSQLite(t))
}

// Three processes on one server that crashes. The clocks of two of them jump, but only the server's clock counts. They
// stay within the five minutes that a signature may be old.
func TestPostgreSQL(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	o := newOptions(t)
	o.binary = buildJumping(t)
	first, second := time.Now().Add(o.length/4), time.Now().Add(o.length/2)
	o.astray = map[string][]jump{
		"both":   {{first, 200 * time.Second}, {second, 0}},
		"worker": {{first, -200 * time.Second}, {second, 100 * time.Second}},
	}
	chaos(t, o, newPostgres(t))
}

// chaos runs the storm and judges the result.
func chaos(t *testing.T, o options, db database) {
	t.Helper()
	w := newWorld(t, o, db)
	w.began = time.Now()
	life, end := context.WithCancel(t.Context())
	var working sync.WaitGroup
	t.Cleanup(func() {
		end()
		working.Wait()
		w.sweep()
	})
	for i, s := range w.slots {
		require.NoError(t, s.start(w.program, w.base()))
		require.NoError(t, s.ready(life, time.Minute))
		rng := rand.New(rand.NewPCG(o.seed, uint64(50+i)))
		working.Go(func() { w.supervise(life, s, rng) })
	}
	reading, stopReading := context.WithCancel(life)
	var readers sync.WaitGroup
	for _, r := range w.readers {
		readers.Go(func() { r.poller.run(reading) })
		if r.agent != nil {
			readers.Go(func() { r.agent.run(reading) })
		}
	}
	t.Cleanup(func() {
		stopReading()
		readers.Wait()
	})

	w.firstSight(life)
	w.rage(life, max(30*time.Second, o.length-75*time.Second))
	w.settle(life)
	stopReading()
	readers.Wait()
	end()
	working.Wait()
	for _, s := range w.slots {
		if err := s.end(syscall.SIGTERM); err != nil {
			w.problem("%v", err)
		}
	}
	w.alone(t.Context())
	w.judge()
}

// alone waits until no process of the service is left.
func (w *world) alone(ctx context.Context) {
	for range 25 {
		if len(w.strays()) == 0 {
			return
		}
		pause(ctx, 200*time.Millisecond)
	}
	w.problem("%d processes were left behind", len(w.strays()))
}

// firstSight waits until nearly every board was read once: the storm does not wait for the last ones.
func (w *world) firstSight(ctx context.Context) {
	deadline := time.After(w.o.length / 4)
	for {
		seen := 0
		for _, s := range w.sites {
			s.mu.Lock()
			if len(s.answers) > 0 {
				seen++
			}
			s.mu.Unlock()
		}
		if seen >= len(w.sites)*19/20 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-deadline:
			w.t.Logf("only %d of %d boards were read at first", seen, len(w.sites))
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// settle lets everything calm down: no faults, no changes, no kills. Then the saved roles have to match the sites, and
// every delivery has to be sent.
func (w *world) settle(ctx context.Context) {
	for _, s := range append(append([]*site{}, w.sites...), w.late...) {
		s.freeze()
	}
	for _, h := range w.hooks {
		h.calm()
	}
	from := time.Now()
	deadline := from.Add(3*suspectHold + time.Minute)
	for time.Now().Before(deadline) && ctx.Err() == nil {
		if w.settled(w.compare(ctx)) && w.delivered() {
			break
		}
		pause(ctx, 3*time.Second)
	}
	w.t.Logf("quiet %s after the storm", time.Since(from).Round(time.Second))
	for _, r := range w.readers { // every reader polls twice more
		polls := r.poller.times()
		for r.poller.times() < polls+3 && time.Now().Before(deadline.Add(time.Minute)) && ctx.Err() == nil && r.poller.failed() == nil {
			pause(ctx, 300*time.Millisecond)
		}
	}
	pause(ctx, 6*time.Second) // and so do the agents
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// sweep ends everything that is left.
func (w *world) sweep() {
	for _, s := range w.slots {
		if life := s.now.Load(); life != nil {
			_ = s.end(syscall.SIGKILL)
		}
	}
	for _, pid := range w.strays() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
