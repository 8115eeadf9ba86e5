package page

import (
	"slices"
	"sort"
	"strings"

	"golang.org/x/net/html/atom"
)

// kind says what a part of the page is about.
type kind int8

const (
	plain  kind = iota
	open        // the list of roles
	closed      // what was, or is no role
	aside       // benefits, values, people, news
)

// section is a part of the page under one heading.
type section struct {
	parent  *section
	heading string
	element *element
	level   int8
	kind    kind
	depth   int    // in how many sections it is a part, itself included
	end     offset // place in the document from which it no longer holds
}

// maxParts is how deep sections of the same level may be parts of one another.
const maxParts = 30

// about is what the section, or the nearest around it that says so, is about.
func (s *section) about() kind {
	for ; s != nil; s = s.parent {
		if s.kind != plain {
			return s.kind
		}
	}
	return plain
}

// outline is the page's sections in document order.
type outline struct {
	sections []*section
	tops     int      // how many are of the highest level: the title of a page is alone, or nearly
	only     *section // memo of onlyOpenings
	asked    bool     // whether it is known
}

// Levels of what serves as a heading without being one.
const (
	titledLevel    = 7  // a text whose class calls it a title
	boldLevel      = 8  // a line all in bold
	announcedLevel = 9  // a line that announces a list of roles
	lineLevel      = 10 // a plain line that says that openings follow
)

func (d *Document) outline() *outline {
	o := &outline{}
	var top *section
	announced := offset(0) // where the last line that announces a list ends
	for _, e := range d.within(d.body) {
		if e.index < announced {
			continue
		}
		level, list := e.sectionLevel(), e.announced()
		if list != nil && (level == 0 || level == lineLevel) {
			level = announcedLevel
		}
		if level == 0 || list == nil && e.longer(90) || !e.longer(1) {
			continue
		}
		text := e.visibleText()
		for top != nil && top.level >= level && (top.level > level || top.kind != open || top.depth >= maxParts || !d.namesRole(text)) {
			top = top.parent // a role's title may be as high a heading as the one above all roles
		}
		depth := 1
		if top != nil {
			depth += top.depth
		}
		top = &section{parent: top, depth: depth, heading: text, element: e, level: level, kind: e.said().about(), end: d.body.end}
		switch {
		case list != nil:
			top.kind = open
		case top.kind == plain && e.isUnderOpenings():
			top.kind = open
		}
		if level == announcedLevel {
			top.end, announced = list.end, e.end
		}
		if top.kind == aside {
			top.end = e.container(text).end
		}
		countIf(&o.tops, level == 1)
		o.sections = append(o.sections, top)
	}
	return o
}

// sectionLevel is how deep a heading e is; 0 when it is none.
func (e *element) sectionLevel() int8 {
	switch {
	case e.hidden || e.chrome && e.level == 0 || e.beside:
		return 0
	case e.level > 0:
		return e.level
	case !e.own || e.parent.inProse():
		return 0
	case e.named&titleName != 0 && e.closest(atom.A) == nil:
		return titledLevel
	case (e.tag == atom.B || e.tag == atom.Strong) && !isInline(e.parent.tag) && sameText(e.parent, e) && !e.parent.isAmongCells():
		return boldLevel
	case e.announcesOpenings():
		return lineLevel
	}
	return 0
}

// isAmongCells reports whether e is a cell in a row of several columns: a text in bold is the head of a column there, and of nothing
// that follows. Rows of two cells lay out pages.
func (e *element) isAmongCells() bool { return e.tag == atom.Td && len(e.parent.kids) > 2 }

// announcesOpenings reports whether e is a plain line above others that says that openings follow: "Positions available now:".
func (e *element) announcesOpenings() bool {
	if e.tag != atom.P && e.tag != atom.Div || len(e.kids) > 0 || e.longer(longestCaption) || e.closest(atom.Li) != nil || e.closest(atom.Td) != nil {
		return false
	}
	return e.said().about() == open && !e.said().namesRole() && e.after() != nil
}

// isUnderOpenings reports whether the line right above a heading says that what follows are openings, as in the sections of many
// pages a small line says what the section is and the heading speaks to the reader. The title of a page has the name of a part of
// the site above it, and a role its department.
func (e *element) isUnderOpenings() bool {
	if e.level < 2 || e.said().namesRole() {
		return false
	}
	above := e.lineAbove()
	return above != nil && !above.longer(longestCaption) && above.said().about() == open
}

