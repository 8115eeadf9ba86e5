package page

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// slots are the places on cards of one kind at which texts without a label stand. What stands at the same place of most
// cards is of the same kind, so the cards explain one another.
type slots struct {
	page   *Document
	places map[slotKey]bool
	groups map[slotKey]bool
	titles map[*element]bool // of the cards: none of them is a heading above another
	above  map[*candidate]caption
	// headed says that the headings above the cards name groups of them.
	headed bool
}

// slotKey is a place on a card: how the text is written, and which of those written so it is.
type slotKey struct {
	sign   *sign
	nth    int
	line   int    // of a text in lines
	label  string // in front of it, folded; a text with a label is the same on whatever line it stands
	late   bool   // behind the description, where places stand, but names of departments are tasks and skills
	column int    // of a text in parts, from 1; 0 for the text as a whole
}

// slot is a text at its place.
type slot struct {
	slotKey

	text string
}

const (
	longText = 160 // the length from which a text on a card is prose
	maxSlots = 60  // on one card
)

// fillSlots looks at all cards of a group together.
func (d *Document) fillSlots(g *group) {
	s := &slots{page: d, places: make(map[slotKey]bool), groups: make(map[slotKey]bool), titles: make(map[*element]bool)}
	type tally struct{ all, place, group, terms int }
	tallies := make(map[slotKey]*tally)
	headings := make(map[string]bool)
	if len(g.items) > 1 {
		d.cards(g) // what was taken for titles too no longer stands in their way
	}
	s.above = g.captions()
	for _, c := range g.items {
		c.slots, c.beside = s, d.unlabelled(c)
		s.titles[c.element] = true
		for e, box := c.element, c.box(); e != box; e = e.parent {
			s.titles[e.parent] = true
		}
	}
	d.partColumns(g)
	for _, c := range g.items {
		for _, b := range c.beside {
			t := tallies[b.slotKey]
			if t == nil {
				t = &tally{}
				tallies[b.slotKey] = t
			}
			said := d.phraseOf(b.text)
			t.all++
			countIf(&t.place, said.placeIn() != "")
			countIf(&t.group, said.namesGroup())
			countIf(&t.terms, !said.namesGroup() && (said.isTerms() || said.namesRole() || strings.Count(b.text, " ") > 4))
		}
		if h := c.groupName(); h != "" {
			headings[h] = true
		}
	}
	for key, t := range tallies {
		s.places[key] = t.place*2 >= t.all || t.place*3 >= t.all && g.mayBePlaces(key)
		s.groups[key] = !key.late && t.group > 0 && t.group*4 >= t.all && t.terms*4 <= t.all && t.place*4 <= t.all && !s.places[key]
	}
	s.headed = len(headings) > 1
	for h := range headings {
		s.headed = s.headed || namesDepartment(d.fold(h))
	}
}

// mayBePlaces reports whether nothing speaks against the texts at one place of the cards being names of places.
func (g *group) mayBePlaces(key slotKey) bool {
	for _, c := range g.items {
		for _, b := range c.beside {
			if said := g.page.phraseOf(b.text); b.slotKey == key && said.placeIn() == "" && !said.mayBePlace() {
				return false
			}
		}
	}
	return true
}

// unlabelled lists the short texts of a card beside its title, with where they stand.
func (d *Document) unlabelled(c *candidate) []slot {
	texts := d.scratch[:0]
	late := false
	note := func(e *element, nth int, l line) {
		text := l.text
		if text == "" || !isWordByte(text[0]) || !isWordByte(text[len(text)-1]) {
			text = strings.Trim(text, " |·•,;–—-")
		}
		if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
			text = strings.TrimSpace(text[1 : len(text)-1])
		}
		if n := utf8.RuneCountInString(text); n < 2 || n > 80 || d.fold(text) == d.fold(c.title) {
			return
		}
		key := slotKey{sign: e.signature(), line: nth, late: late}
		if l.label != "" {
			key = slotKey{sign: key.sign, label: d.fold(l.label)}
		}
		for i := range texts {
			if texts[i].slotKey != key {
				continue
			}
			if len(texts) >= maxSlots {
				texts[i].text = text
				return
			}
			key.nth++
		}
		texts = append(texts, slot{key, text})
	}
	for _, e := range d.elements[c.card.from:c.card.to] {
		if e.hidden || !e.own || c.wholly(e) {
			continue
		}
		if e.longer(longText) && !e.contains(c.element) {
			late = true // the description has begun
			continue
		}
		for i, l := range d.textsIn(e, c) {
			note(e, i, l)
		}
	}
	for i, l := range c.looseLines() {
		note(c.base.parent, i, l)
	}
	d.scratch = texts
	return slices.Clone(texts)
}

