package ats

import (
	"context"
	"encoding/json"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// breezy reads boards at breezy.hr. It sends those who ask for a board that it does not have to its own pages.
type breezy struct{ *declared }

func init() {
	register(breezy{&declared{
		name: "breezy",
		about: About{
			Name: "Breezy HR", Site: "breezy.hr",
			Addresses: []string{"{company}.breezy.hr", "{company}.breezy.hr/p/{role}", "{company}.breezy.hr/json"},
			Endpoint:  "GET https://{company}.breezy.hr/json",
			Reads:     "id, title, every place, department, address, company",
			Evidence:  Recording,
		},
		board: tenantUnder("breezy.hr"),
		valid: isBreezyBoard,
		page:  breezyPage,
		open:  inOne(breezyJobs),
	}})
}

func breezyPage(board string) string { return "https://" + board + ".breezy.hr" }

var isBreezyBoard = isTenantBut("attachments", "gallery", "attachments-cdn", "assets-cdn", "gallery-cdn", "marketing-assets", "apply", "developer", "jobs")

type breezyJob struct {
	ID         id            `json:"id"`
	Name       string        `json:"name"`
	URL        string        `json:"url"`
	Department string        `json:"department"`
	Location   breezyPlace   `json:"location"`
	Locations  []breezyPlace `json:"locations"`
	Company    someone       `json:"company"`

	Type          loose[someone] `json:"type"`
	PublishedDate said           `json:"published_date"`
	Salary        said           `json:"salary"`
	Description   said           `json:"description"`
}

func (j breezyJob) employer() string { return j.Company.Name }

type breezyPlace struct {
	Name    string  `json:"name"`
	City    string  `json:"city"`
	State   someone `json:"state"`
	Country struct {
		Name string `json:"name"`
		ID   said   `json:"id"`
	} `json:"country"`
	IsRemote bool `json:"is_remote"`
}

// String is the place as the board shows it. Remote roles may have none.
func (p breezyPlace) String() string {
	name := firstText(p.Name, place(p.City, p.State.Name, p.Country.Name))
	if name == "" && p.IsRemote {
		return "Remote"
	}
	return collapse(name)
}

func breezyJobs(ctx context.Context, client Doer, board string) (page, error) {
	var rows []json.RawMessage
	if err := getJSON(ctx, client, breezyPage(board)+"/json", &rows); err != nil {
		return page{}, err
	}
	return pageOf(rows, 0, func(job breezyJob) (boardwatch.Posting, bool) { return job.posting(), true })
}

func (j breezyJob) posting() boardwatch.Posting {
	var places []string
	var stated []boardwatch.Place
	p := boardwatch.Posting{Key: string(j.ID), Title: j.Name, Department: j.Department, URL: j.URL}
	for _, l := range append([]breezyPlace{j.Location}, j.Locations...) {
		places, stated = append(places, l.String()), append(stated, statedPlace(l.String(), said(l.City), l.Country.ID))
		if l.IsRemote {
			p.Facts.Mode = boardwatch.ModeRemote
		}
	}
	p.Location = joinPlaces(places...)
	p.Facts.PostedAt, p.Facts.Pay = date(j.PublishedDate), statedPay("", "", "", "", j.Salary)
	employment(&p.Facts, said(j.Type.is.Name))
	fact.Places(&p.Facts, stated...)
	describe(&p, j.Description)
	return p
}

var breezyScript = lazyregexp.New(`(?i)//([a-z0-9-]+)\.breezy\.hr/(?:embed|json|js|api)\b`)

// Embedded knows the vendor's script, which comes from the company's host, and pages whose own script asks for the list.
func (breezy) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isBreezyBoard, breezyScript)
}
