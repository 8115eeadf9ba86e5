// Package deliver sends pending deliveries to webhooks. A Dispatcher leases webhooks that have something due, sends their
// deliveries, only a few at a time to each webhook, and records every outcome. All of its state is in the store, so any
// number of dispatchers can share one store, and if one dies, only the time until its leases expire is lost.
package deliver

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	// lookEvery is the longest time between two looks for due deliveries.
	lookEvery = 250 * time.Millisecond
	// lookPause is the shortest.
	lookPause = 10 * time.Millisecond
	// leaseTime is how long a webhook stays leased to a process that has died. A lease also outlasts every attempt that
	// begins under it, by leaseSpare at its beginning.
	leaseTime  = 15 * time.Second
	leaseSpare = 5 * time.Second
	// renewEvery is the time between two heartbeats.
	renewEvery = 2 * time.Second
	// afterError is the pause after a store that did not answer.
	afterError = time.Second
	// grace is how long attempts may still take when the dispatcher is told to stop.
	grace = 5 * time.Second
	// storing is how long a call to the store may take that must not be interrupted.
	storing = 10 * time.Second
)

// Options are the options of a Dispatcher. The zero value works.
type Options struct {
	Rules       boardwatch.Rules // the schedule, and when a webhook is switched off
	Concurrency int              // attempts in flight at the same time; 0 means 32
	Timeout     time.Duration    // the sender's time limit for one attempt; 0 means 10 s
	Log         *slog.Logger     // nil: nothing is logged
	Now         func() time.Time // nil means time.Now
	NewID       func() string    // nil means boardwatch.NewID

	// Jitter is added to a pause of the schedule, so that deliveries that failed together are not retried together. Nil
	// means up to a twentieth of the pause, at most half a minute.
	Jitter func(wait time.Duration) time.Duration
	// Rates limit pings and replays (boardwatch.TestRate), which is required for HTTP interfaces. Nil means no limit,
	// for an operator.
	Rates boardwatch.RateStore
	// Observe is called after every attempt at a real delivery, from many goroutines at once. It must not block, and
	// may be nil.
	Observe func(AttemptReport)
}

// AttemptReport is the result of one attempt. It may be reported before it is saved.
type AttemptReport struct {
	Delivery    boardwatch.Delivery // as it stands afterwards
	Receipt     boardwatch.Receipt
	Late        time.Duration // how late the attempt began
	SwitchedOff bool          // whether it switched the webhook off
}

func (o Options) withDefaults() Options {
	if o.Concurrency <= 0 {
		o.Concurrency = 32
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = boardwatch.NewID
	}
	if o.Jitter == nil {
		o.Jitter = jitter
	}
	if o.Observe == nil {
		o.Observe = func(AttemptReport) {}
	}
	return o
}

// lease returns how long webhooks are leased.
func (o Options) lease() time.Duration { return max(leaseTime, o.Timeout+leaseSpare) }

// Store is what sending deliveries needs from a store.
type Store interface {
	// Webhooks lists an account's webhooks with their secrets, oldest first, without its channels.
	Webhooks(ctx context.Context, accountID string) ([]boardwatch.Webhook, error)
	// ClaimWebhooks leases up to n webhooks that have something due and that nobody sends to, those claimed longest ago
	// first. Secrets are filled in. Deliveries pending for a webhook that is switched off are marked dead instead.
	ClaimWebhooks(ctx context.Context, n int, lease time.Duration) ([]boardwatch.WebhookClaim, error)
	// RenewWebhooks extends leases, and returns the claims that still hold.
	RenewWebhooks(ctx context.Context, claims []boardwatch.WebhookClaim, lease time.Duration) ([]boardwatch.WebhookClaim, error)
	// ReleaseWebhooks gives claims back, so that others can take them at once.
	ReleaseWebhooks(ctx context.Context, claims []boardwatch.WebhookClaim) error
	// DueDeliveries returns up to n deliveries of a webhook that are due now, with their bodies, the longest due first,
	// leaving out those in skip. It returns at least one, and no more than fit into size bytes. more reports whether
	// others are due.
	DueDeliveries(ctx context.Context, webhookID string, now time.Time, skip map[string]bool, n, size int) (
		due []boardwatch.Delivery, more bool, err error)
	// SaveResend adds an attempt that somebody asked for to the log of a delivery, unless the log is full.
	SaveResend(ctx context.Context, deliveryID string, a boardwatch.Attempt) error
	// SaveTest replaces the result of the last test of a webhook.
	SaveTest(ctx context.Context, webhookID string, a boardwatch.Attempt) error
	// SaveAttempts records outcomes, all of them or none. When they switch a webhook off, everything that still waits
	// for it is marked dead with the reason. Outcomes under claims that no longer hold are not saved; those claims are
	// returned. An outcome counts even if its delivery was marked dead during the attempt.
	SaveAttempts(ctx context.Context, outcomes []boardwatch.Attempts) (lost []boardwatch.WebhookClaim, err error)
	// FindDeliveries returns the ids of the stored deliveries to webhooks that a filter selects, oldest first. Messages
	// to channels are not included.
	FindDeliveries(ctx context.Context, f boardwatch.DeliveryFilter) ([]string, error)
	// StoredDelivery returns a delivery with its body, and its webhook with the secret; otherwise a not_found error.
	StoredDelivery(ctx context.Context, id string) (boardwatch.Delivery, boardwatch.Webhook, error)
}

