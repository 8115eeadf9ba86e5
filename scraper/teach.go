package scraper

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Lesson is the result of Teach.
type Lesson struct {
	Board   boardwatch.Board // with the recipe
	Recipe  recipe.Recipe
	Reading boardwatch.Reading // of the board, by the recipe
}

// UntaughtError is the error of Teach when no recipe could be made: the page could not be read, an example does not stand on it,
// or nothing consistent is there.
type UntaughtError struct {
	reading boardwatch.Reading
	err     error // the fault of the examples; nil where the page could not be had
}

// Error is the sentence.
func (e *UntaughtError) Error() string { return e.reading.Reason }

// Unwrap is what is wrong with the examples, of the type *recipe.ExampleError.
func (e *UntaughtError) Unwrap() error { return e.err }

// Cause is the cause of the reading.
func (e *UntaughtError) Cause() cause.Cause { return e.reading.Cause }

// Reading is the same as a reading that failed.
func (e *UntaughtError) Reading() boardwatch.Reading { return e.reading }

func untaught(err error) *UntaughtError {
	return &UntaughtError{boardwatch.Failed(boardwatch.CauseOf(err), err.Error()).Normalize(), err}
}

// Teach makes a recipe for the page at an address from titles that stand on it now, and reads it once by that recipe. Nothing is
// stored. The page is looked at as it is sent, then the data that it names, then, unless the BrowserMode is never, as a browser
// shows it. An error is an invalid_request error for the address, an *UntaughtError, or that of the context.
func (s *Scraper) Teach(ctx context.Context, address string, examples recipe.Examples) (Lesson, error) {
	return s.TeachBoard(ctx, boardwatch.Board{URL: address}, examples)
}

// TeachBoard is Teach for a board that the service has: it is read the way that its operator has set (BoardState.Access), at the
// address where it is read.
func (s *Scraper) TeachBoard(ctx context.Context, b boardwatch.Board, examples recipe.Examples) (lesson Lesson, err error) {
	if err := examples.Check(); err != nil {
		return Lesson{}, untaught(err)
	}
	b, err = s.taughtAt(b)
	if err != nil {
		return Lesson{}, err
	}
	client, pages, fault := s.sessions(b.State.Access, 0)
	if fault != nil {
		return Lesson{}, &UntaughtError{reading: *fault}
	}
	ctx, done := s.withDesk(ctx)
	defer done(&err)
	f, by, err := s.learn(ctx, pages, b, examples)
	if err != nil {
		return Lesson{}, err
	}
	f.by, f.once = &by, nil
	r, err := s.readOnByRecipe(ctx, pages, f)
	if err != nil {
		return Lesson{}, err
	}
	r.Requests = client.Requests()
	b.Recipe = by.String()
	return Lesson{b, by, r.Normalize()}, nil
}

// taughtAt is the board with the address at which a recipe is used. A board of a hosted system has none.
func (s *Scraper) taughtAt(b boardwatch.Board) (boardwatch.Board, error) {
	if place, ok := pageOf(b.Source); ok {
		b.URL = place
	}
	r, err := s.Recognize(b.URL)
	if err != nil {
		return b, err
	}
	source := b.Source
	if source == "" {
		source = r.Source
	}
	if _, ok := pageOf(source); source != "" && !ok {
		return b, boardwatch.Invalid("url", "is read from the hosted board "+source+", which needs no recipe")
	}
	b.URL, b.Source = r.Address, boardwatch.PageSystem+":"+r.Address
	return b, nil
}

// pageOf is the address of a page that is a source.
func pageOf(source string) (string, bool) {
	system, place, _ := strings.Cut(source, ":")
	return place, system == boardwatch.PageSystem
}

