package ats

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "hirehive",
		about: About{
			Name: "HireHive", Site: "hirehive.com",
			Addresses: []string{"{company}.hirehive.com", "{company}.hirehive.com/{role}", "{company}.hirehive.com/api/v2/jobs"},
			Endpoint:  "GET https://{company}.hirehive.com/api/v2/jobs?page=1&page_size=100",
			Reads:     "id, title, place, category, address, total",
			Evidence:  Several,
		},
		board: tenantUnder("hirehive.com"),
		valid: isTenantBut("hirehive-testing-account"),
		page:  func(board string) string { return "https://" + board + ".hirehive.com/" },
		open:  inTurns(hirehivePage),
	})
}

type hirehiveJob struct {
	ID        id      `json:"id"`
	Title     string  `json:"title"`
	Location  string  `json:"location"`
	StateCode string  `json:"state_code"`
	Country   someone `json:"country"`
	HostedURL string  `json:"hosted_url"`
	Category  someone `json:"category"`
}

func hirehivePage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var list struct {
		Items []json.RawMessage `json:"items"`
		Meta  struct {
			HasNextPage *bool `json:"has_next_page"`
			TotalItems  count `json:"total_items"`
		} `json:"meta"`
	}
	address := fmt.Sprintf("https://%s.hirehive.com/api/v2/jobs?page=%d&page_size=100", board, at.page+1)
	if err := getJSON(ctx, client, address, &list); err != nil {
		return page{}, err
	}
	if list.Meta.HasNextPage == nil {
		return page{}, didf("does not say whether there are more pages")
	}
	p, err := pageOf(list.Items, list.Meta.TotalItems, hirehiveJob.posting)
	p.last = !*list.Meta.HasNextPage
	return p, err
}

func (j hirehiveJob) posting() (boardwatch.Posting, bool) {
	return boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Department: j.Category.Name, URL: j.HostedURL,
		Location: firstText(j.Location, place(j.StateCode, j.Country.Name)),
	}, true
}
