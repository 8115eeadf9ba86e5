package ats

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// avature reads the career portals of Avature, at avature.net or at a host of the company's own. A host may have several
// portals. What a page of the list looks like is up to each company.
type avature struct{ *declared }

func init() {
	register(avature{&declared{
		name: "avature",
		about: About{
			Name: "Avature", Site: "avature.net",
			Addresses: []string{"{company}.avature.net/{portal}", "{company}.avature.net/en_US/{portal}/SearchJobs", "{company}.avature.net/{portal}/JobDetail/{title}/{role}"},
			Endpoint:  "GET https://{host}/{portal}/SearchJobs?jobOffset=0",
			Reads:     "id, title, place and department where the page has them, address, total, company",
			Evidence:  Several,
		},
		board: avatureBoard,
		valid: isAvatureBoard,
		page:  func(board string) string { return "https://" + board },
		open:  avatureJobs,
	}})
}

var (
	avatureLocale = lazyregexp.New(`^[a-z]{2}_[A-Z]{2}$`)
	avaturePages  = lazyregexp.New(`(?i)^(?:SearchJobs\w*|(?:Job|Folder|Pipeline)Detail|Login|Register|Error|Home|OpenRoles|static|assets|portalpacks|ASSET|_?api)$`)
)

// avatureBoard finds boards in the addresses of portals and everything below them, in any language.
func avatureBoard(a address) string {
	if !a.under("avature.net") {
		return ""
	}
	path := a.path()
	if len(path) > 0 && avatureLocale.MatchString(path[0]) {
		path = path[1:]
	}
	portal := nth(path, 0)
	if portal == "" || avaturePages.MatchString(portal) {
		return a.host
	}
	return a.host + "/" + portal
}

// isAvatureHost reports whether a host can have portals: one below avature.net, or a company's own.
func isAvatureHost(host string) bool { return isCompanyHost(host, "avature.net") }

func isAvatureBoard(board string) bool {
	host, portal, named := strings.Cut(board, "/")
	return isAvatureHost(host) && (!named || isAvaturePortal(portal))
}

func isAvaturePortal(name string) bool {
	return isToken(name) && !avaturePages.MatchString(name) && !avatureLocale.MatchString(name)
}

func avatureList(board string) string {
	if !strings.Contains(board, "/") {
		board += "/careers"
	}
	return "https://" + board + "/SearchJobs"
}

// avatureJobs requests page after page. The first shows how many roles a page has.
func avatureJobs(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	list := avatureList(board)
	return func(at turn) (page, error) {
		answered, err := sendOnHost(ctx, client, fmt.Sprintf("%s?jobOffset=%d", list, at.rows))
		if err != nil {
			return page{}, err
		}
		if u, err := url.Parse(answered.address); err == nil && at.page == 0 && answered.status == http.StatusOK {
			if strings.HasSuffix(u.Path, "/Error") {
				return page{}, noBoard("it leads to its page of errors")
			}
			list = strings.TrimSuffix("https://"+u.Host+u.Path, "/") // the list in the language that the visitor was given
		}
		content, err := answered.page()
		if err != nil {
			return page{}, err
		}
		return avaturePage(content, answered.address)
	}
}

var (
	avatureTotal  = lazyregexp.New(`([0-9][0-9.,\x{a0} ]*)(\+?)\D*$`)
	avatureDetail = lazyregexp.New(`(?i)/(?:Job|Folder|Pipeline)Detail(?:/[^/]+)*/([0-9]{1,18})/?$`)
)

// avaturePage is one page of the list.
func avaturePage(content []byte, address string) (page, error) {
	document, err := parseWholePage(content)
	if err != nil {
		return page{}, err
	}
	total, counted := avatureCount(document)
	links := avatureLinks(document, address)
	if links.Length() == 0 && !counted && (document.Find(`meta[name^="avature.portal"]`).Length() == 0 || !saysNoRoles(document)) {
		return page{}, didf("answered with a page that shows neither roles nor that there are none")
	}
	shown, err := pageOfCards(links, total, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		return avaturePosting(link, address), true
	})
	shown.Company = firstText(document.Find(`meta[property="og:site_name"]`).AttrOr("content", ""), companyInTitle(document))
	shown.last = total == 0 && !avatureLeadsOn(document, address)
	return shown, err
}

