package ats

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "kenjo",
		about: About{
			Name: "Kenjo", Site: "kenjo.io",
			Addresses: []string{"{board}.kenjo.io", "{board}.kenjo.io/positions/{role}"},
			Endpoint:  "GET https://{board}.kenjo.io/api/controller/career-site/public/{board}/positions",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Single,
		},
		board: tenantUnder("kenjo.io"),
		valid: isTenantBut("auth", "web", "dev", "staging"),
		page:  kenjoPage,
		open:  inOne(kenjoPositions),
	})
}

func kenjoPage(board string) string { return "https://" + board + ".kenjo.io/" }

type kenjoPosition struct {
	ID             id     `json:"_id"`
	JobTitle       string `json:"jobTitle"`
	CustomURL      string `json:"customUrl"`
	City           string `json:"city"`
	OfficeName     string `json:"officeName"`
	Country        string `json:"country"`
	DepartmentName string `json:"departmentName"`
}

func kenjoPositions(ctx context.Context, client Doer, board string) (page, error) {
	var site struct {
		CompanyName     string            `json:"companyName"`
		ActivePositions []json.RawMessage `json:"activePositions"`
	}
	if err := getJSON(ctx, client, kenjoPage(board)+"api/controller/career-site/public/"+board+"/positions", &site); err != nil {
		return page{}, err
	}
	p, err := pageOf(site.ActivePositions, 0, func(j kenjoPosition) (boardwatch.Posting, bool) {
		return boardwatch.Posting{
			Key: string(j.ID), Title: j.JobTitle, Location: placeAsGiven(firstText(j.City, j.OfficeName), j.Country), Department: j.DepartmentName,
			URL: kenjoPage(board) + "positions/" + url.PathEscape(firstText(j.CustomURL, string(j.ID))),
		}, true
	})
	p.Company = site.CompanyName
	return p, err
}
