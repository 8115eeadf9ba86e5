//go:build chaos

// Package chaos holds the built program to its promises while everything around it goes wrong: sites that fail one by one
// and vendors that fail as a fleet, receivers that flap, processes and browsers that are killed, a database that crashes,
// a disk that fills up, clocks that jump. Independent of the service, a ledger notes what the sites really showed; at the
// end it is compared with what the service has saved, delivered and shown to everybody who asked meanwhile.
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
	binaryFlag  = flag.String("binary", "", "the program, when it is built already")
	seedFlag    = flag.Uint64("seed", 0, "number that the plan is made from; 0 takes any")
	keepFlag    = flag.String("keep", "", "folder that gets the SQLite database of a run that failed")
)

// options are what one run is made from.
type options struct {
	binary  string
	boards  int
	length  time.Duration
	seed    uint64
	browser bool
	jumps   []jump            // of the machine's clock
	astray  map[string][]jump // of the clocks of single processes, by slot
	untimed bool              // the clock is wrong: nothing can be said of when something happened
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
		t.Log("NOT TESTED: pages that need a browser, because there is none")
	}
	t.Logf("seed %d: CHAOS_SEED=%[1]d CHAOS_BOARDS=%d repeats this plan", o.seed, o.boards)
	return o
}

// One process on a file, on a disk that fills up.
func TestSQLite(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	o := newOptions(t)
	chaos(t, o, newSQLite(t))
}

// Three processes on one server that crashes. Two of them come to believe in another time than the others: the server's
// clock is the one that counts. They stay within the five minutes that a signature may be old.
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

// chaos runs the storm and judges what is left after it.
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

// alone waits until nothing of the service runs any more.
func (w *world) alone(ctx context.Context) {
	for range 25 {
		if len(w.strays()) == 0 {
			return
		}
		pause(ctx, 200*time.Millisecond)
	}
	w.problem("%d processes were left behind", len(w.strays()))
}

// firstSight waits until every board was read once, or nearly: the storm does not wait for the last.
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

// settle lets everything become quiet: no fault, no change, no kill. Then what the sites show has to be what is saved, and
// what was owed has to be delivered.
func (w *world) settle(ctx context.Context) {
	for _, s := range append(append([]*site{}, w.sites...), w.late...) {
		s.freeze()
	}
	for _, h := range w.hooks {
		h.calm()
	}
	from := time.Now()
	deadline := from.Add(3 * time.Minute)
	for time.Now().Before(deadline) && ctx.Err() == nil {
		if len(w.compare(ctx).differences) == 0 && w.delivered() {
			break
		}
		pause(ctx, 3*time.Second)
	}
	w.t.Logf("quiet %s after the storm", time.Since(from).Round(time.Second))
	for _, r := range w.readers { // everybody asks twice more
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

// sweep ends whatever is left.
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
