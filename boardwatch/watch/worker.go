package watch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// worker runs checks one after the other. Nearly all readings find nothing new and are never interrupted, and a context with
// a timer for each would cost as much as a claim. So readings share what interrupts them, until one of them is interrupted
// or finds something, and one timer looks for readings that take too long.
type worker struct {
	stop  context.Context //nolint:containedctx // ends when the watcher stops
	ended context.Context //nolint:containedctx // ends when a reading is interrupted
	end   context.CancelCauseFunc
	loose func() bool // unties ended from stop
}

func newWorker(stop context.Context) *worker { return &worker{stop: stop} }

// begin returns what ends the next reading.
func (w *worker) begin() (context.Context, context.CancelCauseFunc) {
	if w.ended == nil || w.ended.Err() != nil {
		w.close()
		ended, end := context.WithCancelCause(context.Background()) // without values, see reading.Value
		w.ended, w.end = ended, end
		w.loose = context.AfterFunc(w.stop, func() { end(w.stop.Err()) })
	}
	return w.ended, w.end
}

// close ends whatever the last readings have left behind.
func (w *worker) close() {
	if w.ended != nil {
		w.loose()
		w.end(nil)
		w.ended = nil
	}
}

// reading is the context of a reading. It has the values of the check, and ends with another context.
type reading struct {
	context.Context //nolint:containedctx // for its values

	ended context.Context //nolint:containedctx // has no values
	until time.Time
}

// Deadline is when the reading is interrupted, give or take a second.
func (r *reading) Deadline() (time.Time, bool) { return r.until, true }

// Done is that of the context which ends the reading.
func (r *reading) Done() <-chan struct{} { return r.ended.Done() }

// Err is that of the context which ends the reading.
func (r *reading) Err() error { return r.ended.Err() }

// Value finds the context that ends the reading, too, so that package context need not start a goroutine to wait for it.
func (r *reading) Value(key any) any {
	if v := r.ended.Value(key); v != nil {
		return v
	}
	return r.Context.Value(key)
}

// lazy is a context with a deadline, which starts its timer when somebody waits for it. Hardly anybody does.
type lazy struct {
	context.Context //nolint:containedctx // for its values; it never ends by itself

	until time.Time

	mu    sync.Mutex
	timed context.Context //nolint:containedctx // nil until somebody waits
	end   context.CancelFunc
}

// withLimit returns a context with the values of another that ends at a limit instead.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	l := &lazy{Context: context.WithoutCancel(ctx), until: time.Now().Add(limit)}
	return l, l.cancel
}

// Deadline is when it ends.
func (l *lazy) Deadline() (time.Time, bool) { return l.until, true }

// Done is closed at the deadline, or when nobody needs the context any more.
func (l *lazy) Done() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timed == nil {
		l.timed, l.end = context.WithDeadline(l.Context, l.until)
	}
	return l.timed.Done()
}

// Value finds the timed context once there is one, for the same reason as that of reading.
func (l *lazy) Value(key any) any {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timed != nil {
		return l.timed.Value(key)
	}
	return l.Context.Value(key)
}

// Err says whether it has ended.
func (l *lazy) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.timed != nil:
		return l.timed.Err()
	case time.Now().After(l.until):
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// cancel stops the timer, if there is one.
func (l *lazy) cancel() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		l.end()
	}
}

// errTooLong marks a reading that reached its own time limit.
var errTooLong = errors.New("reading the board took too long")
