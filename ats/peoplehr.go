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
		name: "peoplehr",
		about: About{
			Name: "Access PeopleHR", Site: "peoplehr.com",
			Addresses: []string{"{board}.peoplehr.net/JobBoard", "{board}.peoplehr.net/Pages/JobBoard/Opening.aspx?v={role}"},
			Endpoint:  "GET https://{board}.peoplehr.net/JobBoard",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Single,
		},
		board: tenantUnder("peoplehr.net"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".peoplehr.net/JobBoard" },
		open:  inOne(peoplehrOpenings),
	})
}

var peoplehrRole = lazyregexp.New(`(?i)/Opening\.aspx\?v=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`)

// peoplehrOpenings reads the table of roles; its cells are told by the ends of their names.
func peoplehrOpenings(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, "https://"+board+".peoplehr.net/JobBoard")
	if err != nil {
		return page{}, err
	}
	company := textOf(document.Find(`[id*="lblCompanyName"]`).First())
	rows := document.Find("tr[data-url]")
	if rows.Length() == 0 && company == "" {
		return page{}, didf("answered with a page that is not one of its boards")
	}
	p, err := pageOfCards(rows, 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		role := boardwatch.Posting{
			Title: textOf(row.Find(`[id*="lblVacancyName"]`).First()), Location: textOf(row.Find(`[id*="lblLocation"]`).First()),
			Department: textOf(row.Find(`[id*="lblDepartment"]`).First()), URL: linkOf(row, "data-url", "https://"+board+".peoplehr.net/JobBoard"),
		}
		if m := peoplehrRole.FindStringSubmatch(role.URL); m != nil {
			role.Key = strings.ToLower(m[1])
		}
		return role, true
	})
	p.Company = company
	return p, err
}
