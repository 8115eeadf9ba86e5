package page

import (
	"cmp"
	"encoding/hex"
	"hash/fnv"
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

// roleLinks are the identities of the addresses that the page links to and that look like those of roles: by themselves, or
// because they are shaped like those of the postings. Links on cards of closed roles do not count, nor does navigation.
func (d *Document) roleLinks(past []*candidate, postings []boardwatch.Posting) map[string]bool {
	shapes := make(map[string]bool)
	for _, p := range postings {
		if u := Resolve(d.Base, p.URL); u != nil && strings.Count(strings.Trim(u.Path, "/"), "/") > 0 {
			shapes[(&lead{url: u}).shape()] = true
		}
	}
	shut := d.onCards(slices.Concat(d.closed, past))
	own, links := roleKey(d.Base), make(map[string]bool)
	for _, e := range d.anchored {
		if e.chrome || shut[e.index] || len(links) >= MaxPostings {
			continue
		}
		if l := e.lead(); l != nil && l.key != own && (l.job || shapes[l.shape()]) {
			links[l.key] = true
		}
	}
	return links
}

// Title is the title in the head of the page.
func (d *Document) Title() string { return d.title }

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

// Form is a hash of how the page is built: equal for two states of a page that differ in their texts, or in how many
// entries their lists have.
func (d *Document) Form() string {
	seen := make(map[string]bool)
	for _, e := range d.within(d.body) {
		seen[e.kind()+"<"+e.parent.kind()] = true
	}
	parts := make([]string, 0, len(seen))
	for part := range seen {
		parts = append(parts, part)
	}
	slices.Sort(parts)
	h := fnv.New64a()
	for _, part := range parts {
		_, _ = h.Write([]byte(part + "\n")) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// kind is the element's tag with what of its class says how it is written.
func (e *element) kind() string {
	if e.class == nil {
		return e.node.Data
	}
	return e.node.Data + "." + e.class.stable
}

// Lines are the lines of text that the page shows, navigation and footer left out.
func (d *Document) Lines() []string {
	t := d.Tree()
	var lines []string
	for _, e := range d.body.kids {
		if !e.chrome {
			lines = append(lines, t.Lines(e.node, false, false)...)
		}
	}
	return lines
}
