package ats

import (
	"context"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// jazzHR reads boards at applytojob.com. What a board's own page looks like, companies choose; the list that they put
// into their pages looks the same everywhere.
type jazzHR struct{ vendor }

func init() {
	register(jazzHR{vendor{
		name: "jazzhr",
		about: About{
			Name: "JazzHR", Site: "jazzhr.com",
			Addresses: []string{"{company}.applytojob.com", "{company}.applytojob.com/apply/{role}/{title}", "{company}.applytojob.com/apply/jobs/details/{role}"},
			Endpoint:  "GET https://{company}.applytojob.com/apply/jobs",
			Reads:     "id, title, place, department, address; company from the title of the board's page",
			Evidence:  Several,
		},
		match: matchJazzHR,
	}})
}

// matchJazzHR knows everything at a company's host.
func matchJazzHR(a address) (board string, ok bool) {
	board = a.tenant("applytojob.com")
	return board, isJazzHRBoard(board)
}

var isJazzHRBoard = isTenant

// CareersURL is the company's board.
func (j jazzHR) CareersURL(board string) string { return j.host(board) + "/apply" }

func (jazzHR) host(board string) string { return "https://" + board + ".applytojob.com" }

var jazzHRInactive = lazyregexp.New(`(?i)inactive career page`)

// Read takes the whole list in one answer: the table for companies' own pages, or the board's page where there is no
// such table.
func (j jazzHR) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isJazzHRBoard(board) {
		return failed(j, noName())
	}
	page, err := getDocument(ctx, client, j.host(board)+"/apply/jobs")
	if err != nil && !isUnknown(err) {
		return failed(j, err)
	}
	if err == nil && page.Find("#jobs_table, #job_listings_wrapper").Length() > 0 {
		reading, err := j.table(page, board)
		return finish(j, reading, err)
	}
	if err == nil && jazzHRInactive.MatchString(page.Find("title").Text()) {
		return failed(j, noBoard("its page is no longer active"))
	}
	if page, err = getDocument(ctx, client, j.CareersURL(board)); err != nil {
		return failed(j, err)
	}
	reading, err := j.onPage(page, board)
	return finish(j, reading, err)
}

var jazzHRRole = lazyregexp.New(`/apply/(?:jobs/details/)?([A-Za-z0-9_-]{4,})(?:[/?#]|$)`)

// role is the posting that a link leads to. The title at the end of the address matters to nobody.
func (j jazzHR) role(board string, link *goquery.Selection) boardwatch.Posting {
	p := boardwatch.Posting{Title: textOf(link)}
	if m := jazzHRRole.FindStringSubmatch(linkOf(link, "href", j.host(board)+"/apply/jobs")); m != nil && m[1] != "jobs" {
		p.Key, p.URL = m[1], j.host(board)+"/apply/"+m[1]
	}
	return p
}

// table reads the table: title and department stand in a row's first cell, the place in the last.
func (j jazzHR) table(page *goquery.Document, board string) (boardwatch.Reading, error) {
	const link = `a.job_title_link, a[href*="/apply/jobs/details/"]`
	rows := page.Find("tr").FilterFunction(func(_ int, row *goquery.Selection) bool {
		return strings.HasPrefix(row.AttrOr("id", ""), "row_job_") || row.Find(link).Length() > 0
	})
	if rows.Length() == 0 && page.Find(link).Length() > 0 {
		return boardwatch.Reading{}, didf("shows roles, but no table of them")
	}
	return cards(rows, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		p := j.role(board, row.Find(link).First())
		p.Department = textOf(row.Find(".resumator_department").First())
		if cells := row.Find("td"); cells.Length() > 1 {
			p.Location = textOf(cells.Last())
		}
		return p, true
	})
}

// onPage reads the board's page in the theme that most have. A page without roles must say so.
func (j jazzHR) onPage(page *goquery.Document, board string) (boardwatch.Reading, error) {
	items := page.Find("li.list-group-item").FilterFunction(func(_ int, item *goquery.Selection) bool {
		return item.Find(`a[href*="/apply/"]`).Length() > 0
	})
	title := page.Find("title").Text()
	switch {
	case items.Length() > 0:
	case jazzHRInactive.MatchString(title):
		return boardwatch.Reading{}, noBoard("its page is no longer active")
	case !saysNoRoles(page):
		return boardwatch.Reading{}, didf("shows a page that is not a list of roles")
	}
	return cards(items, func(item *goquery.Selection) (boardwatch.Posting, bool) {
		p := j.role(board, item.Find(`a[href*="/apply/"]`).First())
		p.Location = textOf(item.Find(".fa-map-marker").First().Parent())
		p.Department = textOf(item.Find(".fa-sitemap").First().Parent())
		return p, true
	})
}

// Company is the name in the title of the board's page.
func (j jazzHR) Company(ctx context.Context, client Doer, board string) (string, error) {
	if !isJazzHRBoard(board) {
		return "", namelessBoard(j)
	}
	return employerOnPage(ctx, client, j, board, j.CareersURL(board))
}
