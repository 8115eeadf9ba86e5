package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// atOnce is the next_check_at of a board whose check was demanded: before any scheduled one.
const atOnce = 1

// boardRow is a row of boards.
type boardRow struct {
	boardwatch.Board

	Version            int64
	Streak             int    // checks since the last one on record, which changed nothing
	AskedBy, AskedHost string // of a board that is due because an account asked for it
}

// boardRecord has the state before its parts that have columns of their own.
func boardRecord(r *boardRow) record {
	s := &r.State
	return newRecord("boards", "b",
		col("id", &r.ID), col("source", optional(text(&r.Source))), col("system", stored[string]{func() string { return r.System() }, func(string) error { return nil }}),
		col("url", &r.URL), col("company", &r.Company), col("domain", &r.Domain), col("status", &r.Status), col("state", restOfState(s)),
		col("health", &s.Health), col("fingerprint", &s.Fingerprint), col("set_hash", &s.SetHash), col("missing", &s.Missing),
		col("last_checked_at", moment(&s.LastCheckedAt)), col("last_success_at", moment(&s.LastSuccessAt)),
		col("sick_since", moment(&s.SickSince)), col("well_since", moment(&s.WellSince)), col("recipe", &r.Recipe),
		col("open_jobs", &r.OpenJobs), col("closed_jobs", &r.ClosedJobs), col("cadence_ms", span(&r.Cadence)),
		col("next_check_at", optional(moment(&r.NextCheckAt))), col("added_at", moment(&r.AddedAt)), col("version", &r.Version),
		col("streak", &r.Streak), col("asked_by", &r.AskedBy), col("asked_host", &r.AskedHost),
	)
}

// restOfState is the part of a state that has no columns of its own, as JSON; empty if there is none. stateText writes it.
func restOfState(s *boardwatch.BoardState) stored[string] {
	return stored[string]{nil, func(text string) error {
		if *s = (boardwatch.BoardState{}); text == "" {
			return nil
		}
		return json.Unmarshal([]byte(text), s)
	}}
}

// stateText writes the fields that have no column of their own.
func stateText(s boardwatch.BoardState) (string, error) {
	s.Health, s.Missing, s.SickSince, s.WellSince = "", 0, time.Time{}, time.Time{}
	raw, err := json.Marshal(s)
	if string(raw) == "{}" {
		raw = nil
	}
	return plain(string(raw)), wrap("write state of board", err)
}

func (s *Store) Board(ctx context.Context, id string) (boardwatch.Board, error) {
	row, err := s.findBoard(ctx, s.db(), id, "")
	if err != nil {
		return boardwatch.Board{}, err
	}
	return row.Board, nil
}

// findBoard reads a board by its id or an alias of it.
func (s *Store) findBoard(ctx context.Context, db bun.IDB, id, lock string) (boardRow, error) {
	row, err := boardByID(ctx, db, id, lock)
	if !errors.Is(err, sql.ErrNoRows) {
		return row, err
	}
	survivor, err := survivor(ctx, db, id)
	if err != nil {
		return boardRow{}, err
	}
	row, err = boardByID(ctx, db, survivor, lock)
	if errors.Is(err, sql.ErrNoRows) {
		return boardRow{}, boardwatch.NotFound("board")
	}
	return row, err
}

func boardByID(ctx context.Context, db bun.IDB, id, lock string) (boardRow, error) {
	rows, err := boardsByID(ctx, db, []string{id}, lock)
	if err != nil {
		return boardRow{}, err
	}
	if len(rows) == 0 {
		return boardRow{}, sql.ErrNoRows
	}
	return rows[0], nil
}

// boardsByID reads boards ordered by id, which is also the order in which they are locked.
func boardsByID(ctx context.Context, db bun.IDB, ids []string, lock string) ([]boardRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return readRows(ctx, db, boardRecord, "WHERE b.id IN (?) ORDER BY b.id"+lock, bun.List(ids))
}

// survivor resolves an id: if its board was merged into another, to that board, otherwise to itself.
func survivor(ctx context.Context, db bun.IDB, id string) (string, error) {
	err := db.QueryRowContext(ctx, "SELECT board_id FROM aliases WHERE id = ?", plain(id)).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read alias of board: %w", err)
	}
	return id, nil
}

