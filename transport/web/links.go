package web

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// confirmPage has one button. Links in messages lead to it, because mail scanners follow links, and it asks before
// something is deleted.
type confirmPage struct {
	Heading, Lead, Button string
	Action, Token         string
	Password              bool // the password is needed again
	Wrong                 faults
	Deletes               bool   // the button deletes something
	Cancel                string // the page to return to instead; empty: none
	Ways                  []link // where to go from here, the most likely one first
}

// askDeletion asks before something is deleted. The form is sent to the page's own address.
func (a *App) askDeletion(w http.ResponseWriter, r *http.Request, c *caller, p confirmPage) error {
	p.Action, p.Deletes = r.URL.Path, true
	return a.askConfirmation(w, r, c, http.StatusOK, p)
}

func (a *App) askConfirmation(w http.ResponseWriter, r *http.Request, c *caller, status int, p confirmPage) error {
	return a.show(w, r, c, status, "confirm", view{Title: p.Heading, Narrow: true, Page: p})
}

// badLink answers a link that is not valid by where another one can be had; other errors are passed on.
func (a *App) badLink(w http.ResponseWriter, r *http.Request, c *caller, err error, lead string, ways ...link) error {
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return err
	}
	return a.askConfirmation(w, r, c, http.StatusNotFound, confirmPage{
		Heading: "This link no longer works", Lead: "It has been used, has expired, or is incomplete. " + lead, Ways: ways,
	})
}

// badVerification leads to where the link of a confirmation can be had again.
func (a *App) badVerification(w http.ResponseWriter, r *http.Request, c *caller, err error) error {
	if c.known() {
		return a.badLink(w, r, c, err, "If your address is not confirmed yet, ask for another link there.", link{"Account settings", "/settings/account"})
	}
	ways := []link{{"Sign in", "/signin"}}
	if mode, err := a.s.Identities.Mode(r.Context()); err == nil && mode == account.SignUpOpen {
		ways = append(ways, link{"Sign up again", account.SignUpPath})
	}
	return a.badLink(w, r, c, err, "If you have used it already, your account exists: sign in.", ways...)
}

func (a *App) showVerify(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.askVerification(w, r, c, http.StatusOK, r.URL.Query().Get("token"), nil)
}

func (a *App) askVerification(w http.ResponseWriter, r *http.Request, c *caller, status int, token string, wrong faults) error {
	email, signUp, err := a.s.Identities.CheckVerification(r.Context(), token)
	if err != nil {
		return a.badVerification(w, r, c, err)
	}
	return a.askConfirmation(w, r, c, status, confirmPage{
		Heading: "Confirm your address", Lead: email, Button: "Create my account", Action: account.VerifyPath, Token: token,
		Password: signUp, Wrong: wrong,
	})
}

func (a *App) verify(w http.ResponseWriter, r *http.Request, c *caller) error {
	token := r.PostFormValue("token")
	password := r.PostFormValue("password")
	of, made, err := a.s.Identities.Verify(r.Context(), token, password, a.visitor(r))
	if err != nil {
		if status, told := refusal(w, err); told {
			return a.askVerification(w, r, c, status, token, faultsOf(r.URL.Path, err))
		}
		return a.badVerification(w, r, c, err)
	}
	text, to := "Your address is confirmed.", "/signin"
	if c.known() {
		to = "/boards"
	}
	if made {
		text = "Your account has been created. Sign in to begin."
		if in, err := a.s.Identities.SignIn(r.Context(), of.Email, password, a.visitor(r)); err == nil { // they have just typed it
			a.enter(w, r, c, in)
			text, to = "Welcome. Your account has been created.", "/boards"
		}
	}
	a.back(w, r, to, flash{"good", text})
	return nil
}

// resetPage asks for an address to send a link to, or, with the link, for a new password.
type resetPage struct {
	Token, Email string
	Wrong        faults
}

func (a *App) askReset(w http.ResponseWriter, r *http.Request, c *caller, status int, p resetPage) error {
	return a.show(w, r, c, status, "reset", view{Title: "New password", Narrow: true, Page: p})
}

func (a *App) showReset(w http.ResponseWriter, r *http.Request, c *caller) error {
	token := r.URL.Query().Get("token")
	if token == "" {
		return a.askReset(w, r, c, http.StatusOK, resetPage{})
	}
	return a.askNewPassword(w, r, c, http.StatusOK, token, nil)
}

