package demo

import (
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Form is how a company shows its roles.
type Form int

// The forms.
const (
	greenhouse Form = iota
	lever
	ashby
	embedding // its own page, which shows a board of Greenhouse
	german    // its own page, in German
	table     // its own page, a table
	rendered  // its own page, which is empty without JavaScript
	Halved    // its own page, which lost most of its roles when the demo began
	Walled    // its own page, behind a bot wall since last week
	taught    // its own page, read by a recipe that was made from an example
	Empty     // its own page, which says that there are no roles
	listening // its own page, which listens on this machine: see site
)

// walledFrom is the day on which the wall went up, and halvedFrom that on which the list was cut short.
const (
	walledFrom = -6
	halvedFrom = 0
)

// hosts answers all requests to the companies. No such host is on the Internet, or no such board on the host.
func (w *World) hosts() *http.ServeMux {
	mux := http.NewServeMux()
	if w.past.Load() != nil {
		mux.Handle("127.0.0.1/", w.Home)
	}
	for _, c := range Companies() {
		at, err := url.Parse(c.Site)
		if err != nil {
			panic(err) // the table is wrong
		}
		show := func(page func(Employer, []Role) (contentType, body string)) http.HandlerFunc {
			return func(rw http.ResponseWriter, _ *http.Request) {
				contentType, body := page(c, w.shown(c))
				rw.Header().Set("Content-Type", contentType)
				_, _ = rw.Write([]byte(body)) // into memory
			}
		}
		token := strings.Trim(at.Path, "/")
		switch c.Form {
		case greenhouse:
			mux.HandleFunc("GET boards-api.greenhouse.io/v1/boards/"+token+"/jobs", show(greenhouseList))
			continue
		case lever:
			mux.HandleFunc("GET api.lever.co/v0/postings/"+token, show(leverList))
			mux.HandleFunc("GET jobs.lever.co/"+token, show(namePage))
			continue
		case ashby:
			mux.HandleFunc("GET api.ashbyhq.com/posting-api/job-board/"+token, show(ashbyList))
			mux.HandleFunc("GET jobs.ashbyhq.com/"+token, show(namePage))
			continue
		case embedding:
			mux.HandleFunc("GET boards-api.greenhouse.io/v1/boards/"+slug(c)+"/jobs", show(greenhouseList))
			mux.HandleFunc("GET "+at.Host+at.Path, show(ownPage))
		case Walled:
			open := show(ownPage)
			mux.HandleFunc("GET "+at.Host+at.Path, func(rw http.ResponseWriter, r *http.Request) {
				if w.day() < walledFrom {
					open(rw, r)
					return
				}
				rw.Header().Set("Cf-Mitigated", "challenge")
				http.Error(rw, "Just a moment...", http.StatusForbidden)
			})
		default:
			mux.HandleFunc("GET "+at.Host+at.Path, show(ownPage))
		}
		mux.HandleFunc(at.Host+"/", http.NotFound)
	}
	return mux
}

// Reader is what reads boards in a world with these companies; beside them it reads the real ones, as the options say.
func (w *World) Reader(asking outbound.Options, reading scraper.Options) (*outbound.Client, *scraper.Scraper) {
	asking.Inside = inside(w.hosts())
	if w.past.Load() != nil {
		// Nobody outside is asked, and ninety days are to pass in a moment.
		asking.Pause, asking.Paces, asking.Backoff = -1, nil, []time.Duration{}
	}
	client := outbound.New(asking)
	reading.Browser = pageBrowser{w, client, reading.Browser}
	return client, scraper.New(client, reading)
}

// shown are the roles on a company's list now.
func (w *World) shown(c Employer) []Role {
	roles := c.roles(w.day())
	if c.Form == Halved && w.day() >= halvedFrom {
		return roles[:min(len(roles), 4)]
	}
	return roles
}

// inside answers requests to the companies, for outbound.Options.
func inside(hosts *http.ServeMux) func(*http.Request) http.Handler {
	return func(r *http.Request) http.Handler {
		asked := r.Clone(r.Context())
		asked.Host, asked.RequestURI = r.URL.Host, r.URL.RequestURI()
		if h, pattern := hosts.Handler(asked); pattern != "" {
			return h
		}
		return nil
	}
}

// slug is the name of a board that a company's own page shows.
func slug(c Employer) string {
	return strings.ToLower(strings.ReplaceAll(c.Name, " ", ""))
}

type object map[string]any

func jsonOf(v any) (contentType, body string) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of strings and numbers
	}
	return "application/json", string(text)
}

func greenhouseList(c Employer, roles []Role) (contentType, body string) {
	rows := make([]object, len(roles))
	for i, r := range roles {
		rows[i] = object{
			"id": r.ID, "title": r.Title, "company_name": c.Name, "location": object{"name": r.Location},
			"absolute_url": "https://boards.greenhouse.io/" + slug(c) + "/jobs/" + strconv.Itoa(r.ID),
			"departments":  []object{{"id": 1, "name": r.Department, "child_ids": []int{}, "parent_id": nil}}, "offices": []object{},
		}
	}
	return jsonOf(object{"jobs": rows, "meta": object{"total": len(rows)}})
}

func leverList(c Employer, roles []Role) (contentType, body string) {
	rows := make([]object, len(roles))
	for i, r := range roles {
		rows[i] = object{
			"id": strconv.Itoa(r.ID), "text": r.Title, "hostedUrl": c.Site + "/" + strconv.Itoa(r.ID),
			"categories": object{"location": r.Location, "department": r.Department, "allLocations": []string{r.Location}},
		}
	}
	return jsonOf(rows)
}

