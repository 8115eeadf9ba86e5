// Package pace decides when the next request may go to a host, so that all processes together keep the pace that a host
// stands. It is rules on values: a Store, such as a Memory, keeps the values.
package pace

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Pace is how often a host may get a request. The zero value allows one request at a time.
type Pace struct {
	// Every is the least time between the beginnings of two requests.
	Every time.Duration
	// Pause is the least time between the end of a request and the beginning of the next.
	Pause time.Duration
	// AtOnce is how many requests may run at the same time. Zero means 1.
	AtOnce int
}

const (
	// turnsAhead is how far ahead of its beginning a turn is handed out. So a process that loses its store has turns
	// for at most a second.
	turnsAhead = time.Second
	// slowest is the smallest part of a host's pace that remains after refusals.
	slowest = 1.0 / 64
	// recovery is how long a host that refused everything takes to get back to its full pace. After a single refusal it
	// takes half as long.
	recovery = 20 * time.Minute
	// The shortest and longest time after which a process repeats a request for a turn that was not granted.
	shortestAgain, longestAgain = 20 * time.Millisecond, 500 * time.Millisecond
	// queueing is how long a process keeps its place in a host's queue if it does not ask again in time.
	queueing = time.Second
	// longestQueue is how many processes may have a place.
	longestQueue = 256
	// longestQuiet is the longest pause that a host can ask for.
	longestQuiet = 24 * time.Hour
	// setBack is how far the clock has to go backwards before the times of a host are moved with it.
	setBack = 2 * time.Second
)

// Host is what a store remembers about a host, so that all processes together keep its pace. The zero value is a
// host without any requests yet.
type Host struct {
	At     time.Time   `json:"at,omitzero"`     // when something last happened
	Next   time.Time   `json:"next,omitzero"`   // no turn begins before it
	Quiet  time.Time   `json:"quiet,omitzero"`  // until when the host asked to be left alone
	Slowed time.Time   `json:"slowed,omitzero"` // when it last refused a request; zero if never
	Part   float64     `json:"part,omitempty"`  // the part of its pace that remained then
	Given  int64       `json:"given,omitempty"` // how many turns were given out
	Held   []heldTurn  `json:"held,omitempty"`  // turns that have not ended
	Queue  []turnQueue `json:"queue,omitempty"` // processes waiting for a turn, in order
}

// heldTurn is a turn that a process has.
type heldTurn struct {
	Process string    `json:"process"`
	Number  int64     `json:"number"`
	Until   time.Time `json:"until"` // when it ends if its holder sends no more signs of life
}

// turnQueue is the place of a process in the queue of a host.
type turnQueue struct {
	Process string    `json:"process"`
	Until   time.Time `json:"until"`
}

// TurnRequest asks for a turn: the right to send one request to a host.
type TurnRequest struct {
	Host    string // with its port: "boards.example.com:443"
	Process string // identifies the process
	Pace    Pace   // as the process knows it
	// Longest is how long after its beginning the turn ends without further signs of life.
	Longest time.Duration
}

// TurnAnswer is the answer to a TurnRequest. Times are relative, so that clocks of processes do not matter.
type TurnAnswer struct {
	Number int64         // of the turn; 0 when none was given
	Wait   time.Duration // until the turn begins
	Again  time.Duration // when to ask again, if no turn was given
	Quiet  time.Duration // how long the host asked to be left alone. If it is not 0, no turn was given
}

// TurnEnd ends a turn, or extends it.
type TurnEnd struct {
	Host       string
	Process    string
	Number     int64
	Pace       Pace          // that of the request
	Kept       time.Duration // if not 0, the turn goes on, and ends after that without further signs of life
	Unused     bool          // no request was sent
	Took       time.Duration // since the beginning of the request
	Refused    bool          // the host answered that there are too many requests, or that it is overloaded (429, 503)
	RetryAfter time.Duration // how long the host asked to be left alone
}

