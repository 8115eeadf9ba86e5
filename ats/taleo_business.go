package ats

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

var (
	taleoBusinessHost   = lazyregexp.New(`^[a-z]{2,5}\.tbe\.taleo\.net$`)
	taleoBusinessServer = lazyregexp.New(`^[a-z]{2,5}[0-9]{1,3}$`)
)

// taleoSite is a career site of a client of the Business edition. Which server has it is not part of it: clients are moved.
type taleoSite struct{ host, org, cws string }

func parseTaleoSite(board string) (taleoSite, bool) {
	parts := strings.Split(board, "/")
	if len(parts) != 3 {
		return taleoSite{}, false
	}
	s := taleoSite{parts[0], parts[1], parts[2]}
	return s, s.valid()
}

func (s taleoSite) valid() bool {
	return taleoBusinessHost.MatchString(s.host) && isToken(s.org) && isDigits(s.cws)
}

func (s taleoSite) board() string { return s.host + "/" + s.org + "/" + s.cws }

// page is the address that leads to the site wherever it is.
func (s taleoSite) page() string {
	return "https://" + s.host + "/dispatcher/servlet/DispatcherServlet?org=" + s.org + "&act=redirectCwsV2&cws=" + s.cws
}

// taleoBusinessPath reports whether a path is one of career sites, or of what leads there.
func taleoBusinessPath(path []string) bool {
	return strings.EqualFold(nth(path, 0), "dispatcher") ||
		taleoBusinessServer.MatchString(strings.ToLower(nth(path, 0))) && strings.EqualFold(nth(path, 1), "ats") && strings.EqualFold(nth(path, 2), "careers")
}

// taleoHome is where a career site is at present.
type taleoHome struct {
	taleoSite

	server string
}

func (h taleoHome) address(page string) string {
	return "https://" + h.host + "/" + h.server + "/ats/careers/v2/" + page + "?org=" + h.org + "&cws=" + h.cws
}

// find asks the vendor where the site is.
func (s taleoSite) find(ctx context.Context, client Doer) (taleoHome, error) {
	address := s.page()
	for range 3 {
		a, err := send(ctx, client, http.MethodGet, address, "text/html", nil)
		if err != nil {
			return taleoHome{}, err
		}
		switch {
		case a.status == http.StatusOK:
			return taleoHome{}, didf("does not say where the career site is")
		case a.status == http.StatusNotFound:
			return taleoHome{}, noBoard("it answered 404")
		case a.status < 300 || a.status >= 400:
			return taleoHome{}, a.refusal()
		}
		location := a.header.Get("Location")
		if strings.Contains(location, "INACTIVE") {
			return taleoHome{}, noBoard("the client is inactive")
		}
		asked, err := url.Parse(address)
		if err != nil {
			return taleoHome{}, fmt.Errorf("parse address: %w", err)
		}
		target, err := asked.Parse(location)
		if err != nil {
			return taleoHome{}, a.refusal()
		}
		home, again, ok := s.at(target)
		switch {
		case !ok, again == address:
			return taleoHome{}, a.refusal()
		case again == "":
			return home, nil
		}
		address = again
	}
	return taleoHome{}, didf("keeps redirecting")
}

// at is where an address says that the site is, or another address to ask; neither leaves the vendor or the client.
func (s taleoSite) at(target *url.URL) (home taleoHome, again string, ok bool) {
	a, ok := parseAddress(target)
	if !ok || !taleoBusinessHost.MatchString(a.host) || !strings.EqualFold(a.value("org"), s.org) {
		return home, "", false
	}
	if server := strings.ToLower(a.segment(0)); taleoBusinessServer.MatchString(server) && taleoBusinessPath(a.path()) {
		there := taleoSite{a.host, s.org, cmp.Or(a.value("cws"), s.cws)}
		return taleoHome{there, server}, "", there.valid()
	}
	there := taleoSite{a.host, s.org, s.cws}
	return home, there.page(), strings.EqualFold(a.segment(0), "dispatcher")
}

