package page

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/match"
)

// A list is whole only when nothing on its page leads on. What leads on is told by where it leads (see turnTo), by what it
// says (see label) and by what it is called (see namesMore), wherever it stands; how the page is built counts for less. An address
// is asked for: one that brings nothing new was none of the list's. What has no address, a script or a form that is
// posted, can only be believed, so more has to speak for it.

// Onward is an address on which a list may go on.
type Onward struct {
	URL  *url.URL
	Way  string // what it has in common with the addresses of the other pages of its list
	Firm bool   // the list is not whole unless this page is read
	At   int    // the number of the page on which the address stands, and of all pages; 0 where they are not said
	Of   int
}

// Promised reports whether the page on which the address stands says that another one follows.
func (o Onward) Promised() bool { return o.At > 0 && o.At < o.Of }

// pages is what a page says of the pages of its list.
type pages struct {
	next   []Onward // the firm ones first
	script bool     // it goes on by script, or by a form that is posted
	part   bool     // the page says that these are some of the roles
	at, of int      // the number of this page, and of all; 0 where they are not said
}

// wayfinder gathers what on a page leads on.
type wayfinder struct {
	*Document
	pages

	found       []*candidate
	cards       []bool
	first, last offset            // the elements of the first role and of the last
	inside      map[*section]bool // the sections in which the roles are
	rows        map[*element]*numberRow
	inOrder     []*numberRow
	ways        map[string]int          // where in next each way is
	forms       map[*element][]*element // memo of filledIn
	entries     []offset                // memo of holdsEntries: how many entries stand before each element
	parts       []listPart
	loose       bool   // something is only called as what loads more is called
	said        paging // in hidden fields
}

// paging is what names with numbers say of the pages of a list.
type paging struct{ pages, at, total, size int }

// note takes in the number under a name, which is in lower case and without marks.
func (p *paging) note(name string, n int) {
	switch {
	case pagesNames[name]:
		p.pages = n
	case totalNames[name]:
		p.total = n
	case sizeNames[name]:
		p.size = n
	case atNames[name]:
		p.at = n
	}
}

// in is how many pages there are; 0 if that is not stated. On a later page, a total that is larger than a page says nothing.
func (p *paging) in(later bool) int {
	switch {
	case p.pages == 0 && p.total > p.size && p.size > 0 && !later:
		return (p.total + p.size - 1) / p.size
	case p.pages < 10_000:
		return p.pages
	}
	return 0
}

// onward is what the page says about further pages of its list.
func (d *Document) onward(found []*candidate) pages {
	r := &wayfinder{
		Document: d, found: found, cards: d.onCards(found), last: -1, inside: make(map[*section]bool), rows: make(map[*element]*numberRow), ways: make(map[string]int), forms: make(map[*element][]*element),
	}
	for i, c := range found {
		if r.last = max(r.last, c.element.index); i == 0 {
			r.first = c.element.index
		}
		r.first = min(r.first, c.element.index)
		for s := c.section; s != nil && !r.inside[s]; s = s.parent {
			r.inside[s] = true
			r.part = r.part || chosen.MatchString(Fold(s.heading))
		}
	}
	for _, e := range d.all() {
		switch {
		case !r.cards[e.index]:
			r.look(e)
		case e.with != 0 && e.loadsByItself():
			r.lookAtAttributes(e, new(hint)) // the last role may be what is scrolled to
		}
		if e.with != 0 && (r.cards[e.index] || e.index < r.first && e.end > r.last) {
			r.script = r.script || r.isOfMore(e)
		}
	}
	for _, row := range r.inOrder {
		r.turnBy(row)
	}
	for from, to := 0, 1; from < len(r.parts); to++ {
		if to == len(r.parts) || r.parts[to].top.parent != r.parts[from].top.parent {
			r.takeParts(r.parts[from:to])
			from = to
		}
	}
	if pages := r.said.in(r.ownPlace().isLater()); pages > 1 && len(found) > 0 {
		r.standAt(max(r.said.at, 1), pages)
	}
	r.sortOut()
	r.script = r.script || r.loose && len(r.next) == 0 && !d.ownPlace().isLater()
	for i := range r.next {
		r.next[i].At, r.next[i].Of = r.at, r.of
	}
	return r.pages
}

