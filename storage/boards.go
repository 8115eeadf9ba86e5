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
)

// atOnce is the next_check_at of a board whose check was demanded: before any scheduled one.
const atOnce = 1

// boardRow is a row of boards.
type boardRow struct {
	bun.BaseModel `bun:"table:boards,alias:b"`

	ID            string                 `bun:"id,pk"`
	Source        string                 `bun:"source,nullzero"`
	System        string                 `bun:"system"`
	URL           string                 `bun:"url"`
	Company       string                 `bun:"company"`
	Domain        string                 `bun:"domain"`
	Status        boardwatch.BoardStatus `bun:"status"`
	OpenJobs      int                    `bun:"open_jobs"`
	ClosedJobs    int                    `bun:"closed_jobs"`
	Cadence       int64                  `bun:"cadence_ms"`
	NextCheckAt   int64                  `bun:"next_check_at,nullzero"`
	AddedAt       int64                  `bun:"added_at"`
	Health        boardwatch.Health      `bun:"health"`
	LastCheckedAt int64                  `bun:"last_checked_at"`
	LastSuccessAt int64                  `bun:"last_success_at"`
	SickSince     int64                  `bun:"sick_since"`
	WellSince     int64                  `bun:"well_since"`
	Missing       int                    `bun:"missing"`
	Fingerprint   string                 `bun:"fingerprint"`
	SetHash       string                 `bun:"set_hash"`
	State         string                 `bun:"state"`
	Version       int64                  `bun:"version"`
	Streak        int                    `bun:"streak"`
	Recipe        string                 `bun:"recipe"`

	AskedBy   string `bun:"asked_by,scanonly"` // the account that asked for the claimed check
	AskedHost string `bun:"asked_host,scanonly"`
}

// boardColumns are the columns of boards in a SELECT, where the table's alias is b, in the order of boardRow.cells.
const boardColumns = `b.id AS id, COALESCE(b.source, '') AS source, b.system AS system, b.url AS url, b.company AS company,
	b.domain AS domain, b.status AS status, b.health AS health, b.fingerprint AS fingerprint, b.set_hash AS set_hash,
	b.state AS state, b.recipe AS recipe, b.asked_by AS asked_by, b.asked_host AS asked_host, b.open_jobs AS open_jobs,
	b.closed_jobs AS closed_jobs, b.cadence_ms AS cadence_ms, COALESCE(b.next_check_at, 0) AS next_check_at,
	b.added_at AS added_at, b.last_checked_at AS last_checked_at, b.last_success_at AS last_success_at,
	b.sick_since AS sick_since, b.well_since AS well_since, b.missing AS missing, b.version AS version, b.streak AS streak`

// cells are where a row of boardColumns is read to. Boards are read most of all, so they bypass bun's reflection.
func (r *boardRow) cells() []any {
	return []any{
		&r.ID, &r.Source, &r.System, &r.URL, &r.Company, &r.Domain, &r.Status, &r.Health, &r.Fingerprint, &r.SetHash, &r.State,
		&r.Recipe, &r.AskedBy, &r.AskedHost, &r.OpenJobs, &r.ClosedJobs, &r.Cadence, &r.NextCheckAt, &r.AddedAt,
		&r.LastCheckedAt, &r.LastSuccessAt, &r.SickSince, &r.WellSince, &r.Missing, &r.Version, &r.Streak,
	}
}

// scanBoards reads rows of boardColumns and closes them.
func scanBoards(rows *sql.Rows) ([]boardRow, error) {
	defer rows.Close()
	return readBoards(rows)
}

func readBoards(rows Rows) (out []boardRow, err error) {
	for rows.Next() {
		var r boardRow
		if err := rows.Scan(r.cells()...); err != nil {
			return nil, fmt.Errorf("read boards: %w", err)
		}
		out = append(out, r)
	}
	return out, wrap("read boards", rows.Err())
}

