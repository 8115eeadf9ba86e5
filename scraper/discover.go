package scraper

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Discovery looks at the page it was given and at those that it calls the list of open roles.
const (
	maxDepthOfLinks = 2
	maxPagesLooked  = 6
)

// Discover finds where the roles of an address are really read. See boardwatch.Source.
func (s *Scraper) Discover(ctx context.Context, input string) (boardwatch.Board, error) {
	r, err := s.Recognize(input)
	if err != nil {
		return boardwatch.Board{}, err
	}
	if r.Source != "" {
		s.step("%s", r.Evidence)
		return boardwatch.Board{Source: r.Source, URL: r.URL}, nil
	}
	start, err := url.Parse(r.Address)
	if err != nil {
		return boardwatch.Board{}, boardwatch.Invalid("url", "is not a web address")
	}
	search := &search{scraper: s, client: s.client.Session(), looked: make(map[string]bool)}
	board, err := search.at(ctx, start, maxDepthOfLinks)
	if err != nil {
		return boardwatch.Board{}, err
	}
	if board.Source == "" {
		return boardwatch.Board{}, &NoBoardError{at: start.Hostname(), reading: search.obstacle.reading, looked: search.arrived}
	}
	return board, nil
}

// NoBoardError is the error of Discover when no roles can be read at an address. It wraps an invalid_request error.
type NoBoardError struct {
	at      string
	reading boardwatch.Reading
	looked  bool
}

// Error is the plain sentence.
func (e *NoBoardError) Error() string {
	return "no roles can be read at " + e.at + ": " + e.reading.Reason
}

// Unwrap is the same in the words of the interface.
func (e *NoBoardError) Unwrap() error {
	return &boardwatch.Error{Code: boardwatch.CodeInvalidRequest, Message: e.Error()}
}

// Reading is what stood in the way as a reading: blocked by a wall, or failed. It says when to come back, if the site did.
func (e *NoBoardError) Reading() boardwatch.Reading {
	r := e.reading
	r.Reason = e.Error()
	return r
}

// Looked reports whether the page itself came: there is nothing on it that can be read. Otherwise nobody knows.
func (e *NoBoardError) Looked() bool { return e.looked }

// search is one discovery.
type search struct {
	scraper  *Scraper
	client   *outbound.Client
	looked   map[string]bool
	arrived  bool // a page came
	drawings int  // pages that were shown in a browser
	obstacle obstacle
}

// obstacle is why a search found nothing.
type obstacle struct {
	reading boardwatch.Reading
	weight  weight
}

// weight is how much an obstacle explains. Of two that weigh the same, the first counts.
type weight int

const (
	noRoles     weight = iota + 1 // a page is not the one
	unreadBoard                   // a board was found, and could not be read
	behindAWall                   // what would tell is kept from programs
)

// at looks at a page, then at those it links to as the list of open roles. The board's source is empty when there is none.
func (s *search) at(ctx context.Context, u *url.URL, depth int) (boardwatch.Board, error) {
	if s.looked[canonical(u)] || len(s.looked) >= maxPagesLooked {
		return boardwatch.Board{}, nil
	}
	s.looked[canonical(u)] = true
	f, fault, err := s.scraper.fetch(ctx, s.client, u)
	if fault != nil && err == nil {
		drawn, still, drawErr := s.drawn(ctx, u, *fault)
		if f, err = drawn, drawErr; drawn != nil || still != nil {
			fault = still
		}
	}
	switch {
	case err != nil:
		return boardwatch.Board{}, err
	case fault != nil:
		s.because(noRoles, *fault)
		return boardwatch.Board{}, nil
	}
	s.arrived = true
	if system, board, ok := ats.Match(f.page.URL, s.scraper.adapters); ok {
		s.scraper.step("%s is one of the %s board %s", f.page.URL, system, board)
		return boardwatch.Board{Source: system + ":" + board, URL: s.scraper.careersURL(system, board, f.page.URL.String())}, nil
	}
	if b, ok, err := s.embedded(ctx, f); ok || err != nil {
		return b, err
	}
	l := f.list()
	drawn, still, err := s.drawn(ctx, u, l.reading)
	switch {
	case err != nil:
		return boardwatch.Board{}, err
	case still != nil:
		l.reading = *still
	case drawn != nil:
		f = drawn
		if b, ok, err := s.askedFor(ctx, f); ok || err != nil {
			return b, err
		}
		if b, ok, err := s.embedded(ctx, f); ok || err != nil {
			return b, err
		}
	}
	if f.shown != nil {
		l = f.drawnList()
	}
	if b, ok, err := s.linkedRoles(ctx, f, l); ok || err != nil {
		return b, err
	}
	ahead := f.doc.ways()
	if l.reading.Health.Read() && (len(l.reading.Postings) > 0 || f.doc.aboutJobs() > 0 && len(ahead) == 0) {
		return f.board(l), nil
	}
	s.scraper.step("%s: %s", f.page.URL, orElse(l.reading.Reason, "no roles"))
	s.because(noRoles, boardwatch.Failed(orElse(l.reading.Reason, "no roles were found")))
	if depth == 0 {
		return boardwatch.Board{}, nil
	}
	for _, way := range ahead {
		b, err := s.follow(ctx, f, way, depth-1)
		if err != nil || b.Source != "" {
			return b, err
		}
	}
	if l.reading.Health.Read() && f.doc.aboutJobs() > 0 {
		return f.board(l), nil // it says that there is nothing open, and no other page knows better
	}
	return boardwatch.Board{}, nil
}

