package storage

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

const (
	statusOpen   = 0
	statusClosed = 1
)

// jobRecord is a row of jobs, as it is read; insertJobs, updateJobs, touchJobs and saveStated write what a check changed. Its last_seen_at is NULL while the job was seen by its board's last healthy check.
func jobRecord(j *boardwatch.Job) record {
	status := stored[int]{func() int { return statusOf(*j) }, func(n int) error {
		if j.Status = boardwatch.JobOpen; n == statusClosed {
			j.Status = boardwatch.JobClosed
		}
		return nil
	}}
	massLoss := stored[int64]{nil, func(ms int64) error { j.MassLoss = ms > 0; return nil }}
	facts := stored[string]{nil, func(text string) (err error) { j.Facts, err = parseFacts(text); return err }}
	return newRecord("jobs", "",
		col("id", &j.ID), col("board_id", &j.BoardID), col("job_key", &j.Key), col("title", &j.Title), col("location", &j.Location),
		col("department", &j.Department), col("url", &j.URL), col("status", status), col("misses", &j.Misses), col("first_seen_at", moment(&j.FirstSeenAt)),
		col("last_seen_at", moment(&j.LastSeenAt)), col("closed_at", moment(&j.ClosedAt)), col("missed_since", moment(&j.MissedSince)),
		col("mass_loss", massLoss), col("testimony", &j.Testimony), col("facts", facts), col("text_hash", &j.TextHash),
	)
}

// jobColumns are the columns of jobRecord.
func jobColumns() string { return columns(jobRecord(new(boardwatch.Job))) }

// jobReader is how rows are read that have other columns, and then those of a job. lastSuccess gives the last healthy check of
// a board.
func jobReader(lastSuccess func(boardID string) time.Time, f func(j boardwatch.Job), before ...any) (each func() error, to []any) {
	j := new(boardwatch.Job)
	return func() error {
		next := *j
		if next.LastSeenAt.IsZero() {
			next.LastSeenAt = lastSuccess(next.BoardID)
		}
		f(next)
		return nil
	}, append(before, targets(jobRecord(j))...)
}

// queryJobs asks for jobs and reads the answer as jobReader says.
func queryJobs(
	ctx context.Context, db bun.IDB, boards map[string]listedBoard, f func(j boardwatch.Job, b listedBoard), before []any, query string, args ...any,
) error {
	lastSuccess := func(boardID string) time.Time { return boards[boardID].State.LastSuccessAt }
	each, to := jobReader(lastSuccess, func(j boardwatch.Job) {
		b := boards[j.BoardID]
		j.Company, j.BoardID = b.Company, cmp.Or(b.into, j.BoardID)
		f(b.sub.Sees(j), b)
	}, before...)
	return queryRows(ctx, db, to, each, query, args...)
}

// saveJobs writes the jobs that a check changed.
func (s *script) saveJobs(known []boardwatch.Job, r boardwatch.CheckResult) {
	success := r.Board.State.LastSuccessAt
	s.insertJobs(r.Change.Found, r.Board.ID, success)
	s.touchJobs(known, r.Change.Touched, success)
	s.closeJobs(r.Change.Closed, success)
	for _, jobs := range [][]boardwatch.Job{r.Change.Reopened, r.Change.Updated} {
		s.updateJobs(jobs, success)
	}
}

// touchJobs does not touch the largest index, nor that of the keys if they are unchanged.
func (s *script) touchJobs(known, touched []boardwatch.Job, success time.Time) {
	if len(touched) == 0 {
		return
	}
	keys := make(map[string]string, len(known))
	for _, j := range known {
		keys[j.ID] = j.Key
	}
	same := alike{}
	for _, j := range touched {
		if key := plain(j.Key); key != keys[j.ID] {
			s.add(`UPDATE jobs SET job_key = ?, url = ?, misses = ?, missed_since = ?, mass_loss = ?, testimony = ?, last_seen_at = ?
				WHERE id = ?`, append(append([]any{key, plain(j.URL)}, absence(j, success)...), j.ID)...)
			continue
		}
		same.add(j.ID, absence(j, success)...)
	}
	same.update(s, "UPDATE jobs SET misses = ?, missed_since = ?, mass_loss = ?, testimony = ?, last_seen_at = ?")
}

