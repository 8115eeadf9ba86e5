package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

type accountSection struct {
	settingsPage

	Verified, Mail bool
	HasPassword    bool // a password that lets the owner in
	MayPassword    bool
	NewEmail       string // as it was typed, if it was refused
	PlanText       string
	Zone           string
	Sessions       []sessionRow
	Themes         []choice
	Shortcuts      bool
}

type sessionRow struct {
	ID, Browser, Address string
	Way                  string
	UsedAt               time.Time
	Here                 bool
}

func (a *App) accountSection(r *http.Request, c *caller, o outcome) (accountSection, error) {
	sessions, err := a.s.Identities.Sessions().List(r.Context(), c.Account)
	if err != nil {
		return accountSection{}, err
	}
	p := accountSection{
		settingsPage: a.frame(c, "account", o.wrong), Verified: c.Account.Verified, Mail: a.o.Mail,
		PlanText: planText(a.s.Plans[c.Account.Plan]), Shortcuts: c.Prefs.Shortcuts, Zone: c.Zone.String(),
		HasPassword: a.s.Identities.ByPassword(c.Account), MayPassword: a.s.Identities.AllowsPassword(c.Account),
	}
	if o.form != nil {
		p.NewEmail = o.form.Get("email")
	}
	theme := themeOf(r, c)
	p.Themes = []choice{
		{"auto", "System", theme == ""}, {"light", "Light", theme == "light"}, {"dark", "Dark", theme == "dark"},
	}
	for _, s := range sessions {
		p.Sessions = append(p.Sessions, sessionRow{s.ID, browserName(s.UserAgent), s.Address, a.wayName(s.Way), s.LastUsedAt, s.ID == c.Session.ID})
	}
	return p, nil
}

// browserName returns the common name of a browser from its User-Agent.
func browserName(agent string) string {
	name := "Another program"
	for _, b := range []struct{ mark, name string }{ // each also names the ones it imitates, so the order matters
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	} {
		if strings.Contains(agent, b.mark) {
			name = b.name
			break
		}
	}
	for _, s := range []struct{ mark, name string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	} {
		if strings.Contains(agent, s.mark) {
			return name + " on " + s.name
		}
	}
	return name
}

func (a *App) sendVerification(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Identities.SendVerification(r.Context(), c.Account); err != nil {
		return a.refuse(w, r, c, "account", err)
	}
	a.back(w, r, "/settings/account", flash{"good", "A link is on its way to " + c.Account.Email + "."})
	return nil
}

func (a *App) changeEmail(w http.ResponseWriter, r *http.Request, c *caller) error {
	err := a.s.Identities.ChangeEmail(r.Context(), c.Account, a.proof(r, c), r.PostFormValue("email"), a.visitor(r))
	if err != nil {
		return a.refuse(w, r, c, "account", err)
	}
	a.back(w, r, "/settings/account", flash{
		"good", "A link is on its way to the new address. Until you use it, your address stays " + c.Account.Email + ".",
	})
	return nil
}

func (a *App) changePassword(w http.ResponseWriter, r *http.Request, c *caller) error {
	in, err := a.s.Identities.ChangePassword(r.Context(), c.Account, a.proof(r, c), r.PostFormValue("new"), a.visitor(r))
	if err != nil {
		return a.refuse(w, r, c, "account", err)
	}
	a.keep(w, in) // every sign-in has ended with the old password, including this one
	a.back(w, r, "/settings/account", flash{"good", "Your new password is saved. All other sign-ins have ended."})
	return nil
}

func (a *App) endSession(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Identities.Sessions().End(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/settings/account", flash{"good", "That sign-in has ended."})
	return nil
}

func (a *App) changeLook(w http.ResponseWriter, r *http.Request, c *caller) error {
	prefs := c.Prefs
	prefs.Theme, prefs.Shortcuts = account.Theme(r.PostFormValue("theme")), r.PostFormValue("shortcuts") == "on"
	if err := a.s.Preferences.Save(r.Context(), c.Account, prefs); err != nil {
		return a.refuse(w, r, c, "account", err)
	}
	a.rememberTheme(w, prefs.Theme)
	a.back(w, r, "/settings/account", flash{"good", "Saved."})
	return nil
}

func (a *App) deleteAccount(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Identities.Delete(r.Context(), c.Account, a.proof(r, c), a.visitor(r)); err != nil {
		return a.refuse(w, r, c, "account", err)
	}
	a.forget(w)
	a.back(w, r, "/signin", flash{"good", "The account is deleted."})
	return nil
}
