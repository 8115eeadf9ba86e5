package page

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// taken is what better groups contain already.
type taken struct {
	found   []*candidate
	titles  []bool // by place in the document: a title found
	cards   []bool // by place in the document: part of a card found
	address map[string]bool
	byTitle map[string][]*candidate
}

func (d *Document) newTaken() *taken {
	n := len(d.elements)
	return &taken{titles: make([]bool, n), cards: make([]bool, n), address: make(map[string]bool), byTitle: make(map[string][]*candidate)}
}

func (t *taken) add(items []*candidate) {
	t.found = append(t.found, items...)
	for _, c := range items {
		t.titles[c.element.index] = true
		t.byTitle[c.title] = append(t.byTitle[c.title], c)
		for i := c.card.from; i < c.card.to; i++ {
			t.cards[i] = true
		}
		if c.url != nil {
			t.address[c.url.key] = true
		}
	}
}

// has reports whether the candidate repeats what is taken: it stands on a card, has a title on its own card, leads to the same page, or
// mentions a role that is taken ("New since Monday: Welder").
func (t *taken) has(c *candidate) bool {
	return t.speaksOf(c) || t.cards[c.element.index] || slices.Contains(t.titles[c.card.from:c.card.to], true) ||
		c.url != nil && t.address[c.url.key]
}

// pair finds out whether the group shows roles that are taken once more: for another size of screen, or as an index of texts on the
// page. It ties each to its twin, and takes them out of the group. Equal titles that lead to pages of their own are different roles.
func (t *taken) pair(g *group) *group {
	paired := make(map[string]int) // how many of the same title
	twins := g.page.indexed(t.found, g.items)
	if twins == nil {
		twins = make(map[*candidate]*candidate)
		for title, link := range g.page.indexed(g.items, t.found) {
			twins[link] = title
		}
	}
	for _, c := range g.items {
		if twins[c] != nil {
			continue
		}
		same := t.byTitle[c.title]
		if len(same) == 0 {
			continue
		}
		first := same[min(paired[c.title], len(same)-1)]
		if c.url != nil && first.url != nil {
			continue
		}
		twins[c] = first
		paired[c.title]++
	}
	if len(twins)*2 <= len(g.items) {
		return nil
	}
	again := &group{page: g.page}
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		o := twins[c]
		if o != nil {
			o.twin = c
			again.items = append(again.items, c)
		}
		return o != nil
	})
	return again
}

// maxSpokenOf is how many titles are looked for in other texts.
const maxSpokenOf = 500

func (t *taken) speaksOf(c *candidate) bool {
	return c.url == nil && slices.ContainsFunc(t.found[:min(len(t.found), maxSpokenOf)], func(o *candidate) bool {
		return len(o.title) >= 5 && len(c.title) > len(o.title) && strings.Contains(c.title, o.title)
	})
}

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
