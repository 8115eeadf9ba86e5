package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const flatchrPages = "https://careers.flatchr.io/"

func init() {
	register(&declared{
		name: "flatchr",
		about: About{
			Name: "Flatchr", Site: "flatchr.io",
			Addresses: []string{"careers.flatchr.io/{language}/company/{company}", "careers.flatchr.io/company/{company}.json"},
			Endpoint:  "GET " + flatchrPages + "company/{company}.json",
			Reads:     "id, title, place, trade, address, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			path := a.pathWithoutLocale()
			if a.host != "careers.flatchr.io" || nth(path, 0) != "company" {
				return ""
			}
			return strings.TrimSuffix(nth(path, 1), ".json")
		},
		valid: isToken,
		page:  func(board string) string { return flatchrPages + "fr/company/" + board + "/" },
		open:  inOne(flatchrRoles),
	})
}

type flatchrRow struct {
	Vacancy flatchrJob `json:"vacancy"`
}

func (r flatchrRow) employer() string { return r.Vacancy.Company.Name }

type flatchrJob struct {
	ID        id      `json:"id"`
	VacancyID id      `json:"vacancy_id"`
	Slug      string  `json:"slug"`
	Title     string  `json:"title"`
	Metier    string  `json:"metier"`
	Activity  string  `json:"activity"`
	Company   someone `json:"company"`
	Address   struct {
		Locality         string `json:"locality"`
		Region           string `json:"administrative_area_level_1"`
		Country          string `json:"country"`
		FormattedAddress string `json:"formatted_address"`
	} `json:"address"`
}

func flatchrRoles(ctx context.Context, client Doer, board string) (page, error) {
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := getJSON(ctx, client, flatchrPages+"company/"+board+".json", &list); err != nil {
		return page{}, err
	}
	return pageOf(list.Items, 0, func(row flatchrRow) (boardwatch.Posting, bool) { return row.Vacancy.posting(), true })
}

func (j flatchrJob) posting() boardwatch.Posting {
	p := boardwatch.Posting{
		Key: firstText(string(j.ID), string(j.VacancyID)), Title: j.Title, Department: firstText(j.Metier, j.Activity),
		Location: firstText(place(j.Address.Locality, j.Address.Region, j.Address.Country), j.Address.FormattedAddress),
	}
	if j.Slug != "" {
		p.URL = flatchrPages + "vacancy/" + url.PathEscape(j.Slug)
	}
	return p
}
