package account

import (
	"context"
	"time"
)

// Allowance is how often something may be done: Burst times at once, and then once in Every. The zero value means no
// limit.
type Allowance struct {
	Burst int
	Every time.Duration
}

// Take uses one turn now. until is when all used turns are available again; the zero time means that none was used.
// Take returns the new value of until. If no turn is left, none is used, and wait is how long until there is one.
func (a Allowance) Take(until, now time.Time) (next time.Time, wait time.Duration) {
	all := time.Duration(a.Burst) * a.Every
	if until.After(now.Add(all)) {
		until = now.Add(all) // the clock has been set back
	}
	if until.Before(now) {
		until = now
	}
	if next = until.Add(a.Every); next.After(now.Add(all)) {
		return until, next.Sub(now.Add(all))
	}
	return next, 0
}

// GiveBack returns the value of until after a used turn is given back.
func (a Allowance) GiveBack(until time.Time) time.Time { return until.Add(-a.Every) }

// GuessStore counts wrong passwords, for all processes on one database.
type GuessStore interface {
	// Guess takes a turn of every key, by the rule of Allowance.Take. If one of them has none left, it takes none, and
	// wait is how long until all of them have one. The count is exact, even if many calls are made at once.
	Guess(ctx context.Context, keys []string, a Allowance, now time.Time) (wait time.Duration, err error)
	// GiveBack returns a turn of every key.
	GiveBack(ctx context.Context, keys []string, a Allowance) error
}
