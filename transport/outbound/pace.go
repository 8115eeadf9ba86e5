package outbound

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// maxWait is the longest that a host's wish to be left alone is waited for. Who is asked for more is told so.
const maxWait = 30 * time.Second

// pacer lets requests to one host and port through one at a time, with a pause between the end of one and the start of
// the next, and keeps everybody away from a host that asked for it.
type pacer struct {
	mu      sync.Mutex
	turns   map[endpoint]*turn
	cooling map[endpoint]time.Time     // when hosts that sent Retry-After may be asked again
	slow    map[endpoint]time.Duration // pauses that hosts wish for themselves
	sweepAt int                        // how many entries call for dropping the idle ones
}

// endpoint is a host in lower case and its port.
type endpoint struct{ host, port string }

// turn is whose turn it is at one endpoint.
type turn struct {
	taken chan struct{} // holds one token while somebody has the turn
	next  time.Time     // when the next may begin; owned by who has the turn, or by the table when nobody uses it
	users int           // who has it and who waits for it
}

const firstSweep = 64

func newPacer() *pacer {
	return &pacer{
		turns: make(map[endpoint]*turn), cooling: make(map[endpoint]time.Time), slow: make(map[endpoint]time.Duration),
		sweepAt: firstSweep,
	}
}

// endpointOf is where a checked address leads.
func endpointOf(u *url.URL) endpoint {
	e := endpoint{host: strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port: u.Port()}
	if e.port == "" {
		e.port = "80"
		if u.Scheme == "https" {
			e.port = "443"
		}
	}
	return e
}

// acquire waits for the turn. Who gets it without an error has to release it.
func (p *pacer) acquire(ctx context.Context, at endpoint) (*turn, *Error) {
	t := p.join(at)
	if !t.take(ctx) {
		p.leave(t)
		return nil, stopped(ctx, at.host)
	}
	if e := p.waitForStart(ctx, at, t); e != nil {
		<-t.taken
		p.leave(t)
		return nil, e
	}
	return t, nil
}

// take reports whether the turn was had before the context ended.
func (t *turn) take(ctx context.Context) bool {
	select {
	case t.taken <- struct{}{}:
		return true
	default:
	}
	boardwatch.Waiting(ctx, true)
	defer boardwatch.Waiting(ctx, false)
	select {
	case t.taken <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// waitForStart waits, as the holder of the turn, until the pause is over and the host may be asked. Only the host's own
// wish counts as waiting for it: the holder of the turn is the one who asks.
func (p *pacer) waitForStart(ctx context.Context, at endpoint, t *turn) *Error {
	wait := time.Duration(0)
	if !t.next.IsZero() {
		wait = time.Until(t.next)
	}
	if cool := p.cool(at); cool > wait {
		if tooLong(ctx, cool) {
			return &Error{
				Kind: KindBusy, RetryAfter: cool,
				Message: at.host + " asked to be left alone for another " + cool.Round(time.Second).String(),
			}
		}
		wait = cool
		boardwatch.Waiting(ctx, true)
		defer boardwatch.Waiting(ctx, false)
	}
	if !sleep(ctx, wait) {
		return stopped(ctx, at.host)
	}
	return nil
}

// release hands the turn on after the pause.
func (p *pacer) release(t *turn, pause time.Duration) {
	t.next = time.Time{}
	if pause > 0 {
		t.next = time.Now().Add(pause)
	}
	<-t.taken
	p.leave(t)
}

func (p *pacer) join(at endpoint) *turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.turns[at]
	if t == nil {
		if len(p.turns)+len(p.cooling) >= p.sweepAt {
			p.sweep()
		}
		t = &turn{taken: make(chan struct{}, 1)}
		p.turns[at] = t
	}
	t.users++
	return t
}

func (p *pacer) leave(t *turn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t.users--
}

// sweep drops what has no meaning any more. It looks at everything, so it is asked for only when the table has doubled.
func (p *pacer) sweep() {
	now := time.Now()
	for at, t := range p.turns {
		if t.users == 0 && t.next.Before(now) {
			delete(p.turns, at)
		}
	}
	for at, until := range p.cooling {
		if until.Before(now) {
			delete(p.cooling, at)
		}
	}
	p.sweepAt = max(firstSweep, 2*(len(p.turns)+len(p.cooling)))
}

// keepAway remembers that a host wants to be left alone.
func (p *pacer) keepAway(at endpoint, wait time.Duration) {
	until := time.Now().Add(wait)
	p.mu.Lock()
	defer p.mu.Unlock()
	if until.After(p.cooling[at]) {
		p.cooling[at] = until
	}
}

// maxWish is the longest pause that a host can wish for, and maxWishes how many wishes are remembered.
const (
	maxWish   = 10 * time.Second
	maxWishes = 20_000
)

// Slow has requests to the address's host and port pause for so long, at most ten seconds, where the client's own pause is
// shorter: the host has wished for it. Zero takes the wish back.
func (c *Client) Slow(u *url.URL, pause time.Duration) {
	p, at := c.core.pacer, endpointOf(u)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case pause <= 0:
		delete(p.slow, at)
	case len(p.slow) >= maxWishes:
		clear(p.slow)
		fallthrough
	default:
		p.slow[at] = min(pause, maxWish)
	}
}

// wished is the pause that a host wishes for.
func (p *pacer) wished(at endpoint) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slow[at]
}

// cool is how long the host still wants to be left alone.
func (p *pacer) cool(at endpoint) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	until, ok := p.cooling[at]
	if !ok {
		return 0
	}
	wait := time.Until(until)
	if wait <= 0 {
		delete(p.cooling, at)
	}
	return wait
}

// tooLong reports whether a wait is not worth waiting for: past what is waited for at all, or past the caller's end.
func tooLong(ctx context.Context, wait time.Duration) bool {
	end, ok := ctx.Deadline()
	return wait > maxWait || ok && time.Until(end) < wait
}

// sleep reports whether the wait ended before the context did.
func sleep(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
