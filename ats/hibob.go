package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// hibob reads careers.hibob.com. Its list is refused to those who do not come from the company's own page.
type hibob struct{ vendor }

func init() {
	register(hibob{vendor{
		name: "hibob",
		about: About{
			Name: "HiBob", Site: "hibob.com",
			Addresses: []string{"{company}.careers.hibob.com", "{company}.careers.hibob.com/jobs/{role}", "{company}.careers.hibob.com/api/job-ad"},
			Endpoint:  "GET https://{company}.careers.hibob.com/api/job-ad",
			Reads:     "id, title, place, department, address",
			Evidence:  Several,
		},
		match: matchHibob,
		page:  func(board string) string { return "https://" + board + ".careers.hibob.com/" },
	}})
}

// matchHibob knows everything at a company's host.
func matchHibob(a address) (board string, ok bool) {
	board = a.tenant("careers.hibob.com")
	return board, board != ""
}

type hibobJob struct {
	ID            id     `json:"id"`
	Title         string `json:"title"`
	Department    string `json:"department"`
	Site          string `json:"site"`
	Country       string `json:"country"`
	WorkspaceType string `json:"workspaceType"`
}

// Read takes the whole list in one answer.
func (h hibob) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isTenant(board) {
		return failed(h, noName())
	}
	page := h.CareersURL(board)
	var list struct {
		JobAdDetails []json.RawMessage `json:"jobAdDetails"`
	}
	if err := getJSON(ctx, with(client, "Referer", page, "companyIdentifier", board), page+"api/job-ad", &list); err != nil {
		return failed(h, err)
	}
	reading, err := listing(list.JobAdDetails, func(job hibobJob) (boardwatch.Posting, bool) { return job.posting(page), true })
	return finish(h, reading, err)
}

func (j hibobJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: place(j.Site, j.Country), Department: j.Department, URL: page + "jobs/" + url.PathEscape(string(j.ID)),
	}
	if p.Location == "" && strings.EqualFold(j.WorkspaceType, "remote") {
		p.Location = "Remote"
	}
	return p
}

// Company is the name in the title of the company's page.
func (h hibob) Company(ctx context.Context, client Doer, board string) (string, error) {
	if !isTenant(board) {
		return "", namelessBoard(h)
	}
	return employerOnPage(ctx, client, h, board, h.CareersURL(board))
}
