package storage

import (
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Guess takes a turn of every key, or of none. The rows are read with a lock and in a fixed order, so that simultaneous
// guesses in several processes are counted one after the other.
func (s *Store) Guess(ctx context.Context, keys []string, a boardwatch.Allowance, now time.Time) (wait time.Duration, err error) {
	err = s.counted(ctx, keys, func(ctx context.Context, tx Tx, keys []string, until []time.Time) error {
		wait = 0
		for i := range until {
			next, rest := a.Take(until[i], now)
			until[i], wait = next, max(wait, rest)
		}
		if wait > 0 {
			return nil
		}
		return setGuesses(ctx, tx, keys, until)
	})
	if err != nil {
		return 0, wrap("count guess", err)
	}
	return wait, nil
}

// GiveBack returns one turn to every key.
func (s *Store) GiveBack(ctx context.Context, keys []string, a boardwatch.Allowance) error {
	err := s.counted(ctx, keys, func(ctx context.Context, tx Tx, keys []string, until []time.Time) error {
		for i := range until {
			until[i] = a.GiveBack(until[i])
		}
		return setGuesses(ctx, tx, keys, until)
	})
	return wrap("give guess back", err)
}

// counted runs op on the counts of keys, which stay locked until it ends.
func (s *Store) counted(ctx context.Context, keys []string, op func(ctx context.Context, tx Tx, keys []string, until []time.Time) error) error {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	for _, key := range keys {
		done, err := s.guessing.take(ctx, key)
		if err != nil {
			return err
		}
		defer done()
	}
	return s.driver.WriteCounts(ctx, func(ctx context.Context, tx Tx) error {
		until := make([]time.Time, len(keys))
		for i, key := range keys {
			if _, err := tx.ExecContext(ctx, "INSERT INTO guesses (key, until) VALUES (?, 0) ON CONFLICT (key) DO NOTHING", plain(key)); err != nil {
				return err
			}
			var ms int64
			err := tx.QueryRowContext(ctx, "SELECT until FROM guesses WHERE key = ?"+s.dialect.RowLock, plain(key)).Scan(&ms)
			if err != nil {
				return err
			}
			until[i] = instant(ms)
		}
		return op(ctx, tx, keys, until)
	})
}

func setGuesses(ctx context.Context, tx Tx, keys []string, until []time.Time) error {
	for i, key := range keys {
		if _, err := tx.ExecContext(ctx, "UPDATE guesses SET until = ? WHERE key = ?", millis(until[i]), plain(key)); err != nil {
			return err
		}
	}
	return nil
}
