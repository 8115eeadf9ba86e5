package transport

import (
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// FieldErrors collects the errors of a request, at most one per field. The zero value is empty.
type FieldErrors struct {
	list   []boardwatch.FieldError
	faulty map[string]bool
}

// Add records an error, unless the message is empty or the field has one already.
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

// Fine reports whether a field has no error yet.
func (e *FieldErrors) Fine(field string) bool { return !e.faulty[field] }

// List returns all errors, in the order in which they were added.
func (e *FieldErrors) List() []boardwatch.FieldError { return e.list }

// Err returns an error that names all of them, or nil if there are none.
func (e *FieldErrors) Err() error { return boardwatch.InvalidFields(e.list) }

// longestName is how much of an unknown name is repeated to its sender, in bytes.
const longestName = 100

func printable(name string) string {
	if len(name) > longestName {
		name = name[:longestName] + "..."
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}
