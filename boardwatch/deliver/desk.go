package deliver

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// readers is the number of goroutines that read due deliveries.
const readers = 2

// desk is one run of a dispatcher: the lanes of its leased webhooks, and their order.
type desk struct {
	d     *Dispatcher
	lanes int // at most

	mu       sync.Mutex
	change   *sync.Cond // a lane is ready, or the desk stops
	held     map[string]*lane
	lines    [2][]*lane // lanes with something to send: of fast receivers, and of slow ones
	turns    int        // which line was served last
	inFlight [2]int
	full     bool // other webhooks may be waiting for a place
	stopping bool

	since    time.Time // by the store's clock, the end of the last interruption
	at       time.Time // the store's clock when it was last read
	readAt   time.Time // the time of that, by this process's clock
	renewAt  time.Time // the next heartbeat
	unsaved  []*lane   // lanes with outcomes
	toRecord chan struct{}
	toRead   chan *lane

	downAt time.Time // since when the store does not answer; used only by keep
	unable bool      // outcomes could not be saved the last time; used only by record
}

const (
	quick = iota
	slow
)

func newDesk(d *Dispatcher) *desk {
	lanes := max(64, 4*d.o.Concurrency)
	k := &desk{
		d: d, lanes: lanes, held: map[string]*lane{}, toRecord: make(chan struct{}, 1), toRead: make(chan *lane, lanes),
	}
	k.change = sync.NewCond(&k.mu)
	return k
}

// add takes webhooks that were leased by a call which began at start. more says that others may be waiting. If one is
// already held, its lease expired only by the store's clock, which was set or went on while this machine slept. Then
// the work goes on under the new lease.
func (k *desk) add(claims []boardwatch.WebhookClaim, start time.Time, more bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.full = more
	until := start.Add(k.d.o.lease())
	for _, c := range claims {
		k.readClock(c.At)
		if l := k.held[c.Webhook.ID]; l != nil {
			l.claim, l.until = c, until
			k.list(l)
			continue
		}
		k.held[c.Webhook.ID] = newLane(c, until)
	}
	if k.renewAt.IsZero() {
		k.renewAt = start.Add(renewEvery)
	}
}

// readClock remembers the time of the store's clock.
func (k *desk) readClock(at time.Time) {
	k.at, k.readAt = at, k.d.o.Now()
	if k.since.IsZero() {
		k.since = at
	}
}

// now returns the store's time.
func (k *desk) now() time.Time {
	return boardwatch.Milli(k.at.Add(k.d.o.Now().Sub(k.readAt)))
}

// upAgain records an interruption: deliveries that fell due during it are spread out.
func (k *desk) upAgain() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.since = k.now()
}

// turn removes idle lanes, and returns how many others can be claimed.
func (k *desk) turn() (idle []boardwatch.WebhookClaim, room int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, l := range k.held {
		if l.idle(k.full) {
			idle = append(idle, l.claim)
			delete(k.held, id)
		}
	}
	return idle, k.lanes - len(k.held)
}

func (k *desk) dropAll() []boardwatch.WebhookClaim {
	k.mu.Lock()
	defer k.mu.Unlock()
	claims := k.claims()
	clear(k.held)
	return claims
}

func (k *desk) claims() []boardwatch.WebhookClaim {
	claims := make([]boardwatch.WebhookClaim, 0, len(k.held))
	for _, l := range k.held {
		claims = append(claims, l.claim)
	}
	return claims
}

// toRenew returns the claims to extend, if it is time.
func (k *desk) toRenew() ([]boardwatch.WebhookClaim, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.held) == 0 || k.d.o.Now().Before(k.renewAt) {
		return nil, false
	}
	return k.claims(), true
}

// renewed records which claims still hold after a call that began at start. Attempts in flight for the others end
// before anybody else can begin one.
func (k *desk) renewed(ctx context.Context, asked, held []boardwatch.WebhookClaim, start time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.renewAt = start.Add(renewEvery)
	fresh := make(map[string]boardwatch.WebhookClaim, len(held))
	for _, c := range held {
		k.readClock(c.At)
		fresh[c.Webhook.ID] = c
	}
	for _, a := range asked {
		l, ok := k.held[a.Webhook.ID]
		if !ok || l.claim.Token != a.Token {
			continue
		}
		c, ok := fresh[a.Webhook.ID]
		if !ok || !c.Webhook.DisabledAt.IsZero() {
			k.d.o.Log.DebugContext(ctx, "webhook is not ours any more", slog.String("webhook_id", a.Webhook.ID))
			k.drop(l)
			continue
		}
		l.until = start.Add(k.d.o.lease())
		l.hook.URL, l.hook.Secret = c.Webhook.URL, c.Webhook.Secret
		k.list(l)
	}
}

