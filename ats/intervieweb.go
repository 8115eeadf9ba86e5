package ats

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Intervieweb shows its first roles on the page, and the others in parts that a form of the page asks for. Some companies
// have a host, "{company}"; those of its smaller products share one and have a path there, "{host}/{company}".
func init() {
	register(detailed{look: lookInLinked, declared: &declared{
		name: "intervieweb",
		about: About{
			Name: "Intervieweb (In-recruiting, Cezanne)", Site: "in-recruiting.com",
			Addresses: []string{
				"{company}.intervieweb.it", "{company}.intervieweb.it/{language}/career", "{company}.intervieweb.it/jobs/{role}/{language}/",
				"inrecruiting.intervieweb.it/{company}/{language}/career", "cezanneondemand.intervieweb.it/{company}/jobs/{role}/{language}/",
				"zinrec.intervieweb.it/{company}", "zinrec.intervieweb.it/app.php?module=iframeAnnunci&LAC={company}",
			},
			Endpoint: "GET https://{company}.intervieweb.it/en/career",
			Reads:    "id, title, address; place from the role's page",
			Evidence: Several,
		},
		board: interviewebBoard,
		valid: func(board string) bool {
			host, company, several := strings.Cut(board, "/")
			return isTenant(host) && several == (isToken(company) && !isLocale(company) && company != "jobs") && (several || !slices.Contains(interviewebShared, host))
		},
		page: interviewebPage,
		open: interviewebRoles,
	}})
}

// interviewebShared are hosts on which every company has a path.
var interviewebShared = []string{"cezanneondemand", "inrecruiting", "zinrec"}

// interviewebBoard is the company's path on any host where it has one, since more hosts may be shared than are known.
func interviewebBoard(a address) string {
	host, path := a.tenant("intervieweb.it"), a.path()
	first, second := nth(path, 0), nth(path, 1)
	switch {
	case first != "jobs" && second == "jobs", isLocale(second) && strings.EqualFold(nth(path, 2), "career"):
		return host + "/" + first
	case !slices.Contains(interviewebShared, host):
		return host
	case len(path) == 1 && !strings.HasSuffix(first, ".php"):
		return host + "/" + first
	}
	return host + "/" + a.value("LAC")
}

// interviewebRoot is what the addresses of a board's pages begin with.
func interviewebRoot(board string) string {
	host, company, several := strings.Cut(board, "/")
	if several {
		company = "/" + company
	}
	return "https://" + host + ".intervieweb.it" + company
}

func interviewebPage(board string) string { return interviewebRoot(board) + "/en/career" }

var (
	interviewebRole    = lazyregexp.New(`^https://[^/]+(?:/([^/]+))?/jobs/([^/]+)/[A-Za-z]{2}/?(?:[?#]|$)`)
	interviewebNumber  = lazyregexp.New(`-(\d+)$`)
	interviewebPages   = lazyregexp.New(`(?i)\b(?:page|pagina)\s+\d+\s+(?:of|di)\s+(\d+)\b`)
	interviewebSection = lazyregexp.New(`["']section["']\s*:\s*["']([^"']+)["']`)
)

// An interviewebForm is what asks for further parts: it differs with each look at the page.
type interviewebForm struct {
	address, section string
	pages            int
}

func interviewebRoles(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	var form interviewebForm
	return func(at turn) (page, error) {
		if at.page > 0 {
			return form.ask(ctx, client, board, at.page+1)
		}
		content, err := getPage(ctx, client, interviewebPage(board))
		if err != nil {
			return page{}, err
		}
		document, err := parseWholePage(content)
		if err != nil {
			return page{}, err
		}
		input := document.Find("input#url-for-announces")
		if input.Length() == 0 {
			return page{}, didf("shows a page that is not a list of roles")
		}
		form = interviewebForm{address: linkOf(input, "value", interviewebPage(board)), pages: interviewebCount(document)}
		if m := interviewebSection.FindSubmatch(content); m != nil {
			form.section = string(m[1])
		}
		p, err := interviewebRows(document, board)
		if err == nil && p.rows == 0 && !saysNoRoles(document) {
			return page{}, didf("shows a page that shows neither roles nor that there are none")
		}
		p.last = form.pages <= 1
		return p, err
	}
}

// ask posts the form. Its answer is a page in JSON.
func (f interviewebForm) ask(ctx context.Context, client Doer, board string, number int) (page, error) {
	u, err := url.Parse(f.address)
	host, _, _ := strings.Cut(board, "/")
	if err != nil || u.Hostname() != host+".intervieweb.it" || u.Scheme != "https" || u.Port() != "" || f.section == "" {
		return page{}, didf("does not say how its further pages are asked for")
	}
	form := url.Values{"act1": {"vacancyListCareer"}, "section": {f.section}, "order": {"name"}, "page": {strconv.Itoa(number)}}
	var said struct {
		Success bool   `json:"success"`
		Data    string `json:"data"`
	}
	client = with(client, "Referer", interviewebPage(board), "X-Requested-With", "XMLHttpRequest")
	if err := postForm(ctx, client, f.address, form, &said); err != nil {
		return page{}, err
	}
	if !said.Success {
		return page{}, didf("answered without success")
	}
	document, err := parsePage([]byte(said.Data))
	if err != nil {
		return page{}, err
	}
	p, err := interviewebRows(document, board)
	if err == nil && p.rows == 0 {
		return page{}, didf("shows no roles on a page that it has announced")
	}
	p.last = number >= f.pages
	return p, err
}

func interviewebCount(document *goquery.Document) int {
	pages := 1
	for _, m := range interviewebPages.FindAllStringSubmatch(textOf(document.Find("body")), -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			pages = max(pages, n)
		}
	}
	return pages
}

// interviewebRows are the roles of the board's own company: where several share a host, a link says whose it is.
func interviewebRows(document *goquery.Document, board string) (page, error) {
	base := interviewebPage(board)
	_, company, _ := strings.Cut(board, "/")
	name := func(link *goquery.Selection) string {
		m := interviewebRole.FindStringSubmatch(linkOf(link, "href", base))
		if m == nil || m[1] != "" && !strings.EqualFold(m[1], company) {
			return ""
		}
		return m[2]
	}
	return pageOfCards(firstOfEach(document.Find(`a[href*="/jobs/"]`), name), 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		key := name(link)
		return boardwatch.Posting{Key: firstText(captured(interviewebNumber, key), key), Title: textOf(link), URL: linkOf(link, "href", base)}, true
	})
}
