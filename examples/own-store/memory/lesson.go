package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// lesson is an operator's question about a board's page.
type lesson struct {
	boardwatch.Lesson

	takenUntil time.Time
}

// AskLesson keeps a question, in place of the board's earlier lesson.
func (s *Store) AskLesson(ctx context.Context, l boardwatch.Lesson) error {
	return s.write(ctx, func(d *Database) error {
		b, err := d.board(l.BoardID)
		if err != nil {
			return err
		}
		asked := boardwatch.Lesson{BoardID: b.ID, AskedAt: l.AskedAt, Like: l.Like, Not: l.Not}
		if asked.AskedAt.IsZero() {
			asked.AskedAt = d.now()
		}
		if old, ok := d.lessons[b.ID]; ok && !asked.AskedAt.After(old.AskedAt) {
			asked.AskedAt = old.AskedAt.Add(time.Millisecond)
		}
		d.lessons[b.ID] = &lesson{Lesson: asked}
		return nil
	})
}

// Lesson is that of a board.
func (s *Store) Lesson(_ context.Context, boardID string) (l boardwatch.Lesson, err error) {
	s.read(func(d *Database) {
		b, missing := d.board(boardID)
		if missing != nil || d.lessons[b.ID] == nil {
			err = boardwatch.NotFound("lesson")
			return
		}
		l = d.lessons[b.ID].Lesson
	})
	return l, err
}

// TakeLesson leases the lesson that waits longest for an answer.
func (s *Store) TakeLesson(ctx context.Context, lease time.Duration) (l boardwatch.Lesson, b boardwatch.Board, err error) {
	err = s.write(ctx, func(d *Database) error {
		var next *lesson
		for _, w := range d.lessons {
			if !w.Done && !w.takenUntil.After(d.now()) && (next == nil || w.AskedAt.Before(next.AskedAt)) {
				next = w
			}
		}
		if next == nil {
			return nil
		}
		next.takenUntil = d.now().Add(lease)
		l, b = next.Lesson, d.boards[next.BoardID].Board
		return nil
	})
	return l, b, err
}

// AnswerLesson keeps the answer, unless the lesson was asked anew meanwhile.
func (s *Store) AnswerLesson(ctx context.Context, l boardwatch.Lesson) error {
	return s.write(ctx, func(d *Database) error {
		if w := d.lessons[l.BoardID]; w != nil && w.AskedAt.Equal(l.AskedAt) {
			l.Done = true
			w.Lesson = l
		}
		return nil
	})
}

// SaveMisread keeps a report, in place of the account's earlier one about the board.
func (s *Store) SaveMisread(ctx context.Context, m boardwatch.Misread) error {
	if _, err := s.TrackedBoard(ctx, m.AccountID, m.BoardID); err != nil {
		return err
	}
	return s.write(ctx, func(d *Database) error {
		b, err := d.board(m.BoardID)
		if err != nil {
			return err
		}
		m.BoardID = b.ID
		if m.At.IsZero() {
			m.At = d.now()
		}
		d.misreads = slices.DeleteFunc(d.misreads, func(o boardwatch.Misread) bool {
			return o.BoardID == m.BoardID && o.AccountID == m.AccountID
		})
		d.misreads = append(d.misreads, m)
		return nil
	})
}

// Misreads lists the newest reports, at most so many.
func (s *Store) Misreads(_ context.Context, limit int) (reports []boardwatch.MisreadReport, err error) {
	s.read(func(d *Database) {
		for _, m := range d.misreads {
			if a, b := d.accounts[m.AccountID], d.boards[m.BoardID]; a != nil && b != nil {
				reports = append(reports, boardwatch.MisreadReport{Misread: m, Board: b.shown(), Email: a.Email})
			}
		}
	})
	slices.SortFunc(reports, func(a, b boardwatch.MisreadReport) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.AccountID, b.AccountID))
	})
	return reports[:min(limit, len(reports))], nil
}

// DropMisreads forgets all reports about a board.
func (s *Store) DropMisreads(ctx context.Context, boardID string) error {
	return s.write(ctx, func(d *Database) error {
		b, err := d.board(boardID)
		if err != nil {
			return nil //nolint:nilerr // nothing is reported about it
		}
		d.misreads = slices.DeleteFunc(d.misreads, func(m boardwatch.Misread) bool { return m.BoardID == b.ID })
		return nil
	})
}
