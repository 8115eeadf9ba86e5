package scraper

import (
	"context"
	"net/url"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// maxDrawn is how many pages one discovery shows in a browser.
const maxDrawn = 3

// drawn is the page as a browser shows it, when that may tell more than the plain reading; nil when it may not. fault is
// the reading when the browser does not come further either.
func (s *search) drawn(ctx context.Context, u *url.URL, plain boardwatch.Reading) (f *fetched, fault *boardwatch.Reading, err error) {
	always := s.scraper.browserMode == BrowserAlways && s.drawings == 0
	if !s.scraper.draws(plain) || !wantsBrowser(plain) && !always || s.drawings >= maxDrawn {
		return nil, nil, nil
	}
	s.drawings++
	f, fault, err = s.scraper.draw(ctx, u, boardwatch.Access{}, plain)
	if f != nil {
		s.scraper.drawings.keep(f)
	}
	return f, fault, err
}

// askedFor is the hosted board whose data the page asks for by script, confirmed by one reading.
func (s *search) askedFor(ctx context.Context, f *fetched) (boardwatch.Board, bool, error) {
	if f.shown == nil {
		return boardwatch.Board{}, false, nil
	}
	tried := make(map[string]bool)
	for _, u := range f.shown.Asked {
		system, token, ok := ats.Match(u, s.scraper.adapters)
		if !ok || tried[system+":"+token] || len(tried) >= 3 {
			continue
		}
		tried[system+":"+token] = true
		s.scraper.step("%s asks for the %s board %s", f.page.URL, system, token)
		r, err := s.confirm(ctx, system, token)
		switch {
		case err != nil:
			return boardwatch.Board{}, false, err
		case r.Health.Read():
			return f.hosted(system, token, r), true, nil
		}
		s.unread("asks for", system, token, r)
	}
	return boardwatch.Board{}, false, nil
}
