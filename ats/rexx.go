package ats

import (
	"context"
	"fmt"
	"strconv"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// rexx systems says places in its list or, with some companies, only on the pages of roles.
func init() {
	register(detailed{look: lookInLinked, declared: &declared{
		name: "rexx",
		about: About{
			Name: "rexx systems", Site: "rexx-systems.com",
			Addresses: []string{"{company}-portal.rexx-systems.com", "{company}-portal.rexx-systems.com/{title}-de-j{role}.html"},
			Endpoint:  "GET https://{company}-portal.rexx-systems.com/stellenangebote.html",
			Reads:     "id, title, place, address, total",
			Evidence:  Single,
		},
		board: hostUnder("rexx-systems.com"),
		valid: isHostUnder("rexx-systems.com"),
		page:  func(board string) string { return "https://" + board + "/stellenangebote.html" },
		open:  inTurns(rexxPage),
	}})
}

var rexxRole = lazyregexp.New(`-j(\d+)\.html`)

func rexxPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	address := "https://" + board + "/stellenangebote.html"
	if at.page > 0 {
		address += fmt.Sprintf("?start=%d", at.rows)
	}
	document, err := getDocument(ctx, client, address)
	if err != nil {
		return page{}, err
	}
	cards, table := document.Find(".joboffer_container"), document.Find("#joboffer_table_container, [data-count]").First()
	if cards.Length() == 0 && table.Length() == 0 {
		return page{}, didf("shows a page that is not a list of roles")
	}
	total, err := strconv.Atoi(table.AttrOr("data-count", ""))
	p, cardsErr := pageOfCards(cards, total, func(card *goquery.Selection) (boardwatch.Posting, bool) {
		link := card.Find(`a[href*="-j"]`).First()
		p := boardwatch.Posting{
			Title: textOf(link), URL: linkOf(link, "href", address), Location: textOf(card.Find(".job_standort").First()),
		}
		p.Key = captured(rexxRole, p.URL)
		return p, true
	})
	p.last = err != nil && document.Find(`a[href*="start="]`).Length() == 0 // without a total or more pages, it is all there is
	return p, cardsErr
}
