package scraper

import (
	"context"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Teacher guesses which lines of a page are titles of open roles. Package teacher has one.
type Teacher interface {
	// Titles are titles among the lines of a page. They need not be right: the scraper believes only what stands on the page.
	Titles(ctx context.Context, lines []string) ([]string, error)
}

// minTaught is how many bytes of text make a page one with content. What a server says in place of a page, or a page says before its
// scripts have run, is shorter.
const minTaught = 80

// baffles reports whether a reading is one that somebody else may understand better: the page was had, and no list was
// found in it, or none that is surely the right one.
func baffles(r boardwatch.Reading) bool {
	return r.Cause == cause.NoList || r.Cause == cause.Unsure && r.Health != boardwatch.HealthOK
}

// askTeacher has the teacher look at a page that the reading did not understand, once for each form of the page. The reading
// stays when that brings nothing; what the teacher has shown may find roles, and closes none before a second reading has
// confirmed it.
func (s *Scraper) askTeacher(
	ctx context.Context, client *outbound.Client, place string, b boardwatch.Board, r boardwatch.Reading,
) (boardwatch.Reading, error) {
	if s.teacher == nil || !baffles(r) {
		return r, nil
	}
	f, err := s.contentOf(ctx, client, place, b.State.Access)
	if err != nil || f == nil {
		return r, err
	}
	form := f.doc.Form()
	if form == b.State.Taught {
		return r, nil
	}
	r.Taught = form
	by, err := s.guess(ctx, f)
	if err != nil || by == nil {
		return r, err
	}
	f.by, f.once = by, nil
	shown, err := s.readOnByRecipe(ctx, client, f)
	if err != nil || !shown.Health.Read() {
		return r, err
	}
	shown.Recipe, shown.Taught = by.String(), form
	shown.Health, shown.Cause = boardwatch.HealthPartial, cause.Unsure
	shown.Reason = "a language model has named the roles; the next reading has to confirm them"
	return shown, nil
}

// contentOf is a page that has text to be understood, as it is sent or as a browser shows it; nil when there is none.
func (s *Scraper) contentOf(ctx context.Context, client *outbound.Client, place string, a boardwatch.Access) (*fetched, error) {
	at, err := url.Parse(place)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // there is no page
	}
	f, fault, err := s.fetch(ctx, client, at)
	if err != nil {
		return nil, err
	}
	if fault == nil && f.hasContent() {
		return f, nil
	}
	if s.browser == nil || s.browserMode == BrowserNever || fault != nil {
		return nil, nil //nolint:nilnil // there is no page
	}
	f, _, err = s.render(ctx, at, a, boardwatch.Failed(cause.NeedsBrowser, ""), nil)
	if err != nil || f == nil || !f.hasContent() {
		return nil, err
	}
	return f, nil
}

// hasContent reports whether a page has text of its own, and is no word in place of the page.
func (f *fetched) hasContent() bool {
	return len(strings.Join(f.doc.Lines(), "\n")) >= minTaught && !f.isWord(boardwatch.Reading{}) && f.wall() == nil
}

// guess makes a recipe of what the teacher names; nil when that is not borne out. Most of it has to stand on the page, all of
// that in one list, and at least half of the list has to read like names of roles: nobody looks at it before it counts.
func (s *Scraper) guess(ctx context.Context, f *fetched) (*recipe.Recipe, error) {
	lines := f.doc.Lines()
	f.shut(ctx) // others may read meanwhile
	named, err := s.teacher.Titles(ctx, lines)
	if err != nil {
		s.step("the teacher did not answer: %v", err)
		return nil, context.Cause(ctx)
	}
	there := recipe.Standing(lines, named)
	s.step("the teacher names %d titles, of which %d stand on the page", len(named), len(there))
	if len(there) == 0 || len(there)*2 <= len(named) {
		return nil, nil //nolint:nilnil // no recipe is a value like any other
	}
	if fault, err := s.open(ctx, f); fault != nil || err != nil {
		return nil, err
	}
	by, l, err := recipe.Make(f.doc, f.visit(), recipe.Examples{Like: there})
	if err != nil || !f.readsLikeRoles(l.Reading) {
		s.step("what the teacher names is no list of roles")
		return nil, nil //nolint:nilerr,nilnil // no recipe is a value like any other
	}
	by.Browser = f.shown != nil
	return &by, nil
}

// readsLikeRoles reports whether at least half of what was read reads like the names of roles.
func (f *fetched) readsLikeRoles(r boardwatch.Reading) bool {
	tree, roles := f.doc.Tree(), 0
	for _, p := range r.Postings {
		if tree.ReadsAsRole(p.Title) {
			roles++
		}
	}
	return len(r.Postings) > 0 && roles*2 >= len(r.Postings)
}
