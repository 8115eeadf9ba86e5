package storage

import (
	"context"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Condition describes the state of a database.
type Condition = driver.Condition

// Condition examines the database. It reads all of a SQLite file, which takes a while if the file is large.
func (s *Store) Condition(ctx context.Context) (Condition, error) {
	c, err := s.driver.Condition(ctx)
	if err != nil {
		return Condition{}, wrap("examine database", err)
	}
	now, err := s.driver.Now(ctx)
	if err != nil {
		return Condition{}, wrap("examine database", err)
	}
	var board, delivery int64
	err = s.db().QueryRowContext(ctx, `SELECT
		COALESCE((SELECT min(next_check_at) FROM boards WHERE next_check_at > ? AND next_check_at <= ?), 0),
		COALESCE((SELECT min(next_attempt_at) FROM deliveries WHERE state = 'pending' AND next_attempt_at <= ?), 0)`,
		atOnce, millis(now), millis(now)).Scan(&board, &delivery)
	if err != nil {
		return Condition{}, wrap("examine database", err)
	}
	if board > 0 {
		c.OldestBoard = now.Sub(instant(board))
	}
	if delivery > 0 {
		c.OldestDelivery = now.Sub(instant(delivery))
	}
	return c, nil
}
