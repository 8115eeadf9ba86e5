package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

type appSection struct {
	settingsPage

	Endpoint string
	Apps     []connectedApp
}

// connectedApp is a grant shown to a person.
type connectedApp struct {
	ID, Name, Host, May string
	CreatedAt, UsedAt   time.Time
}

func (a *App) appSection(r *http.Request, c *caller, o outcome) (appSection, error) {
	apps, err := a.connected(r, c)
	return appSection{settingsPage: a.frame(c, "apps", o.wrong), Endpoint: a.address("/mcp"), Apps: apps}, err
}

// connected returns the apps connected to the account; none if apps cannot be connected here.
func (a *App) connected(r *http.Request, c *caller) ([]connectedApp, error) {
	if a.s.Grants == nil {
		return nil, nil
	}
	grants, err := a.s.Grants.List(r.Context(), c.Account)
	apps := make([]connectedApp, 0, len(grants))
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
		apps = append(apps, app)
	}
	return apps, err
}

func (a *App) askDisconnection(w http.ResponseWriter, r *http.Request, c *caller) error {
	apps, err := a.connected(r, c)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(apps, func(app connectedApp) bool { return app.ID == r.PathValue("id") })
	if i < 0 {
		return boardwatch.NotFound("app")
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Disconnect " + apps[i].Name + "?",
		Lead:    "It was connected on " + moment(apps[i].CreatedAt, c.Zone) + ". It is refused from then on, until you connect it again.",
		Button:  "Disconnect", Cancel: "/settings/apps",
	})
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
