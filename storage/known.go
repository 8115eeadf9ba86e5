package storage

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// knownJobs are the jobs that a check of the board is decided on. Boards have far more closed jobs than open ones after a
// while, and few of them ever come back, so only those are read that the claim says are listed.
func knownJobs(ctx context.Context, tx Tx, d Dialect, board boardRow, c boardwatch.Claim) ([]boardwatch.Job, error) {
	switch {
	case c.Unchanged: // as in the index jobs_missing
		return readJobs(ctx, tx, d, board, board.Missing, "status = 0 AND last_seen_at IS NOT NULL")
	case c.Listed == nil:
		return readJobs(ctx, tx, d, board, board.OpenJobs+board.ClosedJobs, "status IN (0, 1)")
	}
	open, err := readJobs(ctx, tx, d, board, board.OpenJobs+4, "status = 0")
	if err != nil || board.ClosedJobs == 0 {
		return open, err
	}
	known := make(map[string]bool, len(open))
	for _, j := range open {
		known[j.Key] = true
	}
	var back []any // keys that may be those of closed jobs
	for _, key := range c.Listed {
		if key = plain(key); !known[key] {
			known[key] = true
			back = append(back, key)
		}
	}
	for _, size := range batches {
		condition := "status = 1 AND job_key IN (?" + strings.Repeat(", ?", size-1) + ")"
		for len(back) >= size {
			closed, err := readJobs(ctx, tx, d, board, 0, condition, back[:size]...)
			if err != nil {
				return nil, err
			}
			open, back = append(open, closed...), back[size:]
		}
	}
	return open, nil
}

// readJobs reads about n jobs of a board as one text: for a driver, a column of a row costs more than what is in it.
func readJobs(
	ctx context.Context, tx Tx, d Dialect, board boardRow, n int, condition string, args ...any,
) ([]boardwatch.Job, error) {
	rows, err := tx.Query(ctx, `SELECT COALESCE(`+d.Join+`(concat_ws(`+d.Char+`(31), id, job_key, title, location,
		department, url, status, misses, first_seen_at, COALESCE(last_seen_at, 0), COALESCE(closed_at, 0)), `+d.Char+`(30)), '')
		FROM jobs WHERE board_id = ? AND `+condition, append([]any{board.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read known jobs: %w", err)
	}
	defer rows.Close()
	var text string
	for rows.Next() {
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("read known jobs: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read known jobs: %w", err)
	}
	jobs := make([]boardwatch.Job, 0, n)
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

// parseJob is the reverse of the text that readJobs reads.
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
