package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// A page may show a role as fields, each with a label: "Position", "Salary", "Place of work". All of them are written alike, and the
// one whose label says so is the title.

// keepLabelled leaves of a list of fields those that the page calls titles. The heads of a table's columns stand before texts too, but
// only in one row: before the others stand titles.
func (g *group) keepLabelled() {
	if g.beginWithLabel() {
		return
	}
	titles := 0
	for _, c := range g.items {
		if c.element.isLabel() {
			continue
		}
		label := g.page.phraseOf(c.labelBefore())
		switch {
		case titleLabel.MatchString(label.folded):
			titles++
		case label.text == "" || label.readsAsRole():
			return
		}
	}
	if titles == 0 {
		return
	}
	g.labelled = true
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool { return !titleLabel.MatchString(g.page.fold(c.labelBefore())) })
}

// beginWithLabel reports whether all texts of the group, several, begin with the same word for an opening: "Vacancy welder", "Vacancy
// baker". Each is then judged by what follows.
func (g *group) beginWithLabel() bool {
	if len(g.items) < 2 {
		return false
	}
	label, _, _ := strings.Cut(g.items[0].title, " ")
	if !titleLabel.MatchString(g.page.fold(label)) {
		return false
	}
	for _, c := range g.items {
		if name, found := strings.CutPrefix(c.title, label+" "); !found || !longer(strings.Trim(name, " .:-–—0123456789"), shortestLabelled) {
			return false
		}
	}
	for _, c := range g.items {
		said := g.page.phraseOf(c.title[len(label)+1:])
		c.role, c.placed, c.kind = said.readsAsRole(), !said.namesRole() && said.looksLikePlace(), said.about()
	}
	g.labelled = true
	return true
}

// shortestLabelled is the length that a name behind a label at least exceeds. What is shorter is a number.
const shortestLabelled = 2

// isLabel reports whether e says what the element behind it holds, in a row without a table: "Position:".
func (e *element) isLabel() bool {
	if e.hidden || e.longer(longestLabel) {
		return false
	}
	return endsInColon(e.visibleText())
}

// labelBefore is the label that stands before the text: in the term of a definition, in the cell or the element before its own, or in
// the heading that it shares a box with; "" when there is none.
func (c *candidate) labelBefore() string {
	e, d := c.element, c.element.page
	if definition := e.closest(atom.Dd); definition != nil {
		return d.columnOf(definition)
	}
	if cell := e.closest(atom.Td); cell != nil {
		if at := cell.column(); at%2 == 1 && !cell.parent.kids[at-1].longer(longestLabel) {
			return cell.parent.kids[at-1].visibleText()
		}
		return ""
	}
	if k := e.before(); k != nil && k.isLabel() {
		return strings.TrimRight(k.visibleText(), ":： ")
	}
	if s := c.section; s != nil && s.element.level > 0 && len(s.element.parent.kids) == 2 && s.element.parent.contains(e) {
		return s.heading
	}
	return ""
}
