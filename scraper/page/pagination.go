package page

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/match"
)

//nolint:gochecknoglobals // constant patterns
var (
	jobNoun  = oneOf("job noun")
	jobNouns = match.New(jobNoun)
	// ofTotal is "1-10 of 22" and "9 of 26 jobs".
	ofTotal  = regexp.MustCompile(`\b(\d{1,5})\s*(?:[-–—]|` + oneOf("to") + `)\s*(\d{1,5})\s*(?:/|` + oneOf("of", "of a range") + `)\s*(\d{1,3}(?:[.,]\d{3})|\d{1,6})`)
	nOfTotal = regexp.MustCompile(`(?:^|\s)(\d{1,5})\s*` + oneOf("of") + `\s*(\d{1,3}(?:[.,]\d{3})|\d{1,6})\s`)
	// totals are statements such as "86 in all", where no word for roles is needed.
	totals = sayings("total")
	// nJobs is "28 Jobangebote" and "Viewing 26 open positions".
	nJobs = regexp.MustCompile(`(?:^|\s|\()(\d{1,3}(?:[.,]\d{3})|\d{1,5})\+?\s+(?:` + oneOf("job adjective") + `\s+){0,2}` + jobNoun + `(?:$|[^\p{L}])`)
	// jobsN is "Open positions (28)" and "Open positions: 28".
	jobsN = regexp.MustCompile(jobNoun + `\s*(?:\((\d{1,5})\)|:\s*(\d{1,5}))\s*$`)
	// nResults is "28 results", with nothing beside it.
	nResults = regexp.MustCompile(`^(\d{1,3}(?:[.,]\d{3})|\d{1,5})\s+` + oneOf("results") + `$`)
	// pageOfPages is "page 2 of 3".
	pageOfPages = regexp.MustCompile(`(?:^|[^\p{L}])` + oneOf("page") + `\s*(\d{1,4})\s*(?:/|` + oneOf("of", "of a range") + `)\s*(\d{1,4})(?:$|[^\p{L}\d])`)

	loadMore = sayings("load more")
	allRoles = sayings("all roles")
	chosen   = sayings("chosen")
	nextPage = sayings("next page")
	nextText = match.New(`^(?:›|»|>|>>|→|` + oneOf("next") + `)\s*[›»>→]?$`)
)

// claimed is how many roles the page says it has; -1 when it does not say. Numbers on the cards do not count.
func (d *Document) claimed(found []*candidate) int {
	total := -1
	cards := d.onCards(found)
	for _, e := range d.within(d.body) {
		if e.hidden || !e.own || cards[e.index] {
			continue
		}
		for _, o := range [...]*element{e, e.parent} {
			if !o.longer(90) && o.longer(1) && hasDigit(o.visibleText()) {
				total = max(total, countIn(o.folded(), !e.chrome))
			}
		}
	}
	return total
}

// countIn is the number of roles that a folded text states, or -1.
func countIn(text string, loose bool) int {
	if !hasDigit(text) {
		return -1
	}
	numbers := numbersIn(text)
	if numbers >= 2 {
		text = pageOfPages.ReplaceAllString(text, " ")
		numbers = numbersIn(text)
	}
	if numbers >= 3 {
		if m := ofTotal.FindStringSubmatch(text); m != nil {
			return number(m[3])
		}
	}
	if m := totals.Find(text); m != nil {
		return number(strings.Join(m[1:], ""))
	}
	if numbers >= 2 {
		if m := nOfTotal.FindStringSubmatch(text + " "); m != nil {
			return number(m[2])
		}
	}
	if m := nResults.FindStringSubmatch(text); m != nil && loose {
		return number(m[1])
	}
	if !loose || len(strings.Fields(text)) > 8 || !jobNouns.MatchString(text) {
		return -1
	}
	if m := nJobs.FindStringSubmatch(text); m != nil {
		return number(m[1])
	}
	if m := jobsN.FindStringSubmatch(text); m != nil {
		return number(m[len(m)-2] + m[len(m)-1])
	}
	return -1
}