// drop forgets a lane whose lease is lost, because its outcomes can no longer be saved.
func (k *desk) drop(l *lane) {
	l.shut()
	l.outcomes = nil
	if k.held[l.hook.ID] == l {
		delete(k.held, l.hook.ID)
	}
}

// list puts a lane into its line if it can send.
func (k *desk) list(l *lane) {
	now := k.d.o.Now()
	if l.ready || k.stopping {
		return
	}
	if wait := l.notBefore.Sub(now); wait > 0 && l.open && len(l.queue) > 0 {
		time.AfterFunc(wait, func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.list(l)
		})
		return
	}
	if l.sendable(now, k.d.o.Timeout) {
		l.ready = true
		line := l.line()
		k.lines[line] = append(k.lines[line], l)
		k.change.Signal()
	}
}

func (l *lane) line() int {
	if l.slow {
		return slow
	}
	return quick
}

// next takes the first lane of a line, and the other line the next time. Slow receivers share half of the places, so that
// they do not hold up the others, however many there are.
func (k *desk) next() *lane {
	for range k.lines {
		k.turns = 1 - k.turns
		line := &k.lines[k.turns]
		for len(*line) > 0 && (k.turns == quick || k.inFlight[slow] < max(1, k.d.o.Concurrency/2)) {
			l := (*line)[0]
			(*line)[0] = nil
			*line = (*line)[1:]
			l.ready = false
			if l.sendable(k.d.o.Now(), k.d.o.Timeout) {
				return l
			}
		}
	}
	return nil
}

// task is one attempt to make.
type task struct {
	lane     *lane
	line     int
	hook     boardwatch.Webhook
	delivery boardwatch.Delivery   // what is sent
	parts    []boardwatch.Delivery // the deliveries it consists of: only itself, unless several are collected
	late     time.Duration
}

// newTask returns the attempt for deliveries taken from a lane.
func newTask(l *lane, line int, taken []boardwatch.Delivery) task {
	t := task{lane: l, line: line, hook: l.hook, delivery: taken[0], parts: taken}
	if len(taken) > 1 {
		bodies := make([][]byte, len(taken))
		for i, d := range taken {
			bodies[i] = d.Body
		}
		t.delivery.Body = bytes.Join(bodies, []byte("\n"))
	}
	return t
}

// take waits for an attempt to make. It reports false when the desk stops.
func (k *desk) take() (task, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		if k.stopping {
			return task{}, false
		}
		if l := k.next(); l != nil {
			t := newTask(l, k.turns, l.take())
			k.inFlight[t.line]++
			t.late = max(0, k.now().Sub(t.delivery.NextAttemptAt))
			if k.overdue(t.delivery) {
				l.notBefore = k.d.o.Now().Add(overduePause)
			}
			k.list(l)
			k.feed(l)
			return t, true
		}
		k.change.Wait()
	}
}

// overdue reports whether a delivery fell due during an interruption.
func (k *desk) overdue(d boardwatch.Delivery) bool {
	return d.NextAttemptAt.Before(k.since.Add(-overdueAfter))
}

// work makes attempts until the desk stops.
func (k *desk) work(ctx context.Context) {
	for {
		t, ok := k.take()
		if !ok {
			return
		}
		receipt := k.d.sender.Deliver(ctx, t.hook, t.delivery)
		if ctx.Err() != nil && !receipt.OK() {
			k.abandon(t)
			continue
		}
		k.finish(ctx, t, receipt)
	}
}

// abandon forgets an interrupted attempt, which does not count.
func (k *desk) abandon(t task) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t.lane.inFlight--
	k.inFlight[t.line]--
	for _, d := range t.parts {
		delete(t.lane.hands, d.ID)
	}
}

// finish evaluates an attempt and queues its outcome for recording.
func (k *desk) finish(ctx context.Context, t task, receipt boardwatch.Receipt) {
	for _, report := range k.judge(t, receipt) {
		k.log(ctx, report)
		k.d.o.Observe(report)
	}
}

