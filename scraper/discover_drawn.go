package scraper

import (
	"context"
	"net/url"

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
	f, fault, err = s.scraper.draw(ctx, u, s.access, plain, nil)
	switch {
	case f != nil:
		s.scraper.drawings.keep(f)
	case fault != nil && fault.Health == boardwatch.HealthBlocked:
		s.drawings = maxDrawn // one attempt is fair
	}
	return f, fault, err
}
