package oauth

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

const (
	longestRequest = 16 << 10 // of an authorization request
	longestState   = 4 << 10
)

// authorize begins a grant: it lets the person sign in, checks who asks for what, and asks them. Until the address of the
// answer is known to be the client's and somebody has signed in, faults are told to the person; afterwards, to the client.
func (h *Handler) authorize(w http.ResponseWriter, r *http.Request) {
	if err := h.askings.Take(r.RemoteAddr); err != nil {
		w.Header().Set("Retry-After", seconds(waitOf(err)))
		h.pages.Refuse(w, r, http.StatusTooManyRequests, "Too often", "Too many requests came from your address. Wait a moment, then try again.")
		return
	}
	q, err := parameters(w, r)
	if err != nil {
		h.pages.Refuse(w, r, http.StatusBadRequest, "That cannot be done", "The app sent a request that cannot be read. Connect it again from its own settings.")
		return
	}
	person, known, err := h.pages.Person(r)
	if err != nil {
		h.pages.Fail(w, r, err)
		return
	}
	signIn := func() { h.pages.SignIn(w, r, authorizePath+"?"+q.Encode()) }
	id := q.Get("client_id")
	if err := checkDocumentID(id); err == nil && !known {
		signIn() // documents are fetched for people only
		return
	}
	client, err := h.client(r, person, id)
	if err != nil || len(q["client_id"]) != 1 {
		h.unknown(w, r, id, err)
		return
	}
	redirect := q.Get("redirect_uri")
	if len(q["redirect_uri"]) != 1 || !matches(client.RedirectURIs, redirect, h.o.Schemes) {
		h.pages.Refuse(w, r, http.StatusBadRequest, "That cannot be done",
			"The app wants the answer sent to an address that it has not registered, so nothing was sent. Connect it again from its own settings.")
		return
	}
	if !known {
		signIn() // faults too are told to the client only with a person there
		return
	}
	ask, err := h.asked(client, redirect, q)
	if err != nil {
		h.tell(w, r, client, redirect, h.faultOf(r, err).values(q.Get("state")))
		return
	}
	token, err := h.grants.Ask(r.Context(), person, ask)
	if err != nil {
		h.pages.Fail(w, r, err)
		return
	}
	h.pages.Consent(w, r, account.Question{Ask: ask, Token: token, Host: hostOf(redirect)})
}

// parameters are those of an authorization request, from the address or from a form.
func parameters(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	if len(r.URL.RawQuery) > longestRequest {
		return nil, errors.New("the request is too long")
	}
	if r.Method != http.MethodPost {
		return url.ParseQuery(r.URL.RawQuery)
	}
	r.Body = http.MaxBytesReader(w, r.Body, longestRequest)
	err := r.ParseForm()
	return r.PostForm, err
}

// client finds who asks the person: registered here, or described by a document of theirs.
func (h *Handler) client(r *http.Request, person account.Account, id string) (account.Client, error) {
	if checkDocumentID(id) == nil {
		return h.o.Documents.Client(r.Context(), person.ID, id, h.o.Schemes)
	}
	return h.grants.Client(r.Context(), id)
}

// unknown tells the person that nobody knows who asks.
func (h *Handler) unknown(w http.ResponseWriter, r *http.Request, id string, err error) {
	text := "The app that sent you here is not registered, or no longer. Connect it again from its own settings."
	if checkDocumentID(id) == nil {
		text = "The app that sent you here calls itself " + id + ", but what " + hostOf(id) + " says about it cannot be used"
		if e, ok := errors.AsType[*DocumentError](err); ok {
			text += ": " + e.Reason
		}
		text += ". Nothing was allowed."
	} else if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		h.pages.Fail(w, r, err)
		return
	}
	h.pages.Refuse(w, r, http.StatusBadRequest, "Unknown app", text)
}

