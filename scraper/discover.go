package scraper

import (
	"context"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// Discover finds where the roles of an address are really read. See boardwatch.Source.
func (s *Scraper) Discover(ctx context.Context, input string) (boardwatch.Board, error) {
	f, err := s.discover(ctx, input, boardwatch.Board{})
	return f.board, err
}

// Detect is Discover that also says what shows it. Address is the page that was asked for.
func (s *Scraper) Detect(ctx context.Context, input string) (boardwatch.Recognized, error) {
	f, err := s.discover(ctx, input, boardwatch.Board{})
	return boardwatch.Recognized{Source: f.board.Source, URL: f.board.URL, Address: f.asked, Evidence: f.evidence}, err
}

// Find is Discover for a board that the service has already. See boardwatch.Finder.
func (s *Scraper) Find(ctx context.Context, b boardwatch.Board) (boardwatch.Board, error) {
	if !s.mayLead(b) {
		return boardwatch.Board{}, boardwatch.Invalid("url", "is a page that may be anybody's")
	}
	there, err := s.discover(ctx, b.URL, b)
	found := there.board
	if b.Source == "" || b.Domain == "" || ctx.Err() != nil || err == nil && found.Source != b.Source {
		return found, err
	}
	if u, wrong := url.Parse(b.URL); wrong == nil && page.Site(u.Hostname()) == b.Domain {
		return found, err // the search went there by itself
	}
	if again, none := s.discover(ctx, b.Domain, b); none == nil {
		return again.board, nil
	}
	return found, err
}

// mayLead reports whether a board may be looked for at its address: a hosted one not at a page that nobody vouches for.
func (s *Scraper) mayLead(b boardwatch.Board) bool {
	system, token, _ := strings.Cut(b.Source, ":")
	at, err := url.Parse(b.URL)
	if b.Source == "" || system == boardwatch.PageSystem || err != nil {
		return true
	}
	_, _, own := s.matches(at)
	return own || b.URL == s.careersURL(system, token, "") || vouched(at, token, b.Company, "")
}

// finding is what a discovery finds, and what shows it.
type finding struct {
	board    boardwatch.Board
	asked    string
	evidence string
}

func (s *Scraper) discover(ctx context.Context, input string, known boardwatch.Board) (found finding, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	r, err := s.Recognize(input)
	if err != nil {
		return finding{}, err
	}
	if r.Source != "" {
		s.step("%s", r.Evidence)
		return finding{boardwatch.Board{Source: r.Source, URL: r.URL}, r.Address, r.Evidence}, nil
	}
	start, err := url.Parse(r.URL)
	if err != nil {
		return finding{}, boardwatch.Invalid("url", "is not a web address")
	}
	search, fault := s.newSearch(start, known)
	if fault != nil {
		return finding{}, &NoBoardError{at: start.Host, reading: *fault}
	}
	board, err := search.run(ctx)
	if err != nil {
		return finding{}, err
	}
	if board.Source == "" && search.arrived && known.ID != "" {
		taught, form, err := s.discoverTaught(ctx, search, r.Address, known)
		if err != nil || taught.Source != "" {
			return finding{taught, r.Address, "a language model has named roles on the page"}, err
		}
		search.obstacle.reading.Taught = form
	}
	if board.Source == "" {
		return finding{}, &NoBoardError{
			at: start.Host, reading: search.obstacle.reading, looked: search.arrived, source: search.unreadSource,
		}
	}
	return finding{board, r.Address, search.evidence()}, nil
}

// discoverTaught is the page itself as a board, with the recipe that the teacher's guess makes. The source is empty when that
// brings nothing; form is then that of the page which was asked about.
func (s *Scraper) discoverTaught(ctx context.Context, search *search, address string, known boardwatch.Board) (b boardwatch.Board, form string, err error) {
	r, err := s.askTeacher(ctx, search.pages, address, known, boardwatch.Failed(cause.NoList, search.obstacle.reading.Reason))
	if err != nil || r.Recipe == "" {
		return boardwatch.Board{}, r.Taught, err
	}
	return boardwatch.Board{Source: boardwatch.PageSystem + ":" + address, URL: address, Company: r.Company, Domain: r.Domain, Recipe: r.Recipe}, "", nil
}

// NoBoardError is the error of Discover when no roles can be read at an address. It wraps an invalid_request error.
type NoBoardError struct {
	at      string
	reading boardwatch.Reading
	looked  bool
	source  string
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

// Cause is the reading's.
func (e *NoBoardError) Cause() cause.Cause { return e.reading.Cause }

// Source is the hosted board that the page shows and that could not be read; empty when there is none.
func (e *NoBoardError) Source() string { return e.source }

// Looked reports whether the page itself came, and no word in its place: there is nothing on it that can be read. Otherwise
// nobody knows.
func (e *NoBoardError) Looked() bool { return e.looked }

// obstacle is why a search found nothing.
type obstacle struct {
	reading boardwatch.Reading
	weight  weight
}

// weight is how much an obstacle explains. Of two that weigh the same, the first counts.
type weight int

const (
	nothingThere weight = iota + 1 // a page that was only guessed is not there
	noRoles                        // a page is not the one
	unreadBoard                    // a board was found, and could not be read
	behindAWall                    // what would tell is kept from programs
)

// because remembers the obstacle that explains most.
func (s *search) because(w weight, r boardwatch.Reading) {
	if r.Health == boardwatch.HealthBlocked && w > nothingThere {
		w = behindAWall
	}
	if w > s.obstacle.weight {
		r.Unknown = false // said of a page or a board on the way, not of what was asked for
		s.obstacle = obstacle{r, w}
	}
}

// unread remembers that the board could not be read which the page leads to.
func (s *search) unread(l clue, r boardwatch.Reading) {
	r.Reason = "the page " + l.how + " the " + l.system + " board " + l.token + ", which could not be read: " + r.Reason
	if s.unreadSource == "" {
		s.unreadSource = l.key()
	}
	s.because(unreadBoard, r)
}

// board is the page itself as a board.
func (f *fetched) board(l page.List) boardwatch.Board {
	host, ok := page.ASCIIHost(f.page.URL.Hostname())
	if !ok {
		host = f.page.URL.Hostname()
	}
	address := page.Tidy(f.page.URL, host)
	return boardwatch.Board{Source: boardwatch.PageSystem + ":" + page.Identity(address).String(), URL: address.String(), Company: l.Reading.Company, Domain: l.Reading.Domain}
}

// overlap reports whether at least half of the roles shown are on the board.
func overlap(board, shown []boardwatch.Posting) bool {
	titles := make(map[string]bool, len(board))
	for _, p := range board {
		titles[page.Fold(p.Title)] = true
	}
	hits := 0
	for _, p := range shown {
		if titles[page.Fold(p.Title)] {
			hits++
		}
	}
	return hits*2 >= len(shown)
}

// matches reports which hosted board an address is of, if any.
func (s *Scraper) matches(u *url.URL) (system, token string, ok bool) {
	if u == nil {
		return "", "", false
	}
	return ats.Match(u, s.adapters)
}