// because remembers the obstacle that explains most.
func (s *search) because(w weight, r boardwatch.Reading) {
	if r.Health == boardwatch.HealthBlocked {
		w = behindAWall
	}
	if w > s.obstacle.weight {
		r.Unknown = false // said of a page or a board on the way, not of what was asked for
		s.obstacle = obstacle{r, w}
	}
}

// unread remembers that the board could not be read which the page leads to.
func (s *search) unread(how, system, token string, r boardwatch.Reading) {
	r.Reason = "the page " + how + " the " + system + " board " + token + ", which could not be read: " + r.Reason
	s.because(unreadBoard, r)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// board is the page itself as a board.
func (f *fetched) board(l list) boardwatch.Board {
	host, ok := asciiHost(f.page.URL.Hostname())
	if !ok {
		host = f.page.URL.Hostname()
	}
	address := tidy(f.page.URL, host).String()
	return boardwatch.Board{Source: boardwatch.PageSystem + ":" + address, URL: address, Company: l.reading.Company, Domain: l.reading.Domain}
}

// embedded is the hosted board that the page shows in itself, confirmed by one reading.
func (s *search) embedded(ctx context.Context, f *fetched) (boardwatch.Board, bool, error) {
	page, err := goquery.NewDocumentFromReader(bytes.NewReader(f.text))
	if err != nil {
		return boardwatch.Board{}, false, nil //nolint:nilerr // a page that cannot be parsed shows no board
	}
	page.Find("footer").Remove()
	system, token, ok := ats.Embedded(page, f.doc.url, s.scraper.adapters)
	if !ok {
		return boardwatch.Board{}, false, nil
	}
	s.scraper.step("%s embeds the %s board %s", f.page.URL, system, token)
	r, err := s.confirm(ctx, system, token)
	if err != nil {
		return boardwatch.Board{}, false, err
	}
	if !r.Health.Read() {
		s.unread("embeds", system, token, r)
		return boardwatch.Board{}, false, nil
	}
	return f.hosted(system, token, r), true, nil
}

// hosted is a hosted board under the address of the company's page.
func (f *fetched) hosted(system, token string, r boardwatch.Reading) boardwatch.Board {
	_, domain := f.doc.identity(statement{})
	return boardwatch.Board{Source: system + ":" + token, URL: f.page.URL.String(), Company: r.Company, Domain: domain}
}

// confirm reads a board that was found.
func (s *search) confirm(ctx context.Context, system, token string) (boardwatch.Reading, error) {
	b := boardwatch.Board{Source: system + ":" + token}
	r, err := s.scraper.readBoard(ctx, s.client, s.scraper.adapter(system), token, b)
	if err == nil {
		s.scraper.step("%s: %s, %d roles%s", b.Source, r.Health, len(r.Postings), because(r.Reason))
	}
	return r, err
}

// linkedRoles is the hosted board to which the roles on the page lead, all of them. The page shows that it is the
// company's: it lists the same roles.
func (s *search) linkedRoles(ctx context.Context, f *fetched, l list) (boardwatch.Board, bool, error) {
	source := ""
	for _, p := range l.reading.Postings {
		u := resolve(f.doc.url, p.URL)
		if u == nil {
			return boardwatch.Board{}, false, nil
		}
		system, token, ok := ats.Match(u, s.scraper.adapters)
		if !ok || source != "" && source != system+":"+token {
			return boardwatch.Board{}, false, nil
		}
		source = system + ":" + token
	}
	if source == "" {
		return boardwatch.Board{}, false, nil
	}
	s.scraper.step("all roles on %s lead to %s", f.page.URL, source)
	system, token, _ := strings.Cut(source, ":")
	r, err := s.confirm(ctx, system, token)
	if err != nil || !r.Health.Read() || !overlap(r.Postings, l.reading.Postings) {
		return boardwatch.Board{}, false, err
	}
	return f.hosted(system, token, r), true, nil
}

// overlap reports whether at least half of the roles shown are on the board.
func overlap(board, shown []boardwatch.Posting) bool {
	titles := make(map[string]bool, len(board))
	for _, p := range board {
		titles[fold(p.Title)] = true
	}
	hits := 0
	for _, p := range shown {
		if titles[fold(p.Title)] {
			hits++
		}
	}
	return hits*2 >= len(shown)
}

// follow goes one way ahead: to another page, or to a hosted board, which must then be the company's own.
func (s *search) follow(ctx context.Context, f *fetched, way *url.URL, depth int) (boardwatch.Board, error) {
	system, token, ok := ats.Match(way, s.scraper.adapters)
	if !ok {
		if site(way.Hostname()) != site(f.page.URL.Hostname()) {
			return boardwatch.Board{}, nil
		}
		return s.at(ctx, way, depth)
	}
	s.scraper.step("%s links to the %s board %s", f.page.URL, system, token)
	r, err := s.confirm(ctx, system, token)
	if err != nil {
		return boardwatch.Board{}, err
	}
	if !r.Health.Read() {
		if f.doc.isOf("", token) {
			s.unread("links to", system, token, r)
		}
		return boardwatch.Board{}, nil
	}
	if !f.doc.isOf(r.Company, token) {
		s.scraper.step("that board is of another employer: %s", orElse(r.Company, token))
		return boardwatch.Board{}, nil
	}
	return f.hosted(system, token, r), nil
}

// isOf reports whether the page is the employer's own: its site or its name is that of the board.
func (d *document) isOf(company, token string) bool {
	label, _, _ := strings.Cut(site(d.url.Hostname()), ".")
	label = letters(label)
	names := []string{letters(company), letters(token)}
	own := []string{label, letters(d.meta("og:site_name"))}
	for _, name := range names {
		for _, o := range own {
			if len(name) >= 3 && len(o) >= 3 && (name == o || len(o) >= 4 && strings.Contains(name, o) || len(name) >= 4 && strings.Contains(o, name)) {
				return true
			}
		}
	}
	return false
}

// letters is a name reduced to what is compared: folded, letters and digits only.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(name))
}

