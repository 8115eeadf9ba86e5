package page

import "slices"

// A link that wraps a whole card has several lines, and often all are written alike: the title, the department, the place. At
// most one of them is the title, and it is the same of each link.

// oneOfLink leaves of the candidates inside one link that which stands where most links have the name of a role.
func (g *group) oneOfLink() {
	rows := make(map[*element][]*candidate)
	several := 0
	for _, c := range g.items {
		if a := c.element.anchor(); a != nil && a != c.element && a.contains(c.element) {
			rows[a] = append(rows[a], c)
			countIf(&several, len(rows[a]) == 2)
		}
	}
	if several == 0 || several*2 < len(rows) {
		return
	}
	names := make(map[int]int)
	for _, row := range rows {
		for i, c := range row {
			if c.role {
				names[i]++
			}
		}
	}
	best := 0
	for i := range maxSlots {
		if names[i] > names[best] {
			best = i
		}
	}
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		row := rows[c.element.anchor()]
		return len(row) > best && row[best] != c
	})
}
