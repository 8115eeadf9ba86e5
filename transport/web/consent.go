package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// consentPage asks whether a program may use the person's list.
type consentPage struct {
	Name   string // the name the program gives itself; may be empty
	Client string // the host of its description; empty if it registered here
	Host   string // the host that the answer goes to
	Email  string
	Token  string
	Local  bool // the answer goes to a program on the person's own device
	App    bool // the answer goes to an app with its own URL scheme there
	Scopes []scopeBox
}

// scopeBox is the checkbox of one scope.
type scopeBox struct{ Name, Title, Text string }

func boxes(scopes []account.Scope) []scopeBox {
	words := map[account.Scope]scopeBox{
		account.ScopeBoardsRead: {
			Title: "See your list", Text: "The boards that you track, their roles, and what is new.",
		},
		account.ScopeBoardsWrite: {
			Title: "Change your list", Text: "Add boards to it, and remove them.",
		},
		account.ScopeOfflineAccess: {
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

// Person returns the account signed in at the browser; false if there is none.
func (a *App) Person(r *http.Request) (account.Account, bool, error) {
	c, err := a.caller(r)
	return c.Account, c.known(), err
}

// SignIn sends the browser to the sign-in page, from which it returns to a path.
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

// returnPage links back to a program.
type returnPage struct {
	Name       string // the name the program gives itself; may be empty
	Unverified bool   // anybody can register a program, under any name
	Host       string
	Address    template.URL // the program's own, checked against what it registered
}

// Return says that a program's request cannot be fulfilled, and leads back to the program: automatically, unless the
// program has registered itself.
func (a *App) Return(w http.ResponseWriter, r *http.Request, program account.Client, address string) {
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

// Refuse says what is wrong with a request of a program or a person.
func (a *App) Refuse(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	a.guard(w, policy)
	c, err := a.caller(r)
	if err != nil {
		c = nobody()
	}
	way := &link{"Go to sign-in", "/signin"}
	if c.known() {
		way = &link{"Go to connected apps", "/settings/apps"}
	}
	if err := a.show(w, r, c, status, "message", view{Title: title, Page: messagePage{title, text, way}}); err != nil {
		http.Error(w, title, status)
	}
}

// Fail says that something went wrong here, and logs the error.
func (a *App) Fail(w http.ResponseWriter, r *http.Request, err error) {
	a.guard(w, policy)
	a.fail(w, r, nil, err)
}

// policyFor returns the policy of a page whose form ends at a redirect address. Browsers also apply form-action to the
// targets of redirects, so the page's own site is not enough.
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