func (s *script) closeJobs(closed []boardwatch.Job, success time.Time) {
	same := alike{}
	for _, j := range closed {
		same.add(j.ID, append([]any{statusClosed, nullMillis(j.ClosedAt)}, absence(j, success)...)...)
	}
	same.update(s, `UPDATE jobs SET status = ?, closed_at = ?,
		misses = ?, missed_since = ?, mass_loss = ?, testimony = ?, last_seen_at = ?`)
}

// absence returns what is stored of a job's absence.
func absence(j boardwatch.Job, success time.Time) []any {
	massLoss := 0
	if j.MassLoss {
		massLoss = 1
	}
	return []any{j.Misses, millis(j.MissedSince), massLoss, string(j.Testimony), lastSeen(j, success)}
}

// alike are rows that get the same values, as most roles do that a check misses.
type alike []alikeRows

type alikeRows struct {
	values []any
	ids    [][]any
}

func (a *alike) add(id string, values ...any) {
	i := slices.IndexFunc(*a, func(g alikeRows) bool { return slices.Equal(g.values, values) })
	if i < 0 {
		i, *a = len(*a), append(*a, alikeRows{values: values})
	}
	(*a)[i].ids = append((*a)[i].ids, []any{id})
}

// update sets the values that a statement has placeholders for.
func (a alike) update(s *script, statement string) {
	for _, g := range a {
		from := len(*s)
		s.inBatches(g.ids, "?", statement+" WHERE id IN (", ")")
		for i := range (*s)[from:] {
			(*s)[from+i].Args = slices.Concat(g.values, (*s)[from+i].Args)
		}
	}
}

func (s *script) insertJobs(jobs []boardwatch.Job, boardID string, success time.Time) {
	rows := make([][]any, len(jobs))
	for i, j := range jobs {
		title, location := plain(j.Title), plain(j.Location)
		rows[i] = []any{
			j.ID, boardID, plain(j.Key), title, foldTo(title, maxTitleFold), location, foldTo(location, maxLocationFold),
			plain(j.Department), plain(j.URL), statusOf(j), j.Misses, millis(j.FirstSeenAt), lastSeen(j, success),
			nullMillis(j.ClosedAt), factsText(j.Facts), j.TextHash,
		}
	}
	s.insert("jobs", `id, board_id, job_key, title, title_fold, location, location_fold,
		department, url, status, misses, first_seen_at, last_seen_at, closed_at, facts, text_hash`, rows)
}

func (s *script) updateJobs(jobs []boardwatch.Job, success time.Time) {
	for _, j := range jobs {
		title, location := plain(j.Title), plain(j.Location)
		s.add(`UPDATE jobs SET job_key = ?, title = ?, title_fold = ?, location = ?, location_fold = ?,
			department = ?, url = ?, status = ?, closed_at = ?,
			misses = ?, missed_since = ?, mass_loss = ?, testimony = ?, last_seen_at = ? WHERE id = ?`,
			append(append([]any{
				plain(j.Key), title, foldTo(title, maxTitleFold), location, foldTo(location, maxLocationFold), plain(j.Department),
				plain(j.URL), statusOf(j), nullMillis(j.ClosedAt),
			}, absence(j, success)...), j.ID)...)
	}
}

func statusOf(j boardwatch.Job) int {
	if j.Status == boardwatch.JobClosed {
		return statusClosed
	}
	return statusOpen
}

// lastSeen returns the value stored for a job's LastSeenAt: NULL for an open job seen by its board's last healthy
// check, so that it follows the healthy checks to come.
func lastSeen(j boardwatch.Job, success time.Time) any {
	if j.Status == boardwatch.JobOpen && j.LastSeenAt.Equal(success) {
		return nil
	}
	return millis(j.LastSeenAt)
}

func (s *Store) Jobs(ctx context.Context, accountID string, f track.JobFilter) (track.JobPage, error) {
	page := track.JobPage{Jobs: []boardwatch.Job{}}
	var err error
	page.PolledAt, err = s.polled(ctx, "list jobs", func(ctx context.Context, db bun.IDB) error {
		boards, err := visibleBoards(ctx, db, accountID, f.BoardID)
		if err != nil || len(boards) == 0 {
			return err
		}
		only, err := narrow(ctx, db, boards, f.Only)
		if err != nil || len(boards) == 0 {
			return err
		}
		further, err := s.condition(ctx, db, keysOf(boards), only)
		if err != nil {
			return err
		}
		chosen, err := marked(ctx, db, plain(accountID), f.Marked)
		if err != nil {
			return err
		}
		q := newJobQuery(boards, f, further.with(chosen), s.dialect)
		return q.fill(ctx, db, &page, boards, f)
	})
	return page, err
}

