package ats

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "talemetry",
		about: About{
			Name: "Talemetry (Jobvite)", Site: "jobvite.com",
			Addresses: []string{"{company}.ttcportals.com/jobs/search", "{company}.ttcportals.com/jobs/{role}"},
			Endpoint:  "GET https://{board}/jobs/search?page=1",
			Reads:     "id, title, place, address, total",
			Evidence:  Single,
		},
		board: hostUnder("ttcportals.com"),
		valid: isHostUnder("ttcportals.com"),
		page:  talemetryPage,
		pages: paged{size: 25},
		open:  inTurns(talemetryJobs),
	})
}

func talemetryPage(board string) string { return "https://" + board + "/jobs/search" }

var (
	talemetryRange = lazyregexp.New(`(?i)\b(?:Showing|Viewing)\s+([0-9,]+)\s*-\s*([0-9,]+)\s+of\s+([0-9,]+)\s+results`)
	talemetryRole  = lazyregexp.New(`^https://[^/]+/jobs/([0-9]{1,18})(?:-[^/?#]*)?/?$`)
)

// talemetryJobs reads a page of the search, which says where in the list it is.
func talemetryJobs(ctx context.Context, client Doer, board string, at turn) (page, error) {
	document, err := getDocument(ctx, client, fmt.Sprintf("%s?page=%d", talemetryPage(board), at.page+1))
	if err != nil {
		return page{}, err
	}
	list := document.Find(".jobs-section__list").First()
	shown := talemetryRange.FindStringSubmatch(textOf(document.Find("body")))
	if list.Length() == 0 || shown == nil {
		return page{}, didf("answered with a page that does not count its roles")
	}
	total, err := strconv.Atoi(strings.ReplaceAll(shown[3], ",", ""))
	if err != nil {
		return page{}, didf("counts its roles in an unknown form")
	}
	links := firstOfEach(list.Find("a[href]"), func(link *goquery.Selection) string {
		return captured(talemetryRole, linkOf(link, "href", talemetryPage(board)))
	})
	return pageOfCards(links, total, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		to := linkOf(link, "href", talemetryPage(board))
		row := link.Closest("li, .jobs-section__item")
		return boardwatch.Posting{
			Key: captured(talemetryRole, to), Title: textOf(link), URL: to,
			Location: textOf(row.Find(".jobs-section__item-location, [class*=location]").First()),
		}, true
	})
}
