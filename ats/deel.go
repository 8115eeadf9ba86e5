package ats

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	deelPages = "https://jobs.deel.com/"
	deelAPI   = "https://api-prod.letsdeel.com/guest/ats/organizations/"
)

// Deel has the ids of a company and of its board in the settings of the company's page.
func init() {
	register(&declared{
		name: "deel",
		about: About{
			Name: "Deel", Site: "deel.com",
			Addresses: []string{"jobs.deel.com/{board}", "jobs.deel.com/job-boards/{board}", "jobs.deel.com/{board}/job-details/{role}"},
			Endpoint:  "GET " + deelAPI + "{board}/career_page_settings, then " + deelAPI + "{id}/job_boards/{id}/job_postings",
			Reads:     "id, title, every place, departments, address, company",
			Evidence:  Several,
		},
		board: func(a address) string {
			switch {
			case a.host == "api-prod.letsdeel.com":
				return a.below("guest", "ats", "organizations")
			case a.host != "jobs.deel.com":
				return ""
			case a.segment(0) == "job-boards":
				return a.segment(1)
			}
			return a.segment(0)
		},
		valid: isTokenBut("auth", "login", "signup", "guest", "api", "deelapi", "job-boards", "job-details", "_next"),
		page:  func(board string) string { return deelPages + board },
		open:  inOne(deelRoles),
	})
}

type deelJob struct {
	ID    id     `json:"id"`
	Title string `json:"title"`
	Job   struct {
		JobLocations []struct {
			Location someone `json:"location"`
		} `json:"jobLocations"`
		JobDepartments []struct {
			Department someone `json:"department"`
		} `json:"jobDepartments"`
	} `json:"job"`
}

func deelRoles(ctx context.Context, client Doer, board string) (page, error) {
	var settings struct {
		OrganizationID            id     `json:"organizationId"`
		PreferredOrganizationName string `json:"preferredOrganizationName"`
		JobBoard                  struct {
			ID id `json:"id"`
		} `json:"jobBoard"`
	}
	if err := getJSON(ctx, client, deelAPI+board+"/career_page_settings", &settings); err != nil {
		return page{}, err
	}
	company, list := string(settings.OrganizationID), string(settings.JobBoard.ID)
	if !isToken(company) || !isToken(list) {
		return page{}, didf("answered without the id of the company's board")
	}
	var answered struct {
		JobPostings []json.RawMessage `json:"jobPostings"`
	}
	if err := getJSON(ctx, client, fmt.Sprintf("%s%s/job_boards/%s/job_postings", deelAPI, company, list), &answered); err != nil {
		return page{}, whoseBoardIs(err)
	}
	p, err := pageOf(answered.JobPostings, 0, func(j deelJob) (boardwatch.Posting, bool) { return j.posting(board), true })
	p.Company = settings.PreferredOrganizationName
	return p, err
}

func (j deelJob) posting(board string) boardwatch.Posting {
	var places, departments []string
	for _, l := range j.Job.JobLocations {
		places = append(places, l.Location.Name)
	}
	for _, d := range j.Job.JobDepartments {
		departments = append(departments, d.Department.Name)
	}
	p := boardwatch.Posting{Key: string(j.ID), Title: j.Title, Location: joinPlaces(places...), Department: joinPlaces(departments...)}
	if isToken(p.Key) {
		p.URL = deelPages + board + "/job-details/" + p.Key + "/overview"
	}
	return p
}
