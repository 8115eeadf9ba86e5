package page

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// overlooks reports whether beside the roles found stand elements like theirs that are no roles, and that nothing explains.
func (d *Document) overlooks(found []*candidate) bool {
	if d.unsure {
		return true
	}
	w := &watch{Document: d, titles: make(map[string]bool), keys: make(map[string]bool), roles: d.countBefore(elementsOf(found)), found: found}
	w.shut = make(map[*element]bool, len(d.closed))
	for _, c := range d.closed {
		w.shut[c.element] = true
	}
	carrying := 0
	for _, c := range found {
		countIf(&carrying, c.element.said().carriesPlace())
		w.titles[c.element.visibleText()] = true
		if c.url != nil {
			w.keys[c.url.key] = true
		}
	}
	w.carrying = carrying*2 >= len(found)
	if w.besideInRows(found) {
		return true
	}
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
	*Document

	carrying bool // most titles say themselves where the roles are
	titles   map[string]bool
	keys     map[string]bool
	roles    []offset // by place in the document: how many stand before it
	found    []*candidate
	shut     map[*element]bool // what the page calls closed
	linked   map[string]int    // on how many cards a link has this text; nil until somebody asks
}

// isOnMostCards reports whether a link with this text stands on most cards: then it says what it leads to, such as the description in
// another language, and names no role of its own.
func (w *watch) isOnMostCards(text string) bool {
	if w.linked == nil {
		w.linked = make(map[string]int)
		for _, c := range w.found {
			seen := make(map[string]bool)
			for _, e := range w.between(c.card.from, c.card.to) {
				if e.tag == atom.A && !e.hidden && !seen[e.visibleText()] {
					seen[e.visibleText()] = true
					w.linked[e.visibleText()]++
				}
			}
		}
	}
	return len(w.found) > 1 && w.linked[text]*2 > len(w.found)
}

// misses reports whether among the siblings of a role's base one is like it and unexplained. What follows each role
// alike, without a link, is beside it.
func (w *watch) misses(c *candidate, base *element, only bool) bool {
	roles, others, strange, step, between := 0, 0, 0, -1, 0
	regular := true
	for _, k := range base.parent.kids {
		if k.tag != base.tag || k.hidden || k.chrome || k.tag == atom.Tr && (k.isHead(len(k.kids)) || k.isOneCell() && !base.isOneCell() && !k.namesOther()) {
			continue
		}
		if only && c.link == nil && k.tag != atom.Li && !sameForm(k, base) && !k.namesOther() {
			countIf(&strange, k != base && len(k.kids) == 0 && w.mayBeRole(k.visibleText()))
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
			countIf(&between, k.longer(0))
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
	return !k.longer(100) && k.said().namesRole() && !k.said().namesDepartment() && k.page.mayBeRole(k.visibleText())
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
	if c.isEqualEntry(base, e) {
		return title, true
	}
	said := w.phraseOf(title)
	if !w.mayBeRole(title) || said.likely() < surelyNot {
		return "", false
	}
	if about := w.sections().at(e).about(); about != c.section.about() {
		return "", false
	}
	if w.shut[e] || w.isClosed(&candidate{element: e, title: title, card: span{k.index, k.end}}) {
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
	if w.titles[e.visibleText()] || said.likely() < hardly && !said.namesRole() {
		return "", false
	}
	return title, false
}

// isEqualEntry reports whether e, which names a part of a company, is an entry of the list of the role's base and leads as the role does
// to a place on the page: a role may be called by its department, and nothing else leads to places where roles are described.
func (c *candidate) isEqualEntry(base, e *element) bool {
	if base.tag != atom.Li || e == nil || e.tag != atom.A || c.element.tag != atom.A || e.signature() != c.element.signature() || c.section.about() != open {
		return false
	}
	return e.said().namesDepartment() && e.leadsWithin() && c.element.leadsWithin()
}

// leadsWithin reports whether a link leads to a place on its page.
func (k *element) leadsWithin() bool {
	href := attr(k.node, "href")
	return len(href) > 1 && href[0] == '#'
}

// mayBeRole reports whether the text says nothing that tells it from a role.
func (d *Document) mayBeRole(title string) bool {
	said := d.phraseOf(title)
	return !longer(title, 100) && said.plausible() && !said.isWholePlace() && (said.about() == plain || said.about() == aside && said.namesRole()) && !said.isTerms() &&
		(said.namesRole() || !said.namesDepartment()) && !strings.Contains(title, ":")
}

// holdsAnother reports whether the card of a role holds what may be another: beside its title a text with an address of the
// same shape, or, beside a title that says itself where the role is, a text that does so too.
func (w *watch) holdsAnother(c *candidate) bool {
	carrying := w.carrying && c.element.said().carriesPlace()
	for _, e := range w.between(c.card.from, c.card.to) {
		if e.hidden || !e.own || e.contains(c.element) || c.element.contains(e) || e.longer(100) {
			continue
		}
		a := e.closest(atom.A)
		if a == nil {
			a = e.below(atom.A)
		}
		if a != nil && a.lead() != nil {
			l := a.lead()
			if c.url != nil && !w.keys[l.key] && l.shape() == c.url.shape() && w.mayBeRole(titleOf(e)) && !w.isOnMostCards(e.visibleText()) {
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
func (k *element) untitled(like *candidate) *lead {
	d := k.page
	for _, o := range d.between(k.index, k.end) {
		if o.signature() == like.element.signature() && !o.longer(longestTitle) && strings.ContainsFunc(o.visibleText(), isWordRune) {
			return nil // what the text is, others judge
		}
	}
	at := sort.Search(len(d.anchored), func(i int) bool { return d.anchored[i].index >= k.index })
	for _, a := range d.anchored[at:] {
		if a.index >= k.end {
			break
		}
		if l := a.lead(); l != nil && !l.social && l.shape() == like.url.shape() {
			return l
		}
	}
	return nil
}
