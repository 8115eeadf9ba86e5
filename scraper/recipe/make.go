package recipe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// Examples are what somebody has seen on a page.
type Examples struct {
	Like []string // titles of roles that stand on it now
	Not  []string // titles that are no roles, though they may look like some
}

// Limits of examples.
const (
	maxExamples = 50
	// maxSightings is how many places of one example are looked at.
	maxSightings = 6
)

// ExampleError says what is wrong with examples.
type ExampleError struct {
	Missing []string // those that do not stand on the page
	problem string
}

// Error is a whole sentence without its full stop.
func (e *ExampleError) Error() string {
	switch len(e.Missing) {
	case 0:
		return e.problem
	case 1:
		return fmt.Sprintf("the title %q does not stand on the page", e.Missing[0])
	}
	return fmt.Sprintf("the titles %q do not stand on the page", e.Missing)
}

// Cause is the same as one of the set: the page is not what the person saw, or can be read in more than one way.
func (e *ExampleError) Cause() cause.Cause {
	if len(e.Missing) > 0 {
		return cause.NoList
	}
	return cause.Unsure
}

// Check reports what is wrong with the examples by themselves, as an *ExampleError.
func (x Examples) Check() error {
	switch {
	case len(x.Like) == 0:
		return &ExampleError{problem: "give at least one title that stands on the page"}
	case len(x.Like)+len(x.Not) > maxExamples:
		return &ExampleError{problem: fmt.Sprintf("give at most %d titles", maxExamples)}
	}
	not := folds(x.Not)
	for _, title := range slices.Concat(x.Like, x.Not) {
		if strings.TrimSpace(title) == "" || len(title) > maxText {
			return &ExampleError{problem: "a title must not be empty or longer than 300 bytes"}
		}
	}
	for _, title := range x.Like {
		if not[keyOf(title)] {
			return &ExampleError{problem: fmt.Sprintf("the title %q cannot be a role and none", title)}
		}
	}
	return nil
}

// Make makes a recipe that finds the examples on the page, and what is made like them. Its errors are of the type
// *ExampleError.
func Make(d *page.Document, v page.Visit, x Examples) (Recipe, page.List, error) {
	if err := x.Check(); err != nil {
		return Recipe{}, page.List{}, err
	}
	var missing []string
	for _, hidden := range [...]bool{false, true} {
		l := newLook(parse(d, hidden))
		var sets []set
		if sets, missing = l.setsOf(x); len(missing) > 0 {
			continue
		}
		for _, s := range sets {
			r, ok := l.recipe(s, x)
			if !ok {
				continue
			}
			if r, l, ok := firstThatFits([]Recipe{r}, d, v, x); ok {
				return r, l, nil
			}
		}
	}
	if r, l, ok := firstThatFits(fromValues(valuesOf(d, v), x), d, v, x); ok {
		return r, l, nil
	}
	if len(missing) > 0 {
		return Recipe{}, page.List{}, &ExampleError{Missing: missing}
	}
	return Recipe{}, page.List{}, &ExampleError{problem: "nothing on the page that holds all these titles has one form: give fewer titles, or other ones"}
}

// firstThatFits is the first recipe by which the page shows what the examples say.
func firstThatFits(made []Recipe, d *page.Document, v page.Visit, x Examples) (Recipe, page.List, bool) {
	for _, r := range made {
		if r.Validate() != nil {
			continue
		}
		if l := r.Read(d, v); x.fit(l.Reading) {
			return r, l, true
		}
	}
	return Recipe{}, page.List{}, false
}

// fit reports whether a reading has all titles that it is to have, and none of those that are no roles.
func (x Examples) fit(r boardwatch.Reading) bool {
	found := make(map[string]bool, len(r.Postings))
	for _, p := range r.Postings {
		found[keyOf(p.Title)] = true
	}
	for _, title := range x.Like {
		if !found[keyOf(title)] {
			return false
		}
	}
	for _, title := range x.Not {
		if found[keyOf(title)] {
			return false
		}
	}
	return true
}

// sighting is one place at which an example stands.
type sighting struct {
	*place

	example string
	exact   bool // the place holds nothing else
}

// setsOf are the sets of what the page shows that hold the examples, the best first. missing are examples that do not stand on
// it.
func (l *look) setsOf(x Examples) (sets []set, missing []string) {
	seen := make([][]sighting, len(x.Like))
	for i, title := range x.Like {
		exact, holding := l.finds(title)
		for _, e := range l.best(exact) {
			seen[i] = append(seen[i], sighting{e, title, true})
		}
		if len(exact) == 0 {
			for _, e := range closest(l.best(holding)) {
				seen[i] = append(seen[i], sighting{e, title, false})
			}
		}
		if len(seen[i]) == 0 {
			missing = append(missing, title)
		}
	}
	if len(missing) > 0 {
		return nil, missing
	}
	return l.sets(seen, x), nil
}

// best are the places of an example at which a role may stand: not in the navigation, where it stands elsewhere too.
func (l *look) best(places []*place) []*place {
	own := slices.DeleteFunc(slices.Clone(places), func(e *place) bool { return e.chrome && l.tree.Level(e.node) == 0 })
	if len(own) == 0 {
		own = places
	}
	slices.SortStableFunc(own, func(a, b *place) int { return cmp.Or(l.doubt(a)-l.doubt(b), len(a.folded)-len(b.folded)) })
	return own[:min(len(own), maxSightings)]
}

// closest are those of some places that hold little more than the shortest does.
func closest(places []*place) []*place {
	if len(places) == 0 {
		return nil
	}
	shortest := slices.MinFunc(places, func(a, b *place) int { return len(a.folded) - len(b.folded) })
	return slices.DeleteFunc(places, func(e *place) bool { return len(e.folded)*2 > len(shortest.folded)*3 })
}

// doubt orders places: what stands in a part of the page about something else comes last, and a heading before other texts.
func (l *look) doubt(e *place) int {
	doubt := 0
	if l.tree.OtherMatter(e.node) {
		doubt += 2
	}
	if l.tree.Level(e.node) == 0 {
		doubt++
	}
	return doubt
}

// Standing are those of some titles that stand on a line of a page, word for word, each once.
func Standing(lines, titles []string) []string {
	var there []string
	seen := make(map[string]bool)
	for _, title := range titles {
		text := strings.Join(strings.Fields(title), " ")
		lower := strings.ToLower(text)
		if key := keyOf(text); key != "" && !seen[key] && slices.ContainsFunc(lines, func(line string) bool { return holds(strings.ToLower(line), lower) }) {
			seen[key] = true
			there = append(there, text)
		}
	}
	return there[:min(len(there), maxExamples)]
}
