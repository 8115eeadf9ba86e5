package page

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/match"
)

var (
	// closedMark is what a card says whose role is no longer open.
	closedMark = sayings("closed")

	// dateOfClosing is the date behind such a mark, from its first digit on: "14 june 2025", "14, 2025" behind a month, "2025-06-14".
	dateOfClosing = match.New(`^(?:\d{1,2}\D{1,15}){0,2}20\d\d\W*$|^20\d\d\D\d{1,2}\D\d{1,2}\D?$`)

	// furtherPlaces is the end of a place that counts those which are not shown: "Berlin +2 more".
	furtherPlaces = lazyregexp.Of(func() string {
		return `(?i)[\s,;|•·–-]*(?:\(?\+\s?\d{1,3}(?:\s` + oneOf("further places", "place noun") + `){0,2}\)?|\s(?:&|` + oneOf("and") + `)\s\d{1,3}\s` + oneOf("further places") + `(?:\s\p{L}+)?)$`
	})
)

// isClosed reports whether the candidate's card says that the role is no longer open.
func (d *Document) isClosed(c *candidate) bool {
	return d.closedMark(c) != nil || c.saysClosed() || c.isNamedClosed()
}

// saysClosed reports whether the title itself says so, or is struck through.
func (c *candidate) saysClosed() bool {
	return c.element.page.phraseOf(c.title).endsClosed() || c.isStruck()
}

// closedMark is what says so on the candidate's card; nil when nothing does.
func (d *Document) closedMark(c *candidate) *element {
	marks := d.closedMarks()
	first := sort.Search(len(marks), func(i int) bool { return marks[i].index >= c.card.from })
	for _, e := range marks[first:] {
		if e.index >= c.card.to {
			break
		}
		if !e.contains(c.element) && (!c.element.contains(e) || isBadge(e)) {
			return e
		}
	}
	return nil
}

func (d *Document) findClosedMarks() []*element {
	var marks []*element
	for _, e := range d.within(d.body) {
		if e.hidden || !e.own || e.longer(70) {
			continue
		}
		if said := e.said(); said.marksClosed() || said.endsClosed() {
			marks = append(marks, e)
		}
	}
	return marks
}

// saysClosedSince reports whether a folded text says since when a role is closed: "Filled 14 June 2025".
func saysClosedSince(folded string) bool {
	digit := strings.IndexAny(folded, "0123456789")
	if digit <= 0 || !dateOfClosing.MatchString(folded[digit:]) {
		return false
	}
	mark := strings.TrimFunc(folded[:digit], betweenMarkAndDate)
	for range wordsBeforeDate {
		if closedMark.MatchString(mark) {
			return true
		}
		at := strings.LastIndexByte(mark, ' ')
		if at < 0 {
			return false
		}
		mark = strings.TrimFunc(mark[:at], betweenMarkAndDate)
	}
	return closedMark.MatchString(mark)
}

// saysClosedNow reports whether a short folded text says that a role is closed at the moment, in whatever words a language has for
// that: "currently closed".
func saysClosedNow(folded string) bool {
	words := strings.FieldsFunc(folded, func(r rune) bool { return r == ' ' || marksOff(r) })
	if len(words) < 2 || len(words) > mostWordsNow {
		return false
	}
	for _, d := range denials() {
		if kept := d.withoutFillers(words); len(kept) > 0 && len(kept) < len(words) && closedMark.MatchString(together(kept)) {
			return true
		}
	}
	return false
}

// mostWordsNow is how many words such a text has at most.
const mostWordsNow = 5

// wordsBeforeDate is how many words may stand between such a mark and the first digit of the date: "on June".
const wordsBeforeDate = 2

func betweenMarkAndDate(r rune) bool { return r == ' ' || r == ',' || r == '-' || marksOff(r) }

// endsClosed reports whether a folded title begins or ends with the word that the role is closed: "Welder (filled)".
func endsClosed(folded string) bool {
	text := strings.TrimFunc(folded, func(r rune) bool { return r == ' ' || marksOff(r) })
	first, last := strings.IndexFunc(text, marksOff), strings.LastIndexFunc(text, marksOff)
	if at := strings.Index(text, " - "); at > 0 && (first < 0 || at < first) {
		first = at
	}
	if at := strings.LastIndex(text, " - "); at > last {
		last = at + 1
	}
	if first < 0 {
		return false
	}
	return closedMark.MatchString(strings.TrimSpace(text[:first])) || closedMark.MatchString(strings.TrimFunc(text[last:], func(r rune) bool { return r == ' ' || r == '-' || marksOff(r) }))
}

// marksOff reports whether a sign keeps apart what a title says of its role.
func marksOff(r rune) bool { return strings.ContainsRune("()[]|–—:*", r) }

// isStruck reports whether the title, or most of it, is struck through.
func (c *candidate) isStruck() bool {
	for e := c.element; e != nil && e.index >= c.card.from; e = e.parent {
		if e.strikes() {
			return true
		}
	}
	return 2*c.element.struckLength() > len(c.element.visibleText())
}

// struckLength is how much of the text inside e is struck through.
func (e *element) struckLength() int {
	n := 0
	for _, k := range e.kids {
		if k.strikes() {
			n += len(k.visibleText())
		} else {
			n += k.struckLength()
		}
	}
	return n
}

// strikes reports whether e shows its text struck through.
func (e *element) strikes() bool {
	switch e.tag {
	case atom.S, atom.Del, atom.Strike:
		return true
	}
	return e.named&struckName != 0
}

