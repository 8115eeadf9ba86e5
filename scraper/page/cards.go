package page

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// threshold is the score from which a group of texts is taken for the titles of roles.
const threshold = 3.2

// lay finds what belongs to each candidate of the group, its card, and the role's own address in it.
func (d *Document) lay(g *group) {
	d.cards(g)
	d.address(g)
}

// cards finds what belongs to each candidate of the group.
func (d *Document) cards(g *group) {
	rooms := g.rooms()
	lift := mostFrequent(rooms)
	bases := make([]*element, len(g.items))
	for i, c := range g.items {
		bases[i] = ancestor(c.element, min(lift, rooms[i]))
	}
	for i, c := range g.items {
		b := bases[i]
		c.card, c.base, c.flat = span{b.index, b.end}, b, false
		if !sameShown(b, c.element) && (lift > 0 || b.level == 0) {
			continue
		}
		c.flat = true
		limit := b.end
		if b.parent != nil {
			limit = b.parent.end
		}
		if i+1 < len(bases) {
			limit = max(b.end, min(limit, bases[i+1].index)) // the next may stand inside this one
		}
		c.card.to = d.cut(b, c.nextEqual(b, limit))
	}
}

// cut is where the card of a flat list ends: at the next heading as high as its own, or higher.
func (d *Document) cut(b *element, limit offset) offset {
	level := b.level
	if level == 0 {
		if h := b.heading(); h != nil {
			level = h.level
		}
	}
	for _, e := range d.between(b.end, limit) {
		if e.level > 0 && (level == 0 || e.level <= level) || e.chrome && !e.parent.chrome {
			return e.index
		}
	}
	return limit
}

// mostFrequent is the most frequent number, and the smallest of equally frequent ones.
func mostFrequent(numbers []int) int {
	times := make([]int, slices.Max(numbers)+1)
	for _, n := range numbers {
		times[n]++
	}
	return slices.Index(times, slices.Max(times))
}

// mostScreens is how many times a page may repeat one role, once for each screen size. A text that is repeated more often is not a
// role: if it were one, its card would be as large as the page.
const mostScreens = 8

// rooms says for each item how many steps up no other item is contained. Items that repeat one another count as one.
func (g *group) rooms() []int {
	rooms := make([]int, len(g.items))
	before := offset(-1)
	for first := 0; first < len(g.items); {
		next, after := first+1, offset(math.MaxInt32)
		for next < min(len(g.items), first+mostScreens) && g.items[next].repeats(g.items[first]) {
			next++
		}
		if next < len(g.items) {
			after = g.items[next].element.index
		}
		for i := first; i < next; i++ {
			rooms[i] = g.room(i, before, after)
		}
		before = g.items[next-1].element.index
		first = next
	}
	return rooms
}

// room is how many steps up from item i neither the element before it nor the one after it is contained.
func (g *group) room(i int, before, after offset) int {
	e := g.items[i].element
	steps := 0
	for p := e.parent; p != nil && p.index > before && p.end <= after; p = p.parent {
		switch p.tag {
		case atom.Body, atom.Html, atom.Main, atom.Table, atom.Tbody:
			return steps
		case atom.Ul, atom.Ol, atom.Dl:
			if len(g.items) == 1 {
				return steps
			}
		}
		if len(g.items) == 1 && !p.smallCard(e) {
			return steps
		}
		steps++
	}
	return steps
}

// repeats reports whether c shows o again, for another screen size.
func (c *candidate) repeats(o *candidate) bool {
	return c.title == o.title && c.link != nil && o.link != nil && c.link.key == o.link.key
}

// smallCard reports whether p may be the card of the only title e: it has at most one heading and little text.
func (p *element) smallCard(e *element) bool {
	if p.tag == atom.A || p.tag == atom.Li || p.tag == atom.Tr || p.tag == atom.Article {
		return true
	}
	return !p.longer(500+len(e.visibleText())) && p.headings() <= 1
}

func (p *element) headings() int {
	n := 0
	for _, k := range p.kids {
		if k.level > 0 && !k.hidden {
			n++
		}
		n += k.headings()
	}
	return n
}

// ancestor is so many steps above e, or the last.
func ancestor(e *element, steps int) *element {
	for ; steps > 0 && e.parent != nil; steps-- {
		e = e.parent
	}
	return e
}

