package track

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Messages about invalid values. Every interface uses the same message for the same fault.
const (
	MustBeID      = "must be 24 characters from 0-9 and a-f"
	MustBeInstant = "must be a date and time such as 2026-11-20T09:00:00.000Z"
)

// MustBeOneOf is the message for a value that is not one of the allowed ones, of which there are at least two.
func MustBeOneOf(allowed ...string) string {
	last := len(allowed) - 1
	return "must be " + strings.Join(allowed[:last], ", ") + " or " + allowed[last]
}

// MustBeFrom is the message for a value that is not a whole number in a range.
func MustBeFrom(least, most int64) string {
	return "must be a whole number from " + strconv.FormatInt(least, 10) + " to " + strconv.FormatInt(most, 10)
}

// MustBeAtMost is the message for a text with more than that many characters.
func MustBeAtMost(limit int) string { return "must be at most " + strconv.Itoa(limit) + " characters" }

// TextFault says why a value is not text, or nothing.
func TextFault(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "must not contain a NUL character"
	}
	return ""
}
