package storage

import (
	"fmt"
	"slices"
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

// closedListed asks for the closed jobs that may be among those that are listed according to the claim, and adds them to
// the open ones: those with a listed key, and those that closed so recently that they may be listed under another.
func closedListed(d Dialect, board *boardRow, c boardwatch.Claim, known *[]boardwatch.Job) (questions []Question) {
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
	questions = append(questions, jobsQuestion(d, board.ID, "status = 1 AND closed_at > ?", []any{since}, board, known))
	for _, size := range batches {
		condition := "status = 1 AND closed_at <= ? AND job_key IN (?" + strings.Repeat(", ?", size-1) + ")"
		for len(back) >= size {
			questions = append(questions, jobsQuestion(d, board.ID, condition, append([]any{since}, back[:size]...), board, known))
			back = back[size:]
		}
	}
	return questions
}

// jobsQuestion adds jobs of a board to a list. It reads them as one text, because a column costs a driver more than its
// content. The row of the board may be read by an earlier question.
func jobsQuestion(
	d Dialect, boardID, condition string, args []any, board *boardRow, jobs *[]boardwatch.Job,
) Question {
	query := `SELECT COALESCE(` + d.Join + `(concat_ws(` + d.Char + `(31), id, job_key, title, location,
		department, url, testimony, facts, text_hash, status, misses, first_seen_at, COALESCE(last_seen_at, 0), COALESCE(closed_at, 0), missed_since,
		mass_loss), ` + d.Char + `(30)), '')
		FROM jobs WHERE board_id = ? AND ` + condition
	return Question{Statement{query, append([]any{boardID}, args...)}, func(rows Rows) (err error) {
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			if *jobs, err = parseJobs(*jobs, text, *board); err != nil {
				return err
			}
		}
		return rows.Err()
	}}
}

// parseJobs is the reverse of the text that jobsQuestion reads. It adds to a list.
func parseJobs(jobs []boardwatch.Job, text string, board boardRow) ([]boardwatch.Job, error) {
	if text == "" {
		return jobs, nil
	}
	jobs = slices.Grow(jobs, strings.Count(text, rowMark)+1)
	for row := range strings.SplitSeq(text, rowMark) {
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
	var testimony, facts string
	for _, field := range []*string{&j.ID, &j.Key, &j.Title, &j.Location, &j.Department, &j.URL, &testimony, &facts, &j.TextHash} {
		*field, row, _ = strings.Cut(row, fieldMark)
	}
	var err error
	if j.Facts, err = parseFacts(facts); err != nil {
		return j, fmt.Errorf("job %s: %w", j.ID, err)
	}
	var n [7]int64
	for i := range n {
		var number string
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
	j.MissedSince, j.MassLoss, j.Testimony = instant(n[5]), n[6] > 0, boardwatch.Testimony(testimony)
	return j, nil
}
