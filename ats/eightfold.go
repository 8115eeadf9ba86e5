package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// eightfold reads career sites of Eightfold, most of which live at hosts of the companies' own. A board is the whole host. The
// list also needs the company's group, which is on the site's page.
type eightfold struct{ *declared }

func init() {
	register(eightfold{&declared{
		name: "eightfold",
		about: About{
			Name: "Eightfold", Site: "eightfold.ai",
			Addresses: []string{"{company}.eightfold.ai/careers", "{host}/careers"},
			Endpoint:  "GET https://{host}/api/pcsx/search?domain={group}, or https://{host}/api/apply/v2/jobs?domain={group}",
			Reads:     "id, title, places, department, address, total, company",
			Evidence:  Recording,
		},
		board: eightfoldBoard,
		valid: isEightfoldHost,
		page:  eightfoldPage,
		pages: paged{most: 1000},
		open:  eightfoldJobs,
	}})
}

const eightfoldDomain = "eightfold.ai"

func eightfoldPage(board string) string { return "https://" + board + "/careers" }

// eightfoldBoard finds boards in the addresses of pages, roles and lists below the vendor's domain.
func eightfoldBoard(a address) string {
	if a.tenant(eightfoldDomain) == "" {
		return ""
	}
	switch first := strings.ToLower(a.segment(0)); {
	case first == "", first == "careers":
	case first == "api" && (a.segment(1) == "pcsx" || a.segment(1) == "apply"):
	default:
		return ""
	}
	return a.host
}

func isEightfoldHost(host string) bool { return isCompanyHost(host, eightfoldDomain) }

var (
	eightfoldGroup     = lazyregexp.New(`\b_EF_GROUP_ID\s*=\s*["']([A-Za-z0-9.-]{1,120})["']`)
	eightfoldState     = lazyregexp.New(`"domain"\s*:\s*"([A-Za-z0-9.-]{1,120})"`)
	eightfoldInSitemap = lazyregexp.New(`/careers/job/[^<\s]*[?&](?:amp;)?domain=([A-Za-z0-9.-]{1,120})`)
)

// eightfoldSite asks the site for the company's group, and finds the company's name there too. Pages that the vendor shows
// for all companies alike belong to nobody.
func eightfoldSite(ctx context.Context, client Doer, board string) (group, company string, err error) {
	answered, err := sendOnHost(ctx, client, eightfoldPage(board))
	if err != nil {
		return "", "", err
	}
	content, err := answered.page()
	if err != nil {
		return "", "", err
	}
	page, err := parsePage(content)
	if err != nil {
		return "", "", err
	}
	for _, text := range []string{string(content), html.UnescapeString(page.Find("#smartApplyData, #pcs-data, #pcsx-data").Text())} {
		for _, form := range []*lazyregexp.Regexp{eightfoldGroup, eightfoldState} {
			group = firstText(group, captured(form, text))
		}
	}
	if group == "" {
		group, err = eightfoldGroupInSitemap(ctx, client, board)
	}
	switch {
	case err != nil:
		return "", "", err
	case group == "":
		return "", "", didf("answered with a page that does not say whose it is")
	case !isToken(group), group == eightfoldDomain, group == "volkscience.com":
		return "", "", noBoard("its page is the vendor's own")
	}
	return group, companyInTitle(page), nil
}

func eightfoldGroupInSitemap(ctx context.Context, client Doer, board string) (string, error) {
	answered, err := send(ctx, client, http.MethodGet, "https://"+board+"/careers/sitemap.xml", "application/xml, text/xml", nil)
	if err != nil {
		return "", err
	}
	if answered.status != http.StatusOK {
		return "", nil
	}
	return captured(eightfoldInSitemap, string(answered.body)), nil
}

// eightfoldList is a page of either list.
type eightfoldList struct {
	Count     *count            `json:"count"`
	Positions []json.RawMessage `json:"positions"`
}

