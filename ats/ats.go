// Package ats reads boards that are hosted by applicant-tracking systems, one file per system.
package ats

import (
	"context"
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Doer sends one HTTP request. It does not follow redirects: where a vendor sends an unknown board is an answer.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Adapter reads the boards of one system.
type Adapter interface {
	// Name is the system's name in a source, such as "greenhouse".
	Name() string
	// Match reports whether the address is one of the system's boards, and which. It looks at the address only.
	Match(u *url.URL) (board string, ok bool)
	// Read reads the whole board. What the system did wrong is a Reading with its health and reason; an error is a
	// fault of the transport, or the end of the context.
	Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error)
}
