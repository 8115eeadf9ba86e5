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
