package scraper

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// slots are the places on cards of one kind at which texts without a label stand. What stands at the same place of most
// cards is of the same kind, so the cards explain one another.
type slots struct {
	page   *document
	texts  map[*candidate]map[string]string
	places map[string]bool
	groups map[string]bool
	// headed says that the headings above the cards name groups of them.
	headed bool
}

// longText is the length from which a text on a card is prose.
const longText = 160

// slotsOf looks at all cards of a group together.
func (d *document) slotsOf(g *group) *slots {
	s := &slots{page: d, texts: make(map[*candidate]map[string]string), places: make(map[string]bool), groups: make(map[string]bool)}
	type tally struct {
		all, place, group int
		distinct          map[string]bool
	}
	tallies := make(map[string]*tally)
	headings := make(map[string]bool)
	for _, c := range g.items {
		s.texts[c] = d.unlabelled(c)
		for key, text := range s.texts[c] {
			t := tallies[key]
			if t == nil {
				t = &tally{distinct: make(map[string]bool)}
				tallies[key] = t
			}
			t.all++
			t.distinct[text] = true
			t.place += int(count(d.placeIn(text) != ""))
			t.group += int(count(namesDepartment(d.fold(text)) && !contract.MatchString(d.fold(text))))
		}
		if h := c.groupHeading(); h != "" {
			headings[h] = true
		}
	}
	for key, t := range tallies {
		s.places[key] = t.place*2 >= t.all
		s.groups[key] = t.group*2 >= t.all && !s.places[key]
	}
	s.headed = len(headings) > 1
	for h := range headings {
		s.headed = s.headed || namesDepartment(d.fold(h))
	}
	return s
}

// unlabelled lists the short texts of a card beside its title, each under a name for where it stands.
func (d *document) unlabelled(c *candidate) map[string]string {
	texts := make(map[string]string)
	note := func(e *element, text string) {
		text = strings.Trim(text, " |·•,;–—-")
		if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
			text = strings.TrimSpace(text[1 : len(text)-1])
		}
		if n := utf8.RuneCountInString(text); n < 2 || n > 80 || d.fold(text) == d.fold(c.title) {
			return
		}
		key := signature(e)
		for texts[key] != "" && len(texts) < 60 {
			key += "+"
		}
		texts[key] = text
	}
	for _, e := range d.elements[c.card.from:c.card.to] {
		if e == c.element {
			if _, place := e.titleAndPlace(); place != "" {
				note(e, place)
				continue
			}
		}
		if e.hidden || !e.own || c.element.contains(e) && e != c.element && !isBadge(e) {
			continue
		}
		if e.contains(c.element) {
			if e != c.element {
				note(e, e.ownText())
			} else if e.hasBlock() && e.level == 0 {
				note(e, e.restLines())
			}
			continue
		}
		text := e.visibleText()
		if longer(text, longText) {
			break // the description begins; what follows is prose
		}
		note(e, text)
	}
	return texts
}

// restLines is the text after the first line.
func (e *element) restLines() string {
	return strings.TrimPrefix(e.visibleText(), e.firstLine())
}

// placeIn is the part of a text that is a place, or "".
func (d *document) placeIn(text string) string {
	if isPostal(text) && !usState.MatchString(text) {
		return ""
	}
	if d.looksLikePlace(text) && !strings.ContainsAny(text, "·•") {
		return text
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("·•|／", r) }) {
		if part = strings.TrimSpace(part); d.looksLikePlace(part) {
			return part
		}
	}
	return ""
}

// place is the place at one of the card's places for places, or named by the heading above.
func (s *slots) place(c *candidate) string {
	for _, key := range s.keys(c, s.places) {
		text := s.texts[c][key]
		if p := s.page.placeIn(text); p != "" {
			return p
		}
		if f := s.page.fold(text); !contract.MatchString(f) && !isPostal(text) && !terms.MatchString(f) {
			return text
		}
	}
	if h := c.groupHeading(); h != "" && s.page.looksLikePlace(h) {
		return h
	}
	return ""
}

// group is the department on the card, or in the heading above.
func (s *slots) group(c *candidate) string {
	for _, key := range s.keys(c, s.groups) {
		if text := s.texts[c][key]; !contract.MatchString(s.page.fold(text)) && !s.page.namesRole(text) || namesDepartment(s.page.fold(text)) {
			return text
		}
	}
	if h := c.groupHeading(); s.headed && h != "" && !s.page.looksLikePlace(h) && !contract.MatchString(s.page.fold(h)) {
		return h
	}
	return ""
}

// keys lists the card's places of a kind, in a fixed order.
func (s *slots) keys(c *candidate, of map[string]bool) []string {
	var keys []string
	for key := range s.texts[c] {
		if of[key] {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// groupHeading is the heading above the card that names a group of roles, or "".
func (c *candidate) groupHeading() string {
	for s := c.section; s != nil && s.level > 1; s = s.parent {
		if s.element.index >= c.card.from && s.element.index < c.card.to && s.element.node.DataAtom != atom.Section {
			continue
		}
		if s.kind != plain || s.level == boldLevel && len(s.heading) > 40 {
			return ""
		}
		heading := s.element.textWithout(func(e *element) bool { return e.hidden })
		return withoutCount(heading)
	}
	return ""
}

// showsTerms reports whether the card says something that cards of roles say: a place, or a kind of work.
func (d *document) showsTerms(c *candidate) bool {
	for _, e := range d.elements[c.card.from:c.card.to] {
		if e.hidden || e.contains(c.element) || !e.own {
			continue
		}
		text := e.visibleText()
		if text != "" && !longer(text, 60) && (d.looksLikePlace(text) || d.saysTerms(text)) ||
			text != "" && e.named&placeName != 0 && !longer(text, 80) {
			return true
		}
	}
	return false
}
