package page

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// Texts that are written alike, in one list, are equals: when one of them is the title of a role, so is the next, whatever
// it says. "Welder, Oslo" may be a role or a ship yard; what tells is how it stands among the others.

// settle takes out of a group the texts that are places beside the titles, and keeps those that only hold the name of one.
func (g *group) settle() {
	places := 0
	for _, c := range g.items {
		countIf(&places, c.placed)
	}
	titles, carrying := len(g.items)-places, 0
	switch {
	case places == 0:
		return
	case titles == 0:
		g.items = nil
		return
	}
	for _, c := range g.items {
		countIf(&carrying, !c.placed && g.page.phraseOf(c.title).carriesPlace())
	}
	s := &settling{group: g, shapes: make(map[string]bool), carrying: carrying*2 >= titles}
	s.look()
	kept := make([]*candidate, 0, len(g.items))
	for i, c := range g.items {
		if !c.placed || s.isEqual(i) {
			kept = append(kept, c)
		}
	}
	g.items = kept
}

// settling is what has to be known of a group to tell its places from its titles.
type settling struct {
	*group

	carrying  bool            // the titles say themselves where the roles are
	shapes    map[string]bool // of the addresses of titles
	runs      []run           // of texts that stand side by side
	at        []int           // by text: which run it stands in
	columns   map[int]int     // by position in a run: how many places stand there
	reach     []int           // by position in a run: how many runs have it
	alternate bool            // places follow titles at equal steps
	whole     bool            // one of the places is nothing but a place
}

// run is a number of texts of a group inside one element.
type run struct{ from, to, titles int }

func (s *settling) look() {
	s.at, s.columns, s.reach = make([]int, len(s.items)), make(map[int]int), make([]int, len(s.items))
	for i, c := range s.items {
		if c.link != nil && !c.placed {
			s.shapes[c.link.shape()] = true
		}
		if last := len(s.runs) - 1; last < 0 || s.items[i-1].element.parent != c.element.parent {
			s.runs = append(s.runs, run{from: i})
		}
		r := &s.runs[len(s.runs)-1]
		r.to = i + 1
		countIf(&r.titles, !c.placed)
		s.at[i] = len(s.runs) - 1
		s.reach[i-r.from]++
		if c.placed {
			s.columns[i-r.from]++
		}
		s.whole = s.whole || c.placed && s.page.phraseOf(c.title).isWholePlace()
	}
	s.alternate = s.alternates()
}

// isEqual reports whether text i, which looks like a place, stands among the titles as one of them.
func (s *settling) isEqual(i int) bool {
	c := s.items[i]
	said := s.page.phraseOf(c.title)
	switch {
	case said.isWholePlace():
		return false
	case c.link != nil && s.shapes[c.link.shape()] && !c.link.other:
		return true
	case s.carrying:
		return true
	}
	return !s.besideTitle(i)
}

// besideTitle reports whether text i stands where places stand: at the same position of most cards, or after each title of
// a list.
func (s *settling) besideTitle(i int) bool {
	r := s.runs[s.at[i]]
	if r.to-r.from == 1 || len(s.runs) == 1 {
		s.doubted = s.doubted || s.alternate && !s.whole
		return s.alternate
	}
	position := i - r.from
	return s.columns[position]*2 > s.reach[position]
}

// alternates reports whether the places of a list stand at equal steps, each after a title.
func (s *settling) alternates() bool {
	first, last, step := -1, -1, 0
	for i, c := range s.items {
		if !c.placed {
			continue
		}
		switch {
		case last < 0:
			first = i
		case step == 0:
			step = i - last
		case i-last != step:
			return false
		}
		last = i
	}
	if step == 0 {
		return first == 1 && len(s.items) == 2 || slices.ContainsFunc(s.items, func(c *candidate) bool { return c.element.said().saysTerms() })
	}
	return step > 1 && first > 0 && first < step && len(s.items)-last <= step-first
}

// list is the list, table or the like of which the candidate is an entry, or nil.
func (c *candidate) list() *element {
	for e := c.element; e != nil && e.parent != nil; e = e.parent {
		switch e.tag {
		case atom.Li, atom.Dt, atom.Tr:
			return e.parent
		}
	}
	return nil
}

// openLists are the lists under headings of openings in which several texts of the group read like names of roles.
func (g *group) openLists() map[*element]bool {
	names := make(map[*element]int)
	for _, c := range g.items {
		if c.role && c.section.about() == open {
			names[c.list()]++
		}
	}
	lists := make(map[*element]bool, len(names))
	for list, n := range names {
		lists[list] = list != nil && n > 1
	}
	return lists
}

// gatherMarked puts into one group what stands in one list and is written alike but for a class that marks some of it, "job" and
// "job featured", or that says of what kind it is: "job sales" and "job care".
func gatherMarked(groups []*group) {
	for i, g := range groups {
		for _, o := range groups[:i] {
			if len(o.items) > 0 && marks(g.items[0], o.items[0]) {
				o.gather(g)
				break
			}
		}
	}
	putInOrder(groups)
}

// gather takes over the texts of a group that begins after this one.
func (g *group) gather(o *group) {
	g.items, o.items, g.mixed = append(g.items, o.items...), nil, true
}

// putInOrder puts the texts of groups that took over others in the order of the document.
func putInOrder(groups []*group) {
	for _, g := range groups {
		if g.mixed {
			slices.SortFunc(g.items, func(a, b *candidate) int { return cmp.Compare(a.element.index, b.element.index) })
			g.mixed = false
		}
	}
}