// asked is what the client wants, or a fault to tell it.
func (h *Handler) asked(c account.Client, redirect string, q url.Values) (account.Ask, error) {
	for name, values := range q {
		if len(values) > 1 && name != "resource" {
			return account.Ask{}, &fault{invalidRequest, "a parameter is given more than once"}
		}
	}
	switch {
	case q.Get("response_type") == "":
		return account.Ask{}, &fault{invalidRequest, "response_type is missing"}
	case q.Get("response_type") != "code":
		return account.Ask{}, &fault{wrongResponse, "response_type must be code"}
	case q.Get("response_mode") != "" && q.Get("response_mode") != "query":
		return account.Ask{}, &fault{invalidRequest, "response_mode must be query"}
	case q.Get("code_challenge_method") != "S256" || !isChallenge(q.Get("code_challenge")):
		return account.Ask{}, &fault{invalidRequest, "PKCE is required: code_challenge, with code_challenge_method S256"}
	case len(q.Get("state")) > longestState:
		return account.Ask{}, &fault{invalidRequest, "state is too long"}
	}
	if err := h.checkResources(q["resource"]); err != nil {
		return account.Ask{}, err
	}
	scopes, err := offered(c, q)
	return account.Ask{
		Client: c, RedirectURI: redirect, State: q.Get("state"), Challenge: q.Get("code_challenge"), Resource: Resource(h.issuer),
		Scopes: scopes,
	}, err
}

func (h *Handler) checkResources(resources []string) error {
	for _, resource := range resources {
		if resource != "" && !h.canonical(resource) { // what is empty counts as left out (RFC 6749 section 3.1)
			return &fault{invalidTarget, "resource must be " + Resource(h.issuer)}
		}
	}
	return nil
}

// isChallenge reports whether s is the base64url form of a SHA-256.
func isChallenge(s string) bool {
	return len(s) == 43 && !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_'
	})
}

// offered are the scopes that the person can allow. Whether the client may stay connected is theirs to decide whenever it
// would know how; few clients ask for it.
func offered(c account.Client, q url.Values) ([]account.Scope, error) {
	wanted, err := knownScopes(q.Get("scope"))
	if err != nil {
		return nil, err
	}
	wanted = slices.DeleteFunc(wanted, func(s account.Scope) bool { return s == account.ScopeOfflineAccess })
	if len(wanted) == 0 {
		wanted = []account.Scope{account.ScopeBoardsRead}
	}
	if c.Refreshes() {
		wanted = append(wanted, account.ScopeOfflineAccess)
	}
	return wanted, nil
}

func allScopes() []account.Scope {
	return []account.Scope{account.ScopeBoardsRead, account.ScopeBoardsWrite, account.ScopeOfflineAccess}
}

// knownScopes are those of the requested scopes that exist; it is a fault if none does.
func knownScopes(text string) ([]account.Scope, error) {
	known := account.ParseScopes(text)
	if len(known) == 0 && strings.TrimSpace(text) != "" {
		return nil, &fault{invalidScope, "none of these scopes exists; there are " + account.FormatScopes(allScopes())}
	}
	return known, nil
}

// values are the parameters that tell a client of a fault.
func (f *fault) values(state string) url.Values {
	v := url.Values{"error": {f.Code}, "error_description": {f.Text}}
	if state != "" {
		v.Set("state", state)
	}
	return v
}

// tell sends the browser to the client with a fault. Anybody can register a client with any address, so a page names such a
// client first; else each link to this server could be one to any site. A browser that comes from a form of ours, which is
// the one of the sign-in, is led by a page too: the policy of that form names no other site.
func (h *Handler) tell(w http.ResponseWriter, r *http.Request, c account.Client, redirect string, v url.Values) {
	if c.Described() && !h.fromHere(r) {
		h.back(w, redirect, v)
		return
	}
	h.pages.Return(w, r, c, h.answerAt(redirect, v))
}

// fromHere reports whether a page of this service led here.
func (h *Handler) fromHere(r *http.Request) bool {
	from, err := url.Parse(r.Referer())
	return err == nil && from.Host != "" && strings.EqualFold(from.Scheme+"://"+from.Host, h.issuer)
}

// answerAt is the client's address with an answer.
func (h *Handler) answerAt(redirect string, v url.Values) string {
	v.Set("iss", h.issuer)
	return with(redirect, v)
}

// back sends the browser to the client with an answer.
func (h *Handler) back(w http.ResponseWriter, redirect string, v url.Values) {
	head := w.Header()
	head.Set("Location", h.answerAt(redirect, v))
	head.Set("Cache-Control", "no-store")
	head.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(http.StatusSeeOther) // a GET, whatever the method was: the form goes no further
}