// sortOut puts the firm addresses first. A list has one next page: where several addresses that differ in the same way say to be
// it, they are those of entries.
func (r *wayfinder) sortOut() {
	firm := make(map[string]int)
	for _, o := range r.next {
		if o.Firm && r.turnTo(o.URL).number == cursor {
			firm[o.Way]++
		}
	}
	for i, o := range r.next {
		r.next[i].Firm = o.Firm && firm[o.Way] < 2
	}
	isFirm := func(o Onward) bool { return o.Firm }
	isLoose := func(o Onward) bool { return !o.Firm }
	r.next = append(slices.DeleteFunc(slices.Clone(r.next), isLoose), slices.DeleteFunc(r.next, isFirm)...)
}

// look takes in what one element says.
func (r *wayfinder) look(e *element) {
	switch e.tag {
	case atom.Script:
		r.lookAtScript(e)
		return
	case atom.Style, atom.Meta, atom.Option, atom.Html, atom.Head, atom.Img, atom.Picture, atom.Source, atom.Video:
		return
	case atom.Link:
		if next := isNextLink(e); next || hasWord(attr(e.node, "rel"), loadedAhead) {
			if u := Resolve(r.Base, attr(e.node, "href")); next || r.turnTo(u).relation == turned {
				r.take(e, u, hint{label: nextLabel})
			}
		}
		return
	case atom.Noscript:
		for address := range quotedAddresses(rawText(e.node)) {
			r.take(e, Resolve(r.Base, address), hint{})
		}
		return
	case atom.Select:
		r.lookAtSelect(e)
		return
	case atom.Div, atom.Section:
		if len(r.found) > 0 && e.isEmptyPanel() && e.parent.contains(r.found[0].element) {
			r.script = true
		}
	case atom.Input:
		if n, ok := pageNumberIn(attr(e.node, "name"), attr(e.node, "value")); ok && !e.hidden {
			r.standAt(n, number(attr(e.node, "max")))
		}
		if value := attr(e.node, "value"); isNumeric(value) && attr(e.node, "type") == "hidden" {
			r.said.note(Letters(cmp.Or(attr(e.node, "id"), attr(e.node, "name"))), number(value))
		}
	}
	if n := e.pageNumber(); n > 0 {
		r.addNumber(e, n)
		return
	}
	if !e.hidden && e.own {
		r.count(e)
	}
	s := hint{pressed: e.isPressed() || e.looksPressed()}
	if s.pressed {
		if s.label = e.leadsBy(); s.label < nextLabel && (isNextLink(e) || r.isNextRange(e)) {
			s.label = nextLabel
		}
	}
	addressed := r.lookAtAttributes(e, &s)
	if !s.pressed || e.disabled() {
		if s.handled && !addressed && !e.disabled() && !e.hidden && (e.index > r.last || e.end > r.last) && r.isNear(e) {
			r.script = true
		}
		if !s.pressed && !addressed && (s.called || e.index > r.last && (e.named&skeletonName != 0 || e.saysLoading())) {
			r.loose = r.loose || r.isSentinel(e)
		}
		return
	}
	switch u, where := r.destination(e); where {
	case address:
		r.addPart(e, u)
		r.take(e, u, s)
	case byScript:
		if !addressed {
			r.believe(e, s)
		}
	case nothing:
		if !addressed && !e.isPressed() {
			r.believe(e, s)
		}
	}
}

// hint is what speaks for an element leading on.
type hint struct {
	label   label
	pressed bool // it is a link or a button
	called  bool // by its class or id
	handled bool // by what a script does with it
	loads   bool // by the attribute that holds the address, or it loads by itself once it is seen
	number  int  // of the page, where it is all that the element shows
}

func (s hint) speaks() bool { return s.label > otherLabel || s.called || s.handled || s.loads }

// take takes in an address.
func (r *wayfinder) take(e *element, u *url.URL, s hint) {
	if u == nil || e.disabled() {
		return
	}
	t := r.turnTo(u)
	near := e.tag == atom.Link || r.isNear(e) && !e.inSiteFooter()
	firm := s.speaks() && (!e.hidden || s.loads) && near
	if t.relation < turned && len(r.found) == 1 && r.found[0].element.level == 1 {
		return // the page is that of a role, and the next page that of the next role
	}
	switch t.relation {
	case itself:
		return
	case turned:
		if !t.isForward(s.speaks()) || !s.speaks() && (e.index < r.first || e.inSiteFooter()) {
			return
		}
		firm = firm && !e.isAmongSlides()
	case suffixed, numbered:
		amongNumbers := t.relation == suffixed && s.number > 0 && !r.isOfOther(e) && !e.inSiteFooter()
		if !t.isForward(s.speaks()) || !s.speaks() || !near && !amongNumbers || otherMatter(u) {
			return
		}
	case requeried:
		if s.label == allLabel || s.label == wholeLabel {
			firm = near && s.label == allLabel
			break
		}
		if !s.speaks() || !near || e.isAmongSlides() || asksForDate(t.way) {
			return
		}
		firm = firm && s.label != arrowLabel && s.label != furtherLabel
		if s.number > 0 {
			t.number = s.number
		}
	case elsewhere:
		r.takeElsewhere(e, u, s)
		return
	}
	r.follow(u, t, firm)
}