// namedClosed are the candidates whose class names say that the role is closed. If nearly all have such a class, it means collapsed
// panels, and there are none.
func (g *group) namedClosed() map[*candidate]bool {
	named := make(map[*candidate]bool)
	for _, c := range g.items {
		if c.isNamedClosed() {
			named[c] = true
		}
	}
	if len(named)+1 >= len(g.items) {
		return nil
	}
	return named
}

// isNamedClosed reports whether a class of the card, or of what is around its title, says that the role is closed. "Closed" alone
// is said of panels too.
func (c *candidate) isNamedClosed() bool {
	for e := c.element; e != nil && e.index >= c.card.from; e = e.parent {
		if e.named&closedName != 0 {
			return true
		}
	}
	return false
}

// namesClosed reports whether one class says so: "job-closed", "is-filled", "expired".
func namesClosed(class string) bool {
	closed, job := false, class == "filled" || class == "is-filled"
	eachWord(class, func(word string) bool {
		closed = closed || word == "closed" || word == "filled" || word == "archived" || word == "expired"
		job = job || word == "status" || word == "expired" || jobNames()[word]
		return false
	})
	return closed && job
}

// dropClosed removes the roles that the page calls closed from a group, and notes them.
func (g *group) dropClosed() {
	d := g.page
	named := g.namedClosed()
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		if c.section.about() == closed {
			d.closed = append(d.closed, c)
			return true
		}
		mark := d.closedMark(c)
		if mark == nil && (named[c] || c.saysClosed()) || mark != nil && c.callsClosed(mark) {
			d.closed = append(d.closed, c)
			return true
		}
		return mark != nil
	})
}

// withoutFurther removes the number of places that are not shown from the end of a place: "Berlin +2 more".
func withoutFurther(place string) string {
	if !strings.ContainsAny(place, "0123456789") {
		return place
	}
	if at := furtherPlaces.FindStringIndex(place); at != nil && at[0] > 0 {
		return place[:at[0]]
	}
	return place
}

var (
	// roleGone matches what the page of a role says once the role is closed.
	roleGone = sayings("gone")

	// goneIn is the same by language.
	goneIn = sync.OnceValue(func() (all []farewell) {
		for _, words := range languages() {
			all = append(all, farewell{patternOf(words["gone"]), patternOf(words["gone unless"])})
		}
		return all
	})
)

// farewell is how one language says that a role is no longer open, and what makes it a condition if it stands before that:
// "until the position has been filled".
type farewell struct{ says, unless *match.Pattern }

// SaysGone reports whether the page says that the role with this title is no longer open, or that there is no such page.
func (d *Document) SaysGone(title string) bool {
	if d.says(missing) || saysGone(Fold(d.title)) {
		return true
	}
	styledAway := sync.OnceValue(d.styledAway)
	for _, e := range d.within(d.body) {
		if e.own && !e.hidden && !e.chrome && !e.scripted && !e.longer(300) && saysGone(e.foldedOnce()) && !e.isAboutAnother(title) && !e.isNamed(styledAway()) {
			return true
		}
	}
	return false
}

// hidingRule matches a rule of a style sheet that hides what has a class or an id.
var hidingRule = lazyregexp.New(`[.#]([\w-]+)\s*\{[^{}]*display:\s*none`)

// styledAway are the classes and ids that a style sheet in the page hides, as sites do with a notice that a script is to show.
func (d *Document) styledAway() map[string]bool {
	names := make(map[string]bool)
	for _, e := range d.all() {
		if e.tag == atom.Style {
			for _, rule := range hidingRule.FindAllStringSubmatch(rawText(e.node), -1) {
				names[rule[1]] = true
			}
		}
	}
	return names
}

// isNamed reports whether e, or what it stands in, has one of these classes or ids.
func (e *element) isNamed(names map[string]bool) bool {
	for ; e != nil && len(names) > 0; e = e.parent {
		if names[attr(e.node, "id")] || slices.ContainsFunc(strings.Fields(attr(e.node, "class")), func(c string) bool { return names[c] }) {
			return true
		}
	}
	return false
}

// saysGone reports whether a sentence of a folded text says that a role is no longer open.
func saysGone(text string) bool {
	if !roleGone.MatchString(text) {
		return false
	}
	for rest := text; rest != ""; {
		var sentence string
		var asks bool
		if sentence, rest, asks = cutSentence(rest); asks {
			continue
		}
		for _, c := range goneIn() {
			if at := c.says.Find(sentence); at != nil && !c.unless.MatchString(sentence[:strings.Index(sentence, at[0])+len(at[0])]) {
				return true
			}
		}
	}
	return false
}

// isAboutAnother reports whether e stands beside or under the name of another role: pages of roles list similar ones.
func (e *element) isAboutAnother(title string) bool {
	title = Fold(title)
	other := func(o *element) bool {
		return o.own && !o.hidden && !o.longer(100) && o.said().namesRole() && !saysGone(o.folded()) && !strings.Contains(title, o.folded())
	}
	for p := e.parent; p != nil && !p.longer(300); p = p.parent {
		if strings.Contains(p.folded(), title) {
			return false
		}
		if slices.ContainsFunc(e.page.within(p), func(o *element) bool { return !o.contains(e) && other(o) }) {
			return true
		}
	}
	for s := e.page.sections().at(e); s != nil && s.level > 1; s = s.parent {
		if strings.Contains(s.element.folded(), title) {
			return false
		}
		if other(s.element) {
			return true
		}
	}
	return false
}
