package track

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// The published limits of requests. Lengths are in characters.
const (
	MaxURL         = 500
	MaxCompanyName = 120
	MaxSearch      = 200 // of search and of location
	DefaultLimit   = 50
	MaxLimit       = 100
	MaxSkip        = 1<<53 - 1 // the largest integer that every JSON parser represents exactly
)

// NewBoard is a request to track a board.
type NewBoard struct {
	URL         string // a careers page, a board of a hosted system, or a bare company domain
	CompanyName string // shown to this account until the board has given the real name; may be empty
}

// Validate returns one invalid_request error that names every field out of bounds.
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

// ValidateFilter returns one invalid_request error that names every field of the filter out of bounds. A limit of 0
// means DefaultLimit, and an empty status means all.
func ValidateFilter(f JobFilter) error {
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
	if m := textFault(f.Only.Words, MaxSearch); m != "" {
		fault("text", m)
	}
	wrong = append(wrong, f.Only.Faults()...)
	if f.Limit < 0 || f.Limit > MaxLimit {
		fault("limit", MustBeFrom(1, MaxLimit))
	}
	if f.Skip < 0 || f.Skip > MaxSkip {
		fault("skip", MustBeFrom(0, MaxSkip))
	}
	return boardwatch.InvalidFields(wrong)
}

// ParseBoardStatus reads the status of a board in a request; "all" is the empty one.
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

// ParseJobStatus reads the status of a role in a request; "all" is the empty one.
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

// textFault says what is wrong with a text of at most that many characters, or nothing.
func textFault(s string, limit int) string {
	if m := TextFault(s); m != "" {
		return m
	}
	if utf8.RuneCountInString(s) > limit {
		return MustBeAtMost(limit)
	}
	return ""
}

// invalidURL turns the error of an invalid address into an invalid_request error; an error with a code keeps it.
func invalidURL(err error) error {
	if _, ok := errors.AsType[*boardwatch.Error](err); ok {
		return err
	}
	return boardwatch.Invalid("url", err.Error())
}

// URLFault says in one sentence why an address cannot be tracked, judging by its form; empty if it can.
func (t *Tracker) URLFault(url string) string {
	_, err := t.recognize(strings.TrimSpace(url))
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*boardwatch.Error](invalidURL(err)); ok {
		if fields, ok := e.Details.([]boardwatch.FieldError); ok && len(fields) > 0 {
			return fields[0].Message
		}
	}
	return err.Error()
}
