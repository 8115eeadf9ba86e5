package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// eventDetails is the part of a change that is stored as JSON.
type eventDetails struct {
	Fields   []boardwatch.FieldChange `json:"fields,omitempty"`
	Absences []boardwatch.Absence     `json:"absences,omitempty"`
	Origin   boardwatch.RoleOrigin    `json:"origin,omitempty"`
	Said     boardwatch.Testimony     `json:"said,omitempty"`
}

// detailsOf returns an event's details as text; empty if there are none.
func detailsOf(e boardwatch.RoleEvent) (string, error) {
	if len(e.Changes)+len(e.Absences) == 0 && e.Origin == boardwatch.OriginCheck && e.Testimony == "" {
		return "", nil
	}
	fields := valuesOf(e.Changes, func(c boardwatch.FieldChange) boardwatch.FieldChange {
		return boardwatch.FieldChange{Field: c.Field, From: plain(c.From), To: plain(c.To)}
	})
	raw, err := json.Marshal(eventDetails{fields, e.Absences, e.Origin, e.Testimony})
	if err != nil {
		return "", fmt.Errorf("write details of a change: %w", err)
	}
	return string(raw), nil
}

func parseDetails(text string) (d eventDetails, err error) {
	if text == "" {
		return d, nil
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return d, fmt.Errorf("read details of a change: %w", err)
	}
	return d, nil
}

// saveRoleEvents adds to the histories of a board's roles.
func (s *script) saveRoleEvents(boardID string, events []boardwatch.RoleEvent) error {
	rows := make([][]any, len(events))
	for i, e := range events {
		details, err := detailsOf(e)
		if err != nil {
			return err
		}
		rows[i] = []any{boardID, e.CheckID, e.JobID, string(e.Kind), millis(e.At), details}
	}
	s.insert("changes", "board_id, check_id, job_id, kind, at, details", rows)
	return nil
}

// eventRow is a row of changes.
type eventRow struct {
	JobID   string                `bun:"job_id"`
	CheckID string                `bun:"check_id"`
	Kind    boardwatch.ChangeKind `bun:"kind"`
	At      int64                 `bun:"at"`
	Details string                `bun:"details"`
}

func (r eventRow) event() (boardwatch.RoleEvent, error) {
	d, err := parseDetails(r.Details)
	return boardwatch.RoleEvent{
		JobID: r.JobID, CheckID: r.CheckID, Kind: r.Kind, At: instant(r.At), Changes: d.Fields, Absences: d.Absences, Origin: d.Origin,
		Testimony: d.Said,
	}, err
}

// eventsOf finds each job by its id and its changes by the index changes_job_id. SQLite joins the tables in the order
// of the query; PostgreSQL decides by its statistics.
const eventsOf = `SELECT job_id, check_id, kind, at, details FROM (
		SELECT c.seq, c.job_id, c.check_id, c.kind, c.at, c.details,
			row_number() OVER (PARTITION BY c.job_id ORDER BY c.at DESC, c.seq DESC) AS place
		FROM jobs AS j CROSS JOIN changes AS c
		WHERE j.id IN (?0) AND c.board_id = j.board_id AND c.job_id = j.id AND c.at > ?1
	) AS events WHERE place <= ?2 ORDER BY job_id, at, seq`

func (s *Store) RoleEvents(
	ctx context.Context, jobIDs []string, after time.Time, most int,
) (map[string][]boardwatch.RoleEvent, error) {
	if len(jobIDs) == 0 {
		return nil, nil
	}
	var rows []eventRow
	ids := valuesOf(jobIDs, plain)
	if err := s.db().NewRaw(eventsOf, bun.List(ids), millis(after), most).Scan(ctx, &rows); err != nil {
		return nil, wrap("read history of roles", err)
	}
	events := make(map[string][]boardwatch.RoleEvent, len(jobIDs))
	for _, r := range rows {
		e, err := r.event()
		if err != nil {
			return nil, wrap("read history of role "+r.JobID, err)
		}
		events[r.JobID] = append(events[r.JobID], e)
	}
	return events, nil
}

func (s *Store) Job(ctx context.Context, accountID, jobID string) (boardwatch.Job, error) {
	var job boardwatch.Job
	err := s.snapshot(ctx, func(ctx context.Context, db bun.IDB) error {
		id, err := boardWith(ctx, db, "SELECT board_id FROM jobs WHERE id = ?", plain(jobID))
		if err != nil {
			return err
		}
		boards, err := s.boardsShowing(ctx, db, accountID, id)
		if err != nil {
			return err
		}
		jobs, err := readPage(ctx, db, boards, 1, "SELECT "+jobColumns()+" FROM jobs WHERE id = ? AND board_id IN (?)",
			plain(jobID), boardIDs(boards))
		if err == nil && len(jobs) == 0 {
			err = boardwatch.NotFound("role")
		}
		if err == nil {
			job = jobs[0]
		}
		return err
	})
	return job, wrap("find role", err)
}

// boardsShowing returns the board if the account actively tracks it or is the operator.
func (s *Store) boardsShowing(ctx context.Context, db bun.IDB, accountID, boardID string) (map[string]listedBoard, error) {
	if boardID == "" {
		return nil, boardwatch.NotFound("role")
	}
	if accountID != "" {
		return visibleBoards(ctx, db, accountID, boardID)
	}
	row, err := s.findBoard(ctx, db, boardID, "")
	shown := listedBoard{Board: row.Board, into: row.ID}
	return map[string]listedBoard{row.ID: shown, boardID: shown}, err
}

// changedSince finds the jobs that were updated or reopened after a moment and were there before.
const changedSince = ` FROM jobs JOIN (
		SELECT job_id, max(at) AS changed_at FROM changes
		WHERE board_id IN (?0) AND at > ?1 AND kind IN ('updated', 'reopened') GROUP BY job_id
	) AS c ON c.job_id = jobs.id WHERE first_seen_at <= ?1`

func (s *Store) ChangedJobs(ctx context.Context, accountID string, f track.ChangedFilter) (track.JobPage, error) {
	page := track.JobPage{Jobs: []boardwatch.Job{}}
	var err error
	page.PolledAt, err = s.polled(ctx, "list changed jobs", func(ctx context.Context, db bun.IDB) error {
		boards, err := visibleBoards(ctx, db, accountID, f.BoardID)
		if err != nil || len(boards) == 0 {
			return err
		}
		args := []any{boardIDs(boards), millis(f.After)}
		if err := db.QueryRowContext(ctx, "SELECT count(*)"+changedSince, args...).Scan(&page.Total); err != nil {
			return err
		}
		if f.Limit <= 0 || f.Skip >= page.Total {
			return nil
		}
		text := "SELECT " + jobColumns() + changedSince + " ORDER BY changed_at DESC, id DESC LIMIT ?2 OFFSET ?3"
		page.Jobs, err = readPage(ctx, db, boards, f.Limit, text, slices.Concat(args, []any{f.Limit, f.Skip})...)
		return err
	})
	return page, err
}
