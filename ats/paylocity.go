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

// paylocity reads recruiting.paylocity.com. The page has the roles in its script; the vendor's feed does not know every
// board that has a page.
type paylocity struct{ vendor }

func init() {
	register(paylocity{vendor{
		name: "paylocity",
		about: About{
			Name: "Paylocity", Site: "paylocity.com",
			Addresses: []string{"recruiting.paylocity.com/recruiting/jobs/All/{id}/{name}", "recruiting.paylocity.com/recruiting/v2/api/feed/jobs/{id}"},
			Endpoint:  "GET https://recruiting.paylocity.com/Recruiting/Jobs/All/{id}",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Recording,
		},
		match: matchPaylocity,
		page:  func(board string) string { return paylocityPages + "All/" + board },
	}})
}

const paylocityPages = "https://recruiting.paylocity.com/Recruiting/Jobs/"

// matchPaylocity knows boards and their feeds. Addresses of single roles name no board.
func matchPaylocity(a address) (board string, ok bool) {
	if a.host != "recruiting.paylocity.com" {
		return "", false
	}
	board = firstText(a.below("recruiting", "jobs", "all"), a.below("recruiting", "v2", "api", "feed", "jobs"))
	if !isUUID(board) {
		return "", false
	}
	return board, true
}

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

// Read takes the whole list from the board's page.
func (p paylocity) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isUUID(board) {
		return failed(p, noName())
	}
	content, err := getPage(ctx, client, p.CareersURL(board))
	if err != nil {
		return failed(p, err)
	}
	at := paylocityData.FindIndex(content)
	if at == nil {
		return failed(p, paylocityWithoutData(content))
	}
	var data struct {
		Jobs        []json.RawMessage `json:"Jobs"`
		ModuleTitle string            `json:"ModuleTitle"`
	}
	if err := stateIn(string(content[at[1]:]), "", &data); err != nil {
		return failed(p, err)
	}
	reading, err := listing(data.Jobs, paylocityJob.posting)
	reading.Company = data.ModuleTitle
	return finish(p, reading, err)
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
	if p.Location == "" && j.IsRemote {
		p.Location = "Remote"
	}
	p.Facts.PostedAt, p.Facts.Mode = date(j.PublishedDate), remoteIf(flag(j.IsRemote))
	fact.Places(&p.Facts, statedPlace(p.Location, said(l.City), said(l.Country)))
	describe(&p, j.Description)
	return p, !isYes(j.IsInternal)
}
