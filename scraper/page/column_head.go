package page

import "golang.org/x/net/html/atom"

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
