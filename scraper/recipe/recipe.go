// Package recipe says where the roles on one page are: which element is an entry, and where in it the title, the link, the
// place and the department are, or the paths of these in data. A recipe is JSON that people can read and write, and it
// contains no code. Make makes a recipe from titles that the page shows, Recipe.Read reads a page with it, and Heal makes a
// new one when the page has changed.
//
// Like package page, it is pure: it is given bytes and an address.
package recipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Version is that of the form described here.
const Version = 1

// Recipe says where the roles of a page are. Either Entry or Data is set.
type Recipe struct {
	Version int `json:"version"`
	// Browser has the page shown in a browser first.
	Browser bool `json:"browser,omitempty"`

	// Entry selects the element of each role.
	Entry string `json:"entry,omitempty"`
	// Follows says that Entry is only the beginning of an entry, such as its heading: what follows it belongs to it, up to the
	// next entry.
	Follows bool `json:"follows,omitempty"`
	// Under is the heading of the part of the page in which entries count. Empty means the whole page.
	Under string `json:"under,omitempty"`
	// Hidden has entries count that the page, as it stands, does not show.
	Hidden bool `json:"hidden,omitempty"`

	Title      Field `json:"title,omitzero"` // the zero value takes the text of the entry
	Link       Field `json:"link,omitzero"`  // its zero value, like those below, takes nothing
	Place      Field `json:"place,omitzero"`
	Department Field `json:"department,omitzero"`

	// Next selects the link to the list's next page. Empty leaves it to what is known of lists in general.
	Next string `json:"next,omitempty"`
	// Not are the titles of entries that are no roles.
	Not []string `json:"not,omitempty"`

	Data *Data `json:"json,omitempty"`
}

// Limits of a recipe, so that a page is read in reasonable time whatever somebody wrote.
const (
	maxSize     = 16 << 10
	maxSelector = 500
	maxNot      = 200
	maxText     = 300
)

// Error says what is wrong with a recipe.
type Error struct {
	Field   string // the field of the JSON; empty when it is no recipe at all
	Problem string
}

// Error is a whole sentence without its full stop.
func (e *Error) Error() string {
	if e.Field == "" {
		return "the recipe " + e.Problem
	}
	return fmt.Sprintf("the field %q of the recipe %s", e.Field, e.Problem)
}

// Parse reads a recipe as JSON and checks it. Its errors are of the type *Error.
func Parse(text []byte) (Recipe, error) {
	if len(text) > maxSize {
		return Recipe{}, &Error{"", "is longer than 16 KiB"}
	}
	var r Recipe
	if err := decode(text, &r); err != nil {
		return Recipe{}, err
	}
	return r, r.Validate()
}

// decode decodes JSON in which no field is unknown.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return &Error{"", "goes on after its end"}
		}
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &Error{e.Field, "must not be a " + e.Value}
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return &Error{strings.Trim(name, `"`), "is unknown"}
	}
	return &Error{"", "is not valid JSON"}
}

// Validate reports the first thing that is wrong with the recipe, as an *Error.
func (r Recipe) Validate() error {
	if r.Version != Version {
		return &Error{"version", fmt.Sprintf("must be %d", Version)}
	}
	if (r.Entry == "") == (r.Data == nil) {
		return &Error{"entry", `must be set, or else "json"`}
	}
	if r.Data != nil {
		return r.validateData()
	}
	if _, err := compile("entry", r.Entry, true); err != nil {
		return err
	}
	if r.Next != "" {
		if _, err := compile("next", r.Next, true); err != nil {
			return err
		}
	}
	for name, f := range map[string]Field{"title": r.Title, "link": r.Link, "place": r.Place, "department": r.Department} {
		if err := f.validate(name); err != nil {
			return err
		}
	}
	if r.Title.Above {
		return &Error{"title", `must stand in the entry, so "above" is not for it`}
	}
	return r.validateTexts()
}

func (r Recipe) validateTexts() error {
	if len(r.Under) > maxText {
		return &Error{"under", "is too long for a heading"}
	}
	if len(r.Not) > maxNot {
		return &Error{"not", fmt.Sprintf("must not have more than %d titles", maxNot)}
	}
	for _, title := range r.Not {
		if strings.TrimSpace(title) == "" || len(title) > 2*maxText {
			return &Error{"not", "has a title that is empty or too long"}
		}
	}
	return nil
}

func (r Recipe) validateData() error {
	for name, set := range map[string]bool{
		"follows": r.Follows, "under": r.Under != "", "hidden": r.Hidden, "title": !r.Title.none(), "link": !r.Link.none(),
		"place": !r.Place.none(), "department": !r.Department.none(), "next": r.Next != "",
	} {
		if set {
			return &Error{name, `is for elements: in data, the fields stand in "json"`}
		}
	}
	if err := r.Data.validate(); err != nil {
		return err
	}
	return r.validateTexts()
}

// String is the recipe as JSON on one line.
func (r Recipe) String() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return "" // cannot be: it holds texts and truths only
	}
	return strings.TrimSpace(b.String())
}
