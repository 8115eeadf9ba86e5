package oauth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// consent takes a person's answer to the client.
func (h *Handler) consent(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, longestRequest)
	if err := r.ParseForm(); err != nil {
		h.pages.Refuse(w, r, http.StatusBadRequest, "That cannot be done", "The form cannot be read.")
		return
	}
	person, known, err := h.pages.Person(r)
	if err != nil {
		h.pages.Fail(w, r, err)
		return
	}
	if !known {
		h.pages.Refuse(w, r, http.StatusForbidden, "Not allowed", "You are not signed in any more. Sign in, then connect the app again from its own settings.")
		return
	}
	ask, err := h.grants.Answered(r.Context(), person, r.PostForm.Get("request"))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		h.pages.Refuse(w, r, http.StatusBadRequest, "That cannot be done", "This was answered before, or too long ago. Connect the app again from its own settings.")
		return
	}
	if err != nil {
		h.pages.Fail(w, r, err)
		return
	}
	ticked := account.ParseScopes(strings.Join(r.PostForm["scope"], " "))
	something := slices.ContainsFunc(ticked, func(s account.Scope) bool {
		return s != account.ScopeOfflineAccess && slices.Contains(ask.Scopes, s)
	})
	if r.PostForm.Has("deny") || !something {
		f := &fault{accessDenied, "the person did not allow it"}
		h.back(w, ask.RedirectURI, f.values(ask.State))
		return
	}
	code, err := h.grants.Allow(r.Context(), ask, hostOf(ask.RedirectURI), ticked)
	if err != nil {
		h.pages.Fail(w, r, err)
		return
	}
	v := url.Values{"code": {code}}
	if ask.State != "" {
		v.Set("state", ask.State)
	}
	h.back(w, ask.RedirectURI, v)
}

// foreign answers a form that another site has sent.
func (h *Handler) foreign(w http.ResponseWriter, r *http.Request) {
	h.pages.Refuse(w, r, http.StatusForbidden, "Sent from another site", "This form did not come from "+h.issuer+", so nothing was allowed.")
}