func (s *Store) RequestCheck(ctx context.Context, accountID, boardID string) (bool, error) {
	allowed := false
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		row, err := s.findBoard(ctx, tx, boardID, s.dialect.RowLock)
		if err != nil {
			return err
		}
		allowed, err = s.askCheck(ctx, tx, plain(accountID), row)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("request check: %w", err)
	}
	return allowed, nil
}

// askCheck makes a locked row's board due at once if the rules allow it. A board that is due anyway stays among the
// scheduled ones, which have places of their own. A board that was asked for before keeps its turn.
func (s *Store) askCheck(ctx context.Context, tx driver.Tx, accountID string, row boardRow) (bool, error) {
	now, err := tx.Now(ctx)
	if err != nil || !boardwatch.CheckOnDemand(row.Board, now) {
		return false, err
	}
	if !row.NextCheckAt.IsZero() && !row.NextCheckAt.After(now) {
		return true, nil
	}
	return true, s.demand(ctx, tx, accountID, row.ID, row.URL)
}

// demand makes a board due at once because an account or the operator asked for it. It queues behind the account's
// other demands.
func (s *Store) demand(ctx context.Context, tx driver.Tx, accountID, boardID, address string) error {
	now, err := tx.Now(ctx)
	if err != nil {
		return err
	}
	var last int64
	err = tx.QueryRowContext(ctx, "SELECT COALESCE(max(asked_at), 0) FROM boards WHERE asked_by = ? AND next_check_at = 1", accountID).Scan(&last)
	if err != nil {
		return wrap("demand check", err)
	}
	_, err = tx.ExecContext(ctx, "UPDATE boards SET next_check_at = ?, asked_by = ?, asked_host = ?, asked_at = ? WHERE id = ?",
		atOnce, accountID, plain(boardwatch.DemandHost(address)), max(millis(now), last+1), boardID)
	return wrap("demand check", err)
}

// reschedule adapts the cadence and the next check of boards to those who track them now, after an account's list has
// changed.
func (s *Store) reschedule(ctx context.Context, tx driver.Tx, accountID string, boardIDs []string) error {
	for ids := range slices.Chunk(boardIDs, 500) {
		rows, err := boardsByID(ctx, tx, ids, s.dialect.RowLock)
		if err != nil {
			return err
		}
		subs, err := activeSubscriptions(ctx, tx, ids)
		if err != nil {
			return err
		}
		place := make(map[string]int, len(ids))
		for i, id := range ids {
			place[id] = i
		}
		slices.SortFunc(rows, func(a, b boardRow) int { return place[a.ID] - place[b.ID] }) // demands are queued in the order of the list
		for _, row := range rows {
			if err := s.setCadence(ctx, tx, accountID, row, account.Cadence(subs[row.ID], *s.applied.Load())); err != nil {
				return err
			}
		}
	}
	return nil
}

// setCadence sets how often a board is checked. A board that was never read is a demand of the account that added it,
// so that scheduled checks keep their places however many boards somebody adds.
func (s *Store) setCadence(ctx context.Context, tx driver.Tx, accountID string, row boardRow, cadence time.Duration) error {
	if row.Cadence == cadence.Truncate(time.Millisecond) {
		return nil
	}
	now, err := tx.Now(ctx)
	if err != nil {
		return err
	}
	next := boardwatch.NextUnder(row.Board, cadence, now)
	_, err = tx.ExecContext(ctx, "UPDATE boards SET cadence_ms = ?, next_check_at = ? WHERE id = ?",
		cadence.Milliseconds(), nullMillis(next), row.ID)
	if err != nil {
		return fmt.Errorf("set cadence of board %s: %w", row.ID, err)
	}
	if row.NextCheckAt.IsZero() && cadence > 0 && row.State.LastCheckedAt.IsZero() {
		return s.demand(ctx, tx, plain(accountID), row.ID, row.URL)
	}
	return nil
}

func nullMillis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return millis(t)
}

func (s *Store) NextDue(ctx context.Context) (time.Time, error) {
	at, err := s.driver.NextDue(ctx)
	if err != nil {
		return time.Time{}, fmt.Errorf("read next due board: %w", err)
	}
	return at, nil
}

