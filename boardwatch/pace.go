package boardwatch

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Pace is how often a host may be asked. The zero value allows one request at a time.
type Pace struct {
	// Every is the least time between the beginnings of two requests.
	Every time.Duration
	// Pause is the least time between the end of a request and the beginning of the next.
	Pause time.Duration
	// AtOnce is how many requests may be under way at the same time. Zero means 1.
	AtOnce int
}

const (
	// turnsAhead is how far ahead of its beginning a turn is given out. So a process that loses its store has turns for
	// a second at most.
	turnsAhead = time.Second
	// slowest is the smallest part of a host's pace that is left after refusals.
	slowest = 1.0 / 64
	// recovery is how long a host that refused everything takes to get back to its pace. After a single refusal it is half of
	// that.
	recovery = 20 * time.Minute
	// The shortest and longest time after which a process asks again for a turn that it was not given.
	shortestAgain, longestAgain = 20 * time.Millisecond, 500 * time.Millisecond
	// queueing is how long a process keeps its place in the queue of a host when it does not ask again in time.
	queueing = time.Second
	// longestQueue is how many processes may have a place.
	longestQueue = 256
	// setBack is by how much the clock has to go backwards until the times of a host are moved with it.
	setBack = 2 * time.Second
)

// HostPace is what a store remembers of a host, so that all processes together keep to its pace. The zero value is a host
// that nobody has asked yet.
type HostPace struct {
	At     time.Time   `json:"at,omitzero"`     // when something last happened
	Next   time.Time   `json:"next,omitzero"`   // no turn begins before it
	Quiet  time.Time   `json:"quiet,omitzero"`  // until when the host asked to be left alone
	Slowed time.Time   `json:"slowed,omitzero"` // when it last refused a request; zero when it never did
	Part   float64     `json:"part,omitempty"`  // the part of its pace that was left then
	Given  int64       `json:"given,omitempty"` // how many turns were given out
	Held   []heldTurn  `json:"held,omitempty"`  // turns that have not ended
	Queue  []turnQueue `json:"queue,omitempty"` // processes that were not given a turn, the first first
}

// heldTurn is a turn that somebody has.
type heldTurn struct {
	Process string    `json:"process"`
	Number  int64     `json:"number"`
	Until   time.Time `json:"until"` // when it ends if its holder is never heard of again
}

// turnQueue is the place of a process in the queue of a host.
type turnQueue struct {
	Process string    `json:"process"`
	Until   time.Time `json:"until"`
}

// TurnRequest asks for a turn: the right to send one request to a host.
type TurnRequest struct {
	Host    string // with its port: "boards.example.com:443"
	Process string // tells processes apart
	Pace    Pace   // as the process knows it
	// Longest is when, after its beginning, the turn ends if nothing more is heard of it.
	Longest time.Duration
}

// TurnAnswer is the answer to a TurnRequest. Times are relative, so that clocks of processes do not matter.
type TurnAnswer struct {
	Number int64         // of the turn; 0 when none was given
	Wait   time.Duration // until the turn begins
	Again  time.Duration // when to ask again, if no turn was given
	Quiet  time.Duration // how long the host asked to be left alone. If it is not 0, no turn was given
}

// TurnEnd says that a turn is over, or how long it goes on.
type TurnEnd struct {
	Host       string
	Process    string
	Number     int64
	Pace       Pace          // that of the request
	Kept       time.Duration // if it is not 0, the turn is not over, but ends after that unless more is heard of it
	Unused     bool          // no request was sent
	Took       time.Duration // since the beginning of the request
	Refused    bool          // the host answered that it is asked too often, or that it is overloaded (429, 503)
	RetryAfter time.Duration // how long the host asked to be left alone
}

// PaceStore gives out turns. All processes on one store share the pace of each host.
type PaceStore interface {
	// Turns notes the turns that have ended, and then answers each request in order, by the rules of HostPace and the
	// store's clock. After an error nothing was noted or given out.
	Turns(ctx context.Context, ends []TurnEnd, requests []TurnRequest) ([]TurnAnswer, error)
	// SlowHosts returns at most n hosts that are asked less often than their pace allows because they refused requests
	// or asked to be left alone, the slowest first.
	SlowHosts(ctx context.Context, n int) ([]SlowHost, error)
}

// SlowHost is a host that is asked less often than its pace allows.
type SlowHost struct {
	Host  string
	Part  float64       // the part of its pace that is left
	Quiet time.Duration // how long it still wants to be left alone
}

