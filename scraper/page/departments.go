package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// nameGroups takes the texts at one place of the cards for departments though no word of them is known: short names of which
// several cards share one, beside places, or names at a place where departments stand. Nothing is taken when departments are
// known, or when two places may hold them.
func (s *slots) nameGroups(g *group) {
	if slices.ContainsFunc(s.order, func(at *spot) bool { return at.ofGroups }) {
		return
	}
	placed := slices.ContainsFunc(s.order, func(at *spot) bool { return at.ofPlaces })
	found := s.onlySpot(func(at *spot) bool { return placed && g.sharesNames(at) })
	if found == nil {
		found = s.onlySpot(func(at *spot) bool { return g.namesWhereGroupsStand(at) })
	}
	if found != nil {
		found.ofGroups = true
	}
}

// onlySpot is the place of the cards for which something holds; nil when it holds for none, or for several.
func (s *slots) onlySpot(holds func(*spot) bool) *spot {
	var found *spot
	for _, at := range s.order {
		if !holds(at) {
			continue
		}
		if found != nil {
			return nil
		}
		found = at
	}
	return found
}

const (
	leastShared = 4 // cards that at least have to show what may be the name of a department and is told by nothing else
	leastInRow  = 2 // the same for what stands where departments stand
)

// sharesNames reports whether the texts at one place of the cards are written as names of departments are, and are fewer than the
// cards.
func (g *group) sharesNames(at *spot) bool {
	if at.all < leastShared || at.all*4 < len(g.items)*3 {
		return false
	}
	names := at.names()
	return names > 1 && names*4 <= at.all*3
}

// namesWhereGroupsStand reports whether all cards have such texts at a place where departments stand: in one row with a place or
// with terms of work, or as a small line above the title.
func (g *group) namesWhereGroupsStand(at *spot) bool {
	return at.all == len(g.items) && at.all >= leastInRow && at.names() > 1 && (g.areInRow(at) || g.areAbove(at))
}

// names is how many different texts stand at one place of the cards, if all are written as names of departments are; else 0.
func (at *spot) names() int {
	if at.late || at.ofPlaces || at.places > 0 || at.terms > 0 || at.all < leastInRow {
		return 0
	}
	texts := make(map[*phrase]bool)
	for _, c := range at.on {
		for _, b := range c.beside {
			if b.spot != at {
				continue
			}
			if !b.said.mayNamePart() {
				return 0
			}
			texts[b.said] = true
		}
	}
	return len(texts)
}

// mayNamePart reports whether nothing speaks against the text being the name of a part of a company.
func (p *phrase) mayNamePart() bool {
	first, _ := utf8.DecodeRuneInString(p.text)
	return len(p.text) > 2 && !longer(p.text, longestCaption) && strings.Count(p.text, " ") < 4 && !unicode.IsLower(first) && !strings.ContainsAny(p.text, "0123456789.!?@:€$£%") &&
		p.about() == plain && !p.isContract() && !p.saysTerms() && !p.namesRole() && !p.callsToAct() && !p.leadsOn() && !applyButton.MatchString(p.folded)
}

// longestRow is the length of the longest row of short texts on a card.
const longestRow = 200

// areInRow reports whether what stands at one place of the cards stands in one row with places or with terms of work: in parts of
// one text, or in elements beside one another that hold neither the title nor a description.
func (g *group) areInRow(at *spot) bool {
	if at.column > 0 {
		return true // texts are parted only where one of the parts is a place
	}
	for _, c := range g.items {
		e := c.elementAt(at)
		if e == nil {
			return false
		}
		for e.parent != nil && sameText(e.parent, e) {
			e = e.parent
		}
		row := e.parent
		if row == nil || row.index <= c.card.from || row.contains(c.element) || row.longer(longestRow) {
			return false
		}
		if !slices.ContainsFunc(c.beside, func(b slot) bool {
			if b.spot == at || !b.ofPlaces && b.terms*2 < b.all {
				return false
			}
			o := c.elementAt(b.spot)
			return o != nil && row.contains(o) && !e.contains(o)
		}) {
			return false
		}
	}
	return true
}

// areTasks reports whether what stands at one place of the cards are entries of lists that say of the roles neither where they are nor
// their terms: of what is to be done.
func (at *spot) areTasks() bool {
	for _, c := range at.on {
		e := c.elementAt(at)
		if e == nil {
			continue
		}
		entry := e.closest(atom.Li)
		if entry == nil || entry.index <= c.card.from || len(entry.parent.kids) < 2 || entry.parent.contains(c.element) {
			return false
		}
		if slices.ContainsFunc(c.beside, func(b slot) bool {
			if b.label == "" && !b.ofPlaces && b.terms*2 < b.all {
				return false
			}
			o := c.elementAt(b.spot)
			return o != nil && entry.parent.contains(o)
		}) {
			return false
		}
	}
	return true
}

