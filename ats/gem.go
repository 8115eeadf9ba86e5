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
type gem struct{ namer }

func init() {
	register(gem{namer{employer: inTitle(gemPage), declared: &declared{
		name: "gem",
		about: About{
			Name: "Gem", Site: "gem.com",
			Addresses: []string{"jobs.gem.com/{board}", "jobs.gem.com/{board}/{role}", "api.gem.com/job_board/v0/{board}/job_posts/"},
			Endpoint:  "GET https://api.gem.com/job_board/v0/{board}/job_posts/",
			Reads:     "id, title, every place, department, address",
			Evidence:  Recording,
		},
		board: func(a address) string {
			switch a.host {
			case "jobs.gem.com":
				return a.segment(0)
			case "api.gem.com":
				return a.below("job_board", "v0")
			}
			return ""
		},
		valid: isGemBoard,
		page:  gemPage,
		open:  inOne(gemJobs),
	}}})
}

func gemPage(board string) string { return "https://jobs.gem.com/" + board }

var isGemBoard = isTokenBut("api", "_next", "static", "assets", "embed")

type gemJob struct {
	ID           id      `json:"id"`
	Title        string  `json:"title"`
	AbsoluteURL  string  `json:"absolute_url"`
	Location     someone `json:"location"`
	LocationType string  `json:"location_type"`
	Offices      []struct {
		Location someone `json:"location"`
	} `json:"offices"`
	Departments []someone `json:"departments"`

	EmploymentType   said `json:"employment_type"`
	FirstPublishedAt said `json:"first_published_at"`
	UpdatedAt        said `json:"updated_at"`
	RequisitionID    said `json:"requisition_id"`
	Content          said `json:"content"`
}

func gemJobs(ctx context.Context, client Doer, board string) (page, error) {
	var rows []json.RawMessage
	if err := getJSON(ctx, client, "https://api.gem.com/job_board/v0/"+board+"/job_posts/", &rows); err != nil {
		return page{}, err
	}
	return pageOf(rows, 0, func(job gemJob) (boardwatch.Posting, bool) { return job.posting(gemPage(board)), true })
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
	orRemote(&p, j.LocationType == "remote")
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

var gemScript = lazyregexp.New(`(?i:api\.gem\.com)/job_board/v0/([A-Za-z0-9._-]+)/job_posts`)

// Embedded knows pages whose script asks for the list.
func (gem) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isGemBoard, gemScript)
}
