package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// consentPage asks whether a program may use the person's list.
type consentPage struct {
	Name   string // what the program calls itself; empty when it does not
	Client string // the host that its description comes from; empty when it has registered here
	Host   string // where the answer goes
	Email  string
	Token  string
	Local  bool // the answer goes to a program on the person's own device
	App    bool // the answer goes to an app that has taken a scheme there
	Scopes []scopeBox
}

// scopeBox is one thing to allow.
type scopeBox struct{ Name, Title, Text string }

func boxes(scopes []boardwatch.Scope) []scopeBox {
	words := map[boardwatch.Scope]scopeBox{
		boardwatch.ScopeBoardsRead: {
			Title: "See your list", Text: "The boards that you track, their roles, and what is new.",
		},
		boardwatch.ScopeBoardsWrite: {
			Title: "Change your list", Text: "Add boards to it, and remove them.",
		},
		boardwatch.ScopeOfflineAccess: {
			Title: "Stay connected", Text: "Without asking you again, until you disconnect it in the settings or it has not been used for a long time.",
		},
	}
	out := make([]scopeBox, 0, len(scopes))
	for _, s := range scopes {
		box := words[s]
		box.Name = string(s)
		out = append(out, box)
	}
	return out
}

// Person is who is signed in at the browser; false: nobody.
func (a *App) Person(r *http.Request) (boardwatch.Account, bool, error) {
	c, err := a.caller(r)
	return c.Account, c.known(), err
}

// SignIn sends the browser to sign in first, and to come back to a path afterwards.
func (a *App) SignIn(w http.ResponseWriter, r *http.Request, next string) {
	a.guard(w, policy)
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/signin?next="+url.QueryEscape(next), http.StatusSeeOther)
}

// Consent asks the person whether a program may use their list.
func (a *App) Consent(w http.ResponseWriter, r *http.Request, q account.Question) {
	a.guard(w, policyFor(q.RedirectURI))
	c, err := a.caller(r)
	if err != nil {
		a.fail(w, r, c, err)
		return
	}
	p := consentPage{Name: q.Client.Name, Host: q.Host, Email: c.Account.Email, Token: q.Token, Scopes: boxes(q.Scopes)}
	if q.Client.Described() {
		if u, err := url.Parse(q.Client.ID); err == nil {
			p.Client = u.Host
		}
	}
	scheme, _, _ := strings.Cut(q.RedirectURI, ":")
	p.Local, p.App = scheme == "http", scheme != "http" && scheme != "https"
	if err := a.show(w, r, c, http.StatusOK, "consent", view{Title: "Connect an app", Narrow: true, Page: p}); err != nil {
		a.fail(w, r, c, err)
	}
}

// returnPage leads back to a program.
type returnPage struct {
	Name       string // what the program calls itself; empty when it does not
	Unverified bool   // anybody can have registered it, under any name
	Host       string
	Address    template.URL // the program's own, which has been compared with what it registered
}

// Return says that a program asked for what cannot be done, and leads back to it: by itself, unless the program has
// registered itself.
func (a *App) Return(w http.ResponseWriter, r *http.Request, program boardwatch.Client, address string) {
	a.guard(w, policy)
	c, err := a.caller(r)
	if err != nil {
		c = nobody()
	}
	w.Header().Set("Cache-Control", "no-store")
	p := returnPage{
		Name: program.Name, Unverified: !program.Described(),
		Address: template.URL(address), //nolint:gosec // by the rules for redirect addresses, which know no scripts
	}
	if u, err := url.Parse(address); err == nil {
		p.Host = u.Host
	}
	status := http.StatusOK
	if p.Unverified {
		status = http.StatusBadRequest
	} else {
		w.Header().Set("Refresh", "0;url="+address)
	}
	const title = "Back to the app"
	if err := a.show(w, r, c, status, "return", view{Title: title, Page: p}); err != nil {
		http.Error(w, title, status)
	}
}

// Refuse says what is wrong with what a program or the person wants.
func (a *App) Refuse(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	a.guard(w, policy)
	c, err := a.caller(r)
	if err != nil {
		c = nobody()
	}
	if err := a.show(w, r, c, status, "message", view{Title: title, Page: messagePage{Title: title, Text: text}}); err != nil {
		http.Error(w, title, status)
	}
}

// Fail says that something went wrong here, and logs what.
func (a *App) Fail(w http.ResponseWriter, r *http.Request, err error) {
	a.guard(w, policy)
	a.fail(w, r, nil, err)
}

// policyFor is the policy of a page whose form ends at a redirect address. Browsers apply form-action to where a form is
// redirected, so the page's own site is not enough.
func policyFor(redirect string) string {
	u, err := url.Parse(redirect)
	if err != nil {
		return policy
	}
	target := u.Scheme + ":"
	if u.Scheme == "https" || u.Scheme == "http" {
		target = u.Scheme + "://" + u.Host
	}
	if strings.ContainsAny(target, "[];, '") { // an IPv6 address has no form in a policy
		return strings.Replace(policy, "form-action 'self'; ", "", 1)
	}
	return strings.Replace(policy, "form-action 'self'", "form-action 'self' "+target, 1)
}
