package scraper

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Limits of one search.
const (
	maxSearch      = 25 // requests, each hop and each try counted
	maxDry         = 14 // requests, when a page was asked for and came, and shows nothing
	maxConfirm     = 6  // requests to confirm one hosted board
	maxDepthOfClue = 3
	maxBetter      = 2 // pages that are looked at because they may show more than the one found
)

// search is one discovery: it follows clues, the most promising first, until one of them is where the roles are read.
type search struct {
	scraper *Scraper
	all     *outbound.Client // counts everything
	pages   *outbound.Client
	once    *outbound.Client // for pages that are guessed, which are not worth asking twice
	start   *url.URL
	access  boardwatch.Access
	known   string // the source that is not to be found again

	employer page.Employer
	clues    []clue
	looked   map[string]bool // pages and boards
	bodies   map[string]bool // fingerprints of pages
	guesses  guesses
	lang     string // of the first page
	limit    int

	best       *result
	none       *result // a page that says that there is nothing open
	better     int     // how many clues may still be followed for something better
	renderings int     // pages that were shown in a browser
	arrived    bool    // the page came that was asked for
	obstacle   obstacle

	unreadSource string // a board that was found and could not be read
}

// clue is something that may lead to where the roles are read: a page, or a board of a hosted system.
type clue struct {
	url           *url.URL // of the page; nil for a board
	system, token string   // of the board
	worth         int
	depth         int
	how           string   // "links to", "embeds"
	from          *fetched // the page that it was found on; nil when it was guessed
	shows         []boardwatch.Posting

	embed   bool // the page shows the board in itself, or is it
	sole    bool // the only board that the page leads to
	guess   bool // nobody named it
	abroad  bool // on another site, which has to name the employer
	example bool // the page of one role, looked at for what it leads to
}

// result is where roles can be read.
type result struct {
	board    boardwatch.Board
	postings []boardwatch.Posting
	enough   bool // the list was not read to its end, and is long
	weak     bool // there is likely to be a better one
	from     *fetched
	embed    bool // from shows the board in itself

	answer *outbound.Page // the page that is the board; nil for others
}

func (s *Scraper) newSearch(start *url.URL, known boardwatch.Board) (*search, *boardwatch.Reading) {
	all, pages, fault := s.sessions(known.State.Access, maxSearch)
	if fault != nil {
		return nil, fault
	}
	search := &search{
		scraper: s, all: all, pages: pages,
		once:  s.polite(all.SessionWith(outbound.SessionOptions{Once: true}), known.State.Access),
		start: start, access: known.State.Access, known: known.Source, limit: maxSearch, better: maxBetter,
		looked: make(map[string]bool), bodies: make(map[string]bool),
	}
	if !page.IsBoardSite(page.Site(start.Hostname())) {
		search.employer.Add(page.SiteLabel(start))
	}
	search.employer.Add(known.Company)
	search.add(clue{url: start, worth: 100, how: "is"})
	return search, nil
}

// run follows clues until there is a result that none of the others promises to better. The board's source is empty when
// there is none.
func (s *search) run(ctx context.Context) (boardwatch.Board, error) {
	for {
		l, ok := s.next(ctx)
		if !ok {
			break
		}
		var err error
		if l.url != nil {
			err = s.lookAt(ctx, l)
		} else {
			err = s.readHosted(ctx, l)
		}
		if err != nil {
			return boardwatch.Board{}, err
		}
	}
	switch {
	case s.best != nil:
		if s.best.answer != nil {
			s.scraper.brought.put(s.best.board.Source, s.best.answer)
		}
		return s.best.board, nil
	case s.none != nil: // it says that there is nothing open, and no other page knows better
		return s.none.board, nil
	}
	return boardwatch.Board{}, nil
}

// evidence says what shows the board that was found.
func (s *search) evidence() string {
	switch {
	case s.best == nil:
		return "the page itself says that it has no roles"
	case s.best.board.System() == boardwatch.PageSystem:
		return "the page itself shows roles"
	default:
		return "the page shows this board"
	}
}

