// Package systems simulates the answers of hosted systems, each in the format that its vendor has published. The
// companies and roles are invented. Tests with a simulated Internet are built on it.
package systems

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// System is a kind of site: a hosted system with its own format, or a company's own page.
type System struct {
	Name    string
	Prefix  string // of its sites' tokens
	Page    bool   // a company's own page, which belongs to no system
	Address func(token string) string
	Role    func(token string, n int) string // the address of a role
	// List finds the token in a request for a list; empty if it is a different request.
	List func(r *http.Request) (token string)
	// Render writes a list. total is the number of roles that the list claims to have.
	Render func(token string, roles []Role, total int) (contentType, body string)
	// About finds the token in a request for the page that names the company, for systems whose list does not.
	About func(r *http.Request) (token string)
	// Titled is the text after the company's name in the title of that page.
	Titled string
	// Most is the most roles in one answer; 0 means all.
	Most int
	// Counts says that a list states how many roles there are in total.
	Counts bool
	// Shared says that all companies are on one host.
	Shared bool
}

// Role is a role as a visitor sees it.
type Role struct {
	N                  int
	Title, Place, Team string
}

// Naming renders the page that names the company.
func (s System) Naming(token string) string {
	return "<!doctype html><title>" + Company(token) + s.Titled + "</title>"
}

// UUID returns the id of a role in the form that some systems use.
func UUID(token string, n int) string {
	return fmt.Sprintf("%08x-%04x-4000-8000-%012x", n, len(token), Hash(token)&0xffffffffffff)
}

// Hash distributes texts evenly.
func Hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// number returns the id of a role in systems that number all roles.
func number(token string, n int) json.Number {
	return json.Number(strconv.FormatUint(Hash(token)%90_000_000+10_000_000, 10) + fmt.Sprintf("%03d", n))
}

// JSON renders a document and returns its content type.
func JSON(v any) (contentType, body string) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return "application/json; charset=utf-8", string(b)
}

// Object is a JSON object.
type Object = map[string]any

// Objects is a list that is [] if it is empty.
func Objects(roles []Role, of func(Role) Object) []Object {
	out := make([]Object, 0, len(roles))
	for _, r := range roles {
		out = append(out, of(r))
	}
	return out
}

// Company returns the name of the employer behind a token.
func Company(token string) string { return strings.ToUpper(token[:1]) + token[1:] + " Works" }

// between returns the part of the path between two texts, on a host.
func between(r *http.Request, host, before, after string) string {
	if r.Host != host {
		return ""
	}
	rest, ok := strings.CutPrefix(r.URL.Path, before)
	if !ok {
		return ""
	}
	token, ok := strings.CutSuffix(rest, after)
	if !ok || strings.Contains(token, "/") {
		return ""
	}
	return token
}

// below returns the label before a domain, if the path is the requested one.
func below(r *http.Request, domain, path string) string {
	label, ok := strings.CutSuffix(r.Host, "."+domain)
	if !ok || r.URL.Path != path {
		return ""
	}
	return label
}

