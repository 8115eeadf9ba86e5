package page

import "slices"

// apart takes out of a group what stands under headings of other matter, when most of the rest stands under headings of
// openings that do not hold that matter too: roles, news and people are often written alike. Nil when there is nothing to
// tell apart.
func (g *group) apart() *group {
	var openings []*section
	asides, opened, plainly := 0, 0, 0
	for _, c := range g.items {
		switch c.section.about() {
		case aside:
			asides++
		case open:
			opened++
			if o := c.section.opening(); !slices.Contains(openings, o) {
				openings = append(openings, o)
			}
		default:
			plainly++
		}
	}
	if asides == 0 || opened <= plainly {
		return nil
	}
	other := &group{page: g.page}
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		isOther := c.section.about() == aside && !slices.ContainsFunc(openings, c.section.within) && (c.link == nil || !c.link.job)
		if isOther {
			other.items = append(other.items, c)
		}
		return isOther
	})
	if len(other.items) == 0 {
		return nil
	}
	return other
}

// opening is the nearest section around that is about open roles, or s itself; nil when there is none.
func (s *section) opening() *section {
	for s != nil && s.kind != open {
		s = s.parent
	}
	return s
}

// within reports whether s is a part of o, or o itself.
func (s *section) within(o *section) bool {
	for s != nil && s != o {
		s = s.parent
	}
	return s != nil
}

// labels reports whether the section's heading is the label of a place, and e the text below it.
func (s *section) labels(e *element) bool {
	return s != nil && s.element.level > 0 && s.element.parent.contains(e) && placeLabel.MatchString(s.element.folded())
}
