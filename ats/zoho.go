package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// zoho reads the career sites of Zoho Recruit, which live below zohorecruit in several countries' domains. The board is the
// whole host. The list stands in a hidden field of the page.
type zoho struct{ vendor }

func init() {
	register(zoho{vendor{
		name: "zoho",
		about: About{
			Name: "Zoho Recruit", Site: "zoho.com/recruit",
			Addresses: []string{"{company}.zohorecruit.com/jobs/Careers", "{company}.zohorecruit.eu/jobs/Careers/{role}/{title}"},
			Endpoint:  "GET https://{host}/jobs/Careers",
			Reads:     "id, title, place, industry as department, address, company",
			Evidence:  Several,
		},
		match: matchZoho,
		page:  func(board string) string { return "https://" + board + "/jobs/Careers" },
	}})
}

var zohoDomains = []string{
	"zohorecruit.com", "zohorecruit.eu", "zohorecruit.in", "zohorecruit.com.au", "zohorecruit.com.cn", "zohorecruit.ca", "zohorecruit.sa", "zohorecruit.jp",
	"zohorecruit.uk", "zohorecruit.ae",
}

// matchZoho knows everything at a company's host.
func matchZoho(a address) (board string, ok bool) {
	return a.host, isZohoHost(a.host)
}

func isZohoHost(host string) bool {
	label := address{host: host}.tenant(zohoDomains...)
	switch label {
	case "", "accounts", "recruit", "css", "js", "creator", "apidocs":
		return false
	}
	return true
}

type zohoJob struct {
	ID         id     `json:"id"`
	Title      string `json:"Posting_Title"`
	City       string `json:"City"`
	State      string `json:"State"`
	Country    string `json:"Country"`
	Industry   string `json:"Industry"`
	RemoteJob  any    `json:"Remote_Job"`
	Publish    any    `json:"Publish"`
	IsLocked   any    `json:"Is_Locked"`
	JobOpening string `json:"Job_Opening_Name"`
}

// zohoMost is how many roles a page shows at most, whatever it is asked for.
const zohoMost = 50

// Read takes the list from the page's hidden field.
func (z zoho) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isZohoHost(board) {
		return failed(z, noName())
	}
	answered, err := sendOnHost(ctx, client, z.CareersURL(board))
	if err != nil {
		return failed(z, err)
	}
	content, err := answered.page()
	if err != nil {
		return failed(z, err)
	}
	document, err := parseWholePage(content)
	if err != nil {
		return failed(z, err)
	}
	field := document.Find("input#jobs").First()
	if field.Length() == 0 && bytes.Contains(bytes.ToLower(content), []byte("zoho")) {
		return failed(z, noBoard("its page has no list of roles"))
	}
	var rows []json.RawMessage
	if err := stateOf(field, "value", &rows); err != nil {
		return failed(z, err)
	}
	reading, err := listing(rows, func(job zohoJob) (boardwatch.Posting, bool) {
		return job.posting(z.CareersURL(board)), !isNo(job.Publish) && !isYes(job.IsLocked)
	})
	reading.Company = companyInTitle(document)
	if err == nil && len(rows) == zohoMost {
		reading.Health, reading.Cause, reading.Reason = boardwatch.HealthPartial, cause.Truncated, "zoho shows 50 roles on a page, and no others: there may be more"
	}
	return finish(z, reading, err)
}

func (j zohoJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: firstText(j.Title, j.JobOpening), Location: placeAsGiven(j.City, j.State, j.Country), Department: j.Industry,
		URL: page + "/" + url.PathEscape(string(j.ID)),
	}
	if p.Location == "" && isYes(j.RemoteJob) {
		p.Location = "Remote"
	}
	return p
}
