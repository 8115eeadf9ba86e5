package page

import "strings"

// SaysNone reports whether the page says in words of its own that there are no open roles: visibly, about all of them,
// not about a search.
func (d *Document) SaysNone() bool { return d.noneSaid() != nil }

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

// noneSaid is the element that says that there are no open roles; nil when none does.
func (d *Document) noneSaid() *element {
	if !d.listened {
		d.none, d.listened = d.findNone(), true
	}
	return d.none
}

func (d *Document) findNone() *element {
	heard := make(map[string]bool) // texts that do not say so: cards of roles repeat many
	for _, e := range d.within(d.body) {
		if !e.own || e.hidden || e.chrome || e.scripted {
			continue
		}
		text := e.visibleText()
		if n := len(text); n < 4 || n > 2000 || e.phrase != nil && !e.phrase.negates() {
			continue
		}
		if d.isEmptyListOfOpenings(e) || !heard[text] && deniesInSentence(Fold(text)) {
			return e
		}
		heard[text] = true
	}
	return nil
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

// deniesInSentence reports whether a sentence of a folded text says that there are no open roles, and does not ask.
func deniesInSentence(text string) bool {
	if !negations.MatchString(text) {
		return false
	}
	for rest := text; rest != ""; {
		var sentence string
		var asks bool
		if sentence, rest, asks = cutSentence(rest); !asks && deniesRoles(sentence) {
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

func partsSentences(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '！', '？', '\n':
		return true
	}
	return false
}
