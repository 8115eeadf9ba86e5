package scraper

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// wall is what stands between a program and a page.
type wall struct {
	vendor string // empty when it cannot be told
	kind   wallKind
	status int
}

// wallKind is what a wall wants.
type wallKind int

const (
	wallChallenge wallKind = iota + 1 // a browser that runs its script: any may pass by itself
	wallCaptcha                       // a person
	wallBan                           // nobody from here
	wallRate                          // fewer requests
	wallSignIn                        // a member
)

// passive reports whether a browser may be let through without anybody doing anything.
func (w *wall) passive() bool { return w != nil && w.kind == wallChallenge }

// wallOf is the wall that an answer is; nil when it is none. The vendor is the one whose page is shown, not the one whose
// headers are on it: walls stand behind one another. A sensor of a vendor on a page that shows something is no wall.
func wallOf(status int, header http.Header, at *url.URL, body []byte) *wall {
	e := evidenceOf(status, header, at, body)
	for _, v := range wallVendors {
		if kind := v.shown(e); kind != 0 {
			return &wall{v.name, kind, status}
		}
	}
	for _, v := range wallVendors {
		if v.said == nil {
			continue
		}
		if kind := v.said(e); kind != 0 {
			return &wall{v.name, kind, status}
		}
	}
	if kind := unnamed(e); kind != 0 {
		return &wall{"", kind, status}
	}
	return nil
}

func wallOfPage(p *outbound.Page) *wall { return wallOf(p.Status, p.Header, p.URL, p.Body) }

// wall is the wall that came in the place of the page; nil when none did.
func (f *fetched) wall() *wall { return wallOf(f.page.Status, f.page.Header, f.page.URL, f.text) }

// mightBePage reports whether an answer may be HTML: what asked for data then met something else.
func mightBePage(header http.Header) bool {
	kind := strings.ToLower(header.Get("Content-Type"))
	return kind == "" || strings.Contains(kind, "html")
}

// block makes the reading one of a wall.
func (w *wall) block(r *boardwatch.Reading) {
	r.Health, r.Cause, r.BlockedBy, r.Reason = boardwatch.HealthBlocked, w.cause(), w.vendor, w.reason()
	r.BrowserHelps = w.passive()
	if w.kind == wallCaptcha || w.kind == wallBan {
		r.Reason += wallAdvice
	}
	r.Unknown = false // nobody who knows has said so
}

// cause is that of the readings that end at the wall.
func (w *wall) cause() boardwatch.Cause {
	switch w.kind {
	case wallRate:
		return boardwatch.CauseThrottled
	case wallSignIn:
		return boardwatch.CauseSignIn
	default:
		return boardwatch.CauseWall
	}
}

// reason says what the wall wants, and no more than is known.
func (w *wall) reason() string {
	by := "blocked by " + w.vendor
	if w.vendor == "" {
		by = "blocked by a bot wall"
	}
	wants := ""
	switch w.kind {
	case wallChallenge:
		wants = ", which asks for a browser"
	case wallCaptcha:
		wants = ", which shows a captcha"
	case wallBan:
		wants = ", which does not let requests from here through"
	case wallRate:
		wants = ", which says that there were too many requests"
	case wallSignIn:
		wants = ", which asks to sign in"
	}
	return by + wants + " (status " + strconv.Itoa(w.status) + ")"
}

// wallAdvice is what the operator can do about a wall that no browser passes from here.
const wallAdvice = "; many walls judge where a request comes from: http.proxy or browser.remote_url can lead through another network"
