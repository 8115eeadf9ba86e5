package storage

import (
	"context"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// titleMark separates the titles of a report, which contain no control characters.
const titleMark = "\n"

// SaveMisread saves a report. It replaces the account's earlier one about the board.
func (s *Store) SaveMisread(ctx context.Context, m account.Misread) error {
	return s.write(ctx, "save report about board "+m.BoardID, func(ctx context.Context, tx Tx) error {
		tracked, err := s.trackedBoard(ctx, tx, m.AccountID, m.BoardID)
		if err != nil {
			return err
		}
		at := m.At
		if at.IsZero() {
			if at, err = tx.now(ctx); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO misreads (board_id, account_id, at, text, titles) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (board_id, account_id) DO UPDATE SET at = EXCLUDED.at, text = EXCLUDED.text, titles = EXCLUDED.titles,
				answer = '', answered_at = 0`,
			tracked.Board.ID, m.AccountID, millis(at), plain(m.Text), plain(strings.Join(m.Titles, titleMark)))
		return err
	})
}

// misreadRow is a row of misreads.
type misreadRow struct {
	BoardID    string `bun:"board_id"`
	AccountID  string `bun:"account_id"`
	At         int64  `bun:"at"`
	Text       string `bun:"text"`
	Titles     string `bun:"titles"`
	Answer     string `bun:"answer"`
	AnsweredAt int64  `bun:"answered_at"`
}

func (r misreadRow) misread() account.Misread {
	return account.Misread{
		BoardID: r.BoardID, AccountID: r.AccountID, At: instant(r.At), Text: r.Text, Titles: account.TitlesIn(r.Titles),
		Answer: r.Answer, AnsweredAt: instant(r.AnsweredAt),
	}
}

const misreadColumns = "m.board_id, m.account_id, m.at, m.text, m.titles, m.answer, m.answered_at"

// Misreads lists at most that many of the newest reports that are not answered yet.
func (s *Store) Misreads(ctx context.Context, limit int) ([]account.MisreadReport, error) {
	var rows []struct {
		boardRow
		misreadRow

		Email string `bun:"email"`
	}
	err := s.db().NewRaw(`SELECT `+boardColumns+`, `+misreadColumns+`, a.email
		FROM misreads AS m JOIN boards AS b ON b.id = m.board_id JOIN accounts AS a ON a.id = m.account_id
		WHERE m.answered_at = 0 ORDER BY m.at DESC, m.board_id, m.account_id LIMIT ?`, limit).Scan(ctx, &rows)
	if err != nil {
		return nil, wrap("list reports", err)
	}
	reports := make([]account.MisreadReport, len(rows))
	for i, r := range rows {
		b, err := r.board()
		if err != nil {
			return nil, err
		}
		reports[i] = account.MisreadReport{Misread: r.misread(), Board: b, Email: r.Email}
	}
	return reports, nil
}

// MisreadsOf lists the account's reports, newest first.
func (s *Store) MisreadsOf(ctx context.Context, accountID string) ([]account.Misread, error) {
	var rows []misreadRow
	err := s.db().NewRaw("SELECT "+misreadColumns+" FROM misreads AS m WHERE m.account_id = ? ORDER BY m.at DESC, m.board_id",
		plain(accountID)).Scan(ctx, &rows)
	if err != nil {
		return nil, wrap("list reports", err)
	}
	return valuesOf(rows, misreadRow.misread), nil
}

// DropMisread forgets the account's report about a board.
func (s *Store) DropMisread(ctx context.Context, accountID, boardID string) error {
	return wrap("drop report", s.aboutBoard(ctx, boardID, "DELETE FROM misreads WHERE account_id = ? AND board_id = ?", plain(accountID)))
}

// AnswerMisreads answers all reports about a board that are not answered yet.
func (s *Store) AnswerMisreads(ctx context.Context, boardID, answer string) error {
	now, err := s.driver.Now(ctx)
	if err == nil {
		err = s.aboutBoard(ctx, boardID, "UPDATE misreads SET answer = ?, answered_at = ? WHERE answered_at = 0 AND board_id = ?", plain(answer), millis(now))
	}
	return wrap("answer reports", err)
}

// aboutBoard runs a statement whose last argument is a board, whose id may be an alias.
func (s *Store) aboutBoard(ctx context.Context, boardID, query string, args ...any) error {
	return s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		id, err := survivor(ctx, tx, boardID)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, query, append(args, id)...)
		return err
	})
}
