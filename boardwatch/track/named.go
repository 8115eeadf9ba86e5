package track

import (
	"context"
	"strings"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// MustBeAddress is the message for a company's name in place of an address.
const MustBeAddress = "must be the address of a careers page, or the company's domain such as acorn.example; a name is not enough"

// mostNamed is how many boards are suggested for a name.
const mostNamed = 5

// IsName reports whether a text is probably the name of a company and not an address.
func IsName(s string) bool {
	s = strings.TrimSpace(s)
	if !strings.ContainsFunc(s, unicode.IsLetter) || strings.ContainsAny(s, "/:@") {
		return false
	}
	return strings.ContainsFunc(s, unicode.IsSpace) || !strings.Contains(s, ".")
}

// Named returns at most a few boards of companies whose names begin with the text. They are suggestions for a person
// who typed a name where an address is needed; a text that is not a name has none.
func (t *Tracker) Named(ctx context.Context, name string) ([]boardwatch.Board, error) {
	if !IsName(name) || TextFault(name) != "" {
		return nil, nil
	}
	boards, err := t.store.BoardsNamed(ctx, strings.TrimSpace(name), mostNamed)
	return boards, boardwatch.Wrap("find boards by name", err)
}
