package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "clearcompany",
		about: About{
			Name: "ClearCompany", Site: "clearcompany.com",
			Addresses: []string{"careers-page.clearcompany.com/jobs/{board}", "careers-page.clearcompany.com/jobs/{board}/{role}"},
			Endpoint:  "GET https://careers-page.clearcompany.com/api/v1/careers/jobs, header API-ShortName: {board}",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "careers-page.clearcompany.com" {
				return ""
			}
			return a.below("jobs")
		},
		valid: isToken,
		page:  clearcompanyPage,
		open:  inOne(clearcompanyJobs),
	})
}

func clearcompanyPage(board string) string {
	return "https://careers-page.clearcompany.com/jobs/" + board
}

type clearcompanyJob struct {
	ID               id     `json:"Id"`
	PositionTitle    string `json:"PositionTitle"`
	DepartmentName   string `json:"DepartmentName"`
	OfficeName       string `json:"OfficeName"`
	OrganizationName string `json:"OrganizationName"`
}

func (j clearcompanyJob) employer() string {
	return clearcompanyNumber.ReplaceAllString(j.OrganizationName, "")
}

// clearcompanyJobs asks for the list. A company that the system does not know is a bad request, which says so.
func clearcompanyJobs(ctx context.Context, client Doer, board string) (page, error) {
	answered, err := send(ctx, with(client, "Api-Shortname", board), http.MethodGet, "https://careers-page.clearcompany.com/api/v1/careers/jobs", "application/json", nil)
	if err != nil {
		return page{}, err
	}
	if answered.status == http.StatusBadRequest && bytes.Contains(answered.body, []byte("API-ShortName")) {
		return page{}, noBoard("it does not know the name")
	}
	var rows []json.RawMessage
	if err := answered.decode(&rows); err != nil {
		return page{}, err
	}
	return pageOf(rows, 0, func(j clearcompanyJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{
			Key: string(j.ID), Title: j.PositionTitle, Location: collapse(j.OfficeName), Department: j.DepartmentName,
			URL: clearcompanyPage(board) + "/" + url.PathEscape(string(j.ID)),
		}, true
	})
}

// clearcompanyNumber is what the system adds to names of companies.
var clearcompanyNumber = lazyregexp.New(`-\d+$`)
