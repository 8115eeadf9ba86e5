package ats

import (
	"cmp"
	"context"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "neogov",
		about: About{
			Name: "NEOGOV", Site: "neogov.com",
			Addresses: []string{"www.governmentjobs.com/careers/{agency}", "www.schooljobs.com/careers/{agency}/jobs/{role}"},
			Endpoint:  "GET https://www.governmentjobs.com/SearchEngine/JobsFeed?agency={agency}",
			Reads:     "id, title, place, department, address, total, company",
			Evidence:  Recording,
		},
		board: neogovBoard,
		valid: isTokenBut("home", "search", "promotionaljobs", "transferjobs", "jobs"),
		page:  func(board string) string { return neogovHosts[0] + "/careers/" + board },
		open:  inOne(neogovJobs),
	})
}

// neogovHosts are where agencies are, and where schools are. Which of the two is not part of a board's name.
var neogovHosts = []string{"https://www.governmentjobs.com", "https://www.schooljobs.com"}

func neogovBoard(a address) string {
	switch a.host {
	case "www.governmentjobs.com", "governmentjobs.com", "www.schooljobs.com", "schooljobs.com":
	default:
		return ""
	}
	if strings.EqualFold(a.segment(0), "SearchEngine") {
		return a.value("agency")
	}
	if strings.EqualFold(a.below("careers"), "home") {
		return a.value("agency")
	}
	return a.below("careers")
}

type neogovFeed struct {
	XMLName xml.Name    `xml:"rss"`
	Title   string      `xml:"channel>title"`
	Items   []neogovJob `xml:"channel>item"`
}

type neogovJob struct {
	GUID       string `xml:"guid"`
	Link       string `xml:"link"`
	Title      string `xml:"title"`
	ID         string `xml:"jobId"`
	Department string `xml:"department"`
	Location   string `xml:"location"`

	PubDate      said   `xml:"pubDate"`
	From         said   `xml:"advertiseFromDateUTC"`
	To           said   `xml:"advertiseToDateTimeUTC"`
	Least        said   `xml:"minimumSalary"`
	Most         said   `xml:"maximumSalary"`
	Currency     said   `xml:"salaryCurrency"`
	Interval     said   `xml:"salaryInterval"`
	JobType      said   `xml:"jobType"`
	Description  []said `xml:"description"`
	Duties       said   `xml:"examplesofduties"`
	Qualified    said   `xml:"qualifications"`
	Supplemental said   `xml:"supplementalinformation"`
}

// neogovJobs reads the feed of the agency, or of the school of that name. An empty feed is believed when the page for people
// says the same.
func neogovJobs(ctx context.Context, client Doer, board string) (page, error) {
	var first error
	for _, host := range neogovHosts {
		p, err := neogovHost(ctx, client, host, board)
		if err == nil {
			return p, nil
		}
		if !isUnknown(err) {
			return page{}, err
		}
		if first == nil {
			first = err
		}
	}
	return page{}, first
}

func neogovHost(ctx context.Context, client Doer, host, board string) (page, error) {
	var feed neogovFeed
	if err := getXML(ctx, client, host+"/SearchEngine/JobsFeed?agency="+board, &feed); err != nil {
		return page{}, err
	}
	total, err := neogovTotal(ctx, client, host, board)
	switch {
	case err != nil && ctx.Err() != nil:
		return page{}, err
	case err != nil && len(feed.Items) == 0:
		return page{}, err
	case err != nil:
		total = 0 // the feed is enough
	}
	p, err := pageOfRows(feed.Items, total, neogovJob.posting)
	p.Company = feed.Title
	return p, err
}

// neogovTotal is how many roles the page for people counts. A page without a count is none of an agency.
func neogovTotal(ctx context.Context, client Doer, host, board string) (int, error) {
	content, err := getPage(ctx, with(client, "X-Requested-With", "XMLHttpRequest"), host+"/careers/home/index?agency="+board+"&sort=PositionTitle&isDescendingSort=false&page=1")
	if err != nil {
		return 0, err
	}
	document, err := parsePage(content)
	if err != nil {
		return 0, err
	}
	count := document.Find("#job-postings-number").First()
	if count.Length() == 0 {
		return 0, noBoard("its page counts no roles")
	}
	total, err := strconv.Atoi(strings.ReplaceAll(textOf(count), ",", ""))
	if err != nil {
		return 0, didf("counts its roles in an unknown form")
	}
	return total, nil
}

var neogovRole = lazyregexp.New(`/jobs/(?:newprint/)?([0-9]{1,18})`)

func (j neogovJob) posting() (boardwatch.Posting, bool) {
	p := boardwatch.Posting{Key: collapse(j.ID), Title: j.Title, Location: collapse(j.Location), Department: collapse(j.Department), URL: firstText(collapse(j.Link), collapse(j.GUID))}
	if m := neogovRole.FindStringSubmatch(p.URL); p.Key == "" && m != nil {
		p.Key = m[1]
	}
	p.Facts = boardwatch.Facts{
		PostedAt: cmp.Or(date(j.From), date(j.PubDate)), ValidThrough: date(j.To), Pay: statedPay(j.Least, j.Most, j.Currency, j.Interval, ""),
	}
	employment(&p.Facts, j.JobType)
	describe(&p, append(j.Description, section("Examples of duties", j.Duties), section("Qualifications", j.Qualified), j.Supplemental)...)
	return p, true
}
