package ats

import (
	"context"
	"encoding/json"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// dvinci is declared, and known by what companies put into their pages.
type dvinci struct{ *declared }

func init() {
	register(dvinci{&declared{
		name: "dvinci",
		about: About{
			Name: "d.vinci", Site: "dvinci-hr.com",
			Addresses: []string{"{company}.dvinci-hr.com", "{company}.dvinci-hr.com/{language}/jobs/{role}"},
			Endpoint:  "GET https://{company}.dvinci-hr.com/jobPublication/list.json",
			Reads:     "id, title, every place, department or category, address",
			Evidence:  Several,
		},
		board: tenantUnder("dvinci-hr.com"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".dvinci-hr.com/" },
		open:  inOne(dvinciRoles),
	}})
}

type dvinciJob struct {
	ID         id     `json:"id"`
	Position   string `json:"position"`
	URL        string `json:"jobPublicationURL"`
	JobOpening struct {
		Type       string          `json:"type"`
		Locations  []someone       `json:"locations"`
		Categories []someone       `json:"categories"`
		Department json.RawMessage `json:"department"`
	} `json:"jobOpening"`
}

func dvinciRoles(ctx context.Context, client Doer, board string) (page, error) {
	var rows []json.RawMessage
	if err := getJSON(ctx, client, "https://"+board+".dvinci-hr.com/jobPublication/list.json", &rows); err != nil {
		return page{}, err
	}
	return pageOf(rows, 0, dvinciJob.posting)
}

var dvinciID = lazyregexp.New(`/jobs/(\d+)(?:[/?#]|$)`)

// posting is one role. An invitation to apply without one is none.
func (j dvinciJob) posting() (boardwatch.Posting, bool) {
	p := boardwatch.Posting{Key: string(j.ID), Title: j.Position, URL: j.URL}
	p.Key = firstText(captured(dvinciID, j.URL), p.Key)
	var places, categories []string
	for _, l := range j.JobOpening.Locations {
		places = append(places, l.Name)
	}
	for _, c := range j.JobOpening.Categories {
		categories = append(categories, c.Name)
	}
	var department any
	if json.Unmarshal(j.JobOpening.Department, &department) != nil {
		department = nil
	}
	p.Location, p.Department = joinPlaces(places...), firstText(linkedText(department, "name"), joinPlaces(categories...))
	return p, j.JobOpening.Type != "UNSOLICITED"
}

var dvinciHost = lazyregexp.New(`//([a-z0-9-]+)\.dvinci-hr\.com[/"'?]`)

// Embedded knows the vendor's application in a page that names the company's host.
func (dvinci) Embedded(page *goquery.Document) (board string, ok bool) {
	if page.Find(`[ng-app="dvinci.apps.Dvinci"], meta[name="dvinciVersion"]`).Length() == 0 {
		return "", false
	}
	return onlyMatch(scriptsOf(page), isTenant, dvinciHost)
}
