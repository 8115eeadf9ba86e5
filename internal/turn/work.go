package turn

import (
	"context"
	"time"
)

// Work is a computation on what a stranger wrote, such as a page. It counts its steps and, every few hundred of them, looks
// whether its context still lasts. When that has ended, so does the computation, however deep it is: Step panics, and Over,
// where it began, makes an error of that. The zero value lasts for ever. A Work belongs to one goroutine.
//
// A Work that gives way computes for a millisecond and then pauses for two, unless it takes but a moment. While all
// processors compute, the runtime asks only every ten milliseconds whether an answer has come from the network, and a request
// to a database of its own waits that long at each of its steps: BenchmarkAnswersBesideWork.
type Work struct {
	GivesWay bool // as in a service, where others wait beside it

	done  <-chan struct{}
	steps int
	next  int // look at so many steps

	began  time.Time // of computing without a pause
	looked time.Time // at the clock
	long   bool      // it has taken longer than a moment since it waited
}

type workKey struct{}

// ended is what Step panics with.
type ended struct{}

// stepsPerLook is how many steps are taken between two looks at the context and the clock: a few tenths of a millisecond's worth.
const stepsPerLook = 512

// How a long computation gives way.
const (
	short = 5 * time.Millisecond // what takes no longer does not pause; nothing computes so long between two looks
	spell = time.Millisecond     // from one pause to the next
)

// Begin returns the Work of a context, which gets one unless it has one. The Work ends with the context that it was begun for.
func Begin(ctx context.Context) (context.Context, *Work) {
	if w, ok := ctx.Value(workKey{}).(*Work); ok {
		return ctx, w
	}
	w := &Work{done: ctx.Done()}
	return context.WithValue(ctx, workKey{}, w), w
}

// Step counts n steps: elements, rows, or texts looked at.
func (w *Work) Step(n int) {
	if w.steps += n; w.steps >= w.next {
		w.look()
	}
}

func (w *Work) look() {
	w.next = w.steps + stepsPerLook
	select {
	case <-w.done:
		panic(ended{})
	default:
	}
	if !w.GivesWay {
		return
	}
	now := time.Now()
	if now.Sub(w.looked) > short { // it has just begun, or waited for something
		w.began, w.long = now, false
	}
	w.looked = now
	if spent := now.Sub(w.began); spent >= short || w.long && spent >= spell {
		time.Sleep(2 * spent) //nolint:forbidigo // it waits for nothing: it gives a processor away
		w.looked, w.long = time.Now(), true
		w.began = w.looked
	}
}

// Steps is how many steps were taken.
func (w *Work) Steps() int { return w.steps }

// Over is the error of what a Work panicked with: the end of its context. Any other panic goes on.
func Over(ctx context.Context, recovered any) error {
	if _, ok := recovered.(ended); !ok {
		panic(recovered)
	}
	return context.Cause(ctx)
}
