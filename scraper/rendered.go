package scraper

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// BrowserMode says when a page is opened in a browser.
type BrowserMode string

// The modes. The zero value is auto.
const (
	BrowserAuto   BrowserMode = "auto"   // when it shows its roles in no other way
	BrowserNever  BrowserMode = "never"  // not at all
	BrowserAlways BrowserMode = "always" // always
)

// wantsBrowser reports whether a browser may well come further than the reading did.
func wantsBrowser(r boardwatch.Reading) bool {
	return !r.Health.Read() && (r.BrowserHelps || r.Cause == cause.NeedsBrowser)
}

// readSite reads a page in the way that costs least: by the shortcut noted last time, as it is sent, or in a browser.
func (s *Scraper) readSite(ctx context.Context, client *outbound.Client, place string, b boardwatch.Board) (boardwatch.Reading, error) {
	place = asked(place, b.URL)
	cut := shortcutFrom(b.State.Shortcut)
	if cut != nil && s.browserMode != BrowserAlways {
		r, err := s.readShortcut(ctx, client, cut, known(b))
		if err != nil || r.Health.Read() && (r.Unchanged || len(r.Postings) > 0) {
			return r, err
		}
		s.step("the address that gave the roles last time gives none now%s", because(r.Reason))
	}
	r, err := s.readPage(ctx, client, place, b)
	switch {
	case err != nil:
		return r, err
	case wantsBrowser(r) && s.browserMode == BrowserNever:
		r.Reason += ", and browser.mode is never"
		return r, nil
	case s.lengthens(place, r):
		return s.readLonger(ctx, client, place, b.State.Access, r)
	case !s.renders(r):
		return r, nil
	}
	return s.readRendered(ctx, client, place, b.State.Access, r)
}

// asked is the address under which a page is asked for: as the board gives it, while that is the place that its source names.
func asked(place, given string) string {
	if u, err := url.Parse(given); err == nil && page.Identity(u).String() == place {
		return given
	}
	return place
}

// lengthens reports whether a browser may show more of a list that was read in part, because it goes on by script. Where it
// did not come further lately, it is not asked again.
func (s *Scraper) lengthens(place string, plain boardwatch.Reading) bool {
	if s.browser == nil || s.browserMode == BrowserNever || plain.Health != boardwatch.HealthPartial ||
		plain.Cause != cause.Truncated && plain.Cause != cause.PageMissing && plain.Cause != cause.FewerThanClaimed {
		return false
	}
	last, ok := s.memory.Recall(inVain + place)
	at, err := time.Parse(time.RFC3339, last)
	return !ok || err != nil || time.Since(at) > vainLife
}

const (
	inVain   = "browser in vain "
	vainLife = 24 * time.Hour
)

// readLonger reads in a browser a list of which a part is known. The part stays when the browser shows no more.
func (s *Scraper) readLonger(
	ctx context.Context, client *outbound.Client, place string, a boardwatch.Access, plain boardwatch.Reading,
) (boardwatch.Reading, error) {
	r, err := s.readRendered(ctx, client, place, a, plain)
	switch {
	case err != nil:
		return r, err
	case r.Health == boardwatch.HealthOK && len(r.Postings) >= len(plain.Postings), r.Health.Read() && len(r.Postings) > len(plain.Postings):
		return r, nil
	}
	s.step("a browser comes no further%s", because(r.Reason))
	s.memory.Remember(inVain+place, time.Now().UTC().Format(time.RFC3339))
	return plain, nil
}

// renders reports whether a page that gave this reading is to be shown in a browser.
func (s *Scraper) renders(plain boardwatch.Reading) bool {
	switch s.browserMode {
	case BrowserNever:
		return false
	case BrowserAlways:
		return s.browser != nil && !plain.Unknown && plain.Cause != cause.Robots && (plain.Health != boardwatch.HealthBlocked || wantsBrowser(plain))
	default:
		return s.browser != nil && wantsBrowser(plain)
	}
}

