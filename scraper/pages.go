package scraper

import (
	"bytes"
	"context"
	"net/url"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// readPage reads the board that stands on a page of its own, and the pages that follow it.
func (s *Scraper) readPage(ctx context.Context, client *outbound.Client, address string, b boardwatch.Board) (boardwatch.Reading, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return boardwatch.Failed(boardwatch.CauseRefused, "the address of the page is not a web address"), nil //nolint:nilerr // the reason says it
	}
	last := s.last(b, boardwatch.PageSystem+"\x00"+address)
	f, fault, err := s.fetchGiven(ctx, client, u, last)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	if fault != nil {
		return *fault, nil
	}
	before := last
	if f.print != "" {
		last = last.of(f.print, f.page.Header, f.direct())
	}
	if f.unchanged {
		return boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: last.String()}, nil
	}
	l := f.list()
	r := l.Reading
	s.step("%s shows %d roles%s", f.page.URL, len(r.Postings), l.Trail)
	if len(r.Postings) == 0 && r.Health == boardwatch.HealthFailed && f.sick().None() {
		if other, ok, err := s.readFrames(ctx, client, f); ok || err != nil {
			return other, err
		}
		if other, ok, err := s.readBeside(ctx, client, f); ok || err != nil {
			return other, err
		}
	}
	switch {
	case l.Data:
		return s.readOnData(ctx, client, f, before, last)
	case !r.Health.Read():
		return r, nil
	case l.Next == nil:
		r.Fingerprint = last.String()
		return r, nil
	}
	return s.readOn(ctx, client, f, l)
}

// readOn reads the further pages of a list. The reading is complete only when every page was read.
func (s *Scraper) readOn(ctx context.Context, client *outbound.Client, f *fetched, l page.List) (boardwatch.Reading, error) {
	f.shut(ctx)
	r := l.Reading
	s.listed(len(r.Postings), r.Claimed)
	seen := []string{page.Canonical(f.page.URL)}
	keys, places := make(map[string]bool), make(map[string]bool)
	for _, p := range r.Postings {
		keys[p.Identity()], places[p.Identity()+"\x00"+p.Location] = true, true
	}
	partial := func(t page.Trouble) (boardwatch.Reading, error) {
		t.Limit(&r)
		return r, nil
	}
	capped, unsure, doubt := l.Capped, l.Unsure, l.Doubt
	more := false // whether the list says that it goes on where no link leads
	for next := l.Next; next != nil; next = l.Next {
		if len(seen) >= s.maxPages {
			return partial(page.TooManyPages)
		}
		if slices.Contains(seen, page.Canonical(next)) {
			break
		}
		seen = append(seen, page.Canonical(next))
		further, fault, err := s.fetch(ctx, client, next)
		switch {
		case err != nil:
			return boardwatch.Reading{}, err
		case fault != nil:
			r.RetryAfter = fault.RetryAfter
			return partial(page.PageUnread(len(seen), "could not be read: "+fault.Reason))
		}
		further.by = f.by
		l = further.list()
		further.shut(ctx)
		switch {
		case !l.Reading.Health.Read():
			return partial(page.PageUnread(len(seen), "could not be read: "+l.Reading.Reason))
		case len(l.Reading.Postings) == 0:
			return partial(page.PageUnread(len(seen), "shows no roles"))
		}
		capped, unsure = capped || l.Capped, unsure || l.Unsure
		if doubt.None() {
			doubt = l.Doubt
		}
		r.Shown.Join(l.Reading.Shown)
		fresh := 0
		for _, p := range l.Reading.Postings {
			key := p.Identity()
			if !keys[key] {
				fresh++
			}
			if place := key + "\x00" + p.Location; !places[place] {
				keys[key], places[place] = true, true
				r.Postings = append(r.Postings, p) // perhaps the same role in another place
			}
		}
		s.step("%s shows %d more roles", further.page.URL, fresh)
		s.listed(len(r.Postings), max(r.Claimed, l.Reading.Claimed))
		if fresh == 0 {
			return partial(page.PageUnread(len(seen), "repeats the one before"))
		}
		r.Claimed = max(r.Claimed, l.Reading.Claimed)
		more = l.More
	}
	switch {
	case capped:
		return partial(page.ListPartTooLong)
	case r.Claimed > len(r.Postings):
		return partial(page.ClaimsMore(r.Claimed, len(r.Postings)))
	case more && r.Claimed < len(r.Postings):
		return partial(page.GoesOnElsewhere)
	case !doubt.None():
		return partial(doubt)
	case unsure:
		return partial(page.UnsureEntries)
	}
	r.Health, r.Cause, r.Reason = boardwatch.HealthOK, "", ""
	return r, nil
}

// list reads the roles that the page shows and judges how far that is to be trusted.
func (f *fetched) list() page.List {
	if f.by != nil {
		return f.recipeList()
	}
	if kind := page.DataKind(f.text); kind != page.NotData {
		return f.dataList(kind)
	}
	found := f.doc.Candidates(f.page.URL)
	if found.None() {
		if w := f.wall(); w != nil {
			l := found.List()
			block(&l.Reading, w)
			return l
		}
	}
	return found.Verdict(f.visit())
}

// visit is how the page came here.
func (f *fetched) visit() page.Visit {
	_, full := shortcutAt(f.page.URL).knobs()
	return page.Visit{Asked: f.asked, At: f.page.URL, Text: f.text, Links: f.page.Header.Values("Link"), FullPage: full}
}

// sick says what is wrong with the page as a whole, whatever roles it seems to show.
func (f *fetched) sick() page.Trouble {
	return f.doc.Sick(page.Visit{Asked: f.asked, At: f.page.URL, Text: f.text})
}

// isWord reports whether what came is a word in place of the page: that it is not there, or not now, or not for everybody.
func (f *fetched) isWord(r boardwatch.Reading) bool {
	return !f.sick().None() || len(r.Postings) == 0 && f.doc.AsksFirst()
}

// dataList reads an answer that is data as a list of roles.
func (f *fetched) dataList(kind string) page.List {
	l := page.List{}
	r := &l.Reading
	switch kind {
	case page.FeedData:
		l.Reading = page.ReadFeed(f.text, f.page.URL)
	case page.JSONData:
		if bytes.Contains(f.text[:min(len(f.text), 500)], []byte("jsonfeed.org")) {
			l.Reading = page.ReadFeed(f.text, f.page.URL)
			return l
		}
		s := page.RolesInJSON(f.text, f.page.URL)
		s.Extent = s.And(page.HeaderExtent(f.page.Header))
		if len(s.Postings) == 0 && !s.Zero {
			*r = boardwatch.Failed(boardwatch.CauseNoList, "the address answers with data in which no roles were found")
			return l
		}
		if *r, l.Data = part(s, shortcutAt(f.page.URL)), true; s.Zero {
			*r = boardwatch.Reading{Claimed: 0, Health: boardwatch.HealthOK}
		}
	case page.SitemapData:
		*r = boardwatch.Failed(boardwatch.CauseNoList, "the address answers with a sitemap, which lists addresses and says nothing about roles")
	default:
		*r = boardwatch.Failed(boardwatch.CauseNoList, "the address answers with XML that is neither a page nor a feed")
	}
	return l
}
