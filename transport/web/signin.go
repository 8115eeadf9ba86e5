package web

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// signInPage asks a person to sign in.
type signInPage struct {
	Email, Next  string
	SignUp       bool
	Wrong        faults
	Provider     string // its name; empty: there is none
	ProviderLink string
	NoPasswords  bool // for anybody but operators
	Again        bool // for somebody who is signed in
	App          bool // to connect an app
	Passkeys     bool
}

func (a *App) showSignIn(w http.ResponseWriter, r *http.Request, c *caller) error {
	next := localPath(r.URL.Query().Get("next"), "/boards")
	if c.known() {
		http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // a path on this site, by localPath
		return nil
	}
	needed, err := a.s.Identities.NeedsSetup(r.Context())
	if err != nil {
		return err
	}
	if needed {
		http.Redirect(w, r, account.SetupPath, http.StatusSeeOther)
		return nil
	}
	return a.askPassword(w, r, c, http.StatusOK, signInPage{Next: next})
}

func (a *App) askPassword(w http.ResponseWriter, r *http.Request, c *caller, status int, p signInPage) error {
	mode, err := a.s.Identities.Mode(r.Context())
	if err != nil {
		return err
	}
	p.NoPasswords = !a.s.Identities.AllowsPassword(account.Account{})
	p.SignUp = mode == account.SignUpOpen && !p.NoPasswords
	p.Passkeys = a.s.Passkeys != nil
	p.App = strings.HasPrefix(p.Next, "/oauth/")
	p.Provider, p.ProviderLink = a.providerName(), a.providerLink(url.Values{"next": {p.Next}})
	return a.show(w, r, c, status, "signin", view{Title: "Sign in", Narrow: true, Page: p})
}

func (a *App) signIn(w http.ResponseWriter, r *http.Request, c *caller) error {
	email, next := r.PostFormValue("email"), localPath(r.PostFormValue("next"), "/boards")
	in, err := a.s.Identities.SignIn(r.Context(), email, r.PostFormValue("password"), a.visitor(r))
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		return a.askPassword(w, r, c, status, signInPage{Email: email, Next: next, Wrong: faultsOf(r.URL.Path, err)})
	}
	a.enter(w, r, c, in)
	http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // a path on this site, by localPath
	return nil
}

// askAgain is for a person who has to sign in again before an action.
func (a *App) askAgain(w http.ResponseWriter, r *http.Request, c *caller) error {
	next := localPath(r.URL.Query().Get("next"), "/settings/account")
	p := signInPage{Next: next, Again: true}
	logins, err := a.s.Identities.Logins(r.Context(), c.Account)
	if err != nil {
		return err
	}
	if len(logins) > 0 {
		p.Provider, p.ProviderLink = a.providerName(), a.providerLink(url.Values{"next": {next}, "again": {"yes"}})
	}
	if a.s.Passkeys != nil {
		list, err := a.s.Passkeys.List(r.Context(), c.Account)
		if err != nil {
			return err
		}
		p.Passkeys = len(list) > 0
	}
	return a.show(w, r, c, http.StatusOK, "signin", view{Title: "Sign in again", Narrow: true, Page: p})
}

// enter signs a person in who has just proved who they are. The browser's earlier sign-in ends.
func (a *App) enter(w http.ResponseWriter, r *http.Request, before *caller, in account.Entered) {
	a.keep(w, in)
	a.noteZone(r, in.Account)
	if before.known() {
		// After a change of the password it has already ended; otherwise it would expire anyway.
		_ = a.s.Identities.Sessions().End(r.Context(), before.Account, before.Session.ID)
	}
}

// noteZone saves the browser's time zone for an account that has none yet. A browser without JavaScript names none, and
// then times are shown in UTC. If saving fails, the person is signed in anyway.
func (a *App) noteZone(r *http.Request, owner account.Account) {
	zone := r.PostFormValue("zone")
	if zone == "" || !account.KnownZone(zone) {
		return
	}
	prefs, err := a.s.Preferences.Of(r.Context(), owner)
	if err == nil && prefs.TimeZone == "" {
		prefs.TimeZone = zone
		err = a.s.Preferences.Save(r.Context(), owner, prefs)
	}
	if err != nil {
		a.o.Log.WarnContext(r.Context(), "time zone was not saved", slog.String("account_id", owner.ID), slog.Any("error", err))
	}
}

func (a *App) signOut(w http.ResponseWriter, r *http.Request, c *caller) error {
	if c.known() {
		if err := a.s.Identities.Sessions().End(r.Context(), c.Account, c.Session.ID); err != nil &&
			boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
			return err
		}
	}
	a.forget(w)
	http.Redirect(w, r, "/signin", http.StatusSeeOther)
	return nil
}

// refusal returns the status of an error that a form shows to the person who filled it in, who is told how long to wait
// if that helps. False means that the error is not meant for them.
func refusal(w http.ResponseWriter, err error) (status int, told bool) {
	await(w, err)
	if errors.Is(err, account.ErrBusy) {
		return http.StatusServiceUnavailable, true
	}
	if _, down := errors.AsType[*providerDownError](err); down {
		return http.StatusServiceUnavailable, true
	}
	if errors.Is(err, account.ErrStale) {
		return http.StatusForbidden, true
	}
	switch boardwatch.CodeOf(err) {
	case boardwatch.CodeInvalidRequest:
		return http.StatusBadRequest, true
	case boardwatch.CodeUnauthorized, boardwatch.CodePlanRequired:
		return http.StatusForbidden, true
	case boardwatch.CodeAlreadyTracked:
		return http.StatusConflict, true
	case boardwatch.CodeRateLimited:
		return http.StatusTooManyRequests, true
	default:
		return 0, false
	}
}
