package storage

import (
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

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
