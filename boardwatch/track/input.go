package track

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// The published bounds of what a caller may ask for. Lengths are in characters.
const (
	MaxURL         = 500
	MaxCompanyName = 120
	MaxSearch      = 200 // of search and of location
	DefaultLimit   = 50
	MaxLimit       = 100
	MaxSkip        = 1<<53 - 1 // the largest integer that every JSON reader keeps exactly
)

// NewBoard is a wish to track a board.
type NewBoard struct {
	URL         string // a careers page, a board of a hosted system, or a bare company domain
	CompanyName string // shown to this account until the board itself has said the real name; may be empty
}

// Validate names every field that is out of bounds, in one invalid_request error.
func (b NewBoard) Validate() error {
	var wrong []boardwatch.FieldError
	if m := textFault(b.URL, MaxURL); m != "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "url", Message: m})
	} else if b.URL == "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "url", Message: "must not be empty"})
	}
	if m := textFault(b.CompanyName, MaxCompanyName); m != "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "companyName", Message: m})
	}
	return boardwatch.InvalidFields(wrong)
}

func (b NewBoard) trimmed() NewBoard {
	return NewBoard{URL: strings.TrimSpace(b.URL), CompanyName: strings.TrimSpace(b.CompanyName)}
}

// ValidateFilter names every field of the filter that is out of bounds, in one invalid_request error. A limit of 0
// stands for DefaultLimit, an empty status for all.
func ValidateFilter(f boardwatch.JobFilter) error {
	var wrong []boardwatch.FieldError
	fault := func(field, message string) {
		wrong = append(wrong, boardwatch.FieldError{Field: field, Message: message})
	}
	if f.BoardID != "" && !boardwatch.ValidID(f.BoardID) {
		fault("boardId", MustBeID)
	}
	switch f.Status {
	case "", boardwatch.JobOpen, boardwatch.JobClosed:
	default:
		fault("status", MustBeOneOf("open", "closed", "all"))
	}
	if m := textFault(f.Search, MaxSearch); m != "" {
		fault("search", m)
	}
	if m := textFault(f.Location, MaxSearch); m != "" {
		fault("location", m)
	}
	if m := textFault(f.Only.Department, MaxSearch); m != "" {
		fault("department", m)
	}
	if f.Limit < 0 || f.Limit > MaxLimit {
		fault("limit", MustBeFrom(1, MaxLimit))
	}
	if f.Skip < 0 || f.Skip > MaxSkip {
		fault("skip", MustBeFrom(0, MaxSkip))
	}
	return boardwatch.InvalidFields(wrong)
}

// ParseBoardStatus reads the status of a board in a question; "all" is the empty one.
func ParseBoardStatus(s string) (boardwatch.BoardStatus, error) {
	switch status := boardwatch.BoardStatus(s); status {
	case "all":
		return "", nil
	case boardwatch.BoardPending, boardwatch.BoardScraping, boardwatch.BoardReady, boardwatch.BoardFailed:
		return status, nil
	default:
		return "", boardwatch.Invalid("status", MustBeOneOf("pending", "scraping", "ready", "failed", "all"))
	}
}

// ParseJobStatus reads the status of a role in a question; "all" is the empty one.
func ParseJobStatus(s string) (boardwatch.JobStatus, error) {
	switch status := boardwatch.JobStatus(s); status {
	case "all":
		return "", nil
	case boardwatch.JobOpen, boardwatch.JobClosed:
		return status, nil
	default:
		return "", boardwatch.Invalid("status", MustBeOneOf("open", "closed", "all"))
	}
}

// textFault says what is wrong with a text of at most so many characters, or nothing.
func textFault(s string, limit int) string {
	if m := TextFault(s); m != "" {
		return m
	}
	if utf8.RuneCountInString(s) > limit {
		return MustBeAtMost(limit)
	}
	return ""
}

// invalidURL makes the caller's fault of an address that cannot be one; an error that has a code already keeps it.
func invalidURL(err error) error {
	if _, ok := errors.AsType[*boardwatch.Error](err); ok {
		return err
	}
	return boardwatch.Invalid("url", err.Error())
}
