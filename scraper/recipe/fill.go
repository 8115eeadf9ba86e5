package recipe

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// fill adds to a recipe that finds titles what else its entries say alike.
func (l *look) fill(r *Recipe, x Examples) {
	s, err := compile("entry", r.Entry, true)
	if err != nil {
		return
	}
	title, err := r.Title.reader("title", l.parsed)
	if err != nil {
		return
	}
	var cards []card
	for _, e := range r.entries(l.parsed, s) {
		if n := title.find(e, l.parsed); n != nil {
			cards = append(cards, card{e, l.at[n], title.of(n, l.parsed)})
		}
	}
	if len(cards) == 0 {
		return
	}
	l.exclude(r, cards, x)
	cards = cards[:min(len(cards), maxCards)]
	r.Link = l.link(cards)
	r.Place = l.said(cards, "place", l.tree.CallsPlace, l.tree.NamesPlace)
	r.Department = l.said(cards, "department", l.tree.CallsGroup, l.tree.NamesGroup)
	if r.Department.none() {
		r.Department = l.heading(cards, func(text string) bool { return !l.tree.NamesPlace(text) })
	}
	if r.Place.none() {
		r.Place = l.heading(cards, l.tree.NamesPlace)
	}
}

// maxCards is how many entries of a list are looked at for what they have in common.
const maxCards = 200

// card is an entry with its title.
type card struct {
	entry

	title *place
	text  string
}

// exclude notes the titles that are no roles: those that somebody named, those in the list that can be none, such as an open
// application, and the heading of the list where it is written like the titles.
func (l *look) exclude(r *Recipe, cards []card, x Examples) {
	r.Not = slices.Clone(x.Not)
	if slices.ContainsFunc(x.Like, l.isNone) {
		return // here, roles are called as elsewhere they never are
	}
	first := l.firstRole(cards, x)
	for i, c := range cards {
		if (i < first || l.isNone(c.text)) && !slices.Contains(r.Not, c.text) {
			r.Not = append(r.Not, c.text)
		}
	}
}

// firstRole is the first card after those which clearly are no roles, as the heading of the list is none. Where the examples do
// not read like titles themselves, nothing clearly is none.
func (l *look) firstRole(cards []card, x Examples) int {
	if slices.ContainsFunc(x.Like, func(title string) bool { return !l.tree.ReadsAsRole(title) }) {
		return 0
	}
	return max(0, slices.IndexFunc(cards, func(c card) bool { return !l.tree.ReadsAsOther(c.text) }))
}

// inside are the elements of a card, in document order.
func (l *look) elements(c card) []*place {
	var all []*place
	for _, n := range c.nodes {
		all = append(all, l.at[n])
		all = append(all, l.inside(l.at[n])...)
	}
	return slices.DeleteFunc(all, func(e *place) bool { return e.skipped(l.parsed) })
}

// link is where the entries lead to: the title's own link, one around it, or the same link on every card, to another place
// each.
func (l *look) link(cards []card) Field {
	best, most := Field{}, 0
	for _, f := range l.linkFields(cards) {
		found, differ := 0, make(map[string]bool)
		r, err := f.reader("link", l.parsed)
		if err != nil {
			continue
		}
		for _, c := range cards {
			if u := r.address(c.entry, l.parsed); u != "" {
				found++
				differ[u] = true
			}
		}
		// An address that several roles share is nobody's own.
		if len(differ)*10 >= found*8 && found > most {
			best, most = f, found
		}
	}
	if most*2 < len(cards) {
		return Field{}
	}
	return best
}

