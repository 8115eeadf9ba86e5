package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// SaysNone reports whether the page says in words of its own that there are no open roles: visibly, about all of them,
// not about a search.
func (d *Document) SaysNone() bool { return d.noneSaid() != nil }

// saysNoneOver reports whether the page says so above what was found, and not only under the heading of another part. Below a list it
// means that these are all.
func (d *Document) saysNoneOver(found []*candidate) bool {
	e := d.noneSaid()
	if e == nil || e.index > found[0].element.index {
		return false
	}
	said := d.sections().at(e)
	for s := found[0].section; s != said; s = s.parent {
		if s == nil {
			return false
		}
	}
	return true
}

// closedAll reports whether the page says in its section of open roles that there are none, while what was found stands
// elsewhere: an archive.
func (d *Document) closedAll(found []*candidate) bool {
	for _, c := range found {
		if c.section.about() == open {
			return false
		}
	}
	if len(found) == 0 {
		return false
	}
	e := d.noneSaid()
	return e != nil && d.sections().at(e).about() == open
}

func (d *Document) findNone() *element {
	nameAt := d.atName()
	heard := make(map[string]bool) // texts that do not say so: cards of roles repeat many
	var above, last *element
	for _, e := range d.within(d.body) {
		if !e.own || e.hidden || e.chrome || e.scripted {
			continue
		}
		above, last = last, e
		text := e.visibleText()
		if n := len(text); n < 4 || n > 2000 || e.phrase != nil && !e.phrase.negates() {
			continue
		}
		if d.isEmptyListOfOpenings(e) {
			return e
		}
		if heard[text] {
			continue
		}
		if folded := e.foldedOnce(); negations().MatchString(folded) {
			from := source{nameAt: nameAt, heading: d.onlyHeading(above), entry: e.isEntry()}
			if deniesInSentence(folded, from) && !others.MatchString(folded) && e.speaksForItself(from) {
				return e
			}
		}
		heard[text] = true
	}
	return nil
}

// others matches what is said about all roles but some: "there are no other openings".
var others = sayings("other roles")

// speaksForItself reports whether a denial in e is no part of a text that denies nothing: the state in the row of one role.
func (e *element) speaksForItself(from source) bool {
	return !isInline(e.tag) || !e.parent.own || deniesInSentence(e.parent.foldedOnce(), from)
}

// foldedOnce is the folded text of an element that perhaps nobody else asks about.
func (e *element) foldedOnce() string {
	if e.phrase != nil {
		return e.phrase.folded
	}
	return Fold(e.visibleText())
}

// isEntry reports whether e is part of a list, a table or a link, as what is said about one role is.
func (e *element) isEntry() bool {
	return e.closest(atom.Li) != nil || e.closest(atom.Td) != nil || e.closest(atom.A) != nil
}

// onlyHeading are the words of e when it is a heading of openings, and no other part of the page is about openings: under one of
// several such headings, the same words say that there are none of one kind.
func (d *Document) onlyHeading(e *element) []string {
	if e == nil {
		return nil
	}
	if own := d.sections().onlyOpenings(); own != nil && own.element.contains(e) {
		return Words(own.element.folded())
	}
	return nil
}

// onlyOpenings is the section of openings that is a part of all others, and whose heading is a part of none of theirs; nil when there is
// none.
func (o *outline) onlyOpenings() *section {
	if o.asked {
		return o.only
	}
	o.asked = true
	around := make(map[*section]bool)
	for _, s := range o.sections {
		if s.kind == open {
			o.only, around[s] = s, true
		}
	}
	if o.only == nil {
		return nil
	}
	parts := 0
	for s := o.only; s != nil; s = s.parent {
		countIf(&parts, around[s])
		if s != o.only && around[s] && s.element.contains(o.only.element) {
			parts = -1
			break
		}
	}
	if parts != len(around) {
		o.only = nil
	}
	return o.only
}

// isEmptyListOfOpenings reports whether e is what a system shows in place of the entries of a list without any, in whatever words, under a
// heading of openings. A page with entries of such a list says nothing by it: one of its lists may have all roles.
func (d *Document) isEmptyListOfOpenings(e *element) bool {
	if (e.named|e.parent.named)&emptyListName == 0 || !e.said().negates() || d.sections().at(e).about() != open {
		return false
	}
	for _, c := range d.classes {
		if c.facts&listItemName != 0 {
			return false
		}
	}
	return true
}

// ownNames are the names under which the site goes, as words: that of its domain, and the parts of the page's title.
func (d *Document) ownNames() (names [][]string) {
	names = append(names, Words(Fold(SiteLabel(d.Base))))
	for _, name := range d.OwnNames(Statement{}) {
		names = append(names, Words(Fold(name)))
	}
	return names
}

// atName finds the names at the beginning of words: how many words the longest one has.
func (d *Document) atName() func(words []string) int {
	var names [][]string
	return func(words []string) (longest int) {
		if names == nil {
			names = d.ownNames()
		}
		for _, name := range names {
			if n := len(name); n > longest && n <= len(words) && slices.Equal(words[:n], name) {
				longest = n
			}
		}
		return longest
	}
}

// deniesInSentence reports whether a sentence of a folded text that negates something says that there are no open roles, and does
// not ask.
func deniesInSentence(text string, from source) bool {
	for rest := text; rest != ""; {
		var sentence string
		var asks bool
		if sentence, rest, asks = cutSentence(rest); !asks && deniesRolesAt(sentence, from) {
			return true
		}
	}
	return false
}

// cutSentence is the first sentence of a text, whether it is a question, and what follows it.
func cutSentence(text string) (sentence, rest string, asks bool) {
	end := strings.IndexFunc(text, partsSentences)
	if end < 0 {
		return strings.TrimSpace(text), "", false
	}
	rest = strings.TrimLeftFunc(text[end:], partsSentences)
	return strings.TrimSpace(text[:end]), rest, strings.ContainsAny(text[end:len(text)-len(rest)], "?？")
}

func partsSentences(r rune) bool { return strings.ContainsRune(".!?。！？\n", r) }
