package page

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// candidate is a short text of the page that may be the title of a role.
type candidate struct {
	element  *element
	title    string
	role     bool // the text reads like the name of a role
	placed   bool // the text looks like a place
	flat     bool // its card has no element of its own
	numbered bool // the page says how many openings it has
	bared    bool // its text ends in a sign that belongs to the list
	kind     kind // what the text is about when it is a heading
	terms    answer
	section  *section     // the part of the page it stands in
	link     *lead        // where its own text leads; nil when the text is no link
	card     span         // what belongs to it
	base     *element     // the part of the card that holds the title, one of several alike
	url      *lead        // the role's own address, from the text or from its card
	twin     *candidate   // the same role in another list of the page
	slots    *slots       // what stands on the cards of its group
	beside   []slot       // the texts without a label on its card
	again    []*candidate // further entries of the same role, each perhaps with another place
	end      offset       // memo of titleEnd
	stray    bool         // the rules took it for something else in a list of open roles, though it may be one
}

// answer is the memo of a question.
type answer int8

const (
	unasked answer = iota
	no
	yes
)

// group is a run of candidates written alike.
type group struct {
	page      *Document
	items     []*candidate
	score     float64
	trail     []string     // what spoke for and against it
	all       []*candidate // as they were before the rules left some out
	texts     []string     // the titles as they were before any was left out
	signs     judge.Signs  // what tells it from other lists
	likely    float64      // what the judge makes of them, as the logarithm of the odds
	accepted  bool         // rules and judge together take it for roles
	taken     bool         // roles come from it
	adverts   float64      // the share of the cards that hold the parts of an advert
	contested bool         // rules and judge do not agree on it
	labelled  bool         // the page calls its texts titles, each by a label before it
	mixed     bool         // its texts are not in the order of the document
	// doubted says that texts were left out of it that may be titles too.
	doubted bool
}

// span is a stretch of the page in document order, from an element up to, but without, another.
type span struct{ from, to offset }

// roles finds the roles that a page shows in its text and links, and the groups they came from, best first.
func (d *Document) roles() ([]*candidate, []*group) {
	prior := d.AboutJobs()
	d.weighed = d.groups(d.sections())
	for _, g := range d.weighed {
		d.lay(g)
		g.judge(d, prior)
	}
	accepted, rest := d.opine(d.weighed, prior)
	d.dropContainers(accepted)
	slices.SortStableFunc(accepted, func(a, b *group) int { return cmp.Compare(b.rank(), a.rank()) })
	firstSaid(accepted)
	t := d.newTaken()
	var kept []*group
	for _, g := range accepted {
		if len(kept) > 0 && kept[0].underOpenings() && !g.underOpenings() {
			continue // the page has a list of what is open, and this is not in it
		}
		all := len(g.items)
		rival := len(kept) == 1 && g.rivals(kept[0])
		if twins := t.pair(g); twins != nil {
			d.twins = append(d.twins, twins)
		}
		g.items = slices.DeleteFunc(g.items, t.has)
		d.contested = d.contested || rival && len(g.items) == 0
		if len(g.items) == 0 || len(kept) > 0 && len(g.items)*2 <= all {
			continue
		}
		if len(kept) > 0 && g.isSectionOver(kept[0]) {
			d.unsure = true
			continue
		}
		g.taken = true
		g.addLong()
		kept = append(kept, g)
		d.unsure = d.unsure || g.doubted
		d.contested = d.contested || g.contested || g.isFaint(prior)
		t.add(g.items)
	}
	d.unsure = d.unsure || leavesPeers(kept, rest)
	d.contested = d.contested || len(kept) > 0 && d.describesTrades(kept)
	found := t.found
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(a.element.index, b.element.index) })
	if len(found) > MaxPostings {
		found, d.capped = found[:MaxPostings], true
	}
	return found, kept
}

// rivals reports whether two groups of one text each say different things, though the judge trusts this one: only one of the two texts can
// be the title.
func (g *group) rivals(o *group) bool {
	if len(g.items) != 1 || len(o.items) != 1 || judge.Probability(g.likely) < trusted {
		return false
	}
	a, b := g.items[0], o.items[0]
	x, y := g.page.fold(a.title), g.page.fold(b.title)
	return !strings.Contains(x, y) && !strings.Contains(y, x)
}

// isSectionOver reports whether the only text of the group is a heading of a higher level than those of a longer list of roles: such a
// heading names a section of the page.
func (g *group) isSectionOver(roles *group) bool {
	level := g.items[0].element.level
	return len(g.items) == 1 && level > 0 && g.items[0].url == nil && len(roles.items) > 2 && level < roles.items[0].element.level
}

