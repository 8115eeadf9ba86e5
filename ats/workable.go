package ats

import (
	"context"
	"encoding/json"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// workable reads apply.workable.com.
type workable struct{ *declared }

func init() {
	register(workable{&declared{
		name: "workable",
		about: About{
			Name: "Workable", Site: "workable.com",
			Addresses: []string{"apply.workable.com/{account}", "{account}.workable.com", "www.workable.com/api/accounts/{account}"},
			Endpoint:  "GET https://apply.workable.com/api/v1/widget/accounts/{account}?details=true",
			Reads:     "id, title, places, department, address, company",
			Evidence:  Recording,
		},
		board: workableAccount,
		valid: isWorkableAccount,
		page:  func(board string) string { return workablePages + board + "/" },
		open:  inOne(workableJobs),
	}})
}

const (
	workablePages  = "https://apply.workable.com/"
	workableWidget = workablePages + "api/v1/widget/accounts/"
)

// workableAccount finds accounts in the addresses of pages and roles on both hosts, and of the APIs. Short links to a role
// name no account.
func workableAccount(a address) string {
	switch a.host {
	case "apply.workable.com":
		if a.segment(0) == "api" {
			return firstText(a.below("api", "v1", "widget", "accounts"), a.below("api", "v1", "accounts"), a.below("api", "v3", "accounts"))
		}
		return a.segment(0)
	case "www.workable.com", "workable.com":
		return a.below("api", "accounts")
	case "jobs.workable.com", "resources.workable.com":
		return ""
	}
	return a.tenant("workable.com")
}

var isWorkableAccount = isTokenBut("j", "api", "static", "assets")

type workableJob struct {
	Shortcode     string          `json:"shortcode"`
	Title         string          `json:"title"`
	URL           string          `json:"url"`
	Shortlink     string          `json:"shortlink"`
	Department    string          `json:"department"`
	City          string          `json:"city"`
	State         string          `json:"state"`
	Country       string          `json:"country"`
	Locations     []workablePlace `json:"locations"`
	Telecommuting bool            `json:"telecommuting"`

	Code           said `json:"code"`
	EmploymentType said `json:"employment_type"`
	WorkplaceType  said `json:"workplace_type"`
	PublishedOn    said `json:"published_on"`
	CreatedAt      said `json:"created_at"`
	Description    said `json:"description"`
}

type workablePlace struct {
	City    string `json:"city"`
	Region  string `json:"region"`
	Country string `json:"country"`
	Code    said   `json:"countryCode"`
	Hidden  bool   `json:"hidden"`
}

// workableJobs requests the list with all descriptions, and without them if that is more than the client takes.
func workableJobs(ctx context.Context, client Doer, board string) (page, error) {
	type account struct {
		Name string            `json:"name"`
		Jobs []json.RawMessage `json:"jobs"`
	}
	var list account
	err := getJSON(ctx, client, workableWidget+board+"?details=true", &list)
	if isTooLarge(err) {
		list = account{}
		err = getJSON(ctx, client, workableWidget+board, &list)
	}
	if err != nil {
		return page{}, err
	}
	p, err := pageOf(list.Jobs, 0, workableJob.posting)
	p.Company = list.Name
	return p, err
}

// posting is one row. A role in several places has several, each with its own.
func (j workableJob) posting() (boardwatch.Posting, bool) {
	places := []string{placeAsGiven(j.City, j.State, j.Country)}
	stated := []boardwatch.Place{statedPlace(places[0], said(j.City), said(j.Country))}
	for _, l := range j.Locations {
		if !l.Hidden {
			text := placeAsGiven(l.City, l.Region, l.Country)
			places, stated = append(places, text), append(stated, statedPlace(text, said(l.City), firstSaid(l.Code, said(l.Country))))
		}
	}
	p := boardwatch.Posting{
		Key: j.Shortcode, Title: j.Title, Location: joinPlaces(places...), Department: j.Department, URL: firstText(j.URL, j.Shortlink),
	}
	orRemote(&p, j.Telecommuting)
	p.Facts = boardwatch.Facts{
		PostedAt: date(firstSaid(j.PublishedOn, j.CreatedAt)), Mode: modeOr(flag(j.Telecommuting), j.WorkplaceType), Requisition: collapse(string(j.Code)),
	}
	employment(&p.Facts, j.EmploymentType)
	fact.Places(&p.Facts, stated...)
	describe(&p, j.Description)
	return p, true
}

var workableCall = lazyregexp.New(`(?i)\b(?:apply\.workable\.com/api/v[13](?:/widget)?|www\.workable\.com/api)/accounts/([A-Za-z0-9._-]+)`)

// Embedded knows pages whose own script asks one of the APIs.
func (workable) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isWorkableAccount, workableCall)
}
