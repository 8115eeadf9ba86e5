package ats

import (
	"bytes"
	"context"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Factorial shows all roles of a company on the first page of its site.
func init() {
	register(&declared{
		name: "factorial",
		about: About{
			Name: "Factorial", Site: "factorialhr.com",
			Addresses: []string{"{company}.factorialhr.com", "{company}.factorial.{country}", "{company}.factorialhr.com/job_posting/{role}"},
			Endpoint:  "GET https://{company}.factorialhr.com/",
			Reads:     "id, title, place, team, address",
			Evidence:  Several,
		},
		board: func(a address) string { return a.host },
		valid: isFactorialHost,
		page:  func(board string) string { return "https://" + board + "/" },
		open:  inOne(factorialRoles),
	})
}

var (
	factorialHost = lazyregexp.New(`^([a-z0-9][a-z0-9-]*)\.(?:factorialhr\.(?:com|com?\.[a-z]{2}|[a-z]{2})|factorial\.(?:com?\.[a-z]{2}|[a-z]{2}))$`)
	factorialRole = lazyregexp.New(`/job_posting/(?:[^/?#]*-)?(\d+)/?(?:[?#]|$)`)
)

// isFactorialHost knows the vendor's domains in all countries. Two that look like one are somebody else's.
func isFactorialHost(host string) bool {
	m := factorialHost.FindStringSubmatch(host)
	return m != nil && isTenantBut("apply", "careers", "factorial")(m[1]) && !address{host: host}.under("factorial.io", "factorial.ai")
}

func factorialRoles(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, "https://"+board+"/")
	if err != nil {
		return page{}, err
	}
	document, err := parseWholePage(content)
	if err != nil {
		return page{}, err
	}
	items := document.Find(`[data-job-postings-url]`)
	list := document.Find(`[data-controller~="job-filters"], [data-target^="job-filters"], #location_filter, #team_filter`)
	if items.Length() == 0 && (list.Length() == 0 || bytes.Contains(content, []byte("/job_posting/"))) {
		return page{}, didf("shows a page that is not a list of roles")
	}
	places, teams := factorialNames(document, "location_filter"), factorialNames(document, "team_filter")
	return pageOfCards(items, 0, func(item *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{
			Title: textOf(item.Find(`[class*="font-bold"]`).First()), URL: linkOf(item, "data-job-postings-url", "https://"+board+"/"),
			Location: places[item.AttrOr("data-location-id", "")], Department: teams[item.AttrOr("data-team-id", "")],
		}
		p.Key = captured(factorialRole, p.URL)
		orRemote(&p, item.AttrOr("data-is-remote", "") == "true")
		return p, true
	})
}

// factorialNames are the names behind the numbers, as one of the page's filters has them.
func factorialNames(document *goquery.Document, filter string) map[string]string {
	names := make(map[string]string)
	document.Find("select#" + filter + " option").Each(func(_ int, option *goquery.Selection) {
		if value := option.AttrOr("value", ""); isDigits(value) {
			names[value] = textOf(option)
		}
	})
	return names
}
