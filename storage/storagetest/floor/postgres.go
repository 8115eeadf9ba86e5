package floor

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boardwatch/boardwatch/storage"
)

// postgresDatabase has a few connections. A change takes two round trips: one locks, stamps and reads, the other saves.
type postgresDatabase struct {
	idle chan *pgx.Conn
}

const (
	// postgresConnections is the number of connections that a store has.
	postgresConnections = 16

	postgresDue = `WITH claimed AS (
			UPDATE boards SET lease_until = due.now + 15000, version = version + 1 FROM (
				SELECT chosen, now FROM (SELECT boardwatch_now() AS now) AS clock, LATERAL (
					SELECT id AS chosen FROM boards WHERE next_check_at <= clock.now + 1000 AND lease_until <= clock.now
					ORDER BY next_check_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
				) AS first
			) AS due WHERE id = chosen RETURNING concat_ws(chr(31), ` + boardFields + `, version) AS text
		) SELECT coalesce(string_agg(text, chr(30)), '') FROM claimed`
	postgresOpen = `SELECT coalesce(string_agg(concat_ws(chr(31), ` + jobFields + `), chr(30)), '')
		FROM jobs WHERE board_id = $1 AND status = 0`
	postgresMissing = postgresOpen + ` AND last_seen_at IS NOT NULL`
	postgresLock    = `SELECT boardwatch_stamp() FROM (SELECT id FROM boards WHERE id = $1 AND version = $2 FOR NO KEY UPDATE) AS locked`
	postgresStamp   = `UPDATE boards SET last_checked_at = clock.ms, last_success_at = clock.ms, next_check_at = clock.ms + cadence_ms,
		streak = streak + 1, version = version + 1, lease_until = 0
		FROM (SELECT boardwatch_now() AS ms) AS clock, unnest($1::text[], $2::bigint[]) AS held (board, claimed)
		WHERE id = board AND version = claimed`
	postgresSave = `WITH found AS (
			INSERT INTO jobs (` + jobColumns + `)
			SELECT f.id, $1, f.key, f.title, f.title_fold, f.location, f.location_fold, f.department, f.url, 0, 0, $2
			FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
				AS f (id, key, title, title_fold, location, location_fold, department, url)
		), missed AS (
			UPDATE jobs SET misses = misses + 1, last_seen_at = coalesce(last_seen_at, $11) WHERE id = ANY($12)
		), closed AS (
			UPDATE jobs SET misses = misses + 1, status = 1, closed_at = $2 WHERE id = ANY($13)
		), ended AS (
			UPDATE checks SET repeats = repeats + $14, last_at = $15
			WHERE $14 > 0 AND seq = (SELECT max(seq) FROM checks WHERE board_id = $1)
		), noted AS (
			INSERT INTO checks (id, board_id, at, health, reason, blocked_by, open_jobs, found, closed, updated, missed, requests)
			SELECT $16, $1, $2, 'ok', '', '', $17, cardinality($3::text[]), cardinality($13::text[]), 0, $18, 1 WHERE $19
		), changed AS (
			INSERT INTO changes (board_id, check_id, job_id, kind, at, details)
			SELECT $1, $16, e.job, e.kind, $2, e.details FROM unnest($20::text[], $21::text[], $22::text[]) AS e (job, kind, details)
		)
		UPDATE boards SET last_checked_at = $2, last_success_at = $2, next_check_at = $2 + cadence_ms, fingerprint = $23, state = $24,
			open_jobs = $17, closed_jobs = $25, missing = $26, streak = CASE WHEN $19 THEN 0 ELSE streak + 1 END, version = version + 1,
			lease_until = 0 WHERE id = $1`
)

// Postgres opens a database that a store has created.
func Postgres(ctx context.Context, url string) (Database, error) {
	d := &postgresDatabase{idle: make(chan *pgx.Conn, postgresConnections)}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["random_page_cost"] = "1.1"
	for range postgresConnections {
		conn, err := pgx.ConnectConfig(ctx, config)
		if err != nil {
			return nil, errors.Join(err, d.Close(ctx))
		}
		d.idle <- conn
	}
	return d, nil
}