// takeElsewhere takes in an address that has nothing in common with that of the page.
func (r *wayfinder) takeElsewhere(e *element, u *url.URL, s hint) {
	own := sameHost(u, r.pageAt)
	if s.number > 0 { // in the middle of the address
		at := strings.Replace(u.Path, strconv.Itoa(s.number), "*", 1)
		if at != u.Path && own && s.speaks() && r.isNear(e) && !e.inSiteFooter() && !otherMatter(u) {
			r.follow(u, pageTurn{way: at, number: s.number}, !e.hidden && inPager(e))
		}
		return
	}
	switch {
	case s.label == allLabel && !e.chrome, s.label == jobsLabel && e.index > r.last, s.label == moreLabel && e.index > r.last && r.isNear(e) && !otherMatter(u):
		r.part = true
	case s.label == wholeLabel, s.label < nextLabel && !s.loads || e.tag == atom.Link || !r.isNear(e) || otherMatter(u) || isSocial(u):
	case !own:
		r.script = r.script || inPager(e) || isNextLink(e)
	case s.loads, (inPager(e) || s.label == nextLabel && e.index > r.last && !e.isAmongSlides()) && isJobWord(u) && !JobLike(u, r.pageAt):
		r.follow(u, pageTurn{way: Canonical(u), number: cursor}, false)
	}
}

// follow notes an address, of each way the nearest.
func (r *wayfinder) follow(u *url.URL, t pageTurn, firm bool) {
	o := Onward{URL: u, Way: t.way, Firm: firm}
	key := t.way
	if t.number == cursor {
		key = Canonical(u)
	}
	i, known := r.ways[key]
	switch {
	case !known && len(r.next) < maxOnward:
		r.ways[key] = len(r.next)
		r.next = append(r.next, o)
	case !known:
	case t.number != cursor && t.number < r.turnTo(r.next[i].URL).number:
		o.Firm = o.Firm || r.next[i].Firm
		r.next[i] = o
	default:
		r.next[i].Firm = r.next[i].Firm || firm
	}
}

// maxOnward is how many ways on are noted of one page.
const maxOnward = 8

// believe takes in something that is pressed and has no address.
func (r *wayfinder) believe(e *element, s hint) {
	if e.hidden || e.inSiteFooter() || e.isToggle() || e.isAmongSlides() || r.isOfWizard(e) {
		return
	}
	pager := inPager(e)
	if !pager && (e.beside && (len(r.found) == 0 || !r.found[0].element.beside) || e.chrome && e.closest(atom.Main) == nil && e.closest(atom.Nav) == nil) {
		return
	}
	near, after := r.isNear(e), e.index > r.last
	switch {
	case s.label == nextLabel:
		r.script = r.script || near && e.index > r.first && (pager || e.saysNextItself()) || near && pager
	case s.label == jobsLabel:
		r.script = r.script || after
	case s.label == moreLabel, s.label == allLabel:
		r.script = r.script || after && (near || r.sharesBox(e))
	case s.label == furtherLabel && e.tag != atom.A:
		r.script = r.script || after && near
	case s.label == arrowLabel && !s.handled:
		r.script = r.script || pager && near
	case s.called || s.handled:
		r.script = r.script || after && near
	}
}

// isNear reports whether e is in a part of the page that holds roles, or among links to pages in one that is not about other matter.
func (r *wayfinder) isNear(e *element) bool {
	s := r.sectionOf(e)
	return s == nil || r.inside[s] || s.about() != aside && s.about() != closed && inPager(e) && !r.holdsEntries(s, e)
}

// longestStep is the length of the longest text that may be a number of a page, or an arrow, rather than an entry.
const longestStep = 8

