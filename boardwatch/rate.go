package boardwatch

import (
	"context"
	"time"
)

// Rate is a sliding limit: at most Limit requests of an account in any period as long as Window.
type Rate struct {
	Name   string // distinguishes the logs of an account's budgets
	Limit  int
	Window time.Duration
	// Lenient means that refused requests are not counted. It is for long windows, which could otherwise never be
	// waited out.
	Lenient bool
}

// TestRate is the limit of test pings and replays to one webhook.
func TestRate(webhookID string) Rate {
	return Rate{Name: "test " + webhookID, Limit: 6, Window: time.Minute, Lenient: true}
}

// TestsRate is the limit for all webhooks of an account together, including those that were deleted and added again.
func TestsRate() Rate {
	return Rate{Name: "tests", Limit: 6 * MaxWebhooks, Window: time.Minute, Lenient: true}
}

// Budget is what is left after a counted request.
type Budget struct {
	Limit     int
	Remaining int
	At        time.Time     // when the request was counted
	ResetAt   time.Time     // when the next place becomes free; zero if none is taken
	Wait      time.Duration // until one more request is allowed; 0: this one was
}

// Refused returns the rate_limited error for a request that exceeded the limit, which says which limit that is and how
// long to wait; nil for a request within the limit.
func (b Budget) Refused(tooMuch string) error {
	if b.Wait == 0 {
		return nil
	}
	wait := (b.Wait + time.Second - 1).Truncate(time.Second)
	return &Error{
		Code:       CodeRateLimited,
		Message:    tooMuch + "; the next one fits in " + itoa(int(wait/time.Second)) + " s, unless others come before it",
		RetryAfter: wait,
	}
}

// Spend counts a request that is made now. used are the times of earlier requests, oldest first, including refused ones
// unless the rate is lenient. It returns the times to store: as many of the last ones as still matter. If the clock was
// set back, the request counts as made at the time of the last one. If it was set back by more than the window, the
// earlier requests are moved back by the same time, because otherwise the account would have to wait until the clock
// has caught up.
func (r Rate) Spend(used []time.Time, now time.Time) ([]time.Time, Budget) {
	now = Milli(now)
	if n := len(used); n > 0 && used[n-1].After(now) {
		if back := used[n-1].Sub(now); back > r.Window {
			used = moved(used, -back)
		}
		now = used[n-1]
	}
	start := now.Add(-r.Window)
	for len(used) > 0 && !used[0].After(start) {
		used = used[1:]
	}
	fits := len(used) < r.Limit
	if !fits && r.Lenient {
		return used, Budget{Limit: r.Limit, At: now, ResetAt: used[0].Add(r.Window), Wait: used[0].Add(r.Window).Sub(now)}
	}
	kept := append(make([]time.Time, 0, len(used)+1), used...)
	kept = append(kept, now)
	kept = kept[max(0, len(kept)-r.Limit):]
	b := Budget{Limit: r.Limit, Remaining: r.Limit - len(kept), At: now, ResetAt: kept[0].Add(r.Window)}
	if !fits {
		b.Wait = b.ResetAt.Sub(now)
	}
	return kept, b
}

// moved returns the moments, all shifted.
func moved(moments []time.Time, by time.Duration) []time.Time {
	out := make([]time.Time, len(moments))
	for i, at := range moments {
		out[i] = at.Add(by)
	}
	return out
}

// RateStore stores when accounts made their requests.
type RateStore interface {
	// Spend counts a request of the account by the rule of Rate.Spend and the store's clock. The count is exact,
	// however many processes count at once. If the request came with a key, the key is marked as used. An account or a
	// key that does not exist is a not_found error.
	Spend(ctx context.Context, accountID, keyID string, r Rate) (Budget, error)
}
