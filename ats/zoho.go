package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Zoho Recruit's career sites are below zohorecruit in several countries' domains. The board is the whole host. The list is
// in a hidden field of the page.
func init() {
	register(&declared{
		name: "zoho",
		about: About{
			Name: "Zoho Recruit", Site: "zoho.com/recruit",
			Addresses: []string{"{company}.zohorecruit.com/jobs/Careers", "{company}.zohorecruit.eu/jobs/Careers/{role}/{title}"},
			Endpoint:  "GET https://{host}/jobs/Careers",
			Reads:     "id, title, place, industry as department, address, company",
			Evidence:  Several,
		},
		board: func(a address) string { return a.host },
		valid: isZohoHost,
		page:  zohoPage,
		open:  inOne(zohoRoles),
	})
}

func zohoPage(board string) string { return "https://" + board + "/jobs/Careers" }

var zohoDomains = []string{
	"zohorecruit.com", "zohorecruit.eu", "zohorecruit.in", "zohorecruit.com.au", "zohorecruit.com.cn", "zohorecruit.ca", "zohorecruit.sa", "zohorecruit.jp",
	"zohorecruit.uk", "zohorecruit.ae",
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

func zohoRoles(ctx context.Context, client Doer, board string) (page, error) {
	answered, err := sendOnHost(ctx, client, zohoPage(board))
	if err != nil {
		return page{}, err
	}
	content, err := answered.page()
	if err != nil {
		return page{}, err
	}
	document, err := parseWholePage(content)
	if err != nil {
		return page{}, err
	}
	field := document.Find("input#jobs").First()
	if field.Length() == 0 && bytes.Contains(bytes.ToLower(content), []byte("zoho")) {
		return page{}, noBoard("its page has no list of roles")
	}
	var rows []json.RawMessage
	if err := stateOf(field, "value", &rows); err != nil {
		return page{}, err
	}
	p, err := pageOf(rows, 0, func(job zohoJob) (boardwatch.Posting, bool) {
		return job.posting(zohoPage(board)), !isNo(job.Publish) && !isYes(job.IsLocked)
	})
	p.Company = companyInTitle(document)
	if err == nil && len(rows) == zohoMost {
		p.Health, p.Cause, p.Reason = boardwatch.HealthPartial, cause.Truncated, "zoho shows 50 roles on a page, and no others: there may be more"
	}
	return p, err
}

func (j zohoJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: firstText(j.Title, j.JobOpening), Location: placeAsGiven(j.City, j.State, j.Country), Department: j.Industry,
		URL: page + "/" + url.PathEscape(string(j.ID)),
	}
	orRemote(&p, isYes(j.RemoteJob))
	return p
}