// listedBoard is a board as an account sees it.
type listedBoard struct {
	boardwatch.Board // its id, company, address, numbers of jobs and last healthy check

	sub  boardwatch.Subscription // what the account sees of the board, and its tags
	into string                  // the board that this one has become; empty if it is itself
}

// becameTracked selects the boards that became one of the account's active boards while the account tracked them.
const becameTracked = `
		FROM former AS f JOIN boards AS b ON b.id = f.board_id JOIN aliases AS a ON a.id = f.board_id
			JOIN subscriptions AS s ON s.account_id = f.account_id AND s.board_id = a.board_id
		WHERE f.account_id = ?0 AND NOT s.locked`

// visibleBoards returns the account's active boards, or only the requested one, with those that became one of them while
// the account tracked them.
func visibleBoards(ctx context.Context, db bun.IDB, accountID, boardID string) (map[string]listedBoard, error) {
	const columns = `SELECT b.id, CASE WHEN b.company <> '' THEN b.company ELSE s.company_name END AS company, b.url,
		b.open_jobs, b.closed_jobs, b.last_success_at, s.tags, `
	query := columns + `s.as_of, s.since, s.open_then, '' AS into_id
		FROM subscriptions AS s JOIN boards AS b ON b.id = s.board_id
		WHERE s.account_id = ?0 AND NOT s.locked`
	became := columns + `0 AS as_of, 0 AS since, 0 AS open_then, s.board_id AS into_id` + becameTracked
	args := []any{plain(accountID)}
	if boardID != "" {
		id, err := survivor(ctx, db, boardID)
		if err != nil {
			return nil, err
		}
		query, became = query+" AND s.board_id = ?1", became+" AND s.board_id = ?1"
		args = append(args, plain(id))
	}
	boards := make(map[string]listedBoard)
	var b listedBoard
	err := queryRows(ctx, db, []any{
		&b.ID, &b.Company, &b.URL, &b.OpenJobs, &b.ClosedJobs, moment(&b.State.LastSuccessAt), entries(&b.sub.Tags),
		moment(&b.sub.AsOf), moment(&b.sub.Since), &b.sub.OpenThen, &b.into,
	}, func() error {
		b.sub.BoardID = b.ID
		boards[b.ID] = b
		return nil
	}, query+" UNION ALL "+became, args...)
	return boards, wrap("read boards of account", err)
}

// boardIDs returns the boards' ids in a fixed order, so that the same boards make the same query.
func boardIDs(boards map[string]listedBoard) bun.ListValues {
	return bun.List(slices.Sorted(maps.Keys(boards)))
}

// jobQuery is the condition that selects jobs. It names only columns of the index jobs_list, so that counting and
// sorting never touch the table.
type jobQuery struct {
	where string
	args  []any
	// counted means that the total is the sum of the boards' own counters.
	counted bool
	// once means that the condition costs more than the rows: they are found and counted by one query.
	once bool
	// seen is the expression for when the account first saw a job (boardwatch.Subscription.Sees), with its arguments.
	seen     string
	seenArgs []any
	// by is the expression that the list is sorted by, with its arguments; then by id.
	by        string
	byArgs    []any
	direction string
}

// firstSeen returns jobQuery.seen. Merges that move a subscription are rare; without any it is a column of the index.
func firstSeen(boards map[string]listedBoard) (seen string, args []any) {
	for _, id := range slices.Sorted(maps.Keys(boards)) {
		if at := millis(boards[id].sub.AsOf); at > 0 {
			args = append(args, id, at, at, at)
		}
	}
	if len(args) == 0 {
		return "first_seen_at", nil
	}
	const moved = " WHEN board_id = ? AND first_seen_at < ? AND (status = 0 OR closed_at > ?) THEN ?"
	return "CASE" + strings.Repeat(moved, len(args)/4) + " ELSE first_seen_at END", args
}

