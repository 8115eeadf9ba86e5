package storage

import (
	"context"
	"database/sql"
	"errors"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// markRecord is a row of marks.
func markRecord(m *track.Mark) record {
	return newRecord("marks", "m",
		col("account_id", &m.AccountID), col("job_id", &m.JobID), col("starred", &m.Starred), col("hidden", &m.Hidden), col("applied_on", &m.AppliedOn),
		col("note", &m.Note), col("stage", &m.Stage),
	)
}

func (s *Store) SaveMark(ctx context.Context, m track.Mark, marks, notes int) error {
	m.AccountID, m.JobID = plain(m.AccountID), plain(m.JobID)
	return s.write(ctx, "save mark", func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, m.AccountID); err != nil { // also locks the account, so that nobody else adds marks
			return err
		}
		if err := seesJob(ctx, tx, m.AccountID, m.JobID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM marks WHERE account_id = ? AND job_id = ?", m.AccountID, m.JobID)
		if err != nil || m.Empty() {
			return err
		}
		if err := s.roomFor(ctx, tx, m.AccountID, "marks", "mark", marks); err != nil {
			return err
		}
		if m.Note != "" {
			var written int
			err := tx.QueryRowContext(ctx, "SELECT COALESCE(sum(length(note)), 0) FROM marks WHERE account_id = ?", m.AccountID).Scan(&written)
			if err != nil {
				return err
			}
			if written+utf8.RuneCountInString(m.Note) > notes {
				return boardwatch.Invalid("note", "the notes of this account have as many characters as they may have together; shorten or delete some first")
			}
		}
		_, err = insertRow(ctx, tx, markRecord(&m), "")
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

func (s *Store) Marks(ctx context.Context, accountID string, jobIDs ...string) (map[string]track.Mark, error) {
	where, args := "WHERE m.account_id = ?", []any{plain(accountID)}
	if len(jobIDs) > 0 {
		where, args = where+" AND m.job_id IN (?)", append(args, bun.List(jobIDs))
	}
	rows, err := readRows(ctx, s.db(), markRecord, where, args...)
	if err != nil {
		return nil, wrap("read marks", err)
	}
	marks := make(map[string]track.Mark, len(rows))
	for _, m := range rows {
		marks[m.JobID] = m
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
func moveMarks(ctx context.Context, tx driver.Tx, ids []string, same map[string]string) error {
	text, args := "INSERT INTO marks (account_id, job_id, starred, hidden, applied_on, note, stage) SELECT account_id, CASE job_id", []any{}
	for _, id := range ids {
		text, args = text+" WHEN ? THEN ?", append(args, id, same[id])
	}
	_, err := tx.ExecContext(ctx, text+" END, starred, hidden, applied_on, note, stage FROM marks WHERE job_id IN (?) ON CONFLICT DO NOTHING",
		append(args, bun.List(ids))...)
	return err
}
