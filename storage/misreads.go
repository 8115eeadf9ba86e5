package storage

import (
	"context"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// titleMark separates the titles of a report, which contain no control characters.
const titleMark = "\n"

func (s *Store) SaveMisread(ctx context.Context, m account.Misread) error {
	return s.write(ctx, "save report about board "+m.BoardID, func(ctx context.Context, tx driver.Tx) error {
		tracked, err := s.trackedBoard(ctx, tx, m.AccountID, m.BoardID)
		if err != nil {
			return err
		}
		m.BoardID, m.Answer, m.AnsweredAt = tracked.Board.ID, "", time.Time{}
		if m.At.IsZero() {
			if m.At, err = tx.Now(ctx); err != nil {
				return err
			}
		}
		_, err = insertRow(ctx, tx, misreadRecord(&m), `ON CONFLICT (board_id, account_id) DO UPDATE SET at = EXCLUDED.at, text = EXCLUDED.text,
			titles = EXCLUDED.titles, answer = '', answered_at = 0`)
		return err
	})
}

// misreadRecord is a row of misreads.
func misreadRecord(m *account.Misread) record {
	titles := stored[string]{
		func() string { return strings.Join(m.Titles, titleMark) },
		func(text string) error { m.Titles = account.TitlesIn(text); return nil },
	}
	return newRecord("misreads", "m",
		col("board_id", &m.BoardID), col("account_id", &m.AccountID), col("at", moment(&m.At)), col("text", &m.Text), col("titles", titles),
		col("answer", &m.Answer), col("answered_at", moment(&m.AnsweredAt)),
	)
}

func (s *Store) Misreads(ctx context.Context, limit int) (reports []account.MisreadReport, err error) {
	var next account.MisreadReport
	var row boardRow
	misread, board := misreadRecord(&next.Misread), boardRecord(&row)
	err = queryRows(ctx, s.db(), append(targets(misread, board), &next.Email), func() error {
		next.Board = row.Board
		reports = append(reports, next)
		return nil
	}, "SELECT "+columns(misread, board)+`, a.email
		FROM misreads AS m JOIN boards AS b ON b.id = m.board_id JOIN accounts AS a ON a.id = m.account_id
		WHERE m.answered_at = 0 ORDER BY m.at DESC, m.board_id, m.account_id LIMIT ?`, limit)
	return reports, wrap("list reports", err)
}

func (s *Store) MisreadsOf(ctx context.Context, accountID string) ([]account.Misread, error) {
	reports, err := readRows(ctx, s.db(), misreadRecord, "WHERE m.account_id = ? ORDER BY m.at DESC, m.board_id", plain(accountID))
	return reports, wrap("list reports", err)
}

func (s *Store) DropMisread(ctx context.Context, accountID, boardID string) error {
	return wrap("drop report", s.aboutBoard(ctx, boardID, "DELETE FROM misreads WHERE account_id = ? AND board_id = ?", plain(accountID)))
}

func (s *Store) AnswerMisreads(ctx context.Context, boardID, answer string) error {
	now, err := s.driver.Now(ctx)
	if err == nil {
		err = s.aboutBoard(ctx, boardID, "UPDATE misreads SET answer = ?, answered_at = ? WHERE answered_at = 0 AND board_id = ?", plain(answer), millis(now))
	}
	return wrap("answer reports", err)
}

// aboutBoard runs a statement whose last argument is a board, whose id may be an alias.
func (s *Store) aboutBoard(ctx context.Context, boardID, query string, args ...any) error {
	return s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		id, err := survivor(ctx, tx, boardID)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, query, append(args, id)...)
		return err
	})
}
