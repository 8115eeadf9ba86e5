package ats

import (
	"context"
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Oleeo shows small boards whole and large ones in pages of fifty. A role's place stands on its page only, in words that
// each company chooses. A host may have several brands, whose boards differ: "{host}/brand-{n}".
func init() {
	register(&declared{
		name: "oleeo",
		about: About{
			Name: "Oleeo", Site: "oleeo.com",
			Addresses: []string{"{company}.tal.net/candidate", "{company}.tal.net/vx/candidate/jobboard/vacancy/1/adv", "{company}.tal.net/vx/candidate/so/pm/1/pl/1/opp/{role}-{title}/en-GB", "{company}.tal.net/vx/mobile-0/appcentre-1/brand-{brand}/candidate/jobboard/vacancy/1/adv"},
			Endpoint:  "GET https://{company}.tal.net/candidate/jobboard/vacancy/1/adv/",
			Reads:     "id, title, address",
			Evidence:  Several,
		},
		board: func(a address) string {
			for _, segment := range a.path() {
				if oleeoBrand.MatchString(segment) {
					return a.host + "/" + segment
				}
			}
			return a.host
		},
		valid: func(board string) bool {
			host, brand, several := strings.Cut(board, "/")
			return isHostUnder("tal.net")(host) && several == oleeoBrand.MatchString(brand)
		},
		page: oleeoList,
		open: inTurns(oleeoPage),
	})
}

const oleeoSize = 50

var (
	oleeoRole  = lazyregexp.New(`/opp/(\d+)(?:[-/?#]|$)`)
	oleeoBrand = lazyregexp.New(`^brand-[\w-]{1,40}$`)
)

func oleeoList(board string) string {
	host, brand, several := strings.Cut(board, "/")
	if several {
		host += "/vx/mobile-0/" + brand
	}
	return "https://" + host + "/candidate/jobboard/vacancy/1/adv/"
}

func oleeoPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	address := oleeoList(board)
	if at.page > 0 {
		address += fmt.Sprintf("?start=%d", at.rows)
	}
	document, err := getDocument(ctx, client, address)
	if err != nil {
		return page{}, err
	}
	_, brand, several := strings.Cut(board, "/")
	links := firstOfEach(document.Find(`a[href*="/opp/"]`), func(link *goquery.Selection) string {
		to := linkOf(link, "href", address)
		if several && strings.Contains(to, "/brand-") && !strings.Contains(to, "/"+brand+"/") {
			return ""
		}
		return captured(oleeoRole, to)
	})
	if links.Length() == 0 && !saysNoRoles(document) {
		return page{}, didf("shows a page that is not a list of roles")
	}
	p, err := pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Title: textOf(link), URL: linkOf(link, "href", address)}
		p.Key = captured(oleeoRole, p.URL)
		return p, true
	})
	p.last = p.rows != oleeoSize
	return p, err
}
