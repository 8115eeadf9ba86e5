package main

import (
	"html/template"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// demoCompany is the invented company behind --demo.
const demoCompany = "Harbourlight Instruments"

// demoRole is a role on its careers page.
type demoRole struct {
	ID                          int
	Title, Location, Department string
}

// demoEvent is what happens on the careers page at one step.
type demoEvent struct {
	step int
	kind string // opens, closes, retitles, fails or recovers
	role demoRole
}

// The things that happen.
const (
	demoOpens    = "opens"
	demoCloses   = "closes"
	demoRetitles = "retitles"
	demoFails    = "fails"
	demoRecovers = "recovers"
)

const (
	demoSteps = 20              // of a lap of the story, which then begins anew, with other new roles
	demoPace  = 3 * time.Second // of one step

	demoFirstNew = 4109 // the number of the first role that opens
)

func demoRoles() []demoRole {
	return []demoRole{
		{4101, "Optical Engineer", "Bergen", "Engineering"},
		{4102, "Firmware Engineer", "Bergen", "Engineering"},
		{4103, "Field Service Technician", "Halifax", "Service"},
		{4104, "Calibration Specialist", "Bergen", "Laboratory"},
		{4105, "Sales Manager, Northern Europe", "Gothenburg", "Sales"},
		{4106, "Technical Writer", "Remote", "Documentation"},
		{4107, "Machinist", "Bergen", "Workshop"},
		{4108, "Data Engineer", "Remote", "Engineering"},
	}
}

// demoNewRole is the one that the company comes up with after so many others. The lists have lengths without a common
// divisor, so that hours go by until the same words come together again.
func demoNewRole(number int) demoRole {
	fields := []string{
		"Acoustics", "Supply Chain", "Optics", "Sonar", "Hydraulics", "Firmware", "Electronics", "Quality", "Sensor", "Production",
		"Marine Survey", "Calibration", "Signal Processing", "Logistics", "Mechanical Design", "Data", "Embedded Systems",
		"Procurement", "Test Automation", "Oceanography", "Cable Systems", "Reliability", "Product Safety",
	}
	professions := []struct{ name, department string }{
		{"Researcher", "Laboratory"},
		{"Planner", "Operations"},
		{"Engineer", "Engineering"},
		{"Technician", "Service"},
		{"Specialist", "Laboratory"},
		{"Project Manager", "Operations"},
		{"Analyst", "Engineering"},
		{"Consultant", "Sales"},
		{"Coordinator", "Operations"},
		{"Product Manager", "Sales"},
		{"Team Lead", "Engineering"},
	}
	levels := []string{"", "", "Senior ", "Junior ", "Principal "}
	places := []string{"Halifax", "Gothenburg", "Bergen", "Remote"}
	profession := professions[number%len(professions)]
	return demoRole{
		ID: demoFirstNew + number, Title: levels[number%len(levels)] + fields[number%len(fields)] + " " + profession.name,
		Location: places[number%len(places)], Department: profession.department,
	}
}

// demoStory is what happens in a lap, step by step. It ends where it began, and never takes many roles away at once.
func demoStory(lap int) []demoEvent {
	by := make(map[int]demoRole)
	for _, r := range demoRoles() {
		by[r.ID] = r
	}
	first, second := demoNewRole(2*lap), demoNewRole(2*lap+1)
	senior := by[4101]
	senior.Title = "Senior Optical Engineer"
	return []demoEvent{
		{1, demoOpens, first},
		{2, demoCloses, by[4103]},
		{4, demoRetitles, senior},
		{5, demoOpens, second},
		{7, demoFails, demoRole{}},
		{9, demoRecovers, demoRole{}},
		{10, demoOpens, by[4103]},
		{12, demoCloses, first},
		{13, demoCloses, by[4106]},
		{15, demoRetitles, by[4101]},
		{16, demoCloses, second},
		{17, demoOpens, by[4106]},
	}
}

// demoPage is the careers page as it is at a step: its roles, or nothing when the site is down.
func demoPage(step int) (roles []demoRole, down bool) {
	if step < 0 {
		step += demoSteps * demoWaves // before the demo began: laps that are far ahead
	}
	roles = demoRoles()
	for _, e := range demoStory(step / demoSteps) {
		if e.step > step%demoSteps {
			break
		}
		at := slices.IndexFunc(roles, func(r demoRole) bool { return r.ID == e.role.ID })
		switch e.kind {
		case demoOpens:
			roles = append(roles, e.role)
		case demoCloses:
			roles = slices.Delete(roles, at, at+1)
		case demoRetitles:
			roles[at] = e.role
		case demoFails, demoRecovers:
			down = e.kind == demoFails
		}
	}
	slices.SortFunc(roles, func(a, b demoRole) int { return a.ID - b.ID })
	return roles, down
}

// demoSite is the company's web site. What it shows depends on the time alone.
type demoSite struct {
	began time.Time
	pace  time.Duration // of one step; before it began, a step is a day
	now   func() time.Time
}

// handler answers like the company's web server.
func (s demoSite) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /careers", s.serveCareers)
	mux.HandleFunc("GET /careers/{id}", s.serveRole)
	return mux
}

func (s demoSite) step() int {
	since := s.now().Sub(s.began)
	if since < 0 {
		return int(math.Floor(since.Hours() / 24))
	}
	return int(since / s.pace)
}

func (s demoSite) serveCareers(w http.ResponseWriter, _ *http.Request) {
	roles, down := demoPage(s.step())
	if down {
		http.Error(w, "Our web site is having a rest. Please come back in a moment.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", demoHTML)
	_ = demoCareersPage(w, roles) // a reader that goes away half-way is its own affair
}

// demoCareersPage writes the company's careers page with these roles on it.
func demoCareersPage(w io.Writer, roles []demoRole) error {
	return demoPages.ExecuteTemplate(w, "careers", roles)
}

func (s demoSite) serveRole(w http.ResponseWriter, r *http.Request) {
	roles, _ := demoPage(s.step())
	for _, role := range roles {
		if strconv.Itoa(role.ID) == r.PathValue("id") {
			w.Header().Set("Content-Type", demoHTML)
			_ = demoPages.ExecuteTemplate(w, "role", role) // as above
			return
		}
	}
	http.NotFound(w, r)
}

var demoPages = template.Must(template.New("").Parse(`
{{define "head"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{.}}</title>
<meta property="og:site_name" content="` + demoCompany + `">
</head>
{{end}}
{{define "careers"}}{{template "head" "Careers at ` + demoCompany + `"}}
<body>
<header><a href="/">` + demoCompany + `</a></header>
<main>
<h1>Open positions</h1>
<p>We build instruments that listen to the sea.</p>
<ul class="positions">
{{range .}}<li class="position">
<h3><a href="/careers/{{.ID}}">{{.Title}}</a></h3>
<span class="location">{{.Location}}</span>
<span class="department">{{.Department}}</span>
</li>
{{end}}</ul>
</main>
</body>
</html>
{{end}}
{{define "role"}}{{template "head" .Title}}
<body>
<main>
<h1>{{.Title}}</h1>
<p>{{.Department}}, {{.Location}}</p>
<p><a href="/careers">All open positions</a></p>
</main>
</body>
</html>
{{end}}`))
