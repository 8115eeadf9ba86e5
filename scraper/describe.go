package scraper

import (
	"context"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Describe reads what a role says of itself in a place of its own: the system's data of that role, if it has any, and else
// the data for machines on the role's own page. What is stated in neither is empty. An error means that nobody was asked.
func (s *Scraper) Describe(ctx context.Context, b boardwatch.Board, j boardwatch.Job) (f boardwatch.Facts, text string, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	system, token, _ := strings.Cut(b.Source, ":")
	if adapter := s.adapter(system); adapter != nil {
		client, fault := s.session(b.State.Access, outbound.SessionOptions{System: system})
		if fault != nil {
			return f, "", nil
		}
		if f, text, err = ats.Describe(ctx, adapter, client, token, j); err != nil || text != "" {
			return f, text, err
		}
	}
	at, err := s.normalize(j.URL)
	if err != nil {
		return f, "", nil
	}
	client, fault := s.session(b.State.Access, outbound.SessionOptions{})
	if fault != nil {
		return f, "", nil
	}
	fetched, fault, err := s.fetch(ctx, s.polite(client, b.State.Access), at)
	if err != nil || fault != nil || fetched.doc == nil {
		return f, "", err
	}
	stated := fetched.doc.Structured().Postings
	for _, p := range stated {
		if page.Fold(p.Title) == page.Fold(j.Title) || len(stated) == 1 && backTo(b, at, fetched.page.URL) == nowhere {
			return p.Facts, p.Text, nil
		}
	}
	return f, "", nil
}
