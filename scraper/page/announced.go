package page

import (
	"slices"

	"golang.org/x/net/html/atom"
)

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
