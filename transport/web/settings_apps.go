package web

import (
	"net/http"
	"strings"
	"time"
)

type appSection struct {
	settingsPage

	Endpoint string
	Apps     []connectedApp
}

// connectedApp is a grant as a person sees it.
type connectedApp struct {
	ID, Name, Host, May string
	CreatedAt, UsedAt   time.Time
}

func (a *App) appSection(r *http.Request, c *caller, o outcome) (appSection, error) {
	p := appSection{settingsPage: a.frame(c, "apps", o.wrong), Endpoint: a.address("/mcp")}
	grants, err := a.s.Grants.List(r.Context(), c.Account)
	for _, g := range grants {
		app := connectedApp{ID: g.ID, Name: g.ClientName, Host: g.Host, CreatedAt: g.CreatedAt, UsedAt: g.LastUsedAt}
		if app.Name == "" {
			app.Name = "An app without a name"
		}
		var may []string
		for _, box := range boxes(g.Scopes) {
			may = append(may, strings.ToLower(box.Title))
		}
		app.May = strings.Join(may, ", ")
		p.Apps = append(p.Apps, app)
	}
	return p, err
}

func (a *App) disconnect(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.s.Grants == nil {
		return a.nothing(w, r, c)
	}
	if err := a.s.Grants.Revoke(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/settings/apps", flash{"good", "The app is disconnected. It is refused from now on."})
	return nil
}