// next takes the most promising clue; when there is none left, it guesses some.
func (s *search) next(ctx context.Context) (clue, bool) {
	for s.all.Requests() < s.limit && ctx.Err() == nil {
		if len(s.clues) == 0 && !s.guess(ctx) {
			return clue{}, false
		}
		if len(s.clues) == 0 {
			continue
		}
		slices.SortStableFunc(s.clues, func(a, b clue) int { return b.worth - b.depth - a.worth + a.depth })
		l := s.clues[0]
		s.clues = s.clues[1:]
		if s.best == nil || s.mayBetter(l) {
			return l, true
		}
	}
	return clue{}, false
}

// mayBetter reports whether a clue promises more than what was found.
func (s *search) mayBetter(l clue) bool {
	switch {
	case s.best.weak:
		return !l.guess || s.guesses.stage <= guessHome
	case s.better == 0 || l.from != s.best.from || l.worth < page.WorthRoles:
		return false
	}
	s.better--
	return true
}

// add takes up a clue, unless it was followed already.
func (s *search) add(l clue) {
	if l.depth > maxDepthOfClue {
		return
	}
	key := l.key()
	if s.looked[key] || slices.ContainsFunc(s.clues, func(o clue) bool { return o.key() == key && o.worth >= l.worth }) {
		return
	}
	s.clues = append(s.clues, l)
}

func (l clue) key() string {
	if l.url != nil {
		return l.url.Scheme + "://" + page.Canonical(l.url)
	}
	return l.system + ":" + l.token
}

// lookAt looks at a page: where it leads, what it embeds, which roles it shows.
func (s *search) lookAt(ctx context.Context, l clue) error {
	if s.looked[l.key()] {
		return nil
	}
	s.looked[l.key()] = true
	if system, token, ok := s.scraper.matches(l.url); ok {
		s.add(clue{system: system, token: token, worth: l.worth, depth: l.depth, how: l.how, from: l.from, guess: l.guess})
		return nil
	}
	s.announce(l)
	f, shown, fault, err := s.look(ctx, l)
	switch {
	case err != nil:
		return err
	case fault != nil:
		s.missed(l, *fault)
		return nil
	case f == nil:
		return nil
	}
	defer f.keepOnly(ctx)
	s.arrived = s.arrived || l.depth == 0 && !l.guess && !f.isWord(shown.Reading)
	if s.lang == "" {
		s.lang = f.doc.Language()
	}
	s.looked["https://"+page.Canonical(f.page.URL)], s.looked["http://"+page.Canonical(f.page.URL)] = true, true
	if system, token, ok := s.scraper.matches(f.page.URL); ok {
		s.scraper.step("%s is one of the %s board %s", f.page.URL, system, token)
		s.add(clue{system: system, token: token, worth: 99, depth: l.depth, how: "leads to", embed: s.owns(l.url)})
		return nil
	}
	if l.abroad && !s.employer.Is(f.doc.OwnNames(f.doc.Structured())...) {
		s.scraper.step("%s does not name the employer", f.page.URL)
		return nil
	}
	if l.depth == 0 && !l.guess && !s.owns(f.page.URL) {
		s.start = f.page.URL // the site has moved
	}
	if s.owns(f.page.URL) {
		s.employer.Introduce(f.doc, f.doc.Structured())
	}
	s.judge(ctx, l, f, shown)
	return nil
}

// announce tells why a page is looked at.
func (s *search) announce(l clue) {
	switch {
	case l.from != nil:
		s.scraper.step("%s %s %s", l.from.page.URL, l.how, l.url)
	case l.guess:
		s.scraper.step("%s %s a list of roles", l.url, l.how)
	}
}

// owns reports whether an address is on the site that was asked for.
func (s *search) owns(u *url.URL) bool {
	return page.Site(u.Hostname()) == page.Site(s.start.Hostname())
}