func ashbyList(c Employer, roles []Role) (contentType, body string) {
	rows := make([]object, len(roles))
	for i, r := range roles {
		rows[i] = object{
			"id": strconv.Itoa(r.ID), "title": r.Title, "department": r.Department, "location": r.Location, "secondaryLocations": []object{},
			"isListed": true, "jobUrl": c.Site + "/" + strconv.Itoa(r.ID),
		}
	}
	return jsonOf(object{"apiVersion": "1", "jobs": rows})
}

const htmlType = "text/html; charset=utf-8"

// namePage is a hosted system's page about a company, whose title is the company's name.
func namePage(c Employer, _ []Role) (contentType, body string) {
	title := c.Name
	if c.Form == ashby {
		title += " Jobs"
	}
	return htmlType, "<!doctype html><title>" + template.HTMLEscapeString(title) + "</title>"
}

// ownPage is a careers page of the company's own.
func ownPage(c Employer, roles []Role) (contentType, body string) {
	return htmlType, ownPageOf(c, roles, false)
}

// ownPageOf is the page as it is sent, or as a browser shows it.
func ownPageOf(c Employer, roles []Role, scripted bool) string {
	var b strings.Builder
	err := ownPages.Execute(&b, struct {
		Name, Path, Token, Form string
		Roles                   []Role
	}{c.Name, path(c.Site), slug(c), c.Form.template(scripted), roles})
	if err != nil {
		panic(err) // the template is wrong
	}
	return b.String()
}

// path is the path of an address.
func path(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	_, rest, _ = strings.Cut(rest, "/")
	return "/" + rest
}

// template names the part of the page that is of this form.
func (f Form) template(scripted bool) string {
	switch {
	case f == embedding:
		return "embedding"
	case f == german:
		return "german"
	case f == table:
		return "table"
	case f == taught:
		return "plain"
	case f == Empty:
		return "empty"
	case f == rendered && !scripted:
		return "shell"
	default:
		return "list"
	}
}

var ownPages = template.Must(template.New("").Parse(`<!doctype html>
<html lang="{{if eq .Form "german"}}de{{else}}en{{end}}">
<head><meta charset="utf-8"><title>Careers at {{.Name}}</title><meta property="og:site_name" content="{{.Name}}"></head>
<body>
{{if eq .Form "shell"}}<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/static/app.js"></script>
{{else}}<header><a href="/">{{.Name}}</a></header>
<main>
{{if eq .Form "embedding"}}<h1>Work with us</h1>
<div id="grnhse_app"></div><script src="https://boards.greenhouse.io/embed/job_board/js?for={{.Token}}"></script>
{{else if eq .Form "german"}}<h1>Stellenangebote</h1>
<ul class="stellen">
{{range .Roles}}<li class="stelle"><h3><a href="{{$.Path}}/{{.ID}}">{{.Title}}</a></h3><span class="ort">{{.Location}}</span> <span class="abteilung">{{.Department}}</span></li>
{{end}}</ul>
{{else if eq .Form "table"}}<h1>Job openings</h1>
<table>
<thead><tr><th>Position</th><th>Department</th><th>Location</th></tr></thead>
<tbody>
{{range .Roles}}<tr><td><a href="{{$.Path}}/{{.ID}}">{{.Title}}</a></td><td>{{.Department}}</td><td>{{.Location}}</td></tr>
{{end}}</tbody>
</table>
{{else if eq .Form "plain"}}<h1>Come and build boats</h1>
<p>We have built wooden boats since 1871. Write to us, or walk in.</p>
<div class="grid">
{{range .Roles}}<div class="tile"><b>{{.Title}}</b><i>{{.Location}}</i><u>{{.Department}}</u></div>
{{end}}</div>
<h2>What we care about</h2>
<div class="grid">
<div class="value"><b>Oak before steel</b></div><div class="value"><b>Tea at eleven</b></div><div class="value"><b>No boat leaves unfinished</b></div>
</div>
{{else if eq .Form "empty"}}<h1>Jobs</h1>
<p>There are currently no open positions.</p>
{{else}}<h1>Open positions</h1>
<ul class="positions">
{{range .Roles}}<li class="position"><h3><a href="{{$.Path}}/{{.ID}}">{{.Title}}</a></h3><span class="location">{{.Location}}</span> <span class="department">{{.Department}}</span></li>
{{end}}</ul>
{{end}}</main>
{{end}}</body>
</html>
`))

// pageBrowser shows the companies' pages as a browser would, without one: nothing has to be installed for a demo. Other pages
// are shown by next, the real browser, if there is one.
type pageBrowser struct {
	world  *World
	client *outbound.Client
	next   scraper.Renderer
}

// Show opens a page.
func (b pageBrowser) Show(ctx context.Context, v scraper.View) (*scraper.Shown, error) {
	for _, c := range Companies() {
		if c.Site == v.Address {
			return b.show(ctx, c)
		}
	}
	if b.next == nil {
		return nil, errors.New("the demo has no browser for other pages")
	}
	return b.next.Show(ctx, v)
}

// show is the page as it is sent, unless it is one that its script fills.
func (b pageBrowser) show(ctx context.Context, c Employer) (*scraper.Shown, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Site, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if c.Form == rendered {
		page = []byte(ownPageOf(c, b.world.shown(c), true))
	}
	return &scraper.Shown{
		URL: req.URL, Status: resp.StatusCode, Header: resp.Header, HTML: page, Asked: []*url.URL{req.URL}, Requests: 1, Settled: true,
	}, nil
}