func (k *desk) judge(t task, receipt boardwatch.Receipt) []AttemptReport {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := t.lane
	l.inFlight--
	k.inFlight[t.line]--
	l.slow = receipt.Duration > slowAnswer
	if receipt.RetryAfter > 0 {
		l.rest(boardwatch.Milli(k.now().Add(receipt.RetryAfter)))
	}
	reports := make([]AttemptReport, len(t.parts))
	for i, d := range t.parts {
		reports[i] = AttemptReport{Receipt: receipt, Late: t.late}
		reports[i].Delivery, reports[i].SwitchedOff = k.settle(l, d, receipt)
	}
	k.list(l)
	if k.inFlight[slow] > 0 {
		k.change.Signal() // a place for slow receivers may be free
	}
	return reports
}

// settle records the effect of an attempt on a delivery and its webhook. Collected messages stay together for the
// retry.
func (k *desk) settle(l *lane, d boardwatch.Delivery, receipt boardwatch.Receipt) (after boardwatch.Delivery, off bool) {
	now := k.now()
	after = d.After(receipt, k.d.o.Rules, now)
	if after.State == boardwatch.DeliveryPending && !l.hook.Channel.Gathers() {
		after.NextAttemptAt = boardwatch.Milli(after.NextAttemptAt.Add(k.d.o.Jitter(after.NextAttemptAt.Sub(now))))
	}
	after.Body = nil
	was := l.hook.DisabledAt
	l.hook = l.hook.After(after, k.d.o.Rules, now)
	if off = was.IsZero() && !l.hook.DisabledAt.IsZero(); off {
		l.shut()
	}
	if k.held[l.hook.ID] == l {
		l.settle(after)
		k.toSave(l)
	}
	return after, off
}

// stop prevents further attempts.
func (k *desk) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stopping = true
	k.change.Broadcast()
}

// feed reads more for a lane when its queue runs low.
func (k *desk) feed(l *lane) {
	if l.more && l.hungry(k.full) {
		k.request(l)
	}
}

// readAll looks for deliveries that fell due meanwhile.
func (k *desk) readAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, l := range k.held {
		if l.hungry(k.full) {
			k.request(l)
		}
	}
}

func (k *desk) request(l *lane) {
	select {
	case k.toRead <- l:
		l.reading = true
	default: // the next look comes back to it
	}
}

// read reads due deliveries for lanes until the context ends.
func (k *desk) read(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case l := <-k.toRead:
			k.readPage(ctx, l)
		}
	}
}

func (k *desk) readPage(ctx context.Context, l *lane) {
	k.mu.Lock()
	hands := make(map[string]bool, len(l.hands))
	for id := range l.hands {
		hands[id] = true
	}
	id, now := l.hook.ID, k.now()
	k.mu.Unlock()
	call, cancel := context.WithTimeout(ctx, storing)
	defer cancel()
	due, more, err := k.d.store.DueDeliveries(call, id, now, hands, pageRows, pageBytes)

	k.mu.Lock()
	defer k.mu.Unlock()
	l.reading = false
	if err != nil {
		if ctx.Err() == nil {
			k.d.o.Log.WarnContext(ctx, "due deliveries cannot be read", slog.String("webhook_id", l.hook.ID), slog.Any("error", err))
		}
		return // the next look comes back to it
	}
	l.pages++
	l.more, l.empty = more, len(due) == 0
	if !l.open {
		return
	}
	if len(due) > 0 && l.pages == 1 && k.overdue(due[0]) {
		l.notBefore = k.d.o.Now().Add(rand.N(time.Second)) //nolint:gosec // spreads load, guards nothing
	}
	for _, d := range due {
		l.hands[d.ID] = true
	}
	l.queue = append(l.queue, due...)
	if k.full && l.idle(true) {
		k.d.Wake()
	}
	k.list(l)
	k.feed(l)
}

// log writes one line for an attempt.
func (k *desk) log(ctx context.Context, r AttemptReport) {
	level := slog.LevelDebug
	switch r.Delivery.State {
	case boardwatch.DeliveryPending:
		level = slog.LevelInfo
	case boardwatch.DeliveryDead:
		level = slog.LevelWarn
	case boardwatch.DeliveryDelivered:
	}
	if !k.d.o.Log.Enabled(ctx, level) {
		return
	}
	k.d.o.Log.LogAttrs(ctx, level, "delivery attempted", slog.String("state", string(r.Delivery.State)),
		slog.String("delivery_id", r.Delivery.ID), slog.String("webhook_id", r.Delivery.WebhookID),
		slog.String("event", string(r.Delivery.Type)), slog.Int("attempt", r.Delivery.Attempts),
		slog.Int("code", r.Receipt.Code), slog.String("error", r.Receipt.Error),
		slog.Duration("duration", r.Receipt.Duration), slog.Bool("switched_off", r.SwitchedOff))
}
