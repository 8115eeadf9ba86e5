package ats

import (
	"context"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

func init() {
	register(&declared{
		name: "hrmdirect",
		about: About{
			Name: "HRMDirect (ClearCompany)", Site: "clearcompany.com",
			Addresses: []string{"{board}.hrmdirect.com/employment/job-openings.php", "{board}.hrmdirect.com/employment/job-opening.php?req={role}"},
			Endpoint:  "GET https://{board}.hrmdirect.com/employment/job-openings.php?search=true",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Recording,
		},
		board: tenantUnder("hrmdirect.com"),
		valid: isTenantBut("apps", "secure"),
		page:  hrmdirectPage,
		open:  inOne(hrmdirectOpenings),
	})
}

func hrmdirectPage(board string) string {
	return "https://" + board + ".hrmdirect.com/employment/job-openings.php"
}

// hrmdirectOpenings reads the table of roles. Links to roles stand in no other place, and are not always closed.
func hrmdirectOpenings(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, hrmdirectPage(board)+"?search=true")
	if err != nil {
		return page{}, err
	}
	rows := document.Find("tr[data-req-id], tr.ReqRowClick")
	if rows.Length() == 0 && document.Find("table.reqResultTable, #reqResultTable, .noResults, form[action*='job-openings.php']").Length() == 0 {
		return page{}, didf("answered with a page that shows neither roles nor that there are none")
	}
	p, err := pageOfCards(rows, 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{
			Key: row.AttrOr("data-req-id", ""), Title: textOf(row.Find("td.posTitle").First()), Department: textOf(row.Find("td.departments").First()),
			Location: firstText(
				textOf(row.Find("td.locations, td.location, td.offices, td.office").First()),
				place(textOf(row.Find("td.cities, td.city").First()), textOf(row.Find("td.state, td.states").First())),
			),
			URL: linkOf(row.Find("a[href]").First(), "href", hrmdirectPage(board)),
		}
		p.Facts.Requisition = collapse(row.AttrOr("data-custom-req-id", ""))
		row.Find("td").EachWithBreak(func(_ int, cell *goquery.Selection) bool {
			p.Facts.PostedAt = fact.Date(textOf(cell), fact.American) // of the columns, which have no names, the only date
			return p.Facts.PostedAt == ""
		})
		return p, true
	})
	p.Company = companyInTitle(document)
	return p, err
}
