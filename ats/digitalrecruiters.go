package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

const digitalRecruitersAPI = "https://api.digitalrecruiters.com/"

// DigitalRecruiters lists roles by the site's domain and language, which the site's settings say.
func init() {
	register(&declared{
		name: "digitalrecruiters",
		about: About{
			Name: "DigitalRecruiters", Site: "digitalrecruiters.com",
			Addresses: []string{"{company}.digitalrecruiters.com"},
			Endpoint:  "GET " + digitalRecruitersAPI + "careers/v1/careers-sites/{host}, then POST " + digitalRecruitersAPI + "public/v1/careers-site/job-ads",
			Reads:     "id, title, place, trade, company, total",
			Evidence:  Single,
		},
		board: hostUnder("digitalrecruiters.com"),
		valid: isHostUnder("digitalrecruiters.com"),
		page:  func(board string) string { return "https://" + board + "/" },
		open:  digitalRecruitersRoles,
	})
}

type digitalRecruitersSite struct {
	DomainName       string `json:"domain_name"`
	IsOnline         *bool  `json:"is_online"`
	ChildAccountName string `json:"child_account_name"`
	Name             string `json:"name"`
	DefaultLocale    struct {
		ISOCode string `json:"iso_code"`
	} `json:"default_locale"`
}

type digitalRecruitersJob struct {
	ID       id     `json:"job_ad_id"`
	Title    string `json:"title"`
	Location string `json:"location"`
	Job      string `json:"job"`
}

func digitalRecruitersRoles(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	var site digitalRecruitersSite
	return func(at turn) (page, error) {
		if at.page == 0 && site.DomainName == "" {
			if err := getJSON(ctx, client, digitalRecruitersAPI+"careers/v1/careers-sites/"+board, &site); err != nil {
				return page{}, err
			}
			if site.IsOnline != nil && !*site.IsOnline {
				return page{}, noBoard("its site is not online")
			}
			if !isHost(site.DomainName) {
				return page{}, didf("answered without the domain of the site")
			}
		}
		return site.roles(ctx, client, at)
	}
}

func (s digitalRecruitersSite) roles(ctx context.Context, client Doer, at turn) (page, error) {
	var list struct {
		Count count             `json:"count"`
		Items []json.RawMessage `json:"items"`
	}
	query := url.Values{"domainName": {s.DomainName}, "limit": {"50"}, "page": {strconv.Itoa(at.page + 1)}, "locale": {s.locale()}}
	address := digitalRecruitersAPI + "public/v1/careers-site/job-ads?" + query.Encode()
	if err := postJSON(ctx, client, address, struct{}{}, &list); err != nil {
		return page{}, whoseBoardIs(err)
	}
	p, err := pageOf(list.Items, list.Count, func(j digitalRecruitersJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{Key: string(j.ID), Title: j.Title, Location: j.Location, Department: j.Job}, true
	})
	p.Company = firstText(s.ChildAccountName, s.Name)
	return p, err
}

var digitalRecruitersLocale = lazyregexp.New(`^[a-z]{2}_[A-Z]{2}$`)

// locale is the site's language with a country, without which the list is refused.
func (s digitalRecruitersSite) locale() string {
	switch code := strings.TrimSpace(s.DefaultLocale.ISOCode); {
	case digitalRecruitersLocale.MatchString(code):
		return code
	case code == "en":
		return "en_GB"
	case len(code) == 2 && isLocale(code):
		return strings.ToLower(code) + "_" + strings.ToUpper(code)
	default:
		return "fr_FR"
	}
}
