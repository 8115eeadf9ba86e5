package scraper

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// readPage reads the board that stands on a page of its own, and the pages that follow it.
func (s *Scraper) readPage(ctx context.Context, client *outbound.Client, address, known string) (boardwatch.Reading, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return boardwatch.Failed(boardwatch.CauseRefused, "the address of the page is not a web address"), nil //nolint:nilerr // the reason says it
	}
	last := s.memento(known, boardwatch.PageSystem)
	f, fault, err := s.fetchUnlessKnown(ctx, client, u, last)
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
	r := l.reading
	s.step("%s shows %d roles%s", f.page.URL, len(r.Postings), l.trail)
	if len(r.Postings) == 0 && r.Health == boardwatch.HealthFailed && f.sick().none() {
		if other, ok, err := s.readBeside(ctx, client, f); ok || err != nil {
			return other, err
		}
	}
	switch {
	case l.data:
		return s.readOnData(ctx, client, f, before, last)
	case !r.Health.Read():
		return r, nil
	case l.next == nil:
		r.Fingerprint = last.String()
		return r, nil
	}
	return s.readOn(ctx, client, f, l)
}

// readOn reads the further pages of a list. The reading is complete only when every page was read.
func (s *Scraper) readOn(ctx context.Context, client *outbound.Client, f *fetched, l list) (boardwatch.Reading, error) {
	r := l.reading
	seen := []string{canonical(f.page.URL)}
	keys := make(map[string]bool)
	for _, p := range r.Postings {
		keys[postingID(p)] = true
	}
	partial := func(t trouble) (boardwatch.Reading, error) {
		t.limit(&r)
		return r, nil
	}
	capped, unsure := l.capped, l.unsure
	more := false // whether the list says that it goes on where no link leads
	for next := l.next; next != nil; next = l.next {
		if len(seen) >= s.maxPages {
			return partial(tooManyPages)
		}
		if slices.Contains(seen, canonical(next)) {
			break
		}
		seen = append(seen, canonical(next))
		page, fault, err := s.fetch(ctx, client, next)
		switch {
		case err != nil:
			return boardwatch.Reading{}, err
		case fault != nil:
			r.RetryAfter = fault.RetryAfter
			return partial(pageUnread(len(seen), "could not be read: "+fault.Reason))
		}
		l = page.list()
		switch {
		case !l.reading.Health.Read():
			return partial(pageUnread(len(seen), "could not be read: "+l.reading.Reason))
		case len(l.reading.Postings) == 0:
			return partial(pageUnread(len(seen), "shows no roles"))
		}
		capped, unsure = capped || l.capped, unsure || l.unsure
		for _, text := range l.reading.Shown.Pages {
			r.Shown.Add(text)
		}
		r.Shown.Cut = r.Shown.Cut || l.reading.Shown.Cut
		fresh := 0
		for _, p := range l.reading.Postings {
			if !keys[postingID(p)] {
				keys[postingID(p)] = true
				r.Postings = append(r.Postings, p)
				fresh++
			}
		}
		s.step("%s shows %d more roles", page.page.URL, fresh)
		if fresh == 0 {
			return partial(pageUnread(len(seen), "repeats the one before"))
		}
		r.Claimed = max(r.Claimed, l.reading.Claimed)
		more = l.more
	}
	switch {
	case capped:
		return partial(listPartTooLong)
	case r.Claimed > len(r.Postings):
		return partial(claimsMore(r.Claimed, len(r.Postings)))
	case more && r.Claimed < len(r.Postings):
		return partial(goesOnElsewhere)
	case unsure:
		return partial(unsureEntries)
	}
	r.Health, r.Cause, r.Reason = boardwatch.HealthOK, "", ""
	return r, nil
}

func postingID(p boardwatch.Posting) string {
	if p.Key != "" {
		return p.Key
	}
	return p.Title + "\x00" + p.Location + "\x00" + p.Department
}

// list is what one page of a board shows.
type list struct {
	reading boardwatch.Reading
	next    *url.URL // the page that follows; nil when there is none, or none that can be told
	more    bool     // the list goes on, by a button or in words
	press   string   // what is to be pressed to have it go on, if it goes on by a button
	data    bool     // the page is no page but data
	capped  bool     // the page holds more than is taken from it
	unsure  bool     // the page shows what may be further roles
	trail   string
}

