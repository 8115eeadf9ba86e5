package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// darwinbox is declared, but for the port at which some of its boards were opened to the public.
type darwinbox struct{ *declared }

func init() {
	register(darwinbox{&declared{
		name: "darwinbox",
		about: About{
			Name: "Darwinbox", Site: "darwinbox.com",
			Addresses: []string{"{company}.darwinbox.in/ms/candidate/careers", "{company}.darwinbox.com/ms/candidate/careers/{role}"},
			Endpoint:  "POST https://{company}.darwinbox.in/ms/candidateapi/job/alljobs?companyId=main",
			Reads:     "id, title, every place, department, address, total",
			Evidence:  Several,
		},
		board: hostUnder("darwinbox.in", "darwinbox.com"),
		valid: isHostUnder("darwinbox.in", "darwinbox.com"),
		page:  darwinboxSite,
		open:  inTurns(darwinboxPage),
	}})
}

// Match takes port 444 for the usual one.
func (d darwinbox) Match(u *url.URL) (board string, ok bool) {
	if u != nil && u.Port() == "444" {
		usual := *u
		usual.Host = u.Hostname()
		u = &usual
	}
	return d.declared.Match(u)
}

func darwinboxSite(board string) string { return "https://" + board + "/ms/candidate/careers" }

type darwinboxJob struct {
	ID                 id       `json:"id"`
	Title              string   `json:"title"`
	DesignationName    string   `json:"designation_display_name"`
	DepartmentName     string   `json:"department_name"`
	DepartmentNameOnly string   `json:"department_name_only"`
	Places             []string `json:"tool_tip_locations"`
	Locations          string   `json:"locations"`
}

func darwinboxPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	client = with(client, "X-Requested-With", "XMLHttpRequest", "Origin", "https://"+board, "Referer", darwinboxSite(board))
	question := map[string]any{"companyId": "main", "page": at.page + 1, "sort_option": "new", "limit": 10}
	var list struct {
		Status    string            `json:"status"`
		JobCounts *count            `json:"job_counts"`
		Data      []json.RawMessage `json:"data"`
	}
	if err := postJSON(ctx, client, "https://"+board+"/ms/candidateapi/job/alljobs?companyId=main", question, &list); err != nil {
		return page{}, err
	}
	if !strings.EqualFold(list.Status, "success") {
		return page{}, didf("answered without success")
	}
	if list.JobCounts == nil {
		return page{}, didf("does not say how many roles it has")
	}
	return pageOf(list.Data, *list.JobCounts, func(j darwinboxJob) (boardwatch.Posting, bool) { return j.posting(board), true })
}

func (j darwinboxJob) posting(board string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: firstText(j.Title, j.DesignationName), Location: joinPlaces(j.Places...),
		Department: firstText(j.DepartmentNameOnly, j.DepartmentName),
	}
	if p.Location == "" && !strings.EqualFold(j.Locations, "multiple locations") {
		p.Location = j.Locations
	}
	if p.Key != "" {
		p.URL = darwinboxSite(board) + "/" + url.PathEscape(p.Key)
	}
	return p
}
