package ats

import (
	"context"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "livehire",
		about: About{
			Name: "LiveHire", Site: "livehire.com",
			Addresses: []string{"www.livehire.com/careers/{board}/jobs", "www.livehire.com/widgets/job-listings/{board}", "www.livehire.com/talent/community/{board}"},
			Endpoint:  "GET https://www.livehire.com/widgets/job-listings/{board}",
			Reads:     "id, title, place, address",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "www.livehire.com" && a.host != "livehire.com" {
				return ""
			}
			return strings.ToLower(firstText(a.below("careers"), a.below("widgets", "job-listings"), a.below("talent", "community")))
		},
		valid: isToken,
		page:  func(board string) string { return "https://www.livehire.com/careers/" + board + "/jobs" },
		open:  inOne(livehireJobs),
	})
}

var livehireRole = lazyregexp.New(`(?i)^https://www\.livehire\.com/careers/[^/]+/job/[^/]+/([^/?#]+)/[^/?#]+`)

// livehireJobs reads the list that companies put into their pages. It is the same for a company that the system does not know and
// for one without roles.
func livehireJobs(ctx context.Context, client Doer, board string) (page, error) {
	const widgets = "https://www.livehire.com/widgets/job-listings/"
	document, err := getDocument(ctx, client, widgets+board)
	if err != nil {
		return page{}, err
	}
	titles := make(map[string]string)
	var first []*goquery.Selection
	document.Find(`a[href*="/job/"]`).Each(func(_ int, link *goquery.Selection) {
		m := livehireRole.FindStringSubmatch(linkOf(link, "href", widgets))
		if m == nil {
			return
		}
		if _, seen := titles[m[1]]; !seen {
			first = append(first, link)
		}
		title := firstText(textOf(link.Find("h1, h2, h3, h4, h5").First()), link.AttrOr("title", ""), textOf(link))
		titles[m[1]] = firstText(titles[m[1]], title)
	})
	if len(first) == 0 {
		return page{}, &systemError{cause: cause.NoList, did: "shows no roles, as it does for companies that it does not know"}
	}
	return pageOfRows(first, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		to := livehireRole.FindString(linkOf(link, "href", widgets))
		key := livehireRole.FindStringSubmatch(to)[1]
		return boardwatch.Posting{Key: key, Title: titles[key], Location: livehirePlace(link, key), URL: to}, true
	})
}

var livehireLabel = lazyregexp.New(`^Location:?\s*(.+?)\s*(?:Work Type|Salary Range|Published At|$)`)

// livehirePlace is what follows its label in the card of a role: in what is around its link, as long as no other role is in it.
func livehirePlace(link *goquery.Selection, key string) string {
	for around := link; around.Length() > 0; around = around.Parent() {
		others := around.Find(`a[href*="/job/"]`).FilterFunction(func(_ int, other *goquery.Selection) bool {
			return !strings.Contains(other.AttrOr("href", ""), "/"+key+"/")
		})
		if others.Length() > 0 {
			return ""
		}
		place := ""
		around.Find("*").EachWithBreak(func(_ int, element *goquery.Selection) bool {
			place = captured(livehireLabel, textOf(element))
			return place == ""
		})
		if place != "" {
			return place
		}
	}
	return ""
}