// address finds the role's own address: the title's link, else a link of the card that no other card has.
func (d *Document) address(g *group) {
	links := make([][]anchorLink, len(g.items))
	for i, c := range g.items {
		links[i] = d.links(c)
	}
	titles := make(map[string]string, len(g.items)) // of the cards that lead to an address; none when they differ
	note := func(key, title string) {
		if other, known := titles[key]; !known {
			titles[key] = title
		} else if other != title {
			titles[key] = ""
		}
	}
	for i, c := range g.items {
		if c.link != nil {
			note(c.link.key, c.title)
		}
		for _, l := range links[i] {
			note(l.key, c.title)
		}
	}
	here := roleKey(d.Base)
	own := func(l *lead) bool {
		return l != nil && titles[l.key] != "" && l.key != here && !l.social
	}
	var usual map[string]bool
	for i, c := range g.items {
		if own(c.link) {
			c.url = c.link
			continue
		}
		if usual == nil && len(links[i]) > 0 {
			usual = usualTexts(links)
		}
		best := 0
		for _, l := range links[i] {
			if !own(l.lead) {
				continue
			}
			if worth := d.worth(l, c, usual[l.text]); worth > best {
				c.url, best = l.lead, worth
			}
		}
	}
}

// usualTexts are the texts of links that most cards have, each with an address of its own.
func usualTexts(links [][]anchorLink) map[string]bool {
	type said struct {
		cards int
		last  string // the address on the last card
	}
	texts := make(map[string]said)
	for _, of := range links {
		seen := make(map[string]bool, len(of))
		for _, l := range of {
			if t := texts[l.text]; l.text != "" && !seen[l.text] && t.last != l.key {
				texts[l.text], seen[l.text] = said{t.cards + 1, l.key}, true
			}
		}
	}
	usual := make(map[string]bool)
	for text, t := range texts {
		if t.cards > 1 && t.cards*2 > len(links) {
			usual[text] = true
		}
	}
	return usual
}

type anchorLink struct {
	*lead

	element *element
	text    string
	file    bool // to be saved
}

const maxLinks = 40 // of one card are looked at

// links are the links of the card that lead to a page.
func (d *Document) links(c *candidate) (list []anchorLink) {
	first := sort.Search(len(d.anchored), func(i int) bool { return d.anchored[i].index >= c.card.from })
	for _, e := range d.anchored[first:] {
		if e.index >= c.card.to || len(list) >= maxLinks {
			break
		}
		if u := e.lead(); u != nil {
			text := e.visibleText()
			if text == "" {
				text = attr(e.node, "aria-label")
			}
			list = append(list, anchorLink{u, e, text, hasAttr(e.node, "download")})
		}
	}
	return list
}

// worth says how likely a link of the card leads to the role; 0 means that it does not. usual means that most cards have a link with
// this text.
func (d *Document) worth(l anchorLink, c *candidate, usual bool) int {
	usual = usual && l.url.Host == d.Base.Host
	if l.file {
		if usual {
			return 2
		}
		return 0
	}
	if strings.Contains(l.text, c.title) {
		return 5
	}
	if !longer(l.text, 120) && d.namesRole(l.text) && d.plausible(l.text) {
		return 0 // the link of another role
	}
	if c.inEntryLike(l.element) && d.mayBeRole(l.text) && !d.phraseOf(l.text).callsToAct() {
		return 0
	}
	if l.other || l.text != "" && !longer(l.text, longText) && d.phraseOf(l.text).invites() {
		return 0
	}
	if len(l.text) > 4*longText {
		if l.job {
			return 4
		}
		return 0
	}
	switch said := d.phraseOf(l.text); {
	case strings.Contains(said.folded, d.fold(c.title)):
		return 5
	case l.job:
		return 4
	case said.folded == "" || said.callsToAct() || said.leadsOn():
		return 3
	case usual:
		return 2
	case utf8.RuneCountInString(said.folded) <= 25 && c.role && !l.element.parent.inProse() && !strings.HasPrefix(d.Base.Path, strings.TrimSuffix(l.url.Path, "/")):
		return 1
	}
	return 0
}

