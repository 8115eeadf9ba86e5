package scraper

import (
	"bytes"
	"context"
	"net/url"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// readPage reads the board that stands on a page of its own, and the pages that follow it.
func (s *Scraper) readPage(ctx context.Context, client *outbound.Client, address string, b boardwatch.Board) (boardwatch.Reading, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return boardwatch.Failed(cause.Refused, "the address of the page is not a web address"), nil //nolint:nilerr // the reason says it
	}
	last := s.last(b, boardwatch.PageSystem+"\x00"+address)
	last.answer = s.brought.take(b.Source)
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
		if other, ok, err := s.readSeveral(ctx, client, f, b); ok || err != nil {
			return other, err
		}
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
	case len(l.Next) == 0:
		r.Fingerprint = last.String()
		return r, nil
	}
	return s.readOn(ctx, client, f, l)
}

// readOn reads the further pages of a list. The reading is complete only when every page was read that certainly belongs to it.
func (s *Scraper) readOn(ctx context.Context, client *outbound.Client, f *fetched, l page.List) (boardwatch.Reading, error) {
	f.shut(ctx)
	r := l.Reading
	s.listed(len(r.Postings), r.Claimed)
	keys, places := make(map[string]bool), make(map[string]bool)
	for _, p := range r.Postings {
		keys[p.Identity()], places[p.Identity()+"\x00"+p.Location] = true, true
	}
	partial := func(t page.Trouble) (boardwatch.Reading, error) {
		t.Limit(&r)
		return r, nil
	}
	capped, unsure, doubt, more := l.Capped, l.Unsure, l.Doubt, l.More
	ways := waysFrom(f.page.URL, l.Next)
	for {
		next, ok := ways.next()
		if !ok {
			break
		}
		if ways.asked >= s.maxPages {
			return partial(page.TooManyPages)
		}
		ways.asked++
		further, fault, err := s.fetch(ctx, client, next.URL)
		switch {
		case err != nil:
			return boardwatch.Reading{}, err
		case fault != nil && fault.Cause == cause.Gone && ways.mayEnd(next):
			ways.end(next)
			continue
		case fault != nil:
			r.RetryAfter = fault.RetryAfter
			return partial(page.PageUnread(ways.asked, "could not be read: "+fault.Reason))
		}
		further.by, further.linked = f.by, true
		l = further.list()
		if isNoList(l.Reading.Cause) && further.doc != nil {
			l.Reading.Shown.Add(further.doc.Shown(nil))
		}
		further.shut(ctx)
		switch {
		case !l.Reading.Health.Read() && (!isNoList(l.Reading.Cause) || !ways.mayEnd(next)):
			return partial(page.PageUnread(ways.asked, "could not be read: "+l.Reading.Reason))
		case len(l.Reading.Postings) == 0 && next.Firm && next.Promised():
			return partial(page.PageUnread(ways.asked, "shows no roles"))
		}
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
		r.Shown.Join(l.Reading.Shown)
		if fresh == 0 {
			if next.Firm && next.Promised() && l.At == next.At {
				return partial(page.PageUnread(ways.asked, "repeats the one before"))
			}
			ways.end(next)
			continue
		}
		s.listed(len(r.Postings), max(r.Claimed, l.Reading.Claimed))
		capped, unsure, more = capped || l.Capped, unsure || l.Unsure, l.More
		if doubt.None() {
			doubt = l.Doubt
		}
		r.Claimed = max(r.Claimed, l.Reading.Claimed)
		if l.Data && l.Reading.Health == boardwatch.HealthPartial {
			more = page.Trouble{Cause: l.Reading.Cause, Reason: l.Reading.Reason}
		}
		ways.fruitful[next.Way] = true
		ways.add(further.page.URL, l.Next)
	}
	switch {
	case capped:
		return partial(page.ListPartTooLong)
	case r.Claimed > len(r.Postings):
		return partial(page.ClaimsMore(r.Claimed, len(r.Postings)))
	case !more.None() && r.Claimed < len(r.Postings):
		return partial(more)
	case !doubt.None():
		return partial(doubt)
	case unsure:
		return partial(page.UnsureEntries)
	}
	r.Health, r.Cause, r.Reason = boardwatch.HealthOK, "", ""
	return r, nil
}

// isNoList reports whether the cause is that of a page which is well and shows no list.
func isNoList(c cause.Cause) bool {
	return c == cause.NoList || c == cause.NeedsBrowser || c == cause.Gone
}

// ways are the addresses on which a list may go on.
type ways struct {
	firm, loose []page.Onward
	seen        map[string]bool
	fruitful    map[string]bool // by way: it brought new roles
	ended       map[string]bool // by way: it brought nothing new
	asked       int             // how many pages were asked for
	vain        int             // how many that may be none of the list's brought nothing
}

// maxVain is how many pages are asked for in vain that may be none of the list's.
const maxVain = 3

func waysFrom(at *url.URL, next []page.Onward) *ways {
	w := &ways{seen: make(map[string]bool), fruitful: make(map[string]bool), ended: make(map[string]bool), asked: 1}
	w.add(at, next)
	return w
}

// add notes where the page at an address leads.
func (w *ways) add(at *url.URL, next []page.Onward) {
	w.seen[page.Canonical(at)] = true
	for _, o := range slices.Backward(next) {
		if o.Firm {
			w.firm = append(w.firm, o)
		} else {
			w.loose = append(w.loose, o)
		}
	}
}

// next is the address to ask for: the surest of the page that was read last. ok is false when nothing leads on.
func (w *ways) next() (o page.Onward, ok bool) {
	for len(w.firm)+len(w.loose) > 0 {
		if n := len(w.firm); n > 0 {
			o, w.firm = w.firm[n-1], w.firm[:n-1]
		} else if n := len(w.loose); w.vain < maxVain {
			o, w.loose = w.loose[n-1], w.loose[:n-1]
		} else {
			break
		}
		if key := page.Canonical(o.URL); !w.seen[key] && (o.Way == "" || !w.ended[o.Way]) {
			w.seen[key] = true
			return o, true
		}
	}
	return page.Onward{}, false
}

// mayEnd reports whether the list may end before an address: it may be none of the list's, or the list may have ended where its
// last page still leads on. Where the page before said how many there are, it has not.
func (w *ways) mayEnd(o page.Onward) bool { return !o.Firm || w.fruitful[o.Way] && !o.Promised() }

// end notes that a page brought nothing new: its way leads no further.
func (w *ways) end(o page.Onward) {
	w.ended[o.Way] = true
	if !o.Firm {
		w.vain++
	}
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
	if f.linked {
		full = 0 // a list that links its pages ends where no link leads on
	}
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
			*r = boardwatch.Failed(cause.NoList, "the address answers with data in which no roles were found")
			return l
		}
		if *r, l.Data = part(s, shortcutAt(f.page.URL)), true; s.Zero {
			*r = boardwatch.Reading{Claimed: 0, Health: boardwatch.HealthOK}
		}
	case page.SitemapData:
		*r = boardwatch.Failed(cause.NoList, "the address answers with a sitemap, which lists addresses and says nothing about roles")
	default:
		*r = boardwatch.Failed(cause.NoList, "the address answers with XML that is neither a page nor a feed")
	}
	return l
}
