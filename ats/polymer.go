package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "polymer",
		about: About{
			Name: "Polymer", Site: "polymer.co",
			Addresses: []string{"jobs.polymer.co/{board}", "jobs.polymer.co/{board}/{role}", "api.polymer.co/v1/hire/organizations/{board}/jobs"},
			Endpoint:  "GET https://api.polymer.co/v1/hire/organizations/{board}/jobs?page=1&per_page=50",
			Reads:     "id, title, place, address, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			switch a.host {
			case "jobs.polymer.co":
				return a.segment(0)
			case "api.polymer.co":
				return a.below("v1", "hire", "organizations")
			}
			return ""
		},
		valid: isTokenBut("api", "static", "assets"),
		page:  polymerPage,
		pages: paged{size: 50},
		open:  inTurns(polymerJobs),
	})
}

func polymerPage(board string) string { return "https://jobs.polymer.co/" + board }

type polymerJob struct {
	ID               id     `json:"id"`
	Title            string `json:"title"`
	City             string `json:"city"`
	StateRegion      string `json:"state_region"`
	Country          string `json:"country"`
	DisplayLocation  string `json:"display_location"`
	Department       string `json:"department"`
	OrganizationName string `json:"organization_name"`
	RemotenessPretty string `json:"remoteness_pretty"`
	JobPostURL       string `json:"job_post_url"`
}

func polymerJobs(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var list struct {
		Items []json.RawMessage `json:"items"`
		Meta  struct {
			Page   id   `json:"page"`
			IsLast bool `json:"is_last"`
		} `json:"meta"`
	}
	address := fmt.Sprintf("https://api.polymer.co/v1/hire/organizations/%s/jobs?page=%d&per_page=50", board, at.page+1)
	if err := getJSON(ctx, client, address, &list); err != nil {
		return page{}, err
	}
	if shown := string(list.Meta.Page); shown != "" && shown != strconv.Itoa(at.page+1) {
		return page{}, didf("answered with page %s of the list in place of page %d", shown, at.page+1)
	}
	p, err := pageOf(list.Items, 0, func(j polymerJob) (boardwatch.Posting, bool) { return j.posting(polymerPage(board)), true })
	p.last = list.Meta.IsLast
	return p, err
}

func (j polymerJob) employer() string { return j.OrganizationName }

func (j polymerJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Department: j.Department,
		Location: firstText(placeAsGiven(j.City, j.StateRegion, j.Country), collapse(j.DisplayLocation)),
		URL:      firstText(webAddress(j.JobPostURL), page+"/"+url.PathEscape(string(j.ID))),
	}
	orRemote(&p, strings.Contains(strings.ToLower(j.RemotenessPretty), "remote"))
	return p
}
