package ats

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/script"
)

const jobylonEmbeds = "https://cdn.jobylon.com/jobs/"

// Jobylon has its roles in a script of the page that companies frame, as JavaScript writes them, not as JSON does.
func init() {
	register(&declared{
		name: "jobylon",
		about: About{
			Name: "Jobylon", Site: "jobylon.com",
			Addresses: []string{"cdn.jobylon.com/jobs/companies/{id}/embed/v2/", "cdn.jobylon.com/jobs/company-groups/{id}/embed/v2/", "emp.jobylon.com/companies/{id}-{name}/"},
			Endpoint:  "GET " + jobylonEmbeds + "companies/{id}/embed/v2/?page_size=1000",
			Reads:     "id, title, every place, departments, address, company",
			Evidence:  Several,
		},
		board: func(a address) string {
			path := a.path()
			if a.host == "cdn.jobylon.com" && nth(path, 0) == "jobs" {
				path = path[1:]
			} else if a.host != "emp.jobylon.com" {
				return ""
			}
			number, _, _ := strings.Cut(nth(path, 1), "-")
			return nth(path, 0) + "/" + number
		},
		valid: jobylonBoard.MatchString,
		page:  func(board string) string { return jobylonEmbeds + board + "/embed/v2/" },
		open:  inOne(jobylonRoles),
	})
}

var (
	jobylonBoard = lazyregexp.New(`^(?:companies|company-groups)/[1-9]\d{0,9}$`)
	jobylonJobs  = lazyregexp.New(`JBL\.embed_v2\[['"]jobs['"]\]\s*=\s*`)
)

type jobylonJob struct {
	ID            id     `json:"id"`
	Title         string `json:"title"`
	URL           string `json:"url"`
	Company       string `json:"company"`
	Locations     any    `json:"locations"`
	LocationsText string `json:"locations_text"`
	Departments   any    `json:"departments"`
}

func jobylonRoles(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, jobylonEmbeds+board+"/embed/v2/?page_size=1000")
	if err != nil {
		return page{}, err
	}
	at := jobylonJobs.FindIndex(content)
	if at == nil {
		return page{}, didf("answered with a page without the roles' data")
	}
	document, err := script.JSON(string(content[at[1]:]))
	if err != nil {
		return page{}, didf("returned a list of roles that is broken or cut off")
	}
	var rows []json.RawMessage
	if err := decodeJSON(document, &rows); err != nil {
		return page{}, err
	}
	company := ""
	p, err := pageOf(rows, 0, func(j jobylonJob) (boardwatch.Posting, bool) {
		if strings.HasPrefix(board, "companies/") {
			company = firstText(company, j.Company)
		}
		return j.posting(), true
	})
	p.Company = company
	return p, err
}

func (j jobylonJob) posting() boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: firstText(joinPlaces(textsOf(j.Locations)...), j.LocationsText), Department: joinPlaces(textsOf(j.Departments)...),
		URL: j.URL,
	}
	if strings.HasPrefix(j.URL, "/") {
		p.URL = "https://emp.jobylon.com" + j.URL
	}
	return p
}

// textsOf are the texts of a JSON list, or the text that stands in its place.
func textsOf(value any) []string {
	values, isList := value.([]any)
	if !isList {
		values = []any{value}
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, linkedText(v, "name"))
	}
	return texts
}
