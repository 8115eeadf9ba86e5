package storage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// The default sizes of a page of changes.
const (
	usualChanges     = 50
	usualChangedJobs = 20
)

// changedCheck selects checks that changed something. Its condition is that of the index checks_changed.
const changedCheck = "c.found + c.closed + c.updated > 0"

// newerThan selects what happened after a moment, but not before the account began to watch the board. It is a single bound,
// because SQLite uses only the first of two lower bounds to search an index.
func newerThan(after time.Time) string {
	return fmt.Sprintf("c.at >= CASE WHEN s.since > %d THEN s.since ELSE %d END", millis(after), millis(after)+1)
}

// changeRow is a check that changed something, or another change to what an account sees.
type changeRow struct {
	ID       string `bun:"id"`
	BoardID  string `bun:"board_id"`
	At       int64  `bun:"at"`
	Open     int    `bun:"open_jobs"`
	Found    int    `bun:"found"` // including reopened roles
	Reopened int    `bun:"reopened"`
	Closed   int    `bun:"closed"`
	Updated  int    `bun:"updated"`
	First    bool   `bun:"first_reading"`

	// The roles that were on the board when a merge moved the subscription to it; no check found them.
	Moved bool `bun:"-"`
	// The account began to watch a board that had been read before.
	Began bool `bun:"-"`
}

// changeColumns are the columns read from checks.
const changeColumns = "c.id, c.board_id, c.at, c.open_jobs, c.found, c.reopened, c.closed, c.updated, c.first_reading"

func (s *Store) Changes(ctx context.Context, accountID string, f track.ChangeFilter) (track.ChangePage, error) {
	var page track.ChangePage
	var err error
	page.PolledAt, err = s.polled(ctx, "list changes", func(ctx context.Context, db bun.IDB) error {
		boards, err := s.changeBoards(ctx, db, accountID, f.BoardID)
		if err != nil || len(boards) == 0 {
			return err
		}
		rows, more, err := changesOf(ctx, db, accountID, boards, f)
		if err != nil || len(rows) == 0 {
			return err
		}
		if page.More = more; more {
			page.Next = instant(rows[len(rows)-1].At)
		}
		page.Changes = valuesOf(rows, func(r changeRow) track.BoardChange { return r.change(boards[r.BoardID]) })
		most := f.Jobs
		if most <= 0 {
			most = usualChangedJobs
		}
		if err := addJobs(ctx, db, rows, page.Changes, boards, most); err != nil {
			return err
		}
		for i, c := range page.Changes {
			page.Changes[i] = c.Only(f.Kind)
		}
		return nil
	})
	return page, err
}

func (r changeRow) change(b listedBoard) track.BoardChange {
	switch {
	case r.Began:
		c, _ := track.Began(b.sub, b.Board)
		return c
	case r.Moved:
		return track.Moved(b.sub, b.Board, track.JobList{Total: r.Found})
	}
	return track.BoardChange{
		CheckID: r.ID, BoardID: cmp.Or(b.into, r.BoardID), Company: b.Company, CareersURL: b.URL, At: instant(r.At),
		Found: track.JobList{Total: r.Found - r.Reopened}, Reopened: track.JobList{Total: r.Reopened},
		Closed: track.JobList{Total: r.Closed}, Updated: track.JobList{Total: r.Updated},
		Beginning: r.First, Open: r.Open,
	}
}

// changeBoards are the visible boards. A requested one must be on the account's list.
func (s *Store) changeBoards(ctx context.Context, db bun.IDB, accountID, boardID string) (map[string]listedBoard, error) {
	if boardID != "" {
		if _, err := s.trackedBoard(ctx, db, accountID, boardID); err != nil {
			return nil, err
		}
	}
	return visibleBoards(ctx, db, accountID, boardID)
}

