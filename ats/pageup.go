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

const pageupHost = "https://careers.pageuppeople.com/"

// PageUp shows its roles in a layout that each company chooses. What all have is the link of a role, and that its place
// follows it.
func init() {
	register(&declared{
		name: "pageup",
		about: About{
			Name: "PageUp", Site: "pageuppeople.com",
			Addresses: []string{"careers.pageuppeople.com/{number}/{section}/{language}/listing", "careers.pageuppeople.com/{number}/{section}/{language}/job/{role}/{title}"},
			Endpoint:  "GET " + pageupHost + "{number}/{section}/{language}/listing/?page=1&page-items=500",
			Reads:     "id, title, place, address, total",
			Evidence:  Several,
		},
		board: func(a address) string {
			path := a.path()
			if a.host != "careers.pageuppeople.com" || len(path) < 3 {
				return ""
			}
			return strings.Join(path[:3], "/")
		},
		valid: pageupBoard.MatchString,
		page:  func(board string) string { return pageupHost + board + "/listing/" },
		open:  inTurns(pageupPage),
	})
}

var (
	pageupBoard = lazyregexp.New(`^[1-9]\d{0,8}/[a-z][a-z0-9-]{0,15}/[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$`)
	pageupRole  = lazyregexp.New(`/job/(\d+)(?:/|$)`)
	pageupMore  = lazyregexp.New(`(?i)^(?:apply|apply now|learn more|read more|view (?:details|job|position))$`)
)

func pageupPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	address := fmt.Sprintf("%s%s/listing/?page=%d&page-items=500", pageupHost, board, at.page+1)
	document, err := getDocument(ctx, client, address)
	if err != nil {
		return page{}, err
	}
	count := strings.ReplaceAll(textOf(document.Find(".result-count").First()), ",", "")
	total, err := strconv.Atoi(count)
	if err != nil {
		total = 0
	}
	roles := pageupRoles(document, address)
	if len(roles) == 0 && count != "0" && !saysNoRoles(document) {
		return page{}, didf("shows a page that is not a list of roles")
	}
	p, err := pageOfRows(roles, total, func(p boardwatch.Posting) (boardwatch.Posting, bool) { return p, true })
	p.last = document.Find("a.more-link").Length() == 0
	return p, err
}

// pageupRoles are the roles in the order of their first links. A role may have several links, not all of which say its title.
func pageupRoles(document *goquery.Document, address string) []boardwatch.Posting {
	var roles []boardwatch.Posting
	at := make(map[string]int)
	document.Find("a.job-link, .location").Each(func(_ int, element *goquery.Selection) {
		link := linkOf(element, "href", address)
		m := pageupRole.FindStringSubmatch(link)
		if m == nil {
			if len(roles) > 0 && !element.Is("a") && roles[len(roles)-1].Location == "" {
				roles[len(roles)-1].Location = textOf(element)
			}
			return
		}
		i, seen := at[m[1]]
		if !seen {
			i = len(roles)
			at[m[1]] = i
			roles = append(roles, boardwatch.Posting{Key: m[1], URL: link})
		}
		if title := textOf(element); roles[i].Title == "" && !pageupMore.MatchString(title) {
			roles[i].Title = title
		}
	})
	return roles
}
