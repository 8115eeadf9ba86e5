package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

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
