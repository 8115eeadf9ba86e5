package scraper

import (
	"context"
	"net/http"
	"net/url"
)

// Renderer opens pages rendered by JavaScript, as a person's browser would. Package browser has one that uses Chromium.
type Renderer interface {
	// Show opens a page and returns its content when it has finished rendering, or as soon as v.Enough is satisfied.
	Show(ctx context.Context, v View) (*Shown, error)
}

// View is a page to open.
type View struct {
	Address string
	// Proxy is used for this page instead of the browser's own proxy.
	Proxy *url.URL
	// Direct means that no proxy is used for this page.
	Direct bool
	// Enough is called from time to time while the page renders, and says whether it shows what is wanted. If it is
	// nil, the page is taken when it has finished rendering.
	Enough func(*Shown) Patience
	// More is called when the page shows what is wanted, and says whether its list can be made longer. The button with
	// this label is pressed. With an empty label, the page is scrolled to its end. If it is nil, the list stays as it
	// is.
	More func(*Shown) (label string, more bool)
}

// Shown is a page as a browser rendered it.
type Shown struct {
	URL      *url.URL // where it led after redirects
	Status   int      // of the page itself; zero when the browser did not say
	Header   http.Header
	HTML     []byte // the document as it stands, shadow trees included
	Answers  []Answer
	Asked    []*url.URL // everything the page and its frames asked for, in order
	Requests int
	Settled  bool // whether the page came to rest before its time was over
}

// Answer is data that a page requested by script.
type Answer struct {
	Method string
	URL    *url.URL
	Header http.Header // of the question, without cookies
	Body   []byte      // of the question
	Data   []byte      // the answer, JSON
}

// Patience says how long a page that is still rendering is worth waiting for.
type Patience int

// The degrees of patience.
const (
	Enough    Patience = iota // it shows what is wanted
	WaitMore                  // what is wanted may still come, within seconds
	WaitBegin                 // this is not the page yet, but something, such as a challenge, that leads to it by itself
)
