package page

import (
	"strings"

	"golang.org/x/net/html/atom"
)

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
