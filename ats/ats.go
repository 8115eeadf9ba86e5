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
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// ErrUnchanged is what a Doer may return instead of an answer that is the same as in the last reading. Adapters return
// it, wrapped, and stop reading.
var ErrUnchanged = errors.New("the answer is the one already known")

// Doer sends HTTP requests. An outbound.Client is one. It keeps cookies for the duration of one reading, and waits
// between requests to one host.
type Doer interface {
	// Do sends one request and follows no redirect, because where a system redirects requests for an unknown board is
	// an answer. If an answer is too large, the error has a method TooLarge() bool that returns true. Some systems can
	// then be asked for less.
	Do(*http.Request) (*http.Response, error)
}

// Adapter reads the boards of one system. Its methods may be called concurrently.
type Adapter interface {
	// Name is the system's name in a source, such as "greenhouse".
	Name() string
	// Match reports whether the address is one of the system's boards, or a page of one, and which board. It only looks
	// at the address. The board is the token after the colon of a source.
	Match(u *url.URL) (board string, ok bool)
	// Read reads the whole board. If the system did something wrong, that is a Reading with its health and reason. An
	// error is a failure of the transport, the end of the context, or ErrUnchanged.
	Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error)
}

// Namer is an Adapter whose list of roles does not always contain the employer's name, but that can request it.
type Namer interface {
	// Company is the employer's name as the system shows it. It is empty if it shows none. After an error only the name
	// is missing.
	Company(ctx context.Context, client Doer, board string) (string, error)
}

// Outliner is an Adapter whose list is long because of what no role shows, such as descriptions, and that can ask for a
// shorter one of the same roles.
type Outliner interface {
	// Outline reads the whole board by its shorter list. It is like Read in everything else, but roles may lack their
	// departments.
	Outline(ctx context.Context, client Doer, board string) (boardwatch.Reading, error)
}

// Locator is an Adapter that knows the page on which people read a board.
type Locator interface {
	// CareersURL is the board's page for people.
	CareersURL(board string) string
}

// Embedder is an Adapter that recognises what a company puts into its own page to show its board there. Frames and
// links to the board's address need no Embedder, because Match knows them. It also recognises boards that the system
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

// About describes what an adapter reads. It is the same for every board.
type About struct {
	Name      string   // as the vendor writes it: "Workday"
	Site      string   // the vendor's own: "workday.com"
	Addresses []string // what boards' addresses look like, {parts} of the token in braces: "jobs.lever.co/{board}"
	Endpoint  string   // method and address of the list: "GET https://api.lever.co/v0/postings/{board}"
	Reads     string   // what a role has, and what it lacks: "id, title, places, department, address"
	Evidence  Evidence
	Pace      Pace
}

// Pace is how often the hosts of a system may be asked. The zero value means that nothing is known of that.
type Pace struct {
	Every  time.Duration // between the beginnings of two requests
	AtOnce int           // requests that may be under way at the same time; zero means 1
	Source string        // what that follows from
}

// Described is an Adapter that describes what it reads. Every adapter of this package is one.
type Described interface {
	// About is the same at every call.
	About() About
}

// Experimental reports whether the adapter could only be checked against one description. Its empty lists count for nothing.
func Experimental(a Adapter) bool {
	d, ok := a.(Described)
	return ok && d.About().Evidence == Single
}

// Memory is a Doer that remembers between readings what was learned from pages of single roles, so that they need not
// be requested again, and in which of several places a board is. It may forget at any time.
type Memory interface {
	// Recall returns the value stored under the key, if there still is one.
	Recall(key string) (value string, ok bool)
	// Remember stores a value under the key and replaces an earlier one.
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
