package track

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Limits of marks.
const (
	MaxMarks = 10_000    // of an account
	MaxNotes = 1_000_000 // characters of all its notes together
	maxNote  = 2000      // characters
)

// Mark is what a person has noted about a role. Nobody else sees it, and it changes nothing about the role.
type Mark struct {
	AccountID string
	JobID     string
	Starred   bool
	Hidden    bool   // left out of the lists in the app
	AppliedOn string // the day, such as 2026-11-20; empty: not applied
	Stage     Stage
	Note      string
}

// Stage is how far an application has come.
type Stage string

// The stages.
const (
	StageNone      Stage = ""
	StageApplied   Stage = "applied"
	StageInterview Stage = "interview"
	StageOffer     Stage = "offer"
	StageEnded     Stage = "ended" // the person has closed it
)

// Stages lists the stages in their order.
func Stages() []Stage { return []Stage{StageApplied, StageInterview, StageOffer, StageEnded} }

// Empty reports whether the mark contains nothing.
func (m Mark) Empty() bool {
	return !m.Starred && !m.Hidden && m.AppliedOn == "" && m.Stage == StageNone && m.Note == ""
}

// Clean returns the mark in the form it is stored, or an invalid_request error that names every fault.
func (m Mark) Clean() (Mark, error) {
	var wrong []boardwatch.FieldError
	m.AppliedOn, m.Note = strings.TrimSpace(m.AppliedOn), strings.TrimSpace(strings.ReplaceAll(m.Note, "\r\n", "\n"))
	if _, err := time.Parse(time.DateOnly, m.AppliedOn); m.AppliedOn != "" && err != nil {
		wrong = append(wrong, boardwatch.FieldError{Field: "appliedOn", Message: "must be a day such as 2026-11-20"})
	}
	if m.Stage != StageNone && !slices.Contains(Stages(), m.Stage) {
		wrong = append(wrong, boardwatch.FieldError{Field: "stage", Message: "must be applied, interview, offer or ended"})
	}
	hidden := func(r rune) bool { return (r < ' ' || r == 0x7f) && r != '\n' && r != '\t' }
	switch {
	case !utf8.ValidString(m.Note) || strings.ContainsFunc(m.Note, hidden):
		wrong = append(wrong, boardwatch.FieldError{Field: "note", Message: "must be text without control characters"})
	case utf8.RuneCountInString(m.Note) > maxNote:
		wrong = append(wrong, boardwatch.FieldError{Field: "note", Message: "must be at most " + strconv.Itoa(maxNote) + " characters long"})
	}
	return m, boardwatch.InvalidFields(wrong)
}

// Marked selects roles by their viewer's marks.
type Marked string

// The choices.
const (
	MarkedAny     Marked = ""        // all roles
	MarkedVisible Marked = "visible" // all except hidden ones
	MarkedStarred Marked = "starred"
	MarkedApplied Marked = "applied"
	MarkedHidden  Marked = "hidden"
)

// Takes reports whether a role with that mark is selected.
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

// MarkStore stores people's marks on roles.
type MarkStore interface {
	// SaveMark replaces the account's earlier mark; an empty mark is deleted. A role that is not on one of the
	// account's active boards is a not_found error; more than so many marks, or characters in all notes together, are an
	// invalid_request error.
	SaveMark(ctx context.Context, m Mark, marks, notes int) error
	// Marks returns the account's marks on these roles, or on all if no ids are given, by the role's id.
	Marks(ctx context.Context, accountID string, jobIDs ...string) (map[string]Mark, error)
}

// Mark saves the account's mark on a role on its active boards; any other role is a not_found error, whether it exists
// or not. An invalid mark is an invalid_request error that names every fault.
func (t *Tracker) Mark(ctx context.Context, a account.Account, m Mark) error {
	if !boardwatch.ValidID(m.JobID) {
		return boardwatch.NotFound("role")
	}
	m.AccountID = a.ID
	m, err := m.Clean()
	if err != nil {
		return err
	}
	return boardwatch.Wrap("mark role", t.store.SaveMark(ctx, m, MaxMarks, MaxNotes))
}

// Marks returns the account's marks on these roles, or on all if no ids are given, by the role's id.
func (t *Tracker) Marks(ctx context.Context, a account.Account, jobIDs ...string) (map[string]Mark, error) {
	marks, err := t.store.Marks(ctx, a.ID, jobIDs...)
	return marks, boardwatch.Wrap("read marks", err)
}
