package scraper

import (
	"context"
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// readFrames reads the pages of the same site that a page shows in frames, when it shows no roles itself. It reports false when none of
// them holds any.
func (s *Scraper) readFrames(ctx context.Context, client *outbound.Client, f *fetched) (boardwatch.Reading, bool, error) {
	if f.doc == nil || page.DataKind(f.text) != page.NotData {
		return boardwatch.Reading{}, false, nil
	}
	frames := f.doc.Frames()
	for _, u := range frames {
		f.shut(ctx)
		inner, fault, err := s.fetch(ctx, client, u)
		if err != nil {
			return boardwatch.Reading{}, false, err
		}
		if fault != nil {
			s.step("the frame %s cannot be read%s", u, because(fault.Reason))
			continue
		}
		l := inner.list()
		s.step("the frame %s shows %d roles%s", u, len(l.Reading.Postings), l.Trail)
		if len(l.Reading.Postings) == 0 || !l.Reading.Health.Read() {
			continue
		}
		if len(l.Next) == 0 {
			return l.Reading, true, nil
		}
		r, err := s.readOn(ctx, client, inner, l)
		return r, err == nil, err
	}
	if len(frames) == 0 {
		return boardwatch.Reading{}, false, nil
	}
	_, err := s.open(ctx, f) // it was small enough before
	return boardwatch.Reading{}, false, err
}

// readBeside reads what a page names as its data, when the page itself shows no roles. It reports false when none of it
// holds any.
func (s *Scraper) readBeside(ctx context.Context, client *outbound.Client, f *fetched) (boardwatch.Reading, bool, error) {
	if f.doc == nil || page.DataKind(f.text) != page.NotData {
		return boardwatch.Reading{}, false, nil
	}
	links := f.doc.DataLinks()
	for _, u := range links {
		f.shut(ctx)
		answer, err := client.Get(ctx, u.String(), nil)
		if ctx.Err() != nil {
			return boardwatch.Reading{}, false, context.Cause(ctx)
		}
		if err != nil || answer.Status != http.StatusOK || wallOfPage(answer) != nil {
			s.step("%s, which the page names as its data, cannot be read", u)
			continue
		}
		data := &fetched{asked: u, page: answer, text: answer.Text()}
		if err := deskOf(ctx).add(ctx, data.text); err != nil {
			s.step("%s, which the page names as its data: %v", u, err)
			continue
		}
		l, ok := data.besideList(f.page.URL)
		if !ok {
			s.step("%s, which the page names as its data, holds no roles", u)
			continue
		}
		s.step("%s, which the page names as its data, holds %d roles", u, len(l.Reading.Postings))
		if fault, err := s.open(ctx, f); fault != nil || err != nil {
			return boardwatch.Reading{}, false, err
		}
		l.Reading.Company, l.Reading.Domain = f.doc.Owner(f.doc.Structured())
		l.Reading.Shown.Add(f.doc.Shown(nil))
		return l.Reading, true, nil
	}
	_, err := s.open(ctx, f) // it was small enough before
	return boardwatch.Reading{}, false, err
}

// besideList reads the data of a page: a feed, JSON, or a script that assigns or passes on a value. Addresses in it are
// meant as the page means them.
func (f *fetched) besideList(base *url.URL) (page.List, bool) {
	kind := page.DataKind(f.text)
	if kind == page.NotData {
		return f.statedList(page.RolesInScript(f.text, base))
	}
	if kind != page.JSONData {
		l := f.dataList(kind)
		return l, len(l.Reading.Postings) > 0
	}
	return f.statedList(page.RolesInPageData(f.text, base))
}

func (f *fetched) statedList(s page.Stated) (page.List, bool) {
	s.Extent = s.And(page.HeaderExtent(f.page.Header))
	return page.List{Reading: part(s, shortcutAt(f.page.URL))}, len(s.Postings) > 0
}
