package scraper

import (
	"context"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Testify asks the own page of a role that its board no longer lists. See boardwatch.Witness.
func (s *Scraper) Testify(ctx context.Context, b boardwatch.Board, j boardwatch.Job) (said boardwatch.Testimony, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	at, err := s.normalize(j.URL)
	if err != nil {
		return boardwatch.TestimonySilent, nil //nolint:nilerr // an address that nobody can ask
	}
	client, fault := s.session(b.State.Access, outbound.SessionOptions{})
	if fault != nil {
		return boardwatch.TestimonySilent, nil
	}
	f, fault, err := s.fetch(ctx, s.polite(client, b.State.Access), at)
	switch {
	case err != nil:
		return "", err
	case fault != nil && fault.Cause == boardwatch.CauseGone:
		return boardwatch.TestimonyGone, nil
	case fault != nil:
		return boardwatch.TestimonySilent, nil
	case leadsBack(b, at, f.page.URL):
		s.step("the page of the role leads to %s", f.page.URL)
		return boardwatch.TestimonyGone, nil
	case f.doc.SaysGone():
		return boardwatch.TestimonyClosed, nil
	}
	var shown boardwatch.PageText
	shown.Add(f.doc.Shown(nil))
	if shown.Shows(j.Title) {
		return boardwatch.TestimonyThere, nil
	}
	return boardwatch.TestimonySilent, nil
}

// leadsBack reports whether the address of a role leads to its board, to a page above it, or to the home page.
func leadsBack(b boardwatch.Board, asked, final *url.URL) bool {
	to := boardwatch.AddressIdentity(final)
	if to == boardwatch.AddressIdentity(asked) {
		return false
	}
	if list, err := url.Parse(b.URL); err == nil && to == boardwatch.AddressIdentity(list) {
		return true
	}
	above := strings.TrimSuffix(final.Path, "/") + "/"
	return page.IsHome(final.Path) || page.Site(asked.Hostname()) == page.Site(final.Hostname()) && strings.HasPrefix(asked.Path, above)
}