// readRendered reads a page in a browser. plain is what was read of it without one.
func (s *Scraper) readRendered(
	ctx context.Context, client *outbound.Client, place string, a boardwatch.Access, plain boardwatch.Reading,
) (boardwatch.Reading, error) {
	u, err := url.Parse(place)
	if err != nil {
		return plain, nil //nolint:nilerr // plain says it
	}
	f, fault, err := s.render(ctx, u, a, plain, nil)
	switch {
	case err != nil:
		return boardwatch.Reading{}, err
	case fault != nil:
		return *fault, nil
	}
	l := f.renderedList()
	r := l.Reading
	s.step("shown in a browser, %s shows %d roles%s", f.page.URL, len(r.Postings), l.Trail)
	if short, ok, err := s.findShortcut(ctx, client, f, l); err != nil || ok {
		return short, err
	}
	if len(l.Next) > 0 && r.Health.Read() {
		return s.readOn(ctx, client, f, l)
	}
	if why := f.cutBehind(r); why.Health == boardwatch.HealthPartial {
		r.Health, r.Cause, r.Reason = why.Health, why.Cause, why.Reason
	}
	return r, nil
}

// cutBehind is the reading of data that holds just the roles that a page shows as all there are, and that is not whole.
func (f *fetched) cutBehind(shown boardwatch.Reading) boardwatch.Reading {
	titles := func(postings []boardwatch.Posting) []string {
		all := make([]string, 0, len(postings))
		for _, p := range postings {
			all = append(all, page.Fold(p.Title))
		}
		slices.Sort(all)
		return all
	}
	for _, a := range f.shown.Answers {
		st := page.RolesInJSON(a.Data, f.page.URL)
		if len(st.Postings) == 0 || shown.Health != boardwatch.HealthOK || shown.Claimed == len(shown.Postings) ||
			!slices.Equal(titles(st.Postings), titles(shown.Postings)) {
			continue
		}
		if r := part(st, shortcutTo(a, f.page.URL)); r.Health == boardwatch.HealthPartial {
			return r
		}
	}
	return boardwatch.Reading{}
}

// render shows a page in a browser, to be read by a recipe where by is not nil. fault is the reading when that is not possible.
func (s *Scraper) render(
	ctx context.Context, at *url.URL, a boardwatch.Access, plain boardwatch.Reading, by *recipe.Recipe,
) (*fetched, *boardwatch.Reading, error) {
	if f := s.renderings.take(at); f != nil {
		f.by, f.once = by, nil
		if fault, err := s.open(ctx, f); fault != nil || err != nil {
			return nil, fault, err
		}
		return f, nil, nil
	}
	v := View{Address: at.String(), Direct: a.Proxy == boardwatch.NoProxy}
	if proxy, err := url.Parse(a.Proxy); err == nil && a.Proxy != "" && !v.Direct {
		v.Proxy = proxy
	}
	var last *fetched
	var fault *boardwatch.Reading
	v.Enough = func(shown *Shown) Patience {
		last = fetchedFrom(at, shown)
		last.by = by
		defer last.shut(ctx)
		var ended error
		if fault, ended = s.open(ctx, last); fault != nil || ended != nil {
			return Enough
		}
		return last.patience()
	}
	listed := 0
	v.More = func(*Shown) (string, bool) {
		if last.once == nil {
			return "", false // it could not be parsed
		}
		l := last.listed()
		grown := len(l.Reading.Postings) > listed
		listed = len(l.Reading.Postings)
		return l.Press, grown && !l.Follows() && l.Reading.Health == boardwatch.HealthPartial
	}
	deskOf(ctx).rest()
	shown, err := s.browser.Show(ctx, v)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil:
		r := unrendered(plain, err)
		s.step("%s", r.Reason)
		return nil, &r, nil
	case last == nil || last.shown != shown:
		last = fetchedFrom(at, shown)
		last.by = by
	}
	if fault == nil {
		fault, err = s.open(ctx, last)
	}
	if fault != nil || err != nil {
		return nil, fault, err
	}
	s.step("browser: %s: status %d, %d requests, %d answers with data", shown.URL, shown.Status, shown.Requests, len(shown.Answers))
	if w := last.wall(); w != nil && len(last.listed().Reading.Postings) == 0 {
		r := boardwatch.Failed(cause.Wall, "")
		if block(&r, w); w.Passive() {
			r.Reason += " and does not let ours through"
		}
		return nil, &r, nil
	}
	if shown.Status >= 400 {
		if r := refusal(last.page); r != nil {
			return nil, r, nil
		}
	}
	return last, nil, nil
}

