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

// radancy reads the career sites of Radancy, once TalentBrew, which live at hosts of the companies' own. The board is the
// whole host. The list is JSON with a part of a page in it, which every company has look as it likes.
type radancy struct{ namer }

func init() {
	register(radancy{namer{employer: radancyEmployer, declared: &declared{
		name: "radancy",
		about: About{
			Name: "Radancy (TalentBrew)", Site: "radancy.com",
			Addresses: []string{"{company}.talentbrew.com/search-jobs"},
			Endpoint:  "GET https://{host}/{language}/search-jobs/results?CurrentPage=1&RecordsPerPage=100&SearchResultsModuleName=Search+Results",
			Reads:     "id, title, place, department where the page has it, address, total",
			Evidence:  Several,
		},
		board: func(a address) string { // companies have the vendor's own host as long as they have none of their own
			if !a.under("talentbrew.com") {
				return ""
			}
			return a.host
		},
		valid: isRadancyHost,
		page:  func(board string) string { return "https://" + board + "/search-jobs" },
		pages: paged{most: 100},
		open:  radancyJobs,
	}}})
}

func isRadancyHost(host string) bool {
	a := address{host: host}
	if a.under("talentbrew.com") || host == "talentbrew.com" {
		switch label := a.tenant("talentbrew.com"); label {
		case "", "tbcdn", "tbadmin", "services", "tbservices":
			return false
		}
		return true
	}
	return isHost(host)
}

const radancyQuestion = "/search-jobs/results?ActiveFacetID=0&CurrentPage=%d&RecordsPerPage=100&Distance=50&RadiusUnitType=0&Keywords=&Location=" +
	"&ShowRadius=False&IsPagination=False&CustomFacetName=&FacetTerm=&FacetType=0&SearchResultsModuleName=Search+Results" +
	"&SearchFiltersModuleName=Search+Filters&SortCriteria=0&SortDirection=0&SearchType=5"

var radancyLanguage = lazyregexp.New(`^(/[a-zA-Z]{2}(?:[-_][a-zA-Z]{2,4})?)?/search-jobs(?:/|$)`)

// radancyJobs requests page after page in the site's first language. If that is not at the plain address, the site redirects
// or says so on its first page.
func radancyJobs(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	language := ""
	client = with(client, "X-Requested-With", "XMLHttpRequest")
	ask := func(number int) (answer, error) {
		return send(ctx, client, http.MethodGet, "https://"+board+language+fmt.Sprintf(radancyQuestion, number), "application/json", nil)
	}
	return func(at turn) (page, error) {
		answered, err := ask(at.page + 1)
		if err != nil {
			return page{}, err
		}
		if at.page == 0 && answered.status >= 300 && answered.status <= http.StatusNotFound {
			found, err := radancyLanguageFor(ctx, client, board, answered)
			if err != nil {
				return page{}, err
			}
			if found != "" {
				language = found
				if answered, err = ask(1); err != nil {
					return page{}, err
				}
			}
		}
		return radancyPage(answered, board)
	}
}

// radancyLanguageFor is the part of the path that the site wants before its search: where it redirects to, or what its first
// page leads to. It is empty if there is none.
func radancyLanguageFor(ctx context.Context, client Doer, board string, answered answer) (string, error) {
	if next, ok := answered.next(); ok && answered.status < http.StatusBadRequest {
		return radancyLanguageOf(next), nil
	}
	if answered.status != http.StatusNotFound {
		return "", nil
	}
	home, err := sendOnHost(ctx, client, "https://"+board+"/")
	if err != nil || home.status != http.StatusOK {
		return "", err
	}
	document, err := parsePage(home.body)
	if err != nil {
		return "", err
	}
	found := ""
	document.Find(`a[href*="/search-jobs"], form[action*="/search-jobs"]`).EachWithBreak(func(_ int, element *goquery.Selection) bool {
		link := firstText(linkOf(element, "href", home.address), linkOf(element, "action", home.address))
		if u, err := url.Parse(link); err == nil && u.Hostname() == board {
			found = radancyLanguageOf(link)
		}
		return found == ""
	})
	return found, nil
}

func radancyLanguageOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return captured(radancyLanguage, u.Path)
}