// Hosted are hosted systems.
func Hosted() []System {
	return []System{
		{
			Name: "greenhouse", Prefix: "gullwing", Shared: true, Counts: true,
			Address: func(t string) string { return "https://boards.greenhouse.io/" + t },
			Role: func(t string, n int) string {
				return fmt.Sprintf("https://boards.greenhouse.io/%s/jobs/%s", t, number(t, n))
			},
			List: func(r *http.Request) string { return between(r, "boards-api.greenhouse.io", "/v1/boards/", "/jobs") },
			Render: func(t string, roles []Role, total int) (string, string) {
				return JSON(Object{"jobs": Objects(roles, func(r Role) Object {
					return Object{
						"id": number(t, r.N), "title": r.Title, "absolute_url": fmt.Sprintf("https://boards.greenhouse.io/%s/jobs/%s", t, number(t, r.N)),
						"location": Object{"name": r.Place}, "company_name": Company(t), "internal_job_id": number(t, r.N+1), "metadata": nil,
						"updated_at": "2026-10-05T09:12:44-04:00", "requisition_id": strconv.Itoa(r.N), "content": "&lt;p&gt;Come aboard.&lt;/p&gt;",
						"departments": []Object{{"id": 1, "name": r.Team, "child_ids": []int{}, "parent_id": nil}}, "offices": []Object{},
					}
				}), "meta": Object{"total": total}})
			},
		},
		{
			Name: "lever", Prefix: "lantern", Shared: true,
			Address: func(t string) string { return "https://jobs.lever.co/" + t },
			Role:    func(t string, n int) string { return "https://jobs.lever.co/" + t + "/" + UUID(t, n) },
			List:    func(r *http.Request) string { return between(r, "api.lever.co", "/v0/postings/", "") },
			About:   func(r *http.Request) string { return between(r, "jobs.lever.co", "/", "") },
			Render: func(t string, roles []Role, _ int) (string, string) {
				return JSON(Objects(roles, func(r Role) Object {
					return Object{
						"id": UUID(t, r.N), "text": r.Title, "hostedUrl": "https://jobs.lever.co/" + t + "/" + UUID(t, r.N),
						"categories": Object{"commitment": "Full-time", "location": r.Place, "department": r.Team, "team": r.Team, "allLocations": []string{r.Place}},
						"createdAt":  1778622524938, "descriptionPlain": "Come aboard.", "country": "NO", "workplaceType": "onsite",
					}
				}))
			},
		},
		{
			Name: "ashby", Prefix: "anchor", Titled: " Jobs", Shared: true,
			Address: func(t string) string { return "https://jobs.ashbyhq.com/" + t },
			Role:    func(t string, n int) string { return "https://jobs.ashbyhq.com/" + t + "/" + UUID(t, n) },
			List:    func(r *http.Request) string { return between(r, "api.ashbyhq.com", "/posting-api/job-board/", "") },
			About:   func(r *http.Request) string { return between(r, "jobs.ashbyhq.com", "/", "") },
			Render: func(t string, roles []Role, _ int) (string, string) {
				return JSON(Object{"apiVersion": "1", "jobs": Objects(roles, func(r Role) Object {
					return Object{
						"id": UUID(t, r.N), "title": r.Title, "department": r.Team, "team": r.Team, "location": r.Place, "secondaryLocations": []Object{},
						"isListed": true, "employmentType": "FullTime", "jobUrl": "https://jobs.ashbyhq.com/" + t + "/" + UUID(t, r.N),
					}
				})})
			},
		},
		{
			Name: "workable", Prefix: "wharf", Shared: true,
			Address: func(t string) string { return "https://apply.workable.com/" + t + "/" },
			Role:    func(t string, n int) string { return "https://apply.workable.com/j/" + shortcode(t, n) },
			List:    func(r *http.Request) string { return between(r, "apply.workable.com", "/api/v1/widget/accounts/", "") },
			Render: func(t string, roles []Role, _ int) (string, string) {
				return JSON(Object{"name": Company(t), "description": "<p>We sail.</p>", "jobs": Objects(roles, func(r Role) Object {
					return Object{
						"title": r.Title, "shortcode": shortcode(t, r.N), "url": "https://apply.workable.com/j/" + shortcode(t, r.N),
						"department": r.Team, "city": r.Place, "state": "", "country": "", "telecommuting": false, "locations": []Object{},
					}
				})})
			},
		},
		{
			Name: "smartrecruiters", Prefix: "Skipper", Most: 100, Titled: " Careers", Shared: true, Counts: true,
			Address: func(t string) string { return "https://careers.smartrecruiters.com/" + t },
			Role: func(t string, n int) string {
				return fmt.Sprintf("https://jobs.smartrecruiters.com/%s/%s", t, number(t, n))
			},
			List: func(r *http.Request) string {
				return between(r, "api.smartrecruiters.com", "/v1/companies/", "/postings")
			},
			About: func(r *http.Request) string { return between(r, "careers.smartrecruiters.com", "/", "") },
			Render: func(t string, roles []Role, total int) (string, string) {
				return JSON(Object{"offset": 0, "limit": 100, "totalFound": total, "content": Objects(roles, func(r Role) Object {
					return Object{
						"id": number(t, r.N).String(), "name": r.Title, "company": Object{"identifier": t, "name": Company(t)},
						"location": Object{"city": r.Place, "remote": false}, "department": Object{"id": "1", "label": r.Team}, "visibility": "PUBLIC",
					}
				})})
			},
		},
		{
			Name: "recruitee", Prefix: "reef",
			Address: func(t string) string { return "https://" + t + ".recruitee.com/" },
			Role:    func(t string, n int) string { return fmt.Sprintf("https://%s.recruitee.com/o/role-%d", t, n) },
			List:    func(r *http.Request) string { return below(r, "recruitee.com", "/api/offers/") },
			Render: func(t string, roles []Role, _ int) (string, string) {
				return JSON(Object{"offers": Objects(roles, func(r Role) Object {
					return Object{
						"id": number(t, r.N), "slug": fmt.Sprintf("role-%d", r.N), "title": r.Title, "status": "published", "department": r.Team, "location": r.Place,
						"careers_url": fmt.Sprintf("https://%s.recruitee.com/o/role-%d", t, r.N), "company_name": Company(t), "locations": []Object{},
					}
				})})
			},
		},
		{
			Name: "personio", Prefix: "pier",
			Address: func(t string) string { return "https://" + t + ".jobs.personio.de/" },
			Role: func(t string, n int) string {
				return fmt.Sprintf("https://%s.jobs.personio.de/job/%s", t, number(t, n))
			},
			List: func(r *http.Request) string { return below(r, "jobs.personio.de", "/xml") },
			Render: func(t string, roles []Role, _ int) (string, string) {
				var b strings.Builder
				b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<workzag-jobs>\n")
				for _, r := range roles {
					fmt.Fprintf(&b, "<position><id>%s</id><subcompany>%s</subcompany><office>%s</office><department>%s</department><name>%s</name>"+
						"<employmentType>permanent</employmentType></position>\n", number(t, r.N), Company(t), r.Place, r.Team, r.Title)
				}
				b.WriteString("</workzag-jobs>\n")
				return "application/xml; charset=utf-8", b.String()
			},
		},
	}
}

// shortcode returns the id of a role at Workable: ten hexadecimal digits.
func shortcode(token string, n int) string {
	return fmt.Sprintf("%07X%03X", Hash(token)&0xfffffff, n)
}