// judge scores the group: how surely its texts are the titles of roles.
func (g *group) judge(d *Document, prior float64) {
	g.dropClosed()
	g.dropRepeats()
	g.keepColumn()
	all := len(g.items)
	if all == 0 {
		return
	}
	for _, c := range g.items {
		g.texts = append(g.texts, c.title)
	}
	g.weigh(prior)
	g.all = slices.Clone(g.items)
	g.dropStrays()
	n := float64(len(g.items))
	if n == 0 {
		return
	}
	var role, path, linked, other, address, opened, sidelined, place, long float64
	for _, c := range g.items {
		countIf(&role, c.role)
		countIf(&address, c.url != nil)
		countIf(&linked, c.link != nil)
		countIf(&path, c.url != nil && c.url.job)
		countIf(&other, c.url != nil && c.url.other)
		about := c.section.about()
		countIf(&opened, about == open)
		countIf(&sidelined, about == aside)
		countIf(&place, d.showsTerms(c))
		countIf(&long, strings.Count(c.title, " ") >= 9)
	}
	if role == 0 && (path < n/2 || n < 3 && linked < n || contract.MatchString(d.fold(g.items[0].title))) {
		return
	}
	e := g.items[0].element
	if purity := role / float64(all); place == 0 && address == 0 && all >= 3 {
		g.add("few of its kind", -3*max(0, 0.5-purity))
	}
	g.add("column", g.columnScore())
	g.add("names of roles", 3*role/n)
	g.add("addresses of roles", 2*path/n)
	g.add("other addresses", -2*other/n)
	g.add("under openings", 1.5*opened/n)
	g.add("under other matter", -2.5*sidelined/n)
	g.add("terms of work", 0.8*place/n)
	g.adverts = g.share(func(c *candidate) bool { return d.showsAdvert(c.card) })
	g.add("parts of adverts", g.adverts)
	g.add("page about jobs", prior)
	g.add("classes", g.classScore())
	if e.level > 0 || e.anchor() != nil {
		g.add("heading or link", 0.5)
	}
	g.add("marks of gender", 0.8*g.share(func(c *candidate) bool { return marksGender(c.title) }))
	if path+opened+place == 0 {
		g.add("names of many people", -2*g.share(func(c *candidate) bool { return isPlural(c.title) }))
	}
	if n >= 3 {
		g.add("repeated", 0.3)
	}
	if address == 0 {
		g.add("no address", -1+0.6*place/n)
		if e.level == 0 {
			g.add("long texts", -2*long/n)
		}
	}
}

// keepColumn removes rows with one cell from a column whose heading says that it holds titles: they say something about all roles.
func (g *group) keepColumn() {
	spans := func(c *candidate) bool {
		return c.element.closest(atom.Tr).isOneCell() && !g.page.phraseOf(c.title).namesRole()
	}
	if slices.ContainsFunc(g.items, spans) && slices.ContainsFunc(g.items, func(c *candidate) bool {
		cell := c.element.closest(atom.Td)
		return cell != nil && titleLabel.MatchString(g.page.fold(g.page.columnOf(cell)))
	}) {
		g.items = slices.DeleteFunc(g.items, spans)
	}
}

// isOneCell reports whether p is a table row with a single cell that spans several columns.
func (p *element) isOneCell() bool {
	if p == nil || p.tag != atom.Tr || len(p.kids) != 1 {
		return false
	}
	columns, err := strconv.Atoi(attr(p.kids[0].node, "colspan"))
	return err == nil && columns > 1
}

// share is the fraction of the group for which is holds.
func (g *group) share(is func(*candidate) bool) float64 {
	n := 0.0
	for _, c := range g.items {
		countIf(&n, is(c))
	}
	return n / float64(len(g.items))
}

// isPlural reports whether a text ends with the name of a role in the plural, which usually means customers.
func isPlural(title string) bool {
	last := Fold(title[strings.LastIndexByte(title, ' ')+1:])
	one, found := strings.CutSuffix(last, "s")
	return found && roleWords()[one]
}

func (g *group) add(why string, points float64) {
	if points != 0 {
		g.score += points
		g.trail = append(g.trail, why)
	}
}

// countIf adds one to n if so is true.
func countIf[N int | int32 | float64](n *N, so bool) {
	if so {
		*n++
	}
}

// dropRepeats keeps one candidate for each address, and for each card that says the same, and empties a group whose texts
// are the same on every card and name no role.
func (g *group) dropRepeats() {
	if len(g.items) < 2 {
		return
	}
	titles := make(map[string]int)
	seen := make(map[string]*candidate)
	all := len(g.items)
	kept := g.items[:0]
	for _, c := range g.items {
		key := c.said()
		if c.url != nil {
			key = c.url.key
		}
		titles[c.title]++
		switch first := seen[key]; {
		case first == nil:
			seen[key] = c
			kept = append(kept, c)
		case c.url == nil && c.role && first.base.parent == c.base.parent && c.said() == c.title:
			kept, g.doubted = append(kept, c), true // of texts without cards nothing tells one entry from two
		case first.title == c.title && first.isEntryLike(c):
			first.again = append(first.again, c)
		}
	}
	g.items = kept
	if all >= 4 && len(titles)*3 < len(kept) && g.nameless() {
		g.items = nil
	}
}

