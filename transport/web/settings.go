package web

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// settingsPage is the data around every section of the settings.
type settingsPage struct {
	About    string
	Sections []section
	Wrong    faults

	byPassword, stale bool // how the owner proves that the account is theirs
	email, next       string
}

// proofField is the part of a form that asks its sender to prove that the account is theirs.
type proofField struct {
	Form, ID        string
	Password, Stale bool
	Email, Next     string
	Wrong           faults
}

// Proof returns the proof field of a form.
func (p settingsPage) Proof(form, id string) proofField {
	return proofField{form, id, p.byPassword, p.stale, p.email, p.next, p.Wrong}
}

type section struct {
	Name, Address string
	Here          bool
}

// sections lists the parts of the settings, identified by the last part of their address.
func (a *App) sections() []choice {
	all := []choice{
		{ID: "account", Name: "Account"},
		{ID: "signin", Name: "Signing in"},
		{ID: "keys", Name: "API keys"},
		{ID: "channels", Name: "Channels"},
		{ID: "webhooks", Name: "Webhooks"},
		{ID: "apps", Name: "Connected apps"},
		{ID: "email", Name: "Daily e-mail"},
		{ID: "data", Name: "Import and export"},
	}
	if a.s.Grants == nil {
		all = slices.DeleteFunc(all, func(c choice) bool { return c.ID == "apps" })
	}
	return all
}

func (a *App) frame(c *caller, here string, wrong faults) settingsPage {
	p := settingsPage{Wrong: wrong, email: c.Account.Email, next: "/settings/" + here, byPassword: a.s.Identities.ByPassword(c.Account)}
	p.stale = !p.byPassword && !a.s.Identities.Fresh(c.Session)
	verified := "confirmed"
	if !c.Account.Verified {
		verified = "not confirmed"
	}
	plan := a.s.Plans[c.Account.Plan]
	p.About = c.Account.Email + " · " + verified + " · " + capital(string(c.Account.Plan)) + " plan, boards checked " + every(plan.Cadence)
	for _, s := range a.sections() {
		p.Sections = append(p.Sections, section{s.Name, "/settings/" + s.ID, s.ID == here})
	}
	return p
}

func (a *App) showSettings(w http.ResponseWriter, r *http.Request, _ *caller) error {
	http.Redirect(w, r, "/settings/account", http.StatusSeeOther)
	return nil
}

func (a *App) showSection(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.section(w, r, c, r.PathValue("section"), outcome{status: http.StatusOK, secret: a.revealed(w, r, r.URL.Path)})
}

// outcome is the result of a form in the settings.
type outcome struct {
	status int
	wrong  faults
	secret *secretShown
	form   url.Values // what was filled in, if it was refused
}

func (a *App) section(w http.ResponseWriter, r *http.Request, c *caller, name string, o outcome) error {
	var page any
	var err error
	switch name {
	case "account":
		page, err = a.accountSection(r, c, o)
	case "signin":
		page, err = a.signInSection(r, c, o)
	case "keys":
		page, err = a.keySection(r, c, o)
	case "channels":
		page, err = a.channelSection(r, c, o)
	case "webhooks":
		page, err = a.webhookSection(r, c, o)
	case "apps":
		if a.s.Grants == nil {
			return a.nothing(w, r, c)
		}
		page, err = a.appSection(r, c, o)
	case "email":
		page, err = a.emailSection(r, c, o)
	case "data":
		page = a.dataSection(c, o)
	default:
		return a.nothing(w, r, c)
	}
	if err != nil {
		return err
	}
	return a.show(w, r, c, o.status, "settings-"+name, view{Title: a.sectionName(name) + " · Settings", Section: "Settings", Page: page})
}

func (a *App) sectionName(id string) string {
	all := a.sections()
	return all[slices.IndexFunc(all, func(c choice) bool { return c.ID == id })].Name
}

// refuse shows a section again with the errors of one of its forms.
func (a *App) refuse(w http.ResponseWriter, r *http.Request, c *caller, name string, err error) error {
	status, told := refusal(w, err)
	if !told {
		return err
	}
	return a.section(w, r, c, name, outcome{status: status, wrong: faultsOf(r.URL.Path, err), form: r.PostForm})
}

// fact is a line of a list of facts.
type fact struct{ Name, Text string }

type dataSection struct {
	settingsPage

	Facts       []fact
	Bookmarklet template.URL
}

func (a *App) dataSection(c *caller, o outcome) dataSection {
	plan := a.s.Plans[c.Account.Plan]
	return dataSection{a.frame(c, "data", o.wrong), []fact{
		{"Plan", capital(string(c.Account.Plan))},
		{"Boards", number(plan.Boards) + ", each checked " + every(plan.Cadence)},
		{"REST API", included(plan.REST)},
		{"MCP", included(plan.MCP)},
		{"Webhooks", included(plan.Webhooks)},
	}, a.bookmarklet()}
}

func included(yes bool) string {
	if yes {
		return "included"
	}
	return "not included"
}

// planText sums up a plan in one line.
func planText(p account.Plan) string {
	parts := []string{number(p.Boards) + " " + noun(p.Boards, "board", "boards") + " checked " + every(p.Cadence)}
	for _, part := range []struct {
		has  bool
		name string
	}{{p.REST, "REST"}, {p.MCP, "MCP"}, {p.Webhooks, "webhooks"}} {
		if part.has {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, ", ")
}
