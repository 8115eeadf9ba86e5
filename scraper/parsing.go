package scraper

import (
	"context"
	"errors"
	"net/http"

	"golang.org/x/sync/semaphore"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/turn"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// DefaultParseMemory is how many bytes of memory all pages that are being read may use together.
const DefaultParseMemory = 256 << 20

// leastDesk is the least that a look has for what it reads beside a page. A page that takes no more itself is a small one.
const leastDesk = 4 << 20

// smallText is how long a text may be to be measured without a turn.
const smallText = 256 << 10

// tooLargeError is the error of a page that takes more memory than it may. It is a fault of the page.
type tooLargeError struct{ error }

// Unwrap is what is too large.
func (e tooLargeError) Unwrap() error { return e.error }

// Cause is the cause of the reading that comes of it.
func (tooLargeError) Cause() cause.Cause { return cause.TooLarge }

var (
	errPageTooLarge = tooLargeError{page.ErrTooLarge}
	errNoRoom       = tooLargeError{errors.New("the data beside the page is too large to be read while other large pages are being read")}
)

// parsing is what pages share while they are read: memory, and turns at the processors. Only a few compute at a time, because
// a goroutine that computes keeps its processor for ten milliseconds, and a request that finds all processors taken so
// again and again is a slow one.
//
// Small pages wait for large ones neither at the processors nor for memory: what takes a moment must not stand in a line behind
// what takes seconds.
type parsing struct {
	size         int64
	gives        bool // way: see Options
	small, large lane
}

// lane is the part of it that small or large pages have.
type lane struct {
	size int64
	room *semaphore.Weighted
	line turn.Line
}

func newLane(size int64, line turn.Line) lane { return lane{size, semaphore.NewWeighted(size), line} }

func newParsing(size int64, givesWay bool) *parsing {
	if size <= 0 {
		size = DefaultParseMemory
	}
	// The line of large pages is shared with everything else that computes for long.
	return &parsing{size, givesWay, newLane(size/4, turn.NewLine()), newLane(size-size/4, turn.Long)}
}

// laneOf is that of work which needs so much memory.
func (p *parsing) laneOf(need int64) *lane {
	if need > leastDesk {
		return &p.large
	}
	return &p.small
}

// desk is a look's part of it. There is one page on it at a time, and data beside that. Nothing is on it while the look
// waits for the network, or a slow host would keep others from reading; where something has to stay, at least the turn is
// given back.
type desk struct {
	*parsing

	work *turn.Work // everything that is computed on what is there
	page int64      // what the page takes
	lane *lane      // where it has its room; nil: there is no page
	held int64      // the room for it and for what comes beside it
	more int64      // further room, among the large ones
	turn turn.Line  // the look may work on what is there; nil: it may not
}

type deskKey struct{}

// withDesk is the context for a look, with a desk of its own unless it has one. The look ends with done, to be called deferred:
// if the context ended while something was being computed, that is the error of the look.
func (s *Scraper) withDesk(ctx context.Context) (look context.Context, done func(*error)) {
	if ctx.Value(deskKey{}) != nil {
		return ctx, func(*error) {}
	}
	ctx, work := turn.Begin(ctx)
	d := &desk{parsing: s.parsing, work: work}
	return context.WithValue(ctx, deskKey{}, d), func(err *error) {
		defer d.clear()
		if ctx.Err() == nil {
			return
		}
		if p := recover(); p != nil {
			*err = turn.Over(ctx, p)
		}
	}
}

func deskOf(ctx context.Context) *desk {
	d, _ := ctx.Value(deskKey{}).(*desk)
	return d
}

// clear takes everything off the desk. A look without one has nothing.
func (d *desk) clear() {
	if d == nil {
		return
	}
	d.rest()
	if d.lane != nil {
		d.lane.room.Release(d.held)
		d.large.room.Release(d.more)
	}
	d.lane, d.page, d.held, d.more = nil, 0, 0, 0
}

// begin waits for a turn to work on what is on the desk and takes so much memory, unless the look has one.
func (d *desk) begin(ctx context.Context, need int64) error {
	if d.turn != nil {
		return nil
	}
	l := d.laneOf(need)
	if l == &d.large {
		boardwatch.WaitingLong(ctx)
	}
	select {
	case l.line <- struct{}{}:
		// Who computes a moment gives way to nobody: others wait for the turn.
		d.turn, d.work.GivesWay = l.line, d.gives && l == &d.large
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// rest gives the turn back, and leaves what is on the desk. A look without a desk has none.
func (d *desk) rest() {
	if d != nil && d.turn != nil {
		<-d.turn
		d.turn = nil
	}
}

// measure is how much memory a text takes, once it is read. That of a long one takes a turn too.
func (d *desk) measure(ctx context.Context, text []byte) (need int64, err error) {
	if len(text) > smallText {
		if err := d.begin(ctx, page.MaxMemory); err != nil {
			return 0, err
		}
	}
	if need, err = page.Memory(d.work, text); err != nil {
		return need, errPageTooLarge
	}
	return need, nil
}

// put measures a page and waits until there is room for it, and for as much again: a second tree, and data beside it. It
// waits for the room without a turn, which those need who are to make room.
func (d *desk) put(ctx context.Context, text []byte) error {
	if d == nil {
		return nil
	}
	d.clear()
	need, err := d.measure(ctx, text)
	d.rest()
	switch {
	case err != nil:
		return err
	case need > d.size:
		return errPageTooLarge
	}
	l := d.laneOf(need)
	want := min(need+max(need, leastDesk), l.size)
	if err := l.room.Acquire(ctx, want); err != nil {
		return context.Cause(ctx)
	}
	d.lane, d.page, d.held = l, need, want
	return d.begin(ctx, need)
}

// add makes room for data beside the page, instead of other data. It waits for a turn, but not for room, because the page is
// there already.
func (d *desk) add(ctx context.Context, text []byte) error {
	if d == nil {
		return nil
	}
	need, err := d.measure(ctx, text)
	switch {
	case err != nil:
		return err
	case d.page+need > d.size:
		return errPageTooLarge
	}
	if err := d.begin(ctx, d.page+need); err != nil {
		return err
	}
	if more := d.page + need - d.held - d.more; more > 0 {
		if !d.large.room.TryAcquire(more) {
			return errNoRoom
		}
		d.more += more
	}
	return nil
}

// open parses a page that was brought here. fault is the reading of one that is too large; err is not nil only when the
// context ended.
func (s *Scraper) open(ctx context.Context, f *fetched) (fault *boardwatch.Reading, err error) {
	if f.doc != nil {
		return nil, nil
	}
	switch err := deskOf(ctx).put(ctx, f.text); {
	case errors.Is(err, page.ErrTooLarge):
		r := boardwatch.Failed(cause.TooLarge, err.Error())
		s.step("%s: %s", f.page.URL, r.Reason)
		return &r, nil
	case err != nil:
		return nil, err
	}
	_, work := turn.Begin(ctx)
	f.doc = page.ParseAs(work, f.text, f.page.URL)
	return nil, nil
}

// shut lets the tree of a page go. It can be opened again.
func (f *fetched) shut(ctx context.Context) {
	f.doc = nil
	deskOf(ctx).clear()
}

// keepOnly lets everything of a page go but where it was, its language and its owner's domain.
func (f *fetched) keepOnly(ctx context.Context) {
	if f.doc != nil {
		f.language = f.doc.Language()
		_, f.domain = f.doc.Owner(page.Statement{})
	}
	f.page, f.text, f.shown, f.once = &outbound.Page{URL: f.page.URL}, nil, nil, nil
	f.shut(ctx)
}

// admit makes room for an answer that an adapter may parse as a page.
func admit(req *http.Request, body []byte) error {
	for _, c := range body[:min(len(body), 512)] {
		switch c {
		case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf:
			continue
		case '<':
			return deskOf(req.Context()).put(req.Context(), body)
		}
		break
	}
	return nil
}