// Store hands out turns. All processes on one store share the pace of each host.
type Store interface {
	// Turns records the turns that have ended, and then answers each request in order, by the rules of Host and the
	// store's clock. After an error nothing was recorded or handed out.
	Turns(ctx context.Context, ends []TurnEnd, requests []TurnRequest) ([]TurnAnswer, error)
	// SlowHosts returns at most n hosts that get fewer requests than their pace allows because they refused requests or
	// asked to be left alone, the slowest first.
	SlowHosts(ctx context.Context, n int) ([]SlowHost, error)
}

// SlowHost is a host that gets fewer requests than its pace allows.
type SlowHost struct {
	Host  string
	Part  float64       // the part of its pace that remains
	Quiet time.Duration // how much longer it asked to be left alone
}

// GiveTurns applies ended turns and requests for turns to the hosts, by name. hosts has an entry for every host that is
// mentioned, and is updated.
func GiveTurns(hosts map[string]Host, ends []TurnEnd, requests []TurnRequest, now time.Time) []TurnAnswer {
	for _, e := range ends {
		hosts[e.Host] = hosts[e.Host].End(e, now)
	}
	answers := make([]TurnAnswer, len(requests))
	for i, r := range requests {
		hosts[r.Host], answers[i] = hosts[r.Host].Ask(r, now)
	}
	return answers
}

// Ask hands out a turn, or says when to ask again. Processes without a turn form a queue.
func (h Host) Ask(r TurnRequest, now time.Time) (Host, TurnAnswer) {
	h, now = h.clocked(now)
	if quiet := h.Quiet.Sub(now); quiet > 0 {
		return h, TurnAnswer{Quiet: quiet}
	}
	part := h.Left(now)
	start := now
	if h.Next.After(now) {
		start = h.Next
	}
	first := len(h.Queue) == 0 || h.Queue[0].Process == r.Process
	if !first || len(h.Held) >= r.Pace.most(part) || start.Sub(now) > turnsAhead {
		again := r.Pace.again(part)
		if first {
			again = max(again, start.Sub(now)-turnsAhead)
		}
		return h.enqueue(r.Process, now.Add(again+queueing)), TurnAnswer{Again: again}
	}
	h.Queue = slices.Clone(h.Queue[min(1, len(h.Queue)):])
	h.Given++
	h.Held = append(slices.Clip(h.Held), heldTurn{r.Process, h.Given, start.Add(r.Longest)})
	h.Next = start.Add(slower(r.Pace.Every, part))
	return h, TurnAnswer{Number: h.Given, Wait: start.Sub(now)}
}

// End takes a turn back. A refusal halves the pace, unless the request began before the last refusal, because
// simultaneous requests are refused together.
func (h Host) End(e TurnEnd, now time.Time) Host {
	h, now = h.clocked(now)
	if held := slices.IndexFunc(h.Held, e.of); held >= 0 && e.Kept > 0 {
		h.Held = slices.Clone(h.Held)
		h.Held[held].Until = later(h.Held[held].Until, now.Add(e.Kept))
	}
	if e.Kept > 0 {
		return h
	}
	h.Held = without(h.Held, e.of)
	if quiet := now.Add(min(e.RetryAfter, longestQuiet)); e.RetryAfter > 0 && quiet.After(h.Quiet) {
		h.Quiet = quiet
	}
	if e.Unused {
		return h
	}
	if e.Refused && now.Add(-e.Took).After(h.Slowed) {
		h.Part, h.Slowed = max(slowest, h.Left(now)/2), now
		h.Next = later(h.Next, now.Add(slower(e.Pace.Every, h.Part)))
	}
	h.Next = later(h.Next, now.Add(slower(e.Pace.Pause, h.Left(now))))
	return h
}

// of reports whether it is the end of a turn.
func (e TurnEnd) of(t heldTurn) bool { return t.Process == e.Process && t.Number == e.Number }

// Left returns the part of the pace that remains at a moment: 1 for a host that has not refused requests recently.
func (h Host) Left(now time.Time) float64 {
	if h.Slowed.IsZero() {
		return 1
	}
	return min(1, h.Part+float64(max(0, now.Sub(h.Slowed)))/float64(recovery))
}

