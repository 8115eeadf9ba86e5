package web

import (
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// signUpPage asks for an address and a password. Without an action it only shows a text.
type signUpPage struct {
	Heading, Lead, Button string
	Action, Token         string
	Email                 string
	EmailFixed            bool
	Command               []string // the command that does the same, in parts that stay on one line
	Provider              string   // the name of the provider that can be used instead of a password
	ProviderLink          string
	Ask                   string // what to ask the operator
	Wrong                 faults
}

func (a *App) askAccount(w http.ResponseWriter, r *http.Request, c *caller, status int, p signUpPage) error {
	return a.show(w, r, c, status, "signup", view{Title: p.Heading, Narrow: true, Page: p})
}

// showSetUp is the first page of a new installation. Without the link from the log, it says where to find it.
func (a *App) showSetUp(w http.ResponseWriter, r *http.Request, c *caller) error {
	needed, err := a.s.Identities.NeedsSetup(r.Context())
	if err != nil {
		return err
	}
	if !needed {
		http.Redirect(w, r, "/signin", http.StatusSeeOther)
		return nil
	}
	p := setUpPage(r.URL.Query().Get("token"))
	status := http.StatusOK
	if p.Token != "" {
		if err := a.s.Identities.CheckSetup(r.Context(), p.Token); err != nil {
			if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
				return err
			}
			p = setUpPage("")
			p.Wrong, status = faults{{Text: "This link has been used or has expired."}}, http.StatusNotFound
		}
	}
	return a.askAccount(w, r, c, status, p)
}

func setUpPage(token string) signUpPage {
	if token == "" {
		return signUpPage{
			Heading: "Welcome to boardwatch",
			Lead: "This installation has no account yet. Create the first one with the link that is in the log of the running " +
				"service: look for “/setup?token=”. It is valid for half an hour; restart the service for a new one. Or create the account on the command line, with the password " +
				"on standard input:",
			Command: []string{
				"boardwatch account create", "--admin", "--verified", "--plan ultra", "--email you@example.com", "--password-stdin",
			},
		}
	}
	return signUpPage{
		Heading: "Create the first account", Lead: "This is the operator’s account. It can see the state of the installation and invite other people.",
		Button: "Create the account", Action: account.SetupPath, Token: token,
	}
}

func (a *App) setUp(w http.ResponseWriter, r *http.Request, c *caller) error {
	p := setUpPage(r.PostFormValue("token"))
	p.Email = r.PostFormValue("email")
	in, err := a.s.Identities.SetUp(r.Context(), p.Token, p.Email, r.PostFormValue("password"), a.visitor(r))
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		p.Wrong = faultsOf(r.URL.Path, err)
		return a.askAccount(w, r, c, status, p)
	}
	a.enter(w, r, c, in)
	http.Redirect(w, r, "/boards", http.StatusSeeOther)
	return nil
}

// showSignUp is open to everybody, to invited people, or to nobody.
func (a *App) showSignUp(w http.ResponseWriter, r *http.Request, c *caller) error {
	token := r.URL.Query().Get("token")
	if token == "" {
		mode, err := a.s.Identities.Mode(r.Context())
		if err != nil {
			return err
		}
		return a.askAccount(w, r, c, http.StatusOK, a.openSignUp(mode))
	}
	email, err := a.s.Identities.CheckInvitation(r.Context(), token)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound && err != nil {
		p := signUpPage{Heading: "This invitation is not valid", Lead: "It has been used or withdrawn, or has expired.", Ask: "for another one"}
		return a.askAccount(w, r, c, http.StatusNotFound, p)
	}
	if err != nil {
		return err
	}
	return a.askAccount(w, r, c, http.StatusOK, a.invited(token, email))
}

func (a *App) openSignUp(mode account.SignUpMode) signUpPage {
	if !a.s.Identities.AllowsPassword(account.Account{}) {
		return signUpPage{
			Heading: "Sign in with " + a.providerName(), Lead: "People do not sign up with a password here.",
			Provider: a.providerName(), ProviderLink: a.providerLink(url.Values{}),
		}
	}
	switch mode {
	case account.SignUpOpen:
		return signUpPage{
			Heading: "Create an account", Lead: "We send a link to your address; the account is created when you open it.",
			Button: "Send the link", Action: account.SignUpPath,
		}
	case account.SignUpInvite:
		return signUpPage{Heading: "By invitation", Lead: "You need an invitation to create an account here.", Ask: "for one"}
	default:
		return signUpPage{Heading: "Sign-up is closed", Lead: "Only the operator of this installation creates accounts.", Ask: "for one"}
	}
}

func (a *App) invited(token, email string) signUpPage {
	p := signUpPage{
		Heading: "You are invited", Lead: "Choose a password to create your account.", Button: "Create the account",
		Action: "/signup/accept", Token: token, Email: email, EmailFixed: email != "",
		Provider: a.providerName(), ProviderLink: a.providerLink(url.Values{"invitation": {token}}),
	}
	if !a.s.Identities.AllowsPassword(account.Account{}) {
		p.Lead, p.Action = "Sign in to create your account.", ""
	}
	return p
}

func (a *App) signUp(w http.ResponseWriter, r *http.Request, c *caller) error {
	mode, err := a.s.Identities.Mode(r.Context())
	if err != nil {
		return err
	}
	p := a.openSignUp(mode)
	p.Email = r.PostFormValue("email")
	again, err := a.s.Identities.SignUp(r.Context(), p.Email, r.PostFormValue("password"), a.visitor(r))
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		p.Wrong = faultsOf(r.URL.Path, err)
		return a.askAccount(w, r, c, status, p)
	}
	return a.checkMail(w, r, c, http.StatusOK, signUpSent(p.Email, again))
}

func signUpSent(email, token string) sentPage {
	return sentPage{
		Email: email, Life: "a day", Action: account.SignUpPath + "/again", Field: "token", Token: token, Other: account.SignUpPath,
	}
}

// signUpAgain sends the link that finishes a sign-up again.
func (a *App) signUpAgain(w http.ResponseWriter, r *http.Request, c *caller) error {
	token := r.PostFormValue("token")
	email, err := a.s.Identities.SignUpAgain(r.Context(), token, a.visitor(r))
	if err == nil {
		return a.checkMail(w, r, c, http.StatusOK, signUpSent(email, token))
	}
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return a.badLink(w, r, c, err, "Sign up again to get another link.", link{"Sign up again", account.SignUpPath})
	}
	status, told := refusal(w, err)
	if !told {
		return err
	}
	p := signUpSent(email, token)
	p.Wrong = faultsOf(r.URL.Path, err)
	return a.checkMail(w, r, c, status, p)
}

func (a *App) acceptInvitation(w http.ResponseWriter, r *http.Request, c *caller) error {
	token, email := r.PostFormValue("token"), r.PostFormValue("email")
	in, err := a.s.Identities.Accept(r.Context(), token, email, r.PostFormValue("password"), a.visitor(r))
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		p := a.invited(token, "")
		p.Email, p.Wrong = email, faultsOf(r.URL.Path, err)
		return a.askAccount(w, r, c, status, p)
	}
	a.enter(w, r, c, in)
	http.Redirect(w, r, "/boards", http.StatusSeeOther)
	return nil
}
