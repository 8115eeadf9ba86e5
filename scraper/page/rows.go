package page

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
)

// A card often has several texts that are written alike, or a link wraps several parts: the title, the department, the place.
// At most one of them is the title, and it stands at the same position on each card.

// cutTitles makes the part with the name of the role the title, where titles were put together from several elements of which
// others say, on most cards, where the role is or how it is done.
func (g *group) cutTitles() {
	widths := make(map[int]int)
	for _, c := range g.items {
		if parts := c.parts(); len(parts) > 1 {
			widths[len(parts)]++
		}
	}
	for width, n := range widths {
		if n >= 2 && n*2 >= len(g.items) {
			g.cutTo(width)
		}
	}
}

// parts are the elements that the candidate's text is put together from; nil when it has text of its own.
func (c *candidate) parts() []*element {
	e := c.element
	for len(e.kids) == 1 && !e.own {
		e = e.kids[0]
	}
	if e.own || e.level == 0 && e.lines() > 0 {
		return nil
	}
	var parts []*element
	for _, k := range e.kids {
		if k.shows() && k.from < k.to {
			parts = append(parts, k)
		}
	}
	return parts
}

// cutTo cuts the titles that have so many parts.
func (g *group) cutTo(width int) {
	roles, others := make([]int, width), make([]int, width)
	all, wholes, alone := 0, make(map[string]bool), make([]map[string]bool, width)
	for _, c := range g.items {
		parts := c.parts()
		if len(parts) != width {
			continue
		}
		all++
		wholes[c.title] = true
		for i, e := range parts {
			said := e.said()
			if alone[i] == nil {
				alone[i] = make(map[string]bool)
			}
			alone[i][said.text] = true
			countIf(&roles[i], said.namesRole())
			countIf(&others[i], !said.namesRole() && said.standsBeside(true, false))
		}
	}
	title := slices.Index(roles, slices.Max(roles))
	sure := slices.ContainsFunc(others, func(n int) bool { return n*2 >= all })
	plainly := func(from, to int) bool { // no part there belongs to the title
		return !slices.ContainsFunc(others[from:to], func(n int) bool { return n*4 < all })
	}
	if !sure || roles[title]*2 < all || !plainly(0, title) || len(alone[title])*2 <= len(wholes) {
		return // or the part does not tell the roles apart: "Intern" behind a department
	}
	for _, c := range g.items {
		if parts := c.parts(); len(parts) == width {
			c.retitle(parts[title])
		}
	}
}

// retitle makes the text of another element the candidate's title.
func (c *candidate) retitle(e *element) {
	text := e.page.phraseOf(titleOf(e))
	if !text.plausible() {
		return
	}
	c.element, c.title, c.role, c.kind, c.placed = e, text.text, text.namesRole(), text.about(), !text.namesRole() && text.looksLikePlace()
}

// cardRow is the candidates on one card, in document order.
type cardRow struct {
	element *element
	items   []*candidate
}

// oneOfRow leaves, of the candidates on one card, that which stands where most cards have the name of a role.
func (g *group) oneOfRow() {
	elements := make([]*element, len(g.items))
	shared := false // by several candidates
	for i, c := range g.items {
		elements[i] = c.row()
		shared = shared || i > 0 && elements[i] == elements[i-1]
	}
	if !shared {
		return
	}
	rows, at := g.rows(elements)
	several := 0
	for _, r := range rows {
		countIf(&several, len(r.items) > 1)
	}
	if several*2 < len(rows) {
		return
	}
	title := g.titleColumn(rows)
	if title < 0 {
		return
	}
	next := 0
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		row := rows[at[next]].items
		next++
		return len(row) > title && row[title] != c
	})
}

// rows are the cards of the group's candidates, given the element of each, and for each candidate the number of its card.
func (g *group) rows(elements []*element) (rows []cardRow, at []int) {
	numbers := make(map[*element]int)
	for i, e := range elements {
		n, known := numbers[e]
		if !known {
			n = len(rows)
			numbers[e], rows = n, append(rows, cardRow{element: e})
		}
		rows[n].items = append(rows[n].items, g.items[i])
		at = append(at, n)
	}
	return rows, at
}

// row is the link that the candidate is a part of, or else the element that holds its box and those beside it.
func (c *candidate) row() *element {
	if a := c.element.anchor(); a != nil && a != c.element && a.contains(c.element) && !sameShown(a, c.element) {
		return a
	}
	return c.box().parent
}

// titleColumn is the position at which the cards have their titles; -1 when nothing tells. Inside links it is the one with the
// most names of roles. Elsewhere texts side by side may all be roles, unless those at every other position are departments,
// places or terms, or say the same again and again.
func (g *group) titleColumn(rows []cardRow) int {
	var columns [][]*candidate
	linked := true
	for _, r := range rows {
		linked = linked && r.element.tag == atom.A
		for i, c := range r.items {
			if i == len(columns) {
				columns = append(columns, make([]*candidate, 0, len(rows)))
			}
			columns[i] = append(columns[i], c)
		}
	}
	best, names := -1, 0
	for i := range len(columns) {
		n := 0
		for _, c := range columns[i] {
			countIf(&n, c.role)
		}
		if best < 0 || n > names {
			best, names = i, n
		}
	}
	if linked {
		return best
	}
	if first := oneScript(columns); first >= 0 && names > 0 {
		return first
	}
	if names*2 < len(columns[best]) || len(columns[best]) < 2 {
		return -1
	}
	for i, column := range columns {
		if i != best && !g.isBeside(column, names) {
			return -1
		}
	}
	return best
}

// oneScript is the first of two columns when the texts of one are written in Latin letters and none of the other is: the same said in two
// languages; -1 otherwise.
func oneScript(columns [][]*candidate) int {
	if len(columns) != 2 || len(columns[0]) < 2 || len(columns[0]) != len(columns[1]) {
		return -1
	}
	var latin [2]int
	for i, column := range columns {
		for _, c := range column {
			countIf(&latin[i], strings.ContainsFunc(c.title, func(r rune) bool { return unicode.Is(unicode.Latin, r) }))
		}
	}
	if latin[0] != latin[1] && latin[0]+latin[1] == len(columns[0]) {
		return 0
	}
	return -1
}

// isBeside reports whether the texts at one position of the cards are not their titles.
func (g *group) isBeside(column []*candidate, names int) bool {
	roles, others := 0, 0
	texts := make(map[string]bool)
	for _, c := range column {
		said := g.page.phraseOf(c.title)
		texts[said.folded] = true
		countIf(&roles, c.role)
		countIf(&others, said.placeIn() != "" || said.isTerms() || said.namesGroup())
	}
	return roles*4 <= names && (others*4 >= len(column) || len(texts)*4 <= len(column)*3)
}
