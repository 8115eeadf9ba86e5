package mcp

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport"
)

var errNoToken = &boardwatch.Error{
	Code: boardwatch.CodeUnauthorized, Message: "an access token is needed, in the header Authorization: Bearer <TOKEN>",
}

// admit authenticates a request and checks that the account may use MCP.
func (h *Handler) admit(r *http.Request) (account.Caller, error) {
	token, ok := transport.Bearer(r.Header)
	if !ok {
		return account.Caller{}, errNoToken
	}
	caller, err := h.services.Tokens.ByToken(r.Context(), token)
	if err != nil {
		return account.Caller{}, err
	}
	if err := h.services.Gate.Admit(caller.Account, account.DoorMCP); err != nil {
		return account.Caller{}, err
	}
	return caller, nil
}

// refuse answers a request that was not admitted. It sends a challenge only if another token would help: a client that is
// challenged because of its account's plan would ask for tokens for ever.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch boardwatch.CodeOf(err) {
	case boardwatch.CodeUnauthorized:
		c := challenge{metadata: h.metadata(), scopes: []account.Scope{account.ScopeBoardsRead, account.ScopeBoardsWrite}}
		if !errors.Is(err, errNoToken) {
			c.code, c.description = "invalid_token", "the access token is unknown, expired or revoked"
		}
		w.Header().Set("WWW-Authenticate", c.String())
		writeError(w, http.StatusUnauthorized, err)
	case boardwatch.CodeEmailNotVerified, boardwatch.CodePlanRequired:
		writeError(w, http.StatusForbidden, err)
	default:
		h.fail(r.Context(), w, err)
	}
}

// covers reports whether the token of a call has the scope of a tool, and notes the scope if it does not.
func (c *call) covers(t tool) bool {
	if c.barred == nil && !c.caller.May(t.scope) {
		c.missing = t.scope
	}
	return c.missing == ""
}

// stepUp challenges the client to get a token with one more scope. The challenge names the scopes that the token has, too,
// so that a client which asks for exactly these loses none.
func (h *Handler) stepUp(w http.ResponseWriter, c *call) {
	var scopes []account.Scope
	for _, s := range []account.Scope{account.ScopeBoardsRead, account.ScopeBoardsWrite} {
		if s == c.missing || c.caller.May(s) {
			scopes = append(scopes, s)
		}
	}
	needed := "this needs the scope " + string(c.missing)
	w.Header().Set("WWW-Authenticate", challenge{
		metadata: h.metadata(), code: "insufficient_scope", description: needed, scopes: scopes,
	}.String())
	writeError(w, http.StatusForbidden, &boardwatch.Error{
		Code: boardwatch.CodeUnauthorized, Message: needed + ", which the person who connected this program has not allowed",
	})
}

// metadata is where a client reads how to get a token.
func (h *Handler) metadata() string { return h.base + "/.well-known/oauth-protected-resource/mcp" }

// challenge is a WWW-Authenticate header (RFC 6750 section 3, RFC 9728 section 5.1). Its texts are our own.
type challenge struct {
	metadata          string
	code, description string // empty: no token was sent
	scopes            []account.Scope
}

func (c challenge) String() string {
	parts := []string{`resource_metadata="` + c.metadata + `"`, `scope="` + account.FormatScopes(c.scopes) + `"`}
	if c.code != "" {
		parts = append(parts, `error="`+c.code+`"`, `error_description="`+c.description+`"`)
	}
	return "Bearer " + strings.Join(parts, ", ")
}

// fail answers an internal error and logs its cause.
func (h *Handler) fail(ctx context.Context, w http.ResponseWriter, err error) {
	if err == nil {
		err = errors.New("no answer came")
	}
	h.log.ErrorContext(ctx, "request failed", slog.String("request_id", transport.RequestID(ctx)), slog.Any("error", err))
	writeError(w, http.StatusInternalServerError, err)
}
