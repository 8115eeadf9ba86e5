package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

const (
	jungleSite    = "https://www.welcometothejungle.com"
	jungleCompany = "https://api.welcometothejungle.com/api/v1/organizations/"
	jungleIndex   = "wk_cms_jobs_production"
	jungleMost    = 1000 // roles that a search shows
)

// Welcome to the Jungle keeps its roles in the index of a search service, whose key it gives to every visitor and changes
// now and then.
func init() {
	register(&declared{
		name: "welcometothejungle",
		about: About{
			Name: "Welcome to the Jungle", Site: "welcometothejungle.com",
			Addresses: []string{"www.welcometothejungle.com/{language}/companies/{company}", "www.welcometothejungle.com/{language}/companies/{company}/jobs/{role}"},
			Endpoint:  "GET " + jungleCompany + "{company}, then " + jungleSite + "/api/env, then POST https://{application}-dsn.algolia.net/1/indexes/*/queries",
			Reads:     "id, title, every office's city, address, company, total",
			Evidence:  Several,
		},
		board: func(a address) string {
			path := a.pathWithoutLocale()
			switch {
			case a.host == "api.welcometothejungle.com":
				return a.below("api", "v1", "organizations")
			case a.host != "www.welcometothejungle.com" && a.host != "welcometothejungle.com" || nth(path, 0) != "companies":
				return ""
			}
			return nth(path, 1)
		},
		valid: isToken,
		page:  func(board string) string { return jungleSite + "/en/companies/" + board + "/jobs" },
		pages: paged{most: 1},
		open:  inTurns(jungleRoles),
	})
}

var (
	jungleApplication = lazyregexp.New(`ALGOLIA_APPLICATION_ID\\?"\s*:\s*\\?"\s*([A-Za-z0-9]{6,16})\s*\\?"`)
	jungleKey         = lazyregexp.New(`ALGOLIA_API_KEY_CLIENT\\?"\s*:\s*\\?"\s*([A-Za-z0-9=]{16,500})\s*\\?"`)
)

type jungleHit struct {
	ObjectID  id     `json:"objectID"`
	Reference string `json:"reference"`
	Name      string `json:"name"`
	Slug      string `json:"slug"`
	Offices   []struct {
		City        string `json:"city"`
		CountryCode said   `json:"country_code"`
	} `json:"offices"`
	Organization someone `json:"organization"`

	Remote         said `json:"remote"`
	ContractType   said `json:"contract_type"`
	PublishedAt    said `json:"published_at"`
	SalaryMinimum  said `json:"salary_minimum"`
	SalaryMaximum  said `json:"salary_maximum"`
	SalaryCurrency said `json:"salary_currency"`
	SalaryPeriod   said `json:"salary_period"`
	YearlyMinimum  said `json:"salary_yearly_minimum"`
	Language       said `json:"language"`
	Profile        said `json:"profile"`
	Sections       loose[[]struct {
		Name        said `json:"name"`
		Description said `json:"description"`
	}] `json:"sections"`
}

// jungleModes are the words of its own that the site has for how much of the work is done elsewhere.
var jungleModes = map[said]boardwatch.WorkMode{
	"fulltime": boardwatch.ModeRemote, "full": boardwatch.ModeRemote, "partial": boardwatch.ModeHybrid, "punctual": boardwatch.ModeHybrid, "no": boardwatch.ModeOnsite,
}

type jungleResult struct {
	Hits   []json.RawMessage `json:"hits"`
	NbHits count             `json:"nbHits,omitempty"` // in one of two places
}

