package demo

import (
	"html/template"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Company is the invented company behind --demo.
const Company = "Harbourlight Instruments"

// Role is a role on its careers page.
type Role struct {
	ID                          int
	Title, Location, Department string
}

// event is what happens on the careers page at one step.
type event struct {
	step int
	kind string // opens, closes, retitles, fails or recovers
	role Role
}

// The things that happen.
const (
	opens    = "opens"
	closes   = "closes"
	retitles = "retitles"
	fails    = "fails"
	recovers = "recovers"
)

const (
	steps = 20              // of a lap of the story, which then begins anew, with other new roles
	pace  = 3 * time.Second // of one step

	firstNew = 4109 // the number of the first role that opens
)

// Roles are those on the careers page when the demo begins.
func Roles() []Role {
	return []Role{
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

// newRole is the one that the company comes up with after so many others. The lists have lengths without a common
// divisor, so that hours go by until the same words come together again.
func newRole(number int) Role {
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
	return Role{
		ID: firstNew + number, Title: levels[number%len(levels)] + fields[number%len(fields)] + " " + profession.name,
		Location: places[number%len(places)], Department: profession.department,
	}
}

// story is what happens in a lap, step by step. It ends where it began, and never takes many roles away at once.
func story(lap int) []event {
	by := make(map[int]Role)
	for _, r := range Roles() {
		by[r.ID] = r
	}
	first, second := newRole(2*lap), newRole(2*lap+1)
	senior := by[4101]
	senior.Title = "Senior Optical Engineer"
	return []event{
		{1, opens, first},
		{2, closes, by[4103]},
		{4, retitles, senior},
		{5, opens, second},
		{7, fails, Role{}},
		{9, recovers, Role{}},
		{10, opens, by[4103]},
		{12, closes, first},
		{13, closes, by[4106]},
		{15, retitles, by[4101]},
		{16, closes, second},
		{17, opens, by[4106]},
	}
}

// page is the careers page as it is at a step: its roles, or nothing when the site is down.
func page(step int) (roles []Role, down bool) {
	if step < 0 {
		step += steps * waves // before the demo began: laps that are far ahead
	}
	roles = Roles()
	for _, e := range story(step / steps) {
		if e.step > step%steps {
			break
		}
		at := slices.IndexFunc(roles, func(r Role) bool { return r.ID == e.role.ID })
		switch e.kind {
		case opens:
			roles = append(roles, e.role)
		case closes:
			roles = slices.Delete(roles, at, at+1)
		case retitles:
			roles[at] = e.role
		case fails, recovers:
			down = e.kind == fails
		}
	}
	slices.SortFunc(roles, func(a, b Role) int { return a.ID - b.ID })
	return roles, down
}

// site is the company's web site. What it shows depends on the time alone.
type site struct {
	began time.Time
	pace  time.Duration // of one step; before it began, a step is a day
	now   func() time.Time
}

// handler answers like the company's web server.
func (s site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /careers", s.serveCareers)
	mux.HandleFunc("GET /careers/{id}", s.serveRole)
	return mux
}

func (s site) step() int {
	since := s.now().Sub(s.began)
	if since < 0 {
		return int(math.Floor(since.Hours() / 24))
	}
	return int(since / s.pace)
}

func (s site) serveCareers(w http.ResponseWriter, _ *http.Request) {
	roles, down := page(s.step())
	if down {
		http.Error(w, "Our web site is having a rest. Please come back in a moment.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", htmlType)
	_ = CareersPage(w, roles) // a reader that goes away half-way is its own affair
}

// CareersPage writes the company's careers page with these roles on it.
func CareersPage(w io.Writer, roles []Role) error {
	return pages.ExecuteTemplate(w, "careers", roles)
}

func (s site) serveRole(w http.ResponseWriter, r *http.Request) {
	roles, _ := page(s.step())
	for _, role := range roles {
		if strconv.Itoa(role.ID) == r.PathValue("id") {
			w.Header().Set("Content-Type", htmlType)
			_ = pages.ExecuteTemplate(w, "role", role) // as above
			return
		}
	}
	http.NotFound(w, r)
}

var pages = template.Must(template.New("").Parse(`
{{define "head"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{.}}</title>
<meta property="og:site_name" content="` + Company + `">
</head>
{{end}}
{{define "careers"}}{{template "head" "Careers at ` + Company + `"}}
<body>
<header><a href="/">` + Company + `</a></header>
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
