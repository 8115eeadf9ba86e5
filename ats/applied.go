package ats

import (
	"context"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "applied",
		about: About{
			Name: "Applied", Site: "beapplied.com",
			Addresses: []string{"app.beapplied.com/org/{id}/{company}"},
			Endpoint:  "GET https://app.beapplied.com/org/{id}/{company}",
			Reads:     "id, title, address, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "app.beapplied.com" || !strings.EqualFold(a.segment(0), "org") {
				return ""
			}
			return a.segment(1) + "/" + a.segment(2)
		},
		valid: func(board string) bool {
			number, company, ok := strings.Cut(board, "/")
			return ok && isNumber(number) && isToken(company)
		},
		page: appliedPage,
		open: inOne(appliedJobs),
	})
}

func appliedPage(board string) string { return "https://app.beapplied.com/org/" + board }

var appliedRole = lazyregexp.New(`^https://app\.beapplied\.com/apply/([A-Za-z0-9_-]+)$`)

// appliedJobs reads the links to roles, of which there is no list without.
func appliedJobs(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, appliedPage(board))
	if err != nil {
		return page{}, err
	}
	links := firstOfEach(document.Find(`a[href*="/apply/"]`), func(link *goquery.Selection) string {
		return captured(appliedRole, linkOf(link, "href", appliedPage(board)))
	})
	if links.Length() == 0 {
		return page{}, didf("answered with a page that shows no roles, nor that there are none")
	}
	p, err := pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		to := linkOf(link, "href", appliedPage(board))
		return boardwatch.Posting{Key: captured(appliedRole, to), Title: firstText(textOf(link.Find("h2, h3, h4").First()), textOf(link)), URL: to}, true
	})
	p.Company = companyInTitle(document)
	return p, err
}