// judge takes from a page what it offers: itself as a board, and leads.
func (s *search) judge(ctx context.Context, l clue, f *fetched, shown page.List) {
	r := shown.Reading
	traces := s.traces(ctx, f, l, r.Postings)
	ahead := f.doc.CareersLinks()
	switch {
	case l.example:
	case r.Health.Read() && len(r.Postings) > 0:
		own := f.ownRole(r.Postings)
		home := page.IsHome(f.page.URL.Path) && !s.meant(l) && !page.CareersHost(f.page.URL) && f.doc.AboutJobs() == 0 && len(ahead) > 0
		s.offer(result{board: f.board(shown), postings: r.Postings, weak: own || home, from: f, answer: f.sent()})
		if own {
			s.parents(f.page.URL, l.depth)
		}
	case r.Health.Read() && (s.meant(l) || f.doc.AboutJobs() > 0):
		s.scraper.step("%s says that it has no roles", f.page.URL)
		if s.none == nil {
			s.none = &result{board: f.board(shown), from: f}
		}
	default:
		s.scraper.step("%s: %s%s", f.page.URL, cmp.Or(r.Reason, "no roles"), shown.Trail)
		weight := noRoles
		if l.guess {
			weight = nothingThere
		}
		if r.Cause == "" || r.Health.Read() {
			r = boardwatch.Failed(cause.NoList, "no roles were found")
		}
		s.because(weight, r)
	}
	if l.depth == 0 && !l.guess && s.best == nil && !s.settle(f) {
		return
	}
	for _, t := range traces {
		s.add(t)
	}
	s.follow(l, f, ahead)
}

// follow adds the ways that lead on from a page.
func (s *search) follow(l clue, f *fetched, ahead []page.CareersLink) {
	for _, w := range ahead {
		next := clue{url: w.URL, worth: w.Worth, depth: l.depth + 1, how: "links to", from: f}
		if _, _, ok := s.scraper.matches(w.URL); ok {
			continue // among the traces
		}
		if page.Site(w.URL.Hostname()) != page.Site(f.page.URL.Hostname()) && !s.owns(w.URL) {
			if w.Worth < page.WorthCareers {
				continue
			}
			next.abroad = !s.employer.Is(page.SiteLabel(w.URL))
			next.worth -= 3 * page.PerHint
		}
		s.add(next)
	}
	if u := f.doc.Feed(); u != nil {
		s.add(clue{url: u, worth: page.WorthFeed, depth: l.depth + 1, how: "names the feed", from: f})
	}
}

// missed takes note of a page that could not be had.
func (s *search) missed(l clue, fault boardwatch.Reading) {
	weight := noRoles
	if l.guess {
		weight = nothingThere
	}
	s.because(weight, fault)
	if l.depth > 0 || l.guess {
		return
	}
	home := page.IsHome(l.url.Path)
	if home && fault.Health == boardwatch.HealthFailed && !fault.Unknown && fault.RetryAfter == 0 {
		s.variants(l.url)
	}
	switch {
	case fault.Unknown && (home || s.known != ""):
	case fault.Unknown:
		s.guesses.reach = reachAbove
	case home || s.known != "":
		s.guesses.reach = reachHosts
	default:
		s.guesses.reach = reachNone
	}
}

// settle decides, by the page that was asked for, how far the search goes beyond it. It reports whether the page's links
// are worth following.
func (s *search) settle(f *fetched) bool {
	home := page.IsHome(f.page.URL.Path)
	switch {
	case s.known != "":
		return true // the board is known to be elsewhere
	case home && !page.IsHome(s.start.Path):
		s.guesses.reach = reachNone
	case !f.sick().None():
		s.guesses.reach = reachNone
		return false
	case !home:
		s.guesses.reach = reachSite
		s.limit = min(s.limit, maxDry)
	}
	return true
}

// meant reports whether the page is the one that was asked for by more than the name of its host.
func (s *search) meant(l clue) bool {
	return l.depth == 0 && !l.guess && strings.Trim(s.start.Path, "/") != ""
}

// inOtherLanguage reports whether a result is a page in another language than the page that was asked for by its own
// address, which shows roles, or says that it has none: who names that page means it, and not its sister.
func (s *search) inOtherLanguage(r result) bool {
	if strings.Trim(s.start.Path, "/") == "" || r.from == nil || r.board.System() != boardwatch.PageSystem || s.best == nil && s.none == nil {
		return false
	}
	language := r.from.language
	if r.from.doc != nil {
		language = r.from.doc.Language()
	}
	return language != "" && s.lang != "" && language != s.lang
}

