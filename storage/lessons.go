package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func (s *Store) AskLesson(ctx context.Context, l boardwatch.Lesson) error {
	return s.write(ctx, "ask about board "+l.BoardID, func(ctx context.Context, tx driver.Tx) error {
		row, err := s.findBoard(ctx, tx, l.BoardID, s.dialect.RowLock)
		if err != nil {
			return err
		}
		at := l.AskedAt
		if at.IsZero() {
			if at, err = tx.Now(ctx); err != nil {
				return err
			}
		}
		text, err := json.Marshal(boardwatch.Lesson{Like: l.Like, Not: l.Not})
		if err != nil {
			return err
		}
		// A question asked again is a new one, even within the same millisecond.
		_, err = tx.ExecContext(ctx, `INSERT INTO lessons (board_id, asked_at, lesson) VALUES (?, ?, ?)
			ON CONFLICT (board_id) DO UPDATE SET asked_at = CASE WHEN lessons.asked_at >= EXCLUDED.asked_at THEN lessons.asked_at + 1
			ELSE EXCLUDED.asked_at END, taken_until = 0, done = FALSE, lesson = EXCLUDED.lesson`, row.ID, millis(at), plain(string(text)))
		return err
	})
}

func (s *Store) Lesson(ctx context.Context, boardID string) (boardwatch.Lesson, error) {
	id, err := survivor(ctx, s.db(), boardID)
	if err != nil {
		return boardwatch.Lesson{}, err
	}
	l, _, err := lessonWhere(ctx, s.db(), "board_id = ?", id)
	return l, found("read lesson of board "+boardID, "lesson", err)
}

// lessonWhere reads one lesson and the end of its lease.
func lessonWhere(ctx context.Context, db bun.IDB, condition string, args ...any) (l boardwatch.Lesson, taken int64, err error) {
	var asked int64
	var text string
	var done bool
	err = db.QueryRowContext(ctx, "SELECT board_id, asked_at, taken_until, done, lesson FROM lessons WHERE "+condition, args...).
		Scan(&l.BoardID, &asked, &taken, &done, &text)
	if err != nil {
		return boardwatch.Lesson{}, 0, err
	}
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return boardwatch.Lesson{}, 0, fmt.Errorf("decode lesson: %w", err)
	}
	l.AskedAt, l.Done = instant(asked), done
	return l, taken, nil
}

func (s *Store) TakeLesson(ctx context.Context, lease time.Duration) (boardwatch.Lesson, boardwatch.Board, error) {
	now, err := s.driver.Now(ctx)
	if err != nil {
		return boardwatch.Lesson{}, boardwatch.Board{}, wrap("take lesson", err)
	}
	l, taken, err := lessonWhere(ctx, s.db(), "NOT done AND taken_until <= ? ORDER BY asked_at, board_id LIMIT 1", millis(now))
	if errors.Is(err, sql.ErrNoRows) {
		return boardwatch.Lesson{}, boardwatch.Board{}, nil
	}
	if err != nil {
		return boardwatch.Lesson{}, boardwatch.Board{}, wrap("take lesson", err)
	}
	mine := false
	err = s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		n, err := affected(ctx, tx, "UPDATE lessons SET taken_until = ? WHERE board_id = ? AND asked_at = ? AND taken_until = ? AND NOT done",
			millis(now.Add(lease)), l.BoardID, millis(l.AskedAt), taken)
		mine = n > 0
		return err
	})
	if err != nil || !mine { // another teacher took it first
		return boardwatch.Lesson{}, boardwatch.Board{}, wrap("take lesson", err)
	}
	b, err := s.Board(ctx, l.BoardID)
	return l, s.unsealed(b), wrap("take lesson", err)
}

func (s *Store) AnswerLesson(ctx context.Context, l boardwatch.Lesson) error {
	text, err := json.Marshal(l)
	if err != nil {
		return wrap("answer lesson", err)
	}
	return s.exec(ctx, "answer lesson", "UPDATE lessons SET done = TRUE, taken_until = 0, lesson = ? WHERE board_id = ? AND asked_at = ?",
		plain(string(text)), l.BoardID, millis(l.AskedAt))
}
