package scraper

import (
	"context"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// maxRendered is how many pages one discovery shows in a browser.
const maxRendered = 3

// rendered is the page as a browser shows it, when that may tell more than the plain reading; nil when it may not. fault is
// the reading when the browser does not come further either.
func (s *search) rendered(ctx context.Context, u *url.URL, plain boardwatch.Reading) (f *fetched, fault *boardwatch.Reading, err error) {
	always := s.scraper.browserMode == BrowserAlways && s.renderings == 0
	if !s.scraper.renders(plain) || !wantsBrowser(plain) && !always || s.renderings >= maxRendered {
		return nil, nil, nil
	}
	s.renderings++
	f, fault, err = s.scraper.render(ctx, u, s.access, plain, nil)
	switch {
	case f != nil:
		s.scraper.renderings.keep(f)
	case fault != nil && fault.Health == boardwatch.HealthBlocked:
		s.renderings = maxRendered // one attempt is fair
	}
	return f, fault, err
}
