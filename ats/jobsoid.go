package ats

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "jobsoid",
		about: About{
			Name: "Jobsoid", Site: "jobsoid.com",
			Addresses: []string{"{board}.jobsoid.com", "{board}.jobsoid.com/j/{role}", "{board}.jobsoid.com/api/v1/jobs"},
			Endpoint:  "GET https://{board}.jobsoid.com/api/v1/jobs",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Single,
		},
		board: tenantUnder("jobsoid.com"),
		valid: isTenantBut("my", "secure", "careers"),
		page:  func(board string) string { return "https://" + board + ".jobsoid.com/" },
		open:  inOne(jobsoidJobs),
	})
}

type jobsoidJob struct {
	ID       id     `json:"id"`
	Slug     string `json:"slug"`
	Title    string `json:"title"`
	Company  string `json:"company"`
	Hosted   string `json:"hostedUrl"`
	Location struct {
		Title   string `json:"title"`
		City    string `json:"city"`
		State   string `json:"state"`
		Country string `json:"country"`
	} `json:"location"`
	Department struct {
		Title string `json:"title"`
	} `json:"department"`
}

func (j jobsoidJob) employer() string { return j.Company }

// jobsoidJobs asks for the list. The system answers the same for a company that it does not know and for one without
// roles.
func jobsoidJobs(ctx context.Context, client Doer, board string) (page, error) {
	var rows []json.RawMessage
	if err := getJSON(ctx, client, "https://"+board+".jobsoid.com/api/v1/jobs", &rows); err != nil {
		return page{}, err
	}
	if rows != nil && len(rows) == 0 {
		return page{}, didf("shows no roles, as it does for companies that it does not know")
	}
	return pageOf(rows, 0, func(j jobsoidJob) (boardwatch.Posting, bool) { return j.posting(board), true })
}

func (j jobsoidJob) posting(board string) boardwatch.Posting {
	return boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Department: j.Department.Title,
		Location: firstText(placeAsGiven(j.Location.City, j.Location.State, j.Location.Country), collapse(j.Location.Title)),
		URL:      firstText(webAddress(j.Hosted), "https://"+board+".jobsoid.com/j/"+url.PathEscape(string(j.ID))+"/"+url.PathEscape(j.Slug)),
	}
}
