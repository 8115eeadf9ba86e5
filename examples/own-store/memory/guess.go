package memory

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Guess takes a turn of every key, or of none when one of them has none left.
func (s *Store) Guess(ctx context.Context, keys []string, a boardwatch.Allowance, now time.Time) (wait time.Duration, err error) {
	err = s.write(ctx, func(d *Database) error {
		next := map[string]time.Time{}
		for _, key := range keys {
			until, rest := a.Take(d.guesses[key], now)
			next[key], wait = until, max(wait, rest)
		}
		if wait == 0 {
			maps.Copy(d.guesses, next)
		}
		return nil
	})
	return wait, err
}

// GiveBack returns a turn of every key.
func (s *Store) GiveBack(ctx context.Context, keys []string, a boardwatch.Allowance) error {
	return s.write(ctx, func(d *Database) error {
		for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
			d.guesses[key] = a.GiveBack(d.guesses[key])
		}
		return nil
	})
}
