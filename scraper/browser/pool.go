package browser

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// Limits of a browser that does not answer.
const (
	asidePause    = time.Second      // before the first retry; it doubles with each further one
	maxAsidePause = time.Minute      // the longest pause
	outage        = 10 * time.Second // how long pages wait for a lost browser to come back when there is no other
	maxStuck      = 2                // a browser is taken for lost after opening this many pages in a row too slowly
)

// place is where a browser runs, or should run. All its fields are guarded by the lock of Browser.
type place struct {
	name   string // for people: without tokens
	remote string // its address; empty here

	engine  *engine // takes new pages; nil when none runs
	joining bool    // an attempt to have one is under way
	active  int     // pages shown at this moment, also those on an engine that takes no new pages
	turn    int     // when it was last given a page
	shown   int     // pages, in all
	lost    int     // browsers, in all

	worked  bool      // a browser ran here before
	faults  int       // failed attempts in a row, and browsers lost before they had shown a page
	failure error     // the last of them
	failed  time.Time // the first of them since a browser was there
	until   time.Time // when the next attempt may be made
}

// places has one place for each remote browser, or one for the local browser.
func places(remotes []string) []*place {
	if len(remotes) == 0 {
		return []*place{{name: "local"}}
	}
	all := make([]*place, len(remotes))
	named := make(map[string]int)
	for i, remote := range remotes {
		at := &place{name: "browser " + strconv.Itoa(i+1), remote: remote}
		if u, err := url.Parse(remote); err == nil && u.Host != "" {
			at.name = u.Host
		}
		if named[at.name]++; named[at.name] > 1 {
			at.name += " (" + strconv.Itoa(named[at.name]) + ")"
		}
		all[i] = at
	}
	return all
}

// waiter is a page that waits for a place.
type waiter struct {
	avoid   *place     // where the page was lost before; it returns there only if it must
	granted chan grant // has room for one
}

// grant is a place on a running browser, or why there is none.
type grant struct {
	engine *engine
	err    error
}

// lease is a running browser with room for one more page: the one that shows the fewest, and of several the one that was
// chosen the longest ago. Pages are served in order of arrival, except that a page whose browser was lost comes first, on
// another browser if there is room. Browsers that do not answer are set aside.
func (b *Browser) lease(ctx context.Context, lostOn *engine) (*engine, error) {
	w := &waiter{granted: make(chan grant, 1)}
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil, errClosed
	}
	if lostOn != nil {
		w.avoid = lostOn.at
		b.queue = slices.Insert(b.queue, 0, w)
	} else {
		b.queue = append(b.queue, w)
	}
	b.serve() //nolint:contextcheck // a browser that is started here outlives the page
	b.mu.Unlock()
	select {
	case g := <-w.granted:
		return g.engine, g.err
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = slices.DeleteFunc(b.queue, func(other *waiter) bool { return other == w })
	select {
	case g := <-w.granted: // granted at the same moment
		if g.engine != nil {
			b.giveBack(g.engine) //nolint:contextcheck // a browser that is started here outlives the page
		}
	default:
	}
	return nil, context.Cause(ctx)
}

// release gives a page's place back, and records how it went.
func (b *Browser) release(e *engine, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err == nil:
		e.shown++
		e.at.shown++
		e.stuck, e.at.faults, e.at.failure = 0, 0, nil
	case errors.Is(err, errPageStuck):
		if e.stuck++; e.stuck >= maxStuck {
			e.gone.Store(true)
		}
	}
	if e.lost() && !b.closed {
		b.lose(e)
	}
	b.giveBack(e)
}

// giveBack ends a release. The lock is held. A browser that takes no new pages is ended after its last one.
func (b *Browser) giveBack(e *engine) {
	e.active--
	e.at.active--
	if e.at.engine != e && !b.closed {
		b.retire(e)
	}
	b.serve()
}

// serve gives free places to waiting pages, and has browsers started for the others. The lock is held.
func (b *Browser) serve() {
	now := time.Now()
	for len(b.queue) > 0 && !b.closed {
		for _, at := range b.places {
			b.ready(at, now)
		}
		if at := b.freest(b.queue[0].avoid); at != nil {
			b.turns++
			at.turn = b.turns
			at.active++
			at.engine.active++
			at.engine.pages++
			b.grant(grant{engine: at.engine})
			continue
		}
		wait, err := b.outlook(now)
		if err == nil {
			b.wakeIn(wait)
			return
		}
		b.grant(grant{err: err})
	}
}