// textsIn are the lines of e, the candidate's title left out. Places that stand on lines of their own are one text, parted by
// semicolons.
func (d *Document) textsIn(e *element, c *candidate) []line {
	if text := e.visibleText(); len(e.kids) == 0 && !strings.ContainsAny(text, ":：") && !strings.ContainsFunc(text, isPictogram) {
		return []line{{text: text}}
	}
	lines := e.linesBeside(c, nil)
	if len(lines) < 2 {
		return lines
	}
	places := make([]string, 0, len(lines))
	for _, l := range lines {
		if l.label != "" || !d.looksLikePlace(l.text) {
			return lines
		}
		places = append(places, l.text)
	}
	return []line{{text: strings.Join(places, "; ")}}
}

// namesGroup reports whether the text names a part of a company and no kind of contract.
func (p *phrase) namesGroup() bool {
	if p.once(knowsGroup) {
		p.group = (namesDepartment(p.folded) || namesPart(p.folded)) && !contract.MatchString(p.folded)
	}
	return p.group
}

// place is the place at one of the card's places for places, and how the work is done when that is all they say.
func (s *slots) place(c *candidate) (place, mode string) {
	for _, b := range c.at(s.places) {
		said := s.page.phraseOf(b.text)
		p := said.placeIn()
		switch {
		case workMode[Fold(p)]:
			mode = cmp.Or(mode, p)
			continue
		case p != "":
			return p, mode
		case mode != "":
			continue
		}
		if !contract.MatchString(said.folded) && !isPostal(b.text) && !said.saysTerms() {
			return b.text, mode
		}
	}
	return "", mode
}

// headingPlace is the place that the heading of the card's group names.
func (s *slots) headingPlace(c *candidate) string {
	for _, h := range append([]string{s.above[c].text}, c.groupHeadings()...) {
		if h != "" && s.page.looksLikePlace(h) {
			return h
		}
	}
	for o := c.section; o != nil; o = o.parent {
		if o.kind == open {
			return placeInProse(o.heading) // "Open positions in Berlin"
		}
	}
	return ""
}

// workMode are the words for how a role is done that stand in for its place.
//
//nolint:gochecknoglobals // a constant table
var workMode = phrasesIn(vocabulary["work mode"])

// group is the department on the card, or in the heading above.
func (s *slots) group(c *candidate) string {
	for _, b := range c.at(s.groups) {
		said := s.page.phraseOf(b.text)
		if !contract.MatchString(said.folded) && !said.namesRole() || namesDepartment(said.folded) {
			return b.text
		}
	}
	if h := c.groupName(); s.headed && h != "" && !contract.MatchString(s.page.fold(h)) {
		return h
	}
	if h := s.above[c].text; !s.page.looksLikePlace(h) {
		return h
	}
	return ""
}

// at lists the texts at the card's places of a kind, in a fixed order.
func (c *candidate) at(places map[slotKey]bool) []slot {
	var found []slot
	for _, b := range c.beside {
		if places[b.slotKey] {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b slot) int {
		return cmp.Or(strings.Compare(a.sign.text, b.sign.text), cmp.Compare(a.nth, b.nth), cmp.Compare(a.line, b.line), strings.Compare(a.label, b.label), cmp.Compare(a.column, b.column))
	})
	return found
}

// groupName is the nearest heading above the card that names a group of roles, and not where they are; "" when there is none.
func (c *candidate) groupName() string {
	for _, h := range c.groupHeadings() {
		if !c.element.page.looksLikePlace(h) {
			return h
		}
	}
	return ""
}

// groupHeadings are the headings above the card that name groups of roles, the nearest first: "Berlin" under "Engineering".
func (c *candidate) groupHeadings() []string {
	var headings []string
	for s := c.section; s != nil && (s.level > 1 || c.slots.page.sections().tops > 2); s = s.parent {
		if s.element.index >= c.card.from && s.element.index < c.card.to && s.element.tag != atom.Section || c.slots.titles[s.element] {
			continue
		}
		if s.kind != plain || s.level == boldLevel && len(s.heading) > 40 {
			return headings
		}
		if heading := withoutCount(s.element.textWithout(func(e *element) bool { return e.hidden })); heading != "" {
			headings = append(headings, heading)
		}
	}
	return headings
}

// showsTerms reports whether the card says something that cards of roles say: a place, or a kind of work.
func (d *Document) showsTerms(c *candidate) bool {
	for _, e := range d.elements[c.card.from:c.card.to] {
		if e.hidden || !e.own || e.contains(c.element) || e.longer(80) {
			continue
		}
		text := e.visibleText()
		if text == "" {
			continue
		}
		if e.named&placeName != 0 {
			return true
		}
		if said := e.said(); !e.longer(60) && (said.looksLikePlace() || said.saysTerms()) {
			return true
		}
	}
	return false
}
