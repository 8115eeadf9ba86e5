package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tabs finds, by card, the tab that opens the panel which the card stands in: roles are parted by department or place so. Nothing is
// found unless two panels at least hold cards, because one panel may be all that is open.
func (g *group) tabs() map[*candidate]caption {
	labels := g.page.tabLabels()
	above := make(map[*candidate]caption)
	texts := make(map[string]bool)
	for _, c := range g.items {
		for e := c.base.parent; e != nil && e != g.page.body; e = e.parent {
			tab := labels[attr(e.node, "id")]
			if tab == nil {
				tab = e.tabInOrder()
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

// tabInOrder is the tab for a panel whose tabs do not name their panels: the one in its place among as many tabs as there are panels.
func (e *element) tabInOrder() *element {
	if e.parent == nil || len(e.parent.kids) < 2 {
		return nil
	}
	panels, at := 0, 0
	for _, k := range e.parent.kids {
		if k == e {
			at = panels
		}
		countIf(&panels, k.tag == e.tag && isPanelNamed(k.node) && k.shows())
	}
	if panels < 2 || !isPanelNamed(e.node) {
		return nil
	}
	before := e.parent.kids[0].before()
	if before == nil {
		before = e.parent.before()
	}
	if before == nil || !before.hidden && before.longer(panels*longestCaption) {
		return nil
	}
	var tabs []*element
	for _, k := range e.page.within(before) {
		if k.tag == atom.A || k.tag == atom.Button || attr(k.node, "role") == "tab" {
			if len(tabs) == 0 || !tabs[len(tabs)-1].contains(k) {
				tabs = append(tabs, k)
			}
		}
	}
	if len(tabs) != panels {
		return nil
	}
	return tabs[at]
}

// isPanelNamed reports whether an element is called the panel of a tab.
func isPanelNamed(n *html.Node) bool {
	return attr(n, "role") == "tabpanel" || eachWord(attr(n, "class"), func(word string) bool { return panelWords[word] })
}
