package watch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	// ready is how many looks a crowded system has under way at most: one asks, and the others stand ready, so that its
	// host is asked as often as it may be.
	ready = 3
	// noticed is how long a look waits for its host before that makes its system crowded. Shorter waits are over before
	// anybody else is late with them.
	noticed = 100 * time.Millisecond
	// stuck is how long no request of a crowded system goes out until its other boards are tried: theirs may be other hosts.
	stuck = 5 * time.Second
)

// errCrowded breaks a look off that has not asked its host yet, and would only wait for others.
var errCrowded = errors.New("the board's host is busy with other boards")

// crowds tell which hosted systems are crowded: more of their boards are due than their host may be asked for. These
// would always be the longest overdue and take all places, so crowded systems have a few places and the others the rest.
// A system with a host for each customer is not crowded by one that is slow. Pages do not count: they have no host in
// common.
type crowds struct {
	most  int           // looks that all crowded systems may have under way
	freed chan struct{} // told when a crowded system may have room

	mu      sync.Mutex
	waiting int      // looks that wait for their host
	crowded []string // systems, the one whose turn is next first
	systems map[string]*crowd
}

// crowd are the looks that are under way at boards of one hosted system.
type crowd struct {
	looks   []*look // in the order of their claims
	passed  int     // looks that have ended since the last review without having waited for a while
	crowded bool
	full    bool      // it has had as many looks as a crowded system may have
	moved   time.Time // when a request that had waited went out, a look ended, or the first one began
}

// look is a look at a board of a hosted system. A nil one is at a board that cannot be crowded.
type look struct {
	crowds *crowds
	crowd  *crowd
	key    holdingKey

	// The crowds' mutex guards these.
	requests int       // that wait for their host
	since    time.Time // when the look began to wait
	asked    bool      // a request has waited and gone out
	late     bool      // it has waited for a while
}

func newCrowds(concurrency int) *crowds {
	return &crowds{most: max(1, concurrency/2), freed: make(chan struct{}, 1), systems: make(map[string]*crowd)}
}

// enter notes that a claim is on its way to a worker.
func (c *crowds) enter(claim boardwatch.Claim) *look {
	system := claim.Board.System()
	if system == "" || system == boardwatch.PageSystem {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.systems[system]
	if s == nil {
		s = new(crowd)
		c.systems[system] = s
	}
	if len(s.looks) == 0 {
		s.moved = time.Now()
	}
	l := &look{crowds: c, crowd: s, key: keyOf(claim)}
	s.looks = append(s.looks, l)
	s.full = s.full || len(s.looks) >= ready
	return l
}

// begin is the context for the look, whose reader tells when it waits.
func (l *look) begin(ctx context.Context) context.Context {
	if l == nil {
		return ctx
	}
	return boardwatch.WithWaiting(ctx, l.told)
}

func (l *look) waits() bool { return l.requests > 0 }

func (l *look) told(waits bool) {
	now := time.Now()
	l.crowds.mu.Lock()
	defer l.crowds.mu.Unlock()
	if waits {
		if l.requests++; l.requests == 1 {
			l.since = now
			l.crowds.waiting++
		}
		return
	}
	l.asked = true
	l.late = l.late || now.Sub(l.since) >= noticed
	l.crowd.moved = now
	if l.requests--; l.requests == 0 {
		l.crowds.waiting--
	}
}

// leave notes that a look is over.
func (c *crowds) leave(l *look) {
	if l == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(l.crowd.looks, l)
	l.crowd.looks = slices.Delete(l.crowd.looks, i, i+1)
	l.crowd.moved = time.Now()
	if !l.late {
		l.crowd.passed++
	}
	if len(c.crowded) == 0 {
		return
	}
	select {
	case c.freed <- struct{}{}:
	default:
	}
}

// review finds systems that have become crowded, and breaks the looks off that they have too many. None of these can have its
// turn at the host in between: its board would be asked for, and asked for again by whoever claims it next.
func (c *crowds) review(now time.Time, breakOff func(holdingKey)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting < 2 && len(c.crowded) == 0 {
		return
	}
	for name, s := range c.systems {
		late := s.late(now)
		switch {
		case s.crowded:
			if len(s.looks) > 0 && now.Sub(s.moved) >= stuck {
				c.drop(name)
			}
		case late >= 2 && 2*late >= len(s.looks)+s.passed:
			s.crowded, s.full = true, len(s.looks) >= ready
			c.crowded = append(c.crowded, name)
			for _, key := range s.surplus(c.share()) {
				breakOff(key)
			}
		}
		s.passed = 0
	}
}

// names are the systems that are crowded, in the order in which they are to be claimed for.
func (c *crowds) names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.crowded)
}

// room is how many boards of a crowded system may be looked at beyond those that are, and its turn then passes. A system
// of which no look waits any more, though it has had its full number, is not crowded.
func (c *crowds) room(system string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.systems[system]
	share := c.share()
	n := min(share-len(s.looks), c.most-c.taken())
	switch {
	case n <= 0:
		return 0
	case share < ready:
		s.full = false // nobody need wait for a host that is asked for fewer boards than it could be
	case s.full && !slices.ContainsFunc(s.looks, (*look).waits):
		c.drop(system)
		return 0
	}
	i := slices.Index(c.crowded, system)
	c.crowded = append(slices.Delete(c.crowded, i, i+1), system)
	return n
}

// share is how many looks each crowded system may have under way.
func (c *crowds) share() int { return min(ready, max(1, c.most/len(c.crowded))) }

// taken counts the looks at boards of crowded systems.
func (c *crowds) taken() (n int) {
	for _, system := range c.crowded {
		n += len(c.systems[system].looks)
	}
	return n
}

// scatter notes that a system has no more boards due than are looked at.
func (c *crowds) scatter(system string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(system)
}

func (c *crowds) drop(system string) {
	c.systems[system].crowded = false
	c.crowded = slices.DeleteFunc(c.crowded, func(name string) bool { return name == system })
}

// late counts the looks that have waited for a while.
func (s *crowd) late(now time.Time) (n int) {
	for _, l := range s.looks {
		if l.waits() && now.Sub(l.since) >= noticed {
			n++
		}
	}
	return n
}

// surplus are the looks beyond so many. Those that have their turn at the host, or do not wait for it, stay in any case, and
// of the others those that came first.
func (s *crowd) surplus(share int) (keys []holdingKey) {
	var standing []*look
	for _, l := range s.looks {
		if l.waits() && !l.asked {
			standing = append(standing, l)
		}
	}
	share = max(0, share-(len(s.looks)-len(standing)))
	for _, l := range standing[min(share, len(standing)):] {
		keys = append(keys, l.key)
	}
	return keys
}
