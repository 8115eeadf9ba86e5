package page

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// tabs finds, by card, the tab that opens the panel which the card stands in: roles are parted by department or place so. Nothing is
// found unless two panels at least hold cards, because one panel may be all that is open.
func (g *group) tabs() map[*candidate]caption {
	labels := g.page.tabLabels()
	above := make(map[*candidate]caption)
	texts := make(map[string]bool)
	for _, c := range g.items {
		for e := c.base.parent; e != nil && len(labels) > 0; e = e.parent {
			tab := labels[attr(e.node, "id")]
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
