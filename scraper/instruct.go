package scraper

import (
	"context"
	"errors"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/recipe"
)

var _ boardwatch.Instructor = (*Scraper)(nil)

// Instruct answers an operator's question about a board's page. See boardwatch.Instructor.
func (s *Scraper) Instruct(ctx context.Context, b boardwatch.Board, l boardwatch.Lesson) (learned boardwatch.Lesson, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	if err := s.showLists(ctx, b, &l); err != nil || len(l.Like) == 0 || l.Health == boardwatch.HealthBlocked {
		return l, err
	}
	lesson, err := s.TeachBoard(ctx, b, recipe.Examples{Like: l.Like, Not: l.Not})
	if fault, ok := errors.AsType[*UntaughtError](err); ok {
		answer(&l, fault.Reading())
		return l, nil
	}
	if fault, ok := errors.AsType[*boardwatch.Error](err); ok {
		answer(&l, boardwatch.Failed(cause.Refused, fault.Message))
		return l, nil
	}
	if err != nil {
		return l, err
	}
	answer(&l, lesson.Reading)
	l.Recipe, l.Roles = lesson.Board.Recipe, len(lesson.Reading.Postings)
	l.Postings = lesson.Reading.Postings[:min(l.Roles, boardwatch.MaxLessonPostings)]
	return l, nil
}

// answer puts what became of a reading into the lesson.
func answer(l *boardwatch.Lesson, r boardwatch.Reading) {
	l.Health, l.Cause, l.Reason = r.Health, r.Cause, r.Reason
}

// showLists puts the lists of the page into the lesson, as it is sent or, where that shows none, as a browser shows it.
func (s *Scraper) showLists(ctx context.Context, b boardwatch.Board, l *boardwatch.Lesson) error {
	b, err := s.taughtAt(b)
	if fault, ok := errors.AsType[*boardwatch.Error](err); ok {
		answer(l, boardwatch.Failed(cause.Refused, fault.Message))
		l.Like = nil
		return nil
	}
	if err != nil {
		return err
	}
	at, err := url.Parse(b.URL)
	if err != nil {
		return err
	}
	_, pages, fault := s.sessions(b.State.Access, 0)
	if fault == nil && s.browserMode != BrowserAlways {
		f, wrong, err := s.fetch(ctx, pages, at)
		if err != nil {
			return err
		}
		if fault = wrong; f != nil {
			l.Lists = recipe.Lists(f.doc)
			f.shut(ctx)
		}
	}
	if len(l.Lists) > 0 || s.browser == nil || s.browserMode == BrowserNever {
		if fault != nil {
			answer(l, *fault)
		}
		return nil
	}
	f, wrong, err := s.render(ctx, at, b.State.Access, boardwatch.Failed(cause.NeedsBrowser, "the page needs a browser"), nil)
	if err != nil {
		return err
	}
	if wrong != nil {
		answer(l, *wrong)
		return nil
	}
	l.Lists = recipe.Lists(f.doc)
	f.shut(ctx)
	return nil
}
