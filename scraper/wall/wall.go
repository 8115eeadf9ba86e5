// Package wall recognises bot walls, such as captchas, challenges and bans, in a site's answer, and names their vendors. It
// requests nothing and decides nothing.
package wall

import (
	"net/http"
	"net/url"
)

// Wall is what came in the place of a page.
type Wall struct {
	Vendor string // empty when it cannot be told
	Kind   Kind
	Status int
}

// Kind is what a wall wants from the visitor.
type Kind int

// The kinds of walls.
const (
	Challenge Kind = iota + 1 // a browser that runs its script; then it may open by itself
	Captcha                   // a person
	Ban                       // nothing: requests from this network are refused
	RateLimit                 // fewer requests
	SignIn                    // an account
)

// Passive reports whether a browser may get through without anybody doing anything.
func (w *Wall) Passive() bool { return w != nil && w.Kind == Challenge }

// Of is the wall that an answer is; nil when it is not a wall. at is the address that answered. The vendor is the one whose
// page is shown, not the one whose headers are on it, because walls stand behind one another. A vendor's sensor on a page
// with content is not a wall.
func Of(status int, header http.Header, at *url.URL, body []byte) *Wall {
	e := evidenceOf(status, header, at, body)
	for _, v := range vendors {
		if kind := v.shown(e); kind != 0 {
			return &Wall{v.name, kind, status}
		}
	}
	for _, v := range vendors {
		if v.said == nil {
			continue
		}
		if kind := v.said(e); kind != 0 {
			return &Wall{v.name, kind, status}
		}
	}
	if kind := unnamed(e); kind != 0 {
		return &Wall{"", kind, status}
	}
	return nil
}