// changesOf returns the newest checks that changed something, and the changes that no check made. Changes of the same
// moment stay together, so that nothing is lost between two pages; the list can be slightly longer than requested.
func changesOf(
	ctx context.Context, db bun.IDB, accountID string, boards map[string]listedBoard, f track.ChangeFilter,
) (rows []changeRow, more bool, err error) {
	limit := f.Limit
	if limit <= 0 {
		limit = usualChanges
	}
	where := `FROM (
			SELECT board_id, since FROM subscriptions WHERE account_id = ?0 AND board_id IN (?1)
			UNION ALL SELECT board_id, 0 FROM former WHERE account_id = ?0 AND board_id IN (?1)
		) AS s JOIN checks AS c ON c.board_id = s.board_id
		WHERE ` + newerThan(f.After) + ` AND ` + changedCheck + changedAs(f.Kind)
	args := []any{plain(accountID), bun.List(keysOf(boards))}
	if !f.Before.IsZero() {
		where, args = where+" AND c.at < ?2", append(args, millis(f.Before))
	}
	// The index alone gives the order, so only the rows of the page are read.
	err = db.NewRaw("SELECT "+changeColumns+" FROM checks AS c WHERE c.seq IN (SELECT c.seq "+where+
		fmt.Sprintf(" ORDER BY c.at DESC LIMIT %d) ORDER BY c.at DESC, c.id", limit+1), args...).Scan(ctx, &rows)
	if err != nil {
		return nil, false, err
	}
	others, err := uncheckedChanges(ctx, db, boards, f)
	if err != nil {
		return nil, false, err
	}
	if len(others) > 0 {
		rows = append(rows, others...)
		slices.SortFunc(rows, func(a, b changeRow) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.ID, b.ID)) })
	}
	if len(rows) <= limit {
		return rows, false, nil
	}
	last := rows[limit-1].At
	if rows[limit].At != last {
		return rows[:limit], true, nil
	}
	var same []changeRow
	err = db.NewRaw("SELECT "+changeColumns+" "+where+fmt.Sprintf(" AND c.at = %d ORDER BY c.id", last), args...).Scan(ctx, &same)
	rows = slices.DeleteFunc(rows, func(r changeRow) bool { return r.At < last || r.At == last && r.checked() })
	return append(rows, same...), true, err // there may be none before it: then the next page is empty
}

// checked reports whether a check made the change.
func (r changeRow) checked() bool { return !r.Moved && !r.Began }

// changedAs returns the extra condition for checks with one kind of change.
func changedAs(kind boardwatch.ChangeKind) string {
	switch kind {
	case boardwatch.ChangeFound:
		return " AND c.found > c.reopened AND NOT c.first_reading"
	case boardwatch.ChangeReopened:
		return " AND c.reopened > 0"
	case boardwatch.ChangeClosed:
		return " AND c.closed > 0"
	case boardwatch.ChangeUpdated:
		return " AND c.updated > 0"
	default:
		return ""
	}
}

// openAsOf selects the jobs that were open on a board when a merge moved an account to it. To that account, the merge
// found the jobs that came with it.
const openAsOf = " FROM jobs WHERE board_id = ?0 AND first_seen_at < ?1 AND (status = 0 OR closed_at > ?1)"