// firstSaid moves a list before a better one that repeats its titles: further down on the same cards, where they head the text
// about the role, or where links of the list lead to, which may say more titles than were recognised there.
func firstSaid(accepted []*group) {
	for i, g := range accepted {
		for j := i + 1; j < len(accepted); j++ {
			if h := accepted[j]; judge.Probability(h.likely) >= likely && (g.repeats(h) || h.indexes(g)) {
				accepted[i], accepted[j] = h, g
				break
			}
		}
	}
}

// repeats reports whether g repeats most titles of the other group, each further down on the same card.
func (g *group) repeats(other *group) bool {
	if len(g.items) != len(other.items) {
		return false
	}
	equal := 0
	for i, c := range g.items {
		o := other.items[i]
		if o.element.end > c.element.index || o.element.index < c.card.from {
			return false
		}
		countIf(&equal, Fold(c.title) == Fold(o.title))
	}
	return equal*2 > len(g.items)
}

// indexes reports whether all texts of g are links to places on the page, and all titles of the other group are among them.
func (g *group) indexes(other *group) bool {
	if len(g.items) <= len(other.items) || !g.items[0].element.leadsWithin() {
		return false
	}
	return g.says(other) && !slices.ContainsFunc(g.items, func(c *candidate) bool { return !c.element.leadsWithin() })
}

// rank orders accepted groups: the surest come first, and lists before single texts.
func (g *group) rank() float64 { return g.score + g.likely/2 + 0.5*math.Log2(float64(len(g.items)+1)) }

// underOpenings reports whether a text of the group stands in a part of the page about open roles.
func (g *group) underOpenings() bool {
	return slices.ContainsFunc(g.items, func(c *candidate) bool { return c.section.about() == open })
}

// nameless reports whether no text of the group reads like the name of a role.
func (g *group) nameless() bool {
	return !slices.ContainsFunc(g.items, func(c *candidate) bool { return c.role })
}

// says reports whether all titles of the other group are among those of g.
func (g *group) says(other *group) bool {
	said := make(map[string]bool, len(g.items))
	for _, c := range g.items {
		said[c.title] = true
	}
	return !slices.ContainsFunc(other.items, func(c *candidate) bool { return !said[c.title] })
}

// dropContainers removes texts that stand above several roles: they name a group of roles, not a role.
func (d *Document) dropContainers(groups []*group) {
	if len(groups) < 2 {
		return
	}
	for _, g := range groups {
		if !slices.ContainsFunc(g.items, func(c *candidate) bool { return c.link == nil }) {
			continue
		}
		var others []*candidate // roles of other groups
		for _, o := range groups {
			for _, c := range o.items {
				if o != g && c.url != nil {
					others = append(others, c)
				}
			}
		}
		within := d.countBefore(elementsOf(others))
		g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
			above := c.link == nil && within[c.card.to]-within[c.element.index+1] > 1
			if above {
				d.above = append(d.above, c.title)
			}
			return above
		})
	}
}

// maxGroups limits the groups of a page, because they are compared with one another.
const maxGroups = 400

// listKind is how the texts of one list are written, and whether they end in a sign that is no part of them.
type listKind struct {
	*sign

	bared bool
}

// groups gathers the page's candidates by how they are written.
func (d *Document) groups(sections *outline) []*group {
	bySign := make(map[listKind]*group)
	var order []*group
	for _, e := range d.within(d.body) {
		c := d.candidate(e)
		if c == nil {
			continue
		}
		c.section = sections.at(e)
		if c.section.labels(e) {
			continue // the place of a role whose fields have headings
		}
		kind := listKind{e.signature(), c.bared}
		g := bySign[kind]
		if g == nil {
			if len(order) >= maxGroups {
				d.capped = true
				continue
			}
			g = &group{page: d}
			bySign[kind] = g
			order = append(order, g)
		}
		g.items = append(g.items, c)
	}
	gatherMarked(order)
	gatherPeers(order)
	for _, g := range order {
		g.dropParts()
		g.cutNumbers()
		g.keepLabelled()
		g.cutTitles()
		g.oneOfRow()
		g.settle()
		if other := g.apart(); other != nil {
			order = append(order, other)
		}
		if other := g.fromOtherLists(); other != nil {
			order = append(order, other)
		}
		if other := g.outsideOpenings(); other != nil {
			order = append(order, other)
		}
	}
	order = slices.DeleteFunc(order, func(g *group) bool { return len(g.items) == 0 })
	for _, g := range order {
		g.labelled = g.labelled || !slices.ContainsFunc(g.items, func(c *candidate) bool {
			return !titleLabel.MatchString(d.fold(c.labelBefore()))
		})
	}
	return order
}

