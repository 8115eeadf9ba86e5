package floor

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"runtime"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/boardwatch/boardwatch/storage"
)

// grouped is the most changes that share a transaction.
const grouped = 128

// sqliteDatabase has one goroutine that writes.
type sqliteDatabase struct {
	reads, writes *sql.DB
	reading       map[string]*sql.Stmt
	writing       sqliteWriter

	queue chan *sqliteChange
	done  chan struct{}
}

type sqliteChange struct {
	board  Board
	known  []Job
	decide func([]Job) Change
	err    error
	done   chan struct{}
}

const (
	sqliteDue = `SELECT COALESCE(group_concat(concat_ws(char(31), ` + boardFields + `), char(30)), '')
		FROM (SELECT * FROM boards WHERE next_check_at <= ? ORDER BY next_check_at LIMIT ?)`
	sqliteOpen = `SELECT COALESCE(group_concat(concat_ws(char(31), ` + jobFields + `), char(30)), '')
		FROM jobs WHERE board_id = ? AND status = 0`
	sqliteMissing = sqliteOpen + ` AND last_seen_at IS NOT NULL`
	sqliteStamp   = `UPDATE boards SET last_checked_at = ?1, last_success_at = ?1, next_check_at = ?1 + cadence_ms, streak = streak + 1,
		version = version + 1 WHERE id IN (SELECT value FROM json_each(?2))`
	jobColumns = `id, board_id, job_key, title, title_fold, location, location_fold, department, url, status, misses, first_seen_at`
)

// SQLite opens a file that a store has created.
func SQLite(ctx context.Context, path string) (Database, error) {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	settings := "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=temp_store(MEMORY)"
	reads, err := sql.Open("sqlite", name.String()+settings+"&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	reads.SetMaxOpenConns(2)
	reads.SetMaxIdleConns(2)
	writes, err := sql.Open("sqlite", name.String()+settings+"&_pragma=cache_size(-12288)&_pragma=wal_autocheckpoint(10000)")
	if err != nil {
		return nil, errors.Join(err, reads.Close())
	}
	d := &sqliteDatabase{
		reads: reads, writes: writes, reading: map[string]*sql.Stmt{}, queue: make(chan *sqliteChange, grouped), done: make(chan struct{}),
	}
	for _, text := range []string{sqliteDue, sqliteOpen, sqliteMissing} {
		if d.reading[text], err = reads.PrepareContext(ctx, text); err != nil { //nolint:sqlclosecheck // closed with the database
			return nil, errors.Join(err, reads.Close(), writes.Close())
		}
	}
	conn, err := writes.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, reads.Close(), writes.Close())
	}
	d.writing = sqliteWriter{conn: conn, prepared: map[string]*sql.Stmt{}}
	go d.work(context.WithoutCancel(ctx))
	return d, nil
}

func (d *sqliteDatabase) Due(ctx context.Context, n int) ([]Board, error) {
	var text string
	if err := d.reading[sqliteDue].QueryRowContext(ctx, time.Now().Add(time.Second).UnixMilli(), n).Scan(&text); err != nil {
		return nil, err
	}
	return parseBoards(text)
}

func (d *sqliteDatabase) Stamp(ctx context.Context, boards []Board) error {
	return d.writing.exec(ctx, sqliteStamp, time.Now().UnixMilli(), `["`+strings.Join(idsOf(boards), `","`)+`"]`)
}

func (d *sqliteDatabase) Change(ctx context.Context, b Board, missing bool, decide func([]Job) Change) error {
	statement, most := d.reading[sqliteOpen], b.Open
	if missing {
		statement, most = d.reading[sqliteMissing], b.Missing
	}
	var text string
	if err := statement.QueryRowContext(ctx, b.ID).Scan(&text); err != nil {
		return err
	}
	known, err := parseJobs(text, most)
	if err != nil {
		return err
	}
	c := &sqliteChange{board: b, known: known, decide: decide, done: make(chan struct{})}
	d.queue <- c
	<-c.done
	return c.err
}

// work saves changes; all that are waiting share one transaction.
func (d *sqliteDatabase) work(ctx context.Context) {
	defer close(d.done)
	var group []*sqliteChange
	for c := range d.queue {
		group = append(group[:0], c)
		runtime.Gosched()
		for len(group) < grouped && len(d.queue) > 0 {
			group = append(group, <-d.queue)
		}
		err := d.writing.save(ctx, group)
		for _, c := range group {
			c.err = err
			close(c.done)
		}
	}
}

func (d *sqliteDatabase) Close(context.Context) error {
	close(d.queue)
	<-d.done
	var failed []error
	for _, s := range d.reading {
		failed = append(failed, s.Close())
	}
	for _, s := range d.writing.prepared {
		failed = append(failed, s.Close())
	}
	return errors.Join(append(failed, d.writing.conn.Close(), d.reads.Close(), d.writes.Close())...)
}

