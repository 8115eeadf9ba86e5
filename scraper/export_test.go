package scraper

import (
	"context"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// AskTeacher has the teacher look at the page of a board as if the page had not been understood.
func (s *Scraper) AskTeacher(ctx context.Context, b boardwatch.Board) (r boardwatch.Reading, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	_, pages, fault := s.sessions(b.State.Access, 0)
	if fault != nil {
		return *fault, nil
	}
	_, place, _ := strings.Cut(b.Source, ":")
	return s.askTeacher(ctx, pages, place, b, boardwatch.Failed(cause.NoList, "it is not understood"))
}
