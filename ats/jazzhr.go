package ats

import (
	"context"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Companies choose what a board of JazzHR looks like. The list that they put into their own pages looks the same everywhere.
func init() {
	register(namer{employer: inTitle(jazzHRPage), declared: &declared{
		name: "jazzhr",
		about: About{
			Name: "JazzHR", Site: "jazzhr.com",
			Addresses: []string{"{company}.applytojob.com", "{company}.applytojob.com/apply/{role}/{title}", "{company}.applytojob.com/apply/jobs/details/{role}"},
			Endpoint:  "GET https://{company}.applytojob.com/apply/jobs",
			Reads:     "id, title, place, department, address; company from the title of the board's page",
			Evidence:  Several,
		},
		board: tenantUnder("applytojob.com"),
		valid: isTenant,
		page:  jazzHRPage,
		open:  inOne(jazzHRRoles),
	}})
}

func jazzHRPage(board string) string { return "https://" + board + ".applytojob.com/apply" }

var jazzHRInactive = lazyregexp.New(`(?i)inactive career page`)

// jazzHRRoles reads the table for companies' own pages, or the board's page if there is no such table.
func jazzHRRoles(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, jazzHRPage(board)+"/jobs")
	switch {
	case err != nil && !isUnknown(err):
		return page{}, err
	case err == nil && document.Find("#jobs_table, #job_listings_wrapper").Length() > 0:
		return jazzHRTable(document, board)
	case err == nil && jazzHRInactive.MatchString(document.Find("title").Text()):
		return page{}, noBoard("its page is no longer active")
	}
	if document, err = getDocument(ctx, client, jazzHRPage(board)); err != nil {
		return page{}, err
	}
	return jazzHROnPage(document, board)
}

var jazzHRRole = lazyregexp.New(`/apply/(?:jobs/details/)?([A-Za-z0-9_-]{4,})(?:[/?#]|$)`)

// jazzHRLinked is the role that a link leads to. The title at the end of its address is left out.
func jazzHRLinked(board string, link *goquery.Selection) boardwatch.Posting {
	p := boardwatch.Posting{Title: textOf(link)}
	if m := jazzHRRole.FindStringSubmatch(linkOf(link, "href", jazzHRPage(board)+"/jobs")); m != nil && m[1] != "jobs" {
		p.Key, p.URL = m[1], jazzHRPage(board)+"/"+m[1]
	}
	return p
}

// jazzHRTable reads the table: title and department are in a row's first cell, the place is in the last.
func jazzHRTable(document *goquery.Document, board string) (page, error) {
	const link = `a.job_title_link, a[href*="/apply/jobs/details/"]`
	rows := document.Find("tr").FilterFunction(func(_ int, row *goquery.Selection) bool {
		return strings.HasPrefix(row.AttrOr("id", ""), "row_job_") || row.Find(link).Length() > 0
	})
	if rows.Length() == 0 && document.Find(link).Length() > 0 {
		return page{}, didf("shows roles, but no table of them")
	}
	return pageOfCards(rows, 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		p := jazzHRLinked(board, row.Find(link).First())
		p.Department = textOf(row.Find(".resumator_department").First())
		if cells := row.Find("td"); cells.Length() > 1 {
			p.Location = textOf(cells.Last())
		}
		return p, true
	})
}

// jazzHROnPage reads the board's page in the theme that most have. A page without roles must say so.
func jazzHROnPage(document *goquery.Document, board string) (page, error) {
	items := document.Find("li.list-group-item").FilterFunction(func(_ int, item *goquery.Selection) bool {
		return item.Find(`a[href*="/apply/"]`).Length() > 0
	})
	switch {
	case items.Length() > 0:
	case jazzHRInactive.MatchString(document.Find("title").Text()):
		return page{}, noBoard("its page is no longer active")
	case !saysNoRoles(document):
		return page{}, didf("shows a page that is not a list of roles")
	}
	return pageOfCards(items, 0, func(item *goquery.Selection) (boardwatch.Posting, bool) {
		p := jazzHRLinked(board, item.Find(`a[href*="/apply/"]`).First())
		p.Location = textOf(item.Find(".fa-map-marker").First().Parent())
		p.Department = textOf(item.Find(".fa-sitemap").First().Parent())
		return p, true
	})
}
