package scraper

import (
	"context"
	"net/http"
	"net/url"
)

// Renderer shows pages rendered by JavaScript, as a person's browser would. Package browser has one that uses Chromium.
type Renderer interface {
	// Show opens a page and returns what it shows once it has come to rest, or as soon as that is enough.
	Show(ctx context.Context, v View) (*Shown, error)
}

// View is a page to be shown.
type View struct {
	Address string
	// Proxy leads to this page in place of the browser's own proxy.
	Proxy *url.URL
	// Direct leads to this page without a proxy.
	Direct bool
	// Enough is asked now and then while the page renders: does it show what is wanted? Nil takes the page as soon as nothing
	// happens on it any more.
	Enough func(*Shown) Patience
	// More is asked once the page shows what is wanted: can its list be made longer? The button with this label is pressed, or,
	// for an empty label, the page is scrolled to its end. Nil leaves the list as it is.
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

// Answer is data that a page asked for by script.
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
