package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// shellText is the length of visible text under which a page with scripts is only the frame of one.
const shellText = 200

// isShell reports whether the page is the frame of an application that is rendered by JavaScript.
func (d *Document) isShell() bool {
	scripts := false
	for _, e := range d.all() {
		scripts = scripts || e.tag == atom.Script && !strings.Contains(attr(e.node, "type"), "json")
	}
	if !scripts {
		return false
	}
	if utf8.RuneCountInString(d.mainText()) >= shellText {
		return false
	}
	return !d.SaysNone() || slices.ContainsFunc(d.all(), (*element).isEmptyMount)
}

// isEmptyMount reports whether nothing is rendered yet where an application is.
func (e *element) isEmptyMount() bool { return isMount(e) && !e.longer(40) }

// mayBeFilled reports whether a script may put a list of roles on the page, though the page has text of its own: somewhere on it stands
// an empty place for an application, or a sign that something is loaded.
func (d *Document) mayBeFilled() bool {
	return len(d.scripts) > 0 && slices.ContainsFunc(d.within(d.body), func(e *element) bool { return !e.chrome && (e.isEmptyMount() || e.isWaiting()) })
}

// isWaiting reports whether an element says that something is being loaded.
func (e *element) isWaiting() bool {
	return e.named&waitingName != 0 || e.with&busyAttribute != 0 && attr(e.node, "aria-busy") == "true"
}

// isInList reports whether an element stands where openings are announced, or in what is called a list of them.
func (e *element) isInList() bool {
	if e.page.sections().at(e).about() == open {
		return true
	}
	for p, steps := e.parent, 0; p != nil && p.tag != atom.Body && steps < 3; p, steps = p.parent, steps+1 {
		if p.has(jobName) {
			return true
		}
	}
	return e.has(jobName)
}

// isMount reports whether an element is where an application is rendered.
func isMount(e *element) bool {
	switch attr(e.node, "id") {
	case "root", "app", "__next", "__nuxt", "main-app", "svelte", "react-root", "app-root", "ember-app", "gatsby-focus-wrapper":
		return true
	}
	return e.node.Data == "app-root" || hasAttr(e.node, "ng-app") || hasAttr(e.node, "data-reactroot")
}

// hasEmptyList reports whether the page has a place for a list of roles that is empty, or a template not filled in.
func (d *Document) hasEmptyList() bool {
	for _, e := range d.within(d.body) {
		if !e.chrome && (e.tag == atom.Tbody && e.visibleText() == "" && !e.hidden || e.isEmptyList() || e.isWaiting() && e.isInList() || e.holdsTemplate()) {
			return true
		}
	}
	return false
}

// isEmptyList reports whether the element is called a list of roles, and empty.
func (e *element) isEmptyList() bool {
	switch e.tag {
	case atom.Div, atom.Ul, atom.Ol, atom.Section, atom.Table:
		return !e.hidden && e.visibleText() == "" && len(e.kids) < 3 && e.has(jobName) && e.below(atom.Img) == nil && e.below(atom.A) == nil && e.below(atom.Input) == nil
	}
	return false
}

// holdsTemplate reports whether the element shows the name of what a script is to put in its place.
func (e *element) holdsTemplate() bool {
	return e.own && len(e.visibleText()) < 200 && strings.Contains(e.visibleText(), "{{")
}

// isUnfilled reports whether a script is still to fill the page, so that the sentence that there are no roles is what it
// begins with: a template stands there, or an empty list under another heading than the sentence.
func (d *Document) isUnfilled() bool {
	sections := d.sections()
	said := sections.at(d.noneSaid())
	for _, e := range d.within(d.body) {
		if e.chrome || e.hidden {
			continue
		}
		if e.holdsTemplate() {
			return true
		}
		if at := sections.at(e); at != nil && said != nil && at != said && at.level == said.level && e.isEmptyList() {
			return true
		}
	}
	return false
}

var (
	waiting   = set(`skeleton spinner loader loading shimmer`)
	skeletons = set(`skeleton shimmer`)
)