// offer takes a result when there is none better.
func (s *search) offer(r result) {
	switch {
	case s.inOtherLanguage(r):
		s.scraper.step("%s is in another language than the page that was asked for", r.from.page.URL)
		return
	case s.best == nil:
	case r.weak && !s.best.weak:
		return
	case s.best.weak && !r.weak:
	case r.embed && s.best.embed && r.from != nil && r.from == s.best.from && !overlap(s.best.postings, r.postings) && !overlap(r.postings, s.best.postings):
		r.board = r.from.board(page.List{Reading: boardwatch.Reading{Company: cmp.Or(s.best.board.Company, r.board.Company), Domain: r.from.domain}})
		r.postings, r.enough = slices.Concat(s.best.postings, r.postings), r.enough || s.best.enough
	case r.enough && overlap(s.best.postings, r.postings):
	case len(r.postings) > len(s.best.postings) && overlap(r.postings, s.best.postings):
	case len(r.postings) == len(s.best.postings) && r.board.System() != boardwatch.PageSystem &&
		s.best.board.System() == boardwatch.PageSystem && overlap(r.postings, s.best.postings):
	default:
		return
	}
	s.scraper.step("the roles are read at %s", r.board.Source)
	s.best = &r
}

// sent is the page as the server sent it; nil when a browser showed another.
func (f *fetched) sent() *outbound.Page {
	if f.shown != nil {
		return nil
	}
	return f.page
}

// ownRole reports whether all that a page shows is one role, whose page it is.
func (f *fetched) ownRole(postings []boardwatch.Posting) bool {
	if len(postings) != 1 {
		return false
	}
	p := postings[0]
	u := page.Resolve(f.doc.Base, p.URL)
	if !f.doc.IsHeaded(p.Title) && (p.URL == "" || u == nil || page.Canonical(u) != page.Canonical(f.page.URL)) {
		return false
	}
	return page.JobLike(f.page.URL, f.page.URL) || len(f.doc.Structured().Postings) == 1 && !page.IsIndexOfJobs(lastSegment(f.page.URL))
}

func lastSegment(u *url.URL) string {
	p := strings.ToLower(strings.TrimRight(u.Path, "/"))
	return p[strings.LastIndexByte(p, '/')+1:]
}

// look brings a page and reads what it shows, in a browser where that may tell more. Where the address leads counts, not
// that it leads there, unless it is to a sign-in or an error. f is nil when there is nothing new to see.
func (s *search) look(ctx context.Context, l clue) (f *fetched, shown page.List, fault *boardwatch.Reading, err error) {
	client := s.pages
	if l.guess {
		client = s.once
	}
	if l.depth == 0 && !l.guess {
		f, fault, err = s.scraper.fetchGiven(ctx, client, l.url, memento{})
	} else {
		f, fault, err = s.scraper.fetch(ctx, client, l.url)
	}
	if err != nil {
		return nil, page.List{}, nil, err
	}
	if fault != nil {
		rendered, still, err := s.rendered(ctx, l.url, *fault)
		if err != nil || rendered == nil {
			return nil, page.List{}, cmp.Or(still, fault), err
		}
		return rendered, rendered.renderedList(), nil, nil
	}
	print := fingerprint(f.page.Body, 0)
	if s.bodies[print] && l.guess {
		s.scraper.step("%s is a page that was seen already", f.page.URL)
		return nil, page.List{}, nil, nil
	}
	s.bodies[print] = true
	f.arrive()
	shown = f.list()
	if len(shown.Reading.Postings) == 0 && shown.Reading.Health == boardwatch.HealthFailed && f.sick().None() {
		data, ok, err := s.scraper.readBeside(ctx, s.pages, f)
		if err != nil {
			return nil, page.List{}, nil, err
		}
		if ok {
			shown.Reading = data
			return f, shown, nil, nil
		}
	}
	rendered, still, err := s.rendered(ctx, l.url, shown.Reading)
	switch {
	case err != nil:
		return nil, page.List{}, nil, err
	case rendered != nil:
		rendered.arrive()
		return rendered, rendered.renderedList(), nil, nil
	case still != nil:
		shown.Reading = *still
	}
	return f, shown, nil, nil
}

// arrive takes the page where the address led for the one that was asked for, on whatever site: a search asks where roles
// are, not whether they are still there.
func (f *fetched) arrive() {
	asked := *f.asked
	asked.Host = f.page.URL.Host
	if page.Moved(&asked, f.page.URL).None() {
		f.asked = f.page.URL
	}
}
