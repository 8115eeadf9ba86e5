package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// applicantpro reads ApplicantPro and isolved Hire, which are one system at two names. A board's token does not say at
// which.
type applicantpro struct{ *declared }

func init() {
	register(applicantpro{&declared{
		name: "applicantpro",
		about: About{
			Name: "ApplicantPro (isolved Hire)", Site: "applicantpro.com",
			Addresses: []string{"{company}.applicantpro.com/jobs/", "{company}.isolvedhire.com/jobs/{role}", "www.applicantpro.com/openings/{company}/jobs"},
			Endpoint:  `GET https://{company}.applicantpro.com/core/jobs/{id on the page}?getParams={"isInternal":0}`,
			Reads:     "id, title, place, department, address, total, company",
			Evidence:  Several,
		},
		board: func(a address) string {
			if a.host == "www.applicantpro.com" {
				return strings.ToLower(a.below("openings"))
			}
			return a.tenant(applicantproDomains...)
		},
		valid: isTenantBut("feeds", "admin", "secure", "learn", "partners"),
		page:  func(board string) string { return "https://" + board + ".applicantpro.com/jobs/" },
	}})
}

var applicantproDomains = []string{"applicantpro.com", "isolvedhire.com"}

type applicantproJob struct {
	ID            id     `json:"id"`
	Title         string `json:"title"`
	City          string `json:"city"`
	Abbreviation  string `json:"abbreviation"`
	ISO3          string `json:"iso3"`
	JobLocation   string `json:"jobLocation"`
	OrgTitle      string `json:"orgTitle"`
	JobCategory   string `json:"jobCategory"`
	WorkplaceType string `json:"workplaceType"`
	JobURL        string `json:"jobUrl"`
}

// Read asks for the board's page at either name, and then for the list, which comes in one answer.
func (p applicantpro) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !p.valid(board) {
		return failed(p, noName())
	}
	var site applicantproSite
	var err error
	for _, domain := range applicantproDomains {
		if site, err = p.site(ctx, client, "https://"+board+"."+domain); !isUnknown(err) {
			break
		}
	}
	if err != nil {
		return failed(p, err)
	}
	var list struct {
		Data struct {
			JobCount *count            `json:"jobCount"`
			Jobs     []json.RawMessage `json:"jobs"`
		} `json:"data"`
	}
	if err := getJSON(ctx, client, site.host+"/core/jobs/"+site.domain+"?getParams=%7B%22isInternal%22%3A0%7D", &list); err != nil {
		return failed(p, asListFault(err))
	}
	reading, err := listing(list.Data.Jobs, func(job applicantproJob) (boardwatch.Posting, bool) { return job.posting(site.host), true })
	reading.Company = firstText(site.company, reading.Company)
	if list.Data.JobCount != nil {
		reading.Claimed = int(*list.Data.JobCount)
	}
	return finish(p, reading, err)
}

// applicantproSite is where a board is, and what its page says about it.
type applicantproSite struct {
	host, domain, company string
}

var (
	applicantproRoute  = lazyregexp.New(`\bcourierCurrentRouteData\s*=`)
	applicantproDomain = lazyregexp.New(`["']?\bdomain_?[iI]d["']?\s*:\s*["']?([0-9]{1,12})\b`)
	applicantproNone   = [][]byte{[]byte("This career site has been disabled"), []byte("You may have typed the url")}
)

// site asks for the board's page. The system answers 200 for boards that are not there, or redirects.
func (applicantpro) site(ctx context.Context, client Doer, host string) (applicantproSite, error) {
	site := applicantproSite{host: host}
	answered, err := send(ctx, client, http.MethodGet, host+"/jobs/", "text/html", nil)
	if err != nil {
		return site, err
	}
	if answered.status >= 300 && answered.status < 400 {
		return site, noBoard("it redirects those who ask for it")
	}
	content, err := answered.page()
	if err != nil {
		return site, err
	}
	for _, none := range applicantproNone {
		if bytes.Contains(content, none) {
			return site, noBoard("its page says so")
		}
	}
	if site.domain = captured(applicantproDomain, string(content)); site.domain == "" {
		return site, didf("answered with a page that does not say where its list is")
	}
	if at := applicantproRoute.FindIndex(content); at != nil {
		var route struct {
			Name string `json:"career_site_name"`
		}
		if stateIn(string(content[at[1]:]), "", &route) == nil {
			site.company = unescape(route.Name, 1)
		}
	}
	return site, nil
}

func (j applicantproJob) employer() string { return unescape(j.OrgTitle, 1) }

func (j applicantproJob) posting(host string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: unescape(j.Title, 1), Department: unescape(j.JobCategory, 1),
		Location: unescape(firstText(placeAsGiven(j.City, j.Abbreviation, j.ISO3), collapse(j.JobLocation)), 1),
		URL:      firstText(webAddress(j.JobURL), host+"/jobs/"+url.PathEscape(string(j.ID))),
	}
	orRemote(&p, strings.EqualFold(j.WorkplaceType, "remote"))
	return p
}