// numbersIn counts the numbers in a text.
func numbersIn(text string) int {
	n := 0
	for i := range len(text) {
		if isDigit(text[i]) && (i == 0 || !isDigit(text[i-1])) {
			n++
		}
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func hasDigit(text string) bool {
	for i := range len(text) {
		if isDigit(text[i]) {
			return true
		}
	}
	return false
}

func number(s string) int {
	n, err := strconv.Atoi(strings.Map(withoutMarks, s))
	if err != nil {
		return -1
	}
	return n
}

// withoutMarks leaves out the marks between thousands.
func withoutMarks(r rune) rune {
	if r == '.' || r == ',' {
		return -1
	}
	return r
}

func itoa(n int) string { return strconv.Itoa(n) }

// onCards marks the places in the document that are on the cards of the roles found.
func (d *Document) onCards(found []*candidate) []bool {
	on := make([]bool, len(d.elements))
	for _, c := range found {
		for i := c.card.from; i < c.card.to; i++ {
			on[i] = true
		}
	}
	return on
}

// following is the page on which the list goes on, and whether it goes on at all.
func (d *Document) following(found []*candidate) (next *url.URL, more bool) {
	cards := d.onCards(found)
	for _, e := range d.all() {
		switch {
		case e.tag == atom.Link && strings.EqualFold(attr(e.node, "rel"), "next"):
			next = d.sameHost(Resolve(d.Base, attr(e.node, "href")))
		case (e.tag == atom.A || e.tag == atom.Button) && !e.hidden && d.isNext(e):
			next = d.sameHost(d.link(e))
			more = more || next == nil && !e.disabled()
		case !e.hidden && d.goesOn(e, found, cards):
			more = true
			next = d.sameHost(d.loads(e))
		case !e.hidden && e.isBeforeTheLast():
			more = true
		}
		if next != nil {
			return next, true
		}
	}
	heard := make(map[*section]bool)
	for _, c := range found {
		for s := c.section; s != nil && !heard[s]; s = s.parent {
			heard[s] = true
			more = more || chosen.MatchString(Fold(s.heading))
		}
	}
	next, further := d.numbered(cards)
	return next, more || further
}

// isBeforeTheLast reports whether e says that this is one of the earlier pages of a list.
func (e *element) isBeforeTheLast() bool {
	if !e.own || e.longer(30) || numbersIn(e.visibleText()) < 2 {
		return false
	}
	m := pageOfPages.FindStringSubmatch(e.folded())
	return m != nil && number(m[1]) < number(m[2])
}

// loads is the address from which a button for more takes it; nil when it does not say, or is a plain link to all roles.
func (d *Document) loads(e *element) *url.URL {
	for _, key := range [...]string{"data-next-url", "data-next-page-url", "data-next", "data-load-more-url", "data-more-url", "hx-get", "data-url", "data-href", "data-src"} {
		if u := Resolve(d.Base, attr(e.node, key)); u != nil && strings.ContainsAny(attr(e.node, key), "/?") {
			return u
		}
	}
	if u := d.link(e); u != nil && loadMore.MatchString(d.fold(strings.Trim(e.visibleText(), " +>›»→"))) && u.Path == d.Base.Path && u.RawQuery != d.Base.RawQuery {
		return u
	}
	return nil
}

func (d *Document) sameHost(u *url.URL) *url.URL {
	if u == nil || u.Host != d.Base.Host || Canonical(u) == Canonical(d.Base) {
		return nil
	}
	return u
}

// isPressed reports whether e is a link or a button.
func (e *element) isPressed() bool {
	return e.tag == atom.A || e.tag == atom.Button || e.with&roleAttribute != 0 && attr(e.node, "role") == "button"
}

// disabled reports whether a link or button is switched off, as the one for the next page is on the last.
func (e *element) disabled() bool {
	return attr(e.node, "aria-disabled") == "true" || hasAttr(e.node, "disabled") || (e.named|e.parent.named)&disabledName != 0
}

//nolint:gochecknoglobals // a constant table
var disabledWords = set(`disabled inactive`)

// isNext reports whether a link leads to the next page of the list.
func (d *Document) isNext(e *element) bool {
	for rel := range strings.FieldsSeq(strings.ToLower(attr(e.node, "rel"))) {
		if rel == "next" {
			return true
		}
	}
	label := Fold(attr(e.node, "aria-label"))
	if !inPager(e) {
		return nextPage.MatchString(label) // of anything else, the next one may be a picture
	}
	if text := e.visibleText(); text != "" && len(text) <= 60 && nextText.MatchString(d.fold(text)) {
		return true
	}
	return label != "" && nextText.MatchString(label)
}

// inPager reports whether e stands among the links to the pages of a list.
func inPager(e *element) bool {
	for i := 0; e != nil && i < 6; i, e = i+1, e.parent {
		if e.has(pagerName) || hasWord(attr(e.node, "aria-label"), pagers) {
			return true
		}
	}
	return false
}

//nolint:gochecknoglobals // a constant table
var pagers = set(`pagination pager paging paginator paginate pages pagenav pagenavi seiten`)

//nolint:gochecknoglobals // a constant table
var currentPage = set(`active current selected`)

// goesOn reports whether e says that the list is longer than what is shown: a button for more, a link to all roles, a
// number of pages, a heading that says these are chosen ones.
func (d *Document) goesOn(e *element, found []*candidate, cards []bool) bool {
	if e.with&pagesAttribute != 0 {
		if pages, err := strconv.Atoi(attr(e.node, "data-total-pages")); err == nil && pages > 1 {
			return true
		}
	}
	if !e.isPressed() || cards[e.index] {
		return false
	}
	text := strings.Trim(e.visibleText(), " +>›»→")
	if len(text) > 400 {
		return false
	}
	text = d.fold(text)
	if loadMore.MatchString(text) {
		return len(found) > 0 && e.index > found[len(found)-1].element.index
	}
	if h := e.heading(); h != nil {
		text = h.folded()
	}
	if allRoles.MatchString(text) && !e.chrome {
		u := d.link(e)
		return u != nil && Canonical(u) != Canonical(d.Base)
	}
	return false
}

// numbered is the next page by the numbers of the pages: the one after the page that is marked as current, or is the only one
// without an address. Where several have none, a script turns the pages.
func (d *Document) numbered(cards []bool) (next *url.URL, more bool) {
	links := make(map[int]*url.URL)
	var current int
	var unlinked []int
	for _, e := range d.all() {
		text := e.pageNumber()
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || e.hidden || cards[e.index] || !inPager(e) {
			continue
		}
		u := d.link(e)
		switch {
		case attr(e.node, "aria-current") != "" && attr(e.node, "aria-current") != "false" || (e.named|e.parent.named)&currentName != 0:
			current = n
		case u == nil && e.tag != atom.Button:
			unlinked = append(unlinked, n)
		}
		links[n] = u
	}
	switch {
	case current > 0:
	case len(unlinked) == 1:
		current = unlinked[0]
	default:
		current = 1
	}
	u, further := links[current+1]
	return d.sameHost(u), further
}

// pageNumber is the text of an element that may lead to a numbered page.
func (e *element) pageNumber() string {
	switch e.tag {
	case atom.A, atom.Button, atom.Span, atom.Li, atom.Strong, atom.Em:
		if e.to-e.from > 3 && e.shows() {
			return ""
		}
		if text := e.visibleText(); e.own && len(text) <= 3 && text != "" && isDigit(text[0]) {
			return text
		}
	}
	return ""
}
