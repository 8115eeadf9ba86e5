package boardwatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Code is a stable error code of the published interface.
type Code string

// The eight public codes.
const (
	CodeUnauthorized     Code = "unauthorized"
	CodeEmailNotVerified Code = "email_not_verified"
	CodePlanRequired     Code = "plan_required"
	CodeRateLimited      Code = "rate_limited"
	CodeInvalidRequest   Code = "invalid_request"
	CodeNotFound         Code = "not_found"
	CodeAlreadyTracked   Code = "already_tracked"
	CodeInternal         Code = "internal_error"
)

// Error is an error with a public code and a sentence for a person. Err is the cause, for the log only.
type Error struct {
	Code    Code
	Message string
	Details any // what the interface promises besides the code: []FieldError, AlreadyTracked
	Err     error

	RetryAfter time.Duration // with CodeRateLimited: the whole seconds after which a request is allowed again
}

// Error returns the sentence, followed by the cause if there is one.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// FieldError names one offending field of a request.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// AlreadyTracked is the detail of CodeAlreadyTracked.
type AlreadyTracked struct {
	BoardID string `json:"boardId"`
}

// CodeOf returns the public code of an error. It is internal_error for an error without one, and also for nil, so check
// for nil first.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}

// NotFound returns the error for something that does not exist, or that belongs to somebody else. The two must look the
// same.
func NotFound(what string) *Error {
	return &Error{Code: CodeNotFound, Message: "no such " + what}
}

// Invalid returns the error for one wrong field.
func Invalid(field, message string) *Error {
	return &Error{
		Code: CodeInvalidRequest, Message: field + ": " + message,
		Details: []FieldError{{Field: field, Message: message}},
	}
}

// mostSentences is how many wrong fields a message mentions. The details contain all of them.
const mostSentences = 10

// InvalidFields returns the error that lists every wrong field, or nil if there is none.
func InvalidFields(fields []FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	var sentences []string
	for i, f := range fields {
		if i == mostSentences {
			sentences = append(sentences, "and "+itoa(len(fields)-i)+" more")
			break
		}
		sentences = append(sentences, f.Field+": "+f.Message)
	}
	return &Error{Code: CodeInvalidRequest, Message: strings.Join(sentences, "; "), Details: fields}
}

// ErrLeaseLost means that another process, or a later claim, has taken over the work, so nothing was saved.
var ErrLeaseLost = errors.New("the claim on this work has passed to another worker")

// CauseOf returns the cause of an error: that of the first error in its chain with a method Cause. For a person's wrong
// input it is cause.Refused, for an expired deadline cause.Timeout, and for any other error cause.Internal. Nil has no
// cause.
func CauseOf(err error) cause.Cause {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[interface {
		error
		Cause() cause.Cause
	}](err); ok {
		return e.Cause()
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return cause.Refused
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return cause.Timeout
	}
	return cause.Internal
}

// Wrap says what was attempted before an error, if there is one.
func Wrap(attempt string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", attempt, err)
}
