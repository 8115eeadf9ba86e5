package boardwatch

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a search. Lengths are in characters.
const (
	MaxSearchName   = 80
	maxSearchText   = 200 // of each of its texts, as in the published listJobs
	maxSearchBoards = 100
)

// ChangeKinds are the kinds that a search may ask for.
func ChangeKinds() []ChangeKind {
	return []ChangeKind{ChangeFound, ChangeUpdated, ChangeClosed, ChangeReopened}
}

// Criteria select roles. The zero value selects all.
type Criteria struct {
	Boards     []string // ids; empty: every board
	Tags       []string // boards that the account has given any of these; empty: every board
	Text       string   // folded match inside the title; wildcards mean themselves
	Location   string   // folded match inside the location
	Department string   // folded match inside the department

	Mode     WorkMode // only roles whose source states it; empty: all
	Type     JobType  // likewise
	PayFrom  int      // only roles that may pay as much in a year (Pay.PerYear); 0: all
	Currency string   // ISO 4217: only roles whose pay is in it; empty: all
	Words    string   // words of the text, in any order, each of them at least by its beginning; empty: all roles
}

// Equal reports whether both criteria select the same roles, judging by their text.
func (c Criteria) Equal(o Criteria) bool {
	return c.Mode == o.Mode && c.Type == o.Type && c.PayFrom == o.PayFrom && c.Currency == o.Currency &&
		strings.EqualFold(c.Words, o.Words) && slices.Equal(c.Boards, o.Boards) && slices.EqualFunc(c.Tags, o.Tags, strings.EqualFold) &&
		strings.EqualFold(c.Text, o.Text) && strings.EqualFold(c.Location, o.Location) && strings.EqualFold(c.Department, o.Department)
}

// Empty reports whether the criteria select all roles.
func (c Criteria) Empty() bool { return len(c.Boards) == 0 && len(c.Tags) == 0 && !c.Reads() }

// Reads reports whether the criteria look at more of a role than its board.
func (c Criteria) Reads() bool {
	return c.Text != "" || c.Location != "" || c.Department != "" || c.Mode != "" || c.Type != "" || c.PayFrom > 0 || c.Currency != "" || c.Words != ""
}

// Covers reports whether roles of a board can be among the selected ones.
func (c Criteria) Covers(s Subscription) bool {
	return (len(c.Boards) == 0 || slices.Contains(c.Boards, s.BoardID)) && (len(c.Tags) == 0 || slices.ContainsFunc(c.Tags, s.Tagged))
}

// Folded returns the criteria with their texts folded for comparison.
func (c Criteria) Folded(fold func(string) string) Criteria {
	c.Text, c.Location, c.Department = fold(c.Text), fold(c.Location), fold(c.Department)
	return c
}

// Fits reports whether a role matches folded criteria. has says whether its text has words. A store that compares elsewhere, such
// as in SQL, has to come to the same answer.
func (c Criteria) Fits(j Job, fold func(string) string, has func(j Job, words string) bool) bool {
	inside := func(text, word string) bool { return word == "" || strings.Contains(fold(text), word) }
	return inside(j.Title, c.Text) && inside(j.Location, c.Location) && inside(j.Department, c.Department) &&
		(c.Mode == "" || c.Mode == j.Facts.Mode) && (c.Type == "" || c.Type == j.Facts.Type) &&
		(c.PayFrom == 0 || j.Facts.Pay.PerYear() >= float64(c.PayFrom)) && (c.Currency == "" || c.Currency == j.Facts.Pay.Currency) &&
		(c.Words == "" || has(j, c.Words))
}

// Faults says what is wrong with the conditions on facts and words.
func (c Criteria) Faults() (wrong []FieldError) {
	if c.Mode != "" && !slices.Contains(WorkModes(), c.Mode) {
		wrong = append(wrong, FieldError{Field: "mode", Message: "must be remote, hybrid or onsite"})
	}
	if c.Type != "" && !slices.Contains(JobTypes(), c.Type) {
		wrong = append(wrong, FieldError{Field: "type", Message: "must be a kind of employment such as full_time"})
	}
	if c.PayFrom < 0 || c.PayFrom > maxPay {
		wrong = append(wrong, FieldError{Field: "payFrom", Message: "must be the least pay in a year, a whole number that is not negative"})
	}
	if c.Currency != "" && !isCurrency(c.Currency) {
		wrong = append(wrong, FieldError{Field: "currency", Message: "must be three letters such as EUR"})
	}
	return wrong
}

