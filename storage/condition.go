package storage

import (
	"context"
	"time"
)

// Condition is how a database is.
type Condition struct {
	Size            int64    // in bytes, on the disk
	Connections     int      // to the server, of all programs; 0 where there is no server
	ConnectionLimit int      // what the server allows to programs like this one
	Pooled          bool     // a pooler stands before the server
	Faults          []string // what the database says is broken; empty: nothing is

	OldestBoard    time.Duration // for how long the board that waits longest has been due by its schedule
	OldestDelivery time.Duration // for how long the delivery that waits longest has been due
}

// Condition examines the database. It reads all of a SQLite file, which takes a while when that is large.
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
