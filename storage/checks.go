package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// checkRecord is a row of checks: one check, and how many followed that changed nothing.
func checkRecord(c *boardwatch.Check) record {
	return newRecord("checks", "c",
		col("id", &c.ID), col("board_id", &c.BoardID), col("at", moment(&c.At)), col("health", &c.Health), col("cause", &c.Cause), col("reason", &c.Reason),
		col("blocked_by", &c.BlockedBy), col("open_jobs", &c.OpenJobs), col("found", &c.Found), col("reopened", &c.Reopened), col("closed", &c.Closed),
		col("updated", &c.Updated), col("missed", &c.Missed), col("requests", &c.Requests), col("first_reading", &c.First), col("repeats", &c.Repeats),
		col("last_at", moment(&c.LastAt)), col("event", &c.Event),
	)
}

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
	packed, err := s.packAhead(ctx, c)
	if err != nil {
		return wrap("save check of board "+c.Board.ID, err)
	}
	err = s.driver.WriteCheck(ctx, func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
		row, in, pays, err := s.checkInput(ctx, tx, c, version, packed)
		if err != nil {
			return nil, err
		}
		texts := textReader{ask: tx, packed: packed}
		in.HasWords = func(j boardwatch.Job, words string) bool { return texts.hasWords(ctx, j, words) }
		r := byTheClock(decide(in), tx.Ahead())
		if texts.err != nil {
			return nil, texts.err
		}
		todo, err := s.resultScript(row, in, r, packed)
		todo.saveGrowth(pays, r.Grown, in.Now)
		return todo, err
	})
	if err == nil || errors.Is(err, boardwatch.ErrLeaseLost) {
		s.driver.Spent(l)
	}
	return wrap("save check of board "+c.Board.ID, err)
}

// checkInput locks the board and reads what is known about it. What does not depend on other answers is asked first, and
// the rest, which is rarely needed, after that.
func (s *Store) checkInput(
	ctx context.Context, tx driver.CheckTx, c boardwatch.Claim, version int64, packed packedTexts,
) (row boardRow, in boardwatch.CheckInput, pays payer, err error) {
	var hooks []webhookRow
	first := []driver.Question{
		s.lockBoard(c.Board.ID, &row),
		jobsQuestion(c.Board.ID, knownFirst(c), nil, &row, &in.Known),
		activeSubscribers(c.Board.ID, &in.Subscribers),
		s.enabledHooks(c.Board.ID, &hooks),
	}
	grown := make(map[string]Growth)
	byOperator := c.Demand.BoardID != "" && c.Demand.AccountID == ""
	limited := s.growth > 0 && !c.Unchanged && !byOperator
	if limited {
		first = append(first, growthOf(c.Board.ID, grown))
	}
	if err = tx.Ask(ctx, first); err != nil {
		return row, in, pays, wrap("read what is known", err)
	}
	if row.ID == "" || row.Version != version {
		return row, in, pays, boardwatch.ErrLeaseLost
	}
	in.Board = row.Board
	in.Webhooks = s.webhooksOf(hooks, in.Subscribers)
	var more []driver.Question
	in.Listeners, more = listenersOf(row.ID, hooks)
	more = append(more, closedListed(&row, c, &in.Known)...)
	if limited {
		if pays = payerOf(in.Subscribers, grown, c.At); pays.accountID != "" {
			more = append(more, pays.lockGrowth())
		}
	}
	if err := tx.Ask(ctx, more); err != nil {
		return row, in, pays, wrap("read what is known", err)
	}
	in.Fold, in.Weigh = folded, packed.weigh
	// Two checks of a board must never have the same stamp: comparing stamps shows whether a job was in the last
	// healthy check.
	in.Now, err = tx.Stamp(ctx, in.Board.State.LastCheckedAt)
	if limited {
		room := 0 // for a board that nobody tracks any more
		if pays.accountID != "" {
			room = s.growth - pays.growth.Sum(in.Now)
		}
		in.Room, in.Reserve = &room, s.growth/2
	}
	return row, in, pays, err
}

// resultScript returns the statements that save what a check changes.
func (s *Store) resultScript(before boardRow, in boardwatch.CheckInput, r boardwatch.CheckResult, packed packedTexts) (script, error) {
	var todo script
	todo.saveJobs(in.Known, r)
	if err := s.saveStated(&todo, in.Known, r, packed); err != nil {
		return nil, err
	}
	repeat := r.Check.Repeating(in.Board.State)
	if !repeat {
		if err := todo.saveHistory(before, r); err != nil {
			return nil, err
		}
	}
	todo.saveDeliveries(r.Payloads, r.Deliveries)
	return todo, s.saveBoard(&todo, before, r.Board, repeat)
}