// Search is a saved search. In JSON, it is what the command line shows.
type Search struct {
	ID        string
	AccountID string
	Name      string
	CreatedAt time.Time
	Criteria

	Kinds []ChangeKind // the changes of a role that it selects; empty: all
}

type searchJSON struct {
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	Text       string       `json:"text"`
	Location   string       `json:"location"`
	Department string       `json:"department"`
	Boards     []string     `json:"boards"`
	Tags       []string     `json:"tags"`
	Kinds      []ChangeKind `json:"kinds"`
	Mode       WorkMode     `json:"mode,omitempty"`
	Type       JobType      `json:"type,omitempty"`
	PayFrom    int          `json:"payFrom,omitempty"`
	Currency   string       `json:"currency,omitempty"`
	Words      string       `json:"words,omitempty"`
}

// MarshalJSON writes every field; unused criteria are empty, and those about facts left out.
func (s Search) MarshalJSON() ([]byte, error) {
	return json.Marshal(searchJSON{
		s.ID, s.Name, s.Text, s.Location, s.Department, append([]string{}, s.Boards...), append([]string{}, s.Tags...),
		append([]ChangeKind{}, s.Kinds...), s.Mode, s.Type, s.PayFrom, s.Currency, s.Words,
	})
}

// Clean returns the search in the form it is stored, or an invalid_request error that names every fault.
func (s Search) Clean() (Search, error) {
	var wrong []FieldError
	text := func(field string, value *string, most int) {
		*value = strings.TrimSpace(*value)
		switch {
		case !utf8.ValidString(*value) || strings.ContainsFunc(*value, isControl):
			wrong = append(wrong, FieldError{Field: field, Message: "must be text without control characters"})
		case utf8.RuneCountInString(*value) > most:
			wrong = append(wrong, FieldError{Field: field, Message: "must be at most " + strconv.Itoa(most) + " characters long"})
		}
	}
	text("name", &s.Name, MaxSearchName)
	if s.Name == "" {
		wrong = append(wrong, FieldError{Field: "name", Message: "must not be empty"})
	}
	text("text", &s.Text, maxSearchText)
	text("location", &s.Location, maxSearchText)
	text("department", &s.Department, maxSearchText)
	text("words", &s.Words, maxSearchText)
	s.Boards = distinct(s.Boards)
	if len(s.Boards) > maxSearchBoards {
		wrong = append(wrong, FieldError{Field: "boards", Message: "must be at most " + strconv.Itoa(maxSearchBoards)})
	}
	tags, err := Retagged(nil, s.Tags, nil)
	if s.Tags = tags; err != nil {
		wrong = append(wrong, FieldError{Field: "tags", Message: tagRule})
	}
	s.Currency = strings.ToUpper(strings.TrimSpace(s.Currency))
	wrong = append(wrong, s.Faults()...)
	s.Kinds = distinct(s.Kinds)
	if slices.ContainsFunc(s.Kinds, func(k ChangeKind) bool { return !slices.Contains(ChangeKinds(), k) }) {
		wrong = append(wrong, FieldError{Field: "kinds", Message: "must be found, updated, closed or reopened"})
	}
	return s, InvalidFields(wrong)
}

// SameName reports whether two searches of an account would have the same name.
func (s Search) SameName(name string) bool { return strings.EqualFold(s.Name, name) }

// Free returns an invalid_request error if another search of the list already has the name.
func (s Search) Free(others []Search) error {
	if slices.ContainsFunc(others, func(o Search) bool { return o.ID != s.ID && o.SameName(s.Name) }) {
		return Invalid("name", "is the name of another search")
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// distinct removes repeated entries.
func distinct[T comparable](list []T) []T {
	var out []T
	for _, v := range list {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
