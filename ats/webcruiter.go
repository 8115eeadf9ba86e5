package ats

import (
	"context"
	"encoding/json"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const webcruiterHost = "https://candidate.webcruiter.com/"

// Webcruiter answers for companies that do not exist as it does for those without roles. Its boards are numbers.
func init() {
	register(&declared{
		name: "webcruiter",
		about: About{
			Name: "Webcruiter", Site: "webcruiter.com",
			Addresses: []string{"candidate.webcruiter.com/{language}/Home/companyadverts?companylock={company}", "{company}.webcruiter.no"},
			Endpoint:  "POST " + webcruiterHost + "api/odvert/companysearch/{company}?language=en",
			Reads:     "id, title, place, address, company, total",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host == "candidate.webcruiter.com" {
				return firstText(a.value("companylock"), a.below("api", "odvert", "companysearch"))
			}
			return a.tenant("webcruiter.no", "webcruiter.com")
		},
		valid: isDigits,
		page: func(board string) string {
			return webcruiterHost + "en-gb/Home/companyadverts?companylock=" + board
		},
		open: inTurns(webcruiterPage),
	})
}

const webcruiterSize = 100

type webcruiterJob struct {
	ID            id     `json:"Id"`
	Heading       string `json:"Heading"`
	OpenAdvertURL string `json:"OpenAdvertUrl"`
	CompanyName   string `json:"CompanyName"`
	Workplace     string `json:"Workplace"`
	Workplace2    string `json:"Workplace2"`
	Workplace3    string `json:"Workplace3"`
}

func (j webcruiterJob) employer() string { return j.CompanyName }

func webcruiterPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var list struct {
		Total count             `json:"Total"`
		Data  []json.RawMessage `json:"Data"`
	}
	address := webcruiterHost + "api/odvert/companysearch/" + board + "?language=en"
	if err := postJSON(ctx, client, address, map[string]int{"take": webcruiterSize, "skip": at.rows}, &list); err != nil {
		return page{}, err
	}
	return pageOf(list.Data, list.Total, func(j webcruiterJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{
			Key: string(j.ID), Title: j.Heading, Location: firstText(j.Workplace3, j.Workplace2, j.Workplace), URL: j.OpenAdvertURL,
		}, true
	})
}
