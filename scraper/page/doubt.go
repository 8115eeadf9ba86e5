package page

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/match"
)

// A list of roles may look whole although the page says that it is not. What counts is what stands in the list or above it,
// outside of the cards of roles, the navigation, the footer and forms that hold no roles.

// doubt is what the page itself says against the list being whole; nothing when it says no such thing.
func (d *Document) doubt(found []*candidate) Trouble {
	if len(found) == 0 || len(found) == 1 && found[0].element.level == 1 {
		return Trouble{} // the page is data, or that of the role
	}
	if d.saysNoneOver(found) {
		return saysNoneShowsSome
	}
	title := d.phraseOf(d.title)
	if !title.readsAsRole() && !openings.MatchString(title.folded) {
		switch {
		case maintenance.MatchString(title.folded):
			return underMaintenance
		case signIn.MatchString(title.folded):
			return asksToSignIn
		}
	}
	var why Trouble
	styledAway := sync.OnceValue(d.styledAway)
	d.atList(found, func(e *element) bool {
		if !e.own && e.tag != atom.Select || e.scripted || e.longer(longestNotice) {
			return true
		}
		if said := e.doubts(); !said.None() && !e.isOfForm(found) && !e.isNamed(styledAway()) {
			why = said
		}
		return why.None()
	})
	return why
}

// longestNotice is the length of the longest text that is taken for a notice about the list.
const longestNotice = 250

// doubts is what one element says against the list being whole.
func (e *element) doubts() Trouble {
	if e.tag == atom.Select {
		if e.isSet() {
			return filterIsSet
		}
		return Trouble{}
	}
	text := e.foldedOnce()
	for _, n := range notices() {
		if n.says.MatchString(text) && (!n.ofSite || siteWord.MatchString(text) && !e.said().namesRole()) {
			return n.means
		}
	}
	return Trouble{}
}

// isOfForm reports whether e is a notice of a form that holds none of the roles: how sending an application went. Where no roles were
// found, it is none of a form to search them.
func (e *element) isOfForm(found []*candidate) bool {
	for p, n := e, 0; p != nil && n < 3; p, n = p.parent, n+1 {
		if slices.ContainsFunc(found, func(c *candidate) bool { return p.contains(c.element) }) {
			return false
		}
		if p.tag == atom.Form || p.below(atom.Form) != nil {
			return e.tag != atom.Select && (len(found) > 0 || p.asksForMail())
		}
	}
	return false
}

// asksForMail reports whether e holds a field for an e-mail address or a letter.
func (e *element) asksForMail() bool {
	return slices.ContainsFunc(e.kids, func(k *element) bool {
		return k.tag == atom.Textarea || k.tag == atom.Input && strings.EqualFold(attr(k.node, "type"), "email") || k.asksForMail()
	})
}

// isSet reports whether a select, whose first option is for all, has another one selected that the address did not ask for.
func (e *element) isSet() bool {
	for i, o := range e.page.childrenOf(e, atom.Option) {
		text := Fold(squeeze(rawText(o.node)))
		if i == 0 && !saysAll(text) {
			return false
		}
		if i > 0 && hasAttr(o.node, "selected") && !saysAll(text) {
			value := Fold(attr(o.node, "value"))
			return value != "" && !strings.Contains(Fold(e.page.Base.RequestURI()), value)
		}
	}
	return false
}

// childrenOf are the elements with this tag inside e.
func (d *Document) childrenOf(e *element, tag atom.Atom) (all []*element) {
	for _, o := range d.within(e) {
		if o.tag == tag {
			all = append(all, o)
		}
	}
	return all
}

// atList yields the elements above the end of the list that stand on no card, and those below it under the same heading,
// until yield returns false.
func (d *Document) atList(found []*candidate, yield func(*element) bool) {
	cards := d.onCards(found)
	last := found[len(found)-1]
	for _, e := range d.within(d.body) {
		if e.index >= last.card.to && d.sections().at(e) != last.section {
			return
		}
		hidden := e.hidden
		switch e.tag {
		case atom.Select:
			hidden = e.parent.hidden
		case atom.Option:
			continue // the select answers for it
		}
		if !hidden && !e.chrome && !cards[e.index] && !yield(e) {
			return
		}
	}
}

// counted is the largest number of roles that the title of the page, or a row of tabs or filters at the list, states: "All (24)",
// "Engineering (8) Sales (4)"; -1 when there is none. The numbers of departments are added up. A role may have several places
// and terms, so theirs are not.
func (d *Document) counted(found []*candidate) int {
	if len(found) == 0 || len(found) == 1 && found[0].element.level == 1 {
		return -1
	}
	total := -1
	for part := range strings.FieldsFuncSeq(Fold(d.title), func(r rune) bool { return strings.ContainsRune("|–—·•", r) }) {
		if !longer(part, 60) {
			total = max(total, countIn(strings.TrimSpace(part), true))
		}
	}
	rows := make(map[facetRow]*tally)
	add := func(row facetRow, name string, n int) {
		if name == "" {
			return
		}
		if rows[row] == nil {
			rows[row] = new(tally)
		}
		rows[row].add(d.phraseOf(name), n)
	}
	d.atList(found, func(e *element) bool {
		if e.tag != atom.Select {
			name, n := e.facet()
			add(e.facetRow(), name, n)
			return true
		}
		for _, o := range d.childrenOf(e, atom.Option) {
			name, n := facetIn(squeeze(rawText(o.node)), false)
			add(facetRow{in: e}, name, n)
		}
		return true
	})
	for _, t := range rows {
		total = max(total, t.total())
	}
	return total
}

