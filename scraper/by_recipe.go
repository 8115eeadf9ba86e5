package scraper

import (
	"context"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// readByRecipe reads a page as its board's recipe says, and in no other way: where that does not fit any more, nobody knows
// whether what else the page shows are roles.
func (s *Scraper) readByRecipe(ctx context.Context, client *outbound.Client, place string, b boardwatch.Board) (boardwatch.Reading, error) {
	by, err := recipe.Parse([]byte(b.Recipe))
	if err != nil {
		return boardwatch.Failed(cause.RecipeBroken, err.Error()), nil // the reason says it
	}
	u, err := url.Parse(place)
	if err != nil || u.Host == "" {
		return boardwatch.Failed(cause.Refused, "the address of the page is not a web address"), nil //nolint:nilerr // the reason says it
	}
	f, last, fault, err := s.bring(ctx, client, u, &by, b)
	switch {
	case err != nil:
		return boardwatch.Reading{}, err
	case fault != nil:
		return *fault, nil
	case f.unchanged:
		return boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: last.String()}, nil
	}
	r, err := s.readOnByRecipe(ctx, client, f)
	if err == nil && r.Health == boardwatch.HealthOK && len(f.listed().Next) == 0 {
		r.Fingerprint = last.String()
	}
	return r, err
}

// bring brings what a recipe reads: the page as it is sent, as a browser shows it, or the data behind it. last is its memento,
// empty where it cannot be recognised the next time.
func (s *Scraper) bring(
	ctx context.Context, client *outbound.Client, at *url.URL, by *recipe.Recipe, b boardwatch.Board,
) (f *fetched, last memento, fault *boardwatch.Reading, err error) {
	if by.Browser {
		f, fault, err = s.bringRendered(ctx, at, by, b.State.Access)
		return f, last, fault, err
	}
	if by.Data != nil && by.Data.URL != "" {
		if at, err = url.Parse(by.Data.URL); err != nil {
			r := boardwatch.Failed(cause.RecipeBroken, "the address of the data in the recipe is not a web address")
			return nil, last, &r, nil //nolint:nilerr // the reason says it
		}
	}
	last = s.last(b, boardwatch.PageSystem+"\x00"+at.String()+"\x00"+by.String())
	f, fault, err = s.fetchUnlessKnown(ctx, client, at, last)
	if f == nil {
		return nil, last, fault, err
	}
	f.by = by
	if f.print != "" {
		last = last.of(f.print, f.page.Header, f.direct())
	}
	return f, last, nil, nil
}

// bringRendered is the page as a browser shows it.
func (s *Scraper) bringRendered(ctx context.Context, at *url.URL, by *recipe.Recipe, a boardwatch.Access) (*fetched, *boardwatch.Reading, error) {
	if s.browser == nil || s.browserMode == BrowserNever {
		r := boardwatch.Failed(cause.NeedsBrowser, "the recipe of this board needs a browser, and there is none")
		return nil, &r, nil
	}
	return s.render(ctx, at, a, boardwatch.Failed(cause.NeedsBrowser, "the recipe of this board needs a browser"), by)
}

// readOnByRecipe reads the page that was brought, and those that follow it.
func (s *Scraper) readOnByRecipe(ctx context.Context, client *outbound.Client, f *fetched) (boardwatch.Reading, error) {
	l := f.listed()
	s.step("by its recipe, %s shows %d roles", f.page.URL, len(l.Reading.Postings))
	if len(l.Next) == 0 || !l.Reading.Health.Read() {
		return l.Reading, nil
	}
	return s.readOn(ctx, client, f, l)
}

// recipeList reads the roles that the recipe finds on the page.
func (f *fetched) recipeList() page.List {
	var l page.List
	if f.by.Data != nil && f.by.Data.URL != "" {
		l = f.by.ReadData(f.text, f.page.URL)
	} else {
		l = f.by.Read(f.doc, f.visit())
	}
	if len(l.Reading.Postings) == 0 {
		if w := f.wall(); w != nil {
			block(&l.Reading, w)
			l.Next = nil
		}
	}
	return l
}

// Heal makes the board's recipe anew from the roles that are known. See boardwatch.Healer.
func (s *Scraper) Heal(ctx context.Context, b boardwatch.Board, titles []string) (read boardwatch.Reading, err error) {
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	old, err := recipe.Parse([]byte(b.Recipe))
	place, ok := pageOf(b.Source)
	if err != nil || !ok {
		return boardwatch.Failed(cause.RecipeBroken, "the board has no recipe that can be repaired"), nil // the reason says it
	}
	client, pages, fault := s.sessions(b.State.Access, 0)
	if fault != nil {
		return *fault, nil
	}
	at, err := url.Parse(place)
	if err != nil {
		return boardwatch.Failed(cause.Refused, "the address of the page is not a web address"), nil // the reason says it
	}
	f, _, fault, err := s.bring(ctx, pages, at, &recipe.Recipe{Version: recipe.Version, Browser: old.Browser}, boardwatch.Board{})
	switch {
	case err != nil:
		return boardwatch.Reading{}, err
	case fault != nil:
		return *fault, nil
	}
	made, _, ok := old.Heal(f.doc, f.visit(), titles)
	if !ok {
		return boardwatch.Failed(cause.RecipeBroken, "the known roles are not in one other list of the page"), nil
	}
	f.by, f.once = &made, nil
	r, err := s.readOnByRecipe(ctx, pages, f)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	r.Recipe, r.Requests = made.String(), client.Requests()
	s.step("the recipe was made anew: %s", r.Recipe)
	return r.Normalize(), nil
}
