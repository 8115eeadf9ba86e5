package storage

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

const (
	// mostGrouped is the most unchanged checks that are saved together.
	mostGrouped = 512
	// gathering is how long a group waits for more checks when there are several already. Nobody waits for them.
	gathering = 40 * time.Millisecond
	// mostWaiting is the most checks that are handed over and not saved yet. Whoever brings more waits.
	mostWaiting = 4 * mostGrouped
)

// unchangedGroups saves unchanged checks. Checks that end while others are being saved are saved next, together. Under
// load many share a commit and the pages that it writes, and a check that comes alone is saved at once.
type unchangedGroups struct {
	save func(ctx context.Context, group []driver.Unchanged) ([]bool, error)
	room chan struct{} // holds a token for each check that is not saved yet

	mu      sync.Mutex
	busy    bool // groups are being saved
	waiting []unchangedCheck
}

// unchangedCheck is a check that waits to be saved.
type unchangedCheck struct {
	driver.Unchanged

	ctx  context.Context //nolint:containedctx // it may end while the check waits
	told func(saved bool, err error)
}

func newUnchangedGroups(save func(context.Context, []driver.Unchanged) ([]bool, error)) *unchangedGroups {
	return &unchangedGroups{save: save, room: make(chan struct{}, mostWaiting)}
}

// add calls told with the outcome, from another goroutine.
func (g *unchangedGroups) add(ctx context.Context, u driver.Unchanged, told func(saved bool, err error)) {
	g.room <- struct{}{}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, unchangedCheck{u, ctx, told})
	if !g.busy {
		g.busy = true
		go g.work() //nolint:contextcheck // it saves the checks of others too
	}
}

// work saves groups until no check is waiting.
func (g *unchangedGroups) work() {
	for group := g.next(); len(group) > 0; group = g.next() {
		list := make([]driver.Unchanged, len(group))
		for i, c := range group {
			list[i] = c.Unchanged
		}
		saved, err := g.save(context.WithoutCancel(group[0].ctx), list)
		for range group {
			<-g.room
		}
		go func() { // the next group does not wait for what comes of this one
			for i, c := range group {
				c.told(err == nil && saved[i], err)
			}
		}()
	}
}

// next takes the waiting checks, except those that nobody wants to be saved any more.
func (g *unchangedGroups) next() []unchangedCheck {
	for {
		taken, all := g.take(), 0
		for _, c := range taken {
			if err := c.ctx.Err(); err != nil {
				<-g.room
				go c.told(false, err)
				continue
			}
			taken[all] = c
			all++
		}
		if all > 0 || len(taken) == 0 {
			return taken[:all]
		}
	}
}

// take waits for more checks while there are several, but not many.
func (g *unchangedGroups) take() []unchangedCheck {
	runtime.Gosched()
	g.mu.Lock()
	n := len(g.waiting)
	g.mu.Unlock()
	if n >= 2 && n < mostGrouped/2 {
		<-time.After(gathering)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n = min(len(g.waiting), mostGrouped)
	taken := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	g.busy = n > 0
	return taken
}
