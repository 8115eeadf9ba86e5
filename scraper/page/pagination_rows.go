package page

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// numberRow is a row of numbers, each of which may stand for a page.
type numberRow struct {
	in      *element
	entries []numberEntry
}

type numberEntry struct {
	*element

	number int
	top    *element // the outermost element that shows nothing but the number
}

// addNumber adds a number to the row that it stands in.
func (r *wayfinder) addNumber(e *element, n int) {
	top := e.alone()
	for x := e.parent; x != nil && x.index >= top.index && !e.isPressed(); x = x.parent {
		if x.isPressed() {
			e = x
		}
	}
	in := top.parent
	if in == nil || in.isPressed() {
		return
	}
	row := r.rows[in]
	if row == nil {
		row = &numberRow{in: in}
		r.rows[in] = row
		r.inOrder = append(r.inOrder, row)
	}
	if k := len(row.entries); k > 0 && row.entries[k-1].top == top { // the link in an entry, or the entry of a link
		if e.isPressed() {
			row.entries[k-1].element = e
		}
		return
	}
	row.entries = append(row.entries, numberEntry{e, n, top})
}

// alone is the outermost element that shows nothing but what e shows.
func (e *element) alone() *element {
	for e.parent != nil && sameText(e.parent, e) && (len(e.parent.kids) == 1 || e.visibleText() != "") {
		e = e.parent
	}
	return e
}

// turnBy takes in a row of numbers: the list goes on with the one after the number that is marked as current, that leads to
// this very page, or that alone leads nowhere.
func (r *wayfinder) turnBy(row *numberRow) {
	entries := row.entries
	if len(entries) > maxNumbers || !row.rises() {
		return
	}
	pager := inPager(row.in) || inPager(entries[0].element)
	current, marked, leading, itsOwn := 0, false, 0, 0
	var still []int
	for _, x := range entries {
		u, where := r.destination(x.element)
		switch {
		case x.isCurrent():
			current, marked = x.number, true
		case where == address && r.turnTo(u).relation == itself:
			itsOwn = x.number
		case where == nothing:
			still = append(still, x.number)
		default:
			leading++
		}
	}
	for c := row.in.node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && len(c.Data) < longestHandler {
			still = append(still, pageNumbersIn(c.Data)...)
		}
	}
	pager = pager || slices.ContainsFunc(entries, func(x numberEntry) bool { return x.turnsByScript() })
	own := r.ownNumber(entries)
	r.script = r.script || len(entries) == 1 && saysPage(entries[0].folded()) && r.isBesideArrow(entries[0].top)
	switch {
	case leading == 0 && len(entries) == 1:
		return
	case marked:
	case len(still) == 1 && leading > 0:
		current, marked = still[0], true
	case itsOwn > 0 || own > 0:
		current, marked = max(itsOwn, own), true
	case len(still) > 1 && !pager:
		return
	default:
		current = 1
	}
	if marked && (pager || leading > 0) && r.isNear(row.in) && r.of == 0 {
		r.at, r.of = current, max(current, entries[len(entries)-1].number)
	}
	for _, x := range entries {
		if x.number <= current || x.disabled() {
			continue
		}
		if u, where := r.destination(x.element); where == address {
			s := hint{number: x.number}
			if len(entries) > 1 || pager {
				s.label = nextLabel
			}
			r.take(x.element, u, s)
		} else if !r.addressedBy(x) && (where == byScript || pager) && !x.hidden && r.isNear(row.in) && !x.isAmongSlides() &&
			(pager || marked && leading > 0 && len(entries) > 1) {
			r.script = true
		}
		return
	}
}

// listPart is a link of a row in which each shows another part of the list: the roles in one place, or under one letter.
type listPart struct {
	numberEntry
	pageTurn

	url *url.URL
}

// addPart notes a link above the list that may show another part of it.
func (r *wayfinder) addPart(e *element, u *url.URL) {
	if e.index >= r.first || e.hidden {
		return
	}
	if t := r.turnTo(u); t.relation == requeried || t.relation == itself {
		r.parts = append(r.parts, listPart{numberEntry{element: e, top: e.alone()}, t, u})
	}
}

// takeParts takes in a row of links to the parts of a list: the one that is marked shows this page, which is not all, and the addresses
// of the others differ from it in the same parameter.
func (r *wayfinder) takeParts(row []listPart) {
	current, way := 0, ""
	for _, p := range row {
		switch {
		case p.isCurrent():
			if current++; p.relation != itself || saysAll(p.folded()) {
				return
			}
		case p.relation == requeried && way != "" && way != p.way:
			return
		case p.relation == requeried:
			way = p.way
		}
	}
	if _, name, _ := strings.Cut(way, "?"); current != 1 || name == "" || strings.Contains(name, "&") || hasWord(name, sizeWords) || hasWord(name, otherParts) {
		return
	}
	for _, p := range row {
		if p.relation == requeried {
			r.follow(p.url, pageTurn{way: Canonical(p.url), number: cursor}, false)
		}
	}
}

// otherParts are in names of parameters that ask for other roles, or for the same ones written otherwise.
var otherParts = set(`status state archive archived closed expired locale hl lang language year month date`)

// addressedBy takes in the address that an attribute of a number holds.
func (r *wayfinder) addressedBy(x numberEntry) bool {
	return r.lookAtAttributes(x.element, &hint{label: nextLabel}) || x.top != x.element && r.lookAtAttributes(x.top, &hint{label: nextLabel})
}

// maxNumbers is how many numbers a row of pages has at most.
const maxNumbers = 60

// rises reports whether the numbers rise, and two of them follow one another or the first is 1, as those of pages do. Days of a
// month stand in rows one below the other.
func (row *numberRow) rises() bool {
	follow := len(row.entries) == 1 || row.entries[0].number == 1
	for i := 1; i < len(row.entries); i++ {
		a, b := row.entries[i-1].number, row.entries[i].number
		if a >= b {
			return false
		}
		follow = follow || b == a+1
	}
	return follow && !row.in.isAmongSlides()
}

// ownNumber is the number of the row that the page's own address has; 0 when it has none.
func (r *wayfinder) ownNumber(entries []numberEntry) int {
	for _, x := range entries {
		u, where := r.destination(x.element)
		if where != address {
			continue
		}
		if t := r.turnTo(u); t.relation == turned && !t.implicit && t.number != cursor && t.own != cursor {
			if step := t.number - t.own; step != 0 && t.number == x.number {
				return t.own
			} else if t.number == x.number-1 { // pages are counted from 0 in addresses
				return t.own + 1
			}
		}
	}
	return 0
}

// isCurrent reports whether a number is marked as that of the current page.
func (x numberEntry) isCurrent() bool {
	for e := x.element; ; e = e.parent {
		if v := attr(e.node, "aria-current"); v != "" && v != "false" || e.named&currentName != 0 || attr(e.node, "aria-selected") == "true" || e.tag == atom.Input && hasAttr(e.node, "checked") {
			return true
		}
		if e == x.top {
			return x.top.parent != nil && len(x.top.parent.kids) == 1 && x.top.parent.named&currentName != 0
		}
	}
}

// turnsByScript reports whether what a script does with a number names pages.
func (x numberEntry) turnsByScript() bool {
	for i := range x.node.Attr {
		if a := &x.node.Attr[i]; isHandler(a.Key) && (a.Key != "href" || strings.HasPrefix(a.Val, "javascript:") || strings.HasPrefix(a.Val, "#")) && strings.Contains(strings.ToLower(a.Val), "page") {
			return true
		}
	}
	return false
}