// uncheckedChanges returns the merges that moved an account's subscriptions, with the roles that were open then, and
// the boards that it began to watch after they had been read.
func uncheckedChanges(
	ctx context.Context, db bun.IDB, boards map[string]listedBoard, f track.ChangeFilter,
) (rows []changeRow, err error) {
	if f.Kind != "" && f.Kind != boardwatch.ChangeFound {
		return nil, nil
	}
	asked := func(at int64) bool { return at > millis(f.After) && (f.Before.IsZero() || at < millis(f.Before)) }
	for _, id := range keysOf(boards) {
		b := boards[id]
		if _, began := track.Began(b.sub, boardwatch.Board{ID: id}); began && f.Kind == "" && asked(millis(b.sub.Since)) {
			rows = append(rows, changeRow{BoardID: id, At: millis(b.sub.Since), Began: true})
		}
		if !b.sub.Arrived() || !asked(millis(b.sub.AsOf)) {
			continue
		}
		r := changeRow{BoardID: id, At: millis(b.sub.AsOf), Moved: true}
		if err := db.NewRaw("SELECT count(*)"+openAsOf, id, r.At).Scan(ctx, &r.Found); err != nil {
			return nil, fmt.Errorf("count roles of board %s: %w", id, err)
		}
		if r.Found > 0 {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

func keysOf[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// changedJobs returns the jobs that checks changed: of each check and kind, the first ones by title.
const changedJobs = ` FROM (
		SELECT c.check_id, c.kind, c.details, j.*, row_number() OVER (
			PARTITION BY c.check_id, c.kind ORDER BY j.title_fold, j.id
		) AS place
		FROM changes AS c JOIN jobs AS j ON j.id = c.job_id
		WHERE c.board_id IN (?) AND c.at IN (?) AND c.check_id IN (?) AND c.kind IN (?)
	) AS changed WHERE place <= ? ORDER BY check_id, kind, place`

// addJobs fills in the first jobs of each list.
func addJobs(
	ctx context.Context, db bun.IDB, rows []changeRow, changes []track.BoardChange, boards map[string]listedBoard, most int,
) error {
	index := make(map[string]int, len(changes))
	ids, at, checks := map[string]bool{}, map[int64]bool{}, []string{}
	for i, r := range rows {
		if r.Moved {
			if err := addJobsAsOf(ctx, db, &changes[i], boards[r.BoardID], most); err != nil {
				return fmt.Errorf("read roles of board %s: %w", r.BoardID, err)
			}
		}
		if !r.checked() {
			continue
		}
		index[r.ID], checks = i, append(checks, r.ID)
		ids[r.BoardID], at[r.At] = true, true
	}
	if len(checks) == 0 {
		return nil
	}
	moments := make([]int64, 0, len(at))
	for ms := range at {
		moments = append(moments, ms)
	}
	kinds := []boardwatch.ChangeKind{boardwatch.ChangeFound, boardwatch.ChangeReopened, boardwatch.ChangeClosed, boardwatch.ChangeUpdated}
	var check, text string
	var kind boardwatch.ChangeKind
	var unread error
	err := queryJobs(ctx, db, boards, func(j boardwatch.Job, _ listedBoard) {
		c := &changes[index[check]]
		list := listOf(c, kind)
		list.Jobs = append(list.Jobs, j)
		details, err := parseDetails(text)
		if unread = cmp.Or(unread, err); len(details.Fields) > 0 {
			if c.Fields == nil {
				c.Fields = map[string][]boardwatch.FieldChange{}
			}
			c.Fields[j.ID] = details.Fields
		}
	}, []any{&check, &kind, &text}, "SELECT check_id, kind, details, "+jobColumns()+changedJobs,
		bun.List(keysOf(ids)), bun.List(moments), bun.List(checks), bun.List(kinds), most)
	return wrap("read changed jobs", cmp.Or(err, unread))
}

// listOf returns the list of a change that holds jobs of a kind.
func listOf(c *track.BoardChange, kind boardwatch.ChangeKind) *track.JobList {
	switch kind {
	case boardwatch.ChangeReopened:
		return &c.Reopened
	case boardwatch.ChangeClosed:
		return &c.Closed
	case boardwatch.ChangeUpdated:
		return &c.Updated
	default:
		return &c.Found
	}
}

func addJobsAsOf(ctx context.Context, db bun.IDB, c *track.BoardChange, b listedBoard, most int) error {
	return queryJobs(ctx, db, map[string]listedBoard{b.ID: b}, func(j boardwatch.Job, _ listedBoard) { c.Found.Jobs = append(c.Found.Jobs, j) },
		nil, "SELECT "+jobColumns()+openAsOf+" ORDER BY title_fold, id LIMIT ?2", b.ID, millis(b.sub.AsOf), most)
}

// seriesOf reads the checks of each board since a moment, and the last one before it.
const seriesOf = `SELECT s.board_id, c.at, c.open_jobs
	FROM subscriptions AS s JOIN checks AS c ON c.board_id = s.board_id
	WHERE s.account_id = ?0 AND c.at >= ?1%[1]s AND NOT c.merged
	UNION ALL
	SELECT s.board_id, c.at, c.open_jobs
	FROM subscriptions AS s JOIN checks AS c ON c.board_id = s.board_id
	WHERE s.account_id = ?0%[1]s AND NOT c.merged
		AND c.at = (SELECT max(b.at) FROM checks AS b WHERE b.board_id = s.board_id AND b.at < ?1 AND NOT b.merged)`

func (s *Store) Series(ctx context.Context, accountID, boardID string, since time.Time) (map[string][]track.Point, error) {
	and, args := "", []any{plain(accountID), millis(since)}
	if boardID != "" {
		b, err := s.TrackedBoard(ctx, accountID, boardID)
		if err != nil {
			return nil, wrap("read series", err)
		}
		and, args = " AND s.board_id = ?2", append(args, b.Board.ID)
	}
	counts := map[string][]openCount{}
	var id string
	var next openCount
	err := queryRows(ctx, s.db(), []any{&id, &next.at, &next.open}, func() error {
		counts[id] = append(counts[id], next)
		return nil
	}, fmt.Sprintf(seriesOf, and), args...)
	series := make(map[string][]track.Point, len(counts))
	days := newCalendar(since.Location())
	for id, list := range counts {
		series[id] = pointsOf(list, days)
	}
	return series, wrap("read series", err)
}

// openCount is the number of open roles after a check.
type openCount struct {
	at   int64
	open int
}

// pointsOf keeps the last count of each day.
func pointsOf(list []openCount, days calendar) []track.Point {
	slices.SortStableFunc(list, func(a, b openCount) int { return cmp.Compare(a.at, b.at) })
	points := make([]track.Point, 0, len(list))
	var today day
	for _, c := range list {
		if !today.holds(c.at) {
			today = days.of(c.at)
			points = append(points, track.Point{Day: today.date})
		}
		points[len(points)-1].Open = c.open
	}
	return points
}

// newsAfter leaves out what was never news to an account: roles that were there when the board was first read, or when the
// account began to watch it.
func newsAfter(moment time.Time) string {
	return changedCheck + " AND NOT c.first_reading AND " + newerThan(moment)
}

func (s *Store) Activity(ctx context.Context, accountID string, since time.Time) (map[string]track.Activity, error) {
	activity := map[string]track.Activity{}
	var id string
	var a track.Activity
	err := queryRows(ctx, s.db(), []any{&id, &a.Found, &a.Closed, &a.Updated}, func() error {
		activity[id] = a
		return nil
	}, `SELECT c.board_id, sum(c.found), sum(c.closed), sum(c.updated)
		FROM subscriptions AS s JOIN checks AS c ON c.board_id = s.board_id
		WHERE s.account_id = ? AND NOT s.locked AND `+newsAfter(since)+`
		GROUP BY c.board_id`, plain(accountID))
	return activity, wrap("read activity", err)
}

func (s *Store) News(ctx context.Context, accountID string, after time.Time, jobIDs []string) (map[string]bool, error) {
	if len(jobIDs) == 0 {
		return nil, nil
	}
	var ids []string
	err := s.db().NewRaw(`SELECT e.job_id FROM jobs AS j JOIN subscriptions AS s ON s.board_id = j.board_id
		JOIN changes AS e ON e.board_id = j.board_id AND e.job_id = j.id JOIN checks AS c ON c.id = e.check_id
		WHERE j.id IN (?) AND s.account_id = ? AND NOT s.locked AND e.kind IN (?) AND NOT c.first_reading AND `+newerThan(after),
		bun.List(jobIDs), plain(accountID), bun.List([]boardwatch.ChangeKind{boardwatch.ChangeFound, boardwatch.ChangeReopened})).Scan(ctx, &ids)
	if err != nil {
		return nil, wrap("look for new roles", err)
	}
	news := make(map[string]bool, len(ids))
	for _, id := range ids {
		news[id] = true
	}
	return news, nil
}

// FlowPerDay counts per quarter of an hour, because the days of all time zones begin on one.
func (s *Store) FlowPerDay(ctx context.Context, accountID string, boardIDs []string, since time.Time) ([]track.DayFlow, error) {
	const quarter = 15 * time.Minute / time.Millisecond
	and, args := "", []any{int64(quarter), plain(accountID)}
	if len(boardIDs) == 1 {
		b, err := s.TrackedBoard(ctx, accountID, boardIDs[0])
		if err != nil {
			return nil, wrap("count roles by day", err)
		}
		boardIDs = []string{b.Board.ID}
	}
	if len(boardIDs) > 0 {
		and, args = " AND s.board_id IN (?)", append(args, bun.List(boardIDs))
	}
	var flow []track.DayFlow
	days := newCalendar(since.Location())
	var today day
	var number int64
	var found, closed int
	err := queryRows(ctx, s.db(), []any{&number, &found, &closed}, func() error {
		if at := number * int64(quarter); !today.holds(at) {
			today = days.of(at)
			flow = append(flow, track.DayFlow{Day: today.date})
		}
		flow[len(flow)-1].Found += found
		flow[len(flow)-1].Closed += closed
		return nil
	}, `SELECT c.at / ?, sum(c.found), sum(c.closed)
		FROM subscriptions AS s JOIN checks AS c ON c.board_id = s.board_id
		WHERE s.account_id = ? AND NOT s.locked AND `+newsAfter(since.Add(-time.Millisecond))+and+`
		GROUP BY 1 HAVING sum(c.found) + sum(c.closed) > 0 ORDER BY 1`, args...)
	return flow, wrap("count roles by day", err)
}

// calendar computes the days of a time zone. It caches them, because many checks fall on the same day.
type calendar struct {
	zone  *time.Location
	known map[int64]day // by the part of a UTC day that was asked for
}

func newCalendar(zone *time.Location) calendar { return calendar{zone, make(map[int64]day)} }

// day is a calendar day, its first millisecond and that of the next day.
type day struct {
	date        time.Time
	first, next int64
}

func (d day) holds(ms int64) bool { return ms >= d.first && ms < d.next }

// of returns the day of a moment.
func (c calendar) of(ms int64) day {
	const part = int64(6 * time.Hour / time.Millisecond)
	d := c.known[ms/part]
	if !d.holds(ms) {
		date := track.Date(time.UnixMilli(ms), c.zone)
		d = day{date, millis(track.DayBegins(date, c.zone)), millis(track.DayBegins(date.AddDate(0, 0, 1), c.zone))}
		c.known[ms/part] = d
	}
	return d
}
