package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// checkRow is a row of checks: one check, and how many followed that changed nothing.
type checkRow struct {
	bun.BaseModel `bun:"table:checks,alias:c"`

	Seq       int64             `bun:"seq,pk,autoincrement"`
	ID        string            `bun:"id"`
	BoardID   string            `bun:"board_id"`
	At        int64             `bun:"at"`
	Health    boardwatch.Health `bun:"health"`
	Cause     boardwatch.Cause  `bun:"cause"`
	Reason    string            `bun:"reason"`
	BlockedBy string            `bun:"blocked_by"`
	OpenJobs  int               `bun:"open_jobs"`
	Found     int               `bun:"found"`
	Reopened  int               `bun:"reopened"`
	Closed    int               `bun:"closed"`
	Updated   int               `bun:"updated"`
	Missed    int               `bun:"missed"`
	Requests  int               `bun:"requests"`
	First     bool              `bun:"first_reading"`
	Repeats   int               `bun:"repeats"`
	LastAt    int64             `bun:"last_at"`

	Event boardwatch.CheckEvent `bun:"event"`
}

// SaveCheck loads what the check is decided on, calls decide, and saves its result, all in one transaction.
func (s *Store) SaveCheck(
	ctx context.Context, c boardwatch.Claim, decide func(boardwatch.CheckInput) boardwatch.CheckResult,
) error {
	version, l, err := parseToken(c)
	if err != nil {
		return err
	}
	if !s.driver.Held(l) {
		return boardwatch.ErrLeaseLost
	}
	err = s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		row, err := s.claimedBoard(ctx, tx, c.Board.ID, version)
		if err != nil {
			return err
		}
		in, err := s.checkInput(ctx, tx, row, c)
		if err != nil {
			return err
		}
		return s.saveResult(ctx, tx, row, in, byTheClock(decide(in), tx.Ahead()))
	})
	if err == nil || errors.Is(err, boardwatch.ErrLeaseLost) {
		s.driver.Spent(l)
	}
	return wrap("save check of board "+c.Board.ID, err)
}

func (s *Store) checkInput(
	ctx context.Context, tx Tx, row boardRow, c boardwatch.Claim,
) (boardwatch.CheckInput, error) {
	in := boardwatch.CheckInput{}
	var err error
	if in.Board, err = row.board(); err != nil {
		return in, err
	}
	if in.Known, err = knownJobs(ctx, tx, s.dialect, row, c); err != nil {
		return in, err
	}
	if in.Subscribers, err = activeSubscribers(ctx, tx, row.ID); err != nil {
		return in, err
	}
	if in.Webhooks, err = s.webhooksOf(ctx, tx, row.ID, in.Subscribers); err != nil {
		return in, err
	}
	if in.Listeners, err = s.listenersOf(ctx, tx, row.ID); err != nil {
		return in, err
	}
	in.Fold = folded
	// Two checks of a board never have the same stamp: whether a job was in the last healthy one is told by comparing.
	in.Now, err = tx.Stamp(ctx, in.Board.State.LastCheckedAt)
	return in, err
}

func (s *Store) saveResult(
	ctx context.Context, tx Tx, before boardRow, in boardwatch.CheckInput, r boardwatch.CheckResult,
) error {
	if err := saveJobs(ctx, tx, r); err != nil {
		return err
	}
	repeat := r.Check.Repeating(in.Board.State)
	if !repeat {
		if err := saveHistory(ctx, tx, before, r); err != nil {
			return err
		}
	}
	if err := saveDeliveries(ctx, tx, r.Payloads, r.Deliveries); err != nil {
		return err
	}
	return s.saveBoard(ctx, tx, before, r.Board, repeat)
}

