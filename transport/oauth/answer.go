package oauth

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

// The errors of RFC 6749, 7591, 8707 and 9207 that are used here.
const (
	invalidRequest  = "invalid_request"
	invalidClient   = "invalid_client"
	invalidGrant    = "invalid_grant"
	invalidScope    = "invalid_scope"
	invalidTarget   = "invalid_target"
	invalidRedirect = "invalid_redirect_uri"
	invalidMetadata = "invalid_client_metadata"
	accessDenied    = "access_denied"
	wrongResponse   = "unsupported_response_type"
	wrongGrantType  = "unsupported_grant_type"
	serverError     = "server_error"
	unavailable     = "temporarily_unavailable"
)

// fault is what a client is told, with one of the codes above.
type fault struct{ Code, Text string }

func (f *fault) Error() string { return f.Code + ": " + f.Text }

// allowedHeaders are what a page from elsewhere may send.
const allowedHeaders = "Content-Type, Authorization, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, " +
	"Last-Event-ID, If-None-Match"

// open lets pages from anywhere use a path. No cookie counts there, so they can do no more than any other program.
func open(h http.HandlerFunc, method string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Access-Control-Allow-Origin", "*")
		head.Set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
		head.Set("X-Content-Type-Options", "nosniff")
		allowed := method + ", OPTIONS"
		if method == http.MethodGet {
			allowed = "GET, HEAD, OPTIONS"
		}
		switch {
		case r.Method == http.MethodOptions:
			head.Set("Access-Control-Allow-Methods", allowed)
			head.Set("Access-Control-Allow-Headers", allowedHeaders)
			head.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
		case r.Method == method, r.Method == http.MethodHead && method == http.MethodGet:
			h(w, r)
		default:
			only(allowed)(w, r)
		}
	})
}

// only refuses all methods but those that are allowed.
func only(allowed string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allowed)
		write(w, http.StatusMethodNotAllowed, answer{"error": invalidRequest, "error_description": "this path answers " + allowed})
	}
}

// answer is a JSON object.
type answer map[string]any

// write sends an answer that nobody keeps.
func write(w http.ResponseWriter, status int, a answer) {
	h := w.Header()
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
		h.Set("Pragma", "no-cache")
	}
	h.Set("Content-Type", "application/json")
	body, err := json.Marshal(a)
	if err != nil { // of strings, numbers and lists of them: it cannot happen
		status, body = http.StatusInternalServerError, []byte(`{"error":"`+serverError+`"}`)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone is its own affair
}

// fail tells a client what is wrong. What is nobody's business goes to the log.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	f, status := h.faultOf(r, err), http.StatusBadRequest
	switch f.Code {
	case invalidClient:
		status = http.StatusUnauthorized
		if strings.HasPrefix(strings.ToLower(r.Header.Get("Authorization")), "basic ") {
			w.Header().Set("WWW-Authenticate", `Basic realm="boardwatch"`)
		}
	case unavailable:
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", seconds(waitOf(err)))
	case serverError:
		status = http.StatusInternalServerError
	}
	write(w, status, answer{"error": f.Code, "error_description": f.Text})
}

// faultOf is what a client may know of an error.
func (h *Handler) faultOf(r *http.Request, err error) *fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return f
	}
	if e, ok := errors.AsType[*boardwatch.Error](err); ok && e.Code == boardwatch.CodeRateLimited {
		return &fault{unavailable, e.Message}
	}
	if !transport.Gone(r.Context()) {
		h.o.Log.ErrorContext(r.Context(), "authorization failed", slog.String("path", r.URL.Path), slog.Any("error", err))
	}
	return &fault{serverError, "something went wrong here; please try again later"}
}

// seconds are whole ones, and one at least.
func seconds(d time.Duration) string { return strconv.Itoa(max(1, int((d+time.Second-1)/time.Second))) }

func waitOf(err error) time.Duration {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		return e.RetryAfter
	}
	return 0
}