func newJobQuery(boards map[string]listedBoard, f track.JobFilter, further roleCondition, d driver.Dialect) jobQuery {
	statuses := []int{statusOpen, statusClosed}
	switch f.Status {
	case boardwatch.JobOpen:
		statuses = statuses[:1]
	case boardwatch.JobClosed:
		statuses = statuses[1:]
	}
	conditions := []string{"board_id IN (?)", "status IN (?)"}
	q := jobQuery{args: []any{boardIDs(boards), bun.List(statuses)}, counted: true}
	add := func(condition string, arg any) {
		conditions = append(conditions, condition)
		q.args = append(q.args, arg)
		q.counted = false
	}
	q.seen, q.seenArgs = firstSeen(boards)
	q.sort(f.Order)
	if !f.AddedAfter.IsZero() {
		q.args = append(q.args, q.seenArgs...)
		add(q.seen+" > ?", f.AddedAfter.UnixMilli())
	}
	if word := Fold(plain(f.Search)); word != "" {
		add(d.Position+"(title_fold, ?) > 0", word)
	}
	if word := Fold(plain(f.Location)); word != "" {
		add(d.Position+"(location_fold, ?) > 0", word)
	}
	if !further.empty() {
		q.args, q.counted = append(q.args, further.args...), false
	}
	q.once = f.Only.Words != ""
	q.where = strings.Join(conditions, " AND ") + further.and()
	return q
}

// sort sets the order of the list.
func (q *jobQuery) sort(by string) {
	by, reversed := strings.CutPrefix(by, track.OrderReversed)
	q.by = map[string]string{track.OrderTitle: "title_fold", track.OrderPlace: "location_fold"}[by]
	if q.by == "" { // the newest come first
		q.by, q.byArgs, reversed = q.seen, q.seenArgs, !reversed
	}
	if reversed {
		q.direction = " DESC"
	}
}

// page finds the rows of a page in the index first and then reads only these. If they are found once, each has the total before its
// columns.
func (q jobQuery) page(limit int, skip int64) (text string, args []any) {
	order := " ORDER BY found_by" + q.direction + ", found_id" + q.direction
	found, total := "SELECT id AS found_id, "+q.by+" AS found_by FROM jobs WHERE "+q.where, ""
	if q.once {
		text = "WITH found AS MATERIALIZED (" + found + ") "
		found, total = "SELECT * FROM found", "(SELECT count(*) FROM found), "
	}
	return text + "SELECT " + total + jobColumns() + " FROM (" + found + order + " LIMIT ? OFFSET ?) AS page JOIN jobs ON id = found_id" + order,
		slices.Concat(q.byArgs, q.args, []any{limit, skip})
}

func (q jobQuery) count() (text string, args []any) {
	return "SELECT count(*) FROM jobs WHERE " + q.where, q.args
}

// usualJobs is the default number of jobs on a page.
const usualJobs = 50

// fill reads a page and the total.
func (q jobQuery) fill(ctx context.Context, db bun.IDB, page *track.JobPage, boards map[string]listedBoard, f track.JobFilter) error {
	var before []any
	if q.once {
		before = []any{&page.Total}
	} else if err := q.total(ctx, db, page, boards, f.Status); err != nil || f.Skip >= page.Total {
		return err
	}
	text, args := q.page(cmp.Or(max(f.Limit, 0), usualJobs), f.Skip)
	err := queryJobs(ctx, db, boards, func(j boardwatch.Job, _ listedBoard) { page.Jobs = append(page.Jobs, j) }, before, text, args...)
	if err == nil && q.once && len(page.Jobs) == 0 && f.Skip > 0 { // no row has told the total
		return q.total(ctx, db, page, boards, f.Status)
	}
	return err
}

func (q jobQuery) total(
	ctx context.Context, db bun.IDB, page *track.JobPage, boards map[string]listedBoard, status boardwatch.JobStatus,
) error {
	if !q.counted {
		text, args := q.count()
		return wrap("count", db.QueryRowContext(ctx, text, args...).Scan(&page.Total))
	}
	for _, b := range boards {
		if status != boardwatch.JobClosed {
			page.Total += int64(b.OpenJobs)
		}
		if status != boardwatch.JobOpen {
			page.Total += int64(b.ClosedJobs)
		}
	}
	return nil
}

// readPage reads at most that many jobs of the boards.
func readPage(
	ctx context.Context, db bun.IDB, boards map[string]listedBoard, limit int, text string, args ...any,
) ([]boardwatch.Job, error) {
	jobs := make([]boardwatch.Job, 0, limit)
	err := queryJobs(ctx, db, boards, func(j boardwatch.Job, _ listedBoard) { jobs = append(jobs, j) }, nil, text, args...)
	return jobs, err
}

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
