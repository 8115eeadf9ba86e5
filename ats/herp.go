package ats

import (
	"context"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

const herpPages = "https://herp.careers/v1/"

func init() {
	register(detailed{look: lookInLinked, declared: &declared{
		name: "herp",
		about: About{
			Name: "HERP Hire", Site: "herp.co.jp",
			Addresses: []string{"herp.careers/v1/{company}", "herp.careers/v1/{company}/{role}"},
			Endpoint:  "GET " + herpPages + "{company}",
			Reads:     "id, title, groups, address, company; place from the role's page",
			Evidence:  Several,
		},
		board: func(a address) string {
			if a.host != "herp.careers" && a.host != "www.herp.careers" {
				return ""
			}
			return a.below("v1")
		},
		valid: isToken,
		page:  func(board string) string { return herpPages + board },
		open:  inOne(herpRoles),
	}})
}

var herpRole = lazyregexp.New(`^/v1/([^/?#]+)/([A-Za-z0-9_~-]{6,64})$`)

func herpRoles(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, herpPages+board)
	if err != nil {
		return page{}, err
	}
	if document.Find(".requisition-list").Length() == 0 {
		return page{}, didf("shows a page that is not a list of roles")
	}
	p, err := pageOfCards(document.Find(".requisition-list-card"), 0, func(card *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Title: textOf(card.Find("h2").First())}
		if m := herpRole.FindStringSubmatch(card.Find("a.requisition-list-card__header-anchor").First().AttrOr("href", "")); m != nil && strings.EqualFold(m[1], board) {
			p.Key, p.URL = m[2], herpPages+board+"/"+m[2]
		}
		var groups []string
		card.Find(".career-page-group-name-tag__text").Each(func(_ int, group *goquery.Selection) {
			groups = append(groups, textOf(group))
		})
		p.Department = joinPlaces(groups...)
		return p, true
	})
	p.Company = collapse(document.Find(`meta[property="og:site_name"]`).AttrOr("content", ""))
	return p, err
}
