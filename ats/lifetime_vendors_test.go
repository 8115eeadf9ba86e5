package ats_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// shelf is what a hosted system shows of a board at a moment.
type shelf struct {
	rows  []opening
	total int    // as many as it says that there are; -1 if it says nothing
	more  string // a field beside the list that no adapter knows, such as `"hasMore":true`
}

// vendor writes a shelf as a hosted system does.
type vendor struct {
	system, board string
	counts        bool               // its list says how many roles there are
	enveloped     bool               // its list is a field beside others
	id            func(n int) string // in the form that it gives to ids; nil leaves that to the company
	url           string             // of a role, with %s for its id
	answer        func(v vendor, s shelf, r *http.Request, body string) string
}

type object = map[string]any

// vendors are hosted systems whose lists have nothing in common.
var vendors = []vendor{
	{
		system: "greenhouse", board: "northwind", counts: true, enveloped: true, url: "https://job-boards.greenhouse.io/northwind/jobs/%s",
		answer: func(v vendor, s shelf, _ *http.Request, _ string) string {
			return enveloped("jobs", s, rowsOf(s.rows, func(o opening) object {
				return object{"id": number(o.id), "title": o.title, "absolute_url": v.at(o), "location": object{"name": o.place}, "company_name": "Northwind", "departments": []object{{"name": "Yard"}}}
			}), object{"meta": totalOf(s, "total")})
		},
	},
	{
		system: "lever", board: "northwind", url: "https://jobs.lever.co/northwind/%s",
		answer: func(v vendor, s shelf, _ *http.Request, _ string) string {
			return inJSON(rowsOf(s.rows, func(o opening) object {
				return object{"id": o.id, "text": o.title, "hostedUrl": v.at(o), "categories": object{"location": o.place, "team": "Yard"}}
			}))
		},
	},
	{
		system: "ashby", board: "Northwind", enveloped: true, url: "https://jobs.ashbyhq.com/Northwind/%s",
		answer: func(v vendor, s shelf, _ *http.Request, _ string) string {
			return enveloped("jobs", s, rowsOf(s.rows, func(o opening) object {
				return object{"id": o.id, "title": o.title, "jobUrl": v.at(o), "location": o.place, "department": "Yard", "isListed": true}
			}), object{"apiVersion": "1"})
		},
	},
	{
		system: "smartrecruiters", board: "Northwind", counts: true, enveloped: true, url: "https://jobs.smartrecruiters.com/Northwind/%s",
		answer: func(_ vendor, s shelf, r *http.Request, _ string) string {
			if r.Host == "careers.smartrecruiters.com" || r.URL.Host == "careers.smartrecruiters.com" {
				return `<!DOCTYPE html><html><head><title>Northwind Careers</title><meta property="og:title" content="Northwind"></head><body></body></html>`
			}
			offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
			return enveloped("content", s, rowsOf(part(s.rows, offset, 100), func(o opening) object {
				return object{"id": o.id, "name": o.title, "location": object{"city": o.place}, "department": object{"label": "Yard"}, "company": object{"name": "Northwind"}, "visibility": "PUBLIC"}
			}), totalOf(s, "totalFound"))
		},
	},
	{
		system: "workday", board: "northwind.wd5/Careers", counts: true, enveloped: true, id: func(n int) string { return fmt.Sprintf("R-%05d", n) },
		url: "https://northwind.wd5.myworkdayjobs.com/Careers/job/Leith/Role_%s",
		answer: func(_ vendor, s shelf, _ *http.Request, body string) string {
			var asked struct{ Offset int }
			_ = json.Unmarshal([]byte(body), &asked)
			total := totalOf(s, "total")
			if asked.Offset > 0 {
				total = object{"total": 0}
			}
			return enveloped("jobPostings", s, rowsOf(part(s.rows, asked.Offset, 20), func(o opening) object {
				return object{"title": o.title, "externalPath": "/job/Leith/Role_" + o.id, "locationsText": o.place, "bulletFields": []string{o.id}}
			}), total)
		},
	},
	{
		system: "personio", board: "northwind", url: "https://northwind.jobs.personio.de/job/%s",
		answer: func(_ vendor, s shelf, _ *http.Request, _ string) string {
			return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<workzag-jobs>" + written(s.rows, func(o opening) string {
				return fmt.Sprintf("<position><id>%s</id><subcompany>Northwind</subcompany><office>%s</office><department>Yard</department><name>%s</name></position>", o.id, o.place, html.EscapeString(o.title))
			}) + "</workzag-jobs>"
		},
	},
	{
		system: "recruitee", board: "northwind", enveloped: true, url: "https://northwind.recruitee.com/o/role-%s",
		answer: func(v vendor, s shelf, _ *http.Request, _ string) string {
			return enveloped("offers", s, rowsOf(s.rows, func(o opening) object {
				return object{"id": number(o.id), "title": o.title, "status": "published", "careers_url": v.at(o), "location": o.place, "company_name": "Northwind", "department": "Yard"}
			}), nil)
		},
	},
	{
		system: "teamtailor", board: "northwind.teamtailor.com", url: "https://northwind.teamtailor.com/jobs/%s-role",
		answer: func(v vendor, s shelf, r *http.Request, _ string) string {
			offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
			return "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:tt=\"https://teamtailor.com/locations\"><channel><title>Northwind</title>" +
				written(part(s.rows, offset, 100), func(o opening) string {
					return fmt.Sprintf("<item><title>%s</title><link>%s</link><guid>%s</guid><tt:locations><tt:location><tt:name>%s</tt:name><tt:city>%s</tt:city></tt:location></tt:locations></item>",
						html.EscapeString(o.title), v.at(o), o.id, o.place, o.place)
				}) + "</channel></rss>"
		},
	},
	{
		system: "bamboohr", board: "northwind", counts: true, enveloped: true, id: func(n int) string { return strconv.Itoa(30 + n) },
		url: "https://northwind.bamboohr.com/careers/%s",
		answer: func(_ vendor, s shelf, _ *http.Request, _ string) string {
			return enveloped("result", s, rowsOf(s.rows, func(o opening) object {
				return object{"id": o.id, "jobOpeningName": o.title, "departmentLabel": "Yard", "location": object{"city": o.place, "state": nil}}
			}), object{"meta": totalOf(s, "totalCount")})
		},
	},
	{
		system: "workable", board: "northwind", enveloped: true, id: func(n int) string { return fmt.Sprintf("%010X", 0xA0000000+n*7919) },
		url: "https://apply.workable.com/j/%s",
		answer: func(v vendor, s shelf, _ *http.Request, _ string) string {
			return enveloped("jobs", s, rowsOf(s.rows, func(o opening) object {
				return object{"shortcode": o.id, "title": o.title, "url": v.at(o), "city": o.place, "department": "Yard"}
			}), object{"name": "Northwind"})
		},
	},
	{
		system: "icims", board: "careers-northwind.icims.com", id: func(n int) string { return strconv.Itoa(1000 + n) },
		url: "https://careers-northwind.icims.com/jobs/%s/role/job",
		answer: func(v vendor, s shelf, r *http.Request, _ string) string {
			at, _ := strconv.Atoi(r.URL.Query().Get("pr"))
			pages := max(1, (len(s.rows)+19)/20)
			marker := ""
			if len(s.rows) > 0 {
				marker = fmt.Sprintf(`<div class="iCIMS_Paging">Search Results Page %d of %d</div>`, at+1, pages)
			}
			return `<!DOCTYPE html><html><head><title>Careers | Job Listings</title></head><body><div class="iCIMS_MainWrapper iCIMS_ListingsPage"><ul class="iCIMS_JobsTable">` +
				written(part(s.rows, 20*at, 20), func(o opening) string {
					return fmt.Sprintf(`<li class="iCIMS_JobCardItem"><span class="sr-only field-label">Job Locations</span><span>%s</span><a href="%s?in_iframe=1" class="iCIMS_Anchor"><h3>%s</h3></a></li>`, o.place, v.at(o), html.EscapeString(o.title))
				}) + `</ul>` + marker + `</div></body></html>`
		},
	},
	{
		system: "breezy", board: "northwind", url: "https://northwind.breezy.hr/p/%s",
		answer: func(v vendor, s shelf, _ *http.Request, _ string) string {
			return inJSON(rowsOf(s.rows, func(o opening) object {
				return object{"id": o.id, "name": o.title, "url": v.at(o), "department": "Yard", "location": object{"name": o.place}, "company": object{"name": "Northwind"}}
			}))
		},
	},
	{
		system: "jazzhr", board: "northwind", id: func(n int) string { return fmt.Sprintf("KqDY%06d", n) }, url: "https://northwind.applytojob.com/apply/%s",
		answer: func(_ vendor, s shelf, _ *http.Request, _ string) string {
			return `<!DOCTYPE html><html><head><title>Northwind - Job Listings</title></head><body><div id="job_listings_wrapper"><table id="jobs_table"><tr><th>Title</th><th>Location</th></tr>` +
				written(s.rows, func(o opening) string {
					return fmt.Sprintf(`<tr id="row_job_%s"><td><a class="job_title_link" href="/apply/jobs/details/%s">%s</a></td><td>%s</td></tr>`, o.id, o.id, html.EscapeString(o.title), o.place)
				}) + `</table></div></body></html>`
		},
	},
}

