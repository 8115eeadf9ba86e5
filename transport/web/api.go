package web

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport"
)

// apiError is the body of an error for the script: one sentence.
type apiError struct {
	Error string `json:"error"`
}

// pingResult is the result of a test ping.
type pingResult struct {
	Status     int    `json:"status"` // 0 when no answer came
	DurationMs int64  `json:"durationMs"`
	Error      string `json:"error,omitempty"`
}

// apiPath is the prefix of the script's routes.
const apiPath = "/api/"

// api serves the routes of the app's own script. They accept only the cookie of a sign-in: a request with a key is
// refused, even if it has the cookie too.
func (a *App) api() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /api/webhooks/{id}/test", a.scripted(func(w http.ResponseWriter, r *http.Request, c *caller) error {
		receipt, err := a.s.Dispatcher.Ping(r.Context(), c.Account.ID, r.PathValue("id"))
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, pingResult{receipt.Code, receipt.Duration.Milliseconds(), receipt.Error})
	}))
	mux.Handle("GET /api/boards", a.scripted(func(w http.ResponseWriter, r *http.Request, c *caller) error {
		boards, err := a.s.Tracker.Boards(r.Context(), c.Account, "")
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, boards)
	}))
	a.passkeyRoutes(mux)
	mux.Handle(apiPath, a.scripted(func(http.ResponseWriter, *http.Request, *caller) error {
		return &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "there is nothing at this address"}
	}))
	return mux
}

func (a *App) scripted(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := a.caller(r)
		switch {
		case err != nil:
		case r.Header.Get("Authorization") != "":
			err = &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "keys and tokens are not accepted here; sign in"}
		case !c.known():
			err = &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "sign in first"}
		default:
			err = h(w, r, c)
		}
		if err != nil {
			a.failJSON(w, r, err)
		}
	})
}

func (a *App) failJSON(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	text := "something went wrong on our side"
	switch code := boardwatch.CodeOf(err); {
	case errors.Is(err, account.ErrStale), errors.Is(err, account.ErrBusy):
		text = strings.Join(sentences(err), " ")
		status, _ = refusal(w, err)
	case code == boardwatch.CodeInternal && a.noDatabase(w, r, err):
		status, text = http.StatusServiceUnavailable, "the database does not answer; try again in a moment"
	case code == boardwatch.CodeInternal:
		if !transport.Gone(r.Context()) {
			a.o.Log.ErrorContext(r.Context(), "request of a page failed", slog.String("path", r.URL.Path), slog.Any("error", err))
		}
	case code == boardwatch.CodeUnauthorized:
		status, text = http.StatusUnauthorized, strings.Join(sentences(err), " ")
	case code == boardwatch.CodeNotFound:
		status, text = http.StatusNotFound, strings.Join(sentences(err), " ")
	default:
		status, text = http.StatusBadRequest, strings.Join(sentences(err), " ")
		if s, told := refusal(w, err); told {
			status = s
		}
	}
	_ = writeJSON(w, status, apiError{text}) // the client may have gone
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the client may have gone
	return nil
}
