package ats

import (
	"context"
	"net/url"
	"regexp"
	"strconv"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Intervieweb shows its first roles on the page, and the others in parts that a form of the page asks for.
func init() {
	register(placed{&declared{
		name: "intervieweb",
		about: About{
			Name: "Intervieweb (In-recruiting, Cezanne)", Site: "in-recruiting.com",
			Addresses: []string{"{company}.intervieweb.it", "{company}.intervieweb.it/{language}/career", "{company}.intervieweb.it/jobs/{role}/{language}/"},
			Endpoint:  "GET https://{company}.intervieweb.it/en/career",
			Reads:     "id, title, address; place from the role's page",
			Evidence:  Several,
		},
		board: tenantUnder("intervieweb.it"),
		valid: isTenant,
		page:  interviewebPage,
		open:  interviewebRoles,
	}})
}

func interviewebPage(board string) string { return "https://" + board + ".intervieweb.it/en/career" }

var (
	interviewebRole    = regexp.MustCompile(`^https://[^/]+/jobs/([^/]+)/[A-Za-z]{2}/?(?:[?#]|$)`)
	interviewebNumber  = regexp.MustCompile(`-(\d+)$`)
	interviewebPages   = regexp.MustCompile(`(?i)\b(?:page|pagina)\s+\d+\s+(?:of|di)\s+(\d+)\b`)
	interviewebSection = regexp.MustCompile(`["']section["']\s*:\s*["']([^"']+)["']`)
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
	if err != nil || u.Hostname() != board+".intervieweb.it" || u.Scheme != "https" || u.Port() != "" || f.section == "" {
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

func interviewebRows(document *goquery.Document, board string) (page, error) {
	base, seen := interviewebPage(board), make(map[string]bool)
	links := document.Find(`a[href*="/jobs/"]`).FilterFunction(func(_ int, link *goquery.Selection) bool {
		m := interviewebRole.FindStringSubmatch(linkOf(link, "href", base))
		fresh := m != nil && !seen[m[1]] && textOf(link) != ""
		if fresh {
			seen[m[1]] = true
		}
		return fresh
	})
	return pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Title: textOf(link), URL: linkOf(link, "href", base)}
		p.Key = interviewebRole.FindStringSubmatch(p.URL)[1]
		if m := interviewebNumber.FindStringSubmatch(p.Key); m != nil {
			p.Key = m[1]
		}
		return p, true
	})
}
