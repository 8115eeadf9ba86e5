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
	register(&declared{
		name: "gusto",
		about: About{
			Name: "Gusto", Site: "gusto.com",
			Addresses: []string{"jobs.gusto.com/boards/{board}"},
			Endpoint:  "GET https://jobs.gusto.com/boards/{board}?page=1",
			Reads:     "id, title, place, address, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "jobs.gusto.com" {
				return ""
			}
			return a.below("boards")
		},
		valid: func(board string) bool { return isToken(board) && gustoID.MatchString(board) },
		page:  gustoPage,
		open:  inTurns(gustoPostings),
	})
}

func gustoPage(board string) string { return "https://jobs.gusto.com/boards/" + board }

// gustoID is the end of the name of a company and of a role; what stands before it changes.
var gustoID = lazyregexp.New(`(?i)(?:^|-)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

func gustoPostings(ctx context.Context, client Doer, board string, at turn) (page, error) {
	document, err := getDocument(ctx, client, fmt.Sprintf("%s?page=%d", gustoPage(board), at.page+1))
	if err != nil {
		return page{}, err
	}
	links := document.Find(`a[href*="/postings/"]`)
	if links.Length() == 0 && !strings.Contains(strings.ToLower(textOf(document.Find("body"))), "no open positions") {
		return page{}, didf("answered with a page that shows neither roles nor that there are none")
	}
	p, err := pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		role := boardwatch.Posting{
			Title: textOf(link.Find("h3").First()), Location: textOf(link.Find("p").First()), URL: linkOf(link, "href", gustoPage(board)),
		}
		role.URL, _, _ = strings.Cut(role.URL, "?")
		role.Key = strings.ToLower(captured(gustoID, role.URL))
		return role, true
	})
	p.Company = companyInTitle(document)
	return p, err
}
