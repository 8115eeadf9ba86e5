package storage

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// jobRow is a row of jobs. LastSeenAt is NULL while the job moves along with its board's last healthy check.
type jobRow struct {
	bun.BaseModel `bun:"table:jobs,alias:j"`

	Seq          int64         `bun:"seq,pk,autoincrement"`
	ID           string        `bun:"id"`
	BoardID      string        `bun:"board_id"`
	Key          string        `bun:"job_key"`
	Title        string        `bun:"title"`
	TitleFold    string        `bun:"title_fold"`
	Location     string        `bun:"location"`
	LocationFold string        `bun:"location_fold"`
	Department   string        `bun:"department"`
	URL          string        `bun:"url"`
	Status       int           `bun:"status"`
	Misses       int           `bun:"misses"`
	FirstSeenAt  int64         `bun:"first_seen_at"`
	LastSeenAt   sql.NullInt64 `bun:"last_seen_at"`
	ClosedAt     int64         `bun:"closed_at,nullzero"`
}

const (
	statusOpen   = 0
	statusClosed = 1
)

const jobColumns = `id, board_id, job_key, title, location, department, url, status, misses, first_seen_at, last_seen_at,
	closed_at`

// scanJob reads jobColumns. lastSuccess gives the board's last healthy check.
func scanJob(rows *sql.Rows, lastSuccess func(boardID string) int64) (boardwatch.Job, error) {
	var j boardwatch.Job
	var status int
	var first int64
	var last, closed sql.NullInt64
	err := rows.Scan(&j.ID, &j.BoardID, &j.Key, &j.Title, &j.Location, &j.Department, &j.URL, &status, &j.Misses, &first,
		&last, &closed)
	if err != nil {
		return j, err
	}
	j.Status = boardwatch.JobOpen
	if status == statusClosed {
		j.Status = boardwatch.JobClosed
	}
	if !last.Valid {
		last.Int64 = lastSuccess(j.BoardID)
	}
	j.FirstSeenAt, j.LastSeenAt, j.ClosedAt = instant(first), instant(last.Int64), instant(closed.Int64)
	return j, nil
}

// knownJobs are all jobs of a board.
func knownJobs(ctx context.Context, tx Tx, board boardRow) ([]boardwatch.Job, error) {
	rows, err := tx.QueryContext(ctx, "SELECT "+jobColumns+" FROM jobs WHERE board_id = ?", board.ID)
	if err != nil {
		return nil, fmt.Errorf("read known jobs: %w", err)
	}
	defer rows.Close()
	jobs := make([]boardwatch.Job, 0, board.OpenJobs+board.ClosedJobs)
	for rows.Next() {
		j, err := scanJob(rows, func(string) int64 { return board.LastSuccessAt })
		if err != nil {
			return nil, fmt.Errorf("read known jobs: %w", err)
		}
		jobs = append(jobs, j)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read known jobs: %w", err)
	}
	return jobs, nil
}

// saveJobs writes the jobs that a check changed.
func saveJobs(ctx context.Context, tx Tx, r boardwatch.CheckResult) error {
	c := r.Change
	rows := make([]jobRow, 0, len(c.Found)+len(c.Reopened)+len(c.Closed)+len(c.Updated)+len(c.Touched))
	for _, jobs := range [][]boardwatch.Job{c.Found, c.Reopened, c.Closed, c.Updated, c.Touched} {
		for _, j := range jobs {
			rows = append(rows, newJobRow(j, r.Check))
		}
	}
	const most = 200
	for some := range slices.Chunk(rows, most) {
		_, err := tx.NewInsert().Model(&some).Returning("NULL").On("CONFLICT (id) DO UPDATE").
			Set("job_key = EXCLUDED.job_key").
			Set("title = EXCLUDED.title").Set("title_fold = EXCLUDED.title_fold").
			Set("location = EXCLUDED.location").Set("location_fold = EXCLUDED.location_fold").
			Set("department = EXCLUDED.department").Set("url = EXCLUDED.url").
			Set("status = EXCLUDED.status").Set("misses = EXCLUDED.misses").
			Set("last_seen_at = EXCLUDED.last_seen_at").Set("closed_at = EXCLUDED.closed_at").
			Exec(ctx)
		if err != nil {
			return fmt.Errorf("save jobs: %w", err)
		}
	}
	return nil
}

func newJobRow(j boardwatch.Job, c boardwatch.Check) jobRow {
	row := jobRow{
		ID: j.ID, BoardID: c.BoardID, Key: plain(j.Key), Title: plain(j.Title), TitleFold: foldTo(plain(j.Title), maxTitleFold),
		Location: plain(j.Location), LocationFold: foldTo(plain(j.Location), maxLocationFold), Department: plain(j.Department),
		URL: plain(j.URL), Status: statusOpen, Misses: j.Misses, FirstSeenAt: millis(j.FirstSeenAt),
		LastSeenAt: sql.NullInt64{Int64: millis(j.LastSeenAt), Valid: true}, ClosedAt: millis(j.ClosedAt),
	}
	if j.Status == boardwatch.JobClosed {
		row.Status = statusClosed
	}
	if c.Health == boardwatch.HealthOK && j.LastSeenAt.Equal(c.At) {
		row.LastSeenAt = sql.NullInt64{} // seen by the last healthy check, whichever that is from now on
	}
	return row
}

