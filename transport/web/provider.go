package web

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/oidc"
)

// ProviderPath redirects to the sign-in provider, and the provider sends people back to ProviderReturn. Both are below
// the base URL.
const (
	ProviderPath   = "/signin/oidc"
	ProviderReturn = ProviderPath + "/callback"
)

// signInSection is the path of the sign-in settings.
const signInSection = "/settings/signin"

// longestNext bounds the path that a person returns to, in bytes: the state that holds it is part of addresses.
const longestNext = 500

// journey is what is needed when a person returns from the provider. The state is this, encrypted.
type journey struct {
	Secrets    oidc.Secrets `json:"secrets"`
	Browser    string       `json:"browser"` // the hash of the cookie of the browser they left with
	Purpose    purpose      `json:"purpose"`
	Next       string       `json:"next"`
	Invitation string       `json:"invitation,omitempty"`
}

// purpose is why a person goes to the provider.
type purpose string

const (
	toEnter   purpose = "enter"
	toConnect purpose = "connect" // their account to who they are there
	toRenew   purpose = "renew"   // their sign-in, as proof that it is them
)

// goToProvider sends a person to the provider. It is a link and not a form, because the content security policy would
// not let a form redirect to another site.
func (a *App) goToProvider(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.s.Provider == nil {
		return a.nothing(w, r, c)
	}
	q := r.URL.Query()
	j := journey{Purpose: toEnter, Next: localPath(q.Get("next"), "/boards"), Invitation: q.Get("invitation")}
	if c.known() {
		if q.Get("again") == "" {
			http.Redirect(w, r, j.Next, http.StatusSeeOther)
			return nil
		}
		j.Purpose = toRenew
	}
	address, err := a.depart(w, r, c, j)
	if err != nil {
		return a.notEntered(w, r, c, j, err)
	}
	http.Redirect(w, r, address, http.StatusFound) //nolint:gosec // the operator chose the provider
	return nil
}

// depart begins a journey and returns the address at the provider.
func (a *App) depart(w http.ResponseWriter, r *http.Request, c *caller, j journey) (string, error) {
	if err := a.departures.Take(r.RemoteAddr); err != nil {
		return "", err
	}
	if len(j.Next) > longestNext {
		j.Next = "/boards"
	}
	browser := a.travelling(r)
	j.Secrets, j.Browser = oidc.NewSecrets(j.Purpose == toRenew), account.HashSecret(browser)
	data, err := json.Marshal(j)
	if err != nil {
		return "", err
	}
	state, err := a.s.Identities.Begin(account.CeremonyProvider, c.Account, data)
	if err != nil {
		return "", err
	}
	address, err := a.s.Provider.Begin(r.Context(), state, j.Secrets)
	if err != nil {
		return "", err
	}
	a.setCookie(w, a.travelCookie(), browser, int(account.CeremonyProvider.Life().Seconds()))
	return address, nil
}

// travelCookie binds a journey to the browser that it began in. Of all requests from other sites, browsers send it only
// with the one that brings the person back.
func (a *App) travelCookie() string { return a.cookieName() + "-signin" }

// travelling returns the value of the browser's cookie. An existing value is kept, for people with several windows
// open.
func (a *App) travelling(r *http.Request) string {
	if cookie, err := r.Cookie(a.travelCookie()); err == nil && account.ValidToken(cookie.Value) {
		return cookie.Value
	}
	return account.NewToken()
}

// errJourney is the answer to a return from the provider that was never begun, is too late, or was used before.
func errJourney() error {
	return &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "this sign-in was begun in another browser, took too long, or was used before: begin again"}
}

// returned receives a person sent back by the provider.
func (a *App) returned(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.s.Provider == nil {
		return a.nothing(w, r, c)
	}
	j, ceremony, err := a.journey(r)
	if err != nil {
		return a.notEntered(w, r, c, j, err)
	}
	guest, err := a.guest(r, j)
	if err == nil {
		err = a.s.Identities.Finish(r.Context(), ceremony)
	}
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		err = errJourney()
	}
	if err != nil {
		return a.notEntered(w, r, c, j, err)
	}
	switch {
	case j.Purpose == toEnter:
		return a.arrive(w, r, c, j, guest)
	case ceremony.AccountID != c.Account.ID || !c.known():
		return a.notEntered(w, r, c, j, errJourney())
	case j.Purpose == toConnect:
		if err := a.s.Identities.ConnectGuest(r.Context(), c.Account, guest); err != nil {
			return a.notEntered(w, r, c, j, err)
		}
		a.back(w, r, signInSection, flash{"good", "Your account is connected to " + a.providerName() + "."})
		return nil
	default:
		in, err := a.s.Identities.Renew(r.Context(), c.Account, guest, a.visitor(r))
		if err != nil {
			return a.notEntered(w, r, c, j, err)
		}
		a.enter(w, r, c, in.Entered)
		http.Redirect(w, r, j.Next, http.StatusSeeOther)
		return nil
	}
}

