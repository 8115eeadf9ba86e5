package storage

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// Shares counts the open roles of the account's active boards, or of the requested ones, by department and place.
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
		rows, err := db.QueryContext(ctx, `SELECT department, location, count(*) FROM jobs WHERE board_id IN (?) AND status = 0
			GROUP BY department, location`, boardIDs(boards))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var share track.Share
			if err := rows.Scan(&share.Department, &share.Location, &share.Open); err != nil {
				return err
			}
			shares = append(shares, share)
		}
		return rows.Err()
	})
	return shares, wrap("count roles by department and place", err)
}

// staying selects the closed jobs of a board that opened while it was watched.
const staying = ` FROM jobs WHERE board_id = ? AND status = 1
	AND first_seen_at > (SELECT min(first_seen_at) FROM jobs WHERE board_id = ?)`

// MedianStay returns the median time that the closed jobs of a board were open, and the number of these jobs.
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
