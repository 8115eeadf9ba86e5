package oauth

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// longestForm is how long a client's form may be.
const longestForm = 16 << 10

// token exchanges a code or a refresh token for tokens.
func (h *Handler) token(w http.ResponseWriter, r *http.Request) {
	issued, err := h.exchange(w, r)
	switch {
	case errors.Is(err, account.ErrBadGrant):
		err = &fault{invalidGrant, account.ErrBadGrant.Error()}
	case errors.Is(err, account.ErrBadScope):
		err = &fault{invalidScope, account.ErrBadScope.Error()}
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	a := answer{
		"access_token": issued.Access, "token_type": "Bearer", "expires_in": int(issued.Life / time.Second),
		"scope": account.FormatScopes(issued.Scopes),
	}
	if issued.Refresh != "" {
		a["refresh_token"] = issued.Refresh
	}
	write(w, http.StatusOK, a)
}

func (h *Handler) exchange(w http.ResponseWriter, r *http.Request) (account.Issued, error) {
	f, err := h.clientForm(w, r)
	if err != nil {
		return account.Issued{}, err
	}
	kind := f.Get("grant_type")
	switch kind {
	case account.GrantTypeCode, account.GrantTypeRefresh:
	case "":
		return account.Issued{}, &fault{invalidRequest, "grant_type is missing"}
	default:
		return account.Issued{}, &fault{wrongGrantType, "grant_type must be authorization_code or refresh_token"}
	}
	if err := h.checkResources(f["resource"]); err != nil {
		return account.Issued{}, err
	}
	if kind == account.GrantTypeRefresh {
		return h.refresh(r, f)
	}
	for _, name := range []string{"code", "redirect_uri", "code_verifier"} {
		if f.Get(name) == "" {
			return account.Issued{}, &fault{invalidRequest, name + " is missing"}
		}
	}
	return h.grants.Redeem(r.Context(), account.Redemption{
		ClientID: f.Get("client_id"), Code: f.Get("code"), RedirectURI: f.Get("redirect_uri"), Verifier: f.Get("code_verifier"),
	})
}

func (h *Handler) refresh(r *http.Request, f url.Values) (account.Issued, error) {
	if f.Get("refresh_token") == "" {
		return account.Issued{}, &fault{invalidRequest, "refresh_token is missing"}
	}
	wanted, err := knownScopes(f.Get("scope"))
	if err != nil {
		return account.Issued{}, err
	}
	issued, err := h.grants.Refresh(r.Context(), f.Get("client_id"), f.Get("refresh_token"), wanted)
	if err == nil && issued.Refresh != "" {
		haveTheLastWord(r.Context())
	}
	return issued, err
}

// lastWord is how much later than others an answer is given that holds a new refresh token.
const lastWord = 200 * time.Millisecond

// haveTheLastWord lets the answers go first that hold no refresh token. A client whose calls all find that the access token
// has run out refreshes for each of them at once, and only one gets the successor. The TypeScript SDKs keep the answer
// that came last, and where it names no refresh token, the old one: presenting that later would end the connection.
func haveTheLastWord(ctx context.Context) {
	others := time.NewTimer(lastWord)
	defer others.Stop()
	select {
	case <-others.C:
	case <-ctx.Done():
	}
}

// revoke ends a token that its client has no more use for (RFC 7009).
func (h *Handler) revoke(w http.ResponseWriter, r *http.Request) {
	f, err := h.clientForm(w, r)
	if err == nil && f.Get("token") == "" {
		err = &fault{invalidRequest, "token is missing"}
	}
	if err == nil {
		err = h.grants.RevokeToken(r.Context(), f.Get("client_id"), f.Get("token"))
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}

// clientForm reads how a known client identifies itself.
func (h *Handler) clientForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	if err := h.issuing.Take(r.RemoteAddr); err != nil {
		return nil, err
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, &fault{invalidRequest, "the body must be a form, application/x-www-form-urlencoded"}
	}
	r.Body = http.MaxBytesReader(w, r.Body, longestForm)
	if err := r.ParseForm(); err != nil {
		return nil, &fault{invalidRequest, "the form cannot be read, or is too long"}
	}
	f := r.PostForm
	for name, values := range f {
		if len(values) > 1 && name != "resource" {
			return nil, &fault{invalidRequest, "a parameter is given more than once"}
		}
	}
	return f, h.checkClient(r, f)
}

// checkClient makes sure that the client is one that there is, and has no secret. Whether a code or a token is that
// client's is seen when it is looked up; documents of clients are not needed for it.
func (h *Handler) checkClient(r *http.Request, f url.Values) error {
	switch {
	case f.Get("client_secret") != "" || f.Get("client_assertion") != "" || r.Header.Get("Authorization") != "":
		return &fault{invalidClient, "clients are public here: they send client_id and no secret"}
	case f.Get("client_id") == "":
		return &fault{invalidClient, "client_id is missing"}
	case checkDocumentID(f.Get("client_id")) == nil:
		return nil
	}
	_, err := h.grants.Client(r.Context(), f.Get("client_id"))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return &fault{invalidClient, "this client is not registered, or no longer"}
	}
	return err
}
