package watch

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	// leaseTime is how long a board stays leased to a process that has died.
	leaseTime = 15 * time.Second
	// renewEvery is the time between two heartbeats, and the age from which a board that is being read takes part in them. So a
	// check ends within twice this time after its board has lost its last subscriber. Most checks end before their first heartbeat.
	renewEvery = 750 * time.Millisecond
	// renewing is how long one heartbeat may take.
	renewing = 10 * time.Second
)

// holdings are the claims that a watcher works on. Their leases are short, and extended for as long as the work takes.
type holdings struct {
	mu   sync.Mutex
	held map[holdingKey]*holding
}

// holdingKey distinguishes claims: a board whose lease has expired may be claimed again while the first check still
// runs.
type holdingKey struct{ boardID, token string }

type holding struct {
	all   *holdings
	claim *boardwatch.Claim

	// The mutex of all guards these.
	from   time.Time               // when its lease began, by this process's clock
	lost   bool                    // another process has the board now
	cause  error                   // why the work was interrupted; nil if it was not
	cancel context.CancelCauseFunc // interrupts the reading; nil while there is none
}

func newHoldings() *holdings { return &holdings{held: map[holdingKey]*holding{}} }

func keyOf(c boardwatch.Claim) holdingKey { return holdingKey{c.Board.ID, c.Token} }

// add records claims that were requested at a moment.
func (h *holdings) add(claims []boardwatch.Claim, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range claims {
		h.held[keyOf(claims[i])] = &holding{all: h, claim: &claims[i], from: at}
	}
}

// begin returns the holding for the work under a claim. Call its end when the work is over.
func (h *holdings) begin(c *boardwatch.Claim) *holding {
	h.mu.Lock()
	defer h.mu.Unlock()
	it := h.held[keyOf(*c)]
	if it == nil {
		it = &holding{all: h, claim: c}
	}
	return it
}

// delay has the work under a claim begin later than the claim was made.
func (h *holdings) delay(c *boardwatch.Claim, by time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.At = c.At.Add(by)
}

// end forgets the claim.
func (it *holding) end() {
	it.all.mu.Lock()
	defer it.all.mu.Unlock()
	if key := keyOf(*it.claim); it.all.held[key] == it {
		delete(it.all.held, key)
	}
}

// errTooLong marks a reading that reached its own time limit.
var errTooLong = errors.New("reading the board took too long")

// read returns the context for the reading under the claim. It ends at the time limit, if the lease is lost for example, and
// with the call of rest.
func (it *holding) read(ctx context.Context, limit time.Duration) (within context.Context, rest func()) {
	within, cancel := context.WithCancelCause(ctx)
	within, end := context.WithTimeoutCause(within, limit, errTooLong)
	it.all.mu.Lock()
	defer it.all.mu.Unlock()
	it.cancel = cancel
	if it.lost {
		it.interrupt(boardwatch.ErrLeaseLost)
	}
	return within, func() {
		it.all.mu.Lock()
		it.cancel = nil
		it.all.mu.Unlock()
		end()
		cancel(nil)
	}
}

// interrupt is called with the mutex held. The first cause counts.
func (it *holding) interrupt(cause error) {
	if it.cancel == nil {
		return
	}
	if it.cause == nil {
		it.cause = cause
	}
	it.cancel(cause)
}

// interrupted returns why the work was interrupted, or nil.
func (it *holding) interrupted() error {
	it.all.mu.Lock()
	defer it.all.mu.Unlock()
	return it.cause
}

// stopped returns the error of work that is not to go on, because of its context or its claim, or nil.
func (it *holding) stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if it.interrupted() != nil {
		return context.Canceled
	}
	return nil
}

// breakOff interrupts the work under a claim, if it has begun.
func (h *holdings) breakOff(k holdingKey, cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if it := h.held[k]; it != nil {
		it.interrupt(cause)
	}
}

// follow records that a claim continues as another one; without a token it is spent.
func (h *holdings) follow(c, next boardwatch.Claim) {
	h.mu.Lock()
	defer h.mu.Unlock()
	it := h.held[keyOf(c)]
	if it == nil {
		return
	}
	delete(h.held, keyOf(c))
	it.claim = &next
	if next.Token != "" {
		h.held[keyOf(next)] = it
	}
}

// old returns the claims whose leases have to be renewed now and are not lost.
func (h *holdings) old(now time.Time) []boardwatch.Claim {
	h.mu.Lock()
	defer h.mu.Unlock()
	var claims []boardwatch.Claim
	for _, it := range h.held {
		age := renewEvery
		if it.cancel == nil { // nothing is being read
			age = leaseTime / 3
		}
		if !it.lost && now.Sub(it.from) >= age {
			claims = append(claims, *it.claim)
		}
	}
	return claims
}

// renewed records that the leases of claims were renewed at a moment, and interrupts the work under those that are
// lost.
func (h *holdings) renewed(claims, lost []boardwatch.Claim, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range claims {
		if it := h.held[keyOf(c)]; it != nil {
			it.from = at
		}
	}
	for _, c := range lost {
		it := h.held[keyOf(c)]
		if it == nil {
			continue // the work has ended meanwhile, and was saved or refused
		}
		it.lost = true
		it.interrupt(boardwatch.ErrLeaseLost)
	}
}

// keepLeases is the heartbeat: it extends the leases of all boards being checked, until it is stopped.
func (w *Watcher) keepLeases(ctx context.Context, stop <-chan struct{}) {
	beat := time.NewTicker(min(renewEvery, w.o.Timeout/20+1))
	defer beat.Stop()
	failing := false
	for {
		select {
		case <-stop:
			return
		case <-beat.C:
		}
		err := w.renew(ctx)
		if err != nil && !failing {
			w.o.Log.WarnContext(ctx, "leases of boards cannot be prolonged", slog.Any("error", err))
		}
		failing = err != nil
	}
}

// renew extends the older leases, all at once. While the store does not answer, the work goes on, and its result is
// saved if nobody else has claimed the board by then.
func (w *Watcher) renew(ctx context.Context) error {
	now := time.Now()
	claims := w.held.old(now)
	if len(claims) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, renewing)
	defer cancel()
	lost, err := w.store.RenewClaims(ctx, claims, leaseTime)
	if err != nil {
		return err
	}
	w.held.renewed(claims, lost, now)
	for _, c := range lost {
		w.o.Log.InfoContext(ctx, "nobody tracks a board any more, or another process has taken it over: its check is broken off",
			slog.String("board_id", c.Board.ID))
	}
	return nil
}
