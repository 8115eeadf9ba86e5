package boardwatch

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of what a person notes about roles.
const (
	MaxMarks = 10_000 // of an account
	MaxNote  = 2000   // characters
)

// Mark is what a person has noted about a role. Nobody else sees it, and it changes nothing about the role.
type Mark struct {
	AccountID string
	JobID     string
	Starred   bool
	Hidden    bool   // left out of the lists in the app
	AppliedOn string // the day, such as 2026-11-20; empty: not applied
	Note      string
}

// Empty reports whether nothing is noted.
func (m Mark) Empty() bool { return !m.Starred && !m.Hidden && m.AppliedOn == "" && m.Note == "" }

// Clean is the mark as it is kept, or an invalid_request error that names every fault.
func (m Mark) Clean() (Mark, error) {
	var wrong []FieldError
	m.AppliedOn, m.Note = strings.TrimSpace(m.AppliedOn), strings.TrimSpace(strings.ReplaceAll(m.Note, "\r\n", "\n"))
	if _, err := time.Parse(time.DateOnly, m.AppliedOn); m.AppliedOn != "" && err != nil {
		wrong = append(wrong, FieldError{Field: "appliedOn", Message: "must be a day such as 2026-11-20"})
	}
	hidden := func(r rune) bool { return isControl(r) && r != '\n' && r != '\t' }
	switch {
	case !utf8.ValidString(m.Note) || strings.ContainsFunc(m.Note, hidden):
		wrong = append(wrong, FieldError{Field: "note", Message: "must be text without control characters"})
	case utf8.RuneCountInString(m.Note) > MaxNote:
		wrong = append(wrong, FieldError{Field: "note", Message: "must be at most " + strconv.Itoa(MaxNote) + " characters long"})
	}
	return m, InvalidFields(wrong)
}

// Marked chooses roles by what their viewer has noted about them.
type Marked string

// What can be chosen.
const (
	MarkedAny     Marked = ""        // whatever is noted
	MarkedVisible Marked = "visible" // all but hidden ones
	MarkedStarred Marked = "starred"
	MarkedApplied Marked = "applied"
	MarkedHidden  Marked = "hidden"
)

// Takes reports whether a role with that mark is chosen.
func (k Marked) Takes(m Mark) bool {
	switch k {
	case MarkedVisible:
		return !m.Hidden
	case MarkedStarred:
		return m.Starred
	case MarkedApplied:
		return m.AppliedOn != ""
	case MarkedHidden:
		return m.Hidden
	default:
		return true
	}
}

// MarkStore keeps what people have noted about roles.
type MarkStore interface {
	// SaveMark keeps a mark in place of the account's earlier one; an empty one is forgotten. A role that is not on an active
	// board of the account is a not_found error, and one more than limit marks is an invalid_request error.
	SaveMark(ctx context.Context, m Mark, limit int) error
	// Marks are what the account has noted about these roles, or about all when no ids are given, by the role's id.
	Marks(ctx context.Context, accountID string, jobIDs ...string) (map[string]Mark, error)
}