// learn makes a recipe of examples, and returns it with what it reads. Its errors are of the type *UntaughtError, or that of the
// context.
func (s *Scraper) learn(ctx context.Context, client *outbound.Client, b boardwatch.Board, x recipe.Examples) (*fetched, recipe.Recipe, error) {
	at, err := url.Parse(b.URL)
	if err != nil {
		return nil, recipe.Recipe{}, untaught(err)
	}
	var trouble *UntaughtError
	if s.browserMode != BrowserAlways {
		f, by, fault, err := s.learnPlain(ctx, client, at, x)
		if err != nil || fault == nil {
			return f, by, err
		}
		trouble = fault
	}
	if s.browser == nil || s.browserMode == BrowserNever {
		if trouble == nil {
			r := boardwatch.Failed(cause.BrowserFailed, "there is no browser to show the page in")
			trouble = &UntaughtError{reading: r}
		}
		return nil, recipe.Recipe{}, trouble
	}
	f, by, fault, err := s.learnRendered(ctx, client, at, b.State.Access, x)
	switch {
	case err != nil:
		return nil, by, err
	case fault != nil && (trouble == nil || fault.err != nil):
		return nil, by, fault
	case fault != nil:
		return nil, by, trouble
	}
	return f, by, nil
}

// learnPlain learns from the page as it is sent, and from the data that it names.
func (s *Scraper) learnPlain(ctx context.Context, client *outbound.Client, at *url.URL, x recipe.Examples) (*fetched, recipe.Recipe, *UntaughtError, error) {
	f, fault, err := s.fetch(ctx, client, at)
	switch {
	case err != nil:
		return nil, recipe.Recipe{}, nil, err
	case fault != nil:
		return nil, recipe.Recipe{}, &UntaughtError{reading: *fault}, nil
	}
	by, _, wrong := recipe.Make(f.doc, f.visit(), x)
	if wrong == nil {
		return f, by, nil, nil
	}
	for _, u := range f.doc.DataLinks() {
		data, by, ok, err := s.learnData(ctx, client, u, x)
		if ok || err != nil {
			return data, by, nil, err
		}
	}
	return nil, by, f.untaught(wrong), nil
}

// untaught is the error of a page from which nothing could be learned: what is wrong with the examples, or with the page.
func (f *fetched) untaught(wrong error) *UntaughtError {
	l := f.list()
	if sick := f.sick(); !sick.None() || l.Reading.Health == boardwatch.HealthBlocked {
		return &UntaughtError{l.Reading, wrong}
	}
	return untaught(wrong)
}

// learnData learns from data that a page asks for. ok is false when the examples are not in it.
func (s *Scraper) learnData(ctx context.Context, client *outbound.Client, u *url.URL, x recipe.Examples) (f *fetched, by recipe.Recipe, ok bool, err error) {
	deskOf(ctx).rest()
	answer, err := client.Get(ctx, u.String(), nil)
	if ctx.Err() != nil {
		return nil, by, false, context.Cause(ctx)
	}
	if err != nil || answer.Status != http.StatusOK {
		return nil, by, false, nil //nolint:nilerr // what cannot be had teaches nothing
	}
	f = &fetched{asked: u, page: answer, text: answer.Text()}
	if deskOf(ctx).add(ctx, f.text) != nil {
		if ctx.Err() != nil {
			return nil, by, false, context.Cause(ctx)
		}
		return nil, by, false, nil
	}
	by, _, ok = recipe.MakeOfData(f.text, u, x)
	return f, by, ok, nil
}

// learnRendered learns from the page as a browser shows it, and from the data that it asks for by script: where that can be had
// without the browser, none is needed from then on.
func (s *Scraper) learnRendered(
	ctx context.Context, client *outbound.Client, at *url.URL, a boardwatch.Access, x recipe.Examples,
) (*fetched, recipe.Recipe, *UntaughtError, error) {
	plain := boardwatch.Failed(cause.NeedsBrowser, "the page needs a browser")
	f, fault, err := s.render(ctx, at, a, plain, nil)
	switch {
	case err != nil:
		return nil, recipe.Recipe{}, nil, err
	case fault != nil:
		return nil, recipe.Recipe{}, &UntaughtError{reading: *fault}, nil
	}
	for _, answer := range f.shown.Answers {
		if answer.Method != http.MethodGet {
			continue
		}
		if _, _, ok := recipe.MakeOfData(answer.Data, answer.URL, x); !ok {
			continue
		}
		if data, by, ok, err := s.learnData(ctx, client, answer.URL, x); ok || err != nil {
			return data, by, nil, err
		}
	}
	by, _, wrong := recipe.Make(f.doc, f.visit(), x)
	if wrong != nil {
		return nil, by, f.untaught(wrong), nil
	}
	by.Browser = true
	return f, by, nil, nil
}
