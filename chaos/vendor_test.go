//go:build chaos

package chaos_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// vendor is a kind of site: a hosted system in its own shape, or a company's own page.
type vendor struct {
	name    string
	prefix  string // of its sites' tokens
	page    bool   // a company's own page, which belongs to no system
	address func(token string) string
	role    func(token string, n int) string // the address of a role
	// list finds the token in a request for a list, empty when it is none.
	list func(r *http.Request) (token string)
	// render writes a list. total is what the list claims to have.
	render func(token string, roles []shownRole, total int) (contentType, body string)
	// about is the page that names the company, for systems whose list does not.
	about func(r *http.Request) (token string)
	// most is how many roles one answer holds; 0 is all of them.
	most int
}

// uuid is the id of a role as some systems have it.
func uuid(token string, n int) string {
	return fmt.Sprintf("%08x-%04x-4000-8000-%012x", n, len(token), fnv(token)&0xffffffffffff)
}

func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// number is the id of a role in systems that number them all.
func number(token string, n int) int { return int(fnv(token)%90_000_000+10_000_000)*1000 + n }

func jsonOf(v any) (contentType, body string) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return "application/json; charset=utf-8", string(b)
}

type object = map[string]any

// objects is a list that is [] when it is empty.
func objects(roles []shownRole, of func(shownRole) object) []object {
	out := make([]object, 0, len(roles))
	for _, r := range roles {
		out = append(out, of(r))
	}
	return out
}

// company is the name of the employer behind a token.
func company(token string) string { return strings.ToUpper(token[:1]) + token[1:] + " Works" }

// between returns what stands in the path between two texts, on a host.
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

// below is the label before a domain, when the path is the one asked for.
func below(r *http.Request, domain, path string) string {
	label, ok := strings.CutSuffix(r.Host, "."+domain)
	if !ok || r.URL.Path != path {
		return ""
	}
	return label
}

