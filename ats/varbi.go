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
		name: "varbi",
		about: About{
			Name: "Varbi", Site: "varbi.com",
			Addresses: []string{"{company}.varbi.com", "{company}.varbi.com/{language}/what:job/jobID:{role}/"},
			Endpoint:  "GET https://{company}.varbi.com/en/",
			Reads:     "id, title, town, unit, address",
			Evidence:  Single,
		},
		board: tenantUnder("varbi.com"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".varbi.com/en/" },
		open:  inOne(varbiRoles),
	})
}

var varbiRole = lazyregexp.New(`/jobID:(\d+)`)

func varbiRoles(ctx context.Context, client Doer, board string) (page, error) {
	host := "https://" + board + ".varbi.com"
	document, err := getDocument(ctx, client, host+"/en/")
	if err != nil {
		return page{}, err
	}
	rows := document.Find("tr").FilterFunction(func(_ int, row *goquery.Selection) bool {
		return row.Find("td.pos-title").Length() > 0
	})
	if rows.Length() == 0 && document.Find("#table-position").Length() == 0 {
		return page{}, didf("shows a page that is not a list of roles")
	}
	return pageOfCards(rows, 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{
			Title: textOf(row.Find("td.pos-title").First()), Location: textOf(row.Find("td.pos-town").First()),
			Department: textOf(row.Find("td.pos-subcompany").First()),
		}
		if _, unit, ok := strings.Cut(p.Department, ", "); ok {
			p.Department = unit // the company stands before it
		}
		if m := varbiRole.FindStringSubmatch(row.Find(`a[href*="jobID:"]`).First().AttrOr("href", "")); m != nil {
			p.Key, p.URL = m[1], host+"/en/what:job/jobID:"+m[1]+"/"
		}
		return p, true
	})
}
