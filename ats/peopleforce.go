package ats

import (
	"context"
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(detailed{look: peopleforcePlace, declared: &declared{
		name: "peopleforce",
		about: About{
			Name: "PeopleForce", Site: "peopleforce.io",
			Addresses: []string{"{board}.peopleforce.io/careers", "{board}.peopleforce.io/careers/v/{role}"},
			Endpoint:  "GET https://{board}.peopleforce.io/careers?page=1",
			Reads:     "id, title, address, company",
			Evidence:  Single,
		},
		board: tenantUnder("peopleforce.io"),
		valid: isTenantBut("hire", "pages", "community"),
		page:  peopleforcePage,
		open:  inTurns(peopleforceJobs),
	}})
}

func peopleforcePage(board string) string { return "https://" + board + ".peopleforce.io/careers" }

var peopleforceRole = lazyregexp.New(`/careers/v/([0-9]{1,18})`)

// peopleforceJobs reads a page of the list. The page behind the last has no roles.
func peopleforceJobs(ctx context.Context, client Doer, board string, at turn) (page, error) {
	document, err := getDocument(ctx, client, fmt.Sprintf("%s?page=%d", peopleforcePage(board), at.page+1))
	if err != nil {
		return page{}, err
	}
	if document.Find(`a[href*="/careers"]`).Length() == 0 && !strings.Contains(strings.ToLower(document.Text()), "peopleforce") {
		return page{}, didf("answered with a page that is not one of its boards")
	}
	links := firstOfEach(document.Find(`a[href*="/careers/v/"]`), func(link *goquery.Selection) string {
		return captured(peopleforceRole, link.AttrOr("href", ""))
	})
	p, err := pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		to := linkOf(link, "href", peopleforcePage(board))
		to, _, _ = strings.Cut(to, "?")
		return boardwatch.Posting{Key: captured(peopleforceRole, to), Title: textOf(link), URL: to}, true
	})
	p.Company = companyInTitle(document)
	return p, err
}

// peopleforcePlace adds the place in the list of facts on the page of a role. The page must be at the company's own host.
func peopleforcePlace(ctx context.Context, client Doer, board string, role *boardwatch.Posting) error {
	if !strings.HasPrefix(role.URL, peopleforcePage(board)+"/v/") {
		return didf("says that a role is elsewhere")
	}
	document, err := getDocument(ctx, client, role.URL)
	if err != nil {
		return err
	}
	document.Find("dt").EachWithBreak(func(_ int, name *goquery.Selection) bool {
		if strings.EqualFold(strings.TrimSuffix(textOf(name), ":"), "Location") {
			role.Location = textOf(name.NextAllFiltered("dd").First())
		}
		return role.Location == ""
	})
	return nil
}
