package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
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
		c.judgeBy(c.title[len(label)+1:])
	}
	g.labelled = true
	return true
}

// behindLabel is the text that stands right behind e, a label of titles, where other labels follow on the same line or card: "Position:
// Welder Sector: Plant"; "" when there is none.
func (e *element) behindLabel() string {
	if !isInline(e.tag) || e.tag == atom.A || e.parent == nil || !e.parent.own || !e.isLabel() || !titleLabel.MatchString(strings.TrimRight(e.folded(), ":： ")) {
		return ""
	}
	for n := e.node.NextSibling; n != nil && n.Type != html.ElementNode; n = n.NextSibling {
		if text := trimTitle(squeeze(n.Data)); n.Type == html.TextNode && text != "" {
			return text
		}
	}
	return ""
}

// judgeBy judges the candidate by a text that is a part of its title.
func (c *candidate) judgeBy(text string) {
	said := c.element.page.phraseOf(text)
	c.role, c.placed, c.kind = said.readsAsRole(), !said.namesRole() && said.looksLikePlace(), said.about()
}

// cutNumbers takes from the titles of a list the numbers that count them, and those of openings behind most of them: "1. Welder",
// "2. Baker (3)".
func (g *group) cutNumbers() {
	counted, last, sure := 0, 0, false
	for i, c := range g.items {
		n, rest := numberBefore(c.title)
		if n > 0 && n == last+1 && (i == 0 || last > 0) {
			counted++
		}
		last, sure = n, sure || n > 0 && !strings.Contains(c.title[:len(c.title)-len(rest)], ".") // an ordinal number has a stop
	}
	for _, c := range g.items {
		if _, rest := numberBefore(c.title); rest != "" && (counted > 1 || counted == 1 && sure) && plausible(rest) {
			c.title = g.page.withoutLabel(rest)
			c.judgeBy(c.title)
		}
	}
	names := make([]string, len(g.items))
	numbered := 0
	for i, c := range g.items {
		names[i] = numberedName(c.title)
		countIf(&numbered, names[i] != "")
	}
	for i, c := range g.items {
		if names[i] != "" && numbered > 1 && numbered*2 > len(g.items) {
			c.title, c.numbered = names[i], true
			c.judgeBy(c.title)
		}
	}
}

// numberBefore is the number that stands before a text, and the text behind it; 0 and "" when there is none.
func numberBefore(text string) (n int, rest string) {
	m := countedText.FindStringSubmatch(text)
	if m == nil {
		return 0, ""
	}
	return number(m[1]), m[2]
}

var countedText = lazyregexp.New(`^[(（\[]?(\d{1,2})\s?[.)、．）\]:：]\s*([^\d\s].*)$`)

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

// columnScore is what the heading of the column, or the label before each text, says about the texts.
func (g *group) columnScore() float64 {
	if g.labelled {
		return calledTitles
	}
	cell := g.items[0].element.closest(atom.Td)
	if cell == nil {
		return 0
	}
	switch heading := g.page.fold(g.page.columnOf(cell)); {
	case heading == "":
		return 0
	case titleLabel.MatchString(heading):
		return calledTitles + g.page.columnsOfRoles(cell)
	case isPlaceLabel(heading), isGroupLabel(heading):
		return -4
	}
	return 0
}

// calledTitles is what it is worth that the page itself calls the texts titles.
const calledTitles = 1.5

// roleColumn matches the headings of columns that say what a role is like: pay, hours, schooling.
var roleColumn = sayings("role column")

// columnsOfRoles is what the headings of the other columns of a table are worth, if one of them says what a role is like, where it is,
// or in which department.
func (d *Document) columnsOfRoles(cell *element) float64 {
	head := d.headOf(cell.parent)
	if head == nil {
		return 0
	}
	own := cell.column()
	for i, k := range head.kids {
		text := d.fold(squeeze(rawText(k.node)))
		if i != own && (roleColumn.MatchString(text) || isPlaceLabel(text) || isGroupLabel(text)) {
			return calledTitles
		}
	}
	return 0
}
