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
	asidePause    = time.Second      // before the second attempt after a failed one; each further one waits twice as long
	maxAsidePause = time.Minute      // at most
	outage        = 10 * time.Second // pages wait so long for a browser that was there before, when no other is
	maxStuck      = 2                // a browser that opens so many pages in a row too slowly is taken for lost
)

// place is where a browser runs, or should. Everything in it is under the lock of Browser.
type place struct {
	name   string // as people may see it
	remote string // its address; empty here

	engine  *engine // takes new pages; nil when none runs
	joining bool    // an attempt to have one is under way
	active  int     // pages shown just now, those on an engine that takes no new ones included
	turn    int     // when it was last given a page
	shown   int     // pages, in all
	lost    int     // browsers, in all

	worked  bool      // there was one before
	faults  int       // attempts in a row that failed, and browsers that were lost before they had shown a page
	failure error     // the last of them
	failed  time.Time // the first of them since a browser was there
	until   time.Time // when the next attempt may be made
}

// places are one for each browser elsewhere, or the one for the browser here.
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
	avoid   *place     // where it was lost; it goes there only when it has to
	granted chan grant // takes one without waiting
}

// grant is a place on a running browser, or why there is none.
type grant struct {
	engine *engine
	err    error
}

// lease is a running browser with room for one more page: the one with the most free places, and among those the one whose
// turn is the longest ago. Pages are served in the order in which they came, but for one that was lost on another browser,
// which is served first and elsewhere if there is room. Browsers that do not answer are left aside.
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
	case g := <-w.granted: // in the same moment
		if g.engine != nil {
			b.giveBack(g.engine) //nolint:contextcheck // a browser that is started here outlives the page
		}
	default:
	}
	return nil, context.Cause(ctx)
}

// release gives a page's place on a browser back, and says how it went.
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

// giveBack is the end of release. The lock is held. A browser that takes no new pages ends with its last.
func (b *Browser) giveBack(e *engine) {
	e.active--
	e.at.active--
	if e.at.engine != e && !b.closed {
		b.retire(e)
	}
	b.serve()
}

// serve gives places to the pages that wait, as far as there are any, and has browsers started for the others. The lock is
// held.
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

// grant answers the page that waits the longest. The lock is held.
func (b *Browser) grant(g grant) {
	b.queue[0].granted <- g
	b.queue = b.queue[1:]
}

// ready sees to it that a browser runs at a place, or is on its way. The lock is held.
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

// join starts a browser at a place, or connects to the one that runs there.
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

// setAside leaves a place alone for a while. The lock is held.
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

// lose takes note of a browser that is gone. The next one is started at once, unless this one was of no use. The lock is
// held.
func (b *Browser) lose(e *engine) {
	at := e.at
	if at.engine != e {
		return
	}
	at.engine = nil
	at.lost++
	if e.shown == 0 || e.stuck > 0 {
		b.setAside(at, errEngineLost)
		at.failed = time.Now() // it was there until now
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

// outlook is how long a page has to wait for news of a place, zero when they come by themselves; or why it waits in vain.
// The lock is held.
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

// wakeIn has serve called again, for places that will be tried then. The lock is held.
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

// retire ends a browser that takes no new pages, when it shows none. The lock is held.
func (b *Browser) retire(e *engine) {
	if e.active == 0 || e.lost() {
		b.running.Go(e.stop)
	}
}

// watch waits for the end of a browser, and brings it about when it uses too much memory or does not answer any more.
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