// Dispatcher sends deliveries. Ping and Replay work whether or not it is running.
type Dispatcher struct {
	store  Store
	sender boardwatch.Deliverer
	o      Options
	wake   chan struct{}
	asked  asked
}

// New returns a dispatcher that is not running yet.
func New(store Store, sender boardwatch.Deliverer, o Options) *Dispatcher {
	return &Dispatcher{
		store: store, sender: sender, o: o.withDefaults(), wake: make(chan struct{}, 1),
		asked: asked{underWay: make(map[string]int)},
	}
}

// Wake makes the dispatcher look for due deliveries at once. Otherwise it looks within a quarter of a second. It never
// blocks.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run sends deliveries when they are due, until the context ends. Then it starts no further attempt, gives running ones
// a few seconds, records their results and returns nil. An attempt that is aborted does not count, and the next
// dispatcher makes it again. Run may be called once.
func (d *Dispatcher) Run(ctx context.Context) error {
	k := newDesk(d)
	attempts, breakOff := context.WithCancel(context.WithoutCancel(ctx))
	defer breakOff()
	stopped := make(chan struct{})
	var workers, recording sync.WaitGroup
	for range d.o.Concurrency {
		workers.Go(func() { k.work(attempts) })
	}
	for range readers {
		workers.Go(func() { k.read(ctx) })
	}
	recording.Go(func() { k.record(context.WithoutCancel(ctx), stopped) })

	k.keep(ctx)
	k.stop()
	timer := time.AfterFunc(grace, breakOff)
	defer timer.Stop()
	workers.Wait()
	close(stopped)
	recording.Wait()
	k.releaseAll(context.WithoutCancel(ctx))
	return nil
}

// keep claims webhooks, extends their leases and reads their deliveries, until the context ends.
func (k *desk) keep(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-k.d.wake:
		}
		pause := lookPause // even if it is woken often
		err := k.look(ctx)
		if k.noteStore(ctx, err); err != nil {
			pause = afterError
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		timer.Reset(lookEvery - lookPause)
	}
}

// look is one round: heartbeat, release, claim, and a look for deliveries that fell due meanwhile.
func (k *desk) look(ctx context.Context) error {
	if err := k.renew(ctx); err != nil {
		return err
	}
	idle, room := k.turn()
	if err := k.release(ctx, idle); err != nil {
		return err
	}
	if err := k.claim(ctx, room); err != nil {
		return err
	}
	k.readAll()
	return nil
}

// claim leases as many webhooks as there is room for. It is not interrupted when the dispatcher stops, because leases
// must be known to be released.
func (k *desk) claim(ctx context.Context, room int) error {
	if room <= 0 || ctx.Err() != nil {
		return nil
	}
	call, cancel := context.WithTimeout(context.WithoutCancel(ctx), storing)
	defer cancel()
	start := k.d.o.Now()
	claims, err := k.d.store.ClaimWebhooks(call, room, k.d.o.lease())
	if err != nil {
		return err
	}
	k.add(claims, start, len(claims) == room)
	return nil
}

// renew is the heartbeat.
func (k *desk) renew(ctx context.Context) error {
	claims, due := k.toRenew()
	if !due {
		return nil
	}
	call, cancel := context.WithTimeout(ctx, storing)
	defer cancel()
	start := k.d.o.Now()
	held, err := k.d.store.RenewWebhooks(call, claims, k.d.o.lease())
	if err != nil {
		return err
	}
	k.renewed(ctx, claims, held, start)
	return nil
}

func (k *desk) release(ctx context.Context, claims []boardwatch.WebhookClaim) error {
	if len(claims) == 0 {
		return nil
	}
	call, cancel := context.WithTimeout(context.WithoutCancel(ctx), storing)
	defer cancel()
	return k.d.store.ReleaseWebhooks(call, claims)
}

// releaseAll releases the remaining webhooks. If that fails, the leases expire.
func (k *desk) releaseAll(ctx context.Context) {
	if err := k.release(ctx, k.dropAll()); err != nil {
		k.d.o.Log.WarnContext(ctx, "webhooks were not given back", slog.Any("error", err))
	}
}

// noteStore logs once that the store does not answer, and once that it answers again.
func (k *desk) noteStore(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	switch {
	case err != nil && k.downAt.IsZero():
		k.d.o.Log.ErrorContext(ctx, "due deliveries cannot be claimed", slog.Any("error", err))
		k.downAt = k.d.o.Now()
	case err == nil && !k.downAt.IsZero():
		k.d.o.Log.InfoContext(ctx, "due deliveries can be claimed again")
		if k.d.o.Now().Sub(k.downAt) > overdueAfter {
			k.upAgain()
		}
		k.downAt = time.Time{}
	}
}
