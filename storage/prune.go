package storage

import (
	"context"
	"time"
)

// Retention says how long history is kept. Zero keeps it for ever.
type Retention struct {
	Checks     time.Duration // checks and their changes; the newest check of a board always stays
	Deliveries time.Duration // settled deliveries; the last twenty of a webhook always stay
}

// Prune deletes history that is older than its retention. It works in small transactions, so that checks are not held
// up.
func (s *Store) Prune(ctx context.Context, r Retention) error {
	now, err := s.driver.Now(ctx)
	if err != nil {
		return wrap("prune history", err)
	}
	if r.Checks > 0 {
		before := millis(now.Add(-r.Checks))
		err = s.deleteAll(ctx, `DELETE FROM checks WHERE seq IN (SELECT c.seq FROM checks AS c WHERE c.at < ?
			AND c.seq < (SELECT max(n.seq) FROM checks AS n WHERE n.board_id = c.board_id) LIMIT ?)`, before)
		if err == nil {
			err = s.deleteAll(ctx, "DELETE FROM changes WHERE seq IN (SELECT seq FROM changes WHERE at < ? LIMIT ?)", before)
		}
		if err != nil {
			return wrap("prune checks", err)
		}
	}
	if r.Deliveries > 0 {
		before := millis(now.Add(-r.Deliveries))
		err = s.deleteAll(ctx, `DELETE FROM deliveries WHERE id IN (SELECT id FROM (
				SELECT id, state, created_at, row_number() OVER (PARTITION BY webhook_id ORDER BY created_at DESC, id DESC) AS place
				FROM deliveries
			) AS log WHERE created_at < ? AND state <> 'pending' AND place > 20 LIMIT ?)`, before)
		if err == nil {
			err = s.deleteAll(ctx, `DELETE FROM payloads WHERE id IN (SELECT p.id FROM payloads AS p WHERE p.created_at < ?
				AND NOT EXISTS (SELECT 1 FROM deliveries AS d WHERE d.payload_id = p.id) LIMIT ?)`, before)
		}
	}
	return wrap("prune deliveries", err)
}

// deleteAll repeats a bounded delete until nothing is left to delete.
func (s *Store) deleteAll(ctx context.Context, query string, before int64) error {
	const most = 1000
	for {
		var n int64
		err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
			var err error
			n, err = affected(ctx, tx, query, before, most)
			return err
		})
		if err != nil || n < most {
			return err
		}
	}
}