// radancyPage is one page of the list. Another site would have no count.
func radancyPage(answered answer, board string) (page, error) {
	var list struct {
		Results *string `json:"results"`
	}
	if err := answered.decode(&list); err != nil {
		return page{}, err
	}
	if list.Results == nil {
		return page{}, didf("answered without a list of roles")
	}
	document, err := parsePage([]byte(*list.Results))
	if err != nil {
		return page{}, err
	}
	count, ok := document.Find("[data-total-job-results]").First().Attr("data-total-job-results")
	if !ok || !isDigits(count) {
		return page{}, didf("answered without a total")
	}
	base := "https://" + board + "/"
	return pageOfCards(radancyLinks(document, base), number(count), func(link *goquery.Selection) (boardwatch.Posting, bool) {
		return radancyPosting(link, base), true
	})
}

// radancyLinks are the links to roles, one for each: their path ends with the role's id. Buttons have the id too.
func radancyLinks(document *goquery.Document, base string) *goquery.Selection {
	seen := make(map[string]bool)
	return document.Find("a[data-job-id][href]").FilterFunction(func(_ int, link *goquery.Selection) bool {
		key := link.AttrOr("data-job-id", "")
		u, err := url.Parse(linkOf(link, "href", base))
		fresh := err == nil && key != "" && strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/"+key) && !seen[key]
		seen[key] = seen[key] || fresh
		return fresh
	})
}

// radancyPosting is the role of a link. Its title is a heading or has the class of one; the rest stands in the link or beside
// it.
func radancyPosting(link *goquery.Selection, base string) boardwatch.Posting {
	row := link.Closest("li, tr, article")
	if row.Length() == 0 {
		row = link
	}
	title := link.Find(`h1, h2, h3, h4, h5, [class*="title"]`).First()
	if title.Length() == 0 {
		title = link.Clone()
		title.Find(`[class*="job-location"], [class*="job-date"], [class*="job-category"], [class*="job-brand"]`).Remove()
	}
	p := boardwatch.Posting{Key: link.AttrOr("data-job-id", ""), Title: radancyVisible(title), URL: linkOf(link, "href", base)}
	for _, class := range []string{".job-location", ".job-address-list", `[class*="location"]:not([class*="icon"])`} {
		p.Location = firstText(p.Location, radancyValue(row.Find(class).First()))
	}
	for _, class := range []string{".job-category", `[class*="job-category"]`, ".job-department"} {
		p.Department = firstText(p.Department, radancyValue(row.Find(class).First()))
	}
	p.Title, p.Location, p.Department = unescape(p.Title, 1), unescape(p.Location, 1), unescape(p.Department, 1)
	return p
}

// radancyVisible is the text of an element without what is only read aloud.
func radancyVisible(element *goquery.Selection) string {
	visible := element.Clone()
	visible.Find(".sr-only, .visually-hidden").Remove()
	return textOf(visible)
}

// radancyValue is the text of an element without what it is called and without what is only read aloud.
func radancyValue(element *goquery.Selection) string {
	value := element.Clone()
	value.Find(`strong, b, .heading, .sr-only, .visually-hidden`).Remove()
	return strings.TrimLeft(textOf(value), "|: ")
}

// radancyEmployer is the name that the site's first page has for others that show it.
func radancyEmployer(ctx context.Context, client Doer, board string) (string, error) {
	answered, err := sendOnHost(ctx, client, "https://"+board+"/")
	if err != nil {
		return "", err
	}
	content, err := answered.page()
	if err != nil {
		return "", err
	}
	document, err := parsePage(content)
	if err != nil {
		return "", err
	}
	return firstText(collapse(document.Find(`meta[property="og:site_name"]`).AttrOr("content", "")), companyInTitle(document)), nil
}

var radancyScript = lazyregexp.New(`(?i)//(?:tbcdn\.talentbrew\.com|[a-z0-9.-]*\bradancy\.net|[a-z0-9.-]*tmpwebeng\.com/magicbullet)`)

// Embedded knows sites at addresses of the companies' own: the vendor's script, and a search for roles.
func (radancy) Embedded(page *goquery.Document) (board string, ok bool) {
	host := ownHost(page)
	if host == "" || !isRadancyHost(host) || (address{host: host}).under("talentbrew.com") {
		return "", false
	}
	assets := scriptsOf(page)
	page.Find("link[href], img[src]").Each(func(_ int, asset *goquery.Selection) {
		assets += asset.AttrOr("href", asset.AttrOr("src", "")) + "\n"
	})
	search := page.Find(`#search-results[data-total-job-results], [data-total-job-results], a[href*="/search-jobs"], form[action*="/search-jobs"], form[data-ajax-url*="search-jobs"]`)
	return host, search.Length() > 0 && radancyScript.MatchString(assets)
}