func jungleRoles(ctx context.Context, client Doer, board string, _ turn) (page, error) {
	var company struct {
		Organization struct {
			Name string `json:"name"`
			Slug string `json:"slug"`
		} `json:"organization"`
	}
	if err := getJSON(ctx, client, jungleCompany+board, &company); err != nil {
		return page{}, err
	}
	if !isToken(company.Organization.Slug) {
		return page{}, didf("answered without the company")
	}
	result, err := jungleSearch(ctx, client, board, company.Organization.Slug)
	if err != nil {
		return page{}, whoseBoardIs(err)
	}
	// A role stands there once for each site that shows it, under one reference.
	seen := make(map[string]bool)
	p, err := pageOf(result.Hits, result.NbHits, func(hit jungleHit) (boardwatch.Posting, bool) {
		again := hit.Reference != "" && seen[hit.Reference]
		seen[hit.Reference] = true
		return hit.posting(board), !again
	})
	p.Company, p.last = company.Organization.Name, p.rows < jungleMost
	if p.rows > p.total && p.Health == boardwatch.HealthOK {
		p.Health, p.Cause, p.Reason = boardwatch.HealthPartial, cause.Unsure, "welcometothejungle does not say how many roles it lists"
	}
	return p, err
}

// jungleSearch asks the index for all roles of a company.
func jungleSearch(ctx context.Context, client Doer, board, company string) (jungleResult, error) {
	application, key, err := jungleAccess(ctx, client, board)
	if err != nil {
		return jungleResult{}, err
	}
	client = with(client, "X-Algolia-Application-Id", application, "X-Algolia-API-Key", key, "Origin", jungleSite, "Referer", jungleSite+"/")
	params := url.Values{"hitsPerPage": {strconv.Itoa(jungleMost)}, "page": {"0"}, "filters": {"organization.slug:" + company}}
	question := map[string]any{"requests": []map[string]string{{"indexName": jungleIndex, "params": params.Encode()}}}
	var said struct {
		jungleResult

		Results []jungleResult `json:"results"`
	}
	address := fmt.Sprintf("https://%s-dsn.algolia.net/1/indexes/*/queries", strings.ToLower(application))
	if err := postJSON(ctx, client, address, question, &said); err != nil {
		return jungleResult{}, err
	}
	if len(said.Results) > 0 {
		return said.Results[0], nil
	}
	return said.jungleResult, nil
}

// jungleAccess is what every visitor is given for the index: by the site, or by the company's page.
func jungleAccess(ctx context.Context, client Doer, board string) (application, key string, err error) {
	for _, address := range []string{jungleSite + "/api/env", jungleSite + "/en/companies/" + board + "/jobs"} {
		given, err := send(ctx, client, http.MethodGet, address, "*/*", nil)
		if err != nil {
			return "", "", err
		}
		if given.status >= http.StatusInternalServerError || given.status == http.StatusTooManyRequests {
			return "", "", given.refusal()
		}
		a, k := jungleApplication.FindSubmatch(given.body), jungleKey.FindSubmatch(given.body)
		if given.status == http.StatusOK && a != nil && k != nil {
			return string(a[1]), string(k[1]), nil
		}
	}
	return "", "", didf("does not give the key of its index")
}

func (h jungleHit) posting(board string) boardwatch.Posting {
	var cities []string
	var stated []boardwatch.Place
	for _, office := range h.Offices {
		cities, stated = append(cities, office.City), append(stated, statedPlace(office.City, said(office.City), office.CountryCode))
	}
	p := boardwatch.Posting{Key: string(h.ObjectID), Title: h.Name, Location: joinPlaces(cities...)}
	if h.Slug != "" {
		p.URL = jungleSite + "/en/companies/" + board + "/jobs/" + url.PathEscape(h.Slug)
	}
	p.Facts = boardwatch.Facts{
		PostedAt: date(h.PublishedAt), Mode: jungleModes[h.Remote], Language: fact.Language(string(h.Language)),
		Pay: statedPay(h.SalaryMinimum, h.SalaryMaximum, h.SalaryCurrency, h.SalaryPeriod, ""),
	}
	if p.Facts.Pay.IsZero() {
		p.Facts.Pay = statedPay(h.YearlyMinimum, "", h.SalaryCurrency, "year", "")
	}
	employment(&p.Facts, h.ContractType)
	fact.Places(&p.Facts, stated...)
	var parts []said
	for _, s := range h.Sections.is {
		parts = append(parts, section(s.Name, s.Description))
	}
	describe(&p, append(parts, h.Profile)...)
	return p
}
