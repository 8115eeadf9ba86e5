package page

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// maxPeers is how many groups of one kind are compared with one another.
const maxPeers = 40

// gatherPeers puts into one group the texts of several columns, of rows in alternating classes, and of entries of which some
// are in bold, when both read like names of roles: a list is no less one for being set in two columns.
func gatherPeers(groups []*group) {
	gatherPeersBy(groups, func(c *candidate) *element { return c.element })
	gatherPeersBy(groups, (*candidate).box)
	putInOrder(groups)
}

func gatherPeersBy(groups []*group, box func(*candidate) *element) {
	kinds := make(map[peerKind][]*group)
	for _, g := range groups {
		if len(g.items) == 0 || g.items[0].link != nil {
			continue
		}
		k := kindOfPeer(box(g.items[0]), g.items[0].element.level)
		k.bared = g.items[0].bared
		into := kinds[k]
		if len(into) >= maxPeers {
			continue
		}
		joined := false
		for _, o := range into {
			if o.isPeer(g, box) {
				o.gather(g)
				joined = true
				break
			}
		}
		if !joined {
			kinds[k] = append(into, g)
		}
	}
}

// peerKind is what texts have in common that may be entries of one list: the tags of the boxes that they fill.
type peerKind struct {
	tags  [2]atom.Atom
	level int8
	depth int
	bared bool
}

func kindOfPeer(b *element, level int8) peerKind {
	k := peerKind{tags: [2]atom.Atom{b.tagNumber()}, level: level}
	if b.parent != nil {
		k.tags[1] = b.parent.tagNumber()
	}
	for p := b; p != nil; p = p.parent {
		k.depth++
	}
	return k
}

// box is the outermost element that shows nothing but the candidate's text, at most the entry of a list.
func (c *candidate) box() *element {
	e := c.element
	for e.parent != nil && !isEntry(e.tag) && e.parent.tag != atom.Body && sameShown(e.parent, e) {
		e = e.parent
	}
	return e
}

func isEntry(tag atom.Atom) bool {
	switch tag {
	case atom.Td, atom.Li, atom.Dt, atom.Tr, atom.Article, atom.Details:
		return true
	}
	return false
}

// names is how many texts of the group read like names of roles. All is false when one of its texts is something else.
func (g *group) names() (n int, all bool) {
	all = true
	for _, c := range g.items {
		countIf(&n, c.role)
		all = all && !c.placed && g.page.mayBeRole(c.title)
	}
	return n, all
}

// isPeer reports whether the texts of both groups stand in the same rows, or in the same list.
func (g *group) isPeer(o *group, box func(*candidate) *element) bool {
	a, b := box(g.items[0]), box(o.items[0])
	if g.page.columnLabel(a) != g.page.columnLabel(b) || a == b || a.contains(b) || b.contains(a) {
		return false
	}
	height := 0
	for ; height < 5 && a.parent != b.parent; height++ {
		if !alikeBoxes(a, b) {
			return false
		}
		a, b = a.parent, b.parent
		if a == nil || b == nil {
			return false
		}
	}
	if a.parent != b.parent || !alikeBoxes(a, b) {
		return false
	}
	return g.readsLike(o, a.tag) && (g.sharesRows(o, box, height) || o.sharesRows(g, box, height))
}

// readsLike reports whether the texts of both groups read like names of roles: those of each for itself, or, in entries of one
// list, together.
func (g *group) readsLike(o *group, box atom.Atom) bool {
	n, pure := g.names()
	m, clean := o.names()
	if box == atom.Tr && n+m > 0 && pure && clean && g.items[0].column() == o.items[0].column() {
		return true // one column, in rows of several classes
	}
	if n*2 >= len(g.items) && m*2 >= len(o.items) {
		return true
	}
	return box != atom.Td && isEntry(box) && pure && clean && (n+m)*2 >= len(g.items)+len(o.items)
}

// column is the number of the column that the text stands in; -1 outside of tables.
func (c *candidate) column() int {
	if cell := c.element.closest(atom.Td); cell != nil {
		return cell.column()
	}
	return -1
}

func alikeBoxes(a, b *element) bool {
	return a.tag == b.tag && (a.named^b.named)&(titleName|placeName|groupName|otherName|badgeName) == 0
}

// columnLabel is the heading of the column that a cell stands in; "" for anything else.
func (d *Document) columnLabel(e *element) string {
	cell := e.closest(atom.Td)
	if cell == nil {
		return ""
	}
	return d.fold(d.columnOf(cell))
}

// sharesRows reports whether everything of o stands so many steps below an element that holds something of g.
func (g *group) sharesRows(o *group, box func(*candidate) *element, height int) bool {
	rows := make(map[*element]bool, len(g.items))
	for _, c := range g.items {
		rows[ancestor(box(c), height+1)] = true
	}
	return !slices.ContainsFunc(o.items, func(c *candidate) bool { return !rows[ancestor(box(c), height+1)] })
}

// besideInRows reports whether one column of a table without headings and links holds a text beside most roles that may be
// another role: no two alike, and nothing that tells them from roles.
func (w *watch) besideInRows(found []*candidate) bool {
	texts := make(map[int]map[string]bool)
	rows, cells := 0, make(map[int]int)
	for _, c := range found {
		cell := c.element.closest(atom.Td)
		if cell == nil || c.url != nil || w.columnLabel(cell) != "" {
			continue
		}
		rows++
		for _, k := range cell.parent.kids {
			if text := k.visibleText(); k.tag == atom.Td && w.mayStandBeside(k, text) {
				at := k.column()
				if cells[at]++; texts[at] == nil {
					texts[at] = make(map[string]bool)
				}
				texts[at][text] = true
			}
		}
	}
	for at, n := range cells {
		if n*2 >= rows && len(texts[at]) == n {
			return true
		}
	}
	return false
}

func (w *watch) mayStandBeside(cell *element, text string) bool {
	return w.roles[cell.end] == w.roles[cell.index] && !cell.hidden && cell.below(atom.A) == nil && w.mayBeRole(text) &&
		!cell.said().looksLikePlace() && !cell.said().saysTerms() && !cell.said().namesDepartment()
}
