package transport

import (
	"errors"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Failure is the published Error object, the same for every interface.
type Failure struct {
	Error Fault `json:"error"`
}

// Fault tells a caller what went wrong.
type Fault struct {
	Code       boardwatch.Code `json:"code"`
	Message    string          `json:"message"`
	Details    any             `json:"details,omitempty"`
	RetryAfter int             `json:"retryAfter,omitempty"` // seconds
}

// ErrBroken is all that a caller learns about an internal failure.
var ErrBroken = errors.New("something went wrong here; please try again later")

// FailureOf converts an error for a caller, without details that are not meant for them.
func FailureOf(err error) Failure {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok || e.Code == boardwatch.CodeInternal {
		return Failure{Fault{Code: boardwatch.CodeInternal, Message: ErrBroken.Error()}}
	}
	return Failure{Fault{Code: e.Code, Message: e.Message, Details: e.Details, RetryAfter: int(e.RetryAfter / time.Second)}}
}