// isEntryLike reports whether the cards of two candidates are entries of one list, which show more than the title.
func (c *candidate) isEntryLike(o *candidate) bool {
	return c.base.parent == o.base.parent && c.base.signature() == o.base.signature() && !c.flat && !o.flat
}

// withRepeats are the candidates of a list with the further entries of their roles, in the order of the page.
func withRepeats(items []*candidate) []*candidate {
	all := slices.Clip(items)
	for _, c := range items {
		all = append(all, c.again...)
	}
	if len(all) > len(items) {
		slices.SortFunc(all, func(a, b *candidate) int { return cmp.Compare(a.element.index, b.element.index) })
	}
	return all
}

// hearAnnounced takes several texts such as "Vacancy: welder" for roles. A single one would be the heading of openings.
func (g *group) hearAnnounced() {
	var announced []*candidate
	for _, c := range g.items {
		if (c.kind == open || !c.role) && g.page.phraseOf(c.title).seeksOne() {
			announced = append(announced, c)
		}
	}
	if len(announced) < 2 {
		return
	}
	for _, c := range announced {
		c.kind, c.role = plain, true
	}
}

// dropStrays removes the few texts of a group of roles that are not roles.
func (g *group) dropStrays() {
	d := g.page
	g.hearAnnounced()
	beside := g.openLists()
	var paths, names int
	for _, c := range g.items {
		if c.url != nil && c.url.job {
			paths++
		}
		if c.role {
			names++
		}
	}
	n := len(g.items)
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		about := c.kind
		switch {
		case about == closed || about == open && !marksGender(c.title) && (!c.role || names < 3 || names*2 <= n || !d.showsAdvert(c.card)):
			return true
		case g.labelled:
			return false
		case c.role: // people have names of roles too, but pages of their own
			return c.url != nil && c.url.other && paths*10 >= n*6 && c.section.about() != open
		case about == aside:
			stray := c.url == nil || !c.url.job
			c.stray = stray && paths == 0 && c.url != nil && !c.url.other && names*2 > n && c.section.about() == open
			return stray
		case paths*10 >= n*6:
			return c.url == nil || !c.url.job
		case paths == 0 && names > 0 && names*2 < n:
			stray := !d.showsTerms(c) && !d.phraseOf(c.title).carriesPlace() && !beside[c.list()]
			c.stray = stray && c.section.about() == open && d.mayBeRole(c.title)
			return stray
		}
		return false
	})
}

// classScore is what the class names around the titles suggest.
func (g *group) classScore() float64 {
	score := 0.0
	e := g.items[0].element
	if e.has(titleName) {
		score += 0.4
	}
	if e.has(otherName | placeName | groupName) {
		score -= 1.5
	}
	for i, p := 0, e; p != nil && i < 6 && p.tag != atom.Body; i, p = i+1, p.parent {
		if p.has(jobName) {
			score += 0.8
			break
		}
		if p.has(otherName) {
			score -= 1
			break
		}
	}
	return score
}

// AboutJobs says how much the page as a whole is about jobs, by its address, its title and its first heading.
func (d *Document) AboutJobs() float64 {
	if d.ofJobs == unasked {
		d.ofJobs = no
		title := d.firstHeading()
		if isJobWord(d.Base) || hasSegment(d.Base, IsIndexOfJobs) || namesCareers(Fold(d.title)) || title != nil && namesCareers(title.folded()) {
			d.ofJobs = yes
		}
	}
	if d.ofJobs == yes {
		return 0.5
	}
	return 0
}

// namesCareers reports whether a folded page title announces openings, or one of its parts announces careers.
func namesCareers(title string) bool {
	if openings.MatchString(title) || toRoles.MatchString(title) {
		return true
	}
	for part := range strings.FieldsFuncSeq(title, func(r rune) bool { return strings.ContainsRune("|–—·•,:-!", r) }) {
		if toCareers.MatchString(strings.TrimSpace(part)) {
			return true
		}
	}
	return false
}