func (d *postgresDatabase) Due(ctx context.Context, n int) ([]Board, error) {
	conn := <-d.idle
	defer func() { d.idle <- conn }()
	var text string
	if err := conn.QueryRow(ctx, postgresDue, n).Scan(&text); err != nil {
		return nil, err
	}
	return parseBoards(text)
}

func (d *postgresDatabase) Stamp(ctx context.Context, boards []Board) error {
	conn := <-d.idle
	defer func() { d.idle <- conn }()
	versions := make([]int64, len(boards))
	for i, b := range boards {
		versions[i] = b.Version
	}
	_, err := conn.Exec(ctx, postgresStamp, idsOf(boards), versions)
	return err
}

func (d *postgresDatabase) Change(ctx context.Context, b Board, missing bool, decide func([]Job) Change) error {
	conn := <-d.idle
	defer func() { d.idle <- conn }()
	known, at, err := begin(ctx, conn, b, missing)
	if err == nil {
		err = save(ctx, conn, b, decide(known), at)
	}
	if err != nil && !conn.IsClosed() {
		_, undone := conn.Exec(ctx, "ROLLBACK")
		return errors.Join(err, undone)
	}
	return err
}

// begin opens a transaction, takes its stamp, and reads roles, in one round trip.
func begin(ctx context.Context, conn *pgx.Conn, b Board, missing bool) (known []Job, at int64, err error) {
	text, most := postgresOpen, b.Open
	if missing {
		text, most = postgresMissing, b.Missing
	}
	var batch pgx.Batch
	batch.Queue("BEGIN")
	batch.Queue(postgresLock, b.ID, b.Version)
	batch.Queue(text, b.ID)
	answers := conn.SendBatch(ctx, &batch)
	_, err = answers.Exec()
	var list string
	err = errors.Join(err, answers.QueryRow().Scan(&at), answers.QueryRow().Scan(&list), answers.Close())
	if err != nil {
		return nil, 0, err
	}
	known, err = parseJobs(list, most)
	return known, at, err
}

// save writes everything and commits, in one round trip.
func save(ctx context.Context, conn *pgx.Conn, b Board, c Change, at int64) error {
	absences := b.absencesAfter(c, time.UnixMilli(at).UTC().Format(time.RFC3339Nano))
	f := columnsOf(c.Found)
	var jobs, kinds, details []string
	for _, e := range c.events(absences) {
		jobs, kinds, details = append(jobs, e.job), append(kinds, e.kind), append(details, e.details)
	}
	streak := b.Streak
	if !c.noted() {
		streak = 0
	}
	var batch pgx.Batch
	batch.Queue(postgresSave, b.ID, at, f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7],
		b.SuccessAt, append(append([]string{}, c.Missed...), c.Again...), append([]string{}, c.Closed...), streak, b.CheckedAt,
		c.CheckID, b.Open+len(c.Found)-len(c.Closed), c.counted(), c.noted(), jobs, kinds, details,
		c.Print, absencesText(absences), b.Closed+len(c.Closed), len(c.Missed)+len(c.Again))
	batch.Queue("COMMIT")
	return conn.SendBatch(ctx, &batch).Close()
}

// columnsOf returns the columns of roles that were found.
func columnsOf(found []Job) (f [8][]string) {
	for i := range f {
		f[i] = make([]string, len(found))
	}
	for i, j := range found {
		for column, value := range []string{
			j.ID, j.Key, j.Title, storage.Fold(j.Title), j.Location, storage.Fold(j.Location), j.Department, j.URL,
		} {
			f[column][i] = value
		}
	}
	return f
}

func (d *postgresDatabase) Close(ctx context.Context) error {
	var failed []error
	for len(d.idle) > 0 {
		failed = append(failed, (<-d.idle).Close(ctx))
	}
	return errors.Join(failed...)
}