func (a *App) askNewPassword(w http.ResponseWriter, r *http.Request, c *caller, status int, token string, wrong faults) error {
	email, err := a.s.Identities.CheckReset(r.Context(), token)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound && err != nil {
		return a.askReset(w, r, c, http.StatusNotFound, resetPage{
			Wrong: faults{{Text: "This link no longer works: it has been used, has expired, or is incomplete. Enter your address, and we send you another one."}},
		})
	}
	if err != nil {
		return err
	}
	return a.askReset(w, r, c, status, resetPage{token, email, wrong})
}

func (a *App) sendReset(w http.ResponseWriter, r *http.Request, c *caller) error {
	email := r.PostFormValue("email")
	if err := a.s.Identities.SendReset(r.Context(), email, a.visitor(r)); err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		return a.askReset(w, r, c, status, resetPage{Wrong: faultsOf(r.URL.Path, err)})
	}
	return a.checkMail(w, r, c, http.StatusOK, sentPage{
		Email: email, Perhaps: true, Life: "an hour", Action: account.ResetPath, Field: "email", Token: email, Other: account.ResetPath,
	})
}

func (a *App) reset(w http.ResponseWriter, r *http.Request, c *caller) error {
	token := r.PostFormValue("token")
	in, err := a.s.Identities.Reset(r.Context(), token, r.PostFormValue("password"), a.visitor(r))
	if err != nil {
		if status, told := refusal(w, err); told {
			return a.askNewPassword(w, r, c, status, token, faultsOf(r.URL.Path, err))
		}
		if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
			return err
		}
		return a.askNewPassword(w, r, c, http.StatusNotFound, token, nil)
	}
	a.enter(w, r, c, in)
	p, err := a.left(r.Context(), in.Account)
	if err != nil {
		return err
	}
	if !p.empty() {
		http.Redirect(w, r, account.ReviewPath, http.StatusSeeOther)
		return nil
	}
	a.back(w, r, "/boards", flash{
		"good", "Your new password is saved. You are signed out everywhere else, apps are disconnected, feeds have new addresses, and shared lists are no longer shared.",
	})
	return nil
}

func (a *App) showUnsubscribe(w http.ResponseWriter, r *http.Request, c *caller) error {
	token := r.URL.Query().Get("token")
	email, err := a.s.Preferences.CheckUnsubscribe(r.Context(), token)
	if err != nil {
		return a.badLink(w, r, c, err, "The daily e-mail can be switched off in the settings.", mailSettings())
	}
	return a.askConfirmation(w, r, c, http.StatusOK, confirmPage{
		Heading: "End the daily e-mail", Lead: "No more daily e-mail to " + email + ".", Button: "End it",
		Action: account.UnsubscribePath + "?token=" + token,
	})
}

// unsubscribe is called by a person or, as in RFC 8058, by a mail program, which has no cookie and sends nothing but
// the link.
func (a *App) unsubscribe(w http.ResponseWriter, r *http.Request, c *caller) error {
	if _, err := a.s.Preferences.Unsubscribe(r.Context(), r.URL.Query().Get("token")); err != nil {
		return a.badLink(w, r, c, err, "The daily e-mail can be switched off in the settings.", mailSettings())
	}
	return a.askConfirmation(w, r, c, http.StatusOK, confirmPage{
		Heading: "The daily e-mail has ended", Lead: "You can switch it on again, or choose another hour for it, in the settings.",
		Ways: []link{mailSettings()},
	})
}

// mailSettings leads to the choice of mails.
func mailSettings() link { return link{"E-mail settings", "/settings/email"} }

// sentPage says that a link was sent, and sends it again.
type sentPage struct {
	Email                string
	Perhaps              bool // only if there is an account
	Mail                 bool // whether this installation sends mail
	Life                 string
	Action, Field, Token string // of the form that sends it again
	Other                string // where another address can be given
	Again                bool   // it was sent again
	Wrong                faults
}

func (a *App) checkMail(w http.ResponseWriter, r *http.Request, c *caller, status int, p sentPage) error {
	p.Mail = a.o.Mail
	p.Again = p.Again || r.PostFormValue("again") != ""
	title := "Check your mail"
	if !p.Mail {
		title = "Ask the operator"
	}
	return a.show(w, r, c, status, "sent", view{Title: title, Narrow: true, Page: p})
}
