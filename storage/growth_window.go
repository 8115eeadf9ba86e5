package storage

import (
	"slices"
	"time"
)

// HourlyGrowth is how much the checks of one account's boards may add to the store within any hour, in bytes as
// CheckResult.Grown counts them, unless the operator says otherwise.
const HourlyGrowth = 20_000_000

const (
	growthWindow = time.Hour
	growthSpan   = 5 * time.Minute // what is added within one span is forgotten together
)

// Growth is what the checks of one account's boards have added to the store within an hour, oldest first.
type Growth []Grown

// Grown is what was added until a moment.
type Grown struct {
	Until time.Time
	Bytes int
}

// Sum returns how much counts at a moment. If the clock was set back, everything does, but for no longer than an hour.
func (g Growth) Sum(now time.Time) (sum int) {
	for _, add := range g {
		if since := now.Sub(add.Until); since < growthWindow && since >= -growthWindow {
			sum += add.Bytes
		}
	}
	return sum
}

// Add returns the growth with what is added now.
func (g Growth) Add(bytes int, now time.Time) Growth {
	until := now.Truncate(growthSpan).Add(growthSpan)
	next := slices.DeleteFunc(slices.Clone(g), func(add Grown) bool {
		since := now.Sub(add.Until)
		return since >= growthWindow || since < -growthWindow
	})
	if n := len(next); n > 0 && next[n-1].Until.Equal(until) {
		next[n-1].Bytes += bytes
		return next
	}
	return append(next, Grown{until, bytes})
}
