package page

import (
	"cmp"
	"math"
	"slices"
)

// An index is a list of links to places on the page, above the texts that they lead to. Its links and the titles of those
// texts are the same roles, also where the one is shorter than the other.

// indexed ties titles to the links of an index that lead to them. It ties nothing unless most links lead to a title of their
// own.
func (d *Document) indexed(links, titles []*candidate) map[*candidate]*candidate {
	if 2*len(titles) <= len(links) {
		return nil
	}
	entries := d.entriesOf(links)
	if len(entries) < 2 || 2*len(entries) <= len(links) {
		return nil
	}
	titles = slices.SortedFunc(slices.Values(titles), func(a, b *candidate) int { return cmp.Compare(a.element.index, b.element.index) })
	tied := make(map[*candidate]*candidate, len(entries))
	for i, e := range entries {
		next := offset(math.MaxInt32)
		if i+1 < len(entries) {
			next = entries[i+1].to.index
		}
		for len(titles) > 0 && titles[0].element.end <= e.to.index {
			titles = titles[1:]
		}
		if len(titles) > 0 && titles[0].element.index < next && titles[0] != e.link {
			tied[titles[0]] = e.link
		}
	}
	if 2*len(tied) <= len(links) {
		return nil
	}
	return tied
}

// entry is a link of an index, and where it leads.
type entry struct {
	link *candidate
	to   *element
}

// entriesOf returns the links among candidates that lead to a place below them on the page, each to another one, in the order of
// these places.
func (d *Document) entriesOf(links []*candidate) []entry {
	var entries []entry
	for _, c := range links {
		a := c.element.anchor()
		if a == nil || !a.leadsWithin() {
			continue
		}
		if to := d.withID(attr(a.node, "href")[1:]); to != nil && to.index > c.element.index {
			entries = append(entries, entry{c, to})
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.to.index, b.to.index) })
	return slices.CompactFunc(entries, func(a, b entry) bool { return a.to == b.to })
}