// candidate returns e as a possible title, or nil if it cannot be one.
func (d *Document) candidate(e *element) *candidate {
	if e.hidden || e.chrome || !e.own && e.level == 0 && e.tag != atom.A || e.tag == atom.Th && e.parent.tag == atom.Tr && e.parent.onlyHeads() {
		return nil
	}
	numbered := cmp.Or(e.beforeNumber(), e.behindLabel())
	if e.level == 0 && e.longer(300) && !e.hasBlock() && numbered == "" {
		return nil // prose
	}
	if p := e.parent; p != nil && speaksFor(p, e) {
		return nil
	}
	if isInline(e.tag) && e.tag != atom.A && e.inSentence() {
		return nil
	}
	leadsIn := e.leadsIn()
	if (e.level == 0 || isInline(e.parent.tag)) && e.parent.inProse() && !e.startsLine() && !leadsIn && numbered == "" {
		return nil
	}
	title, bared := cmp.Or(numbered, titleOf(e)), false
	if leadsIn {
		title = strings.TrimRight(title, ":： ")
	} else if text := e.visibleText(); numbered == "" && !isInline(e.tag) && len(text) <= len(title)+len("。") && withoutEnd(text) != text && d.endsAlike(e, d.plausible(title)) {
		title, bared = withoutEnd(title), true
	}
	if longer(title, longestTitle) {
		if title = e.beforeDash(title); title == "" {
			d.long = append(d.long, e)
			return nil
		}
	}
	if strings.IndexAny(title, ":：;,)") == 0 {
		return nil // what goes on with the text before it: "Read more" and, for screen readers, ": Welder"
	}
	a, text := e.anchor(), e.saying(title)
	if !text.plausible() && (a == nil || !isPosted(title, a.lead()) && !a.leadsToNamesake()) {
		return nil
	}
	if a == nil && withoutCount(title) != title && text.namesDepartment() {
		return nil // "Sales (1)", the heading of a group
	}
	if a == nil && text.saysTerms() && text.isContract() {
		return nil // "Full-time"
	}
	if titleLabel.MatchString(text.folded) {
		return nil // "Job title:"
	}
	if d.isCareersAt(text) {
		return nil // "Working at Northwind"
	}
	if a != nil && d.leadsHome(a.lead()) {
		return nil // the site's name, or its logo
	}
	if a == nil && e.isChoice() {
		return nil
	}
	placed := !text.namesRole() && text.looksLikePlace()
	c := &candidate{element: e, title: title, role: text.readsAsRole(), placed: placed, kind: text.about(), numbered: numbered != "", bared: bared}
	if a != nil {
		c.link = a.lead()
	} else if parts := text.columns(); c.kind == aside && len(parts) > 1 {
		c.kind = d.kindOf(parts[0]) // what stands behind a dash or a comma says for whom or where the work is done
	}
	return c
}

// endMarks are the signs with which some lists end each of their entries.
const endMarks = ".:：。;；,，"

// withoutEnd is a text without such a sign at its end.
func withoutEnd(text string) string { return strings.TrimRight(text, endMarks+" ") }

// endsAlike reports whether most elements that are written like e and as short as titles end in such a sign: then it belongs to the list
// and not to its entries. One such element is enough if it is a heading that the sign keeps from being a title; otherwise two are needed.
func (d *Document) endsAlike(e *element, plausible bool) bool {
	if d.ending == nil {
		d.ending = make(map[form]int)
		for _, o := range d.within(d.body) {
			if o.hidden || isInline(o.tag) || !o.own && o.level == 0 || !o.longer(1) || o.longer(longestTitle/2) {
				continue
			}
			if text := o.visibleText(); withoutEnd(text) != text {
				d.ending[o.form()]++
			} else {
				d.ending[o.form()]--
			}
		}
	}
	alike := d.ending[e.form()]
	return !e.longer(longestTitle/2) && (alike > 1 || alike == 1 && e.level > 1 && !plausible)
}

// form is how an element and its parent are written.
type form struct {
	tag, parent  atom.Atom
	class, above *className
}

func (e *element) form() form {
	f := form{tag: e.tag, class: e.class}
	if e.parent != nil {
		f.parent, f.above = e.parent.tag, e.parent.class
	}
	return f
}

