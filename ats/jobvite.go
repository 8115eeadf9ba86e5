package ats

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// jobvite reads jobs.jobvite.com. A board's first page groups roles by department, but shows a few of each where there are
// many; its search shows all of them, page by page.
type jobvite struct{ *declared }

func init() {
	register(jobvite{&declared{
		name: "jobvite",
		about: About{
			Name: "Jobvite", Site: "jobvite.com",
			Addresses: []string{"jobs.jobvite.com/{board}", "jobs.jobvite.com/careers/{board}", "jobs.jobvite.com/{board}/job/{role}"},
			Endpoint:  "GET https://jobs.jobvite.com/{board}/jobs and https://jobs.jobvite.com/{board}/search?p=0",
			Reads:     "id, title, place, department where the first page shows it, address, total, company",
			Evidence:  Recording,
		},
		board: func(a address) string { // with or without the word "careers" before it
			switch {
			case a.host != "jobs.jobvite.com":
				return ""
			case strings.EqualFold(a.segment(0), "careers"):
				return a.segment(1)
			}
			return a.segment(0)
		},
		valid: isJobviteBoard,
		page:  func(board string) string { return jobviteHost + board + "/jobs" },
	}})
}

const jobviteHost = "https://jobs.jobvite.com/"

func isJobviteBoard(token string) bool {
	switch strings.ToLower(token) {
	case "careers", "jobs", "job", "search", "support", "api", "__assets__", "assets":
		return false
	}
	return isToken(token)
}

// Read asks for the first page, which is enough where it shows everything, and for the search where it does not.
func (j jobvite) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isJobviteBoard(board) {
		return failed(j, noName())
	}
	first, err := j.ask(ctx, client, board, "/jobs")
	if err != nil && !isUnknown(err) {
		return failed(j, err)
	}
	if len(first.Postings) > 0 && first.whole() && len(first.Skipped) == 0 {
		return finish(j, first.Reading, nil)
	}
	departments := make(map[string]string)
	for _, p := range first.Postings {
		departments[p.Key] = p.Department
	}
	reading, err := paged{size: 50}.read(ctx, j, func(at turn) (page, error) {
		shown, err := j.ask(ctx, client, board, fmt.Sprintf("/search?p=%d", at.page))
		if err != nil {
			return page{}, err
		}
		shown.last = shown.total == 0 && !shown.more
		return shown.page, nil
	})
	for i := range reading.Postings {
		p := &reading.Postings[i]
		p.Department = firstText(p.Department, departments[p.Key])
	}
	if len(first.Postings) > 0 && err == nil && !reading.Health.Read() {
		first.Health, first.Cause, first.Reason = boardwatch.HealthPartial, cause.PageMissing, reading.Reason+", asked for more roles than its first page shows"
		first.RetryAfter = reading.RetryAfter
		return finish(j, first.Reading, nil)
	}
	if len(first.Postings) > 0 && reading.Health == boardwatch.HealthOK && reading.Claimed < 0 {
		reading.Health, reading.Cause, reading.Reason = boardwatch.HealthPartial, cause.Truncated, "jobvite shows some of its roles, and does not say how many there are"
	}
	return reading, err
}

// jobvitePage is one page of a board.
type jobvitePage struct {
	page

	from, to int  // the rows that it counts itself, 0 when it does not
	more     bool // it leads to further roles
}

// whole reports whether the page shows all roles there are.
func (p jobvitePage) whole() bool { return !p.more && p.from <= 1 && p.to == p.total }

var (
	jobviteCount = lazyregexp.New(`([0-9]+)\s*[-–]\s*([0-9]+)\s+\S+\s+([0-9]+)`)
	jobviteMark  = lazyregexp.New(`careersiteName|\bjv-(?:page|careersite|job-list|pagination|desktop|mobile)\b`)
	jobviteID    = lazyregexp.New(`^[A-Za-z0-9_-]{4,64}$`)
)

