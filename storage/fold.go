package storage

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Longest folded texts, in bytes. An entry of PostgreSQL's index over both must not exceed 2.7 kB.
const (
	maxTitleFold    = 700
	maxLocationFold = 1100
)

// Fold is the form in which titles, places and search words are compared: compatibility characters unified, case folded
// by Unicode's full rules.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) { // the common case
		return strings.ToLower(s)
	}
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
}

// foldTo folds s and cuts it to a number of bytes, never inside a character.
func foldTo(s string, limit int) string {
	f := Fold(s)
	if len(f) <= limit {
		return f
	}
	for limit > 0 && !utf8.RuneStart(f[limit]) {
		limit--
	}
	return f[:limit]
}
