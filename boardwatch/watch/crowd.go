package watch

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	// ready is the most running checks of a crowded system: one sends a request and the others stand ready, so that the
	// host's pace is fully used.
	ready = 3
	// noticed is how long a check has to wait for its host before its system counts as crowded. Shorter waits end
	// before they delay anybody else.
	noticed = 100 * time.Millisecond
	// stuck is how long a crowded system may be without any request before its other boards are tried, which may be on
	// other hosts.
	stuck = 5 * time.Second
)

// errCrowded interrupts a check that has not sent a request yet and would only wait for others.
var errCrowded = errors.New("the board's host is busy with other boards")

// crowds knows which hosted systems are crowded: they have more due boards than their host's pace allows. Their boards
// would always be the longest overdue and take all places, so crowded systems get a few places and the others the rest.
// A system with a host per customer does not become crowded because of one slow host. Pages do not count, because they
// share no host.
type crowds struct {
	most  int           // running checks allowed for all crowded systems together
	freed chan struct{} // signals that a crowded system may have room

	mu      sync.Mutex
	waiting int      // checks that wait for their host
	crowded []string // systems, in the order of their turns
	systems map[string]*crowd
}

// crowd holds the running checks of one hosted system.
type crowd struct {
	looks   []*look // ordered by claim
	passed  int     // checks that ended since the last review without a long wait
	crowded bool
	full    bool      // it has had all the running checks that a crowded system may have
	moved   time.Time // when a waiting request was sent, a check ended, or the first one began
}

// look is the running check of a board on a hosted system. It is nil for a board whose system cannot be crowded.
type look struct {
	crowds *crowds
	crowd  *crowd
	key    holdingKey

	// The crowds' mutex guards these.
	requests int       // requests that wait for their host
	since    time.Time // when the check began to wait
	asked    bool      // a request has waited and was sent
	late     bool      // it has waited for a long time
}

func newCrowds(concurrency int) *crowds {
	return &crowds{most: max(1, concurrency/2), freed: make(chan struct{}, 1), systems: make(map[string]*crowd)}
}

// enter records that a claim is on its way to a worker.
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

func (l *look) waits() bool { return l.requests > 0 }

// told is told of waiting requests by the reader.
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

// leave records that a check is over.
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
	signal(c.freed)
}

// review finds systems that have become crowded, and interrupts their surplus checks. None of these can get its turn at
// the host meanwhile; otherwise its board would be requested now, and again by the process that claims it next.
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

// names returns the crowded systems, in the order of their turns.
func (c *crowds) names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.crowded)
}

// room returns how many more boards of a crowded system may be checked, and passes its turn on. A system with its full
// number of checks, none of which is waiting, is no longer crowded.
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
		s.full = false // a host with fewer requests than its pace allows makes nobody wait
	case s.full && !slices.ContainsFunc(s.looks, (*look).waits):
		c.drop(system)
		return 0
	}
	i := slices.Index(c.crowded, system)
	c.crowded = append(slices.Delete(c.crowded, i, i+1), system)
	return n
}

// share returns how many running checks each crowded system may have.
func (c *crowds) share() int { return min(ready, max(1, c.most/len(c.crowded))) }

// taken counts the running checks of crowded systems.
func (c *crowds) taken() (n int) {
	for _, system := range c.crowded {
		n += len(c.systems[system].looks)
	}
	return n
}

// scatter records that a system has no due boards beyond those being checked.
func (c *crowds) scatter(system string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(system)
}

func (c *crowds) drop(system string) {
	c.systems[system].crowded = false
	c.crowded = slices.DeleteFunc(c.crowded, func(name string) bool { return name == system })
}

// late counts the checks that have waited for a long time.
func (s *crowd) late(now time.Time) (n int) {
	for _, l := range s.looks {
		if l.waits() && now.Sub(l.since) >= noticed {
			n++
		}
	}
	return n
}

// surplus returns the checks beyond that number. Checks that have their turn at the host, or do not wait for it, always
// stay, and of the others those that came first.
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
