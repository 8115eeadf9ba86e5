package deliver

import (
	"context"
	"fmt"
	"sync"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// asked counts running attempts that people asked for: pings and replays.
type asked struct {
	mu       sync.Mutex
	underWay map[string]int // by webhook
}

// ask takes a place for an attempt that a person asked for, and counts it if the dispatcher has rates. It is a
// rate_limited error if there were too many recently, or are too many now. done releases the place.
func (d *Dispatcher) ask(ctx context.Context, hook boardwatch.Webhook) (done func(), err error) {
	if !d.asked.take(hook.ID) {
		return nil, &boardwatch.Error{
			Code:       boardwatch.CodeRateLimited,
			Message:    fmt.Sprintf("%d test pings and replays to this webhook are still under way; wait until they have ended", boardwatch.MaxInFlight),
			RetryAfter: d.o.Timeout,
		}
	}
	done = func() { d.asked.giveBack(hook.ID) }
	if d.o.Rates == nil {
		return done, nil
	}
	for _, r := range []boardwatch.Rate{boardwatch.TestRate(hook.ID), boardwatch.TestsRate()} {
		b, err := d.o.Rates.Spend(ctx, hook.AccountID, "", r)
		if err == nil {
			err = b.Refused(fmt.Sprintf("more than %d test pings and replays in the last minute", r.Limit))
		}
		if err != nil {
			done()
			return nil, err
		}
	}
	return done, nil
}

func (a *asked) take(webhookID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.underWay[webhookID] >= boardwatch.MaxInFlight {
		return false
	}
	a.underWay[webhookID]++
	return true
}

func (a *asked) giveBack(webhookID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.underWay[webhookID]--; a.underWay[webhookID] == 0 {
		delete(a.underWay, webhookID)
	}
}
