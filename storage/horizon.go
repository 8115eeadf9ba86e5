package storage

import (
	"context"
	"time"
)

// Horizon returns a moment that is earlier than the stamp of every role which a query started afterwards cannot see. It
// never goes backwards.
func (s *Store) Horizon(ctx context.Context) (time.Time, error) {
	h, err := s.driver.Horizon(ctx)
	return h, wrap("read clock", err)
}
