// Package exit says how a command ends: with which code, what went wrong, and what the person may do next.
package exit

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Error ends the program with a code. Without an error nothing is said: the output has said it already.
type Error struct {
	Code int
	Err  error
	Next string // what the person may do now
}

// Error is the plain sentence.
func (e *Error) Error() string {
	if e.Err == nil {
		return "negative answer"
	}
	return e.Err.Error()
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Negative is a negative answer that the output has told already.
func Negative() error { return &Error{Code: 1} }

// Fail is a failure with the next step; an empty step says nothing.
func Fail(err error, next string) *Error { return &Error{Code: 1, Err: err, Next: next} }

// Misconfigured is a mistake in the settings or the environment.
func Misconfigured(err error, next string) *Error {
	return &Error{Code: 2, Err: err, Next: next}
}

// Usage is a mistake in the command line.
func Usage(cmd *cobra.Command, err error) *Error {
	return &Error{Code: 2, Err: err, Next: fmt.Sprintf("Run %q to see how it is used.", cmd.CommandPath()+" --help")}
}