// IdleAt returns the moment from which the host may be forgotten.
func (h Host) IdleAt() time.Time {
	idle := later(h.Next, h.SlowUntil())
	for _, t := range h.Held {
		idle = later(idle, t.Until)
	}
	for _, q := range h.Queue {
		idle = later(idle, q.Until)
	}
	return idle
}

// SlowUntil returns until when the host gets fewer requests than its pace allows; zero if it was never slowed down.
func (h Host) SlowUntil() time.Time {
	if h.Slowed.IsZero() {
		return h.Quiet
	}
	return later(h.Quiet, h.Slowed.Add(time.Duration((1-h.Part)*float64(recovery))))
}

// Slow describes the host if it gets fewer requests than its pace allows.
func (h Host) Slow(name string, now time.Time) (SlowHost, bool) {
	s := SlowHost{Host: name, Part: h.Left(now), Quiet: max(0, h.Quiet.Sub(now))}
	return s, s.Part < 1 || s.Quiet > 0
}

// clocked forgets what has passed. If the clock was set back by a little, the moment is that of the last event. If by more,
// all times are moved with it.
func (h Host) clocked(now time.Time) (Host, time.Time) {
	back := h.At.Sub(now)
	switch {
	case back > setBack:
		h = h.moved(-back)
	case back > 0:
		now = h.At
	}
	h.At = now
	h.Held = without(h.Held, func(t heldTurn) bool { return !t.Until.After(now) })
	h.Queue = without(h.Queue, func(q turnQueue) bool { return !q.Until.After(now) })
	return h, now
}

// without returns a list without some of its elements. It is a new list if there are any.
func without[T any](list []T, gone func(T) bool) []T {
	switch {
	case !slices.ContainsFunc(list, gone):
		return list
	case len(list) == 1:
		return nil
	default:
		return slices.DeleteFunc(slices.Clone(list), gone)
	}
}

// moved returns the host with all of its times shifted.
func (h Host) moved(by time.Duration) Host {
	for _, at := range []*time.Time{&h.At, &h.Next, &h.Quiet, &h.Slowed} {
		if !at.IsZero() {
			*at = at.Add(by)
		}
	}
	h.Held, h.Queue = slices.Clone(h.Held), slices.Clone(h.Queue)
	for i := range h.Held {
		h.Held[i].Until = h.Held[i].Until.Add(by)
	}
	for i := range h.Queue {
		h.Queue[i].Until = h.Queue[i].Until.Add(by)
	}
	return h
}

// enqueue gives the process a place in the queue, or lets it keep the one that it has.
func (h Host) enqueue(process string, until time.Time) Host {
	at := slices.IndexFunc(h.Queue, func(q turnQueue) bool { return q.Process == process })
	switch {
	case at >= 0:
		h.Queue = slices.Clone(h.Queue)
		h.Queue[at].Until = until
	case len(h.Queue) < longestQueue:
		h.Queue = append(slices.Clip(h.Queue), turnQueue{process, until})
	}
	return h
}

// most returns how many requests may run at the same time if that part of the pace remains.
func (p Pace) most(part float64) int { return max(1, int(float64(p.AtOnce)*part)) }

// again returns when to ask again for a turn: soon enough that none is lost, because turns are handed out ahead.
func (p Pace) again(part float64) time.Duration {
	return min(max(slower(max(p.Every, p.Pause), part)/2, shortestAgain), longestAgain)
}

// slower returns the time between requests if that part of the pace remains.
func slower(d time.Duration, part float64) time.Duration { return time.Duration(float64(d) / part) }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// SlowestOf returns the n slowest of the hosts that get fewer requests than their pace allows, the slowest first.
func SlowestOf(hosts map[string]Host, n int, now time.Time) []SlowHost {
	var slow []SlowHost
	for name, h := range hosts {
		if s, ok := h.Slow(name, now); ok {
			slow = append(slow, s)
		}
	}
	slices.SortFunc(slow, func(a, b SlowHost) int {
		return cmp.Or(cmp.Compare(b.Quiet, a.Quiet), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Host, b.Host))
	})
	return slow[:min(n, len(slow))]
}