// holdsEntries reports whether a section has entries of its own before its pager, of which e is a part.
func (r *wayfinder) holdsEntries(s *section, e *element) bool {
	if r.entries == nil {
		r.entries = r.countBefore(func(yield func(*element) bool) {
			for _, o := range r.all() {
				switch o.tag {
				case atom.Li, atom.Article, atom.Img, atom.Tr, atom.H3, atom.H4:
					if (o.tag == atom.Img || o.longer(longestStep)) && !inPager(o) && !yield(o) {
						return
					}
				}
			}
		})
	}
	return r.entries[e.index]-r.entries[s.element.index] > 1
}

// sharesBox reports whether e stands in the same box as the roles, though perhaps under a heading of its own.
func (r *wayfinder) sharesBox(e *element) bool {
	box := e.parent
	for box != nil && sameShown(box, e) {
		box = box.parent
	}
	return box != nil && box.index < r.first && box.end > r.last && !r.isOfOther(e)
}

// isOfOther reports whether e is in a part of the page that is about other matter than the roles.
func (r *wayfinder) isOfOther(e *element) bool {
	s := r.sectionOf(e)
	return s != nil && !r.inside[s] && (s.about() == aside || s.about() == closed || r.holdsEntries(s, e))
}

// sectionOf is the section that e stands in; nil when nothing parts it from the roles. Titles of roles part nothing, nor do lines.
func (r *wayfinder) sectionOf(e *element) *section {
	if len(r.found) == 0 {
		return nil
	}
	s := r.sections().at(e)
	for s != nil && (r.cards[s.element.index] || s.level >= announcedLevel) {
		s = s.parent
	}
	return s
}

// isSentinel reports whether e stands behind the list to be scrolled to, or is the list that grows.
func (r *wayfinder) isSentinel(e *element) bool {
	if e.hidden || len(r.found) == 0 || e.tag == atom.Body || e.tag == atom.Main || !r.isNear(e) && e.index > r.last {
		return false
	}
	if e.index < r.first && e.end > r.last {
		class := strings.ToLower(attr(e.node, "class"))
		return strings.Contains(class, "infinite") && !strings.Contains(class, "views")
	}
	return e.index > r.last && e.end-e.index < fewElements && !e.longer(60) && e.below(atom.A) == nil && e.below(atom.Button) == nil
}

// count takes in a statement such as "page 1 of 3" and "16 more jobs".
func (r *wayfinder) count(e *element) {
	if e.longer(40) || !hasDigit(e.visibleText()) {
		return
	}
	if e.index > r.last && len(r.found) > 0 && r.isNear(e) {
		text := e.folded()
		at := strings.IndexAny(text, "0123456789")
		r.script = r.script || labelOf(text[max(at, 0):]) == jobsLabel
	}
	if len(numbersIn(e.folded())) < 2 || r.of > 0 && r.script || r.isOfOther(e) || e.isAmongSlides() {
		return
	}
	at, of := pageOf(e.folded())
	if of == 0 && (inPager(e) || r.isBesideArrow(e)) {
		if m := slashed.FindStringSubmatch(e.folded()); m != nil {
			at, of = number(m[1]), number(m[2])
		}
	}
	r.standAt(at, of)
}

// isBesideArrow reports whether something beside e, near the roles, is pressed to go on.
func (r *wayfinder) isBesideArrow(e *element) bool {
	return r.isNear(e) && slices.ContainsFunc(e.parent.kids, func(k *element) bool {
		if !k.isPressed() || k.disabled() {
			return false
		}
		said := k.leadsBy()
		return said == arrowLabel || said == nextLabel
	})
}

// standAt takes in the number of this page, and how many there are.
func (r *wayfinder) standAt(at, of int) {
	if at < 1 || of < at {
		return
	}
	r.at, r.of = at, max(r.of, of)
	r.script = r.script || at < of
}

// pageOf are the numbers in "page 1 of 3"; 0 when a folded text says no such thing.
func pageOf(text string) (at, of int) {
	at, of = pairIn(pageOfPages.FindStringSubmatch(text))
	if of == 0 {
		of, at = pairIn(pagesAtPage.FindStringSubmatch(text))
	}
	return at, of
}

// pairIn are the two numbers that one of the alternatives of an expression found; 0 when none did.
func pairIn(groups []string) (first, second int) {
	for i := 1; i+1 < len(groups); i += 2 {
		if groups[i] != "" {
			return number(groups[i]), number(groups[i+1])
		}
	}
	return 0, 0
}

