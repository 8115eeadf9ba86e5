package ats

import (
	"context"
	"fmt"
	"regexp"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Oleeo shows small boards whole and large ones in pages of fifty. A role's place stands on its page only, in words that
// each company chooses.
func init() {
	register(&declared{
		name: "oleeo",
		about: About{
			Name: "Oleeo", Site: "oleeo.com",
			Addresses: []string{"{company}.tal.net/candidate", "{company}.tal.net/vx/candidate/jobboard/vacancy/1/adv", "{company}.tal.net/vx/candidate/so/pm/1/pl/1/opp/{role}-{title}/en-GB"},
			Endpoint:  "GET https://{company}.tal.net/candidate/jobboard/vacancy/1/adv/",
			Reads:     "id, title, address",
			Evidence:  Several,
		},
		board: hostUnder("tal.net"),
		valid: isHostUnder("tal.net"),
		page:  func(board string) string { return "https://" + board + "/candidate/jobboard/vacancy/1/adv/" },
		open:  inTurns(oleeoPage),
	})
}

const oleeoSize = 50

var oleeoRole = regexp.MustCompile(`/opp/(\d+)(?:[-/?#]|$)`)

func oleeoPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	address := "https://" + board + "/candidate/jobboard/vacancy/1/adv/"
	if at.page > 0 {
		address += fmt.Sprintf("?start=%d", at.rows)
	}
	document, err := getDocument(ctx, client, address)
	if err != nil {
		return page{}, err
	}
	seen := make(map[string]bool)
	links := document.Find(`a[href*="/opp/"]`).FilterFunction(func(_ int, link *goquery.Selection) bool {
		m := oleeoRole.FindStringSubmatch(linkOf(link, "href", address))
		fresh := m != nil && !seen[m[1]] && textOf(link) != ""
		if fresh {
			seen[m[1]] = true
		}
		return fresh
	})
	if links.Length() == 0 && !saysNoRoles(document) {
		return page{}, didf("shows a page that is not a list of roles")
	}
	p, err := pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Title: textOf(link), URL: linkOf(link, "href", address)}
		p.Key = oleeoRole.FindStringSubmatch(p.URL)[1]
		return p, true
	})
	p.last = p.rows != oleeoSize
	return p, err
}
