package ats

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "recruitcrm",
		about: About{
			Name: "Recruit CRM", Site: "recruitcrm.io",
			Addresses: []string{"recruitcrm.io/jobs/{board}"},
			Endpoint:  "POST https://albatross.recruitcrm.io/v1/external-pages/jobs-by-account/get?account={board}&batch=true",
			Reads:     "id, title, place, address",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "recruitcrm.io" && a.host != "www.recruitcrm.io" {
				return ""
			}
			return a.below("jobs")
		},
		valid: isTokenBut("apply"),
		page:  func(board string) string { return "https://recruitcrm.io/jobs/" + board },
		open:  inTurns(recruitcrmJobs),
	})
}

type recruitcrmJob struct {
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	City     string `json:"city"`
	Locality string `json:"locality"`
	Remote   string `json:"remote"`
}

func recruitcrmJobs(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var list struct {
		Status  string `json:"status"`
		Message string `json:"message"`
		Data    struct {
			Jobs []json.RawMessage `json:"jobs"`
		} `json:"data"`
	}
	err := postJSON(ctx, client, "https://albatross.recruitcrm.io/v1/external-pages/jobs-by-account/get?account="+board+"&batch=true", map[string]any{
		"limit": 100, "offset": at.rows, "search_data": map[string]any{}, "onlyJobs": true,
	}, &list)
	if err != nil {
		return page{}, err
	}
	if list.Status == "fail" {
		return page{}, didf("returned no list: %s", firstText(collapse(list.Message), "no reason is given"))
	}
	return pageOf(list.Data.Jobs, 0, recruitcrmJob.posting)
}

func (j recruitcrmJob) posting() (boardwatch.Posting, bool) {
	p := boardwatch.Posting{
		Key: j.Slug, Title: j.Name, Location: place(j.City, j.Locality), URL: "https://recruitcrm.io/apply/" + url.PathEscape(j.Slug),
	}
	orRemote(&p, j.Remote != "")
	return p, true
}
