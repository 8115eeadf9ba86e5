package outbound

import (
	"context"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

// maxWait is the longest that a host's wish to be left alone is waited for. Who is asked for more is told so.
const maxWait = 30 * time.Second

// pacer lets requests to one host and port through as often as its pace allows. The turns come from a store, which several
// processes may share; a process needs no turn of the store while another request of its own has to end first.
type pacer struct {
	process string // this client's name in the store
	shared  *turnDesk
	machine *turnDesk // for hosts on this machine, which are no other process's concern

	mu      sync.Mutex
	lines   map[lineKey]*line
	slow    map[endpoint]time.Duration // pauses that hosts wish for themselves
	sweepAt int                        // how many lines call for dropping those without users
}

// endpoint is a host in lower case and its port.
type endpoint struct{ host, port string }

func (e endpoint) String() string { return net.JoinHostPort(e.host, e.port) }

// lineKey tells lines apart. Requests of another pace stand in a line of their own.
type lineKey struct {
	at   endpoint
	most int
}

// line is where this process's requests to one host wait for those before them.
type line struct {
	host   string        // endpoint.String
	places chan struct{} // holds a token for each request that has a place
	users  int           // who has a place and who waits for one
}

// turn is the right to send one request.
type turn struct {
	line   *line
	desk   *turnDesk
	host   string
	number int64
	pace   pace.Pace
	begun  time.Time

	mu   sync.Mutex
	keep *time.Timer // tells the store that the request goes on; nil when it is over, or if nobody has to be told
}

const firstSweep = 64

// How often the store is told that a request goes on, and after what time its turn is over if the store hears nothing.
const (
	turnKeep = 2 * time.Second
	turnHeld = 6 * time.Second
	// turnOwned is that time where paces are kept in this process's memory, which hears of every end: longer than any request.
	turnOwned = time.Hour
)

// newPacer makes a pacer. store may be nil: the client then keeps the pace alone.
func newPacer(store pace.Store) *pacer {
	if store == nil {
		store = pace.NewMemory()
	}
	return &pacer{
		process: boardwatch.NewID(), shared: newTurnDesk(store), machine: newTurnDesk(pace.NewMemory()),
		lines: make(map[lineKey]*line), slow: make(map[endpoint]time.Duration), sweepAt: firstSweep,
	}
}

// endpointOf is where a checked address leads.
func endpointOf(u *url.URL) endpoint {
	e := endpoint{host: strings.ToLower(u.Hostname()), port: strings.TrimLeft(u.Port(), "0")}
	if host, err := cleanHost(e.host); err == nil { // the same host in another script is the same host
		e.host = host
	}
	if e.port == "" {
		e.port = "80"
		if u.Scheme == "https" {
			e.port = "443"
		}
	}
	return e
}

// acquire waits for a turn. Who gets it without an error has to release it.
func (p *pacer) acquire(ctx context.Context, at endpoint, rhythm pace.Pace) (*turn, *Error) {
	rhythm.AtOnce = max(1, rhythm.AtOnce)
	desk := p.shared
	if isLoopback(at.host) {
		desk, rhythm = p.machine, pace.Pace{AtOnce: 1}
	}
	l := p.join(at, &rhythm)
	if !l.enter(ctx) {
		p.leave(l)
		return nil, stopped(ctx, at.host)
	}
	t := &turn{line: l, desk: desk, host: l.host, pace: rhythm}
	if e := p.await(ctx, at, t); e != nil {
		<-l.places
		p.leave(l)
		return nil, e
	}
	t.begun = time.Now()
	if desk.memory != nil {
		return t, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep = time.AfterFunc(turnKeep, func() { p.goesOn(t) }) //nolint:contextcheck // it is told whoever waits
	return t, nil
}

// goesOn tells the store that the request is still under way, and tells it so again later.
func (p *pacer) goesOn(t *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keep == nil {
		return
	}
	end := p.ended(t, false)
	end.Kept = turnHeld
	t.desk.tell(context.Background(), end)
	t.keep.Reset(turnKeep)
}

// enter reports whether a place was had before the context ended.
func (l *line) enter(ctx context.Context) bool {
	select {
	case l.places <- struct{}{}:
		return true
	default:
	}
	boardwatch.Waiting(ctx, true)
	defer boardwatch.Waiting(ctx, false)
	select {
	case l.places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// await asks for a turn until there is one, and waits for its beginning. A turn that came so late that its store may be
// lost is not used.
func (p *pacer) await(ctx context.Context, at endpoint, t *turn) *Error {
	waiting := false
	defer func() {
		if waiting {
			boardwatch.Waiting(ctx, false)
		}
	}()
	request := pace.TurnRequest{Host: t.host, Process: p.process, Pace: t.pace, Longest: turnHeld}
	if t.desk.memory != nil {
		request.Longest = turnOwned
	}
	for {
		got := t.desk.ask(ctx, request)
		switch {
		case got.Number != 0:
			t.number = got.Number
			if sleep(ctx, time.Until(got.begin)) && time.Now().Before(got.end) {
				return nil
			}
			t.desk.finish(ctx, p.ended(t, true))
		case got.Quiet > 0 && tooLong(ctx, got.Quiet):
			return &Error{
				Kind: KindBusy, RetryAfter: got.Quiet,
				Message: at.host + " asked to be left alone for another " + got.Quiet.Round(time.Second).String(),
			}
		default:
			if !waiting {
				boardwatch.Waiting(ctx, true)
				waiting = true
			}
			sleep(ctx, max(got.Quiet, got.Again))
		}
		if ctx.Err() != nil {
			return stopped(ctx, at.host)
		}
	}
}

// release gives the turn back, with what became of the request.
func (p *pacer) release(ctx context.Context, t *turn, o outcome) {
	t.over()
	end := p.ended(t, o.unsent)
	end.Took = time.Since(t.begun)
	end.RetryAfter = o.wait
	end.Refused = o.refused()
	t.desk.finish(ctx, end)
	<-t.line.places
	p.leave(t.line)
}

// over ends the telling that the request goes on.
func (t *turn) over() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keep != nil {
		t.keep.Stop()
		t.keep = nil
	}
}

// ended is the end of a turn.
func (p *pacer) ended(t *turn, unused bool) pace.TurnEnd {
	return pace.TurnEnd{Host: t.host, Process: p.process, Number: t.number, Pace: t.pace, Unused: unused}
}

// join finds the line for a host. The pace becomes slower if the host wishes that.
func (p *pacer) join(at endpoint, pace *pace.Pace) *line {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.slow) > 0 && p.slow[at] > 0 {
		pace.Pause, pace.AtOnce = max(pace.Pause, p.slow[at]), 1
	}
	key := lineKey{at, pace.AtOnce}
	l := p.lines[key]
	if l == nil {
		if len(p.lines) >= p.sweepAt {
			p.sweep()
		}
		l = &line{host: at.String(), places: make(chan struct{}, key.most)}
		p.lines[key] = l
	}
	l.users++
	return l
}

func (p *pacer) leave(l *line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.users--
}

// sweep drops lines that nobody stands in. It looks at everything, so it is asked for only when the table has doubled.
func (p *pacer) sweep() {
	for at, l := range p.lines {
		if l.users == 0 {
			delete(p.lines, at)
		}
	}
	p.sweepAt = max(firstSweep, 2*len(p.lines))
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