//nolint:gochecknoglobals // constant patterns
var (
	toRoles   = newPattern(`\b(open|current|available|all|our|view|see|search|browse|explore|job) (\w+ ){0,2}(positions?|roles?|jobs?|vacanc(y|ies)|openings?|opportunities)\b|^(jobs?|vacancies|open positions|positions|openings)$|offene (stellen|positionen)|stellenangebote|jobangebote|aktuelle (stellen|jobs)|zu den (stellen|jobs)|(nos|les) offres|offres d.emploi|postes ouverts|(ofertas|vacantes)|vagas|posizioni aperte|offerte di lavoro|vacatures|lediga (jobb|tjanster)|ledige (stillinger|job)|avoimet|oferty pracy|aktualne oferty|volne pozice|acik pozisyon|вакансии|募集職種|求人一覧|職缺|招聘|职位|채용공고|الوظائف`)
	toCareers = newPattern(`^(careers?|jobs?|join us|join our team|work (with|for|at) .{1,20}|working (at|here).{0,20}|we.?re hiring.?|karriere|stellen|jobs (und|&) karriere|carrieres?|recrutement|rejoignez.nous|nous rejoindre|empleo|trabaja con nosotros|unete|carreiras?|trabalhe conosco|lavora con noi|carriere|werken bij.{0,20}|karriar|jobba hos oss|karriere|tyopaikat|rekrytointi|ura|kariera|praca|kariera|cariere|kariyer|карьера|работа у нас|採用情報|採用|recruit|人才招募|加入我们|채용|وظائف|careers at .{1,20})$`)
)

// ways are the links that lead on to the list of open roles, the most telling first.
func (d *document) ways() []*url.URL {
	type way struct {
		url   *url.URL
		worth int
	}
	var all []way
	for _, e := range d.within(d.body) {
		u := d.link(e)
		if u == nil || canonical(u) == canonical(d.url) || isSocial(u) {
			continue
		}
		text := fold(e.visibleText())
		if text == "" {
			text = fold(attr(e.node, "aria-label"))
		}
		worth := 0
		switch {
		case len(text) > 60:
		case toRoles.MatchString(text):
			worth = 3
		case toCareers.MatchString(text):
			worth = 2
		}
		last := u.Path[strings.LastIndexByte(strings.TrimRight(u.Path, "/"), '/')+1:]
		if word := strings.ToLower(strings.Trim(last, "/")); worth > 0 && (jobSegments[word] || strings.HasPrefix(word, "open-")) {
			worth++
		}
		if worth > 0 && e.chrome && worth < 3 && d.aboutJobs() > 0 {
			worth = 0 // the way to careers, on a page about careers
		}
		if worth > 0 && !slices.ContainsFunc(all, func(w way) bool { return canonical(w.url) == canonical(u) }) && e.node.DataAtom == atom.A {
			all = append(all, way{u, worth})
		}
	}
	slices.SortStableFunc(all, func(a, b way) int { return b.worth - a.worth })
	urls := make([]*url.URL, 0, 4)
	for _, w := range all[:min(len(all), 4)] {
		urls = append(urls, w.url)
	}
	return urls
}
