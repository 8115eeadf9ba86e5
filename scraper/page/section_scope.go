package page

import "slices"

// apart removes from a group the texts under headings of other matter, if most of the rest stands under headings of openings that do not
// contain that matter too: roles, news and people often look the same. It returns what it removed, or nil.
func (g *group) apart() *group {
	openings := make(map[*section]bool)
	asides, opened, plainly := 0, 0, 0
	for _, c := range g.items {
		switch c.section.about() {
		case aside:
			asides++
		case open:
			opened++
			openings[c.section.opening()] = true
		default:
			plainly++
		}
	}
	if asides == 0 || opened <= plainly {
		return nil
	}
	other := &group{page: g.page}
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		isOther := c.section.about() == aside && !c.section.withinAny(openings) && (c.link == nil || !c.link.job)
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

// outsideOpenings takes out of a group of roles what stands under headings as high as that of the openings: benefits are often written
// as the roles are. Less than half of what stands there names a role, and where nothing does, the texts read little like titles. Nil
// when there is nothing of the kind.
func (g *group) outsideOpenings() *group {
	level := g.openingLevel()
	if level == 0 {
		return nil
	}
	inside, outside, names, odd := make([]*candidate, 0, len(g.items)), []*candidate(nil), 0, 0
	for _, c := range g.items {
		switch o := c.section.opening(); {
		case o != nil && o.level == level:
			inside = append(inside, c)
			countIf(&names, c.role)
		case c.section == nil || c.section.level != level || c.section.mayHoldOpenings() || c.link != nil && c.link.job:
			return nil
		default:
			outside = append(outside, c)
			countIf(&odd, c.role)
		}
	}
	if len(inside) < 2 || names*2 < len(inside) || len(outside) < 2 {
		return nil
	}
	if odd*2 >= len(outside) || odd == 0 && meanScore(outside) >= min(max(rarely, meanScore(inside)-farApart), 0) {
		return nil
	}
	g.items = inside
	return &group{page: g.page, items: outside}
}

// farApart is how much less like titles texts read on average that are another list than the roles.
const farApart = 3

// openingLevel is the level of the headings of openings that the items stand under; the lowest when the title of the page is one
// too, and 0 when there is none.
func (g *group) openingLevel() int8 {
	level := int8(0)
	for _, c := range g.items {
		if o := c.section.opening(); o != nil {
			level = max(level, o.level)
		}
	}
	return level
}

// mayHoldOpenings reports whether the section's heading names a part of a company or a place, as headings inside a list of roles do.
func (s *section) mayHoldOpenings() bool {
	said := s.element.said()
	return said.namesGroup() || said.looksLikePlace()
}

// stretch is a run of candidates that stand together in one element, which holds several of them.
type stretch struct {
	box      *element
	from, to int // of the group's items
}

// listForm is how a list is written, and whether it stands in the column beside the page's matter.
type listForm struct {
	sign   *sign
	beside bool
}

func (s stretch) form() listForm { return listForm{s.box.signature(), s.box.beside} }

// stretches are the group's items as they stand together on the page.
func (g *group) stretches() []stretch {
	var all []stretch
	for i, c := range g.items {
		box := c.company(g, i)
		if last := len(all) - 1; last >= 0 && all[last].box == box {
			all[last].to = i + 1
			continue
		}
		all = append(all, stretch{box, i, i + 1})
	}
	return all
}

// company is the smallest element that holds the candidate, item i of the group, and the one before or after it.
func (c *candidate) company(g *group, i int) *element {
	for e := c.element.parent; e != nil; e = e.parent {
		if i > 0 && e.contains(g.items[i-1].element) || i+1 < len(g.items) && e.contains(g.items[i+1].element) {
			return e
		}
	}
	return c.element.page.body
}

// fromOtherLists takes out of a group of roles what stands in other lists, such as a table of what is offered: lists that are written
// unlike those of the roles, and whose texts read little like titles. Nil when there is nothing of the kind.
func (g *group) fromOtherLists() *group {
	if len(g.items) < 3 || g.items[0].link != nil {
		return nil
	}
	all := g.stretches()
	if !slices.ContainsFunc(all, func(s stretch) bool { return s.form() != all[0].form() }) {
		return nil
	}
	ofRoles := make(map[listForm]bool)
	for _, s := range all {
		if g.namesIn(s)*2 >= s.to-s.from || meanScore(g.items[s.from:s.to]) > 0 {
			ofRoles[s.form()] = true
		}
	}
	if len(ofRoles) == 0 {
		return nil
	}
	other := &group{page: g.page}
	kept := make([]*candidate, 0, len(g.items))
	for _, s := range all {
		items := g.items[s.from:s.to]
		if len(items) > 1 && !ofRoles[s.form()] && g.namesIn(s) == 0 && meanScore(items) < rarely {
			other.items = append(other.items, items...)
			continue
		}
		kept = append(kept, items...)
	}
	if len(other.items) == 0 {
		return nil
	}
	g.items = kept
	return other
}

// namesIn is how many texts of a stretch read like names of roles.
func (g *group) namesIn(s stretch) int {
	n := 0
	for _, c := range g.items[s.from:s.to] {
		countIf(&n, c.role)
	}
	return n
}

// meanScore is how much the texts read like titles on average.
func meanScore(items []*candidate) float64 {
	sum := 0.0
	for _, c := range items {
		sum += c.likely()
	}
	return sum / float64(len(items))
}

// opening is the nearest section around that is about open roles, or s itself; nil when there is none.
func (s *section) opening() *section {
	for s != nil && s.kind != open {
		s = s.parent
	}
	return s
}

// withinAny reports whether s is a part of one of these sections, or one of them.
func (s *section) withinAny(of map[*section]bool) bool {
	for s != nil && !of[s] {
		s = s.parent
	}
	return s != nil
}

// labels reports whether the section's heading is the label of a place, and e the text below it.
func (s *section) labels(e *element) bool {
	return s != nil && s.element.level > 0 && s.element.parent.contains(e) && s.element.said().labelsPlace()
}
