package page

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// entryKind is where the entries of a list stand, and how they are written.
type entryKind struct {
	parent *element
	sign   *sign
}

// listEntry is the element of the list that a title stands in, when its title stands so many steps below it.
func listEntry(title *element, steps int) (entry *element, kind entryKind) {
	for range steps {
		if title = title.parent; title == nil || title.parent == nil {
			return nil, entryKind{}
		}
	}
	return title, entryKind{title.parent, title.signature()}
}

// depth is how many steps the title of a candidate stands below the entry.
func (c *candidate) depth() int {
	steps := 0
	for e := c.element; e != nil && e != c.base; e = e.parent {
		steps++
	}
	return steps
}

// longestEntry is the length of the longest title of an entry that is built like others: longer texts are no titles, wherever they stand.
const longestEntry = 500

// addLong adds entries that are built like those of a list and whose titles are longer than titles usually are.
func (g *group) addLong() {
	d, first := g.page, g.items[0]
	if len(d.long) == 0 || len(g.items) < 2 {
		return
	}
	steps, kinds := first.depth(), make(map[entryKind]bool)
	for _, c := range g.items {
		if _, kind := listEntry(c.element, c.depth()); c.depth() == steps {
			kinds[kind] = true
		}
	}
	added := len(g.items)
	for _, e := range d.long {
		if e.signature() != first.element.signature() || e.level == 0 && e.anchor() == nil {
			continue
		}
		if entry, kind := listEntry(e, steps); entry == nil || !kinds[kind] {
			continue
		}
		title := titleOf(e)
		if longer(title, longestEntry) || sentences.MatchString(title) && !marksGender(title) {
			continue
		}
		c := &candidate{element: e, title: title, role: true, section: d.sections().at(e)}
		if a := e.anchor(); a != nil {
			c.link = a.lead()
		}
		g.items = append(g.items, c)
	}
	if len(g.items) > added {
		slices.SortFunc(g.items, func(a, b *candidate) int { return cmp.Compare(a.element.index, b.element.index) })
		d.lay(g)
	}
}

// countUnread adds the entries of a list of roles that have no title that can be read.
func (f *Candidates) countUnread(r *boardwatch.Reading) {
	d := f.page
	type list struct {
		title *candidate
		size  int
	}
	lists, known, roles := make(map[entryKind]*list), make(map[string]bool), make([]bool, len(d.elements)+1)
	var order []entryKind
	for _, c := range slices.Concat(f.found, d.closed) {
		if c.url != nil {
			known[c.url.key] = true
		}
		roles[c.element.index] = true
		if c.base == nil || c.flat || c.depth() == 0 || c.url == nil {
			continue
		}
		_, kind := listEntry(c.base, 0)
		if lists[kind] == nil {
			lists[kind] = &list{title: c}
			order = append(order, kind)
		}
		lists[kind].size++
	}
	for _, kind := range order {
		l := lists[kind]
		if l.size < 2 {
			continue
		}
		for _, k := range kind.parent.kids {
			if k.hidden || k.chrome || k.signature() != kind.sign || slices.Contains(roles[k.index:k.end], true) {
				continue
			}
			if lead := k.untitled(l.title); lead != nil && !known[lead.key] {
				known[lead.key] = true
				r.Skipped = append(r.Skipped, "the title of "+lead.url.String()+" cannot be read")
			}
		}
	}
}

// untitled is where an entry leads that is built like that of a role and shows nothing, or too much, where its title stands; nil when
// it is no such entry.
func (e *element) untitled(like *candidate) *lead {
	d := e.page
	for _, k := range d.between(e.index, e.end) {
		if k.signature() == like.element.signature() && !k.longer(longestTitle) && strings.ContainsFunc(k.visibleText(), isWordRune) {
			return nil // what the text is, others judge
		}
	}
	at := sort.Search(len(d.anchored), func(i int) bool { return d.anchored[i].index >= e.index })
	for _, a := range d.anchored[at:] {
		if a.index >= e.end {
			break
		}
		if l := a.lead(); l != nil && !l.social && l.shape() == like.url.shape() {
			return l
		}
	}
	return nil
}
