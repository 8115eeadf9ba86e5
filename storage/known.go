package storage

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
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

// withClosed adds the closed jobs that are listed according to the claim.
func withClosed(
	ctx context.Context, tx Tx, d Dialect, board boardRow, c boardwatch.Claim, open []boardwatch.Job,
) ([]boardwatch.Job, error) {
	if c.Unchanged || c.Listed == nil || board.ClosedJobs == 0 {
		return open, nil
	}
	known := make(map[string]bool, len(open))
	for _, j := range open {
		known[j.Key] = true
	}
	var back []any // keys that may belong to closed jobs
	for _, key := range c.Listed {
		if key = plain(key); !known[key] {
			known[key] = true
			back = append(back, key)
		}
	}
	for _, size := range batches {
		condition := "status = 1 AND job_key IN (?" + strings.Repeat(", ?", size-1) + ")"
		for len(back) >= size {
			closed, err := readJobs(ctx, tx, d, board, condition, back[:size]...)
			if err != nil {
				return nil, err
			}
			open, back = append(open, closed...), back[size:]
		}
	}
	return open, nil
}

// readJobs reads jobs of a board.
func readJobs(ctx context.Context, tx Tx, d Dialect, board boardRow, condition string, args ...any) ([]boardwatch.Job, error) {
	var text string
	if err := tx.Ask(ctx, []Question{jobsQuestion(d, board.ID, condition, args, &text)}); err != nil {
		return nil, fmt.Errorf("read known jobs: %w", err)
	}
	return parseJobs(text, board)
}

// jobsQuestion reads jobs of a board as one text, because a column costs a driver more than its content.
func jobsQuestion(d Dialect, boardID, condition string, args []any, text *string) Question {
	query := `SELECT COALESCE(` + d.Join + `(concat_ws(` + d.Char + `(31), id, job_key, title, location,
		department, url, status, misses, first_seen_at, COALESCE(last_seen_at, 0), COALESCE(closed_at, 0)), ` + d.Char + `(30)), '')
		FROM jobs WHERE board_id = ? AND ` + condition
	return Question{Statement{query, append([]any{boardID}, args...)}, func(rows Rows) error {
		for rows.Next() {
			if err := rows.Scan(text); err != nil {
				return err
			}
		}
		return rows.Err()
	}}
}

// parseJobs is the reverse of the text that jobsQuestion reads.
func parseJobs(text string, board boardRow) ([]boardwatch.Job, error) {
	jobs := make([]boardwatch.Job, 0, strings.Count(text, rowMark)+1)
	for row := range strings.SplitSeq(text, rowMark) {
		if row == "" {
			continue
		}
		j, err := parseJob(row, board)
		if err != nil {
			return nil, fmt.Errorf("read known jobs: %w", err)
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// parseJob reads one job.
func parseJob(row string, board boardRow) (boardwatch.Job, error) {
	j := boardwatch.Job{BoardID: board.ID, Status: boardwatch.JobOpen}
	for _, field := range []*string{&j.ID, &j.Key, &j.Title, &j.Location, &j.Department, &j.URL} {
		*field, row, _ = strings.Cut(row, fieldMark)
	}
	var n [5]int64
	for i := range n {
		var number string
		var err error
		number, row, _ = strings.Cut(row, fieldMark)
		if n[i], err = strconv.ParseInt(number, 10, 64); err != nil {
			return j, fmt.Errorf("job %s: %w", j.ID, err)
		}
	}
	if n[0] == statusClosed {
		j.Status = boardwatch.JobClosed
	}
	if n[3] == 0 {
		n[3] = board.LastSuccessAt
	}
	j.Misses, j.FirstSeenAt, j.LastSeenAt, j.ClosedAt = int(n[1]), instant(n[2]), instant(n[3]), instant(n[4])
	return j, nil
}
