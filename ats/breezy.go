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
type breezy struct{ vendor }

func init() {
	register(breezy{vendor{
		name: "breezy",
		about: About{
			Name: "Breezy HR", Site: "breezy.hr",
			Addresses: []string{"{company}.breezy.hr", "{company}.breezy.hr/p/{role}", "{company}.breezy.hr/json"},
			Endpoint:  "GET https://{company}.breezy.hr/json",
			Reads:     "id, title, every place, department, address, company",
			Evidence:  Recording,
		},
		match: matchBreezy,
		page:  func(board string) string { return "https://" + board + ".breezy.hr" },
	}})
}

// matchBreezy knows everything at a company's host.
func matchBreezy(a address) (board string, ok bool) {
	board = a.tenant("breezy.hr")
	return board, isBreezyBoard(board)
}

var isBreezyBoard = isTenantBut("attachments", "gallery", "attachments-cdn", "assets-cdn", "gallery-cdn", "marketing-assets", "apply", "developer", "jobs")

type breezyJob struct {
	ID         id            `json:"id"`
	Name       string        `json:"name"`
	URL        string        `json:"url"`
	Department string        `json:"department"`
	Location   breezyPlace   `json:"location"`
	Locations  []breezyPlace `json:"locations"`
	Company    struct {
		Name string `json:"name"`
	} `json:"company"`

	Type          loose[someone] `json:"type"`
	PublishedDate said           `json:"published_date"`
	Salary        said           `json:"salary"`
	Description   said           `json:"description"`
}

type breezyPlace struct {
	Name  string `json:"name"`
	City  string `json:"city"`
	State struct {
		Name string `json:"name"`
	} `json:"state"`
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

// Read takes the whole list in one answer.
func (b breezy) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isBreezyBoard(board) {
		return failed(b, noName())
	}
	var rows []json.RawMessage
	if err := getJSON(ctx, client, b.CareersURL(board)+"/json", &rows); err != nil {
		return failed(b, err)
	}
	company := ""
	reading, err := listing(rows, func(job breezyJob) (boardwatch.Posting, bool) {
		company = firstText(company, job.Company.Name)
		return job.posting(), true
	})
	reading.Company = company
	return finish(b, reading, err)
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
