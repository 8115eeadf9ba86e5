package track

import (
	"errors"
	"strconv"
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
		fault("boardId", "must be 24 characters from 0-9 and a-f")
	}
	switch f.Status {
	case "", boardwatch.JobOpen, boardwatch.JobClosed:
	default:
		fault("status", "must be open, closed or all")
	}
	if m := textFault(f.Search, MaxSearch); m != "" {
		fault("search", m)
	}
	if m := textFault(f.Location, MaxSearch); m != "" {
		fault("location", m)
	}
	if f.Limit < 0 || f.Limit > MaxLimit {
		fault("limit", "must be from 1 to "+strconv.Itoa(MaxLimit))
	}
	if f.Skip < 0 || f.Skip > MaxSkip {
		fault("skip", "must be from 0 to "+strconv.Itoa(MaxSkip))
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
		return "", boardwatch.Invalid("status", "must be pending, scraping, ready, failed or all")
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
		return "", boardwatch.Invalid("status", "must be open, closed or all")
	}
}

// textFault says what is wrong with a text, or nothing.
func textFault(s string, limit int) string {
	switch {
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "must not contain a NUL character"
	case utf8.RuneCountInString(s) > limit:
		return "must be at most " + strconv.Itoa(limit) + " characters"
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
