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

// Small boards of CareerPlug tell search engines more about their roles than people. Those of a single role redirect to it.
func init() {
	register(&declared{
		name: "careerplug",
		about: About{
			Name: "CareerPlug", Site: "careerplug.com",
			Addresses: []string{"{company}.careerplug.com/jobs", "{company}.careerplug.com/jobs/{role}"},
			Endpoint:  "GET https://{company}.careerplug.com/jobs?page=1",
			Reads:     "id, title, place, address, company",
			Evidence:  Several,
		},
		board: tenantUnder("careerplug.com"),
		valid: isTenantBut("partners", "learn", "resources", "try", "track", "accounts"),
		page:  careerplugHome,
		open:  inTurns(careerplugJobs),
	})
}

func careerplugHome(board string) string { return "https://" + board + ".careerplug.com/jobs" }

var careerplugRole = lazyregexp.New(`^/jobs/([0-9]{1,18})(?:/.*)?$`)

// careerplugJobs reads a page of the list. The numbers below it tell the last one.
func careerplugJobs(ctx context.Context, client Doer, board string, at turn) (page, error) {
	answered, err := send(ctx, client, http.MethodGet, fmt.Sprintf("%s?page=%d", careerplugHome(board), at.page+1), "text/html", nil)
	if err != nil {
		return page{}, err
	}
	if role := careerplugOnly(answered); role != "" && at.page == 0 {
		return careerplugRoleAlone(ctx, client, board, role)
	}
	content, err := answered.page()
	if err != nil {
		return page{}, err
	}
	return careerplugPage(content, board, at.page+1)
}

// careerplugOnly is the id of the role that a board of one role redirects to, or empty.
func careerplugOnly(answered answer) string {
	next, ok := answered.next()
	if answered.status < 300 || answered.status >= 400 || !ok {
		return ""
	}
	return careerplugKey(next)
}

func careerplugKey(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return captured(careerplugRole, u.Path)
}

// careerplugRoleAlone is the list of a board of one role.
func careerplugRoleAlone(ctx context.Context, client Doer, board, key string) (page, error) {
	document, err := getDocument(ctx, client, careerplugHome(board)+"/"+key+"/apps/new")
	if err != nil {
		return page{}, asListFault(err)
	}
	roles := linkedPostings(document)
	if len(roles) == 0 {
		return page{}, didf("answered with a page without the roles' data")
	}
	reading, err := listed(roles[:1], func(role linkedPosting) (boardwatch.Posting, bool) {
		return careerplugPosting(role, key, careerplugHome(board)), true
	})
	reading.Company = unescape(roles[0].Company, 1)
	return page{Reading: reading, rows: 1, last: true}, err
}

// careerplugPage is one page of the list: the links to roles, with what the page has for search engines where it has it.
func careerplugPage(content []byte, board string, current int) (page, error) {
	document, err := parseWholePage(content)
	if err != nil {
		return page{}, err
	}
	linked := make(map[string]linkedPosting)
	company, companies := "", make(map[string]bool)
	for _, role := range linkedPostings(document) {
		linked[careerplugKey(role.URL)] = role
		company = unescape(role.Company, 1)
		companies[company] = true
	}
	links := careerplugLinks(document, careerplugHome(board))
	table := document.Find("#job_table")
	if links.Length() == 0 && (table.Length() == 0 || table.Find("a").Length() > 0) && !saysNoRoles(document) {
		return page{}, didf("answered with a page that shows neither roles nor that there are none")
	}
	shown, err := pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		key := careerplugKey(linkOf(link, "href", careerplugHome(board)))
		if role, ok := linked[key]; ok {
			return careerplugPosting(role, key, careerplugHome(board)), true
		}
		return careerplugCard(link, key, careerplugHome(board)), true
	})
	if len(companies) == 1 {
		shown.Company = company
	} else {
		shown.Company = companyInTitle(document)
	}
	shown.last = careerplugPages(document, careerplugHome(board)) <= current
	return shown, err
}

// careerplugLinks are the links to roles, one for each.
func careerplugLinks(document *goquery.Document, base string) *goquery.Selection {
	seen := make(map[string]bool)
	return document.Find("a[href]").FilterFunction(func(_ int, link *goquery.Selection) bool {
		to := linkOf(link, "href", base)
		key := careerplugKey(to)
		fresh := key != "" && strings.HasPrefix(to, base+"/") && !seen[key] && firstText(textOf(link), link.AttrOr("aria-label", "")) != ""
		seen[key] = seen[key] || fresh
		return fresh
	})
}

// careerplugPages is the highest number of a page that the page leads to. Those in the middle may be left out.
func careerplugPages(document *goquery.Document, base string) (highest int) {
	document.Find(`a[href*="page="]`).Each(func(_ int, link *goquery.Selection) {
		if u, err := url.Parse(linkOf(link, "href", base)); err == nil && u.Path == "/jobs" {
			highest = max(highest, number(u.Query().Get("page")))
		}
	})
	return highest
}

// careerplugPosting is a role made from the page's data for search engines.
func careerplugPosting(role linkedPosting, key, page string) boardwatch.Posting {
	p := role.posting()
	p.Key, p.Title, p.Location, p.Department, p.URL = key, unescape(p.Title, 1), unescape(p.Location, 1), unescape(role.Category, 1), page+"/"+key
	return p
}

var careerplugLabel = lazyregexp.New(`^(.+) in ([^,]+, [A-Z]{2})(?: \d{5})?$`)

// careerplugCard is a role as people see it. The label of its link says "title in place".
func careerplugCard(link *goquery.Selection, key, page string) boardwatch.Posting {
	p := boardwatch.Posting{Key: key, URL: page + "/" + key}
	row := link.Closest("tr, li, .job, .job-row")
	if row.Length() == 0 {
		row = link
	}
	p.Location = careerplugValue(row.Find(".job-location, .location").First())
	label := collapse(link.AttrOr("aria-label", ""))
	if m := careerplugLabel.FindStringSubmatch(label); m != nil {
		label, p.Location = m[1], firstText(p.Location, m[2])
	}
	p.Title = firstText(textOf(link.Find(".name, .job-title, .title, h2, h3, h4").First()), label, textOf(link))
	return p
}

var careerplugCode = lazyregexp.New(`^([A-Z]{2})-(.+?)(?:-[0-9]{5})?$`)

// careerplugValue is the place that an element shows, without what it is called. Some are codes: NC-Concord-28025.
func careerplugValue(element *goquery.Selection) string {
	text := strings.TrimSpace(strings.TrimPrefix(textOf(element), "Location:"))
	if m := careerplugCode.FindStringSubmatch(text); m != nil {
		return m[2] + ", " + m[1]
	}
	return text
}
