package outbound

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

const (
	// turnLife is how long after it was asked for a turn may begin at the latest. So no request begins later than that after
	// the last answer of the store.
	turnLife = 2 * time.Second
	// turnPatience is how long an answer of the store is waited for.
	turnPatience = time.Second
	// turnRetry is how long a store that failed is left alone.
	turnRetry = 250 * time.Millisecond
	// mostTurns is how many turns are asked for together.
	mostTurns = 256
)

// turnDesk asks a store for the turns of all hosts. What comes while an answer is awaited is asked for next, all of it at
// once: under load a round trip serves many.
type turnDesk struct {
	store  pace.Store
	memory *pace.Memory // where the store keeps paces, if that is this process's memory: it is asked at once

	mu   sync.Mutex
	busy bool // somebody is asking
	ends []turnEnd
	asks []*turnAsk
}

func newTurnDesk(store pace.Store) *turnDesk {
	d := &turnDesk{store: store}
	if s, ok := store.(interface{ PacesInMemory() *pace.Memory }); ok {
		d.memory = s.PacesInMemory()
	}
	return d
}

// turnAsk is one call of ask.
type turnAsk struct {
	request pace.TurnRequest
	got     gotTurn
	done    chan struct{} // closed when got is set
	left    bool          // the caller has gone; guarded by the desk's mutex
}

// turnEnd is one call of finish.
type turnEnd struct {
	pace.TurnEnd

	told chan struct{} // closed when the store was told, or could not be told; nil when nobody waits
}

// awaited reports whether somebody waits for the end to be told.
func (e turnEnd) awaited() bool { return e.told != nil }

// gotTurn is an answer by this process's clock.
type gotTurn struct {
	pace.TurnAnswer

	begin, end time.Time // when the turn begins, and when it may not be begun any more
}

// ask is the answer of the store. Without one it says when to ask again.
func (d *turnDesk) ask(ctx context.Context, r pace.TurnRequest) gotTurn {
	if d.memory != nil {
		answer, now := d.memory.Ask(r), time.Now()
		return gotTurn{TurnAnswer: answer, begin: now.Add(answer.Wait), end: now.Add(turnLife)}
	}
	a := &turnAsk{request: r, done: make(chan struct{})}
	d.mu.Lock()
	d.asks = append(d.asks, a)
	d.wake(ctx)
	d.mu.Unlock()
	select {
	case <-a.done:
		return a.got
	case <-ctx.Done():
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-a.done:
		return a.got
	default:
		a.left = true
		return gotTurn{TurnAnswer: pace.TurnAnswer{Again: turnRetry}}
	}
}

// finish tells the store that a turn is over. A store that cannot be told is told with the next question.
func (d *turnDesk) finish(ctx context.Context, e pace.TurnEnd) {
	if d.memory != nil {
		d.memory.End(e)
		return
	}
	told := make(chan struct{})
	d.mu.Lock()
	d.ends = append(d.ends, turnEnd{e, told})
	d.wake(ctx)
	d.mu.Unlock()
	<-told
}

// tell tells the store something about a turn, and does not wait for that.
func (d *turnDesk) tell(ctx context.Context, e pace.TurnEnd) {
	if d.memory != nil {
		d.memory.End(e)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ends = append(d.ends, turnEnd{e, nil})
	d.wake(ctx)
}

// wake has somebody ask the store. The mutex is held.
func (d *turnDesk) wake(ctx context.Context) {
	if d.busy {
		return
	}
	d.busy = true
	go d.work(context.WithoutCancel(ctx)) // it ends when nobody waits for an answer any more
}

// work asks the store until there is nothing left to ask or to tell, or the store fails.
func (d *turnDesk) work(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for answered := true; answered && len(d.asks)+len(d.ends) > 0; {
		n := min(len(d.asks), mostTurns)
		asks, ends := d.asks[:n:n], d.ends
		d.asks, d.ends = d.asks[n:], nil
		d.mu.Unlock()
		answered = d.exchange(ctx, ends, asks)
		d.mu.Lock()
		d.settle(ends, asks, answered)
	}
	d.busy = false
	if len(d.asks) > 0 || slices.ContainsFunc(d.ends, turnEnd.awaited) { // the store failed while they came
		d.wake(ctx)
	}
}

// settle tells those who wait. The mutex is held.
func (d *turnDesk) settle(ends []turnEnd, asks []*turnAsk, answered bool) {
	for _, a := range asks {
		close(a.done)
		if r := a.request; a.left && a.got.Number != 0 {
			d.ends = append(d.ends, turnEnd{pace.TurnEnd{
				Host: r.Host, Process: r.Process, Number: a.got.Number, Pace: r.Pace, Unused: true,
			}, nil})
		}
	}
	for i := range ends {
		if ends[i].awaited() {
			close(ends[i].told)
			ends[i].told = nil
		}
	}
	if !answered {
		d.ends = append(ends, d.ends...)
	}
}

// exchange asks the store once, and reports whether it answered.
func (d *turnDesk) exchange(ctx context.Context, ends []turnEnd, asks []*turnAsk) bool {
	over := make([]pace.TurnEnd, len(ends))
	for i, e := range ends {
		over[i] = e.TurnEnd
	}
	wanted := make([]pace.TurnRequest, len(asks))
	for i, a := range asks {
		wanted[i] = a.request
	}
	ctx, cancel := context.WithTimeout(ctx, turnPatience)
	defer cancel()
	sent := time.Now()
	answers, err := d.store.Turns(ctx, over, wanted)
	received := time.Now()
	for i, a := range asks {
		a.got = gotTurn{TurnAnswer: pace.TurnAnswer{Again: turnRetry}}
		if err == nil {
			a.got = gotTurn{TurnAnswer: answers[i], begin: received.Add(answers[i].Wait), end: sent.Add(turnLife)}
		}
	}
	return err == nil
}