// GiveTurns applies what has ended and what is asked for to the hosts, by their names. hosts has an entry for every host
// that is named, and is updated.
func GiveTurns(hosts map[string]HostPace, ends []TurnEnd, requests []TurnRequest, now time.Time) []TurnAnswer {
	for _, e := range ends {
		hosts[e.Host] = hosts[e.Host].End(e, now)
	}
	answers := make([]TurnAnswer, len(requests))
	for i, r := range requests {
		hosts[r.Host], answers[i] = hosts[r.Host].Ask(r, now)
	}
	return answers
}

// Ask gives out a turn, or says when to ask again. Processes that were not given one form a queue.
func (h HostPace) Ask(r TurnRequest, now time.Time) (HostPace, TurnAnswer) {
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

// End takes a turn back. A refusal halves the pace, unless the request began before the last refusal: requests that were
// under way together are refused together.
func (h HostPace) End(e TurnEnd, now time.Time) HostPace {
	h, now = h.clocked(now)
	if held := slices.IndexFunc(h.Held, e.of); held >= 0 && e.Kept > 0 {
		h.Held[held].Until = later(h.Held[held].Until, now.Add(e.Kept)) // clocked has made a copy
	}
	if e.Kept > 0 {
		return h
	}
	h.Held = slices.DeleteFunc(h.Held, e.of)
	if quiet := now.Add(min(e.RetryAfter, maxBackoff)); e.RetryAfter > 0 && quiet.After(h.Quiet) {
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

// Left is the part of the pace that is left at a moment: 1 for a host that has refused nothing lately.
func (h HostPace) Left(now time.Time) float64 {
	if h.Slowed.IsZero() {
		return 1
	}
	return min(1, h.Part+float64(max(0, now.Sub(h.Slowed)))/float64(recovery))
}

// IdleAt is from when on the host may be forgotten.
func (h HostPace) IdleAt() time.Time {
	idle := later(h.Next, h.SlowUntil())
	for _, t := range h.Held {
		idle = later(idle, t.Until)
	}
	for _, q := range h.Queue {
		idle = later(idle, q.Until)
	}
	return idle
}

// SlowUntil is until when the host is asked less often than its pace allows; zero if it always was asked as often as that.
func (h HostPace) SlowUntil() time.Time {
	if h.Slowed.IsZero() {
		return h.Quiet
	}
	return later(h.Quiet, h.Slowed.Add(time.Duration((1-h.Part)*float64(recovery))))
}

// Slow describes the host if it is asked less often than its pace allows.
func (h HostPace) Slow(name string, now time.Time) (SlowHost, bool) {
	s := SlowHost{Host: name, Part: h.Left(now), Quiet: max(0, h.Quiet.Sub(now))}
	return s, s.Part < 1 || s.Quiet > 0
}

// clocked forgets what has passed. If the clock was set back by a little, the moment is that of the last event. If by more,
// all times are moved with it.
func (h HostPace) clocked(now time.Time) (HostPace, time.Time) {
	back := h.At.Sub(now)
	switch {
	case back > setBack:
		h = h.moved(-back)
	case back > 0:
		now = h.At
	}
	h.At = now
	h.Held = slices.DeleteFunc(slices.Clone(h.Held), func(t heldTurn) bool { return !t.Until.After(now) })
	h.Queue = slices.DeleteFunc(slices.Clone(h.Queue), func(q turnQueue) bool { return !q.Until.After(now) })
	return h, now
}

// moved is the host with all its times later by so much.
func (h HostPace) moved(by time.Duration) HostPace {
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
func (h HostPace) enqueue(process string, until time.Time) HostPace {
	at := slices.IndexFunc(h.Queue, func(q turnQueue) bool { return q.Process == process })
	switch {
	case at >= 0:
		h.Queue[at].Until = until // clocked has made a copy
	case len(h.Queue) < longestQueue:
		h.Queue = append(h.Queue, turnQueue{process, until})
	}
	return h
}

// most is how many requests may be under way when that part of the pace is left.
func (p Pace) most(part float64) int { return max(1, int(float64(p.AtOnce)*part)) }

// again is when to ask again for a turn: soon enough that none is lost, as turns are given out ahead.
func (p Pace) again(part float64) time.Duration {
	return min(max(slower(max(p.Every, p.Pause), part)/2, shortestAgain), longestAgain)
}

// slower is a time between requests when that part of the pace is left.
func slower(d time.Duration, part float64) time.Duration { return time.Duration(float64(d) / part) }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// SlowestOf returns the n slowest of the hosts that are asked less often than their pace allows, the slowest first.
func SlowestOf(hosts map[string]HostPace, n int, now time.Time) []SlowHost {
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