type eightfoldJob struct {
	ID                    id       `json:"id"`
	Name                  string   `json:"name"`
	PostingName           string   `json:"posting_name"`
	Location              string   `json:"location"`
	Locations             []string `json:"locations"`
	StandardizedLocations []string `json:"standardizedLocations"`
	Department            string   `json:"department"`
	WorkLocationOption    string   `json:"workLocationOption"`
	OldWorkLocationOption string   `json:"work_location_option"`
	PositionURL           string   `json:"positionUrl"`
	CanonicalPositionURL  string   `json:"canonicalPositionUrl"`

	PostedTs       said `json:"postedTs"`
	TCreate        said `json:"t_create"`
	TUpdate        said `json:"t_update"`
	DisplayJobID   said `json:"displayJobId"`
	OldDisplayID   said `json:"display_job_id"`
	ATSJobID       said `json:"atsJobId"`
	OldATSJobID    said `json:"ats_job_id"`
	JobDescription said `json:"job_description"`
}

// eightfoldJobs requests page after page of the newer list, or of the older one from companies that do not have the newer.
func eightfoldJobs(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	var group, company string
	old := false
	return func(at turn) (page, error) {
		var err error
		if group == "" {
			if group, company, err = eightfoldSite(ctx, client, board); err != nil {
				return page{}, err
			}
		}
		var list eightfoldList
		if !old {
			list, old, err = eightfoldNewer(ctx, client, board, group, at.rows)
		}
		if old {
			list = eightfoldList{}
			err = getJSON(ctx, client, fmt.Sprintf("https://%s/api/apply/v2/jobs?domain=%s&start=%d&num=10", board, group, at.rows), &list)
		}
		if err != nil {
			return page{}, asListFault(err)
		}
		p, err := pageOfTotal(list.Positions, list.Count, func(job eightfoldJob) (boardwatch.Posting, bool) { return job.posting(board), true })
		p.Company = company
		return p, err
	}
}

// eightfoldNewer requests a page of the newer list. old reports that the company does not have it.
func eightfoldNewer(ctx context.Context, client Doer, board, group string, start int) (list eightfoldList, old bool, err error) {
	address := fmt.Sprintf("https://%s/api/pcsx/search?domain=%s&query=&location=&start=%d&sort_by=timestamp", board, group, start)
	answered, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
	if err != nil {
		return list, false, err
	}
	off := strings.Contains(strings.ToLower(string(answered.body)), "pcsx is not enabled")
	if start == 0 && (answered.status == http.StatusForbidden && off || answered.status == http.StatusNotFound) {
		return list, true, nil
	}
	var said struct {
		Data eightfoldList `json:"data"`
	}
	err = answered.decode(&said)
	return said.Data, false, err
}

func (j eightfoldJob) posting(board string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: firstText(j.Name, j.PostingName), Department: j.Department,
		Location: firstText(joinPlaces(j.Locations...), j.Location, joinPlaces(j.StandardizedLocations...)),
		URL:      "https://" + board + "/careers/job/" + url.PathEscape(string(j.ID)),
	}
	if strings.HasPrefix(j.PositionURL, "/") {
		p.URL = "https://" + board + "/" + strings.TrimLeft(j.PositionURL, "/")
	}
	p.URL = firstText(webAddress(j.CanonicalPositionURL), webAddress(j.PositionURL), p.URL)
	orRemote(&p, strings.HasPrefix(strings.ToLower(firstText(j.WorkLocationOption, j.OldWorkLocationOption)), "remote"))
	p.Facts = boardwatch.Facts{
		PostedAt: date(firstSaid(j.PostedTs, j.TCreate)), UpdatedAt: date(j.TUpdate), Mode: fact.Mode(j.WorkLocationOption, j.OldWorkLocationOption),
		Requisition: collapse(string(firstSaid(j.DisplayJobID, j.ATSJobID, j.OldDisplayID, j.OldATSJobID))),
	}
	var stated []boardwatch.Place
	for _, standard := range j.StandardizedLocations { // "city, region, country", each a name or a code
		parts := strings.Split(standard, ",")
		stated = append(stated, statedPlace(standard, said(parts[0]), said(parts[len(parts)-1])))
	}
	fact.Places(&p.Facts, stated...)
	describe(&p, j.JobDescription)
	return p
}

// Embedded knows the vendor's pages at companies' own hosts by what they say about themselves.
func (eightfold) Embedded(page *goquery.Document) (board string, ok bool) {
	host := ownHost(page)
	if host == "" || !isEightfoldHost(host) {
		return "", false
	}
	if !eightfoldGroup.MatchString(scriptsOf(page)) && page.Find("code#smartApplyData, code#pcs-data, code#pcsx-data").Length() == 0 {
		return "", false
	}
	return host, true
}