func (v vendor) at(o opening) string { return fmt.Sprintf(v.url, o.id) }

// number is an id as JSON has it, without quotes if it is a number.
func number(id string) any {
	if n, err := strconv.Atoi(id); err == nil {
		return n
	}
	return id
}

func part(rows []opening, from, most int) []opening {
	from = min(from, len(rows))
	return rows[from:min(len(rows), from+most)]
}

func rowsOf(rows []opening, of func(opening) object) []object {
	all := make([]object, len(rows))
	for i, o := range rows {
		all[i] = of(o)
	}
	return all
}

func written(rows []opening, of func(opening) string) string {
	var b strings.Builder
	for _, o := range rows {
		b.WriteString(of(o))
	}
	return b.String()
}

// totalOf is what says how many there are; empty if the shelf says nothing.
func totalOf(s shelf, name string) object {
	if s.total < 0 {
		return object{}
	}
	return object{name: s.total}
}

func inJSON(v any) string {
	document, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(document)
}

// enveloped is an object with the list, what stands beside it, and a field that nobody knows.
func enveloped(list string, s shelf, rows []object, beside object) string {
	all := maps.Clone(beside)
	if all == nil {
		all = object{}
	}
	all[list] = rows
	document := inJSON(all)
	if s.more != "" {
		document = "{" + s.more + "," + document[1:]
	}
	return document
}
