package storage

import (
	"context"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
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

const (
	// heedEvery is how often the clock is compared with its earlier time.
	heedEvery = time.Second
	// setBack is the smallest backward step that means somebody set the clock. It is at least what drivers use.
	setBack = time.Second
)

// plan remembers the clock that pending work was planned by.
type plan struct {
	mu     sync.Mutex
	looked time.Time // when the clock was last looked at, on the monotonic clock
	showed time.Time // what it showed then; zero before the first look
}

// heed looks at the clock from time to time. Due times are planned by the clock. If it is set back, even before this
// process started, planned work would wait until the clock has caught up, which may take days. So that work is planned
// again.
func (s *Store) heed(ctx context.Context) error {
	p := &s.plan
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.looked) < heedEvery {
		return nil
	}
	now, err := s.driver.Now(ctx)
	if err != nil {
		return err
	}
	p.looked = time.Now()
	if p.showed.IsZero() || p.showed.Sub(now) > setBack {
		if err := s.replan(ctx); err != nil {
			return err
		}
	}
	p.showed = now
	return nil
}

// replan moves what was planned by a clock that was ahead: it keeps its distance, but from the time now. Work planned
// since then is due before the stamp of its planning, because stamps are never set back; it is left alone.
func (s *Store) replan(ctx context.Context) error {
	return s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		var last int64
		if err := tx.QueryRowContext(ctx, "SELECT COALESCE(max(last_checked_at), 0) FROM boards").Scan(&last); err != nil {
			return err
		}
		if ahead := max(tx.Ahead().Milliseconds(), last-millis(now)); ahead > setBack.Milliseconds() {
			return s.bringForward(ctx, tx, millis(now), ahead)
		}
		return nil
	})
}

// bringForward moves what was planned by a clock that was ahead of now. Rows locked by a writer are skipped, because
// the write plans them again.
func (s *Store) bringForward(ctx context.Context, tx driver.Tx, now, ahead int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE boards SET next_check_at = next_check_at - ?0 WHERE id IN (
			SELECT id FROM boards WHERE next_check_at > ?1 AND
				(last_checked_at = 0 OR last_checked_at > ?1 AND next_check_at >= last_checked_at)
			ORDER BY id`+s.dialect.TryLock+`)`, ahead, now)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE deliveries SET next_attempt_at = next_attempt_at - ?0 WHERE id IN (
			SELECT id FROM deliveries WHERE state = 'pending' AND next_attempt_at > ?1 AND
				(last_attempt_at > ?1 AND next_attempt_at >= last_attempt_at OR last_attempt_at = 0 AND next_attempt_at >= created_at)
			ORDER BY id`+s.dialect.TryLock+`)`, ahead, now)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE webhooks SET lease_until = lease_until - ?0 WHERE id IN (
			SELECT id FROM webhooks WHERE lease_until > ?1 ORDER BY id`+s.dialect.TryLock+`)`, ahead, now+ahead/2)
	return err
}

// byTheClock corrects a result whose stamp is ahead of a clock that was set back. Its findings keep the stamp, because
// readers were promised that nothing new is earlier. Its plans follow the clock, or nothing would be checked or sent
// until the clock has caught up.
func byTheClock(r boardwatch.CheckResult, ahead time.Duration) boardwatch.CheckResult {
	if ahead <= 0 {
		return r
	}
	r.Board.NextCheckAt = earlier(r.Board.NextCheckAt, ahead)
	r.Board.State.RetryAfter = earlier(r.Board.State.RetryAfter, ahead)
	for i := range r.Deliveries {
		r.Deliveries[i].NextAttemptAt = earlier(r.Deliveries[i].NextAttemptAt, ahead)
	}
	return r
}

// earlier moves an instant back, unless it is zero.
func earlier(t time.Time, by time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(-by)
}
