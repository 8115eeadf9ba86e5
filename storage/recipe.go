package storage

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func (s *Store) SetRecipe(ctx context.Context, boardID, recipe string) error {
	return s.write(ctx, "set recipe of board "+boardID, func(ctx context.Context, tx driver.Tx) error {
		row, err := s.findBoard(ctx, tx, boardID, s.dialect.RowLock)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE boards SET recipe = ?, fingerprint = '', version = version + 1"+s.dialect.EndLease+
			" WHERE id = ?", plain(recipe), row.ID)
		if err != nil {
			return err
		}
		return s.readAnew(ctx, tx, row)
	})
}

// readAnew makes a board due at once after the way it is read has changed, unless its source asked to be left alone.
func (s *Store) readAnew(ctx context.Context, tx driver.Tx, b boardRow) error {
	now, err := tx.Now(ctx)
	if err != nil || b.Cadence <= 0 || b.State.RetryAfter.After(now) || millis(b.NextCheckAt) == atOnce {
		return err
	}
	return s.demand(ctx, tx, "", b.ID, b.URL)
}

func (s *Store) OpenJobs(ctx context.Context, boardID string) ([]boardwatch.Job, error) {
	var jobs []boardwatch.Job
	err := s.snapshot(ctx, func(ctx context.Context, db bun.IDB) error {
		id, err := survivor(ctx, db, boardID)
		if err != nil {
			return err
		}
		row, err := boardByID(ctx, db, id, "")
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		boards := map[string]listedBoard{id: {Board: row.Board}}
		jobs, err = readPage(ctx, db, boards, row.OpenJobs, "SELECT "+jobColumns()+" FROM jobs WHERE board_id = ? AND status = 0 ORDER BY id", id)
		return err
	})
	return jobs, wrap("read open roles of board "+boardID, err)
}
