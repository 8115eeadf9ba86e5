package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// exitError ends the program with a code. Without an error nothing is said: the output has said it already.
type exitError struct {
	code int
	err  error
	next string // what the person may do now
}

// Error is the plain sentence.
func (e *exitError) Error() string {
	if e.err == nil {
		return "negative answer"
	}
	return e.err.Error()
}

// Unwrap is the cause.
func (e *exitError) Unwrap() error { return e.err }

// errNegative is a negative answer that the output has told already.
func errNegative() error { return &exitError{code: 1} }

// fail is a failure with the next step; an empty step says nothing.
func fail(err error, next string) *exitError { return &exitError{code: 1, err: err, next: next} }

// misconfigured is a mistake in the settings or the environment.
func misconfigured(err error, next string) *exitError {
	return &exitError{code: 2, err: err, next: next}
}

// usageError is a mistake in the command line.
func usageError(cmd *cobra.Command, err error) *exitError {
	return &exitError{code: 2, err: err, next: fmt.Sprintf("Run %q to see how it is used.", cmd.CommandPath()+" --help")}
}
