package web

import (
	"cmp"
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// signInPageSection shows the ways into an account.
type signInPageSection struct {
	settingsPage

	HasPassword, MayPassword bool
	HasProvider              bool
	Provider                 string
	Logins                   []account.Login
	HasPasskeys              bool // whether browsers allow them here
	Passkeys                 []account.Passkey
}

func (a *App) signInSection(r *http.Request, c *caller, o outcome) (signInPageSection, error) {
	p := signInPageSection{
		settingsPage: a.frame(c, "signin", o.wrong), Provider: a.providerName(), HasProvider: a.s.Provider != nil,
		HasPassword: a.s.Identities.ByPassword(c.Account), MayPassword: a.s.Identities.AllowsPassword(c.Account),
	}
	var err error
	if p.Logins, err = a.s.Identities.Logins(r.Context(), c.Account); err != nil || a.s.Passkeys == nil {
		return p, err
	}
	p.HasPasskeys = true
	p.Passkeys, err = a.s.Passkeys.List(r.Context(), c.Account)
	return p, err
}

// wayName is what people call a way to sign in.
func (a *App) wayName(way account.Way) string {
	switch way {
	case account.WayPassword:
		return "with a password"
	case account.WayPasskey:
		return "with a passkey"
	case account.WayProvider:
		return "with " + cmp.Or(a.providerName(), "a sign-in provider")
	default:
		return ""
	}
}
