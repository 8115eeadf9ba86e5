package storage

import (
	"context"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// titleMark separates the titles of a report, which contain no control characters.
const titleMark = "\n"

// SaveMisread saves a report. It replaces the account's earlier one about the board.
func (s *Store) SaveMisread(ctx context.Context, m boardwatch.Misread) error {
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
			ON CONFLICT (board_id, account_id) DO UPDATE SET at = EXCLUDED.at, text = EXCLUDED.text, titles = EXCLUDED.titles`,
			tracked.Board.ID, m.AccountID, millis(at), plain(m.Text), plain(strings.Join(m.Titles, titleMark)))
		return err
	})
}

// Misreads lists at most that many of the newest reports.
func (s *Store) Misreads(ctx context.Context, limit int) ([]boardwatch.MisreadReport, error) {
	var rows []struct {
		boardRow

		AccountID string `bun:"account_id"`
		Email     string `bun:"email"`
		At        int64  `bun:"at"`
		Text      string `bun:"text"`
		Titles    string `bun:"titles"`
	}
	err := s.db().NewRaw(`SELECT `+boardColumns+`, m.account_id, a.email, m.at, m.text, m.titles
		FROM misreads AS m JOIN boards AS b ON b.id = m.board_id JOIN accounts AS a ON a.id = m.account_id
		ORDER BY m.at DESC, m.board_id, m.account_id LIMIT ?`, limit).Scan(ctx, &rows)
	if err != nil {
		return nil, wrap("list reports", err)
	}
	reports := make([]boardwatch.MisreadReport, len(rows))
	for i, r := range rows {
		b, err := r.board()
		if err != nil {
			return nil, err
		}
		reports[i] = boardwatch.MisreadReport{
			Misread: boardwatch.Misread{
				BoardID: b.ID, AccountID: r.AccountID, At: instant(r.At), Text: r.Text, Titles: boardwatch.TitlesIn(r.Titles),
			},
			Board: b, Email: r.Email,
		}
	}
	return reports, nil
}

// DropMisreads forgets all reports about a board.
func (s *Store) DropMisreads(ctx context.Context, boardID string) error {
	return wrap("drop reports", s.aboutBoard(ctx, boardID, "DELETE FROM misreads WHERE board_id = ?"))
}

// aboutBoard runs a statement about a board, whose id may be an alias.
func (s *Store) aboutBoard(ctx context.Context, boardID, query string) error {
	return s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		id, err := survivor(ctx, tx, boardID)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, query, id)
		return err
	})
}
