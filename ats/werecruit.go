package ats

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "werecruit",
		about: About{
			Name: "WeRecruit", Site: "werecruit.io",
			Addresses: []string{"careers.werecruit.io/{locale}/{company}"},
			Endpoint:  "GET https://careers.werecruit.io/{locale}/{company}",
			Reads:     "id, title, place, address, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "careers.werecruit.io" {
				return ""
			}
			return a.segment(0) + "/" + a.segment(1)
		},
		valid: func(board string) bool {
			locale, company, ok := strings.Cut(board, "/")
			return ok && isLocale(locale) && isToken(company)
		},
		page: werecruitPage,
		open: inOne(werecruitOffers),
	})
}

func werecruitPage(board string) string { return "https://careers.werecruit.io/" + board }

type werecruitOffer struct {
	ID      id     `json:"Id"`
	Title   string `json:"TitleTranslated"`
	URL     string `json:"Url"`
	City    string `json:"Address_City"`
	Region  string `json:"Address_Region"`
	Country string `json:"Address_State"` // in spite of its name
}

// werecruitOffers takes the roles from the state of the company's page. In a language that the company does not use, the page has
// none, which is not an empty board.
func werecruitOffers(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, werecruitPage(board))
	if err != nil {
		return page{}, err
	}
	document, err := parseWholePage(content)
	if err != nil {
		return page{}, err
	}
	var rows []json.RawMessage
	if err := stateIn(string(content), "window.allOffers", &rows); err != nil {
		return page{}, err
	}
	p, err := pageOf(rows, 0, func(o werecruitOffer) (boardwatch.Posting, bool) {
		return boardwatch.Posting{Key: string(o.ID), Title: o.Title, Location: place(o.City, o.Region, o.Country), URL: o.URL}, true
	})
	p.Company = companyInTitle(document)
	return p, err
}
