package scraper

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/wall"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func wallOfPage(p *outbound.Page) *wall.Wall { return wall.Of(p.Status, p.Header, p.URL, p.Body) }

// wall is the wall that came in the place of the page; nil when there is none.
func (f *fetched) wall() *wall.Wall {
	return wall.Of(f.page.Status, f.page.Header, f.page.URL, f.text)
}

// mightBePage reports whether an answer may be HTML: what asked for data then met something else.
func mightBePage(header http.Header) bool {
	kind := strings.ToLower(header.Get("Content-Type"))
	return kind == "" || strings.Contains(kind, "html")
}

// block makes the reading one that met a wall.
func block(r *boardwatch.Reading, w *wall.Wall) {
	r.Health, r.Cause, r.BlockedBy, r.Reason = boardwatch.HealthBlocked, wallCause(w), w.Vendor, wallReason(w)
	r.BrowserHelps = w.Passive()
	r.Unknown = false // nobody who knows has said so
}

// wallCause is the cause of readings that end at the wall.
func wallCause(w *wall.Wall) cause.Cause {
	switch w.Kind {
	case wall.RateLimit:
		return cause.Throttled
	case wall.SignIn:
		return cause.SignIn
	default:
		return cause.Wall
	}
}

// wallReason says what the wall wants, and no more than is known.
func wallReason(w *wall.Wall) string {
	by := "blocked by " + w.Vendor
	if w.Vendor == "" {
		by = "blocked by a bot wall"
	}
	wants := ""
	switch w.Kind {
	case wall.Challenge:
		wants = ", which asks for a browser"
	case wall.Captcha:
		wants = ", which shows a captcha"
	case wall.Ban:
		wants = ", which does not let requests from here through"
	case wall.RateLimit:
		wants = ", which says that there were too many requests"
	case wall.SignIn:
		wants = ", which asks to sign in"
	}
	return by + wants + " (status " + strconv.Itoa(w.Status) + ")"
}
