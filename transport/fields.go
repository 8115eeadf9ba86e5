package transport

import (
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// FieldErrors gathers what is wrong with a request, one fault for each field. The zero value is empty.
type FieldErrors struct {
	list   []boardwatch.FieldError
	faulty map[string]bool
}

// Add notes a fault, unless the message is empty or the field has one already.
func (e *FieldErrors) Add(field, message string) {
	field = printable(field)
	if message == "" || e.faulty[field] {
		return
	}
	if e.faulty == nil {
		e.faulty = map[string]bool{}
	}
	e.faulty[field] = true
	e.list = append(e.list, boardwatch.FieldError{Field: field, Message: message})
}

// Fine reports whether a field has no fault yet.
func (e *FieldErrors) Fine(field string) bool { return !e.faulty[field] }

// List is every fault, in the order in which they were noted.
func (e *FieldErrors) List() []boardwatch.FieldError { return e.list }

// Err is the error that names every fault, or nil when there is none.
func (e *FieldErrors) Err() error { return boardwatch.InvalidFields(e.list) }

// longestName is how much of a name that somebody made up is repeated to them, in bytes.
const longestName = 100

func printable(name string) string {
	if len(name) > longestName {
		name = name[:longestName] + "..."
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}
