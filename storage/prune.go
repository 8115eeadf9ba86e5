package storage

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// Retention says how long history is kept. Zero keeps it for ever.
type Retention struct {
	// Checks are kept after the end of their run; the newest check of a board always stays. The changes of a role are
	// kept as long as the role.
	Checks     time.Duration
	Deliveries time.Duration // how long settled deliveries are kept after their last attempt; the last twenty of a webhook always stay
	// Unread is how long a board that was never read and is on nobody's list is kept after it was added or last tried.
	Unread time.Duration
}

// Prune deletes history and boards that are older than their retention, and expired sign-ins, links, grants and
// clients. It works in small transactions, so that checks are not delayed.
func (s *Store) Prune(ctx context.Context, r Retention) error {
	now, err := s.driver.Now(ctx)
	if err != nil {
		return wrap("prune history", err)
	}
	if err := s.pruneSignIns(ctx, now); err != nil {
		return err
	}
	if err := s.pruneGrants(ctx, now); err != nil {
		return err
	}
	if err := s.driver.ForgetHosts(ctx); err != nil {
		return wrap("forget hosts", err)
	}
	if r.Unread > 0 {
		if err := s.pruneUnread(ctx, millis(now.Add(-r.Unread))); err != nil {
			return wrap("prune boards", err)
		}
	}
	if r.Checks > 0 {
		before := millis(now.Add(-r.Checks))
		err = s.deleteAll(ctx, `DELETE FROM checks WHERE seq IN (SELECT c.seq FROM checks AS c WHERE c.at < ?
			AND c.last_at < ? AND c.seq < (SELECT max(n.seq) FROM checks AS n WHERE n.board_id = c.board_id) LIMIT ?)`, before, before)
		if err != nil {
			return wrap("prune checks", err)
		}
	}
	if r.Deliveries > 0 {
		before := millis(now.Add(-r.Deliveries))
		err = s.pruneDeliveries(ctx, before)
		if err == nil {
			err = s.deleteAll(ctx, `DELETE FROM payloads WHERE id IN (SELECT p.id FROM payloads AS p WHERE p.created_at < ?
				AND NOT EXISTS (SELECT 1 FROM deliveries AS d WHERE d.payload_id = p.id) LIMIT ?)`, before)
		}
	}
	return wrap("prune deliveries", err)
}

// unreadText finds boards with nothing worth keeping: nobody tracks them or has said how to read them, and no reading
// has found anything.
const unreadText = `SELECT b.id FROM boards AS b WHERE b.cadence_ms = 0 AND b.added_at < ? AND b.last_checked_at < ?
	AND b.last_success_at = 0 AND b.recipe = '' AND b.state NOT LIKE '%"access":%'
	AND NOT EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.board_id = b.id)
	AND NOT EXISTS (SELECT 1 FROM jobs AS j WHERE j.board_id = b.id) LIMIT ?`

// pruneUnread deletes such boards with their aliases, addresses and checks.
func (s *Store) pruneUnread(ctx context.Context, before int64) error {
	const most = 500
	for {
		var ids []string
		err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
			if err := s.lockLists(ctx, tx); err != nil { // so that nobody starts to track them meanwhile
				return err
			}
			if err := tx.NewRaw(unreadText, before, before, most).Scan(ctx, &ids); err != nil || len(ids) == 0 {
				return err
			}
			for _, table := range []string{"addresses", "aliases", "changes", "checks"} {
				if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE board_id IN (?)", bun.List(ids)); err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, "DELETE FROM boards WHERE id IN (?)", bun.List(ids))
			return err
		})
		if err != nil || len(ids) < most {
			return err
		}
	}
}

// pruneDeliveries deletes settled deliveries of each webhook, up to the last twenty.
func (s *Store) pruneDeliveries(ctx context.Context, before int64) error {
	var hooks []string
	if err := s.db().NewRaw("SELECT id FROM webhooks").Scan(ctx, &hooks); err != nil {
		return err
	}
	for _, hook := range hooks {
		var last deliveryRow // the twentieth from the end
		err := s.db().NewRaw(`SELECT id, created_at FROM deliveries WHERE webhook_id = ? ORDER BY created_at DESC, id DESC
			LIMIT 1 OFFSET 19`, hook).Scan(ctx, &last)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = s.deleteAll(ctx, `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE webhook_id = ?
				AND state <> 'pending' AND (created_at, id) < (?, ?) AND created_at < ? AND last_attempt_at < ? LIMIT ?)`,
				hook, last.CreatedAt, last.ID, before, before)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostAtOnce is how many rows one statement deletes.
const mostAtOnce = 1000

// deleteAll repeats a delete, limited by its last parameter, until nothing is left to delete.
func (s *Store) deleteAll(ctx context.Context, query string, args ...any) error {
	for {
		var n int64
		err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
			var err error
			n, err = affected(ctx, tx, query, append(slices.Clip(args), mostAtOnce)...)
			return err
		})
		if err != nil || n < mostAtOnce {
			return err
		}
	}
}
