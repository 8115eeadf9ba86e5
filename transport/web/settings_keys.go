package web

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
)

type keySection struct {
	settingsPage

	Secret  *secretShown
	Keys    []boardwatch.APIKey
	Limit   int
	Refusal string // why no key can be made; empty when one can
}

func (a *App) keySection(r *http.Request, c *caller, o outcome) (keySection, error) {
	keys, err := a.s.Keys.List(r.Context(), c.Account)
	p := keySection{a.frame(c, "keys", o.wrong), o.secret, keys, boardwatch.MaxKeys, ""}
	switch {
	case !a.s.Plans[c.Account.Plan].REST:
		p.Refusal = "Your plan does not include the REST API. Keys that you have are kept, and work again on a plan that does."
	case len(keys) >= boardwatch.MaxKeys:
		p.Refusal = "That is as many keys as an account can have. Delete one to make another."
	}
	return p, err
}

func (a *App) createKey(w http.ResponseWriter, r *http.Request, c *caller) error {
	key, secret, err := a.s.Keys.Create(r.Context(), c.Account, r.PostFormValue("name"))
	if err != nil {
		return a.refuse(w, r, c, "keys", err)
	}
	return a.section(w, r, c, "keys", outcome{status: http.StatusOK, secret: &secretShown{key.Name, secret}})
}

func (a *App) deleteKey(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Keys.Delete(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/settings/keys", flash{"good", "The key is deleted. Programs that use it are refused from now on."})
	return nil
}
