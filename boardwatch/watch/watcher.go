// Package watch reads boards when they are due. A Watcher claims due boards from the store, has a source read each of
// them, and saves what the rules of the core decide about the reading. All of its state is in the store, so any number of
// watchers can share one store, and if one dies, only the time until its leases expire is lost.
package watch

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	// lookEvery is the longest time between two looks for due boards.
	lookEvery = 250 * time.Millisecond
	// apart is the shortest time between two looks for boards that fall due one after another: one claim for several costs
	// hardly more than one for each.
	apart = 50 * time.Millisecond
	// gather is how long an idle worker waits for others, so that one claim serves them all.
	gather = 20 * time.Millisecond
	// answerEvery is how often, under load, checks on demand are looked for while none is running.
	answerEvery = 50 * time.Millisecond
	// afterError is the pause after a store that did not answer.
	afterError = time.Second
	// shareFleet is how often the sick boards are fetched, because other processes read boards too.
	shareFleet = 30 * time.Second
	// Every wholeFleet-th time, healthy boards that were read within the window are fetched as well: that reads the rows of
	// all boards, of which there may be a million. They only tell how large the share of the sick ones is.
	wholeFleet = 20
	// savedFleet is the age from which a check has certainly been saved. Its stamp may be from its beginning.
	savedFleet = 5 * time.Minute
)

// Options are the options of a Watcher. The zero value works.
type Options struct {
	Rules       boardwatch.Rules // boardwatch.DefaultRules are the documented ones
	Concurrency int              // checks at the same time; 0 means 64
	Timeout     time.Duration    // of one reading, including discovery; 0 means 2 m
	Poll        time.Duration    // time between two looks for due boards if there were none; 0, or more than 250 ms, means 250 ms
	Log         *slog.Logger     // nil: nothing is logged
	NewID       func() string    // nil means boardwatch.NewID

	// Begin is called before every check and returns the context that the check runs in; the function that it also
	// returns is called when the check has ended, interrupted or not. It may be nil.
	Begin func(ctx context.Context, b boardwatch.Board) (context.Context, func(CheckReport))
	// Observe is called after every check, from many goroutines at once. It must not block, and may be nil.
	Observe func(CheckReport)
}

func (o Options) withDefaults() Options {
	if o.Concurrency <= 0 {
		o.Concurrency = 64
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Poll <= 0 || o.Poll > lookEvery {
		o.Poll = lookEvery
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.NewID == nil {
		o.NewID = boardwatch.NewID
	}
	return o
}

// saving is how long recording a check may take. It does not end with the context of the reading.
func (o Options) saving() time.Duration { return min(o.Timeout/2+time.Second, 30*time.Second) }

// Watcher reads boards when they are due.
type Watcher struct {
	store   boardwatch.CheckStore
	source  boardwatch.Source
	o       Options
	fleet   *fleet
	held    *holdings
	crowds  *crowds
	demands *demands
	large   *large

	describing chan struct{} // a place for each worker that reads the own pages of roles
	described  describedRoles
}

// New returns a watcher that is not running yet.
func New(store boardwatch.CheckStore, source boardwatch.Source, o Options) *Watcher {
	o = o.withDefaults()
	return &Watcher{
		store: store, source: source, o: o, fleet: newFleet(o.Rules, o.Log), held: newHoldings(),
		crowds: newCrowds(o.Concurrency), demands: newDemands(o.Concurrency), large: newLarge(o.Concurrency),
		describing: make(chan struct{}, max(1, o.Concurrency/4)),
	}
}

// Run checks boards when they are due, until the context ends. Then it claims no more, aborts the readings that are
// running and releases their boards, lets finished ones be saved, and returns nil. It may be called once.
func (w *Watcher) Run(ctx context.Context) error {
	w.refreshFleet(ctx, true)
	tasks := make(chan task, w.o.Concurrency)
	free := newIdle(w.o.Concurrency)
	var workers, checks sync.WaitGroup
	for range 2 * w.o.Concurrency { // at most half of them read a board; the others save results
		workers.Go(func() {
			for t := range tasks {
				checks.Add(1)
				it, board := w.held.begin(t.claim), t.claim.Board.ID
				var long atomic.Bool
				waits := boardwatch.Waits{Long: func() { long.Store(true) }}
				if t.look != nil {
					waits.Host = t.look.told
				}
				if !t.kept.IsZero() {
					w.held.delay(t.claim, time.Since(t.kept))
				}
				looked := func() {
					w.large.leave(t, board, long.Load())
					w.crowds.leave(t.look)
					free.add()
					w.demands.leave(*t.claim)
				}
				w.work(boardwatch.WithWaits(ctx, waits), it, looked, func() {
					it.end()
					checks.Done()
				})
			}
		})
	}
	workers.Go(func() { w.keepFleet(ctx) })
	var heart sync.WaitGroup
	stop := make(chan struct{})
	heart.Go(func() { w.keepLeases(context.WithoutCancel(ctx), stop) })
	newDispatcher(w, tasks, free).run(ctx)
	close(tasks)
	workers.Wait()
	checks.Wait()
	close(stop)
	heart.Wait()
	return nil
}

// Crowded returns the hosted systems that have more due boards than their host lets this process read now. They get
// only a few places, and the rest is for other systems.
func (w *Watcher) Crowded() []string { return slices.Sorted(slices.Values(w.crowds.names())) }

// finish returns a context for work that must be completed once it was begun.
func (w *Watcher) finish(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), w.o.saving())
}

// logStore logs once that the store does not answer, and once that it answers again.
func (w *Watcher) logStore(ctx context.Context, down bool, err error) bool {
	switch {
	case err != nil && !down:
		w.o.Log.ErrorContext(ctx, "due boards cannot be claimed", slog.Any("error", err))
	case err == nil && down:
		w.o.Log.InfoContext(ctx, "due boards can be claimed again")
	}
	return err != nil
}

// keepFleet learns what other processes read. If there are none, only boards that nobody tracks anymore have to be
// forgotten, which is in no hurry: until then, they count as sick.
func (w *Watcher) keepFleet(ctx context.Context) {
	alone := w.alone()
	ticker := time.NewTicker(shareFleet)
	defer ticker.Stop()
	for turn := 1; ; turn++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if whole := turn%wholeFleet == 0; whole || !alone {
				w.refreshFleet(ctx, whole)
			}
		}
	}
}

// alone reports whether no other process reads boards of the store.
func (w *Watcher) alone() bool {
	s, ok := w.store.(boardwatch.SoleClaimer)
	return ok && s.ClaimsAlone()
}

// refreshFleet fetches the sick boards, and if whole is set all boards that any process read recently.
func (w *Watcher) refreshFleet(ctx context.Context, whole bool) {
	asked := time.Now()
	var since time.Time // only the sick ones
	if whole {
		since = asked.Add(-w.o.Rules.Window())
	}
	readings, err := w.store.FleetReadings(ctx, since)
	if err != nil {
		if ctx.Err() == nil {
			w.o.Log.WarnContext(ctx, "health of other boards cannot be fetched", slog.Any("error", err))
		}
		return
	}
	w.fleet.merge(readings, asked)
}
