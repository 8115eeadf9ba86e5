package ats

import (
	"context"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(detailed{look: lookInLinked, declared: &declared{
		name: "onlyfy",
		about: About{
			Name: "onlyfy (Prescreen)", Site: "onlyfy.com",
			Addresses: []string{"{company}.onlyfy.jobs", "{company}.onlyfy.jobs/job/{role}", "{company}.prescreenapp.io", "{company}.jobbase.io"},
			Endpoint:  "GET https://{company}.onlyfy.jobs/",
			Reads:     "id, title, address; place from the role's page",
			Evidence:  Single,
		},
		board: tenantUnder("onlyfy.jobs", "prescreenapp.io", "jobbase.io"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".onlyfy.jobs/" },
		open:  inOne(onlyfyRoles),
	}})
}

var onlyfyRole = lazyregexp.New(`^https://[^/]+(?:/[a-z]{2})?/job/([a-z0-9]{6,})(?:[/?#]|$)`)

func onlyfyRoles(ctx context.Context, client Doer, board string) (page, error) {
	host := "https://" + board + ".onlyfy.jobs/"
	document, err := getDocument(ctx, client, host)
	if err != nil {
		return page{}, err
	}
	list := document.Find("#jobList")
	if list.Length() == 0 {
		return page{}, didf("shows a page that is not a list of roles")
	}
	links := list.Find("a[href]").FilterFunction(func(_ int, link *goquery.Selection) bool {
		return onlyfyRole.MatchString(linkOf(link, "href", host)) && textOf(link) != ""
	})
	return pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Title: textOf(link), URL: linkOf(link, "href", host)}
		p.Key = onlyfyRole.FindStringSubmatch(p.URL)[1]
		return p, true
	})
}
