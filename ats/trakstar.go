package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Trakstar Hire was once Recruiterbox. It has boards at both names, and one API.
func init() {
	register(namer{employer: inTitle(trakstarPage), declared: &declared{
		name: "trakstar",
		about: About{
			Name: "Trakstar Hire (Recruiterbox)", Site: "trakstar.com",
			Addresses: []string{"{company}.hire.trakstar.com", "{company}.recruiterbox.com/jobs/{role}", "jsapi.recruiterbox.com/v1/openings?client_name={company}"},
			Endpoint:  "GET https://jsapi.recruiterbox.com/v1/openings?client_name={company}&offset=0&limit=100",
			Reads:     "id, title, place, department, address, total",
			Evidence:  Several,
		},
		board: func(a address) string {
			if a.host == "jsapi.recruiterbox.com" && a.below("v1") == "openings" {
				return strings.ToLower(a.value("client_name"))
			}
			return a.tenant("hire.trakstar.com", "recruiterbox.com")
		},
		valid: isTenantBut("jsapi", "apiv1", "apiv2", "hire", "developers", "secure", "accounts", "insights"),
		page:  trakstarPage,
		open:  inTurns(trakstarOpenings),
	}})
}

func trakstarPage(board string) string { return "https://" + board + ".hire.trakstar.com/" }

type trakstarJob struct {
	ID       id     `json:"id"`
	Title    string `json:"title"`
	Hosted   string `json:"hosted_url"`
	Team     string `json:"team"`
	Location struct {
		City    string `json:"city"`
		State   string `json:"state"`
		Country string `json:"country"`
	} `json:"location"`
	AllowsRemote bool `json:"allows_remote"`
}

// trakstarOpenings reads a page of the list. A page in the middle may be one row short.
func trakstarOpenings(ctx context.Context, client Doer, board string, at turn) (page, error) {
	address := fmt.Sprintf("https://jsapi.recruiterbox.com/v1/openings?client_name=%s&offset=%d&limit=100", board, at.rows)
	answered, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
	if err != nil {
		return page{}, err
	}
	if answered.status == http.StatusBadRequest && bytes.Contains(answered.body, []byte(`"client_name"`)) {
		return page{}, noBoard("it knows no client of this name")
	}
	var list struct {
		Meta struct {
			Total *count `json:"total"`
		} `json:"meta"`
		Objects []json.RawMessage `json:"objects"`
	}
	if err := answered.decode(&list); err != nil {
		return page{}, err
	}
	return pageOfTotal(list.Objects, list.Meta.Total, func(job trakstarJob) (boardwatch.Posting, bool) { return job.posting(trakstarPage(board)), true })
}

func (j trakstarJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: placeAsGiven(j.Location.City, j.Location.State, j.Location.Country), Department: j.Team,
		URL: firstText(webAddress(j.Hosted), page+"jobs/"+url.PathEscape(string(j.ID))),
	}
	orRemote(&p, j.AllowsRemote)
	return p
}