func (s *Store) saveBoard(todo *script, before boardRow, b boardwatch.Board, repeat bool) error {
	state, err := stateText(b.State)
	if err != nil {
		return err
	}
	row := boardRow{Board: b}
	if repeat {
		row.Streak = before.Streak + 1
	}
	if before.Cadence == 0 {
		row.NextCheckAt = time.Time{} // nobody tracks it anymore
	}
	set, args := boardRecord(&row).set("url", "company", "domain", "status", "open_jobs", "closed_jobs", "next_check_at", "health",
		"last_checked_at", "last_success_at", "sick_since", "well_since", "missing", "fingerprint", "set_hash", "recipe", "streak")
	todo.add("UPDATE boards SET "+set+", state = ?, version = version + 1"+s.dialect.EndLease+" WHERE id = ?", append(args, state, b.ID)...)
	return nil
}

// saveHistory ends the run of checks without changes and adds the new check and its changes.
func (s *script) saveHistory(before boardRow, r boardwatch.CheckResult) error {
	s.endRun(before)
	return s.saveEntry(r.Check, r.RoleEvents())
}

// endRun adds the checks without changes to the last check on record.
func (s *script) endRun(board boardRow) {
	if board.Streak == 0 {
		return
	}
	s.add(`UPDATE checks SET repeats = repeats + ?, last_at = ?
		WHERE seq = (SELECT max(seq) FROM checks WHERE board_id = ?)`, board.Streak, millis(board.State.LastCheckedAt), board.ID)
}

// saveEntry records a check and its changes to roles.
func (s *script) saveEntry(c boardwatch.Check, events []boardwatch.RoleEvent) error {
	s.insertRow(checkRecord(&c))
	return s.saveRoleEvents(c.BoardID, events)
}

func (s *Store) History(ctx context.Context, boardID string, limit int) ([]boardwatch.Check, error) {
	b, err := s.findBoard(ctx, s.db(), boardID, "")
	if err != nil {
		return nil, err
	}
	out, err := readRows(ctx, s.db(), checkRecord, "WHERE c.board_id = ? ORDER BY c.seq DESC LIMIT ?", b.ID, limit)
	if err != nil {
		return nil, fmt.Errorf("read history of board %s: %w", b.ID, err)
	}
	if len(out) > 0 && b.Streak > 0 {
		out[0].Repeats += b.Streak
		out[0].LastAt = b.State.LastCheckedAt
	}
	return out, nil
}

// knownFirst returns the condition for the jobs that are always needed to decide on a check of the claim. After a while
// boards have far more closed jobs than open ones, and few of them ever come back, so the closed ones are included only
// if the claim does not say what is listed.
func knownFirst(c boardwatch.Claim) string {
	switch {
	case c.Unchanged: // as in the index jobs_missing
		return "status = 0 AND last_seen_at IS NOT NULL"
	case c.Listed == nil:
		return "status IN (0, 1)"
	}
	return "status = 0"
}

// closedListed asks for the closed jobs that may be among those that are listed according to the claim, and adds them to
// the open ones: those with a listed key, and those that closed so recently that they may be listed under another.
func closedListed(board *boardRow, c boardwatch.Claim, known *[]boardwatch.Job) (questions []driver.Question) {
	if c.Unchanged || c.Listed == nil || board.ClosedJobs == 0 {
		return nil
	}
	met := make(map[string]bool, len(*known))
	for _, j := range *known {
		met[j.Key] = true
	}
	var back []any // keys that may belong to closed jobs
	for _, key := range c.Listed {
		if key = plain(key); !met[key] {
			met[key] = true
			back = append(back, key)
		}
	}
	if len(back) == 0 {
		return nil
	}
	since := c.At.Add(-boardwatch.ReopenWithin).UnixMilli()
	questions = append(questions, jobsQuestion(board.ID, "status = 1 AND closed_at > ?", []any{since}, board, known))
	for _, size := range batches {
		condition := "status = 1 AND closed_at <= ? AND job_key IN (?" + strings.Repeat(", ?", size-1) + ")"
		for len(back) >= size {
			questions = append(questions, jobsQuestion(board.ID, condition, append([]any{since}, back[:size]...), board, known))
			back = back[size:]
		}
	}
	return questions
}

// jobsQuestion adds jobs of a board to a list. The row of the board may be read by an earlier question.
func jobsQuestion(boardID, condition string, args []any, board *boardRow, jobs *[]boardwatch.Job) driver.Question {
	query := "SELECT " + jobColumns() + " FROM jobs WHERE board_id = ? AND " + condition
	each, to := jobReader(func(string) time.Time { return board.State.LastSuccessAt }, func(j boardwatch.Job) { *jobs = append(*jobs, j) })
	return driver.Ask(query, append([]any{boardID}, args...), each, to...)
}
