package rest

import (
	"log/slog"
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport"
)

// request is a request of a caller who may make it.
type request struct {
	*http.Request
	account.Caller
	budget boardwatch.Budget
}

// answer is what an operation answers; a nil body is none.
type answer struct {
	status int
	body   any
}

// guard lets callers through to an operation: who is it, is the address confirmed, does the plan include this door, is
// there room in the budget. Only then is the request looked at.
func (h *Handler) guard(operation func(r request) (answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req, err := h.admit(r)
		if err != nil {
			h.fail(r.Context(), w, err)
			return
		}
		a, err := operation(req)
		switch {
		case err != nil:
			h.fail(r.Context(), w, err)
		case a.body == nil:
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(a.status)
		default:
			write(w, a.status, a.body)
		}
	})
}

func (h *Handler) admit(r *http.Request) (request, error) {
	secret, err := bearer(r.Header)
	if err != nil {
		return request{}, err
	}
	caller, err := h.gate.ByKey(r.Context(), secret)
	if err != nil {
		return request{}, err
	}
	transport.Note(r.Context(), slog.String("account_id", caller.Account.ID), slog.String("key_id", caller.Key.ID))
	if err := h.gate.Admit(caller.Account, account.DoorREST); err != nil {
		return request{}, err
	}
	budget, err := h.gate.Spend(r.Context(), caller, account.DoorREST)
	if err != nil {
		return request{}, err
	}
	caller.Key.LastUsedAt = budget.At
	return request{r, caller, budget}, nil
}

// bearer takes the key out of the one header that may carry it.
func bearer(header http.Header) (string, error) {
	if key, ok := transport.Bearer(header); ok {
		return key, nil
	}
	message := "the header Authorization must have the form Bearer <API_KEY>"
	if len(header.Values("Authorization")) == 0 {
		message = "an API key is needed, in the header Authorization: Bearer <API_KEY>"
	}
	return "", &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: message}
}
