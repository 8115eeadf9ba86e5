package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// HiBob refuses its list to clients that do not come from the company's own page.
func init() {
	register(namer{employer: inTitle(hibobPage), declared: &declared{
		name: "hibob",
		about: About{
			Name: "HiBob", Site: "hibob.com",
			Addresses: []string{"{company}.careers.hibob.com", "{company}.careers.hibob.com/jobs/{role}", "{company}.careers.hibob.com/api/job-ad"},
			Endpoint:  "GET https://{company}.careers.hibob.com/api/job-ad",
			Reads:     "id, title, place, department, address",
			Evidence:  Several,
		},
		board: tenantUnder("careers.hibob.com"),
		valid: isTenant,
		page:  hibobPage,
		open:  inOne(hibobRoles),
	}})
}

func hibobPage(board string) string { return "https://" + board + ".careers.hibob.com/" }

type hibobJob struct {
	ID            id     `json:"id"`
	Title         string `json:"title"`
	Department    string `json:"department"`
	Site          string `json:"site"`
	Country       string `json:"country"`
	WorkspaceType string `json:"workspaceType"`
}

func hibobRoles(ctx context.Context, client Doer, board string) (page, error) {
	address := hibobPage(board)
	var list struct {
		JobAdDetails []json.RawMessage `json:"jobAdDetails"`
	}
	if err := getJSON(ctx, with(client, "Referer", address, "companyIdentifier", board), address+"api/job-ad", &list); err != nil {
		return page{}, err
	}
	return pageOf(list.JobAdDetails, 0, func(job hibobJob) (boardwatch.Posting, bool) { return job.posting(address), true })
}

func (j hibobJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: place(j.Site, j.Country), Department: j.Department, URL: page + "jobs/" + url.PathEscape(string(j.ID)),
	}
	orRemote(&p, strings.EqualFold(j.WorkspaceType, "remote"))
	return p
}
