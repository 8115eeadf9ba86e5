// Package scraper reads careers pages. It decides where the roles of an address are really read: on a hosted board, by the
// adapter of its system (package ats), or on the page itself.
//
// Scraper is a boardwatch.Source. Recognize looks only at an address, Discover also requests the page behind it, and Read
// reads a board once. A reading says how far it can be trusted. A page that is blocked by a bot wall, truncated, moved,
// rendered by JavaScript, or that does not say that it has no roles is never read as an empty board.
package scraper

import (
	"context"
	"fmt"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Options are the options of a Scraper. The zero value is ready to use.
type Options struct {
	// Adapters are those of the hosted systems. Nil means ats.All().
	Adapters []ats.Adapter
	// MaxPages is how many pages of one list are read. Zero means 200.
	MaxPages int
	// IgnoreRobots means that robots.txt is not obeyed. Boards may have their own rule.
	IgnoreRobots bool
	// Browser opens pages rendered by JavaScript, such as the one of package browser. Without it those pages cannot be
	// read. The Scraper does not close it.
	Browser Renderer
	// BrowserMode says when the Browser is used. Empty means BrowserAuto.
	BrowserMode BrowserMode
	// ParseMemory is how many bytes of memory all pages that are being read may use together. Further pages wait. Zero
	// means DefaultParseMemory. No page may use more than page.MaxMemory.
	ParseMemory int64
	// GivesWay means that reading a large page takes three times as long, and at most a third of a processor, as in a service in which
	// others wait beside it.
	GivesWay bool
	// Teacher is asked about pages that were not understood. It may be nil.
	Teacher Teacher
	// Version is the version of the program. A new version reads every board in full once, because it may see more in
	// the same bytes.
	Version string
	// Trace is called with a plain sentence for everything that was requested and concluded, in order, from the
	// goroutine that called the Scraper. It may be nil.
	Trace func(step string)
	// Progress is told how far the reading of a board is, from the goroutine that called Read. It may be nil.
	Progress func(ats.Progress)
}

// Scraper reads boards. It is safe for concurrent use.
type Scraper struct {
	client   *outbound.Client
	adapters []ats.Adapter
	maxPages int
	trace    func(step string)
	progress func(ats.Progress)
	version  string
	private  bool // the client reads private networks, and so hosts with local names
	memory   memory
	brought  *brought
	robots   *robotsFiles
	parsing  *parsing

	teacher     Teacher  // nil when there is none
	browser     Renderer // nil when there is none
	browserMode BrowserMode
	renderings  renderings

	ignoreRobots bool
}

var (
	_ boardwatch.Source  = (*Scraper)(nil)
	_ boardwatch.Finder  = (*Scraper)(nil)
	_ boardwatch.Healer  = (*Scraper)(nil)
	_ boardwatch.Witness = (*Scraper)(nil)

	_ boardwatch.Describer = (*Scraper)(nil)
)

const defaultMaxPages = 200

// New returns a Scraper that sends its requests through the client.
func New(client *outbound.Client, o Options) *Scraper {
	s := &Scraper{client: client, adapters: o.Adapters, maxPages: o.MaxPages, trace: o.Trace, progress: o.Progress, version: o.Version, ignoreRobots: o.IgnoreRobots, robots: &robotsFiles{}, brought: &brought{}}
	s.browser, s.browserMode, s.teacher, s.parsing = o.Browser, o.BrowserMode, o.Teacher, newParsing(o.ParseMemory, o.GivesWay)
	s.private = client.Policy().Private
	if s.adapters == nil {
		s.adapters = ats.All()
	}
	if s.maxPages <= 0 {
		s.maxPages = defaultMaxPages
	}
	return s
}

// Recognize examines an address without any request. An error is an invalid_request error for the field url.
func (s *Scraper) Recognize(input string) (boardwatch.Recognized, error) {
	u, err := s.normalize(input)
	if err != nil {
		return boardwatch.Recognized{}, err
	}
	if name := jobSite(u); name != "" {
		return boardwatch.Recognized{}, boardwatch.Invalid("url", "leads to "+name+
			", which shows many companies' roles and does not let programs read them; name the company's own careers page instead")
	}
	identity := page.Identity(u)
	r := boardwatch.Recognized{URL: u.String(), Address: identity.String(), Evidence: "the address alone does not tell where its roles are read"}
	if system, board, ok := ats.Match(identity, s.adapters); ok {
		r.Source = system + ":" + board
		r.URL = s.careersURL(system, board, r.Address)
		r.Evidence = "the address is one of the " + system + " board " + board
	} else if system, board, ok := ats.Named(identity); ok {
		r.Evidence = "the address is one of the " + system + " board " + board + ", which is read as a page"
	}
	return r, nil
}

// Read reads the board once, from its source. See boardwatch.Source.
func (s *Scraper) Read(ctx context.Context, b boardwatch.Board) (r boardwatch.Reading, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	if s.progress != nil {
		ctx = ats.WithProgress(ctx, s.progress)
	}
	system, place, _ := strings.Cut(b.Source, ":")
	adapter := s.adapter(system)
	var o outbound.SessionOptions
	if adapter != nil {
		o.System = system
	}
	client, fault := s.session(b.State.Access, o)
	if fault != nil {
		return *fault, nil
	}
	switch {
	case system == boardwatch.PageSystem && b.Recipe != "":
		r, err = s.readByRecipe(ctx, s.polite(client, b.State.Access), place, b)
	case system == boardwatch.PageSystem:
		pages := s.polite(client, b.State.Access)
		if r, err = s.readSite(ctx, pages, place, b); err == nil {
			r, err = s.askTeacher(ctx, pages, place, b, r)
		}
	case adapter != nil:
		r, err = s.readBoard(ctx, client, adapter, place, b)
	default:
		r = boardwatch.Failed(cause.Internal, "the system "+system+" is not known to this build")
	}
	if err != nil {
		return boardwatch.Reading{}, fmt.Errorf("read %s: %w", b.Source, err)
	}
	r.Requests = client.Requests()
	for i := range r.Postings {
		page.NameCountries(&r.Postings[i])
	}
	if r = r.Normalize(); s.trace == nil {
		return r, nil
	}
	if len(r.Present) > 0 {
		s.step("rows without a title, which count as there and are not shown: %s", strings.Join(r.Present, ", "))
	}
	s.step("%s: %s, %d roles%s", b.Source, r.Health, len(r.Postings), because(r.Reason))
	return r, nil
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ", because " + reason
}

// known is the fingerprint that lets a reading be just "unchanged": only that of a healthy reading may.
func known(b boardwatch.Board) string {
	if b.State.Health != boardwatch.HealthOK {
		return ""
	}
	return b.State.Fingerprint
}

func (s *Scraper) adapter(system string) ats.Adapter {
	for _, a := range s.adapters {
		if a.Name() == system {
			return a
		}
	}
	return nil
}

// careersURL is the page of a hosted board that a person can open; fallback where its system does not say.
func (s *Scraper) careersURL(system, board, fallback string) string {
	if l, ok := s.adapter(system).(ats.Locator); ok {
		return l.CareersURL(board)
	}
	return fallback
}

func (s *Scraper) step(format string, args ...any) {
	if s.trace != nil {
		s.trace(fmt.Sprintf(format, args...))
	}
}

// listed tells that so many roles of a page's list were read, of as many as it says it has.
func (s *Scraper) listed(roles, claimed int) {
	if s.progress != nil {
		s.progress(ats.Progress{Done: roles, Total: max(0, claimed)})
	}
}
