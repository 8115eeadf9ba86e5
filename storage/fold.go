package storage

import (
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
	if out, ok := foldASCII(s); ok {
		return out
	}
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
}

// foldASCII folds texts of plain ASCII, the common case; ok is false for any other.
func foldASCII(s string) (out string, ok bool) {
	upper := false
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return "", false
		}
		upper = upper || c >= 'A' && c <= 'Z'
	}
	if !upper {
		return s, true
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b), true
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
