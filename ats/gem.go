package ats

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// gem reads jobs.gem.com. Its list looks like Greenhouse's, but has no envelope.
type gem struct{ vendor }

func init() {
	register(gem{vendor{
		name: "gem",
		about: About{
			Name: "Gem", Site: "gem.com",
			Addresses: []string{"jobs.gem.com/{board}", "jobs.gem.com/{board}/{role}", "api.gem.com/job_board/v0/{board}/job_posts/"},
			Endpoint:  "GET https://api.gem.com/job_board/v0/{board}/job_posts/",
			Reads:     "id, title, every place, department, address",
			Evidence:  Recording,
		},
		match: matchGem,
		page:  func(board string) string { return "https://jobs.gem.com/" + board },
	}})
}

// matchGem knows boards, their roles and the API.
func matchGem(a address) (board string, ok bool) {
	switch a.host {
	case "jobs.gem.com":
		board = a.segment(0)
	case "api.gem.com":
		board = a.below("job_board", "v0")
	}
	return board, isGemBoard(board)
}

var isGemBoard = isTokenBut("api", "_next", "static", "assets", "embed")

type gemJob struct {
	ID           id       `json:"id"`
	Title        string   `json:"title"`
	AbsoluteURL  string   `json:"absolute_url"`
	Location     gemNamed `json:"location"`
	LocationType string   `json:"location_type"`
	Offices      []struct {
		Location gemNamed `json:"location"`
	} `json:"offices"`
	Departments []gemNamed `json:"departments"`

	EmploymentType   said `json:"employment_type"`
	FirstPublishedAt said `json:"first_published_at"`
	UpdatedAt        said `json:"updated_at"`
	RequisitionID    said `json:"requisition_id"`
	Content          said `json:"content"`
}

type gemNamed struct {
	Name string `json:"name"`
}

// Read takes the whole list in one answer.
func (g gem) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isGemBoard(board) {
		return failed(g, noName())
	}
	var rows []json.RawMessage
	if err := getJSON(ctx, client, "https://api.gem.com/job_board/v0/"+board+"/job_posts/", &rows); err != nil {
		return failed(g, err)
	}
	reading, err := listing(rows, func(job gemJob) (boardwatch.Posting, bool) { return job.posting(g.CareersURL(board)), true })
	return finish(g, reading, err)
}

// posting is one role. Its offices are further places where it is open.
func (j gemJob) posting(page string) boardwatch.Posting {
	places := []string{collapse(j.Location.Name)}
	for _, office := range j.Offices {
		places = append(places, collapse(office.Location.Name))
	}
	p := boardwatch.Posting{Key: string(j.ID), Title: j.Title, Location: joinPlaces(places...), URL: j.AbsoluteURL}
	for _, d := range j.Departments {
		p.Department = firstText(p.Department, d.Name)
	}
	if p.Location == "" && j.LocationType == "remote" {
		p.Location = "Remote"
	}
	if p.URL == "" {
		p.URL = page + "/" + url.PathEscape(string(j.ID))
	}
	p.Facts = boardwatch.Facts{
		PostedAt: date(j.FirstPublishedAt), UpdatedAt: date(j.UpdatedAt), Mode: fact.Mode(j.LocationType), Requisition: collapse(string(j.RequisitionID)),
	}
	employment(&p.Facts, j.EmploymentType)
	describe(&p, j.Content)
	return p
}

// Company is the name in the title of the company's board.
func (g gem) Company(ctx context.Context, client Doer, board string) (string, error) {
	if !isGemBoard(board) {
		return "", namelessBoard(g)
	}
	return employerOnPage(ctx, client, g, board, g.CareersURL(board))
}

var gemScript = lazyregexp.New(`(?i:api\.gem\.com)/job_board/v0/([A-Za-z0-9._-]+)/job_posts`)

// Embedded knows pages whose script asks for the list.
func (gem) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isGemBoard, gemScript)
}
