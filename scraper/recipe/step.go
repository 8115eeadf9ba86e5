package recipe

import (
	"slices"
	"strconv"
	"strings"
)

// step is one compound selector: a tag, an id, classes, or, where nothing else tells columns apart, a position.
type step struct {
	tag     string
	id      string
	classes []string
	nth     int // among the siblings, beginning with 1; 0 for any
}

func (s step) matches(e *place) bool {
	if s.tag != "" && s.tag != e.tag || s.id != "" && s.id != e.id || s.nth > 0 && s.nth != e.nth {
		return false
	}
	for _, c := range s.classes {
		if !slices.Contains(e.classes, c) {
			return false
		}
	}
	return true
}

func (s step) String() string {
	var b strings.Builder
	b.WriteString(s.tag)
	if s.id != "" {
		b.WriteString("#" + s.id)
	}
	for _, c := range s.classes {
		b.WriteString("." + c)
	}
	if s.nth > 0 {
		b.WriteString(":nth-child(" + strconv.Itoa(s.nth) + ")")
	}
	return b.String()
}

// named reports whether the step names more than a tag.
func (s step) named() bool { return s.id != "" || len(s.classes) > 0 }

// cost is how little the step is worth keeping: names that a program made may be others tomorrow, and every part more is one
// that may change.
func (s step) cost() int {
	cost := 1
	if s.id != "" {
		cost++
		if isMade(s.id) {
			cost += 6
		}
	}
	for _, c := range s.classes {
		cost++
		if isMade(c) {
			cost += 6
		}
	}
	if s.tag == "" {
		cost++
	}
	if s.nth > 0 {
		cost += 5
	}
	return cost
}

// trail selects elements by where they stand: within an element that matches context, the last of steps, each the child of
// the one before.
type trail struct {
	context step // the zero value is anywhere
	steps   []step
}

func (t trail) String() string {
	parts := make([]string, len(t.steps))
	for i, s := range t.steps {
		parts[i] = s.String()
	}
	text := strings.Join(parts, " > ")
	if c := t.context.String(); c != "" {
		text = c + " " + text
	}
	return text
}

func (t trail) matches(e *place) bool {
	for _, step := range slices.Backward(t.steps) {
		if e == nil || !step.matches(e) {
			return false
		}
		e = e.parent
	}
	if t.context.tag == "" && !t.context.named() {
		return true
	}
	for ; e != nil; e = e.parent {
		if t.context.matches(e) {
			return true
		}
	}
	return false
}

// cost is how likely the trail is to lead nowhere, or too far, when the page changes a little.
func (t trail) cost() int {
	cost, named := 0, t.context.named()
	for _, s := range t.steps {
		cost += s.cost() + 1
		named = named || s.named()
	}
	if t.context.tag != "" || t.context.named() {
		cost += t.context.cost()
	}
	if !named {
		cost += 4 // a bare tag is found in many places
	}
	return cost
}

// isColumn reports whether the elements of a tag may be told apart by nothing but their position: the cells of a row.
func isColumn(tag string) bool {
	return tag == "td" || tag == "th" || tag == "div" || tag == "span" || tag == "p"
}

// isLandmark reports whether a tag says by itself what part of a page an element is.
func isLandmark(tag string) bool {
	switch tag {
	case "main", "article", "section", "table", "tbody", "ul", "ol", "dl", "form", "aside":
		return true
	}
	return false
}

// Bounds of how many ways to select an element are tried.
const (
	maxSteps   = 4
	maxContext = 14
	maxClasses = 5
)

// optionsOf are the steps that match an element, from the widest on.
func optionsOf(e *place) []step {
	options := []step{{tag: e.tag}}
	for _, c := range e.classes[:min(len(e.classes), maxClasses)] {
		options = append(options, step{tag: e.tag, classes: []string{c}})
	}
	if len(e.classes) > 1 {
		options = append(options, step{tag: e.tag, classes: e.classes})
	}
	return options
}

// trailsTo are the ways to select an element and those like it.
func trailsTo(e *place) []trail {
	var near [][]step
	for _, last := range optionsOf(e) {
		near = append(near, []step{last})
	}
	for _, c := range e.classes[:min(len(e.classes), maxClasses)] {
		near = append(near, []step{{classes: []string{c}}})
	}
	bare := [3][]step{{{tag: e.tag}}, {{tag: e.tag, classes: e.classes}}, {{tag: e.tag, nth: e.nth}}}
	for n, top := 1, e.parent; n < maxSteps && top != nil; n, top = n+1, top.parent {
		for i := range bare {
			if i == 1 && len(e.classes) == 0 || i == 2 && (len(e.classes) > 0 || !isColumn(e.tag)) {
				continue
			}
			for _, first := range optionsOf(top) {
				near = append(near, append([]step{first}, bare[i]...))
			}
			bare[i] = append([]step{{tag: top.tag}}, bare[i]...)
		}
	}
	contexts := contextsOf(e)
	trails := make([]trail, 0, len(near)*(1+len(contexts)))
	for _, steps := range near {
		trails = append(trails, trail{steps: steps})
		for _, c := range contexts {
			if c.above >= len(steps) {
				trails = append(trails, trail{c.step, steps})
			}
		}
	}
	return trails
}

// context is an element that something stands in.
type context struct {
	step

	above int // how many steps above it
}

func contextsOf(e *place) []context {
	var found []context
	above := 1
	for a := e.parent; a != nil && above <= maxContext; a, above = a.parent, above+1 {
		if a.id != "" {
			found = append(found, context{step{tag: a.tag, id: a.id}, above})
		}
		for _, c := range a.classes[:min(len(a.classes), maxClasses)] {
			found = append(found, context{step{tag: a.tag, classes: []string{c}}, above})
		}
		if isLandmark(a.tag) {
			found = append(found, context{step{tag: a.tag}, above})
		}
	}
	return found
}