// lookAtAttributes takes in what the attributes of an element say, and reports whether one holds an address.
func (r *wayfinder) lookAtAttributes(e *element, s *hint) (addressed bool) {
	s.called = e.has(furtherName) || strings.Contains(e.node.Data, "-") && namesMore(e.node.Data)
	if e.with == 0 {
		return false
	}
	var said paging
	var addresses []html.Attribute
	for i := range e.node.Attr {
		a := &e.node.Attr[i]
		switch a.Key {
		case "class", "id", "style", "title", "alt", "name", "type", "rel", "role", "target", "value", "placeholder", "content", "for", "srcset", "action", "d", "points":
			continue
		case "href":
			if e.tag == atom.A && !strings.HasPrefix(a.Val, "javascript:") {
				continue
			}
		case "src":
			if !loadsFrame(e) {
				continue
			}
		}
		n, isNumber := 0, isNumeric(a.Val)
		name := ""
		if isNumber || a.Val == "true" {
			name = Letters(strings.TrimPrefix(a.Key, "data-"))
			n = number(a.Val)
		}
		if isNumber {
			said.note(name, n)
		}
		switch {
		case isNumber && name == "page":
			s.handled = s.handled || s.label != otherLabel && s.pressed && n > 1
		case moreNames[name] && a.Val == "true" && !strings.HasPrefix(a.Key, "aria"), isNumber && n > 1 && name == "nextpage":
			s.handled = true
		}
		s.loads = s.loads || namesMore(a.Key) && !strings.Contains(a.Key, "views") || strings.HasPrefix(a.Key, "data-next") || loadsWhenSeen(a.Key, a.Val) ||
			a.Key == "loading" && a.Val == "lazy" && e.tag != atom.Iframe
		s.handled = s.handled || isHandler(a.Key) && (namesMore(a.Val) || s.label >= arrowLabel && sendsForm.MatchString(a.Val))
		r.told(a.Val)
		if len(a.Val) > 1 && len(a.Val) < longestHandler && (strings.ContainsAny(a.Val, "/?") || strings.HasPrefix(a.Key, "data-") && strings.HasPrefix(a.Val, "Wy")) {
			addresses = append(addresses, *a)
		}
	}
	if said.size > 1 && said.size == len(r.found) && e.index < r.first && (s.called || e.parent.has(furtherName)) {
		r.loose = true // a full page of what is made to grow
	}
	if pages := said.in(r.ownPlace().isLater()); pages > 1 && !e.hidden && (r.isNear(e) && e.index > r.last || e.index < r.first || e.end > r.last) {
		r.standAt(max(said.at, 1), pages)
	}
	for _, h := range addresses {
		sure := *s
		sure.loads = s.loads && (len(addresses) == 1 || !isHandler(h.Key)) || strings.Contains(h.Key, "next")
		for text := range quotedAddresses(h.Val) {
			u := Resolve(r.Base, text)
			if u == nil {
				continue
			}
			if t := r.turnTo(u); t.relation == turned || sure.speaks() && t.relation > itself || sure.loads && t.relation != itself {
				if sends(h) {
					r.script = r.script || r.isNear(e) && e.end > r.last
					continue
				}
				addressed = true
				r.take(e, u, sure)
			}
		}
	}
	return addressed
}

const longestHandler = 1000

// presses is the label of the button that makes the list longer, such as "Load more"; "" when there is none.
func (d *Document) presses(found []*candidate) string {
	cards := d.onCards(found)
	for _, e := range d.all() {
		if e.hidden || cards[e.index] || !e.isPressed() || e.disabled() || len(found) == 0 || e.index < found[0].element.index {
			continue
		}
		text := e.visibleText()
		if len(text) > longestWords {
			continue
		}
		if said := labelOf(text); said == moreLabel || said == jobsLabel {
			return strings.Trim(text, labelMarks)
		}
	}
	return ""
}

var (
	allRoles = sayings("all roles")
	chosen   = sayings("chosen")
	loadMore = sayings("load more")
	// loadingMore is what stands where further roles will be: "Loading more jobs", "Scroll down for more".
	loadingMore = sayings("loading more")
	// allOfThem is "show all", which says not of what.
	allOfThem = sayings("show all")
	nextText  = match.Of(func() string { return `^(?:` + oneOf("next") + `)$` })
	// furtherText is "more" alone.
	furtherText = match.Of(func() string { return `^(?:` + oneOf("further") + `)$` })
)
