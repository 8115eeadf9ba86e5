package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	adpSitesHost = "myjobs.adp.com"
	adpSites     = "https://" + adpSitesHost + "/"
	adpSiteList  = "/myadp_prefix/mycareer/public/staffing/v1/job-requisitions/apply-custom-filters"
	// adpSiteFields are what is asked for of a role. Without the date of posting the list has only the employer's own title.
	adpSiteFields = "reqId,jobTitle,publishedJobTitle,type,workLevelCode,clientRequisitionID,postingDate,requisitionLocations"
)

func isADPSite(token string) bool {
	switch strings.ToLower(token) {
	case "public", "static", "assets", "api", "cx", "error", "login":
		return false
	}
	return isToken(token)
}

// adpSite is what MyJobs says of a site, with the token that it lends the site's visitors.
type adpSite struct {
	ClientName  string `json:"clientName"`
	OrgOID      string `json:"orgoid"`
	MyJobsToken string `json:"myJobsToken"`
	Active      *bool  `json:"active"`
	Properties  struct {
		MyADPURL string `json:"myadpUrl"`
	} `json:"properties"`
}

// adpSiteOf requests a site. Its name is in lower case there.
func adpSiteOf(ctx context.Context, client Doer, board string) (adpSite, error) {
	var site adpSite
	answered, err := send(ctx, client, http.MethodGet, adpSites+"public/staffing/v1/career-site/"+strings.ToLower(board), "application/json", nil)
	if err != nil {
		return site, err
	}
	if answered.status == http.StatusBadRequest && strings.Contains(strings.ToLower(string(answered.body)), "not found") {
		return site, noBoard("it answered 400, not found")
	}
	if err := answered.decode(&site); err != nil {
		return site, err
	}
	switch {
	case site.Active != nil && !*site.Active:
		return site, noBoard("the site is switched off")
	case site.MyJobsToken == "" || strings.ContainsAny(site.MyJobsToken+site.OrgOID, "\r\n"):
		return site, didf("describes the site without a token for its list")
	}
	return site, nil
}

// list is the host of the site's list, which must be the vendor's own: it is given the token.
func (s adpSite) list() string {
	const usual = "https://my.adp.com"
	u, err := url.Parse(s.Properties.MyADPURL)
	if err != nil || u.Scheme != "https" {
		return usual
	}
	a, ok := parseAddress(u)
	if !ok || u.Port() != "" || !isHost(a.host, "adp.com") {
		return usual
	}
	return "https://" + a.host
}

// readSite asks for the site, and then for page after page of its list on another host.
func (a adp) readSite(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	site, err := adpSiteOf(ctx, client, board)
	if err != nil {
		return failed(a, err)
	}
	client = with(client, "myjobstoken", site.MyJobsToken, "orgoid", site.OrgOID, "rolecode", "manager", "Origin", "https://"+adpSitesHost, "Referer", adpSites)
	reading, err := paged{}.read(ctx, a, func(at turn) (page, error) {
		var list struct {
			Count           *count            `json:"count"`
			JobRequisitions []json.RawMessage `json:"jobRequisitions"`
		}
		address := fmt.Sprintf("%s%s?$top=100&$skip=%d&$orderby=postingDate%%20desc&$select=%s&tz=America/New_York", site.list(), adpSiteList, at.rows, adpSiteFields)
		if err := getJSON(ctx, client, address, &list); err != nil {
			return page{}, asListFault(err)
		}
		return pageOfTotal(list.JobRequisitions, list.Count, func(job adpSiteJob) (boardwatch.Posting, bool) { return job.posting(board), true })
	})
	if err == nil {
		reading.Company = strings.TrimSpace(site.ClientName)
	}
	return reading, err
}

type adpSiteJob struct {
	ReqID             id         `json:"reqId"`
	JobTitle          string     `json:"jobTitle"`
	PublishedJobTitle string     `json:"publishedJobTitle"`
	Locations         []adpPlace `json:"requisitionLocations"`
}

func (j adpSiteJob) posting(board string) boardwatch.Posting {
	places := make([]string, len(j.Locations))
	for i, l := range j.Locations {
		places[i] = firstText(l.address(), l.name())
	}
	return boardwatch.Posting{
		Key: string(j.ReqID), Title: firstText(j.PublishedJobTitle, j.JobTitle), Location: joinPlaces(places...),
		URL: adpSites + board + "/cx/job/" + url.PathEscape(string(j.ReqID)),
	}
}
