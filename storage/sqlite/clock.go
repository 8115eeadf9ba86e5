package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

// clock gives write transactions their stamps, and readers the horizon: a moment before the stamp of everything they
// cannot see yet. One transaction at a time is open, because SQLite has one writer.
type clock struct {
	now func() time.Time

	mu    sync.Mutex
	open  int64 // the stamp of the open transaction; 0 while there is none
	stamp int64 // the last stamp given out
	seen  int64 // the last horizon given out
}

// begin stamps a transaction that has the file's write lock. Every horizon given out from now until end is before the
// stamp, and so was every one before.
func (c *clock) begin() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stamp = max(c.now().UnixMilli(), c.stamp, c.seen+1)
	c.open = c.stamp
	return c.stamp
}

// later is the open transaction's stamp, moved past the moment if need be. What is stamped afterwards is not earlier.
func (c *clock) later(moment int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stamp = max(c.stamp, moment+1)
	return c.stamp
}

// resume goes on from the last stamp of an earlier process, should the machine's clock have been set back a little
// since. One that is far ahead was never right.
func (c *clock) resume(stamp int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if stamp-c.now().UnixMilli() < time.Minute.Milliseconds() {
		c.stamp = max(c.stamp, stamp)
	}
}

// end says that what the transaction wrote can be seen, or never will be.
func (c *clock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = 0
}

// read is the clock without a promise. It is never behind a stamp.
func (c *clock) read() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.now().UnixMilli(), c.stamp)
}

// horizon is known when this process has the write lock, or when no other process stamps.
func (c *clock) horizon(alone bool) (ms int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.now().UnixMilli()
	if c.open != 0 {
		h = min(h, c.open)
	} else if !alone {
		return 0, false
	}
	return c.reach(h - 1), true
}

// reach moves the last horizon forward, never backwards.
func (c *clock) reach(h int64) int64 {
	c.seen = max(c.seen, h)
	return c.seen
}

// foreignHorizon is the horizon when another process may be writing. Whoever has the write lock knows that nobody else
// has a transaction open; if it cannot be had, nothing is open that is older than the youngest stamp that can be seen.
func (d *driver) foreignHorizon(ctx context.Context) (int64, error) {
	tx, err := d.probe.BeginTx(ctx, nil)
	switch {
	case err == nil:
		h := d.clock.now().UnixMilli() - 1
		if err := tx.Rollback(); err != nil {
			return 0, fmt.Errorf("read horizon: %w", err)
		}
		d.clock.mu.Lock()
		defer d.clock.mu.Unlock()
		return d.clock.reach(h), nil
	case !busy(err):
		return 0, fmt.Errorf("read horizon: %w", err)
	}
	var youngest sql.NullInt64
	if err := d.reads.QueryRowContext(ctx, "SELECT max(last_checked_at) FROM boards").Scan(&youngest); err != nil {
		return 0, fmt.Errorf("read horizon: %w", err)
	}
	d.clock.mu.Lock()
	defer d.clock.mu.Unlock()
	return d.clock.reach(youngest.Int64 - 1), nil
}
