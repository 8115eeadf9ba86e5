package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Error is an unsuccessful answer.
type Error struct {
	Status    int             // of HTTP
	Code      boardwatch.Code // empty if the answer is not from boardwatch but from something before it
	Message   string          // for a person; its wording may change
	RequestID string          // it identifies the line in the service's log

	Fields     []boardwatch.FieldError // with CodeInvalidRequest: every wrong field
	BoardID    string                  // with CodeAlreadyTracked: the board that is on the list
	RetryAfter time.Duration           // with CodeRateLimited: after this time, one request is allowed
}

// Error returns the message, with the code before it.
func (e *Error) Error() string {
	if e.Code == "" {
		return strconv.Itoa(e.Status) + ": " + e.Message
	}
	return string(e.Code) + ": " + e.Message
}

// CodeOf returns the code with which the service refused a request. It is empty for nil and for every other error, such
// as one of the network.
func CodeOf(err error) boardwatch.Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// readError reads the published Error object, or describes a different answer.
func readError(res *http.Response, raw []byte) *Error {
	var body struct {
		Error struct {
			Code       boardwatch.Code `json:"code"`
			Message    string          `json:"message"`
			Details    json.RawMessage `json:"details"`
			RetryAfter int             `json:"retryAfter"`
		} `json:"error"`
	}
	e := &Error{Status: res.StatusCode, RequestID: res.Header.Get("X-Request-Id")}
	if err := json.Unmarshal(raw, &body); err != nil || body.Error.Code == "" {
		e.Message = fmt.Sprintf("the answer of %s is not boardwatch's; check the address", res.Request.URL.Host)
		if to := res.Header.Get("Location"); to != "" {
			e.Message = fmt.Sprintf("%s redirects to %s; use that address", res.Request.URL.Host, to)
		}
		return e
	}
	e.Code, e.Message = body.Error.Code, body.Error.Message
	e.RetryAfter = time.Duration(body.Error.RetryAfter) * time.Second
	// Details have other forms for other codes; fields that do not match stay empty.
	switch e.Code {
	case boardwatch.CodeInvalidRequest:
		_ = json.Unmarshal(body.Error.Details, &e.Fields)
	case boardwatch.CodeAlreadyTracked:
		var known boardwatch.AlreadyTracked
		_ = json.Unmarshal(body.Error.Details, &known)
		e.BoardID = known.BoardID
	default:
	}
	return e
}
