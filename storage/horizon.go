package storage

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

func (s *Store) Horizon(ctx context.Context) (time.Time, error) {
	h, err := s.driver.Horizon(ctx)
	return h, wrap("read clock", err)
}

// polled reads what pollers ask for at one instant. It returns a moment that is earlier than what they do not see yet.
func (s *Store) polled(ctx context.Context, attempt string, read func(ctx context.Context, db bun.IDB) error) (time.Time, error) {
	horizon, err := s.driver.Horizon(ctx) // before anything is read
	if err == nil {
		err = s.snapshot(ctx, read)
	}
	return horizon, wrap(attempt, err)
}
