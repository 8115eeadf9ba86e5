package storage

import (
	"context"
	"sync"
	"time"
)

const (
	// heedEvery is how often the clock is compared with what it showed before.
	heedEvery = time.Second
	// setBack is from how far on a clock that goes back was set. It is no less than what drivers take for it.
	setBack = time.Second
)

// plan remembers by which clock the work that waits was planned.
type plan struct {
	mu     sync.Mutex
	looked time.Time // when the clock was looked at last, on one that nobody sets
	showed time.Time // what it showed; zero: it was not looked at yet
}

// heed looks at the clock now and then. What falls due is planned by the hour that the clock shows. When it was set back,
// be it before this process began, that work would wait until the clock has caught up, which may take days: so it is
// planned anew.
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

// replan moves what was planned by a clock that was ahead to the same distance from what it shows now. What was planned
// since lies before the moment that it was planned at, because that keeps its stamp, and is left alone.
func (s *Store) replan(ctx context.Context) error {
	return s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		now, err := tx.now(ctx)
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

// bringForward moves what was planned by a clock that was ahead of now. Rows that somebody is writing are left out: that
// plans them anew.
func (s *Store) bringForward(ctx context.Context, tx Tx, now, ahead int64) error {
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
