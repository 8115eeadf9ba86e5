package scraper

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Texts that are written alike, in one list, are equals: when one of them is the title of a role, so is the next, whatever
// it says. "Welder, Oslo" may be a role or a ship yard; what tells is how it stands among the others.

// settle takes out of a group the texts that are places beside the titles, and keeps those that only hold the name of one.
func (g *group) settle() {
	places := 0
	for _, c := range g.items {
		places += int(count(c.placed))
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
		carrying += int(count(!c.placed && g.page.phraseOf(c.title).carriesPlace()))
	}
	s := &settling{group: g, shapes: make(map[string]bool), links: make(map[string]int), carrying: carrying*2 >= titles}
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
	links     map[string]int  // how many texts lead to an address
	runs      []run           // of texts that stand side by side
	at        []int           // by text: which run it stands in
	columns   map[int]int     // by position in a run: how many places stand there
	alternate bool            // places follow titles at equal steps
	whole     bool            // one of the places is nothing but a place
}

// run is a number of texts of a group inside one element.
type run struct{ from, to, titles int }

func (s *settling) look() {
	s.at, s.columns = make([]int, len(s.items)), make(map[int]int)
	for i, c := range s.items {
		if c.link != nil {
			s.links[c.link.key]++
			if !c.placed {
				s.shapes[c.link.shape()] = true
			}
		}
		if last := len(s.runs) - 1; last < 0 || s.items[i-1].element.parent != c.element.parent {
			s.runs = append(s.runs, run{from: i})
		}
		r := &s.runs[len(s.runs)-1]
		r.to = i + 1
		r.titles += int(count(!c.placed))
		s.at[i] = len(s.runs) - 1
		s.columns[i-r.from] += int(count(c.placed))
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
	case c.link != nil && s.links[c.link.key] > 1:
		return false // it leads to where the title beside it does
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
	if r.titles == 0 {
		return false
	}
	position, reach := i-r.from, 0
	for _, other := range s.runs {
		reach += int(count(other.to-other.from > position))
	}
	return s.columns[position]*2 > reach
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

// headsList reports whether the text is the heading of a list that the role stands in, and not of the role's card. A heading
// that is the only one is taken for the heading of a card with less ease.
func (c *candidate) headsList(role *element, only bool) bool {
	if role.said().carriesPlace() || only && c.element.level == 1 {
		return true
	}
	for p := role; p != nil && !p.contains(c.element); p = p.parent {
		switch p.tag {
		case atom.Ul, atom.Ol, atom.Dl, atom.Table:
			return only || sameShown(p, role)
		}
	}
	return false
}

// gatherMarked puts into one group what stands in one list and is written alike but for a class that marks some of it:
// "job" and "job featured".
func gatherMarked(groups []*group) {
	for i, g := range groups {
		for _, o := range groups[:i] {
			if len(g.items) == 0 || len(o.items) == 0 || !marks(g.items[0], o.items[0]) {
				continue
			}
			o.items = append(o.items, g.items...)
			slices.SortFunc(o.items, func(a, b *candidate) int { return cmp.Compare(a.element.index, b.element.index) })
			g.items = nil
		}
	}
}

// marks reports whether two texts are entries of one list that are written alike, of which one is marked.
func marks(c, o *candidate) bool {
	e, f := c.element, o.element
	marked := false
	for range 6 {
		if e.tag != f.tag || e.parent == nil || f.parent == nil {
			return false
		}
		if e.class != f.class {
			if !e.class.within(f.class) && !f.class.within(e.class) || (e.named^f.named)&(titleName|placeName|groupName|otherName|badgeName) != 0 {
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
	return false
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
func (c *candidate) nextEqual(base *element, limit int) int {
	if c.link == nil || base.parent == nil {
		return limit
	}
	for _, k := range base.parent.kids {
		if k.index < base.end || k.index >= limit || k.tag != base.tag || k.longer(140) {
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

// overlooks reports whether beside the roles found stand elements like theirs that are no roles, and that nothing explains.
func (d *document) overlooks(found []*candidate) bool {
	if d.unsure {
		return true
	}
	w := &watch{document: d, titles: make(map[string]bool), keys: make(map[string]bool), roles: make([]int, len(d.elements)+1)}
	carrying := 0
	for _, c := range found {
		carrying += int(count(c.element.said().carriesPlace()))
		w.titles[c.element.visibleText()] = true
		w.roles[c.element.index+1]++
		if c.url != nil {
			w.keys[c.url.key] = true
		}
	}
	for i := 1; i < len(w.roles); i++ {
		w.roles[i] += w.roles[i-1]
	}
	w.carrying = carrying*2 >= len(found)
	seen := make(map[*element]bool)
	for _, c := range found {
		if len(found) == 1 && c.element.level == 1 {
			return false // the page is that of the role
		}
		if w.holdsAnother(c) {
			return true
		}
		for _, b := range [...]*element{w.entry(c, len(found) == 1), c.base} {
			if b == nil || b.parent == nil || seen[b.parent] {
				continue
			}
			seen[b.parent] = true
			if w.misses(c, b, len(found) == 1) {
				return true
			}
		}
	}
	return false
}

// entry is the element around a role that stands beside those of the others; when there are none, beside any with its tag.
func (w *watch) entry(c *candidate, only bool) *element {
	for e := c.element; e != nil && e.parent != nil; e = e.parent {
		p := e.parent
		if only && e.tag != atom.Td && slices.ContainsFunc(p.kids, func(k *element) bool { return k != e && k.tag == e.tag && !k.hidden }) {
			return e
		}
		if !only && w.roles[p.end]-w.roles[p.index] > 1 {
			return e
		}
	}
	return nil
}

// watch is what is known of the roles found.
type watch struct {
	*document

	carrying bool // most titles say themselves where the roles are
	titles   map[string]bool
	keys     map[string]bool
	roles    []int // by place in the document: how many stand before it
}

// misses reports whether among the siblings of a role's base one is like it and unexplained. What follows each role
// alike, without a link, is beside it.
func (w *watch) misses(c *candidate, base *element, only bool) bool {
	roles, others, strange, step, between := 0, 0, 0, -1, 0
	regular := true
	for _, k := range base.parent.kids {
		if k.tag != base.tag || k.hidden || k.chrome {
			continue
		}
		if only && c.link == nil && k.tag != atom.Li && !sameForm(k, base) && !k.namesOther() {
			strange += int(count(k != base && len(k.kids) == 0 && w.mayBeRole(k.visibleText())))
			continue
		}
		if w.roles[k.end] > w.roles[k.index] {
			if roles > 0 {
				regular = regular && (step < 0 || step == between)
				step = between
			} else {
				regular = regular && between == 0
			}
			roles, between = roles+1, 0
			continue
		}
		title, link := w.like(c, base, k)
		if title == "" {
			between += int(count(k.longer(0)))
			continue
		}
		if link {
			return true
		}
		if only && k.tag != atom.Li && c.link != nil {
			continue
		}
		others, between = others+1, between+1
	}
	return strange > 2 || others > 0 && (roles < 2 || !regular || step != between)
}

// namesOther reports whether the text of k reads like the name of a role, and like nothing else.
func (k *element) namesOther() bool {
	return !k.longer(100) && k.said().namesRole() && !namesDepartment(k.folded()) && k.page.mayBeRole(k.visibleText())
}

// sameForm reports whether two elements have the same class, and, when they are blocks, parts of the same kinds.
func sameForm(a, b *element) bool {
	if a.tag != atom.Div {
		return a.class == b.class
	}
	return len(a.kids) > 0 && slices.EqualFunc(a.kids, b.kids, func(x, y *element) bool { return x.tag == y.tag })
}

// inEntryLike reports whether e stands in another entry of the list that the candidate is an entry of.
func (c *candidate) inEntryLike(e *element) bool {
	switch c.base.tag {
	case atom.Li, atom.Dt, atom.Tr, atom.Article:
	default:
		return false
	}
	for ; e != nil && e.parent != c.base.parent; e = e.parent {
	}
	return e != nil && e != c.base && e.tag == c.base.tag
}

// like is the text of k that stands where the title of c does, if it may be a title and nothing explains why it is none,
// and whether it is a link.
func (w *watch) like(c *candidate, base, k *element) (title string, link bool) {
	e := k.counterpart(c.element, base)
	if e == nil {
		switch a := k.below(atom.A); {
		case c.link == nil && k.tag != atom.Li && k.tag != atom.Dt, k.lines() > 1:
			return "", false
		case a != nil:
			e = a
		default:
			e = cmp.Or(k.heading(), k)
		}
	}
	if title = titleOf(e); title == "" && e == k && k.heading() != nil {
		title = titleOf(k.heading())
	}
	if !w.mayBeRole(title) {
		return "", false
	}
	if about := w.sections().at(e).about(); about != c.section.about() {
		return "", false
	}
	if w.isClosed(&candidate{element: e, card: span{k.index, k.end}}) {
		return "", false
	}
	if a := e.anchor(); a != nil {
		if l := a.lead(); l != nil {
			if w.keys[l.key] || l.other || l.social {
				return "", false
			}
			return title, true
		}
	}
	if w.titles[e.visibleText()] {
		return "", false
	}
	return title, false
}

// mayBeRole reports whether the text says nothing that tells it from a role.
func (d *document) mayBeRole(title string) bool {
	said := d.phraseOf(title)
	return !longer(title, 100) && said.plausible() && !said.isWholePlace() && (said.about() == plain || said.about() == aside && said.namesRole()) && !said.isTerms() &&
		(said.namesRole() || !namesDepartment(said.folded)) && !strings.Contains(title, ":")
}

// holdsAnother reports whether the card of a role holds what may be another: beside its title a text with an address of the
// same shape, or, beside a title that says itself where the role is, a text that does so too.
func (w *watch) holdsAnother(c *candidate) bool {
	carrying := w.carrying && c.element.said().carriesPlace()
	for _, e := range w.elements[c.card.from:c.card.to] {
		if e.hidden || !e.own || e.contains(c.element) || c.element.contains(e) || e.longer(100) {
			continue
		}
		a := e.closest(atom.A)
		if a == nil {
			a = e.below(atom.A)
		}
		if a != nil && a.lead() != nil {
			l := a.lead()
			if c.url != nil && !w.keys[l.key] && l.shape() == c.url.shape() && w.mayBeRole(titleOf(e)) {
				return true
			}
			continue
		}
		if carrying && e.said().carriesPlace() && w.mayBeRole(e.visibleText()) {
			return true
		}
	}
	return c.holdsLines()
}

// holdsLines reports whether the title is the first of several lines that read like names of roles.
func (c *candidate) holdsLines() bool {
	e := c.element
	if e.level > 0 || !e.own || e.longer(600) || !slices.ContainsFunc(e.kids, func(k *element) bool { return k.tag == atom.Br }) {
		return false
	}
	for n := e.node.FirstChild; n != nil; n = n.NextSibling {
		if line := squeeze(n.Data); n.Type == html.TextNode && line != "" && line != c.title && !longer(line, 60) {
			if said := e.page.phraseOf(line); said.plausible() && said.namesRole() {
				return true
			}
		}
	}
	return false
}

// counterpart is the element of k that stands where e does in base; nil when there is none.
func (k *element) counterpart(e, base *element) *element {
	if e == base {
		return k
	}
	if base.contains(e) {
		parent := k.counterpart(e.parent, base)
		if parent == nil {
			return nil
		}
		for _, kid := range parent.kids {
			if kid.tag == e.tag && !kid.hidden {
				return kid
			}
		}
	}
	return nil
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
	if !p.saysTerms() {
		return contract.MatchString(p.folded)
	}
	for part := range p.parts() {
		if !knownPlaces[part] && !terms.MatchString(part) {
			return false
		}
	}
	return true
}

// placeParts counts the parts of the text, and those of them that are known places.
func (p *phrase) placeParts() (known, all int) {
	state := usState.MatchString(p.text)
	for part := range p.parts() {
		all++
		known += int(count(knownPlaces[part] || len(part) < 4 && state || remote.MatchString(part)))
	}
	return known, all
}

// parts are what signs keep apart in the folded text.
func (p *phrase) parts() iter.Seq[string] {
	return func(yield func(string) bool) {
		folded := strings.ReplaceAll(p.folded, " - ", ",")
		for part := range strings.FieldsFuncSeq(folded, func(r rune) bool { return partsPlaces(r) || strings.ContainsRune("–—·•", r) }) {
			if part = strings.TrimSpace(part); part != "" && !yield(part) {
				return
			}
		}
	}
}
