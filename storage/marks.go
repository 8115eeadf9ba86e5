package storage

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// markRow is a row of marks.
type markRow struct {
	bun.BaseModel `bun:"table:marks,alias:m"`

	AccountID string `bun:"account_id,pk"`
	JobID     string `bun:"job_id,pk"`
	Starred   bool   `bun:"starred"`
	Hidden    bool   `bun:"hidden"`
	AppliedOn string `bun:"applied_on"`
	Note      string `bun:"note"`

	Stage track.Stage `bun:"stage"`
}

func (r markRow) mark() track.Mark {
	return track.Mark{
		AccountID: r.AccountID, JobID: r.JobID, Starred: r.Starred, Hidden: r.Hidden, AppliedOn: r.AppliedOn, Note: r.Note,
		Stage: r.Stage,
	}
}

// SaveMark replaces the account's earlier mark; an empty mark is deleted.
func (s *Store) SaveMark(ctx context.Context, m track.Mark, limit int) error {
	row := markRow{
		AccountID: plain(m.AccountID), JobID: plain(m.JobID), Starred: m.Starred, Hidden: m.Hidden, AppliedOn: plain(m.AppliedOn),
		Note: plain(m.Note), Stage: m.Stage,
	}
	return s.write(ctx, "save mark", func(ctx context.Context, tx Tx) error {
		if _, err := s.planOf(ctx, tx, row.AccountID); err != nil { // also locks the account, so that nobody else adds marks
			return err
		}
		if err := seesJob(ctx, tx, row.AccountID, row.JobID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM marks WHERE account_id = ? AND job_id = ?", row.AccountID, row.JobID)
		if err != nil || m.Empty() {
			return err
		}
		if err := s.roomFor(ctx, tx, row.AccountID, "marks", "mark", limit); err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx)
		return err
	})
}

// seesJob returns a not_found error if a role is not on one of the account's active boards.
func seesJob(ctx context.Context, db bun.IDB, accountID, jobID string) error {
	var one int
	err := db.QueryRowContext(ctx, `SELECT 1 FROM jobs AS j JOIN subscriptions AS s ON s.board_id = j.board_id
		WHERE j.id = ? AND s.account_id = ? AND NOT s.locked`, jobID, accountID).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return boardwatch.NotFound("role")
	}
	return err
}

// Marks returns the account's marks on these roles, or on all.
func (s *Store) Marks(ctx context.Context, accountID string, jobIDs ...string) (map[string]track.Mark, error) {
	var rows []markRow
	q := s.db().NewSelect().Model(&rows).Where("m.account_id = ?", plain(accountID))
	if len(jobIDs) > 0 {
		q = q.Where("m.job_id IN (?)", bun.List(jobIDs))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, wrap("read marks", err)
	}
	marks := make(map[string]track.Mark, len(rows))
	for _, r := range rows {
		marks[r.JobID] = r.mark()
	}
	return marks, nil
}

// marked is the SQL condition for selecting roles by their marks, the same rule as Marked.Takes. Hidden roles are rare;
// without any, no condition is needed.
func marked(ctx context.Context, db bun.IDB, accountID string, k track.Marked) (r roleCondition, err error) {
	which := map[track.Marked]string{
		track.MarkedVisible: "hidden", track.MarkedHidden: "hidden", track.MarkedStarred: "starred",
		track.MarkedApplied: "applied_on <> ''",
	}[k]
	if which == "" {
		return r, nil
	}
	in := "id IN (SELECT job_id FROM marks WHERE account_id = ? AND " + which + ")"
	if k == track.MarkedVisible {
		var some bool
		err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM marks WHERE account_id = ? AND hidden)", accountID).Scan(&some)
		if err != nil || !some {
			return r, wrap("look for hidden roles", err)
		}
		in = "NOT " + in
	}
	return roleCondition{texts: []string{in}, args: []any{accountID}}, nil
}

// moveMarks moves people's marks on roles that continue under other ids. Where the other role has a mark already, that
// one stays.
func moveMarks(ctx context.Context, tx Tx, ids []string, same map[string]string) error {
	text, args := "INSERT INTO marks (account_id, job_id, starred, hidden, applied_on, note, stage) SELECT account_id, CASE job_id", []any{}
	for _, id := range ids {
		text, args = text+" WHEN ? THEN ?", append(args, id, same[id])
	}
	_, err := tx.ExecContext(ctx, text+" END, starred, hidden, applied_on, note, stage FROM marks WHERE job_id IN (?) ON CONFLICT DO NOTHING",
		append(args, bun.List(ids))...)
	return err
}