// FleetReadings finds the sick boards by the index boards_sick; the others take a scan of the whole table.
func (s *Store) FleetReadings(ctx context.Context, since time.Time) ([]boardwatch.FleetReading, error) {
	const columns = "SELECT id, system, last_checked_at, sick_since, well_since FROM boards WHERE system NOT IN ('', ?0) AND "
	query, args := columns+"sick_since > 0 AND cadence_ms > 0", []any{boardwatch.PageSystem}
	if !since.IsZero() {
		query += " AND last_checked_at < ?1 UNION ALL " + columns + "last_checked_at >= ?1"
		args = append(args, millis(since))
	}
	var next boardwatch.FleetReading
	var all []boardwatch.FleetReading
	err := queryRows(ctx, s.db(), []any{&next.BoardID, &next.System, moment(&next.At), moment(&next.SickSince), moment(&next.WellSince)}, func() error {
		all = append(all, next)
		return nil
	}, query, args...)
	return all, wrap("read fleet", err)
}

// BoardStats counts boards by status and health.
func (s *Store) BoardStats(ctx context.Context) (account.BoardStats, error) {
	stats := account.BoardStats{ByStatus: map[boardwatch.BoardStatus]int{}, ByHealth: map[boardwatch.Health]int{}}
	var groups []struct {
		Status boardwatch.BoardStatus
		Health boardwatch.Health
		N      int
		Open   int
		Closed int
	}
	err := s.db().NewRaw(`SELECT status, health, count(*) AS n, 
		CAST(sum(open_jobs) AS BIGINT) AS open, CAST(sum(closed_jobs) AS BIGINT) AS closed
		FROM boards GROUP BY status, health`).Scan(ctx, &groups)
	if err != nil {
		return account.BoardStats{}, fmt.Errorf("count boards: %w", err)
	}
	for _, g := range groups {
		if g.Status == endedStatus {
			continue
		}
		stats.Total += g.N
		stats.ByStatus[g.Status] += g.N
		if g.Health != "" {
			stats.ByHealth[g.Health] += g.N
		}
		stats.OpenJobs += g.Open
		stats.ClosedJobs += g.Closed
	}
	partial, err := readRows(ctx, s.db(), boardRecord, "WHERE b.health = ?", boardwatch.HealthPartial)
	if err != nil {
		return account.BoardStats{}, fmt.Errorf("count partial boards: %w", err)
	}
	for _, b := range partial {
		if b.State.PartialTooLong() {
			stats.PartialLong++
		}
	}
	return stats, nil
}

func (s *Store) SetRecipe(ctx context.Context, boardID, recipe string) error {
	return s.write(ctx, "set recipe of board "+boardID, func(ctx context.Context, tx driver.Tx) error {
		row, err := s.findBoard(ctx, tx, boardID, s.dialect.RowLock)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE boards SET recipe = ?, fingerprint = '', version = version + 1"+s.dialect.EndLease+
			" WHERE id = ?", plain(recipe), row.ID)
		if err != nil {
			return err
		}
		return s.readAnew(ctx, tx, row)
	})
}

// readAnew makes a board due at once after the way it is read has changed, unless its source asked to be left alone.
func (s *Store) readAnew(ctx context.Context, tx driver.Tx, b boardRow) error {
	now, err := tx.Now(ctx)
	if err != nil || b.Cadence <= 0 || b.State.RetryAfter.After(now) || millis(b.NextCheckAt) == atOnce {
		return err
	}
	return s.demand(ctx, tx, "", b.ID, b.URL)
}

func (s *Store) OpenJobs(ctx context.Context, boardID string) ([]boardwatch.Job, error) {
	var jobs []boardwatch.Job
	err := s.snapshot(ctx, func(ctx context.Context, db bun.IDB) error {
		id, err := survivor(ctx, db, boardID)
		if err != nil {
			return err
		}
		row, err := boardByID(ctx, db, id, "")
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		boards := map[string]listedBoard{id: {Board: row.Board}}
		jobs, err = readPage(ctx, db, boards, row.OpenJobs, "SELECT "+jobColumns()+" FROM jobs WHERE board_id = ? AND status = 0 ORDER BY id", id)
		return err
	})
	return jobs, wrap("read open roles of board "+boardID, err)
}
