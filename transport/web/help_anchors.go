package web

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// anchors gives headings the same ids as code hosts such as GitHub do, because links in the documentation use those.
type anchors map[string]bool

// Generate returns the id of a heading: its letters, digits, hyphens and underscores, with a hyphen for each space. A
// repeated id gets a number.
func (a anchors) Generate(heading []byte, _ ast.NodeKind) []byte {
	base := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, strings.TrimSpace(string(heading)))
	id := base
	for n := 1; a[id]; n++ {
		id = base + "-" + strconv.Itoa(n)
	}
	a[id] = true
	return []byte(id)
}

// Put records an id that is taken.
func (a anchors) Put(id []byte) { a[string(id)] = true }
