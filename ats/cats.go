package ats

import (
	"context"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "cats",
		about: About{
			Name: "CATS", Site: "catsone.com",
			Addresses: []string{"{board}.catsone.com/careers", "{board}.catsone.com/careers/{portal}/jobs/{role}"},
			Endpoint:  "GET https://{board}.catsone.com/careers",
			Reads:     "id, title, place, address, company",
			Evidence:  Several,
		},
		board: tenantUnder("catsone.com"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".catsone.com/careers" },
		open:  inOne(catsJobs),
	})
}

var catsRole = lazyregexp.New(`/careers/[^/]+/jobs/([0-9]{1,18})`)

// catsJobs reads the portal that the company's address redirects to.
func catsJobs(ctx context.Context, client Doer, board string) (page, error) {
	answered, err := sendOnHost(ctx, client, "https://"+board+".catsone.com/careers")
	if err != nil {
		return page{}, err
	}
	content, err := answered.page()
	if err != nil {
		return page{}, err
	}
	document, err := parseWholePage(content)
	if err != nil {
		return page{}, err
	}
	rows := document.Find("a.table-row, .cats-job")
	if rows.Length() == 0 && document.Find(".table-row, .cats-jobs, .jobs-table, #jobs, .no-jobs").Length() == 0 {
		return page{}, didf("answered with a page that shows neither roles nor that there are none")
	}
	p, err := pageOfCards(rows, 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		link := catsLink(row, answered.address)
		m := catsRole.FindStringSubmatch(link)
		if m == nil {
			return boardwatch.Posting{}, true
		}
		return boardwatch.Posting{
			Key: m[1], Title: firstText(textOf(row.Find(".title-cell").First()), textOf(row.Find("a, h2, h3").First())),
			Location: textOf(row.Find(`[data-label="Location"]`).First()), URL: link,
		}, true
	})
	p.Company = companyInTitle(document)
	return p, err
}

// catsLink is where a row, or the first link in it, leads.
func catsLink(row *goquery.Selection, base string) string {
	if goquery.NodeName(row) != "a" {
		row = row.Find("a[href]").First()
	}
	return linkOf(row, "href", base)
}
