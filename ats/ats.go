// Package ats reads boards that are hosted by applicant tracking systems, one file per system. An Adapter knows the
// addresses of its system and how to read the public list of roles. All returns every adapter of the package, and Match
// finds the adapter for an address. Adapters open no connections themselves. They are given a client.
package ats

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// ErrUnchanged is what a Doer may return in place of an answer that it knows to be the one of the last reading. Adapters
// pass it on, wrapped, and read no further.
var ErrUnchanged = errors.New("the answer is the one already known")

// Doer sends HTTP requests. An outbound.Client is one. It keeps the cookies that it is given for as long as one reading
// lasts, and it waits between requests to one host.
type Doer interface {
	// Do sends one request and follows no redirect: where a system sends an unknown board is an answer. An error that has a
	// method TooLarge() bool and answers true says that the answer was too large to take; some systems can then be asked
	// for less.
	Do(*http.Request) (*http.Response, error)
}

// Adapter reads the boards of one system. Its methods may be called concurrently.
type Adapter interface {
	// Name is the system's name in a source, such as "greenhouse".
	Name() string
	// Match reports whether the address is one of the system's boards, or a page of one, and which. It looks at the address
	// only. The board is the token that stands after the colon of a source.
	Match(u *url.URL) (board string, ok bool)
	// Read reads the whole board. What the system did wrong is a Reading with its health and reason; an error is a
	// fault of the transport, the end of the context, or ErrUnchanged.
	Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error)
}

// Namer is an Adapter whose list of roles does not always say whose they are, but that can ask.
type Namer interface {
	// Company is the employer's name as the system shows it, empty when it shows none. An error costs nothing but the
	// name.
	Company(ctx context.Context, client Doer, board string) (string, error)
}

// Locator is an Adapter that knows where a person reads a board.
type Locator interface {
	// CareersURL is the board's page for people.
	CareersURL(board string) string
}

// Embedder is an Adapter that recognises what a company puts into its own page to show its board there. Frames and
// links that lead to the board's address need no Embedder: Match knows them. It also recognises boards that the system
// serves at an address of the company's own.
type Embedder interface {
	// Embedded finds the board that the page shows. It is sure or says no. The page's Url is its own address.
	Embedded(page *goquery.Document) (board string, ok bool)
}

// Evidence is what an adapter was checked against.
type Evidence string

// The kinds of evidence. An adapter of the last kind is experimental: see finish.
const (
	Recording Evidence = "recording"       // recorded answers of real boards
	Several   Evidence = "several sources" // descriptions that agree, from readers that are independent of one another
	Single    Evidence = "one source"      // one description, or several that disagree
)

// About tells people what an adapter reads. It is the same for every board.
type About struct {
	Name      string   // as the vendor writes it: "Workday"
	Site      string   // the vendor's own: "workday.com"
	Addresses []string // what boards' addresses look like, {parts} of the token in braces: "jobs.lever.co/{board}"
	Endpoint  string   // method and address of the list: "GET https://api.lever.co/v0/postings/{board}"
	Reads     string   // what a role has, and what it lacks: "id, title, places, department, address"
	Evidence  Evidence
}

// Described is an Adapter that tells people what it reads. Every adapter of this package is one.
type Described interface {
	// About is the same at every call.
	About() About
}

// Experimental reports whether nobody could check the adapter against more than one description. Its readings find roles,
// but never close one.
func Experimental(a Adapter) bool {
	d, ok := a.(Described)
	return ok && d.About().Evidence == Single
}

// Memory is a Doer that keeps what was learned from pages of single roles between the readings of boards, so that they
// need not be asked for again. It may forget at any time.
type Memory interface {
	// Recall returns what was remembered under the key, if it still is.
	Recall(key string) (value string, ok bool)
	// Remember keeps a value under the key, in the place of an earlier one.
	Remember(key, value string)
}

// registered holds the package's own adapters. Each file adds its own in init; nothing changes it afterwards.
var registered []Adapter

func register(a Adapter) {
	at, found := slices.BinarySearchFunc(registered, a.Name(), func(a Adapter, name string) int {
		return strings.Compare(a.Name(), name)
	})
	if found {
		panic("ats: two adapters are called " + a.Name())
	}
	registered = slices.Insert(registered, at, a)
}

// All returns the adapters of this package by name.
func All() []Adapter { return slices.Clone(registered) }
