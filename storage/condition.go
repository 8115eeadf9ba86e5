package storage

import (
	"context"
	"time"
)

// Condition describes the state of a database.
type Condition struct {
	Size            int64    // in bytes, on the disk
	Connections     int      // of all programs to the server; 0 without a server
	ConnectionLimit int      // how many the server allows to programs like this one
	Pooled          bool     // connections go through a pooler
	Faults          []string // damage that the database reports; empty if there is none

	OldestBoard    time.Duration // how long the longest-waiting board has been due by its schedule
	OldestDelivery time.Duration // how long the longest-waiting delivery has been due
}

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
