package deliver

import (
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	// pageRows and pageBytes are how much is read at a time for one webhook, and lowRows is when to read more.
	pageRows  = 128
	pageBytes = 256 << 10
	lowRows   = 128
	// slowAnswer is the response time from which a receiver counts as slow.
	slowAnswer = time.Second
	// overdueAfter distinguishes work that waited for this process to start from work that waited for its turn.
	overdueAfter = 15 * time.Second
	// overduePause is the time between two attempts at overdue deliveries to one webhook.
	overduePause = 20 * time.Millisecond
)

// lane is a leased webhook with its loaded deliveries. The desk's lock guards it.
type lane struct {
	claim boardwatch.WebhookClaim
	hook  boardwatch.Webhook // with its health after the attempts so far
	until time.Time          // when the lease ends, by this process's clock
	open  bool               // whether further attempts may begin: the lease is not lost and the webhook is on

	queue    []boardwatch.Delivery // read and not sent yet
	hands    map[string]bool       // everything queued, in flight or not recorded yet
	inFlight int
	outcomes []boardwatch.Delivery // not recorded yet

	slow      bool      // its last answer took long
	ready     bool      // whether it is in a line
	notBefore time.Time // no attempt earlier, while overdue work is spread out
	quiet     time.Time // by the store's clock, until when the receiver asked to be left alone; zero: it did not

	reading bool
	more    bool // more deliveries are due than the queue holds
	pages   int  // read so far
	empty   bool // the last reading found nothing
}

func newLane(c boardwatch.WebhookClaim, until time.Time) *lane {
	return &lane{
		claim: c, hook: c.Webhook, until: until, open: true, hands: map[string]bool{}, more: true,
		slow: !c.Webhook.FailingSince.IsZero(), // until its speed is known
	}
}

// idle reports whether nothing is left to do for the webhook. While others wait for a place, it gets only one page per
// turn.
func (l *lane) idle(others bool) bool {
	return len(l.hands) == 0 && !l.reading && (l.empty || !l.open || others && l.pages > 0)
}

// hungry reports whether to read more.
func (l *lane) hungry(others bool) bool {
	return l.open && l.quiet.IsZero() && !l.reading && len(l.queue) < lowRows && (!others || l.pages == 0)
}

// sendable reports whether an attempt that may take that long can begin.
func (l *lane) sendable(now time.Time, timeout time.Duration) bool {
	return l.open && len(l.queue) > 0 && l.free() && !l.until.Before(now.Add(timeout)) && !l.notBefore.After(now)
}

// free reports whether another attempt may begin. For a channel, the previous one has to be recorded first, so that
// only the last message can come twice if the process dies.
func (l *lane) free() bool {
	if l.hook.Channel != "" {
		return len(l.hands) == len(l.queue)
	}
	return l.inFlight < boardwatch.MaxInFlight
}

// take returns the next delivery to send, or all of them if they are collected.
func (l *lane) take() []boardwatch.Delivery {
	n := 1
	if l.hook.Channel.Gathers() {
		n = len(l.queue)
	}
	taken := slices.Clone(l.queue[:n])
	clear(l.queue[:n]) // frees the bodies
	l.queue = l.queue[n:]
	l.inFlight++
	return taken
}

// rest leaves the receiver alone until then: due deliveries are postponed when the outcome is saved, and the webhook is
// released.
func (l *lane) rest(until time.Time) {
	l.quiet = until
	l.shut()
}

// shut ends the lane: its queue is left to the next process that claims the webhook.
func (l *lane) shut() {
	l.open = false
	for _, d := range l.queue {
		delete(l.hands, d.ID)
	}
	l.queue = nil
}

// settle records one attempt's outcome. If the webhook is now off, its queue is dropped.
func (l *lane) settle(d boardwatch.Delivery) {
	if d.State == boardwatch.DeliveryPending && !l.hook.DisabledAt.IsZero() {
		d.State, d.NextAttemptAt = boardwatch.DeliveryDead, time.Time{}
	}
	d.Body = nil
	l.outcomes = append(l.outcomes, d)
}
