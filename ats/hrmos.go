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

const hrmosPages = "https://hrmos.co/pages/"

func init() {
	register(detailed{look: lookInLinked, declared: &declared{
		name: "hrmos",
		about: About{
			Name: "HRMOS", Site: "hrmos.co",
			Addresses: []string{"hrmos.co/pages/{company}/jobs", "hrmos.co/pages/{company}/jobs/{role}"},
			Endpoint:  "GET " + hrmosPages + "{company}/jobs?page=1",
			Reads:     "id, title, address, total; place from the role's page",
			Evidence:  Several,
		},
		board: func(a address) string {
			if a.host != "hrmos.co" && a.host != "www.hrmos.co" {
				return ""
			}
			return a.below("pages")
		},
		valid: isToken,
		page:  func(board string) string { return hrmosPages + board + "/jobs" },
		open:  inTurns(hrmosPage),
	}})
}

var (
	hrmosTotal = lazyregexp.New(`全\s*([\d,]+)\s*件中`)
	hrmosRole  = lazyregexp.New(`^https://hrmos\.co/pages/([^/]+)/jobs/([A-Za-z0-9_-]{1,64})/?(?:[?#]|$)`)
)

func hrmosPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	address := fmt.Sprintf("%s%s/jobs?page=%d", hrmosPages, board, at.page+1)
	document, err := getDocument(ctx, client, address)
	if err != nil {
		return page{}, err
	}
	list := document.Find("#jsi-joblist")
	if list.Length() == 0 {
		if document.Find(".sg-unavailable-notifier").Length() == 0 || at.page > 0 {
			return page{}, didf("shows a page that is not a list of roles")
		}
		return page{Reading: boardwatch.Reading{Health: boardwatch.HealthOK}, last: true}, nil
	}
	m := hrmosTotal.FindStringSubmatch(textOf(list))
	if m == nil {
		return page{}, didf("does not say how many roles it has")
	}
	total, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil {
		return page{}, didf("does not say how many roles it has")
	}
	id := func(link *goquery.Selection) string {
		if m := hrmosRole.FindStringSubmatch(linkOf(link, "href", address)); m != nil && strings.EqualFold(m[1], board) {
			return m[2]
		}
		return ""
	}
	return pageOfCards(firstOfEach(list.Find("a[href]"), id), total, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		key := id(link)
		return boardwatch.Posting{Key: key, Title: firstText(textOf(link.Find("h2, h3").First()), textOf(link)), URL: hrmosPages + board + "/jobs/" + key}, true
	})
}
