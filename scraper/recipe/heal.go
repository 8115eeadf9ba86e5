package recipe

import (
	"slices"

	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// Bounds of healing.
const (
	// leastKnown is how many known roles have to be found again: one title alone may stand anywhere.
	leastKnown = 2
	maxPairs   = 6
)

// Heal makes a recipe anew that no longer fits its page, from the titles of roles that are known to be on the board. At least
// half of them, and two, have to be found in one list of the page, and not in a second one beside it. ok is false otherwise.
func (r Recipe) Heal(d *page.Document, v page.Visit, titles []string) (healed Recipe, l page.List, ok bool) {
	known := folds(titles)
	p := parse(d, r.Hidden)
	there := newLook(p).known(known)
	if len(there) < leastKnown || len(there)*2 < len(known) {
		return Recipe{}, page.List{}, false
	}
	most := 0
	for i := range there[:min(len(there)-1, maxPairs)] {
		made, list, err := Make(d, v, Examples{Like: there[i : i+2], Not: r.notOf(there)})
		if err != nil || !list.Reading.Health.Read() {
			continue
		}
		if n := len(covered(list, known)); n > most {
			healed, l, most = made, list, n
		}
	}
	if most < leastKnown || most*2 < len(known) || healed.Data == nil && healed.stands(d, known) {
		return Recipe{}, page.List{}, false
	}
	healed.Browser = r.Browser
	return healed, l, true
}

// notOf are the titles that are no roles, without those that are.
func (r Recipe) notOf(roles []string) []string {
	is := folds(roles)
	return slices.DeleteFunc(slices.Clone(r.Not), func(title string) bool { return is[keyOf(title)] })
}

// known are the texts on the page that are titles of known roles, in the order of the page.
func (l *look) known(titles map[string]bool) []string {
	var there []string
	seen := make(map[string]bool)
	for _, e := range l.all {
		if titles[e.key] && !seen[e.key] && !e.chrome {
			seen[e.key] = true
			there = append(there, e.text)
		}
	}
	return there[:min(len(there), maxExamples)]
}

// covered are the known titles in a list.
func covered(l page.List, known map[string]bool) map[string]bool {
	found := make(map[string]bool)
	for _, p := range l.Reading.Postings {
		if key := keyOf(p.Title); known[key] {
			found[key] = true
		}
	}
	return found
}

// stands reports whether half of the known titles stand on the page once more, outside the list that the recipe finds: then
// nobody can say which of the two is the list.
func (r Recipe) stands(d *page.Document, known map[string]bool) bool {
	p := parse(d, r.Hidden)
	s, err := compile("entry", r.Entry, true)
	if err != nil {
		return true
	}
	in, around := make(map[*html.Node]bool), make(map[*html.Node]bool) // elements of entries, and what holds one
	for _, e := range r.entries(p, s) {
		for _, n := range e.nodes {
			in[n] = true
			for ; n != nil && !around[n]; n = n.Parent {
				around[n] = true
			}
		}
	}
	outside := make(map[string]bool)
	for _, e := range newLook(p).all {
		if !known[e.key] || e.chrome || around[e.node] || isIn(e.node, in) {
			continue
		}
		outside[e.key] = true
	}
	return len(outside)*2 >= len(known)
}

// isIn reports whether an element is one of some, or in one of them.
func isIn(n *html.Node, of map[*html.Node]bool) bool {
	for n != nil && !of[n] {
		n = n.Parent
	}
	return n != nil
}

// Unseen are the titles of known roles that a reading by the recipe does not have, without those that it says are none.
func (r Recipe) Unseen(known []string, reading boardwatch.Reading) []string {
	found := folds(r.Not)
	for _, p := range reading.Postings {
		found[keyOf(p.Title)] = true
	}
	return slices.DeleteFunc(slices.Clone(known), func(title string) bool { return found[keyOf(title)] })
}
