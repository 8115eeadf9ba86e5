package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// caption is a text above several cards that is written like no heading: the name of a department or of a place, in a row, a
// panel's button or a paragraph of its own.
type caption struct {
	element *element
	text    string
	box     *element // the smallest element that holds both the caption and the card below it
}

// longestCaption is the length of the longest text that is taken for one.
const longestCaption = 60

// captions finds the texts above the cards of the group, by card. Texts that stand before each card belong to the cards
// themselves.
func (g *group) captions() map[*candidate]caption {
	found := make([]caption, len(g.items))
	times := make(map[*sign]int)
	for i, c := range g.items {
		if i > 0 {
			found[i] = captionIn(g.items[i-1].base.end, c)
		}
		if e := found[i].element; e != nil {
			times[e.signature()]++
		}
	}
	var common *sign
	for _, f := range found {
		if f.element != nil && (common == nil || times[f.element.signature()] > times[common]) {
			common = f.element.signature()
		}
	}
	if common == nil {
		return g.tabs()
	}
	found[0] = captionIn(0, g.items[0])
	parted := false // one card at least has none of its own
	for i, c := range g.items {
		if found[i].element == nil {
			from := offset(0)
			if i > 0 {
				from = g.items[i-1].base.end
			}
			found[i] = writtenAs(common, from, c)
		}
		f := found[i]
		found[i].element = f.of(common)
		parted = parted || i > 0 && found[i].element == nil
		if found[i].element != nil && i > 0 && !f.box.contains(g.items[i-1].base) {
			parted = true
		}
	}
	if !parted {
		return nil
	}
	if !g.areGroups(found) {
		return nil
	}
	return g.spread(found)
}

// areGroups reports whether captions name groups of roles: several do, or the one is known as a department or a place.
func (g *group) areGroups(found []caption) bool {
	texts := make(map[string]bool)
	for _, f := range found {
		if f.element == nil {
			continue
		}
		texts[f.text] = true
		if said := g.page.phraseOf(f.text); said.namesGroup() || said.looksLikePlace() {
			return true
		}
	}
	return len(texts) > 1
}

// of is the caption's element if it is written so.
func (f caption) of(how *sign) *element {
	if f.element == nil || f.element.signature() != how {
		return nil
	}
	return f.element
}

// spread gives each card the caption that stands above it, and takes the captions out of the cards before them.
func (g *group) spread(found []caption) map[*candidate]caption {
	above := make(map[*candidate]caption)
	var now caption
	for i, c := range g.items {
		if f := found[i]; f.element != nil {
			now = f
			if i > 0 && g.items[i-1].card.to > f.element.index {
				g.items[i-1].card.to = max(f.element.index, g.items[i-1].base.end)
			}
		}
		if now.element != nil && now.box.contains(c.base) {
			above[c] = now
		}
	}
	return above
}

// captionIn is the last text between a place in the document and a card if it may be the caption of it.
func captionIn(from offset, c *candidate) caption {
	if e := c.lastAbove(from); e != nil {
		return e.captionOf(c)
	}
	return caption{}
}

// writtenAs is the same if it is written as the captions of other cards are: then it is one though it reads like other matter, or
// like the name of a role.
func writtenAs(captions *sign, from offset, c *candidate) caption {
	if e := c.lastAbove(from); e != nil && e.signature() == captions && !e.chrome && !e.isPoint(c) {
		return e.captionSaying(c, e.captionText(c))
	}
	return caption{}
}

// lastAbove is the element with the last text between a place in the document and the card; nil when there is none.
func (c *candidate) lastAbove(from offset) *element {
	d := c.element.page
	for i := c.base.index - 1; i >= from && d.elements[i] != d.body; i-- {
		if e := d.elements[i]; e.own && !e.hidden && !e.icon && !e.isCount() {
			return e
		}
	}
	return nil
}

// isCount reports whether e says nothing but how many roles there are, as a badge beside a caption does: "4", "(12)".
func (e *element) isCount() bool {
	return !e.longer(5) && strings.Trim(e.visibleText(), "()[]0123456789") == ""
}

// captionOf is e as the caption of a card below it; none when e is anything else.
func (e *element) captionOf(c *candidate) caption {
	if e.chrome || e.isPoint(c) {
		return caption{}
	}
	text := e.captionText(c)
	said := e.page.phraseOf(text)
	if said.about() != plain || said.callsToAct() && !said.namesDepartment() || said.namesRole() && !said.namesDepartment() {
		return caption{}
	}
	return e.captionSaying(c, text)
}