// Jobs lists the jobs of the account's active boards.
func (s *Store) Jobs(ctx context.Context, accountID string, f boardwatch.JobFilter) (boardwatch.JobPage, error) {
	horizon, err := s.driver.Horizon(ctx) // before anything is read
	if err != nil {
		return boardwatch.JobPage{}, wrap("list jobs", err)
	}
	page := boardwatch.JobPage{Jobs: []boardwatch.Job{}, PolledAt: horizon}
	boards, err := s.visibleBoards(ctx, accountID, f.BoardID)
	if err != nil || len(boards) == 0 {
		return page, wrap("list jobs", err)
	}
	q := newJobQuery(boards, f, s.dialect)
	if page.Total, err = s.countJobs(ctx, q, boards, f); err != nil {
		return boardwatch.JobPage{}, wrap("list jobs", err)
	}
	if f.Skip >= page.Total {
		return page, nil
	}
	if page.Jobs, err = s.listJobs(ctx, q, boards, f); err != nil {
		return boardwatch.JobPage{}, wrap("list jobs", err)
	}
	return page, nil
}

// visibleBoard is what listing jobs needs to know of a board.
type visibleBoard struct {
	ID            string `bun:"id"`
	Company       string `bun:"company"`
	OpenJobs      int64  `bun:"open_jobs"`
	ClosedJobs    int64  `bun:"closed_jobs"`
	LastSuccessAt int64  `bun:"last_success_at"`
}

// visibleBoards are the account's active boards, or the one of them that is asked for.
func (s *Store) visibleBoards(ctx context.Context, accountID, boardID string) (map[string]visibleBoard, error) {
	query := `SELECT b.id, CASE WHEN b.company <> '' THEN b.company ELSE s.company_name END AS company,
		b.open_jobs, b.closed_jobs, b.last_success_at
		FROM subscriptions AS s JOIN boards AS b ON b.id = s.board_id
		WHERE s.account_id = ? AND NOT s.locked`
	args := []any{plain(accountID)}
	if boardID != "" {
		id, err := survivor(ctx, s.db(), boardID)
		if err != nil {
			return nil, err
		}
		query += " AND s.board_id = ?"
		args = append(args, plain(id))
	}
	var rows []visibleBoard
	if err := s.db().NewRaw(query, args...).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("read boards of account: %w", err)
	}
	boards := make(map[string]visibleBoard, len(rows))
	for _, r := range rows {
		boards[r.ID] = r
	}
	return boards, nil
}

// jobQuery is the condition that chooses jobs. It names columns of the index jobs_list only, so that neither counting
// nor sorting touches a row of the table.
type jobQuery struct {
	where string
	args  []any
	// counted says that the boards' own counters are the total.
	counted bool
}

func newJobQuery(boards map[string]visibleBoard, f boardwatch.JobFilter, d Dialect) jobQuery {
	ids := make([]string, 0, len(boards))
	for id := range boards {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	statuses := []int{statusOpen, statusClosed}
	switch f.Status {
	case boardwatch.JobOpen:
		statuses = statuses[:1]
	case boardwatch.JobClosed:
		statuses = statuses[1:]
	}
	conditions := []string{"board_id IN (?)", "status IN (?)"}
	q := jobQuery{args: []any{bun.In(ids), bun.In(statuses)}, counted: true}
	add := func(condition string, arg any) {
		conditions = append(conditions, condition)
		q.args = append(q.args, arg)
		q.counted = false
	}
	if !f.AddedAfter.IsZero() {
		add("first_seen_at > ?", f.AddedAfter.UnixMilli())
	}
	if word := Fold(plain(f.Search)); word != "" {
		add(d.Position+"(title_fold, ?) > 0", word)
	}
	if word := Fold(plain(f.Location)); word != "" {
		add(d.Position+"(location_fold, ?) > 0", word)
	}
	q.where = strings.Join(conditions, " AND ")
	return q
}

func (s *Store) countJobs(
	ctx context.Context, q jobQuery, boards map[string]visibleBoard, f boardwatch.JobFilter,
) (int64, error) {
	var total int64
	if q.counted {
		for _, b := range boards {
			if f.Status != boardwatch.JobClosed {
				total += b.OpenJobs
			}
			if f.Status != boardwatch.JobOpen {
				total += b.ClosedJobs
			}
		}
		return total, nil
	}
	err := s.db().QueryRowContext(ctx, "SELECT count(*) FROM jobs WHERE "+q.where, q.args...).Scan(&total)
	return total, wrap("count", err)
}

// listJobs finds the page's rows in the index first and then reads only these.
func (s *Store) listJobs(
	ctx context.Context, q jobQuery, boards map[string]visibleBoard, f boardwatch.JobFilter,
) ([]boardwatch.Job, error) {
	limit := f.Limit
	if limit <= 0 {
		limit = 50
	}
	rows, err := s.db().QueryContext(ctx, `SELECT `+jobColumns+` FROM jobs WHERE id IN (
		SELECT id FROM jobs WHERE `+q.where+` ORDER BY first_seen_at DESC, id DESC LIMIT ? OFFSET ?
		) ORDER BY first_seen_at DESC, id DESC`, append(slices.Clone(q.args), limit, f.Skip)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	jobs := make([]boardwatch.Job, 0, limit)
	for rows.Next() {
		j, err := scanJob(rows, func(boardID string) int64 { return boards[boardID].LastSuccessAt })
		if err != nil {
			return nil, err
		}
		j.Company = boards[j.BoardID].Company
		jobs = append(jobs, j)
	}
	return jobs, rows.Err()
}