func newBoardRow(b boardwatch.Board) (boardRow, error) {
	state, err := marshalState(b.State)
	if err != nil {
		return boardRow{}, err
	}
	return boardRow{
		ID: b.ID, Source: plain(b.Source), System: plain(b.System()), URL: plain(b.URL), Company: plain(b.Company),
		Domain: plain(b.Domain), Status: b.Status, OpenJobs: b.OpenJobs, ClosedJobs: b.ClosedJobs,
		Cadence: b.Cadence.Milliseconds(), NextCheckAt: millis(b.NextCheckAt), AddedAt: millis(b.AddedAt),
		Health: b.State.Health, LastCheckedAt: millis(b.State.LastCheckedAt), LastSuccessAt: millis(b.State.LastSuccessAt),
		SickSince: millis(b.State.SickSince), WellSince: millis(b.State.WellSince), Missing: b.State.Missing, Fingerprint: b.State.Fingerprint,
		SetHash: b.State.SetHash, State: state, Recipe: plain(b.Recipe),
	}, nil
}

func (r *boardRow) board() (b boardwatch.Board, err error) {
	return b, r.into(&b)
}

// into reads the row into an empty board.
func (r *boardRow) into(b *boardwatch.Board) error {
	*b = boardwatch.Board{
		ID: r.ID, Source: r.Source, URL: r.URL, Company: r.Company, Domain: r.Domain, Status: r.Status,
		OpenJobs: r.OpenJobs, ClosedJobs: r.ClosedJobs, Cadence: time.Duration(r.Cadence) * time.Millisecond,
		NextCheckAt: instant(r.NextCheckAt), AddedAt: instant(r.AddedAt), Recipe: r.Recipe,
	}
	state := &b.State
	if r.State != "" {
		if err := json.Unmarshal([]byte(r.State), state); err != nil {
			return fmt.Errorf("read state of board %s: %w", r.ID, err)
		}
	}
	state.Health, state.Missing = r.Health, r.Missing
	state.LastCheckedAt, state.LastSuccessAt = instant(r.LastCheckedAt), instant(r.LastSuccessAt)
	state.SickSince, state.WellSince = instant(r.SickSince), instant(r.WellSince)
	state.Fingerprint, state.SetHash = r.Fingerprint, r.SetHash
	return nil
}

// marshalState writes the fields that have no column of their own; the empty text means there are none.
func marshalState(s boardwatch.BoardState) (string, error) {
	s.Health, s.Missing, s.SickSince, s.WellSince = "", 0, time.Time{}, time.Time{}
	raw, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("write state of board: %w", err)
	}
	if string(raw) == "{}" {
		return "", nil
	}
	return plain(string(raw)), nil
}

// Board finds any board by its id or an alias of it; otherwise a not_found error.
func (s *Store) Board(ctx context.Context, id string) (boardwatch.Board, error) {
	row, err := s.findBoard(ctx, s.db(), id, "")
	if err != nil {
		return boardwatch.Board{}, err
	}
	return row.board()
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
	rows, err := db.QueryContext(ctx, "SELECT "+boardColumns+" FROM boards AS b WHERE b.id IN (?) ORDER BY b.id"+lock, bun.List(ids))
	if err != nil {
		return nil, fmt.Errorf("read boards: %w", err)
	}
	return scanBoards(rows)
}

// survivor resolves an id: if its board was merged into another, to that board, otherwise to itself.
func survivor(ctx context.Context, db bun.IDB, id string) (string, error) {
	err := db.QueryRowContext(ctx, "SELECT board_id FROM aliases WHERE id = ?", plain(id)).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read alias of board: %w", err)
	}
	return id, nil
}