// grant answers the first page in the queue. The lock is held.
func (b *Browser) grant(g grant) {
	b.queue[0].granted <- g
	b.queue = b.queue[1:]
}

// ready makes sure that a browser runs at a place, or is being started. The lock is held.
func (b *Browser) ready(at *place, now time.Time) {
	if e := at.engine; e != nil && e.lost() {
		b.lose(e)
	} else if e != nil && e.worn() {
		at.engine = nil
		b.retire(e)
	}
	if at.engine != nil || at.joining || now.Before(at.until) {
		return
	}
	at.joining = true
	b.running.Go(func() { b.join(at) })
}

// join starts a browser at a place, or connects to the one there.
func (b *Browser) join(at *place) {
	e, err := b.newEngine(at)
	b.mu.Lock()
	defer b.mu.Unlock()
	at.joining = false
	switch {
	case err == nil && b.closed:
		b.running.Go(e.stop)
		return
	case err == nil:
		if at.failure != nil {
			b.o.Log.Info("a browser answers again", "browser", at.name)
		}
		at.engine, at.worked = e, true
		b.running.Go(func() { b.watch(e) })
	case !b.closed:
		b.setAside(at, err)
	}
	b.serve()
}

// setAside does not use a place for a while. The lock is held.
func (b *Browser) setAside(at *place, err error) {
	if at.failure == nil || at.failure.Error() != err.Error() {
		b.o.Log.Warn("a browser is set aside", "browser", at.name, "error", err)
	}
	now := time.Now()
	if at.faults == 0 {
		at.failed = now
	}
	at.until = now.Add(min(asidePause<<min(at.faults, 10), maxAsidePause))
	at.faults++
	at.failure = err
}

// lose records the loss of a browser. The next one is started at once, unless this one never worked. The lock is held.
func (b *Browser) lose(e *engine) {
	at := e.at
	if at.engine != e {
		return
	}
	at.engine = nil
	at.lost++
	if e.shown == 0 || e.stuck > 0 {
		b.setAside(at, errEngineLost)
		at.failed = time.Now() // it worked until now
	} else {
		b.o.Log.Warn("a browser was lost", "browser", at.name, "pages", e.shown)
	}
	b.retire(e)
}

// freest is the place with the most room for another page; nil when there is none. The lock is held.
func (b *Browser) freest(avoid *place) *place {
	var best *place
	for _, at := range b.places {
		switch {
		case at.engine == nil || at.active >= b.o.MaxPages:
		case best == nil, best == avoid, at != avoid && (at.active < best.active || at.active == best.active && at.turn < best.turn):
			best = at
		}
	}
	return best
}

// outlook is how long to wait before a place is tried again; zero means that news of a place will come by itself. The error is
// why no place will become free. The lock is held.
func (b *Browser) outlook(now time.Time) (time.Duration, error) {
	wait := time.Duration(0)
	var faults []error
	for _, at := range b.places {
		if at.engine != nil || at.joining || at.active >= b.o.MaxPages {
			return 0, nil
		}
		if at.worked && now.Sub(at.failed) < outage && !errors.Is(at.failure, ErrNotFound) {
			if left := at.until.Sub(now); wait == 0 || left < wait {
				wait = left
			}
		}
		faults = append(faults, at.failure)
	}
	if wait > 0 {
		return wait, nil
	}
	return 0, errors.Join(faults...)
}

// wakeIn calls serve again after a while, when places are due to be tried. The lock is held.
func (b *Browser) wakeIn(wait time.Duration) {
	if wait <= 0 {
		return
	}
	if b.timer != nil {
		b.timer.Stop()
	}
	b.timer = time.AfterFunc(wait, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.serve()
	})
}

// retire ends a browser that takes no new pages, once it shows none. The lock is held.
func (b *Browser) retire(e *engine) {
	if e.active == 0 || e.lost() {
		b.running.Go(e.stop)
	}
}

// watch waits for the end of a browser, and ends it when it uses too much memory or stops answering.
func (b *Browser) watch(e *engine) {
	tick := time.NewTicker(e.pulse)
	defer tick.Stop()
	for alive := true; alive; {
		select {
		case <-e.ended:
			return
		case <-e.base.Done():
			alive = false
		case <-tick.C:
			if err := e.feel(); err != nil && e.base.Err() == nil {
				b.o.Log.Warn("a browser is ended", "browser", e.at.name, "error", err)
				alive = false
			}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	e.gone.Store(true)
	if !b.closed {
		b.lose(e)
		b.retire(e)
		b.serve()
	}
}