func (s *Store) saveBoard(ctx context.Context, tx Tx, before boardRow, b boardwatch.Board, repeat bool) error {
	row, err := newBoardRow(b)
	if err != nil {
		return err
	}
	streak := 0
	if repeat {
		streak = before.Streak + 1
	}
	if before.Cadence == 0 {
		b.NextCheckAt = time.Time{} // nobody tracks it any more
	}
	_, err = tx.Exec(ctx, `UPDATE boards SET url = ?, company = ?, domain = ?, status = ?, open_jobs = ?,
		closed_jobs = ?, next_check_at = ?, health = ?, last_checked_at = ?, last_success_at = ?, sick_since = ?,
		missing = ?, fingerprint = ?, set_hash = ?, state = ?, recipe = ?, streak = ?, version = version + 1`+s.dialect.EndLease+`
		WHERE id = ?`,
		row.URL, row.Company, row.Domain, string(row.Status), row.OpenJobs, row.ClosedJobs, nullMillis(b.NextCheckAt),
		string(row.Health), row.LastCheckedAt, row.LastSuccessAt, row.SickSince, row.Missing, row.Fingerprint, row.SetHash,
		row.State, row.Recipe, streak, row.ID)
	return wrap("save board", err)
}

// saveHistory ends the run of checks that changed nothing and adds the new check and its changes.
func saveHistory(ctx context.Context, tx Tx, before boardRow, r boardwatch.CheckResult) error {
	if err := endRun(ctx, tx, before); err != nil {
		return err
	}
	return saveEntry(ctx, tx, r.Check, r.RoleEvents())
}

// endRun adds the checks that changed nothing to the last one that is noted.
func endRun(ctx context.Context, tx Tx, board boardRow) error {
	if board.Streak == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE checks SET repeats = repeats + ?, last_at = ?
		WHERE seq = (SELECT max(seq) FROM checks WHERE board_id = ?)`, board.Streak, board.LastCheckedAt, board.ID)
	return wrap("save end of run", err)
}

// saveEntry notes a check and what it changed about roles.
func saveEntry(ctx context.Context, tx Tx, c boardwatch.Check, events []boardwatch.RoleEvent) error {
	err := insert(ctx, tx, "checks", `id, board_id, at, health, cause, reason, blocked_by, open_jobs, found, reopened, closed,
		updated, missed, requests, first_reading, repeats, last_at, event`, [][]any{{
		c.ID, c.BoardID, millis(c.At), string(c.Health), string(c.Cause), plain(c.Reason), plain(c.BlockedBy), c.OpenJobs, c.Found,
		c.Reopened, c.Closed, c.Updated, c.Missed, c.Requests, c.First, c.Repeats, millis(c.LastAt), string(c.Event),
	}})
	if err != nil {
		return fmt.Errorf("save history: %w", err)
	}
	return saveRoleEvents(ctx, tx, c.BoardID, events)
}

// History lists a board's checks, newest first; runs of checks that changed nothing are one entry.
func (s *Store) History(ctx context.Context, boardID string, limit int) ([]boardwatch.Check, error) {
	b, err := s.findBoard(ctx, s.db(), boardID, "")
	if err != nil {
		return nil, err
	}
	var rows []checkRow
	err = s.db().NewSelect().Model(&rows).Where("c.board_id = ?", b.ID).Order("c.seq DESC").Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read history of board %s: %w", b.ID, err)
	}
	out := make([]boardwatch.Check, len(rows))
	for i, r := range rows {
		out[i] = boardwatch.Check{
			ID: r.ID, BoardID: r.BoardID, At: instant(r.At), Health: r.Health, Cause: r.Cause, Reason: r.Reason, BlockedBy: r.BlockedBy,
			OpenJobs: r.OpenJobs, Found: r.Found, Reopened: r.Reopened, Closed: r.Closed, Updated: r.Updated, Missed: r.Missed,
			Requests: r.Requests, First: r.First, Repeats: r.Repeats, LastAt: instant(r.LastAt), Event: r.Event,
		}
	}
	if len(out) > 0 && b.Streak > 0 {
		out[0].Repeats += b.Streak
		out[0].LastAt = instant(b.LastCheckedAt)
	}
	return out, nil
}