// unrendered is the reading when a browser could not show the page.
func unrendered(plain boardwatch.Reading, err error) boardwatch.Reading {
	if !wantsBrowser(plain) {
		return boardwatch.Failed(cause.BrowserFailed, "the page could not be shown in a browser: "+err.Error())
	}
	plain.Cause, plain.Reason = cause.BrowserFailed, plain.Reason+", but "+err.Error()
	return plain
}

// fetchedFrom is a page as a browser showed it.
func fetchedFrom(asked *url.URL, shown *Shown) *fetched {
	header := shown.Header.Clone()
	header.Set("Content-Type", "text/html; charset=utf-8")
	status := shown.Status
	if status == 0 || status == 304 {
		status = 200
	}
	answer := &outbound.Page{URL: shown.URL, Status: status, Header: header, ContentType: "text/html", Body: shown.HTML}
	return &fetched{asked: asked, page: answer, text: shown.HTML, shown: shown}
}

// listed is list, computed once.
func (f *fetched) listed() page.List {
	if f.once == nil {
		l := f.list()
		f.once = &l
	}
	return *f.once
}

// patience is whether the page, as it stands, is worth waiting for.
func (f *fetched) patience() Patience {
	l := f.listed()
	switch {
	case len(l.Reading.Postings) > 0:
		return Enough
	case f.wall().Passive():
		return WaitBegin
	}
	return WaitMore
}

// renderedList is what a page shows that a browser has rendered: a browser can show no more.
func (f *fetched) renderedList() page.List {
	l := f.listed()
	if len(l.Reading.Postings) > 0 {
		return l
	}
	data := f.data()
	switch {
	case len(data.Postings) > 0 && !f.doc.SaysNone():
		l.Reading = part(data.Stated, shortcutTo(data.answer, f.page.URL))
		l.Reading.Company, l.Reading.Domain = f.doc.Owner(f.doc.Structured())
	case !wantsBrowser(l.Reading):
	case l.Reading.Cause == cause.NoList:
		l.Reading.BrowserHelps = false
		l.Reading.Reason = "a browser shows no more than the page as it was sent: no roles were found, and the page does not say that there are none"
	case f.doc.SaysNone(), data.None:
		l.Reading.Health, l.Reading.Cause, l.Reading.Reason = boardwatch.HealthOK, "", ""
	default:
		l.Reading = boardwatch.Failed(cause.NoList, "the page is rendered by JavaScript, but a browser shows no roles either, and the page does not say that there are none")
	}
	if len(l.Reading.Shown.Pages) == 0 {
		l.Reading.Shown.Add(f.doc.Shown(nil))
	}
	return l
}

// source is data that a page asked for, and the roles in it.
type source struct {
	page.Stated

	answer Answer
}

// data is the fullest list of roles among the data that the page asked for.
func (f *fetched) data() source {
	best := source{Stated: page.Stated{Extent: page.Silent()}}
	if f.shown == nil {
		return best
	}
	for _, a := range f.shown.Answers {
		st := page.RolesInJSON(a.Data, f.page.URL)
		if len(st.Postings) > len(best.Postings) {
			st.None = false
			best = source{st, a}
		}
		best.None = best.None || st.None && len(best.Postings) == 0
	}
	return best
}

// renderings keeps pages for a moment that a browser has rendered, because discovery looks at a page that is then read.
type renderings struct {
	mu    sync.Mutex
	pages map[string]rendering
}

type rendering struct {
	page *fetched
	at   time.Time
}

// Limits of what is kept.
const (
	maxRenderings = 8
	renderingLife = time.Minute
)

func (d *renderings) keep(f *fetched) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, old := range d.pages {
		if time.Since(old.at) > renderingLife {
			delete(d.pages, key)
		}
	}
	if len(d.pages) >= maxRenderings {
		return
	}
	if d.pages == nil {
		d.pages = make(map[string]rendering)
	}
	kept := &fetched{asked: f.asked, page: f.page, text: f.text, shown: f.shown} // without its tree
	d.pages[page.Canonical(f.asked)] = rendering{kept, time.Now()}
	d.pages[page.Canonical(f.page.URL)] = rendering{kept, time.Now()}
}

// take is the page that was rendered for an address a moment ago, once; nil when none was.
func (d *renderings) take(at *url.URL) *fetched {
	d.mu.Lock()
	defer d.mu.Unlock()
	kept, ok := d.pages[page.Canonical(at)]
	delete(d.pages, page.Canonical(at))
	if !ok || time.Since(kept.at) > renderingLife {
		return nil
	}
	return kept.page
}
