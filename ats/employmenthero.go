package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "employmenthero",
		about: About{
			Name: "Employment Hero", Site: "employmenthero.com",
			Addresses: []string{"jobs.employmenthero.com/organisations/{board}", "employmenthero.com/jobs/organisations/{board}/"},
			Endpoint:  "GET https://services.employmenthero.com/ats/api/v1/career_page/organisations/{board}/jobs?page_index=1&item_per_page=100",
			Reads:     "id, title, place, department, address, total, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			switch a.host {
			case "jobs.employmenthero.com":
				return a.below("organisations")
			case "employmenthero.com", "www.employmenthero.com":
				return a.below("jobs", "organisations")
			case "services.employmenthero.com":
				return a.below("ats", "api", "v1", "career_page", "organisations")
			}
			return ""
		},
		valid: isToken,
		page:  func(board string) string { return "https://employmenthero.com/jobs/organisations/" + board + "/" },
		pages: paged{size: 100},
		open:  inTurns(employmentheroJobs),
	})
}

type employmentheroJob struct {
	ID               id     `json:"id"`
	Title            string `json:"title"`
	FriendlyID       string `json:"friendly_id"`
	Location         string `json:"vendor_location_name"`
	CountryCode      string `json:"country_code"`
	Remote           bool   `json:"remote"`
	TeamName         string `json:"team_name"`
	OrganisationName string `json:"organisation_name"`
}

func (j employmentheroJob) employer() string { return j.OrganisationName }

func employmentheroJobs(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var list struct {
		Data struct {
			Items      []json.RawMessage `json:"items"`
			TotalItems count             `json:"total_items"`
		} `json:"data"`
	}
	address := fmt.Sprintf("https://services.employmenthero.com/ats/api/v1/career_page/organisations/%s/jobs?page_index=%d&item_per_page=100", board, at.page+1)
	if err := getJSON(ctx, client, address, &list); err != nil {
		return page{}, err
	}
	return pageOf(list.Data.Items, list.Data.TotalItems, func(j employmentheroJob) (boardwatch.Posting, bool) { return j.posting(), true })
}

func (j employmentheroJob) posting() boardwatch.Posting {
	p := boardwatch.Posting{Key: string(j.ID), Title: j.Title, Location: placeAsGiven(j.Location, j.CountryCode), Department: j.TeamName}
	if collapse(j.Location) == "" && j.Remote {
		p.Location = placeAsGiven("Remote", j.CountryCode)
	}
	if j.FriendlyID != "" {
		p.URL = "https://employmenthero.com/jobs/position/" + url.PathEscape(j.FriendlyID) + "/"
	}
	return p
}
