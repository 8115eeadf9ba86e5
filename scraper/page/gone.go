package page

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/match"
)

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

// isAboutAnother reports whether e stands beside the name of another role than this one, or under it as a heading: pages of
// roles list similar ones.
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
