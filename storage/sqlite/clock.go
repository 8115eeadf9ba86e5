package sqlite

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// clock gives write transactions their stamps, and readers the horizon: a moment before the stamp of everything they
// cannot see yet. One transaction at a time is open, because SQLite has one writer. No horizon is ahead of the mark,
// which is kept in the file. So stamps pass every horizon ever given out, even after a restart with a clock that was
// set back.
type clock struct {
	now func() time.Time

	mu    sync.Mutex
	open  int64 // the stamp of the open transaction; 0 while there is none
	stamp int64 // the last stamp given out
	seen  int64 // the last horizon given out
	mark  int64 // the mark in the file, or an earlier one
}

const (
	// markEvery is how many milliseconds the clock may run ahead of the mark before the mark is moved. Horizons lag
	// behind by up to as much.
	markEvery = 10
	// markWait is how long a reader waits for the mark to be moved, which takes a turn of the writer.
	markWait = 50 * time.Millisecond
	// skew is how many milliseconds stamps have to be ahead of the clock to mean that it was set back.
	skew = 1000
)

// begin stamps a transaction that has the file's write lock and has read the mark. Every horizon given out from now
// until end is before the stamp, and so was every one before.
func (c *clock) begin(mark int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark = max(c.mark, mark)
	c.stamp = max(c.now().UnixMilli(), c.stamp, c.seen+1, c.mark+1)
	c.open = c.stamp
	return c.stamp
}

// passed returns how far the open transaction may move the mark: to its stamp, so that a reader right after it is
// promised its changes, but not so far that the next stamp would run ahead of the clock.
func (c *clock) passed() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.mark, min(c.stamp, c.now().UnixMilli()-1))
}

// ahead returns how far the last stamp is ahead of a clock that was set back.
func (c *clock) ahead() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ms := c.stamp - c.now().UnixMilli(); ms > skew {
		return time.Duration(ms) * time.Millisecond
	}
	return 0
}

// later returns the open transaction's stamp, moved past the moment if necessary. No later stamp is earlier.
func (c *clock) later(moment int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stamp = max(c.stamp, moment+1)
	return c.stamp
}

// resume continues from the last stamp of an earlier process, in case the machine's clock has been set back since.
func (c *clock) resume(stamp int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stamp = max(c.stamp, stamp)
}

// end records that the transaction's changes are visible, or never will be.
func (c *clock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = 0
}

// read returns the time without a promise. It is not behind any stamp, unless the clock was set back: due work does not
// wait until the clock has caught up.
func (c *clock) read() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now().UnixMilli()
	if c.stamp-now > skew {
		return now
	}
	return max(now, c.stamp)
}

// horizon is valid only while this process has the write lock or no other process gives stamps. It may be ahead of the
// mark.
func (c *clock) horizon(alone bool) (ms int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := max(c.now().UnixMilli()-1, c.mark)
	if c.open != 0 {
		h = min(h, c.open-1)
	} else if !alone {
		return 0, false
	}
	return h, true
}

// behind reports whether the mark has to be moved for a horizon.
func (c *clock) behind(h int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return h > c.mark+markEvery
}

// moved records where the mark is.
func (c *clock) moved(mark int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark = max(c.mark, mark)
}

// reach moves the last horizon forward, never backwards, and not past the mark.
func (c *clock) reach(h int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = max(c.seen, min(h, c.mark))
	return c.seen
}

// moveMark asks the writer to move the mark, once for all readers that need it, and waits for it briefly. If that
// fails, the horizon stays at the mark.
func (d *file) moveMark(ctx context.Context, h int64) {
	if !d.clock.behind(h) {
		return
	}
	moved := d.marking.DoChan("", func() (any, error) {
		err := d.writer.write(context.WithoutCancel(ctx), func(ctx context.Context, tx driver.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE mark SET moment = ? WHERE moment < ?", h, h)
			return err
		}, durable)
		if err == nil {
			d.clock.moved(h)
		}
		return nil, err
	})
	timer := time.NewTimer(markWait)
	defer timer.Stop()
	select {
	case <-moved:
	case <-ctx.Done():
	case <-timer.C:
	}
}

// foreignHorizon returns the horizon when another process may be writing. With the write lock, this process knows that
// nobody else has a transaction open. Without it, the process that has the lock stamps later than the visible mark.
func (d *file) foreignHorizon(ctx context.Context) (int64, error) {
	h, err := d.glance(ctx)
	switch {
	case err == nil:
		return h, nil
	case !busy(err):
		return 0, fmt.Errorf("read horizon: %w", err)
	}
	var mark int64
	if err := d.reads.QueryRowContext(ctx, "SELECT moment FROM mark").Scan(&mark); err != nil {
		return 0, fmt.Errorf("read horizon: %w", err)
	}
	d.clock.moved(mark)
	return d.clock.reach(mark), nil
}

// glance takes the write lock for a moment, moves the mark and returns the horizon.
func (d *file) glance(ctx context.Context) (h int64, err error) {
	tx, err := d.probe.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	h = d.clock.now().UnixMilli() - 1
	var mark int64
	if err := tx.QueryRowContext(ctx, "SELECT moment FROM mark").Scan(&mark); err != nil {
		return 0, err
	}
	if h > mark+markEvery {
		if _, err := tx.ExecContext(ctx, "UPDATE mark SET moment = ?", h); err != nil {
			return 0, err
		}
		if err := tx.Commit(); err != nil {
			return 0, err
		}
		mark = h
	}
	d.clock.moved(mark)
	return d.clock.reach(max(h, mark)), nil
}
