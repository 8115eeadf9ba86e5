package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// A career site of Cornerstone gives its visitors a token for the list, and names the region's host that has it.
func init() {
	register(&declared{
		name: "cornerstone",
		about: About{
			Name: "Cornerstone OnDemand", Site: "cornerstoneondemand.com",
			Addresses: []string{"{tenant}.csod.com/ux/ats/careersite/{site}/home?c={client}", "{tenant}.csod.com/ats/careersite/search.aspx?site={site}&c={client}"},
			Endpoint:  "POST https://{region}.api.csod.com/rec-job-search/external/jobs",
			Reads:     "id, title, places, address, total",
			Evidence:  Several,
			Pace: Pace{
				Every:  time.Second,
				Source: "Observed: a host answers about 60 requests a minute.",
			},
		},
		board: cornerstoneBoard,
		valid: func(board string) bool { return parseCornerstoneSite(board).valid() },
		page:  func(board string) string { return parseCornerstoneSite(board).page() },
		open:  cornerstoneJobs,
	})
}

const cornerstoneDomain = "csod.com"

// cornerstoneBoard finds boards in the addresses of sites and roles, and of the older pages of both. An address without a
// client means the client with the name of the tenant.
func cornerstoneBoard(a address) string {
	tenant := a.tenant(cornerstoneDomain)
	if tenant == "" {
		return ""
	}
	s := cornerstoneSite{host: a.host, site: a.below("ux", "ats", "careersite"), client: a.value("c")}
	if page := strings.ToLower(a.below("ats", "careersite")); strings.HasSuffix(page, ".aspx") {
		s.site = a.value("site")
	}
	if s.client == "" {
		s.client = tenant
	}
	return s.host + "/" + s.site + "/" + s.client
}

// cornerstoneSite is one career site of a client.
type cornerstoneSite struct{ host, site, client string }

func parseCornerstoneSite(board string) cornerstoneSite {
	parts := strings.Split(board, "/")
	if len(parts) != 3 {
		return cornerstoneSite{}
	}
	return cornerstoneSite{parts[0], parts[1], parts[2]}
}

func (s cornerstoneSite) valid() bool {
	number, err := strconv.Atoi(s.site)
	tenant := address{host: s.host}.tenant(cornerstoneDomain)
	return err == nil && number > 0 && strconv.Itoa(number) == s.site && tenant != "" && isToken(s.client)
}

func (s cornerstoneSite) home() string {
	return "https://" + s.host + "/ux/ats/careersite/" + s.site + "/home"
}

func (s cornerstoneSite) page() string { return s.home() + "?c=" + s.client }

// cornerstoneState is the data in a site's page for its script.
type cornerstoneState struct {
	Corp        string `json:"corp"`
	Token       string `json:"token"`
	CultureID   count  `json:"cultureID"`
	CultureName string `json:"cultureName"`
	Endpoints   struct {
		Cloud string `json:"cloud"`
	} `json:"endpoints"`
}

var cornerstoneContext = lazyregexp.New(`\bcsod\.context\s*=`)

// open asks for the site's page, and finds the employer's name there too.
func (s cornerstoneSite) open(ctx context.Context, client Doer) (state cornerstoneState, company string, err error) {
	content, err := getPage(ctx, client, s.page())
	if err != nil {
		return state, "", err
	}
	at := cornerstoneContext.FindIndex(content)
	if at == nil {
		return state, "", didf("answered with a page that does not say where its list is")
	}
	if err := stateIn(string(content[at[1]:]), "", &state); err != nil {
		return state, "", err
	}
	switch {
	case state.Token == "" || strings.ContainsAny(state.Token, " \r\n\t"):
		return state, "", didf("answered with a page without a token for its list")
	case state.Corp != "" && !strings.EqualFold(state.Corp, s.client):
		return state, "", didf("answered with the page of another client")
	}
	page, err := parsePage(content)
	if err != nil {
		return state, "", err
	}
	return state, companyInTitle(page), nil
}

// list is the address of the list, which must be at the vendor's own: it is given the token. Sites that name no region have
// it on their own host.
func (s cornerstoneSite) list(state cornerstoneState) (string, error) {
	if state.Endpoints.Cloud == "" {
		return "https://" + s.host + "/services/x/career-site/v1/search", nil
	}
	u, err := url.Parse(state.Endpoints.Cloud)
	if err != nil {
		return "", didf("answered with a page that does not say where its list is")
	}
	a, ok := parseAddress(u)
	if !ok || u.Scheme != "https" || u.Port() != "" || !isHost(a.host, cornerstoneDomain) || len(a.path()) > 0 {
		return "", didf("answered with a page that does not say where its list is")
	}
	return "https://" + a.host + "/rec-job-search/external/jobs", nil
}

type cornerstoneJob struct {
	RequisitionID   id     `json:"requisitionId"`
	DisplayJobTitle string `json:"displayJobTitle"`
	Locations       []struct {
		City    string `json:"city"`
		State   string `json:"state"`
		Country string `json:"country"`
	} `json:"locations"`
}

// cornerstoneJobs requests the site's page, and then page after page of its list.
func cornerstoneJobs(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	s := parseCornerstoneSite(board)
	var state cornerstoneState
	var address, company string
	return func(at turn) (page, error) {
		if address == "" {
			var err error
			if state, company, err = s.open(ctx, client); err != nil {
				return page{}, err
			}
			if address, err = s.list(state); err != nil {
				return page{}, err
			}
			client = with(client, "Authorization", "Bearer "+state.Token, "CSOD-Accept-Language", firstText(state.CultureName, "en-US"))
		}
		var list struct {
			Data struct {
				TotalCount   *count            `json:"totalCount"`
				Requisitions []json.RawMessage `json:"requisitions"`
			} `json:"data"`
		}
		if err := postJSON(ctx, client, address, s.question(state, at.page+1), &list); err != nil {
			return page{}, asListFault(err)
		}
		p, err := pageOfTotal(list.Data.Requisitions, list.Data.TotalCount, func(job cornerstoneJob) (boardwatch.Posting, bool) { return job.posting(s), true })
		p.Company = company
		return p, err
	}
}

// question asks for one page of all roles.
func (s cornerstoneSite) question(state cornerstoneState, page int) map[string]any {
	none := []string{}
	number, _ := strconv.Atoi(s.site) // valid sites are numbers
	return map[string]any{
		"careerSiteId": number, "careerSitePageId": number, "pageNumber": page, "pageSize": 100,
		"cultureId": max(state.CultureID, 1), "cultureName": firstText(state.CultureName, "en-US"), "searchText": "",
		"states": none, "countryCodes": none, "cities": none, "placeID": "", "radius": nil, "postingsWithinDays": nil,
		"customFieldCheckboxKeys": none, "customFieldDropdowns": none, "customFieldRadios": none,
	}
}

// posting is one role. The texts have their entities encoded.
func (j cornerstoneJob) posting(s cornerstoneSite) boardwatch.Posting {
	places := make([]string, len(j.Locations))
	for i, l := range j.Locations {
		places[i] = unescape(placeAsGiven(l.City, l.State, l.Country), 1)
	}
	return boardwatch.Posting{
		Key: string(j.RequisitionID), Title: unescape(j.DisplayJobTitle, 1), Location: joinPlaces(places...),
		URL: s.home() + "/requisition/" + url.PathEscape(string(j.RequisitionID)) + "?c=" + s.client,
	}
}
