package storage

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func (s *Store) Shares(ctx context.Context, accountID string, ids []string) (shares []track.Share, err error) {
	one := ""
	if len(ids) == 1 {
		one = ids[0]
	}
	err = s.snapshot(ctx, func(ctx context.Context, db bun.IDB) error {
		boards, err := visibleBoards(ctx, db, accountID, one)
		if err != nil {
			return err
		}
		for id := range boards {
			if len(ids) > 1 && !slices.Contains(ids, id) {
				delete(boards, id)
			}
		}
		if len(boards) == 0 {
			return nil
		}
		var share track.Share
		return queryRows(ctx, db, []any{&share.Department, &share.Location, &share.Open}, func() error {
			shares = append(shares, share)
			return nil
		}, `SELECT department, location, count(*) FROM jobs WHERE board_id IN (?) AND status = 0
			GROUP BY department, location`, boardIDs(boards))
	})
	return shares, wrap("count roles by department and place", err)
}

// staying selects the closed jobs of a board that opened while it was watched.
const staying = ` FROM jobs WHERE board_id = ? AND status = 1
	AND first_seen_at > (SELECT min(first_seen_at) FROM jobs WHERE board_id = ?)`

func (s *Store) MedianStay(ctx context.Context, accountID, boardID string) (stay time.Duration, closed int, err error) {
	err = s.snapshot(ctx, func(ctx context.Context, db bun.IDB) error {
		boards, err := visibleBoards(ctx, db, accountID, boardID)
		if err != nil {
			return err
		}
		for id := range boards {
			if err := db.QueryRowContext(ctx, "SELECT count(*)"+staying, id, id).Scan(&closed); err != nil || closed == 0 {
				return err
			}
			var ms int64
			err := db.QueryRowContext(ctx, "SELECT closed_at - first_seen_at"+staying+" ORDER BY 1 LIMIT 1 OFFSET ?", id, id, (closed-1)/2).Scan(&ms)
			stay = time.Duration(ms) * time.Millisecond
			return err
		}
		return nil
	})
	return stay, closed, wrap("measure how long roles were open", err)
}
