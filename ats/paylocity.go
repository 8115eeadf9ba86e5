package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Paylocity has the roles in the script of a board's page. Its feed does not know every board that has a page.
func init() {
	register(&declared{
		name: "paylocity",
		about: About{
			Name: "Paylocity", Site: "paylocity.com",
			Addresses: []string{"recruiting.paylocity.com/recruiting/jobs/All/{id}/{name}", "recruiting.paylocity.com/recruiting/v2/api/feed/jobs/{id}"},
			Endpoint:  "GET https://recruiting.paylocity.com/Recruiting/Jobs/All/{id}",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Recording,
		},
		board: func(a address) string { // addresses of single roles name no board
			if a.host != "recruiting.paylocity.com" {
				return ""
			}
			return firstText(a.below("recruiting", "jobs", "all"), a.below("recruiting", "v2", "api", "feed", "jobs"))
		},
		valid: isUUID,
		page:  func(board string) string { return paylocityPages + "All/" + board },
		open:  inOne(paylocityJobs),
	})
}

const paylocityPages = "https://recruiting.paylocity.com/Recruiting/Jobs/"

type paylocityJob struct {
	JobID            id     `json:"JobId"`
	JobTitle         string `json:"JobTitle"`
	LocationName     string `json:"LocationName"`
	HiringDepartment string `json:"HiringDepartment"`
	IsInternal       any    `json:"IsInternal"`
	IsRemote         bool   `json:"IsRemote"`
	JobLocation      struct {
		City    string `json:"City"`
		State   string `json:"State"`
		Country string `json:"Country"`
	} `json:"JobLocation"`

	PublishedDate said `json:"PublishedDate"`
	Description   said `json:"Description"`
}

var paylocityData = lazyregexp.New(`\bwindow\.pageData\s*=`)

func paylocityJobs(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, paylocityPages+"All/"+board)
	if err != nil {
		return page{}, err
	}
	at := paylocityData.FindIndex(content)
	if at == nil {
		return page{}, paylocityWithoutData(content)
	}
	var data struct {
		Jobs        []json.RawMessage `json:"Jobs"`
		ModuleTitle string            `json:"ModuleTitle"`
	}
	if err := stateIn(string(content[at[1]:]), "", &data); err != nil {
		return page{}, err
	}
	p, err := pageOf(data.Jobs, 0, paylocityJob.posting)
	p.Company = data.ModuleTitle
	return p, err
}

// paylocityWithoutData is what a page without the roles' data means: that there is no such board, when it says so.
func paylocityWithoutData(content []byte) error {
	title, err := pageTitle(content)
	if err != nil {
		return err
	}
	if strings.Contains(strings.ToLower(title), "not found") {
		return noBoard("its page says that it is not found")
	}
	return didf("answered with a page without the roles' data")
}

// posting is one role. The name of a place is what people see; the place itself stands in where there is none.
func (j paylocityJob) posting() (boardwatch.Posting, bool) {
	l := j.JobLocation
	p := boardwatch.Posting{
		Key: string(j.JobID), Title: j.JobTitle, Location: firstText(j.LocationName, placeAsGiven(l.City, l.State, l.Country)), Department: j.HiringDepartment,
		URL: paylocityPages + "Details/" + url.PathEscape(string(j.JobID)),
	}
	orRemote(&p, j.IsRemote)
	p.Facts.PostedAt, p.Facts.Mode = date(j.PublishedDate), remoteIf(flag(j.IsRemote))
	fact.Places(&p.Facts, statedPlace(p.Location, said(l.City), said(l.Country)))
	describe(&p, j.Description)
	return p, !isYes(j.IsInternal)
}