// readSite asks where the site is, and then for page after page of its search.
func (t taleo) readSite(ctx context.Context, client Doer, s taleoSite) (boardwatch.Reading, error) {
	home, err := s.find(ctx, client)
	if err != nil {
		return failed(t, err)
	}
	company := ""
	reading, err := paged{}.read(ctx, t, func(at turn) (page, error) {
		results, err := home.results(ctx, client, at.rows)
		if err != nil {
			return page{}, asListFault(err)
		}
		if at.page == 0 && !results.tell() {
			// Some servers give results to those only who have been at the search form.
			if _, err := getPage(ctx, client, home.address("jobSearch")); err != nil {
				return page{}, asListFault(err)
			}
			if results, err = home.results(ctx, client, 0); err != nil {
				return page{}, asListFault(err)
			}
		}
		if !results.tell() {
			return page{}, didf("answered with a page without roles, and without their number")
		}
		company = firstText(company, companyInTitle(results.document))
		p, err := pageOfCards(results.links, max(results.total, 0), home.posting)
		p.last = results.total < 0 && !results.next
		return p, err
	})
	if err == nil && reading.Health.Read() {
		reading.Company = company
	}
	return reading, err
}

// taleoResults is a page of the search.
type taleoResults struct {
	document *goquery.Document
	links    *goquery.Selection // one to each role
	total    int                // -1 when the page does not say
	next     bool               // a further page is offered
	none     bool               // the page says that there are none
}

// tell reports whether the page says anything about roles.
func (r taleoResults) tell() bool { return r.links.Length() > 0 || r.total >= 0 || r.none }

func (h taleoHome) results(ctx context.Context, client Doer, from int) (taleoResults, error) {
	address := h.address("searchResults")
	if from > 0 {
		address += "&rowFrom=" + strconv.Itoa(from)
	}
	document, err := getDocument(ctx, client, address)
	if err != nil {
		return taleoResults{}, err
	}
	seen := make(map[string]bool)
	r := taleoResults{document: document, total: -1, next: document.Find("a.jscroll-next").Length() > 0}
	r.links = document.Find(".oracletaleocwsv2-head-title a.viewJobLink")
	if r.links.Length() == 0 {
		r.links = document.Find("a.viewJobLink")
	}
	r.links = r.links.FilterFunction(func(_ int, link *goquery.Selection) bool {
		rid := taleoRequisition(link)
		again := rid != "" && seen[rid]
		seen[rid] = true
		return !again
	})
	number := strings.ReplaceAll(textOf(document.Find("span.oracletaleocwsv2-panel-number").First()), ",", "")
	if total, err := strconv.Atoi(number); err == nil {
		r.total = total
	}
	if r.links.Length() == 0 && document.Find(`[class*="oracletaleocwsv2"]`).Length() > 0 {
		r.none = saysNoRoles(document)
	}
	return r, nil
}

// taleoRequisition is the id of the role that a link leads to.
func taleoRequisition(link *goquery.Selection) string {
	to, err := url.Parse(strings.TrimSpace(link.AttrOr("href", "")))
	if err != nil {
		return ""
	}
	return to.Query().Get("rid")
}

// posting is one role. Below its title stand the columns that the client chose: the place alone, or first what kind of work
// it is.
func (h taleoHome) posting(link *goquery.Selection) (boardwatch.Posting, bool) {
	p := boardwatch.Posting{Key: taleoRequisition(link), Title: textOf(link)}
	if p.Key != "" {
		p.URL = h.address("viewRequisition") + "&rid=" + url.QueryEscape(p.Key)
	}
	columns := link.Closest(".oracletaleocwsv2-accordion-head-info").ChildrenFiltered("div")
	switch columns.Length() {
	case 0:
	case 1:
		p.Location = textOf(columns)
	default:
		p.Department, p.Location = textOf(columns.Eq(0)), textOf(columns.Eq(1))
	}
	return p, true
}

// taleoEmployer is the name in the title of a site's search.
func taleoEmployer(ctx context.Context, client Doer, board string) (string, error) {
	if s, ok := parseTaleoSection(board); ok {
		return inTitle(func(string) string { return s.page("jobsearch.ftl?lang=en") })(ctx, client, board)
	}
	site, _ := parseTaleoSite(board)
	home, err := site.find(ctx, client)
	if err != nil {
		return "", err
	}
	return inTitle(func(string) string { return home.address("jobSearch") })(ctx, client, board)
}
