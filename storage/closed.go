package storage

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func (s *Store) ClosedJobs(ctx context.Context, accountID string, f track.ClosedFilter) (track.JobPage, error) {
	page := track.JobPage{Jobs: []boardwatch.Job{}}
	var err error
	page.PolledAt, err = s.polled(ctx, "list closed jobs", func(ctx context.Context, db bun.IDB) error {
		boards, err := visibleBoards(ctx, db, accountID, f.BoardID)
		if err != nil || len(boards) == 0 {
			return err
		}
		where, args := closedWhere(boards, f)
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM jobs"+where, args...).Scan(&page.Total); err != nil {
			return err
		}
		if f.Limit <= 0 || f.Skip >= page.Total {
			return nil
		}
		text := "SELECT " + jobColumns() + " FROM jobs" + where + " ORDER BY closed_at DESC, id DESC LIMIT ? OFFSET ?"
		page.Jobs, err = readPage(ctx, db, boards, f.Limit, text, append(args, f.Limit, f.Skip)...)
		return err
	})
	return page, err
}

// closedWhere is a condition that the index jobs_closed answers.
func closedWhere(boards map[string]listedBoard, f track.ClosedFilter) (where string, args []any) {
	where, args = " WHERE board_id IN (?) AND status = 1", []any{boardIDs(boards)}
	if !f.After.IsZero() {
		where, args = where+" AND closed_at > ?", append(args, f.After.UnixMilli())
	}
	return where, args
}
