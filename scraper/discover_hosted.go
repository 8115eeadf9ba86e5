package scraper

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/wall"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// What a trace of a hosted board on a page is worth.
const (
	worthEmbed  = 95
	worthOwn    = 80 // a link to a board that bears the employer's name
	worthScript = 68
	worthOther  = 50 // a link to a board that bears another name, or none
	worthFooter = 20
	maxTraces   = 5
)

// A page that leads to more boards than an employer has is a directory of boards, and one with more addresses than people read
// is no employer's: what comes after these is not looked at.
const (
	maxTraced    = 100
	maxAddresses = 3000
)

// traces are the hosted boards that a page shows or mentions.
func (s *search) traces(ctx context.Context, f *fetched, l clue, shown []boardwatch.Posting) []clue {
	t := &tracer{scraper: s.scraper, page: f, at: make(map[string]int)}
	t.embeds(ctx)
	t.asked()
	t.roles(shown)
	t.links()
	t.scripts()
	t.policies()
	for i := range t.found {
		found := &t.found[i]
		found.from, found.depth, found.shows = f, l.depth+1, shown
		found.sole = len(t.found) == 1
		names, _ := page.TokenNames(found.token)
		switch {
		case found.embed:
		case s.employer.Is(names...):
			found.worth = max(found.worth, worthOwn)
		case l.guess:
			found.worth -= page.PerHint
		}
	}
	slices.SortStableFunc(t.found, func(a, b clue) int { return b.worth - a.worth })
	return t.found[:min(len(t.found), maxTraces)]
}

// tracer finds the hosted boards of one page.
type tracer struct {
	scraper *Scraper
	page    *fetched
	found   []clue
	at      map[string]int // where in found the clue to a board is
	tried   int            // addresses compared with those of the systems
}

// full reports that the page leads to more than is looked at.
func (t *tracer) full() bool { return len(t.found) >= maxTraced || t.tried >= maxAddresses }

func (t *tracer) add(u *url.URL, how string, worth int) {
	t.tried++
	system, token, ok := t.scraper.matches(u)
	if ok {
		t.board(clue{system: system, token: token, how: how, worth: worth})
	}
}

func (t *tracer) board(l clue) {
	i, known := t.at[l.key()]
	if !known {
		t.at[l.key()] = len(t.found)
		t.found = append(t.found, l)
		return
	}
	if old := t.found[i]; l.worth > old.worth {
		l.embed = l.embed || old.embed
		t.found[i] = l
	}
}

// embeds are boards that the page shows in itself.
func (t *tracer) embeds(ctx context.Context) {
	for _, l := range t.scraper.shownBoards(ctx, t.page) {
		t.board(l)
	}
}

// asked are boards whose data the page asks for by script, as a browser saw.
func (t *tracer) asked() {
	if t.page.shown == nil {
		return
	}
	for _, u := range t.page.shown.Asked {
		if system, token, ok := t.scraper.matches(u); ok {
			t.board(clue{system: system, token: token, how: "asks for", worth: worthEmbed, embed: true})
		}
	}
}

// roles is the board to which all roles on the page lead.
func (t *tracer) roles(shown []boardwatch.Posting) {
	var board clue
	for _, p := range shown {
		system, token, ok := t.scraper.matches(page.Resolve(t.page.doc.Base, p.URL))
		if !ok || p.URL == "" || board.system != "" && (board.system != system || board.token != token) {
			return
		}
		board = clue{system: system, token: token, how: "shows the roles of", worth: worthEmbed}
	}
	if board.system != "" {
		t.board(board)
	}
}

// links are boards that elements of the page lead to.
func (t *tracer) links() {
	d := t.page.doc
	for e := range d.References() {
		if t.full() {
			return
		}
		worth := worthOther
		how := "links to"
		switch {
		case e.InFooter:
			worth = worthFooter
		case e.ToRoles:
			worth += page.PerHint
		case e.Loads:
			worth, how = worthScript, "loads something of"
		}
		if u := e.Destination; u != nil {
			t.add(u, how, worth)
		}
		for _, a := range e.Attributes {
			switch {
			case a.Key == "href", a.Key == "src", a.Key == "action", a.Key == "data-src",
				strings.HasPrefix(a.Key, "data-") && strings.Contains(a.Val, "//") && len(a.Val) < maxAddress:
				if u := page.Resolve(d.Base, a.Val); u != nil && (e.Destination == nil || *u != *e.Destination) {
					t.add(u, how, worth)
				}
			case strings.HasPrefix(a.Key, "data-") && strings.Contains(a.Val, ".") && len(a.Val) < 100 && !strings.ContainsAny(a.Val, " /{"):
				t.host(a.Val, how, worth)
			}
		}
	}
}