// facetRow is what the tabs or filters of one row have in common.
type facetRow struct {
	in    *element
	tag   atom.Atom
	class *className
}

func (e *element) facetRow() facetRow {
	in := e.parent
	for in.parent != nil && len(in.kids) == 1 {
		in = in.parent
	}
	return facetRow{in, e.tag, e.class}
}

// tally adds up the numbers of one row.
type tally struct {
	all, most, sum, members, departments int
}

func (t *tally) add(name *phrase, n int) {
	if saysAll(name.folded) {
		t.all = max(t.all, n)
		return
	}
	t.members++
	t.most, t.sum = max(t.most, n), t.sum+n
	countIf(&t.departments, name.namesDepartment() && !name.looksLikePlace() && !name.isTerms())
}

func (t *tally) total() int {
	switch {
	case t.all > 0 && t.members > 0:
		return t.all
	case t.members < 2 || t.departments == 0:
		return -1 // nothing says that roles are counted
	case t.departments == t.members:
		return t.sum
	}
	return t.most
}

// facetCount is a name with the number of what it stands for.
var facetCount = lazyregexp.New(`^(\S.{0,60}?)\s*(?:[(\[]\s*(\d{1,4})\s*[)\]]|\s(\d{1,4}))$`)

// facet is what a tab or filter shows, and how many: "Engineering (8)". A number without brackets has an element of its own.
func (e *element) facet() (name string, n int) {
	if !e.own && len(e.kids) == 0 || e.longer(70) || !e.shows() || !hasDigit(e.visibleText()) || len(e.kids) > 3 {
		return "", 0
	}
	bare := false
	for _, k := range e.kids {
		if name, _ := k.facet(); name != "" {
			return "", 0
		}
		text := k.visibleText()
		bare = bare || text != "" && len(text) <= 4 && len(numbersIn(text)) == 1 && strings.Trim(text, "0123456789") == ""
	}
	return facetIn(e.visibleText(), bare)
}

func facetIn(text string, bare bool) (name string, n int) {
	m := facetCount.FindStringSubmatch(text)
	if m == nil || m[3] != "" && !bare || hasDigit(m[1]) {
		return "", 0
	}
	return m[1], number(m[2] + m[3])
}

// saysAll reports whether a folded text begins with a word for all of something.
func saysAll(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return allWords()[first]
}

var allWords = sync.OnceValue(func() map[string]bool {
	all := make(map[string]bool)
	for phrase := range phrasesIn(linesOf([]string{"statement all"})) {
		first, _, _ := strings.Cut(Fold(phrase), " ")
		all[strings.TrimSuffix(first, "*")] = true
	}
	return all
})

// notice is what a page may say of its list, and what that means.
type notice struct {
	says   *match.Pattern
	means  Trouble
	ofSite bool // only if it names the site too: "maintenance" alone is a trade
}

var (
	asksToSignIn      = Trouble{cause.SignIn, "the page asks to sign in to see all roles"}
	underMaintenance  = Trouble{cause.Maintenance, "the page says that the site is under maintenance"}
	saysNoneShowsSome = Trouble{cause.Unsure, "the page says that there are no roles, but shows what looks like some"}
	filterIsSet       = Trouble{cause.Truncated, "a filter is set on the page, so it may not show all roles"}

	partShown   = sayings("part shown")
	membersOnly = sayings("members")
	captcha     = sayings("captcha")
	filterSet   = sayings("filter set")
	siteWord    = sayings("site")
	away        = sayings("away")
)

func notices() [6]notice {
	return [...]notice{
		{maintenance, underMaintenance, true},
		{brokenList, Trouble{cause.ListError, "the page says that a part of its list could not be loaded"}, false},
		{partShown, Trouble{cause.Truncated, "the page says that it may not show all roles"}, false},
		{membersOnly, asksToSignIn, false},
		{captcha, Trouble{cause.Wall, "the page shows a captcha"}, false},
		{filterSet, filterIsSet, false},
	}
}

// excused reports whether the statement that there are no roles stands beside a reason why there may be some at another time:
// holidays, or a fault.
func (d *Document) excused() bool {
	e := d.noneSaid()
	if e == nil {
		return false
	}
	if p := e.parent; p != nil && !p.longer(longestNotice*2) {
		e = p
	}
	text := e.foldedOnce()
	return away.MatchString(text) || maintenance.MatchString(text) || brokenList.MatchString(text)
}