// systems are hosted systems, each in its vendor's shape.
func systems() []vendor {
	return []vendor{
		{
			name: "greenhouse", prefix: "gullwing",
			address: func(t string) string { return "https://boards.greenhouse.io/" + t },
			role: func(t string, n int) string {
				return fmt.Sprintf("https://boards.greenhouse.io/%s/jobs/%d", t, number(t, n))
			},
			list: func(r *http.Request) string { return between(r, "boards-api.greenhouse.io", "/v1/boards/", "/jobs") },
			render: func(t string, roles []shownRole, total int) (string, string) {
				return jsonOf(object{"jobs": objects(roles, func(r shownRole) object {
					return object{
						"id": number(t, r.n), "title": r.title, "absolute_url": fmt.Sprintf("https://boards.greenhouse.io/%s/jobs/%d", t, number(t, r.n)),
						"location": object{"name": r.place}, "company_name": company(t), "internal_job_id": number(t, r.n) + 1, "metadata": nil,
						"updated_at": "2026-10-05T09:12:44-04:00", "requisition_id": strconv.Itoa(r.n), "content": "&lt;p&gt;Come aboard.&lt;/p&gt;",
						"departments": []object{{"id": 1, "name": r.team, "child_ids": []int{}, "parent_id": nil}}, "offices": []object{},
					}
				}), "meta": object{"total": total}})
			},
		},
		{
			name: "lever", prefix: "lantern",
			address: func(t string) string { return "https://jobs.lever.co/" + t },
			role:    func(t string, n int) string { return "https://jobs.lever.co/" + t + "/" + uuid(t, n) },
			list:    func(r *http.Request) string { return between(r, "api.lever.co", "/v0/postings/", "") },
			about:   func(r *http.Request) string { return between(r, "jobs.lever.co", "/", "") },
			render: func(t string, roles []shownRole, _ int) (string, string) {
				return jsonOf(objects(roles, func(r shownRole) object {
					return object{
						"id": uuid(t, r.n), "text": r.title, "hostedUrl": "https://jobs.lever.co/" + t + "/" + uuid(t, r.n),
						"categories": object{"commitment": "Full-time", "location": r.place, "department": r.team, "team": r.team, "allLocations": []string{r.place}},
						"createdAt":  1778622524938, "descriptionPlain": "Come aboard.", "country": "NO", "workplaceType": "onsite",
					}
				}))
			},
		},
		{
			name: "ashby", prefix: "anchor",
			address: func(t string) string { return "https://jobs.ashbyhq.com/" + t },
			role:    func(t string, n int) string { return "https://jobs.ashbyhq.com/" + t + "/" + uuid(t, n) },
			list:    func(r *http.Request) string { return between(r, "api.ashbyhq.com", "/posting-api/job-board/", "") },
			about:   func(r *http.Request) string { return between(r, "jobs.ashbyhq.com", "/", "") },
			render: func(t string, roles []shownRole, _ int) (string, string) {
				return jsonOf(object{"apiVersion": "1", "jobs": objects(roles, func(r shownRole) object {
					return object{
						"id": uuid(t, r.n), "title": r.title, "department": r.team, "team": r.team, "location": r.place, "secondaryLocations": []object{},
						"isListed": true, "employmentType": "FullTime", "jobUrl": "https://jobs.ashbyhq.com/" + t + "/" + uuid(t, r.n),
					}
				})})
			},
		},
		{
			name: "workable", prefix: "wharf",
			address: func(t string) string { return "https://apply.workable.com/" + t + "/" },
			role:    func(t string, n int) string { return "https://apply.workable.com/j/" + shortcode(t, n) },
			list:    func(r *http.Request) string { return between(r, "apply.workable.com", "/api/v1/widget/accounts/", "") },
			render: func(t string, roles []shownRole, _ int) (string, string) {
				return jsonOf(object{"name": company(t), "description": "<p>We sail.</p>", "jobs": objects(roles, func(r shownRole) object {
					return object{
						"title": r.title, "shortcode": shortcode(t, r.n), "url": "https://apply.workable.com/j/" + shortcode(t, r.n),
						"department": r.team, "city": r.place, "state": "", "country": "", "telecommuting": false, "locations": []object{},
					}
				})})
			},
		},
		{
			name: "smartrecruiters", prefix: "Skipper", most: 100,
			address: func(t string) string { return "https://careers.smartrecruiters.com/" + t },
			role: func(t string, n int) string {
				return fmt.Sprintf("https://jobs.smartrecruiters.com/%s/%d", t, number(t, n))
			},
			list: func(r *http.Request) string {
				return between(r, "api.smartrecruiters.com", "/v1/companies/", "/postings")
			},
			about: func(r *http.Request) string { return between(r, "careers.smartrecruiters.com", "/", "") },
			render: func(t string, roles []shownRole, total int) (string, string) {
				return jsonOf(object{"offset": 0, "limit": 100, "totalFound": total, "content": objects(roles, func(r shownRole) object {
					return object{
						"id": strconv.Itoa(number(t, r.n)), "name": r.title, "company": object{"identifier": t, "name": company(t)},
						"location": object{"city": r.place, "remote": false}, "department": object{"id": "1", "label": r.team}, "visibility": "PUBLIC",
					}
				})})
			},
		},
		{
			name: "recruitee", prefix: "reef",
			address: func(t string) string { return "https://" + t + ".recruitee.com/" },
			role:    func(t string, n int) string { return fmt.Sprintf("https://%s.recruitee.com/o/role-%d", t, n) },
			list:    func(r *http.Request) string { return below(r, "recruitee.com", "/api/offers/") },
			render: func(t string, roles []shownRole, _ int) (string, string) {
				return jsonOf(object{"offers": objects(roles, func(r shownRole) object {
					return object{
						"id": number(t, r.n), "slug": fmt.Sprintf("role-%d", r.n), "title": r.title, "status": "published", "department": r.team, "location": r.place,
						"careers_url": fmt.Sprintf("https://%s.recruitee.com/o/role-%d", t, r.n), "company_name": company(t), "locations": []object{},
					}
				})})
			},
		},
		{
			name: "personio", prefix: "pier",
			address: func(t string) string { return "https://" + t + ".jobs.personio.de/" },
			role: func(t string, n int) string {
				return fmt.Sprintf("https://%s.jobs.personio.de/job/%d", t, number(t, n))
			},
			list: func(r *http.Request) string { return below(r, "jobs.personio.de", "/xml") },
			render: func(t string, roles []shownRole, _ int) (string, string) {
				var b strings.Builder
				b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<workzag-jobs>\n")
				for _, r := range roles {
					fmt.Fprintf(&b, "<position><id>%d</id><subcompany>%s</subcompany><office>%s</office><department>%s</department><name>%s</name>"+
						"<employmentType>permanent</employmentType></position>\n", number(t, r.n), company(t), r.place, r.team, r.title)
				}
				b.WriteString("</workzag-jobs>\n")
				return "application/xml; charset=utf-8", b.String()
			},
		},
	}
}

// shortcode is the id of a role at Workable: ten hexadecimal digits.
func shortcode(token string, n int) string {
	return fmt.Sprintf("%07X%03X", fnv(token)&0xfffffff, n)
}