// captionText is what e says as the caption of a card below it.
func (e *element) captionText(c *candidate) string {
	text := e.visibleText()
	if e.contains(c.base) {
		text = e.ownText()
	}
	return strings.Trim(withoutCount(text), besideLine)
}

// captionSaying is e as the caption of a card with this text; none when the text is too long for one, or a kind of work.
func (e *element) captionSaying(c *candidate, text string) caption {
	if text == "" || longer(text, longestCaption) || strings.Count(text, " ") > 4 || strings.ContainsAny(text, "@?!") || e.page.phraseOf(text).isContract() {
		return caption{}
	}
	box := e
	for box.parent != nil && !box.contains(c.base) {
		box = box.parent
	}
	return caption{e, text, box}
}

// isPoint reports whether e is a point of a list that does not hold the card: of what is said about a group, not what it is called.
func (e *element) isPoint(c *candidate) bool {
	li := e.closest(atom.Li)
	return li != nil && !li.contains(c.base)
}

// tabs finds, by card, the tab that opens the panel which the card stands in: roles are parted by department or place so. Nothing is
// found unless two panels at least hold cards, because one panel may be all that is open.
func (g *group) tabs() map[*candidate]caption {
	labels, inOrder := g.page.tabLabels(), make(map[*element]map[*element]*element)
	above := make(map[*candidate]caption)
	texts := make(map[string]bool)
	for _, c := range g.items {
		for e := c.base.parent; e != nil && e != g.page.body; e = e.parent {
			tab := labels[attr(e.node, "id")]
			if tab == nil && e.parent != nil && isPanelNamed(e.node) {
				if _, known := inOrder[e.parent]; !known {
					inOrder[e.parent] = g.page.tabsInOrder(e.parent)
				}
				tab = inOrder[e.parent][e]
			}
			if tab == nil || e.contains(tab) {
				continue
			}
			if f := tab.captionSaying(c, tab.captionText(c)); f.element != nil && f.text != c.title {
				above[c], texts[f.text] = f, true
			}
			break
		}
	}
	if len(texts) < 2 {
		return nil
	}
	return above
}

// tabLabels are the elements that open a part of the page, by the id of that part.
func (d *Document) tabLabels() map[string]*element {
	labels := make(map[string]*element)
	for _, e := range d.all() {
		if e.tag != atom.A && e.tag != atom.Button && e.with&roleAttribute == 0 || e.hidden {
			continue
		}
		for _, key := range [...]string{"aria-controls", "data-bs-target", "data-target", "href"} {
			id, local := strings.CutPrefix(attr(e.node, key), "#")
			if id != "" && (local || key == "aria-controls") && labels[id] == nil && e.longer(1) {
				labels[id] = e
			}
		}
	}
	return labels
}

// tabsInOrder are the tabs for the panels in a box whose tabs do not name them: as many tabs as there are panels stand before them, in
// the same order.
func (d *Document) tabsInOrder(box *element) map[*element]*element {
	var panels, tabs []*element
	for _, k := range box.kids {
		if isPanelNamed(k.node) && k.shows() {
			panels = append(panels, k)
		}
	}
	if len(panels) < 2 {
		return nil
	}
	before := box.kids[0].before()
	if before == nil {
		before = box.before()
	}
	if before == nil || before.longer(len(panels)*longestCaption) {
		return nil
	}
	for _, k := range d.within(before) {
		if k.tag != atom.A && k.tag != atom.Button && attr(k.node, "role") != "tab" {
			continue
		}
		if len(tabs) == 0 || !tabs[len(tabs)-1].contains(k) {
			tabs = append(tabs, k)
		}
	}
	if len(tabs) != len(panels) {
		return nil
	}
	above := make(map[*element]*element, len(panels))
	for i, k := range panels {
		above[k] = tabs[i]
	}
	return above
}

// isEmptyPanel reports whether e is the panel of a tab that is still to be filled.
func (e *element) isEmptyPanel() bool {
	return e.with&roleAttribute != 0 && attr(e.node, "role") == "tabpanel" && len(e.kids) == 0 && e.node.FirstChild == nil
}

// isPanelNamed reports whether an element is called the panel of a tab.
func isPanelNamed(n *html.Node) bool {
	return attr(n, "role") == "tabpanel" || eachWord(attr(n, "class"), func(word string) bool { return panelWords[word] })
}
