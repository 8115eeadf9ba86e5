package storage

import (
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Guess reads the rows with a lock and in a fixed order, so that simultaneous guesses in several processes are counted one
// after the other.
func (s *Store) Guess(ctx context.Context, keys []string, a account.Allowance, now time.Time) (wait time.Duration, err error) {
	err = s.counted(ctx, keys, func(until []time.Time) bool {
		wait = 0
		for i := range until {
			next, rest := a.Take(until[i], now)
			until[i], wait = next, max(wait, rest)
		}
		return wait == 0
	})
	if err != nil {
		return 0, wrap("count guess", err)
	}
	return wait, nil
}

func (s *Store) GiveBack(ctx context.Context, keys []string, a account.Allowance) error {
	err := s.counted(ctx, keys, func(until []time.Time) bool {
		for i := range until {
			until[i] = a.GiveBack(until[i])
		}
		return true
	})
	return wrap("give guess back", err)
}

// counted lets change work on the counts of keys, which stay locked until they are saved. It reports whether they are to be.
func (s *Store) counted(ctx context.Context, keys []string, change func(until []time.Time) bool) error {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	for _, key := range keys {
		done, err := s.guessing.take(ctx, key)
		if err != nil {
			return err
		}
		defer done()
	}
	return s.driver.WriteCounts(ctx, func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
		until := make([]time.Time, len(keys))
		var questions []driver.Question
		for i, key := range keys {
			questions = append(questions,
				driver.Ask("INSERT INTO guesses (key, until) VALUES (?, 0) ON CONFLICT (key) DO NOTHING", []any{plain(key)}, nil),
				driver.Ask("SELECT until FROM guesses WHERE key = ?"+s.dialect.RowLock, []any{plain(key)}, nil, moment(&until[i])))
		}
		if err := tx.Ask(ctx, questions); err != nil || !change(until) {
			return nil, err
		}
		var todo script
		for i, key := range keys {
			todo.add("UPDATE guesses SET until = ? WHERE key = ?", millis(until[i]), plain(key))
		}
		return todo, nil
	})
}
