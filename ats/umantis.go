package ats

import (
	"context"
	"strconv"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Umantis cuts its table into pages whose address has the table's number, which the first page tells.
func init() {
	register(&declared{
		name: "umantis",
		about: About{
			Name: "Umantis", Site: "umantis.com",
			Addresses: []string{"recruitingapp-{number}.umantis.com/Jobs/All", "recruitingapp-{number}.de.umantis.com", "{company}.umantis.com", "recruitingapp-{number}.umantis.com/Vacancies/{role}/Description/{language}"},
			Endpoint:  "GET https://recruitingapp-{number}.umantis.com/Jobs/All",
			Reads:     "id, title, address",
			Evidence:  Several,
		},
		board: func(a address) string {
			if a.tenant("umantis.com") != "" || umantisRegional.MatchString(a.host) {
				return a.host
			}
			return ""
		},
		valid: func(board string) bool {
			return address{host: board}.tenant("umantis.com") != "" || umantisRegional.MatchString(board)
		},
		page: func(board string) string { return "https://" + board + "/Jobs/All" },
		open: umantisRoles,
	})
}

var (
	umantisRegional = lazyregexp.New(`^recruitingapp-\d{1,8}\.[a-z]{2}\.umantis\.com$`)
	umantisTable    = lazyregexp.New(`"TableNr"\s*:\s*"?(\d+)|[?&]tc(\d+)=p\d+`)
	umantisFrom     = lazyregexp.New(`"TableFrom"\s*:\s*"?(\d+)`)
	umantisRole     = lazyregexp.New(`/Vacancies/(\d+)/Description/`)
)

// umantisSize is how many rows a page has, at least.
const umantisSize = 10

func umantisRoles(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	table, first := "", 0
	return func(at turn) (page, error) {
		address := "https://" + board + "/Jobs/All"
		if at.page > 0 {
			address += "?tc" + table + "=p" + strconv.Itoa(at.page+1)
		}
		content, err := getPage(ctx, client, address)
		if err != nil {
			return page{}, err
		}
		document, err := parseWholePage(content)
		if err != nil {
			return page{}, err
		}
		if m := umantisFrom.FindSubmatch(content); at.page == 0 && m != nil && len(m[1]) > 1 {
			return page{}, didf("begins with a page other than its first")
		}
		p, err := umantisRows(document, address)
		if err == nil && at.page == 0 {
			table, first = "", p.rows
			if m := umantisTable.FindStringSubmatch(string(content)); m != nil {
				table = firstText(m[1], m[2])
			}
		}
		p.last = table == "" || p.rows < max(first, umantisSize)
		return p, err
	}
}

func umantisRows(document *goquery.Document, address string) (page, error) {
	links := document.Find(`a.HSTableLinkSubTitle`)
	if links.Length() == 0 && (document.Find(`[class^="tableaslist"], table-navigation`).Length() == 0 || document.Find(`a[href*="/Vacancies/"]`).Length() > 0) {
		return page{}, didf("shows a page that is not a list of roles")
	}
	return pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Title: textOf(link), URL: linkOf(link, "href", address)}
		p.Key = firstText(captured(umantisRole, p.URL), p.Key)
		return p, true
	})
}
