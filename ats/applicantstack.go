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
		name: "applicantstack",
		about: About{
			Name: "ApplicantStack", Site: "applicantstack.com",
			Addresses: []string{"{board}.applicantstack.com/x/openings", "{board}.applicantstack.com/x/detail/{role}"},
			Endpoint:  "GET https://{board}.applicantstack.com/x/openings",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Single,
		},
		board: tenantUnder("applicantstack.com"),
		valid: isTenant,
		page:  applicantstackPage,
		open:  inOne(applicantstackOpenings),
	})
}

func applicantstackPage(board string) string {
	return "https://" + board + ".applicantstack.com/x/openings"
}

var applicantstackRole = lazyregexp.New(`/x/detail/([A-Za-z0-9]+)`)

// applicantstackOpenings reads the table of roles by what its head says.
func applicantstackOpenings(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, applicantstackPage(board))
	if err != nil {
		return page{}, err
	}
	links := document.Find(`tr a[href*="/x/detail/"]`)
	table := links.Closest("table")
	if links.Length() == 0 {
		table = document.Find("table")
	}
	if table.Length() == 0 {
		return page{}, didf("answered with a page without the table of roles")
	}
	columns := make(map[string]int)
	table.First().Find("th").Each(func(i int, head *goquery.Selection) { columns[strings.ToLower(textOf(head))] = i })
	cell := func(link *goquery.Selection, usual int, names ...string) string {
		cells := link.Closest("tr").Find("td")
		for _, name := range names {
			if i, ok := columns[name]; ok {
				return textOf(cells.Eq(i))
			}
		}
		if len(columns) > 0 {
			return ""
		}
		return textOf(cells.Eq(usual))
	}
	p, err := pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		role := boardwatch.Posting{
			Title: textOf(link), URL: linkOf(link, "href", applicantstackPage(board)),
			Department: cell(link, 2, "industry - job category", "category", "department"), Location: cell(link, 3, "location", "city"),
		}
		role.Key = captured(applicantstackRole, role.URL)
		return role, true
	})
	p.Company = companyInTitle(document)
	return p, err
}