// ask asks for one page of a board. Where the system has no such board it sends visitors to its own help.
func (j jobvite) ask(ctx context.Context, client Doer, board, path string) (jobvitePage, error) {
	answered, err := send(ctx, client, http.MethodGet, jobviteHost+board+path, "text/html", nil)
	if err != nil {
		return jobvitePage{}, err
	}
	if location := answered.header.Get("Location"); answered.status >= 300 && answered.status < 400 && strings.Contains(location, "invalid=1") {
		return jobvitePage{}, noBoard("it sends visitors to its help")
	}
	content, err := answered.page()
	if err != nil {
		return jobvitePage{}, err
	}
	document, err := parseWholePage(content)
	if err != nil {
		return jobvitePage{}, err
	}
	rows := jobviteRows(document, board)
	if rows.Length() == 0 && strings.HasPrefix(path, "/search") && (!jobviteMark.Match(content) || !saysNoRoles(document)) {
		return jobvitePage{}, didf("answered with a page that shows neither roles nor that there are none")
	}
	shown := jobvitePage{more: jobviteLeadsOn(document, board, path)}
	if m := jobviteCount.FindStringSubmatch(textOf(document.Find(".jv-pagination-text").First())); m != nil {
		shown.from, shown.to, shown.total = number(m[1]), number(m[2]), number(m[3])
	}
	shown.page, err = pageOfCards(rows, shown.total, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		return jobvitePosting(link, board), true
	})
	shown.Company = companyInTitle(document)
	return shown, err
}

// jobviteRows are the links to the board's roles, one for each.
func jobviteRows(document *goquery.Document, board string) *goquery.Selection {
	return firstOfEach(document.Find("a[href]"), func(link *goquery.Selection) string { return jobviteKey(link, board) })
}

// jobviteKey is the id of the role that a link leads to, or empty.
func jobviteKey(link *goquery.Selection, board string) string {
	u, err := url.Parse(linkOf(link, "href", jobviteHost))
	if err != nil {
		return ""
	}
	a, ok := parseAddress(u)
	if !ok || a.host != "jobs.jobvite.com" {
		return ""
	}
	key := firstText(a.below(board, "job"), a.below("careers", board, "job"))
	if !jobviteID.MatchString(key) {
		return ""
	}
	return key
}

// jobviteLeadsOn reports whether the page leads to more roles than it shows: to the search of a department, or to the next
// page.
func jobviteLeadsOn(document *goquery.Document, board, path string) (more bool) {
	if document.Find("a.jv-pagination-next[href]").Length() > 0 {
		return true
	}
	if strings.HasPrefix(path, "/search") {
		return false
	}
	document.Find("a[href]").Each(func(_ int, link *goquery.Selection) {
		u, err := url.Parse(linkOf(link, "href", jobviteHost))
		if err != nil {
			return
		}
		a, ok := parseAddress(u)
		more = more || ok && a.host == "jobs.jobvite.com" && strings.EqualFold(a.segment(0), board) && a.segment(1) == "search" && a.value("c") != ""
	})
	return more
}

// jobvitePosting is the role of a link. In older pages its place stands beside the link, in newer ones inside of it; the
// department is the heading above the list.
func jobvitePosting(link *goquery.Selection, board string) boardwatch.Posting {
	key := jobviteKey(link, board)
	row := link.Closest("tr, li")
	if row.Length() == 0 || row.Find(`a[href*="/job/"]`).Length() > 1 {
		row = link
	}
	title := link.Clone()
	title.Find(".jv-job-list-location, .jv-job-list-company, .jv-job-list-department").Remove()
	if inner := title.Find(".title, .jv-job-list-name").First(); inner.Length() > 0 {
		title = inner
	}
	list := link.Closest(".jv-job-list")
	return boardwatch.Posting{
		Key: key, Title: textOf(title), Location: textOf(row.Find(".jv-job-list-location").First()),
		Department: firstText(textOf(row.Find(".jv-job-list-department").First()), textOf(list.PrevAllFiltered("h2, h3").First())),
		URL:        jobviteHost + board + "/job/" + key,
	}
}

// number is the number that digits stand for; 0 when there are too many.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
