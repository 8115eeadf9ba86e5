package storage

import (
	"context"
	"time"
)

func (s *Store) Horizon(ctx context.Context) (time.Time, error) {
	h, err := s.driver.Horizon(ctx)
	return h, wrap("read clock", err)
}
