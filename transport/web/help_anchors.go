package web

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// anchors gives the headings of a page the ids that forges give them, which is what links of the documentation lead to.
type anchors map[string]bool

// Generate is the id of a heading: its letters, digits, hyphens and underscores, with a hyphen for each space. One that was
// given already gets a number.
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

// Put notes an id that is taken.
func (a anchors) Put(id []byte) { a[string(id)] = true }