// isChoice reports whether e is what a person may tick: the label around a tick, or beside one in a form. A page that is one form as a
// whole may have panels that the ticks beside their labels open.
func (e *element) isChoice() bool {
	label := e
	for range 2 {
		if label != nil && label.tag != atom.Label {
			label = label.parent
		}
	}
	if label == nil || label.tag != atom.Label {
		return false
	}
	if in := label.below(atom.Input); in != nil {
		return in.isTick()
	}
	if box := label.parent; !(question{about: box, what: "ticks"}).ask(func() bool { return slices.ContainsFunc(box.kids, (*element).isTick) }) {
		return false
	}
	form := label.closest(atom.Form)
	return form != nil && !question{about: form, what: "title"}.ask(func() bool {
		return slices.ContainsFunc(form.page.within(form), func(k *element) bool { return k.level == 1 })
	})
}

// longestTitle is the length of the longest text that may be a title.
const longestTitle = 140

// beforeDash is the name of a role before the dash in an entry that goes on with what is said of it, as few entries beside it do; "" when
// it begins with none.
func (e *element) beforeDash(text string) string {
	if e.level > 0 || !e.standsAmongShorter() {
		return ""
	}
	at := strings.IndexAny(text, "-–—")
	for at > 0 && text[at-1] != ' ' {
		next := strings.IndexAny(text[at+1:], "-–—")
		if next < 0 {
			return ""
		}
		at += 1 + next
	}
	if at <= 0 {
		return ""
	}
	title := strings.TrimSpace(text[:at])
	if said := e.page.phraseOf(title); longer(title, longestTitle/2) || !said.namesRole() || said.about() != plain {
		return ""
	}
	return title
}

// standsAmongShorter reports whether most of the elements around e with its tag and class, several, are as short as titles.
func (e *element) standsAmongShorter() bool {
	return question{e.parent, "shorter than " + e.node.Data, e.class}.ask(func() bool {
		short, long := 0, 0
		for _, k := range e.parent.kids {
			if k.tag == e.tag && k.class == e.class && !k.hidden && k.longer(0) {
				countIf(&short, !k.longer(longestTitle))
				countIf(&long, k.longer(longestTitle))
			}
		}
		return short > 1 && short > long
	})
}

func (e *element) isTick() bool {
	if e.tag != atom.Input {
		return false
	}
	kind := attr(e.node, "type")
	return strings.EqualFold(kind, "checkbox") || strings.EqualFold(kind, "radio")
}

// leadsHome reports whether a link leads from another page to the home page of the site.
func (d *Document) leadsHome(l *lead) bool {
	return l != nil && l.url.Host == d.Base.Host && l.url.RawQuery == "" && l.url.Fragment == "" && IsHome(l.url.Path) && !IsHome(d.Base.Path)
}

// ownAfter reports whether all text of e itself follows the child.
func (e *element) ownAfter(child *element) bool {
	for c := e.node.FirstChild; c != nil && c != child.node; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	return true
}

// leadsToNamesake reports whether a link under openings leads to a heading on the page that says what the link says: a role may be called by
// its department, and the text under such a heading describes it.
func (e *element) leadsToNamesake() bool {
	if !e.leadsWithin() || !e.said().namesDepartment() || e.page.sections().at(e).about() != open {
		return false
	}
	to := e.page.withID(attr(e.node, "href")[1:])
	return to != nil && to.level > 0 && to.visibleText() == e.visibleText()
}

// dropParts takes the names of departments out of a group, unless most of its texts read like roles: those are equals, and lead to texts
// about roles as the others do.
func (g *group) dropParts() {
	isPart := func(c *candidate) bool {
		return c.link == nil && c.element.tag == atom.A && !c.element.said().plausible()
	}
	parts, roles := 0, 0
	for _, c := range g.items {
		countIf(&parts, isPart(c))
		countIf(&roles, c.role && c.element.leadsWithin())
	}
	if parts > 0 && roles < 2*parts {
		g.items = slices.DeleteFunc(g.items, isPart)
	}
}

// isPosted reports whether an open application is posted as a role: under a name of its own, with a number like the
// others.
func isPosted(title string, at *lead) bool {
	before, _, found := strings.Cut(title, "General Application")
	if !found || strings.TrimSpace(before) == "" || at == nil || !at.job {
		return false
	}
	digits := 0
	for i := len(at.key) - 1; i >= 0 && isDigit(at.key[i]); i-- {
		digits++
	}
	return digits >= 6
}

// speaksFor reports whether the title is better taken from the parent, a heading or a link that has no other text.
func speaksFor(parent, e *element) bool {
	return (parent.level > 0 || parent.tag == atom.A && e.level == 0) && sameText(parent, e)
}

func sameText(parent, child *element) bool {
	if len(parent.kids) == 0 || parent.own {
		return false
	}
	return sameShown(parent, child)
}

// sameShown reports whether two elements show the same text.
func sameShown(a, b *element) bool {
	if a.shows() && b.shows() && a.to-a.from != b.to-b.from {
		return false
	}
	return a.visibleText() == b.visibleText()
}