// avatureLeadsOn reports whether the page leads to a later one: by its button, or by what stands in another's address.
func avatureLeadsOn(document *goquery.Document, address string) (more bool) {
	at, err := url.Parse(address)
	if err != nil {
		return false
	}
	offset := func(u *url.URL) int { return max(number(u.Query().Get("jobOffset")), number(u.Query().Get("offset"))) }
	document.Find(`a[href*="ffset="]`).Each(func(_ int, link *goquery.Selection) {
		to, err := url.Parse(linkOf(link, "href", address))
		more = more || err == nil && offset(to) > offset(at)
	})
	return more || document.Find(".paginationNextLink").Length() > 0
}

// avatureCount is how many roles the list says it has: 0 for none, and also for "more than so many".
func avatureCount(document *goquery.Document) (total int, counted bool) {
	legend := document.Find(".list-controls__text__legend, .pagination__legend, .jobListTotalRecords").First()
	for _, text := range []string{legend.AttrOr("aria-label", ""), textOf(legend)} {
		m := avatureTotal.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if m[2] != "" {
			return 0, true
		}
		return number(strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, m[1])), true
	}
	return 0, false
}

// avatureKey is the id of the role that a link leads to, or empty.
func avatureKey(link *goquery.Selection, base string) string {
	u, err := url.Parse(linkOf(link, "href", base))
	if err != nil {
		return ""
	}
	if m := avatureDetail.FindStringSubmatch(u.Path); m != nil {
		return m[1]
	}
	if strings.HasSuffix(strings.ToLower(u.Path), "/jobdetail") && isDigits(u.Query().Get("jobId")) {
		return u.Query().Get("jobId")
	}
	return ""
}

// avatureLinks are the links to roles, the first with a text for each.
func avatureLinks(document *goquery.Document, base string) *goquery.Selection {
	return firstOfEach(document.Find("a[href]"), func(link *goquery.Selection) string { return avatureKey(link, base) })
}

var avatureNoPlace = lazyregexp.New(`(?i)^(?:role id|job id|req|ref|posted|date|id\b|#|\d)`)

// avaturePosting is the role of a link, with what its card says in the lines below the title.
func avaturePosting(link *goquery.Selection, base string) boardwatch.Posting {
	p := boardwatch.Posting{Key: avatureKey(link, base), Title: textOf(link), URL: linkOf(link, "href", base)}
	card := link.Closest("article, li, tr")
	if card.Length() == 0 {
		return p
	}
	if title := card.Find(".article__header__text__title").First(); title.Length() > 0 && title.Find("a").Length() <= 1 {
		p.Title = firstText(textOf(title), p.Title)
	}
	p.Location = textOf(card.Find(`[class*="ocation"]`).First())
	p.Department = textOf(card.Find(`[class*="epartment"], [class*="usinessArea"]`).First())
	if line := card.Find(".article__header__text__subtitle").First(); p.Location == "" && line.Length() > 0 {
		if first := line.Find("span").First(); first.Length() > 0 {
			line = first
		}
		if text := textOf(line); !avatureNoPlace.MatchString(text) {
			p.Location = text
		}
	}
	return p
}

// Embedded knows portals at addresses of the companies' own: pages that say to be one.
func (avature) Embedded(page *goquery.Document) (board string, ok bool) {
	host := ownHost(page)
	if host == "" || !isAvatureHost(host) || (address{host: host}).under("avature.net") {
		return "", false
	}
	mark := page.Find(`meta[name^="avature.portal"]`).Length() > 0
	roles := page.Find(`a[href*="/SearchJobs"]`).Length() > 0 && page.Find(`a[href*="/JobDetail/"]`).Length() > 0
	return host, mark || roles
}