// host is a board that is named by its host alone.
func (t *tracer) host(host, how string, worth int) {
	if t.full() {
		return
	}
	host, ok := page.ASCIIHost(strings.TrimPrefix(strings.TrimPrefix(host, "https://"), "http://"))
	if !ok || !strings.Contains(host, ".") {
		return
	}
	for _, p := range [...]string{"/", "/jobs", "/careers"} {
		u := &url.URL{Scheme: "https", Host: host, Path: p}
		if _, _, ok := t.scraper.matches(u); ok {
			t.add(u, how, worth)
			return
		}
	}
}

//nolint:gochecknoglobals // constant patterns
var (
	scriptURL   = lazyregexp.New("(?:https?:)?//[A-Za-z0-9.-]{3,100}(?:/[^\\s\"'`<>\\\\)]{0,300})?")
	scriptValue = lazyregexp.New("([A-Za-z_$][\\w$]{0,40})[\"']?\\s*[:=]\\s*[\"'`]([\\w.~-]{2,100})[\"'`]")
	scriptJoin  = lazyregexp.New("[\"'`]\\s*\\+\\s*(?:encodeURIComponent\\()?(?:[A-Za-z_$][\\w$]{0,40}\\.){0,3}([A-Za-z_$][\\w$]{0,40})\\)?(?:\\s*\\+\\s*[\"'`])?")
	scriptHole  = lazyregexp.New(`\$\{(?:[A-Za-z_$][\w$]{0,40}\.){0,3}([A-Za-z_$][\w$]{0,40})\}`)
	unescapeJS  = strings.NewReplacer(`\/`, `/`, `\u002F`, `/`, `\u002f`, `/`, `\u0026`, `&`, `&amp;`, `&`)
)

const maxInline = 1 << 20

// scripts are boards whose addresses stand in scripts, or are put together there out of a name that stands there too.
func (t *tracer) scripts() {
	for text := range t.page.doc.InlineScripts() {
		if len(text) > maxInline || !strings.Contains(text, "//") && !strings.Contains(text, `\/\/`) {
			continue
		}
		text = unescapeJS.Replace(text)
		for _, address := range scriptURL.FindAllString(putTogether(text), 500) {
			if t.full() {
				return
			}
			t.add(page.Resolve(t.page.doc.Base, address), "loads by script", worthScript)
		}
	}
}

// putTogether is a script with names in place of the variables that hold them, inside of what it makes of texts.
func putTogether(text string) string {
	values := make(map[string]string)
	for _, m := range scriptValue.FindAllStringSubmatch(text, 2000) {
		if old, ok := values[m[1]]; ok && old != m[2] {
			values[m[1]] = "" // it has several
			continue
		}
		values[m[1]] = m[2]
	}
	if len(values) == 0 {
		return text
	}
	fill := func(form *lazyregexp.Regexp) {
		text = form.ReplaceAllStringFunc(text, func(hole string) string {
			if value := values[form.FindStringSubmatch(hole)[1]]; value != "" {
				return value
			}
			return hole
		})
	}
	fill(scriptHole)
	fill(scriptJoin)
	return text
}

// policies are boards that the page's Content-Security-Policy lets it load.
func (t *tracer) policies() {
	texts := slices.Concat(t.page.page.Header.Values("Content-Security-Policy"), t.page.page.Header.Values("Content-Security-Policy-Report-Only"))
	texts = append(texts, t.page.doc.ContentPolicies()...)
	for _, text := range texts {
		for _, place := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ';' || r == ',' }) {
			if len(place) > 300 || !strings.Contains(place, ".") || strings.Contains(place, "*") {
				continue
			}
			u := page.Resolve(t.page.doc.Base, place)
			if _, _, ok := t.scraper.matches(u); ok && strings.Contains(place, "//") {
				t.add(u, "may by its policy load", worthOther)
				continue
			}
			host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(place, "https://"), "http://"), "/")
			t.host(host, "may by its policy load", worthOther)
		}
	}
}

// kinship is what is known about whose a board is.
type kinship int

const (
	stranger kinship = iota // another employer's
	nameless                // it does not say
	kin                     // the employer's that the search is for
)

func (s *search) kinship(l clue, r boardwatch.Reading) kinship {
	names, spelt := page.TokenNames(l.token)
	switch {
	case vouched(s.start, l.token, r.Company, r.Domain), s.employer.Is(r.Company), s.employer.Is(names...):
		return kin
	case r.Company == "" && (!spelt || l.system == "oracle"): // Oracle's hosts are named by chance
		return nameless
	}
	return stranger
}

// vouched reports whether somebody else says that a page is that of a hosted board's employer: the board is served at its site, its
// system names the site, or the site is registered under the employer's name. What a page says of itself, anybody can write.
func vouched(at *url.URL, token, company, domain string) bool {
	site := page.Site(at.Hostname())
	host, _, _ := strings.Cut(token, "/")
	names, _ := page.TokenNames(token)
	return strings.Contains(host, ".") && page.Site(host) == site || domain != "" && page.Site(domain) == site ||
		page.HostNames(at.Hostname(), append(names, company)...)
}