// sqliteWriter is the connection that writes, with its prepared statements. One goroutine at a time uses it.
type sqliteWriter struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
}

func (w *sqliteWriter) exec(ctx context.Context, text string, args ...any) error {
	s := w.prepared[text]
	if s == nil {
		var err error
		if s, err = w.conn.PrepareContext(ctx, text); err != nil {
			return err
		}
		w.prepared[text] = s
	}
	_, err := s.ExecContext(ctx, args...)
	return err
}

func (w *sqliteWriter) save(ctx context.Context, group []*sqliteChange) error {
	if err := w.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	at := time.Now().UnixMilli()
	for _, c := range group {
		if err := w.change(ctx, c.board, c.decide(c.known), at); err != nil {
			return errors.Join(err, w.exec(ctx, "ROLLBACK"))
		}
	}
	if err := w.exec(ctx, "UPDATE mark SET moment = max(moment, ?)", at); err != nil {
		return errors.Join(err, w.exec(ctx, "ROLLBACK"))
	}
	return w.exec(ctx, "COMMIT")
}

func (w *sqliteWriter) change(ctx context.Context, b Board, c Change, at int64) error {
	absences := b.absencesAfter(c, time.UnixMilli(at).UTC().Format(time.RFC3339Nano))
	if err := w.jobs(ctx, b, c, at); err != nil {
		return err
	}
	streak := b.Streak + 1
	if c.noted() {
		if err := w.history(ctx, b, c, at, absences); err != nil {
			return err
		}
		streak = 0
	}
	return w.exec(ctx, `UPDATE boards SET last_checked_at = ?1, last_success_at = ?1, next_check_at = ?1 + cadence_ms, fingerprint = ?2,
		state = ?3, open_jobs = ?4, closed_jobs = ?5, missing = ?6, streak = ?7, version = version + 1 WHERE id = ?8`,
		at, c.Print, absencesText(absences), b.Open+len(c.Found)-len(c.Closed), b.Closed+len(c.Closed), len(c.Missed)+len(c.Again), streak, b.ID)
}

func (w *sqliteWriter) jobs(ctx context.Context, b Board, c Change, at int64) error {
	if len(c.Found) > 0 {
		args := make([]any, 0, 12*len(c.Found))
		for _, j := range c.Found {
			args = append(args, j.ID, b.ID, j.Key, j.Title, storage.Fold(j.Title), j.Location, storage.Fold(j.Location), j.Department, j.URL, 0, 0, at)
		}
		if err := w.exec(ctx, "INSERT INTO jobs ("+jobColumns+") VALUES "+rows(len(c.Found), 12), args...); err != nil {
			return err
		}
	}
	if len(c.Missed)+len(c.Again) > 0 {
		args := append([]any{b.SuccessAt}, anys(c.Missed, c.Again)...)
		if err := w.exec(ctx, "UPDATE jobs SET misses = misses + 1, last_seen_at = COALESCE(last_seen_at, ?) WHERE id IN "+
			rows(1, len(args)-1), args...); err != nil {
			return err
		}
	}
	if len(c.Closed) == 0 {
		return nil
	}
	args := append([]any{at}, anys(c.Closed)...)
	return w.exec(ctx, "UPDATE jobs SET misses = misses + 1, status = 1, closed_at = ? WHERE id IN "+rows(1, len(c.Closed)), args...)
}

func (w *sqliteWriter) history(ctx context.Context, b Board, c Change, at int64, absences []string) error {
	if b.Streak > 0 {
		if err := w.exec(ctx, `UPDATE checks SET repeats = repeats + ?, last_at = ?
			WHERE seq = (SELECT max(seq) FROM checks WHERE board_id = ?)`, b.Streak, b.CheckedAt, b.ID); err != nil {
			return err
		}
	}
	err := w.exec(ctx, `INSERT INTO checks (id, board_id, at, health, reason, blocked_by, open_jobs, found, closed, updated, missed, requests)
		VALUES (?, ?, ?, 'ok', '', '', ?, ?, ?, 0, ?, 1)`,
		c.CheckID, b.ID, at, b.Open+len(c.Found)-len(c.Closed), len(c.Found), len(c.Closed), c.counted())
	if err != nil {
		return err
	}
	events := c.events(absences)
	if len(events) == 0 {
		return nil
	}
	args := make([]any, 0, 6*len(events))
	for _, e := range events {
		args = append(args, b.ID, c.CheckID, e.job, e.kind, at, e.details)
	}
	return w.exec(ctx, "INSERT INTO changes (board_id, check_id, job_id, kind, at, details) VALUES "+rows(len(events), 6), args...)
}

// rows returns the placeholders of n rows of values.
func rows(n, columns int) string {
	row := "(?" + strings.Repeat(", ?", columns-1) + ")"
	return row + strings.Repeat(", "+row, n-1)
}

func anys(lists ...[]string) (all []any) {
	for _, list := range lists {
		for _, s := range list {
			all = append(all, s)
		}
	}
	return all
}
