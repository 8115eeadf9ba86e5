package rest

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

// status is the HTTP status of every code.
func status(c boardwatch.Code) int {
	switch c {
	case boardwatch.CodeInvalidRequest:
		return http.StatusBadRequest
	case boardwatch.CodeUnauthorized:
		return http.StatusUnauthorized
	case boardwatch.CodeEmailNotVerified, boardwatch.CodePlanRequired:
		return http.StatusForbidden
	case boardwatch.CodeNotFound:
		return http.StatusNotFound
	case boardwatch.CodeAlreadyTracked:
		return http.StatusConflict
	case boardwatch.CodeRateLimited:
		return http.StatusTooManyRequests
	case boardwatch.CodeInternal:
		return http.StatusInternalServerError
	default:
		return http.StatusInternalServerError
	}
}

// fail answers with a failure. What is not meant for the caller is not told.
func fail(w http.ResponseWriter, err error) {
	f := transport.FailureOf(err)
	switch f.Error.Code {
	case boardwatch.CodeRateLimited:
		w.Header().Set("Retry-After", strconv.Itoa(f.Error.RetryAfter))
	case boardwatch.CodeUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="boardwatch"`)
	default:
	}
	write(w, status(f.Error.Code), f)
}

// fail answers with a failure, and logs the cause of one that is ours.
func (h *Handler) fail(ctx context.Context, w http.ResponseWriter, err error) {
	if boardwatch.CodeOf(err) == boardwatch.CodeInternal && !transport.Gone(ctx) {
		h.log.ErrorContext(ctx, "request failed", slog.String("request_id", transport.RequestID(ctx)), slog.Any("error", err))
	}
	fail(w, err)
}

// NotFound answers a request for a path that is not an endpoint: with the published failure, or, outside of /v1, with a
// page when the client asks for one.
func NotFound(w http.ResponseWriter, r *http.Request) {
	if inside := r.URL.Path == "/v1" || strings.HasPrefix(r.URL.Path, "/v1/"); !inside && WantsPage(r) {
		writePage(w, http.StatusNotFound, file("docs/notfound.html"))
		return
	}
	fail(w, &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "there is nothing at this address"})
}

// Broken answers for a handler that panicked.
func Broken(w http.ResponseWriter, _ *http.Request) {
	fail(w, errors.New("handler panicked"))
}

// WantsPage reports whether the client names HTML among what it accepts; a client that takes anything does not.
func WantsPage(r *http.Request) bool {
	for _, header := range r.Header.Values("Accept") {
		for kind := range strings.SplitSeq(header, ",") {
			name, parameters, _ := strings.Cut(kind, ";")
			if strings.EqualFold(strings.TrimSpace(name), "text/html") && !refused(parameters) {
				return true
			}
		}
	}
	return false
}

// refused reports whether the parameters of a kind say that it is not wanted.
func refused(parameters string) bool {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			q, err := strconv.ParseFloat(value, 64)
			return err == nil && q == 0
		}
	}
	return false
}