// readHosted confirms a hosted board by one reading, and that it is the employer's.
func (s *search) readHosted(ctx context.Context, l clue) error {
	source := l.key()
	if s.looked[source] || source == s.known {
		return nil
	}
	s.looked[source] = true
	if l.from != nil {
		s.scraper.step("%s %s the %s board %s", l.from.page.URL, l.how, l.system, l.token)
	}
	r, enough, err := s.confirm(ctx, l)
	if err != nil {
		return err
	}
	whose := s.kinship(l, r)
	if !r.Health.Read() {
		if l.embed || whose == kin {
			s.unread(l, r)
		}
		if l.embed && l.from == nil && !r.Unknown {
			s.offer(result{board: s.hosted(l, r), enough: true}) // whoever asked for it was sent there
		}
		return nil
	}
	same := len(l.shows) > 0 && (enough || overlap(r.Postings, l.shows))
	switch {
	case whose == kin, same && l.how == "shows the roles of":
	case l.embed && (len(l.shows) == 0 || same):
	case whose == nameless && l.sole && l.worth > worthFooter:
	default:
		s.scraper.step("that board is of another employer: %s", cmp.Or(r.Company, l.token))
		return nil
	}
	s.offer(result{board: s.hosted(l, r), postings: r.Postings, enough: enough, from: l.from, embed: l.embed})
	return nil
}

// hosted is a hosted board: under the address of the employer's page where others vouch for it, else under its own address. A
// board is everybody's, and is looked for at that address when it is gone: a page that only says that it is the employer's must
// not become it.
func (s *search) hosted(l clue, r boardwatch.Reading) boardwatch.Board {
	b := boardwatch.Board{Source: l.key(), URL: s.scraper.careersURL(l.system, l.token, ""), Company: r.Company, Domain: r.Domain}
	if l.from != nil && vouched(l.from.page.URL, l.token, r.Company, r.Domain) {
		at := *l.from.page.URL
		at.RawQuery = boardwatch.WithoutTracking(at.RawQuery)
		b.Domain, b.URL = l.from.domain, at.String()
	}
	if b.URL == "" && l.from != nil {
		b.URL = l.from.page.URL.String()
	}
	return b
}

// errEnough ends a reading that has confirmed that the board is there.
var errEnough = errors.New("the board is there")

// confirm reads a board that was found, though not to the end of a long list; enough reports that.
func (s *search) confirm(ctx context.Context, l clue) (r boardwatch.Reading, enough bool, err error) {
	adapter := s.scraper.adapter(l.system)
	c := &confirmation{client: s.all.SessionWith(outbound.SessionOptions{System: l.system}), left: min(maxConfirm, maxSearch-s.all.Requests())}
	r, err = ats.Read(ctx, adapter, c, l.token)
	switch {
	case errors.Is(err, errEnough) || c.ended && err == nil:
		r = boardwatch.Reading{Company: r.Company, Domain: r.Domain, Claimed: -1, Health: boardwatch.HealthPartial, Postings: r.Postings, Cause: cause.Truncated, Reason: "not read to its end"}
		enough = true
	case err != nil:
		if r, err = transportFault(ctx, err); err != nil {
			return r, false, err
		}
	}
	if c.wall != nil && !r.Health.Read() {
		block(&r, c.wall)
	}
	s.scraper.name(ctx, adapter, c.client, l.token, &r)
	s.scraper.step("%s: %s, %d roles%s", l.key(), r.Health, len(r.Postings), because(r.Reason))
	return r, enough, nil
}

// confirmation is a client that lets an adapter read on until it is certain that the board is there: it has sent what it
// may, and the last answer was a good one.
type confirmation struct {
	client *outbound.Client
	left   int
	good   bool
	ended  bool
	wall   *wall.Wall
}

// Do sends one request.
func (c *confirmation) Do(req *http.Request) (*http.Response, error) {
	if c.left <= 0 && c.good {
		c.ended = true
		return nil, errEnough
	}
	c.left--
	deskOf(req.Context()).clear()
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, err
	}
	if body, ok := resp.Body.(*outbound.Body); ok {
		if err := admit(req, body.Bytes()); err != nil {
			return nil, err
		}
	}
	c.good = resp.StatusCode == http.StatusOK
	c.wall = nil
	if body, ok := resp.Body.(*outbound.Body); ok && (!c.good || mightBePage(resp.Header)) {
		c.wall = wall.Of(resp.StatusCode, resp.Header, req.URL, body.Bytes())
	}
	return resp, nil
}
