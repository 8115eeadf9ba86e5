package page

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Shown is the page's visible text as evidence of the roles on it, without those that the page itself calls closed.
// Elements that nothing keeps apart are told apart by boardwatch.WordEdge.
func (d *Document) Shown(closed []*candidate) string {
	cuts := d.wordEdges()
	for _, c := range slices.Concat(d.closed, closed) {
		if c.element.shows() && c.element.from < c.element.to {
			cuts = append(cuts, cut{c.element.from, c.element.to})
		}
	}
	if len(cuts) == 0 {
		return d.text
	}
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var b strings.Builder
	b.Grow(len(d.text) + len(cuts))
	at := offset(0)
	for _, c := range cuts {
		if c.from < at {
			at = max(at, c.to)
			continue
		}
		b.WriteString(d.text[at:c.from])
		if at = c.to; c.from == c.to {
			b.WriteString(boardwatch.WordEdge)
		} else {
			b.WriteByte(' ')
		}
	}
	b.WriteString(d.text[at:])
	return b.String()
}

// cut is a part of a text to be left out, or, when it is empty, an edge.
type cut struct{ from, to offset }

// wordEdges are the places at which an element begins or ends inside a run of letters and digits.
func (d *Document) wordEdges() []cut {
	var edges []cut
	note := func(at offset) {
		if at <= 0 || int(at) >= len(d.text) || d.text[at] == ' ' || d.text[at-1] == ' ' {
			return
		}
		before, _ := utf8.DecodeLastRuneInString(d.text[:at])
		after, _ := utf8.DecodeRuneInString(d.text[at:])
		if isWordRune(before) && isWordRune(after) && (len(edges) == 0 || edges[len(edges)-1].from != at) {
			edges = append(edges, cut{at, at})
		}
	}
	for _, e := range d.within(d.body) {
		if e.shows() && e.from < e.to && isInline(e.tag) {
			note(e.from)
			note(e.to)
		}
	}
	return edges
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// callsClosed reports whether the mark e on the card of a candidate speaks of that candidate and of no other.
func (c *candidate) callsClosed(e *element) bool {
	from, to := min(c.element.index, e.index), max(c.element.index, e.index)
	for _, o := range e.page.between(from+1, to) {
		if o.own && !o.hidden && !c.element.contains(o) && !o.contains(c.element) && !o.longer(100) && o.said().namesRole() {
			return false
		}
	}
	return true
}