// marks reports whether two texts are entries of one list that are written alike, of which one is marked.
func marks(c, o *candidate) bool {
	e, f := c.element, o.element
	marked, ofKinds := false, false
	for range 6 {
		if e.tag != f.tag || e.parent == nil || f.parent == nil {
			return false
		}
		if e.class != f.class {
			ofKinds = e.parent == f.parent && e.parent.holdsKinds()
			if !ofKinds && !e.class.within(f.class) && !f.class.within(e.class) || (e.named^f.named)&(titleName|placeName|groupName|otherName|badgeName) != 0 {
				return false
			}
			marked = true
		}
		if e.parent == f.parent {
			break
		}
		e, f = e.parent, f.parent
	}
	if !marked || e == f || e.parent != f.parent {
		return false
	}
	if c.link != nil && o.link != nil {
		return c.link.key != o.link.key
	}
	switch e.tag {
	case atom.Li, atom.Tr, atom.Dt, atom.Details, atom.Article:
		return c.link == nil && o.link == nil && e.class != nil && f.class != nil
	}
	return ofKinds && c.link == nil && o.link == nil && c.element.level > 0
}

// leastKinds is how many elements a list at least has that shows entries of several kinds.
const leastKinds = 3

// holdsKinds reports whether all that e holds are entries of one list, of several kinds: they have one tag, and one class in common.
func (e *element) holdsKinds() bool {
	return question{about: e, what: "kinds"}.ask(e.findsKinds)
}

func (e *element) findsKinds() bool {
	var first *element
	var common []string
	n := 0
	for _, k := range e.kids {
		switch {
		case k.hidden || !k.shows() || k.from == k.to:
			continue
		case k.class == nil || k.class.stable == "" || first != nil && k.tag != first.tag:
			return false
		case first == nil:
			first, common = k, strings.Split(k.class.stable[1:], ".")
		default:
			common = slices.DeleteFunc(common, func(name string) bool { return !strings.Contains(k.class.stable+".", "."+name+".") })
		}
		if n++; len(common) == 0 {
			return false
		}
	}
	return n >= leastKinds
}

// within reports whether each class of c is one of o's.
func (c *className) within(o *className) bool {
	if c == nil || c.stable == "" {
		return true
	}
	if o == nil {
		return false
	}
	for name := range strings.SplitSeq(c.stable[1:], ".") {
		if !strings.Contains(o.stable+".", "."+name+".") {
			return false
		}
	}
	return true
}

// nextEqual is where the card of a title that is a link must end: before the next element like its base that is the link
// of another title.
func (c *candidate) nextEqual(base *element, limit offset) offset {
	if c.link == nil || base.parent == nil {
		return limit
	}
	for _, k := range base.parent.kids[base.nth+1:] {
		if k.index >= limit {
			break
		}
		if k.tag != base.tag || k.longer(140) {
			continue
		}
		a := k
		if a.tag != atom.A {
			a = k.below(atom.A)
		}
		if a == nil || a.hidden {
			continue
		}
		if l := a.lead(); l != nil && l.key != c.link.key && a.said().plausible() {
			return k.index
		}
	}
	return limit
}

// said is what the card says.
func (c *candidate) said() string {
	d := c.element.page
	b, last := c.base, d.elements[c.card.to-1]
	if !b.shows() || !last.shows() || last.to <= b.from {
		return c.title
	}
	return d.text[b.from:max(b.to, last.to)]
}

// shape is what the addresses of one list have in common.
func (l *lead) shape() string {
	return l.url.Host + path.Dir(strings.TrimRight(l.url.Path, "/"))
}

// isWholePlace reports whether the text is a place in all its parts.
func (p *phrase) isWholePlace() bool {
	known, all := p.placeParts()
	return known == all
}

// carriesPlace reports whether the text says a place and something else: "Welder, Oslo".
func (p *phrase) carriesPlace() bool {
	known, all := p.placeParts()
	return known > 0 && known < all
}

// isTerms reports whether the text says where or how the work is done, and nothing else.
func (p *phrase) isTerms() bool {
	return p.is(knowsOnlyTerms, p.saysOnlyTerms)
}

func (p *phrase) saysOnlyTerms() bool {
	if !p.saysTerms() {
		return p.isContract()
	}
	for part := range p.eachPart() {
		if !isKnownPlace(part) && !terms.MatchString(part) {
			return false
		}
	}
	return true
}

// placeParts counts the parts of the text, and those of them that are known places.
func (p *phrase) placeParts() (known, all int32) {
	if p.once(knowsParts) {
		state := namesState(p.text)
		for part := range p.eachPart() {
			p.parts++
			countIf(&p.places, isKnownPlace(part) || len(part) < 4 && state || remote.MatchString(part))
		}
	}
	return p.places, p.parts
}

// eachPart are what signs keep apart in the folded text.
func (p *phrase) eachPart() iter.Seq[string] {
	return func(yield func(string) bool) {
		folded := strings.ReplaceAll(p.folded, " - ", ",")
		for part := range strings.FieldsFuncSeq(folded, func(r rune) bool { return partsPlaces(r) || strings.ContainsRune("–—·•", r) }) {
			if part = strings.TrimSpace(part); part != "" && !yield(part) {
				return
			}
		}
	}
}