// smallLineWords are words of classes for small lines above headings.
var smallLineWords = set(`eyebrow kicker overline overtitle pretitle suptitle uppercase caps smallcaps tag label badge chip pill topic`)

// areAbove reports whether what stands at one place of the cards are small lines right above the titles: written in capitals, or
// called such a line.
func (g *group) areAbove(at *spot) bool {
	for _, c := range g.items {
		e := c.elementAt(at)
		if e == nil || e.level > 0 || e.to > c.element.from || strings.TrimSpace(e.page.text[e.to:c.element.from]) != "" {
			return false
		}
		if !eachWord(attr(e.node, "class"), func(word string) bool { return smallLineWords[word] }) && !inCapitals(e.visibleText()) {
			return false
		}
	}
	return true
}

// inCapitals reports whether a text has letters that are either large or small, and all of them are large.
func inCapitals(text string) bool {
	return strings.ContainsFunc(text, unicode.IsUpper) && !strings.ContainsFunc(text, unicode.IsLower)
}

// elementAt is the element of the card that holds what stands at one of its places, as a whole or in parts; nil when there is none.
func (c *candidate) elementAt(at *spot) *element {
	nth := 0
	for _, e := range c.element.page.between(c.card.from, c.card.to) {
		if e.hidden || !e.own || c.wholly(e) || e.signature() != at.sign {
			continue
		}
		if nth == at.nth {
			return e
		}
		nth++
	}
	return nil
}

// filterKeys are the attributes that say to which kind a card belongs, or which kind a control shows.
var filterKeys = [...]string{"data-department", "data-team", "data-dept", "data-category", "data-categories", "data-cat", "data-division", "data-discipline", "data-filter"}

// filters are the names of departments on the controls outside the cards that show or hide them, by what scripts call the
// departments: "eng" by a button "Engineering" with data-filter="eng", or with data-filter=".eng" when it is a class of the cards.
// There are none unless there are several.
func (g *group) filters() map[string]string {
	d := g.page
	names := make(map[string]string)
	next := 0
	for i := 0; i < len(d.elements); i++ {
		for next < len(g.items) && g.items[next].card.to <= offsetOf(i) {
			next++
		}
		e := d.elements[i]
		if next < len(g.items) && g.items[next].card.from <= e.index || e.with&filterAttribute == 0 && e.tag != atom.Option {
			continue
		}
		if key := e.filterKey(); key != "" && names[key] == "" {
			if name := e.filterName(); name != "" {
				names[key] = name
			}
		}
	}
	if len(names) < 2 {
		return nil
	}
	return names
}

// filterKey is what scripts call the cards that a control shows, or "".
func (e *element) filterKey() string {
	if e.tag == atom.Option {
		return Fold(attr(e.node, "value"))
	}
	for _, name := range filterKeys {
		if v := attr(e.node, name); v != "" {
			return Fold(v)
		}
	}
	return ""
}

// filterName is what a control says of the cards that it shows if that may be the name of a department, or "".
func (e *element) filterName() string {
	text := e.visibleText()
	if e.tag == atom.Option {
		text = squeeze(rawText(e.node))
	}
	text = withoutCount(text)
	if said := e.page.phraseOf(text); len(text) > maxFilterName || said.looksLikePlace() || !said.namesGroup() && !said.mayNamePart() {
		return ""
	}
	return text
}

// maxFilterName is the length of the longest text on a control that is looked at.
const maxFilterName = 80

// filterOf is the department that the filters of the page know a card by, or "".
func (s *slots) filterOf(c *candidate) string {
	if s.filters == nil {
		return ""
	}
	for _, e := range s.page.between(c.card.from, c.card.to) {
		if e.with&filterAttribute != 0 {
			if name := s.filters[e.filterKey()]; name != "" {
				return name
			}
			for word := range strings.FieldsFuncSeq(e.filterKey(), isFilterSpace) {
				if name := s.filters[word]; name != "" {
					return name
				}
			}
		}
		if e.class == nil {
			continue
		}
		for token := range strings.FieldsSeq(attr(e.node, "class")) {
			if name := s.filters["."+Fold(token)]; name != "" {
				return name
			}
		}
	}
	return ""
}

// isFilterSpace reports whether a character keeps apart the kinds that a card belongs to.
func isFilterSpace(r rune) bool { return strings.ContainsRune(" ,;|[]\"", r) }