// list reads the roles that the page shows and judges how far that is to be trusted.
func (f *fetched) list() list {
	if kind := dataKind(f.text); kind != notData {
		return f.dataList(kind)
	}
	d := f.doc
	data := d.structured()
	found, groups := d.roles()
	archived := d.closedAll(found)
	var past []*candidate
	if archived {
		past, found, groups = found, nil, nil
	}
	found = d.single(found, f.page.URL)
	shown := merge(d.postings(found, groups), data, d)
	state := d.embedded(shown)
	l := list{reading: boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Postings: join(shown, &state)}}
	r := &l.reading
	for i, p := range r.Postings {
		r.Postings[i].Location = withoutFurther(p.Location)
	}
	r.Company, r.Domain = d.identity(data)
	r.Shown.Add(d.shown(past))
	l.trail = trail(groups)
	if len(r.Postings) == 0 {
		if w := f.wall(); w != nil {
			block(r, w)
			return l
		}
	}
	if sick := f.sick(); !sick.none() {
		sick.fail(r) // what was seen of it counts for nothing, but may be shown
		r.Unknown = f.gone()
		return l
	}
	if len(r.Postings) == 0 {
		if why := d.barren(archived); !why.none() {
			*r = boardwatch.Failed(why.cause, why.reason)
		}
		if total := d.claimed(nil); total > 0 && r.Health == boardwatch.HealthOK {
			*r = boardwatch.Failed(boardwatch.CauseFewerThanClaimed, "the page says it has "+itoa(total)+" roles, but shows none")
		}
		return l
	}
	r.Claimed = max(d.claimed(found), state.claimed()-(len(state.rows)-len(state.postings)))
	l.next, l.more = d.following(found)
	l.more = l.more || state.goesOn(len(state.rows), 1) || state.fills() || len(shown) > 0 && len(found) == 0 && data.goesBeyond(d)
	if x := linkExtent(f.page.Header.Values("Link")); l.next == nil && furtherPart.MatchString(x.next) {
		l.next = d.sameHost(resolve(f.page.URL, x.next))
		l.more = l.more || l.next == nil
	}
	if _, limit := shortcutAt(f.page.URL).knobs(); limit > 1 && l.next == nil && len(r.Postings) >= limit {
		l.more = true // unless the page says that these are all
	}
	if l.next == nil && (l.more || r.Claimed > len(r.Postings)) {
		l.press = d.presses(found)
	}
	l.unsure = data.unsure || len(found) > 0 && d.overlooks(found)
	l.capped = d.capped || state.capped || len(r.Postings) >= maxPostings
	switch {
	case l.capped:
		pageTooLarge.limit(r)
	case r.Claimed > len(r.Postings):
		claimsMore(r.Claimed, len(r.Postings)).limit(r)
	case l.next != nil:
		pagesFollow.limit(r)
	case l.more && r.Claimed < len(r.Postings):
		showsPart.limit(r)
	case l.unsure:
		unsureEntries.limit(r)
	}
	return l
}

func trail(groups []*group) string {
	var b strings.Builder
	for _, g := range groups {
		b.WriteString("; " + itoa(len(g.items)) + " by " + strings.Join(g.trail, ", "))
	}
	return b.String()
}

// merge joins what a page says to machines with what it shows to people. What it shows counts; a single statement that
// matches nothing shown is an advertisement for the page as a whole.
func merge(shown []boardwatch.Posting, data statement, d *document) []boardwatch.Posting {
	if len(shown) == 0 {
		if len(data.postings) == 1 && !data.fits(d) {
			return nil
		}
		return data.postings
	}
	byAddress, byTitle := make(map[string]int), make(map[string]int)
	for j, q := range data.postings {
		if q.URL != "" {
			byAddress[q.Key] = j
		}
		byTitle[fold(q.Title)] = j
	}
	matched := make([]bool, len(data.postings))
	for i, p := range shown {
		j, ok := byAddress[p.Key]
		if !ok || p.URL == "" {
			j, ok = byTitle[fold(p.Title)]
		}
		if ok && !matched[j] {
			matched[j] = true
			shown[i] = enrich(p, data.postings[j])
		}
	}
	if len(data.postings) < 2 {
		return shown
	}
	for j, q := range data.postings {
		if !matched[j] {
			shown = append(shown, q)
		}
	}
	return shown
}

// join completes what a page shows with the state of the application behind it. A state that knows more than half of what
// is shown is the list itself, of which the page may show a part; any other is about something else and is forgotten.
func join(shown []boardwatch.Posting, state *stated) []boardwatch.Posting {
	if len(shown) == 0 || len(state.postings) == 0 {
		if len(shown) > 0 {
			*state = stated{extent: silent()}
		}
		return append(shown, state.postings...)
	}
	byAddress, byTitle := make(map[string]int), make(map[string][]int)
	for j, q := range state.postings {
		if q.URL != "" {
			byAddress[q.Key] = j
		}
		byTitle[fold(q.Title)] = append(byTitle[fold(q.Title)], j)
	}
	pairs := make([]int, len(shown))
	used := make([]bool, len(state.postings))
	hits := 0
	for i, p := range shown {
		j, ok := byAddress[p.Key]
		for _, k := range byTitle[fold(p.Title)] {
			if !ok && !used[k] {
				j, ok = k, true
			}
		}
		pairs[i] = -1
		if ok {
			pairs[i], used[j] = j, true
			hits++
		}
	}
	if hits*2 <= len(shown) {
		*state = stated{extent: silent()}
		return shown
	}
	for i, j := range pairs {
		if j >= 0 {
			shown[i] = enrich(shown[i], state.postings[j])
		}
	}
	for j, q := range state.postings {
		if !used[j] {
			shown = append(shown, q)
		}
	}
	return shown
}

// enrich fills the gaps of what is shown.
func enrich(p, q boardwatch.Posting) boardwatch.Posting {
	if p.Location == "" {
		p.Location = q.Location
	}
	if p.Department == "" {
		p.Department = q.Department
	}
	if p.URL == "" {
		p.URL, p.Key = q.URL, q.Key
	}
	return p
}

// identity is whose page it is, as far as the page says.
func (d *document) identity(data statement) (company, domain string) {
	company = data.company
	if company == "" {
		company = d.meta("og:site_name")
	}
	if u := resolve(d.url, data.sameAs); u != nil && !isSocial(u) && data.sameAs != "" {
		return company, site(u.Hostname())
	}
	host := d.url.Hostname()
	if _, err := netip.ParseAddr(host); err != nil && !boardSites[site(host)] && strings.Contains(host, ".") {
		domain = site(host)
	}
	return company, domain
}
