package scraper

import (
	"context"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Testify asks the own page of a role that its board no longer lists. See boardwatch.Witness.
func (s *Scraper) Testify(ctx context.Context, b boardwatch.Board, j boardwatch.Job) (said boardwatch.Testimony, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	system, token, _ := strings.Cut(b.Source, ":")
	adapter := s.adapter(system)
	if adapter == nil {
		return s.testifyPage(ctx, b, j)
	}
	client, fault := s.session(b.State.Access, outbound.SessionOptions{System: system})
	if fault != nil {
		return boardwatch.TestimonySilent, nil
	}
	if said, err = ats.Testify(ctx, adapter, client, token, j); err != nil || said == boardwatch.TestimonyThere || said == boardwatch.TestimonyClosed {
		return said, err
	}
	shown, err := s.testifyPage(ctx, b, j)
	if shown == boardwatch.TestimonySilent {
		shown = said
	}
	return shown, err
}

// testifyPage asks the page itself.
func (s *Scraper) testifyPage(ctx context.Context, b boardwatch.Board, j boardwatch.Job) (boardwatch.Testimony, error) {
	at, err := s.normalize(j.URL)
	if err != nil {
		return boardwatch.TestimonySilent, nil //nolint:nilerr // there is no page
	}
	client, fault := s.session(b.State.Access, outbound.SessionOptions{})
	if fault != nil {
		return boardwatch.TestimonySilent, nil
	}
	f, fault, err := s.fetch(ctx, s.polite(client, b.State.Access), at)
	switch {
	case err != nil:
		return "", err
	case fault != nil && fault.Cause == cause.Gone:
		return boardwatch.TestimonyGone, nil
	case fault != nil:
		return boardwatch.TestimonySilent, nil
	}
	if said := ats.RoleSays(f.text, j.Title); said != boardwatch.TestimonySilent {
		return said, nil
	}
	leads := backTo(b, at, f.page.URL)
	if leads != nowhere {
		s.step("the page of the role leads to %s", f.page.URL)
	}
	var shown boardwatch.PageText
	shown.Add(f.doc.Title())
	shown.Add(f.doc.Shown(nil))
	switch there := shown.Shows(j.Title); {
	case leads == toTheList, leads == above && !there:
		return boardwatch.TestimonyGone, nil
	case f.wall() == nil && f.doc.SaysGone(j.Title):
		return boardwatch.TestimonyClosed, nil
	case there:
		return boardwatch.TestimonyThere, nil
	}
	return boardwatch.TestimonySilent, nil
}

// back is where the address of a role leads instead of the role's page.
type back int

const (
	nowhere   back = iota
	toTheList      // or the home page
	above          // a page above it, which may be the role's
)

func backTo(b boardwatch.Board, asked, final *url.URL) back {
	if boardwatch.AddressIdentity(final) == boardwatch.AddressIdentity(asked) {
		return nowhere
	}
	short := func(u *url.URL) string { return boardwatch.AddressIdentity(&url.URL{Host: u.Host, Path: u.Path}) }
	list, err := url.Parse(b.URL)
	switch {
	case short(final) == short(asked):
		if boardwatch.AddressIdentity(final) == short(final) {
			return above
		}
	case err == nil && short(final) == short(list), page.IsHome(final.Path) && !page.IsHome(asked.Path):
		return toTheList
	case page.Site(asked.Hostname()) == page.Site(final.Hostname()) && strings.HasPrefix(asked.Path, strings.TrimSuffix(final.Path, "/")+"/"):
		return above
	}
	return nowhere
}
