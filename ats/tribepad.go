package ats

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "tribepad",
		about: About{
			Name: "Tribepad", Site: "tribepad.com",
			Addresses: []string{"{company}.tribepad.com", "{company}.tribepad-gro.com", "{company}.tribepad.com/members/modules/job/detail.php?record={role}"},
			Endpoint:  "GET https://{company}.tribepad.com/v2/job/search?page=1&records_per_page=50",
			Reads:     "id, title, place, category, address, total",
			Evidence:  Single,
		},
		board: hostUnder("tribepad.com", "tribepad-gro.com"),
		valid: isHostUnder("tribepad.com", "tribepad-gro.com"),
		page:  func(board string) string { return "https://" + board + "/v2/job/search" },
		open:  inTurns(tribepadPage),
	})
}

var tribepadTotal = lazyregexp.New(`(?i)^(\d+)\s+search results?`)

func tribepadPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	address := fmt.Sprintf("https://%s/v2/job/search?page=%d&records_per_page=50", board, at.page+1)
	document, err := getDocument(ctx, client, address)
	if err != nil {
		return page{}, err
	}
	total := -1
	document.Find("h2").Each(func(_ int, heading *goquery.Selection) {
		if m := tribepadTotal.FindStringSubmatch(textOf(heading)); m != nil && total < 0 {
			if n, err := strconv.Atoi(m[1]); err == nil {
				total = n
			}
		}
	})
	cards := document.Find(".sitebuilder-job-results-item")
	if cards.Length() == 0 && total < 0 {
		return page{}, didf("shows a page that is not a list of roles")
	}
	return pageOfCards(cards, max(total, 0), func(card *goquery.Selection) (boardwatch.Posting, bool) {
		link := card.Find(`a[href*="detail.php?record="]`).First()
		p := boardwatch.Posting{
			Title: firstText(textOf(card.Find("h1, h2, h3, h4, h5").First()), textOf(link)), URL: linkOf(link, "href", address),
			Location: tribepadChip(card, "fa-map-marker-alt"), Department: tribepadChip(card, "fa-tag"),
		}
		if u, err := url.Parse(p.URL); err == nil {
			p.Key = u.Query().Get("record")
		}
		return p, true
	})
}

// tribepadChip is the text beside one of a card's symbols.
func tribepadChip(card *goquery.Selection, symbol string) string {
	return textOf(card.Find("i." + symbol).First().NextAllFiltered("span").First())
}