// arrive signs a guest in.
func (a *App) arrive(w http.ResponseWriter, r *http.Request, c *caller, j journey, guest account.Guest) error {
	in, err := a.s.Identities.Arrive(r.Context(), guest, j.Invitation, a.visitor(r))
	if err != nil {
		return a.notEntered(w, r, c, j, err)
	}
	a.enter(w, r, c, in.Entered)
	a.setCookie(w, a.travelCookie(), "", -1)
	if in.Reclaimed {
		j.Next = account.ReviewPath
	}
	http.Redirect(w, r, j.Next, http.StatusSeeOther)
	return nil
}

// journey opens the journey that a person returns from.
func (a *App) journey(r *http.Request) (journey, account.Ceremony, error) {
	j := journey{Purpose: toEnter, Next: "/boards"}
	c, err := a.s.Identities.Open(account.CeremonyProvider, r.URL.Query().Get("state"))
	if err != nil {
		return j, c, errJourney()
	}
	var kept journey
	if err := json.Unmarshal(c.Data, &kept); err != nil {
		return j, c, err
	}
	cookie, err := r.Cookie(a.travelCookie())
	if err != nil || subtle.ConstantTimeCompare([]byte(account.HashSecret(cookie.Value)), []byte(kept.Browser)) != 1 {
		return j, c, errJourney()
	}
	return kept, c, nil
}

// guest asks the provider who has returned.
func (a *App) guest(r *http.Request, j journey) (account.Guest, error) {
	q := r.URL.Query()
	if issuer := q.Get("iss"); issuer != "" && issuer != a.s.Provider.Issuer() {
		return account.Guest{}, &oidc.Error{Reason: "the answer is from another provider"}
	}
	switch code := q.Get("error"); {
	case code == "access_denied":
		return account.Guest{}, &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: a.providerName() + " did not let you in, or you went back"}
	case code != "":
		return account.Guest{}, &oidc.Error{Reason: "it answered with an error", Err: errors.New(codeOnly(code))}
	}
	person, err := a.s.Provider.Finish(r.Context(), q.Get("code"), j.Secrets)
	return account.Guest(person), err
}

// codeOnly returns the error code if it has the form that OAuth prescribes; anything else may be forged.
func codeOnly(code string) string {
	for _, r := range code {
		if (r < 'a' || r > 'z') && r != '_' || len(code) > 50 {
			return "an unknown code"
		}
	}
	return code
}

// notEntered tells a person why they are not let in, on the page they came from.
func (a *App) notEntered(w http.ResponseWriter, r *http.Request, c *caller, j journey, err error) error {
	if fault, ok := errors.AsType[*oidc.Error](err); ok {
		a.o.Log.WarnContext(r.Context(), "nobody could sign in with the provider", slog.Any("error", fault))
		err = &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "the answer of " + a.providerName() + " is not valid: begin again"}
		switch {
		case fault.Down:
			err = &providerDownError{a.providerName()}
		case fault.Stale:
			err = &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: a.providerName() + " does not say that you signed in again just now: " +
				"sign in there with your password, or prove another way that it is you"}
		}
	}
	status, told := refusal(w, err)
	if !told {
		return err
	}
	wrong := faultsOf("", err)
	if c.known() {
		return a.section(w, r, c, "signin", outcome{status: status, wrong: wrong})
	}
	return a.askPassword(w, r, c, status, signInPage{Next: j.Next, Wrong: wrong})
}

// providerDownError says that the provider does not answer.
type providerDownError struct{ name string }

// Error is the sentence for the person.
func (e *providerDownError) Error() string {
	return e.name + " does not answer at the moment: try again in a few minutes, or sign in another way"
}

func (a *App) providerName() string { return a.s.Identities.Provider().Name }

// connect sends a person to the provider to connect their account with their login there. The page uses a link, for the
// reason given at goToProvider.
func (a *App) connect(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.s.Provider == nil {
		return a.nothing(w, r, c)
	}
	if err := a.s.Identities.Confirm(r.Context(), c.Account, a.proof(r, c), a.visitor(r)); err != nil {
		return a.refuse(w, r, c, "signin", err)
	}
	j := journey{Purpose: toConnect, Next: signInSection}
	address, err := a.depart(w, r, c, j)
	if err != nil {
		return a.notEntered(w, r, c, j, err)
	}
	p := messagePage{
		"Connect " + a.providerName(), "Sign in at " + a.providerName() + " as the person who may sign in to this account.",
		&link{"Go to " + a.providerName(), address},
	}
	return a.show(w, r, c, http.StatusOK, "message", view{Title: p.Title, Page: p})
}

func (a *App) disconnectProvider(w http.ResponseWriter, r *http.Request, c *caller) error {
	err := a.s.Identities.DisconnectGuest(r.Context(), c.Account, r.PostFormValue("subject"), a.proof(r, c), a.visitor(r))
	if err != nil {
		return a.refuse(w, r, c, "signin", err)
	}
	a.back(w, r, signInSection, flash{"good", "Your account is no longer connected to " + a.providerName() + "."})
	return nil
}

// proof returns how the sender of a form proves that the account is theirs.
func (a *App) proof(r *http.Request, c *caller) account.Proof {
	return account.Proof{Password: r.PostFormValue("password"), Session: c.Session}
}

// providerLink returns the address that leads to the provider; empty if there is none.
func (a *App) providerLink(q url.Values) string {
	if a.s.Provider == nil {
		return ""
	}
	return ProviderPath + "?" + q.Encode()
}
