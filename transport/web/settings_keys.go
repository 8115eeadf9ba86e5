package web

import (
	"net/http"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

type keySection struct {
	settingsPage

	Secret  *secretShown
	Keys    []account.APIKey
	Limit   int
	Refusal string // why no key can be created; empty if one can
	Larger  bool   // a larger plan would help
	Name    string // as it was typed, if it was refused
}

func (a *App) keySection(r *http.Request, c *caller, o outcome) (keySection, error) {
	keys, err := a.s.Keys.List(r.Context(), c.Account)
	p := keySection{settingsPage: a.frame(c, "keys", o.wrong), Secret: o.secret, Keys: keys, Limit: account.MaxKeys}
	if o.form != nil {
		p.Name = o.form.Get("name")
	}
	switch {
	case !a.s.Plans[c.Account.Plan].REST:
		p.Larger, p.Refusal = true, "Your plan does not include the REST API. Keys that you have are kept, and work again on a plan that does."
	case len(keys) >= account.MaxKeys:
		p.Refusal = "You have as many keys as an account can have. Delete one to create another."
	}
	return p, err
}

func (a *App) createKey(w http.ResponseWriter, r *http.Request, c *caller) error {
	key, secret, err := a.s.Keys.Create(r.Context(), c.Account, r.PostFormValue("name"))
	if err != nil {
		return a.refuse(w, r, c, "keys", err)
	}
	a.reveal(w, r, "/settings/keys", secretShown{key.Name, secret})
	return nil
}

func (a *App) askKeyDeletion(w http.ResponseWriter, r *http.Request, c *caller) error {
	keys, err := a.s.Keys.List(r.Context(), c.Account)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(keys, func(k account.APIKey) bool { return k.ID == r.PathValue("id") })
	if i < 0 {
		return boardwatch.NotFound("key")
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Delete the key “" + keys[i].Name + "”?", Lead: "Programs that use it are refused from then on.",
		Button: "Delete the key", Cancel: "/settings/keys",
	})
}

func (a *App) deleteKey(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Keys.Delete(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/settings/keys", flash{"good", "The key is deleted. Programs that use it are refused from now on."})
	return nil
}
