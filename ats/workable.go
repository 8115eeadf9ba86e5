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
type workable struct{ vendor }

func init() {
	register(workable{vendor{
		name: "workable",
		about: About{
			Name: "Workable", Site: "workable.com",
			Addresses: []string{"apply.workable.com/{account}", "{account}.workable.com", "www.workable.com/api/accounts/{account}"},
			Endpoint:  "GET https://apply.workable.com/api/v1/widget/accounts/{account}?details=true",
			Reads:     "id, title, places, department, address, company",
			Evidence:  Recording,
		},
		match: matchWorkable,
		page:  func(board string) string { return workablePages + board + "/" },
	}})
}

const (
	workablePages  = "https://apply.workable.com/"
	workableWidget = workablePages + "api/v1/widget/accounts/"
)

// matchWorkable knows the pages of accounts and roles on both hosts, and the APIs. Short links to a role name no account.
func matchWorkable(a address) (board string, ok bool) {
	switch a.host {
	case "apply.workable.com":
		board = a.segment(0)
		if board == "api" {
			board = firstText(a.below("api", "v1", "widget", "accounts"), a.below("api", "v1", "accounts"), a.below("api", "v3", "accounts"))
		}
	case "www.workable.com", "workable.com":
		board = a.below("api", "accounts")
	case "jobs.workable.com", "resources.workable.com":
	default:
		board = a.tenant("workable.com")
	}
	return board, isWorkableAccount(board)
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

// Read takes the whole list in one answer. It carries every description; where that is more than the client takes, they
// are left out.
func (w workable) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isWorkableAccount(board) {
		return failed(w, noName())
	}
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
		return failed(w, err)
	}
	reading, err := listing(list.Jobs, workableJob.posting)
	reading.Company = list.Name
	return finish(w, reading, err)
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
	if p.Location == "" && j.Telecommuting {
		p.Location = "Remote"
	}
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