// linkFields are the links that the first cards have, the surest first.
func (l *look) linkFields(cards []card) []Field {
	var fields []Field
	add := func(s string) {
		if f := (Field{Select: s}); !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	for _, c := range cards[:min(len(cards), 8)] {
		for _, e := range l.elements(c) {
			if e.tag != "a" || l.tree.Link(e.node) == nil {
				continue
			}
			if e.contains(c.title) || c.title.contains(e) {
				for _, o := range namesOf(e) {
					add(o)
				}
			}
		}
	}
	for _, c := range cards[:min(len(cards), 8)] {
		for _, e := range l.elements(c) {
			if e.tag == "a" && l.tree.Link(e.node) != nil {
				for _, o := range namesOf(e) {
					add(o)
				}
			}
		}
	}
	return fields[:min(len(fields), 24)]
}

// namesOf are the selectors of an element inside an entry, the plainest first.
func namesOf(e *place) []string {
	options := optionsOf(e)
	if e.parent != nil {
		for _, up := range optionsOf(e.parent) {
			if up.named() {
				options = append(options, step{})
				options[len(options)-1] = step{tag: up.String() + " > " + e.tag}
			}
		}
	}
	slices.SortStableFunc(options, func(a, b step) int { return cmp.Compare(a.cost(), b.cost()) })
	names := make([]string, 0, len(options))
	for _, o := range options {
		names = append(names, o.String())
	}
	return names
}

// said is the element, or the part of a text, that says the same kind of thing on most cards: by its class, its column, a
// label before it, or by what the texts look like.
func (l *look) said(cards []card, what string, called func(*html.Node) bool, looks func(string) bool) Field {
	best, most := Field{}, 0.0
	for _, f := range l.saidFields(cards, what, called, looks) {
		r, err := f.reader(what, l.parsed)
		if err != nil {
			continue
		}
		hits, texts := 0.0, 0
		for _, c := range cards {
			text := r.text(c.entry, l.parsed)
			if text == "" || len(text) > 120 || page.Fold(text) == page.Fold(c.text) || l.tree.NamesTerms(text) {
				continue
			}
			texts++
			hits += 0.5
			n := r.find(c.entry, l.parsed)
			if looks(text) || called(n) || f.After != "" || l.tree.ColumnOf(n) == what {
				hits += 0.5
			}
		}
		if hits > most && texts*3 >= len(cards)*2 && hits*5 >= float64(len(cards))*3.5 {
			best, most = f, hits
		}
	}
	return best
}

// saidFields are the fields of the first cards that may say it.
func (l *look) saidFields(cards []card, what string, called func(*html.Node) bool, looks func(string) bool) []Field {
	var fields []Field
	for _, c := range cards[:min(len(cards), 6)] {
		for _, e := range l.elements(c) {
			if e.text == "" || e.contains(c.title) || c.title.contains(e) && c.title != e {
				continue
			}
			label := ""
			is, at := l.tree.LabelOf(e.text)
			if is == what && len(e.text) < 160 {
				label = at
			}
			if label == "" && !called(e.node) && !looks(e.text) && l.tree.ColumnOf(e.node) != what {
				continue
			}
			if len(e.text) > 120 && label == "" {
				continue
			}
			for _, name := range l.told(c, e) {
				f := Field{Select: name, After: label}
				if !slices.Contains(fields, f) {
					fields = append(fields, f)
				}
			}
		}
	}
	return fields[:min(len(fields), 60)]
}

// told are the selectors that find an element first in its card.
func (l *look) told(c card, e *place) []string {
	names := namesOf(e)
	if e.tag == "td" || e.tag == "th" {
		names = append(names, column(e))
	}
	return slices.DeleteFunc(names, func(name string) bool {
		s, err := compile("", name, false)
		if err != nil {
			return true
		}
		for _, n := range c.nodes {
			for _, found := range l.matches(n, s) {
				if l.hidden || !l.tree.Hidden(found) {
					return found != e.node
				}
			}
		}
		return true
	})
}

// heading is the heading above the entries, where there are several of them and they say such a thing.
func (l *look) heading(cards []card, fits func(string) bool) Field {
	first := l.at[cards[0].nodes[0]]
	last := l.at[cards[len(cards)-1].nodes[0]]
	on := make(map[*html.Node]bool) // the cards
	for _, c := range cards {
		for _, n := range c.nodes {
			on[n] = true
		}
	}
	byWay := make(map[string][]*place)
	var order []string
	for _, e := range l.all {
		if e.from >= last.from || e.skipped(l.parsed) || e.text == "" || len(e.text) > 80 || l.tree.Level(e.node) == 0 {
			continue
		}
		if isIn(e.node, on) {
			continue
		}
		for _, name := range namesOf(e) {
			if byWay[name] == nil {
				order = append(order, name)
			}
			byWay[name] = append(byWay[name], e)
		}
	}
	for _, name := range order {
		if heads := byWay[name]; l.govern(heads, cards, first, fits) {
			return Field{Select: name, Above: true}
		}
	}
	return Field{}
}

// govern reports whether headings part the cards into groups of which they name each.
func (l *look) govern(heads []*place, cards []card, first *place, fits func(string) bool) bool {
	named := make(map[string]bool)
	for _, c := range cards {
		at := l.at[c.nodes[0]].from
		next, _ := slices.BinarySearchFunc(heads, at, func(h *place, at int) int { return h.from - at })
		if next == 0 {
			return false
		}
		above := heads[next-1]
		if !fits(above.text) || l.tree.NamesRole(above.text) && !l.tree.NamesGroup(above.text) {
			return false
		}
		named[above.text] = true
	}
	// All but one heading stand among the cards.
	among := 0
	for _, h := range heads {
		if h.from > first.from {
			among++
		}
	}
	return len(named) > 1 && among+1 == len(named)
}