// RequestCheck makes a board due at once, on demand of the account or of the operator. It reports false when a check on
// demand is not allowed now.
func (s *Store) RequestCheck(ctx context.Context, accountID, boardID string) (bool, error) {
	allowed := false
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
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
func (s *Store) askCheck(ctx context.Context, tx Tx, accountID string, row boardRow) (bool, error) {
	b, err := row.board()
	if err != nil {
		return false, err
	}
	now, err := tx.now(ctx)
	if err != nil || !boardwatch.CheckOnDemand(b, now) {
		return false, err
	}
	if row.NextCheckAt > 0 && row.NextCheckAt <= millis(now) {
		return true, nil
	}
	return true, s.demand(ctx, tx, accountID, row.ID, row.URL)
}

// demand makes a board due at once because an account or the operator asked for it. It queues behind the account's
// other demands.
func (s *Store) demand(ctx context.Context, tx Tx, accountID, boardID, address string) error {
	now, err := tx.now(ctx)
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
func (s *Store) reschedule(ctx context.Context, tx Tx, accountID string, boardIDs []string) error {
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
func (s *Store) setCadence(ctx context.Context, tx Tx, accountID string, row boardRow, cadence time.Duration) error {
	if row.Cadence == cadence.Milliseconds() {
		return nil
	}
	now, err := tx.now(ctx)
	if err != nil {
		return err
	}
	before, err := row.board()
	if err != nil {
		return err
	}
	next := boardwatch.NextUnder(before, cadence, now)
	_, err = tx.ExecContext(ctx, "UPDATE boards SET cadence_ms = ?, next_check_at = ? WHERE id = ?",
		cadence.Milliseconds(), nullMillis(next), row.ID)
	if err != nil {
		return fmt.Errorf("set cadence of board %s: %w", row.ID, err)
	}
	if row.NextCheckAt == 0 && cadence > 0 && row.LastCheckedAt == 0 {
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

// NextDue returns when the next board falls due; zero if none is scheduled.
func (s *Store) NextDue(ctx context.Context) (time.Time, error) {
	at, err := s.driver.NextDue(ctx)
	if err != nil {
		return time.Time{}, fmt.Errorf("read next due board: %w", err)
	}
	return at, nil
}

// FleetReadings returns the last check of every sick and tracked hosted board, however long ago that check was, and of
// every other hosted one that was checked since then; of none if since is zero. The sick ones are in the index
// boards_sick, but the others take a scan of the whole table, so do not ask for them at every check.
func (s *Store) FleetReadings(ctx context.Context, since time.Time) ([]boardwatch.FleetReading, error) {
	const columns = "SELECT id, system, last_checked_at, sick_since, well_since FROM boards WHERE system NOT IN ('', ?0) AND "
	query, args := columns+"sick_since > 0 AND cadence_ms > 0", []any{boardwatch.PageSystem}
	if !since.IsZero() {
		query += " AND last_checked_at < ?1 UNION ALL " + columns + "last_checked_at >= ?1"
		args = append(args, millis(since))
	}
	rows, err := s.db().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read fleet: %w", err)
	}
	defer rows.Close()
	var out []boardwatch.FleetReading
	for rows.Next() {
		var f boardwatch.FleetReading
		var at, sick, well int64
		if err := rows.Scan(&f.BoardID, &f.System, &at, &sick, &well); err != nil {
			return nil, fmt.Errorf("read fleet: %w", err)
		}
		f.At, f.SickSince, f.WellSince = instant(at), instant(sick), instant(well)
		out = append(out, f)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read fleet: %w", err)
	}
	return out, nil
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
	var partial []boardRow
	err = s.db().NewRaw("SELECT "+boardColumns+" FROM boards AS b WHERE b.health = ?", boardwatch.HealthPartial).
		Scan(ctx, &partial)
	if err != nil {
		return account.BoardStats{}, fmt.Errorf("count partial boards: %w", err)
	}
	for _, row := range partial {
		b, err := row.board()
		if err != nil {
			return account.BoardStats{}, err
		}
		if b.State.PartialTooLong() {
			stats.PartialLong++
		}
	}
	return stats, nil
}
