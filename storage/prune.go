package storage

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Retention says how long history is kept. Zero keeps it for ever.
type Retention struct {
	// Checks are kept after the end of their run; the newest check of a board always stays. The changes of a role are
	// kept as long as the role.
	Checks     time.Duration
	Deliveries time.Duration // how long settled deliveries are kept after their last attempt; the last twenty of a webhook always stay
	// Unread is how long a board that was never read and is on nobody's list is kept after it was added or last tried.
	Unread time.Duration
	// TextRule says which texts of roles are kept, and Texts how long those of closed ones are kept after the closing.
	TextRule boardwatch.TextRule
	Texts    time.Duration
	// Sweep is how long a text that no role has stays after a check brought it, because a role may be about to refer to it;
	// 0 means a day.
	Sweep time.Duration
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
	if err := s.forgetTexts(ctx, now, r); err != nil {
		return err
	}
	if r.Checks > 0 {
		if err := s.pruneChecks(ctx, millis(now.Add(-r.Checks))); err != nil {
			return wrap("prune checks", err)
		}
	}
	if r.Deliveries > 0 {
		before := millis(now.Add(-r.Deliveries))
		if err := s.pruneDeliveries(ctx, before); err != nil {
			return wrap("prune deliveries", err)
		}
		err = s.deletePast(ctx, past{table: "payloads", column: "created_at", before: before},
			"NOT EXISTS (SELECT 1 FROM deliveries AS d WHERE d.payload_id = payloads.id)")
	}
	return wrap("prune deliveries", err)
}

// pruneChecks deletes checks of runs that ended before a moment, up to the newest of each board.
func (s *Store) pruneChecks(ctx context.Context, before int64) error {
	return s.deletePast(ctx, past{table: "checks", column: "at", before: before},
		"last_at < ? AND seq < (SELECT max(n.seq) FROM checks AS n WHERE n.board_id = checks.board_id)", before)
}

// unread are boards with nothing worth keeping: nobody tracks them or has said how to read them, and no reading has found
// anything.
const unread = `cadence_ms = 0 AND last_checked_at < ? AND last_success_at = 0 AND recipe = '' AND state NOT LIKE '%"access":%'
	AND NOT EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.board_id = boards.id)
	AND NOT EXISTS (SELECT 1 FROM jobs AS j WHERE j.board_id = boards.id)`

// pruneUnread deletes such boards with their aliases, addresses and checks. It holds up changes of lists only where there are
// such boards.
func (s *Store) pruneUnread(ctx context.Context, before int64) error {
	added := past{table: "boards", column: "added_at", of: "cadence_ms = 0 AND ", before: before}
	return s.alongPast(ctx, added, func(some string, args []any) error {
		var found []string
		query, args := "SELECT id FROM boards WHERE "+some+unread, append(args, before)
		if err := s.db().NewRaw(query, args...).Scan(ctx, &found); err != nil || len(found) == 0 {
			return err
		}
		return s.writeLists(ctx, func(ctx context.Context, tx driver.Tx) error { // so that nobody starts to track them meanwhile
			var ids []string
			if err := tx.NewRaw(query, args...).Scan(ctx, &ids); err != nil || len(ids) == 0 {
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
	})
}

// pruneDeliveries deletes settled deliveries of each webhook, up to the last twenty.
func (s *Store) pruneDeliveries(ctx context.Context, before int64) error {
	var hooks []string
	if err := s.db().NewRaw("SELECT id FROM webhooks").Scan(ctx, &hooks); err != nil {
		return err
	}
	for _, hook := range hooks {
		var id string // of the twentieth from the end
		var createdAt int64
		err := s.db().QueryRowContext(ctx, "SELECT id, created_at FROM deliveries WHERE webhook_id = ? ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 19",
			hook).Scan(&id, &createdAt)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		log := past{table: "deliveries", column: "created_at", of: "webhook_id = ? AND ", args: []any{hook}, before: before}
		err = s.deletePast(ctx, log, "state <> 'pending' AND (created_at, id) < (?, ?) AND last_attempt_at < ?",
			createdAt, id, before)
		if err != nil {
			return err
		}
	}
	return nil
}

// past are the rows of a table whose column is before a moment. There is an index of the column, or of it after those that
// the condition of names, which ends in AND.
type past struct {
	table, column string
	of            string
	args          []any // of the condition
	before        int64
}

// deletePast deletes those rows of the past that meet a condition, in small transactions.
func (s *Store) deletePast(ctx context.Context, p past, condition string, args ...any) error {
	return s.alongPast(ctx, p, func(some string, of []any) error {
		return s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
			_, err := tx.ExecContext(ctx, "DELETE FROM "+p.table+" WHERE "+some+condition, slices.Concat(of, args)...)
			return err
		})
	})
}

// alongPast does something for a thousand rows at a time, which a condition finds. It goes along the index and never back:
// rows that stay are met once, and so are those that have been deleted but that PostgreSQL has not swept up yet.
func (s *Store) alongPast(ctx context.Context, p past, do func(some string, args []any) error) error {
	for from, n := int64(0), mostAtOnce; n == mostAtOnce; {
		var to int64
		err := s.db().QueryRowContext(ctx, "SELECT count(*), COALESCE(max("+p.column+"), 0) FROM (SELECT "+p.column+" FROM "+p.table+
			" WHERE "+p.of+p.column+" > ? AND "+p.column+" < ? ORDER BY "+p.column+" LIMIT ?) AS next",
			slices.Concat(p.args, []any{from, p.before, mostAtOnce})...).Scan(&n, &to)
		if err != nil || n == 0 {
			return err
		}
		err = do(p.of+p.column+" > ? AND "+p.column+" <= ? AND ", slices.Concat(p.args, []any{from, to}))
		if err != nil {
			return err
		}
		from = to
	}
	return nil
}

// mostAtOnce is how many rows one statement deletes, or a few more of the same moment.
const mostAtOnce = 1000

// deleteAll repeats a delete, limited by its last parameter, until nothing is left to delete.
func (s *Store) deleteAll(ctx context.Context, query string, args ...any) error {
	for {
		var n int64
		err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
			var err error
			n, err = affected(ctx, tx, query, append(slices.Clip(args), mostAtOnce)...)
			return err
		})
		if err != nil || n < mostAtOnce {
			return err
		}
	}
}