// lineAbove is the element before e in the same box if it is a line of text and no link; nil when there is none.
func (e *element) lineAbove() *element {
	k := e.before()
	for k != nil && k.hidden {
		k = k.before()
	}
	if k == nil || k.level > 0 || k.chrome || k.lines() > 0 || k.tag == atom.A || k.tag == atom.Button || k.below(atom.A) != nil || k.below(atom.Button) != nil {
		return nil
	}
	return k
}

// before is the element before e in the same box; nil when e is the first.
func (e *element) before() *element {
	if e.nth == 0 {
		return nil
	}
	return e.parent.kids[e.nth-1]
}

// at is the section that e stands in; for a heading, the one around its own.
func (o *outline) at(e *element) *section {
	after := sort.Search(len(o.sections), func(i int) bool { return o.sections[i].element.index > e.index })
	if after == 0 {
		return nil
	}
	s := o.sections[after-1]
	if s.element.contains(e) || e.contains(s.element) {
		s = s.parent
	}
	for s != nil && s.end <= e.index {
		s = s.parent
	}
	return s
}

// container is the nearest element around a heading that holds more than the heading.
func (e *element) container(heading string) *element {
	p := e
	for p.parent != nil && len(p.visibleText()) < 2*len(heading)+20 {
		p = p.parent
	}
	return p
}

func kindOf(folded string) kind {
	switch {
	case closings.MatchString(folded):
		return closed
	case openings.MatchString(folded) && !deniesRoles(folded):
		return open
	case asides.MatchString(folded) && !namesDepartment(folded):
		return aside
	}
	return plain
}

// hasWord reports whether a name holds one of the words.
func hasWord(name string, list map[string]bool) bool {
	return eachWord(name, func(word string) bool { return list[word] })
}

// eachWord tells the words of a name, in lower case, until one is the one looked for. It reports whether there was one.
func eachWord(name string, found func(word string) bool) bool {
	start, whole := 0, 0
	for i := 0; i <= len(name); i++ {
		boundary := i == len(name) || !isLetter(name[i])
		if boundary || i > start && isUpper(name[i]) && !isUpper(name[i-1]) {
			if i > start && found(strings.ToLower(name[start:i])) {
				return true
			}
			start = i
			if boundary {
				if i > whole && found(strings.ToLower(name[whole:i])) {
					return true // "careerArea" as one word
				}
				start, whole = i+1, i+1
			}
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }

// announces is what a line says of the list after it when the list holds open roles: "At present we need:".
var announces = sayings("announces")

// longestAnnouncement is the length of the longest line that announces a list.
const longestAnnouncement = 200

// announced is the list of open roles that e announces: e is a line that ends with a colon right before it, and most entries of the
// list read like names of roles. Nil when e is no such line.
func (e *element) announced() *element {
	if !e.shows() || e.to <= e.from || e.chrome || e.beside || e.tag == atom.Li || isInline(e.tag) || e.longer(longestAnnouncement) {
		return nil
	}
	text := e.visibleText()
	if !endsInColon(text) {
		return nil
	}
	list := e.after().onlyList()
	if list == nil || !announces.MatchString(e.folded()) {
		return nil
	}
	entries, names := 0, 0
	for _, k := range list.kids {
		if k.tag == atom.Li && !k.hidden && k.longer(0) {
			entries++
			countIf(&names, k.page.phraseOf(titleOf(k)).readsAsRole())
		}
	}
	if names == 0 || names*2 < entries {
		return nil
	}
	return list
}

// after is the next element in the same box; nil when e is the last.
func (e *element) after() *element {
	if e.parent == nil {
		return nil
	}
	kids := e.parent.kids[e.nth+1:]
	at := slices.IndexFunc(kids, func(k *element) bool { return !k.hidden && k.longer(0) })
	if at < 0 {
		return nil
	}
	return kids[at]
}

// onlyList is the list that is all that e shows, or e itself; nil when there is none.
func (e *element) onlyList() *element {
	for e != nil && e.tag != atom.Ul && e.tag != atom.Ol {
		if e.own || len(e.kids) != 1 {
			return nil
		}
		e = e.kids[0]
	}
	return e
}

// isAnnounced reports whether the line before the candidate's list says that the list holds open roles.
func (c *candidate) isAnnounced() bool { return c.section != nil && c.section.level == announcedLevel }
