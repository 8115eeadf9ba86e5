package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

// jibe reads career sites of Jibe, which belongs to iCIMS and shows its roles. A board is a whole host, most often one of
// the company's own.
type jibe struct{ *declared }

func init() {
	register(jibe{&declared{
		name: "jibe",
		about: About{
			Name: "Jibe", Site: "icims.com",
			Addresses: []string{"{company}.jibeapply.com", "{company}.jibeapply.com/jobs/{role}", "{host}/api/jobs"},
			Endpoint:  "GET https://{host}/api/jobs?page=1&limit=100&internal=false",
			Reads:     "id, title, place, category, address, company, total",
			Evidence:  Recording,
		},
		board: hostUnder("jibeapply.com"),
		valid: func(board string) bool { return isCompanyHost(board, "jibeapply.com") },
		page:  jibePage,
		pages: paged{most: 500},
		open:  inTurns(jibeRoles),
	}})
}

func jibePage(board string) string { return "https://" + board + "/jobs" }

type jibeRow struct {
	Data jibeJob `json:"data"`
}

func (r jibeRow) employer() string { return r.Data.HiringOrganization }

type jibeJob struct {
	Slug               id     `json:"slug"`
	ReqID              id     `json:"req_id"`
	Title              string `json:"title"`
	FullLocation       string `json:"full_location"`
	City               string `json:"city"`
	State              string `json:"state"`
	Country            string `json:"country"`
	LocationName       string `json:"location_name"`
	Category           any    `json:"category"`
	Department         any    `json:"department"`
	HiringOrganization string `json:"hiring_organization"`
	LocationType       string `json:"location_type"`

	CountryCode    said `json:"country_code"`
	PostedDate     said `json:"posted_date"`
	UpdateDate     said `json:"update_date"`
	EmploymentType said `json:"employment_type"`
	Language       said `json:"language"`
	Description    said `json:"description"`
}

func jibeRoles(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var list struct {
		Jobs       []json.RawMessage `json:"jobs"`
		TotalCount count             `json:"totalCount"`
	}
	address := fmt.Sprintf("https://%s/api/jobs?page=%d&limit=100&internal=false", board, at.page+1)
	if err := getJSON(ctx, client, address, &list); err != nil {
		return page{}, err
	}
	return pageOf(list.Jobs, list.TotalCount, func(row jibeRow) (boardwatch.Posting, bool) { return row.Data.posting(jibePage(board)), true })
}

func (j jibeJob) posting(roles string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: firstText(string(j.Slug), string(j.ReqID)), Title: unescape(j.Title, 1),
		Location:   collapse(firstText(j.FullLocation, place(j.City, j.State, j.Country), j.LocationName)),
		Department: unescape(firstText(strings.TrimSpace(linkedText(j.Category, "name")), linkedText(j.Department, "name")), 1),
	}
	orRemote(&p, strings.EqualFold(j.LocationType, "remote"))
	if p.Key != "" {
		p.URL = roles + "/" + url.PathEscape(p.Key)
	}
	p.Facts = boardwatch.Facts{
		PostedAt: date(j.PostedDate), UpdatedAt: date(j.UpdateDate), Mode: fact.Mode(j.LocationType), Requisition: string(j.ReqID), Language: fact.Language(string(j.Language)),
	}
	employment(&p.Facts, j.EmploymentType)
	fact.Places(&p.Facts, statedPlace(p.Location, said(j.City), firstSaid(j.CountryCode, said(j.Country))))
	describe(&p, j.Description)
	return p
}

// Embedded knows sites of companies by what they load from the vendor.
func (jibe) Embedded(page *goquery.Document) (board string, ok bool) {
	const vendor = `script[src*="jibecdn.com/"], link[href*="jibecdn.com/"]`
	if board = ownHost(page); board == "" || page.Find(vendor).Length() == 0 {
		return "", false
	}
	return board, true
}
