package watch

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// idle counts the idle workers.
type idle struct {
	count  atomic.Int64
	enough int64         // how many idle workers are worth a claim
	some   chan struct{} // signals that the first is idle, and that there are enough
}

func newIdle(workers int) *idle {
	free := &idle{enough: max(1, int64(workers)*3/4), some: make(chan struct{}, 1)}
	free.count.Store(int64(workers))
	return free
}

func (i *idle) add() {
	if n := i.count.Add(1); n == 1 || n == i.enough {
		signal(i.some)
	}
}

// signal says on a channel with room for one signal that something has happened since the last one was heard.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// task is a claimed board on its way to a worker.
type task struct {
	claim *boardwatch.Claim
	look  *look     // nil if its system cannot be crowded
	kept  time.Time // since when it was kept, because its page is large
}

// dispatcher gives due boards to idle workers. Under load it waits a moment for most of them to be idle, because a
// claim for many boards costs hardly more than a claim for one.
type dispatcher struct {
	*Watcher

	tasks chan<- task
	free  *idle
	timer *time.Timer
	asked time.Time // when checks on demand were last looked for
	more  bool      // more boards may be due than were claimed last
	down  bool      // the store does not answer
}

func newDispatcher(w *Watcher, tasks chan<- task, free *idle) *dispatcher {
	return &dispatcher{Watcher: w, tasks: tasks, free: free, more: true}
}

func (d *dispatcher) run(ctx context.Context) {
	d.timer = time.NewTimer(0)
	defer d.timer.Stop()
	defer func() {
		for _, t := range d.large.drain() { // a worker gives it back
			d.tasks <- t
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.timer.C:
			d.round(ctx)
		case <-d.free.some:
			switch {
			case !d.more:
			case d.free.count.Load() < d.free.enough:
				d.timer.Reset(gather)
			default:
				d.round(ctx)
			}
		case <-d.crowds.freed:
			if !d.down {
				d.refill(ctx)
			}
		case <-d.large.freed:
			d.resume()
		case <-d.demands.freed:
			if !d.down {
				d.answer(ctx)
			}
		}
	}
}

// round claims boards for all idle workers, and returns when the next round is.
func (d *dispatcher) round(ctx context.Context) {
	d.crowds.review(time.Now(), func(surplus holdingKey) { d.held.breakOff(surplus, errCrowded) })
	d.resume()
	if time.Since(d.asked) >= min(answerEvery, d.o.Poll) && !d.answer(ctx) {
		return
	}
	if !d.refill(ctx) {
		return
	}
	n := int(d.free.count.Load())
	if n == 0 {
		d.more = true
		d.timer.Reset(d.o.Poll)
		return
	}
	got, ok := d.hand(ctx, n, boardwatch.ClaimFilter{Kind: boardwatch.ClaimScheduled, Except: d.crowds.names()})
	if !ok {
		return
	}
	d.more = got == n
	if d.more && d.free.count.Load() > 0 {
		d.timer.Reset(gather)
		return
	}
	d.timer.Reset(d.pause(ctx))
}

// answer claims boards for checks on demand, even if their systems are crowded, because there is only one per host at a
// time.
func (d *dispatcher) answer(ctx context.Context) (ok bool) {
	d.asked = time.Now()
	room, underWay := d.demands.room()
	n := min(room, int(d.free.count.Load()))
	if n <= 0 {
		return true
	}
	_, ok = d.hand(ctx, n, boardwatch.ClaimFilter{Kind: boardwatch.ClaimDemanded, UnderWay: underWay})
	return ok
}

// refill claims boards of crowded systems that have room. A system that does not fill its room is no longer crowded.
func (d *dispatcher) refill(ctx context.Context) (ok bool) {
	for _, system := range d.crowds.names() {
		n := min(d.crowds.room(system), int(d.free.count.Load()))
		if n <= 0 {
			continue
		}
		got, ok := d.hand(ctx, n, boardwatch.ClaimFilter{Kind: boardwatch.ClaimScheduled, Only: []string{system}})
		if !ok {
			return false
		}
		if got < n {
			d.crowds.scatter(system)
		}
	}
	return true
}

// hand claims boards and passes them to workers. If the store does not answer, it pauses for a while.
func (d *dispatcher) hand(ctx context.Context, n int, f boardwatch.ClaimFilter) (handed int, ok bool) {
	claims, err := d.claim(ctx, n, f)
	if d.down = d.logStore(ctx, d.down, err); d.down {
		d.more = false
		d.timer.Reset(afterError)
		return 0, false
	}
	for i := range claims {
		c := &claims[i]
		d.demands.enter(*c)
		if t := (task{claim: c, look: d.crowds.enter(*c)}); !d.large.keep(t) {
			d.free.count.Add(-1)
			d.tasks <- t
		}
	}
	d.resume()
	return len(claims), true
}

// resume passes large pages to workers while there are places for them.
func (d *dispatcher) resume() {
	for d.free.count.Load() > 0 {
		t, ok := d.large.next()
		if !ok {
			return
		}
		d.free.count.Add(-1)
		d.tasks <- t
	}
}

// claim is not interrupted when the watcher stops, because leased boards must reach a worker, which releases them.
func (w *Watcher) claim(ctx context.Context, n int, f boardwatch.ClaimFilter) ([]boardwatch.Claim, error) {
	if ctx.Err() != nil {
		return nil, nil
	}
	ctx, cancel := w.finish(ctx)
	defer cancel()
	asked := time.Now()
	claims, err := w.store.ClaimDue(ctx, n, leaseTime, f)
	w.held.add(claims, asked)
	return claims, err
}

// pause returns how long to wait before the next look for due boards. It is shorter if the store knows a board that
// falls due earlier. That only improves punctuality; the store's clock may differ, so nothing depends on it.
func (d *dispatcher) pause(ctx context.Context) time.Duration {
	if d.more || len(d.crowds.names()) > 0 { // boards of a crowded system are due all the time
		return d.o.Poll
	}
	due, err := d.store.NextDue(ctx)
	if err != nil || due.IsZero() {
		return d.o.Poll
	}
	if wait := time.Until(due); wait > 0 && wait < d.o.Poll {
		return max(wait, apart)
	}
	return d.o.Poll
}
