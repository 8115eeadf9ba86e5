package storage

import (
	"context"
	"time"
)

// Horizon is a moment before the stamp of every role that a query which starts afterwards cannot see. It never goes
// backwards.
func (s *Store) Horizon(ctx context.Context) (time.Time, error) {
	h, err := s.driver.Horizon(ctx)
	return h, wrap("read clock", err)
}
