package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// oracle reads career sites of Oracle Recruiting Cloud. A board is one site of one host: "ebcs.fa.us2.oraclecloud.com/CX_1".
type oracle struct{ namer }

func init() {
	register(oracle{namer{employer: inTitle(oraclePageOf), declared: &declared{
		name: "oracle",
		about: About{
			Name: "Oracle Recruiting Cloud", Site: "oracle.com",
			Addresses: []string{
				"{tenant}.fa.{region}.oraclecloud.com/hcmUI/CandidateExperience/en/sites/{site}",
				"{tenant}.fa.oraclecloud.com/hcmUI/CandidateExperience/en/sites/{site}/job/{role}",
				"{tenant}.fa.ocs.oraclecloud.eu/hcmUI/CandidateExperience/en/sites/{site}",
				"{tenant}.fa.{region}.oraclecloud.com/hcmRestApi/resources/latest/recruitingCEJobRequisitions?finder=findReqs;siteNumber={site}",
			},
			Endpoint: "GET https://{host}/hcmRestApi/resources/latest/recruitingCEJobRequisitions?finder=findReqs;siteNumber={site},limit=200,offset=0",
			Reads:    "id, title, every place, department or job family, address, total; an empty list counts only when the site's page is there",
			Evidence: Recording,
		},
		board: oracleToken,
		valid: func(board string) bool {
			_, ok := parseOracleBoard(board)
			return ok
		},
		page: oraclePageOf,
	}}})
}

var (
	oracleHost   = lazyregexp.New(`^[a-z0-9-]{1,63}\.fa(?:\.[a-z0-9-]{1,20})?\.oraclecloud[0-9]{0,3}\.(?:com|eu)$`)
	oracleSite   = lazyregexp.New(`^[A-Za-z0-9_-]{1,100}$`)
	oracleNumber = lazyregexp.New(`^CX(?:_[0-9]+)?$`)
	oracleFinder = lazyregexp.New(`siteNumber(?:=|%3D)([A-Za-z0-9_-]+)`)
)

// oracleToken finds boards in the addresses of sites and roles in every language and region, and of the API.
func oracleToken(a address) string {
	if !oracleHost.MatchString(a.host) {
		return ""
	}
	s := oracleBoard{host: a.host}
	path := a.path()
	switch {
	case strings.EqualFold(nth(path, 0), "hcmRestApi"):
		s.site = captured(oracleFinder, a.u.RawQuery)
	case strings.EqualFold(nth(path, 0), "hcmUI") && strings.EqualFold(nth(path, 1), "CandidateExperience"):
		if at := slices.Index(path, "sites"); at == 2 || at == 3 {
			s.site = nth(path, at+1)
		}
	}
	return s.String()
}

// oracleBoard is a site, and where it is asked.
type oracleBoard struct{ host, site string }

func parseOracleBoard(board string) (oracleBoard, bool) {
	host, site, _ := strings.Cut(board, "/")
	s := oracleBoard{host, site}
	return s, s.valid()
}

func (s oracleBoard) valid() bool {
	return oracleHost.MatchString(s.host) && oracleSite.MatchString(s.site)
}

func (s oracleBoard) String() string {
	if !s.valid() {
		return ""
	}
	return s.host + "/" + s.site
}

func (s oracleBoard) page() string {
	return "https://" + s.host + "/hcmUI/CandidateExperience/en/sites/" + s.site
}

// oraclePageOf is the site's page in English.
func oraclePageOf(board string) string {
	s, _ := parseOracleBoard(board)
	return s.page()
}

type oracleList struct {
	TotalJobsCount     *count            `json:"TotalJobsCount"`
	RequisitionList    []json.RawMessage `json:"requisitionList"`
	CategoriesFacet    []oracleFacet     `json:"categoriesFacet"`
	OrganizationsFacet []oracleFacet     `json:"organizationsFacet"`
}

type oracleFacet struct {
	ID         id    `json:"Id"`
	TotalCount count `json:"TotalCount"`
}

type oracleJob struct {
	ID              id     `json:"Id"`
	Title           string `json:"Title"`
	PrimaryLocation string `json:"PrimaryLocation"`
	Secondary       []struct {
		Name string `json:"Name"`
	} `json:"secondaryLocations"`
	Department        string `json:"Department"`
	JobFamily         string `json:"JobFamily"`
	WorkplaceTypeCode string `json:"WorkplaceTypeCode"`

	PostedDate             said `json:"PostedDate"`
	PostingEndDate         said `json:"PostingEndDate"`
	WorkplaceType          said `json:"WorkplaceType"`
	JobSchedule            said `json:"JobSchedule"`
	WorkerType             said `json:"WorkerType"`
	ContractType           said `json:"ContractType"`
	Language               said `json:"Language"`
	PrimaryLocationCountry said `json:"PrimaryLocationCountry"`
}

const (
	oraclePage = 200
	oracleCap  = 10_000 // what lies behind is not shown
)

// Read asks for page after page. Sites that go by a word have a number too, which their page knows; it is asked for
// first. A list too long to be shown is read in parts.
func (o oracle) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	s, ok := parseOracleBoard(board)
	if !ok {
		return failed(o, noName())
	}
	r := oracleReader{oracle: o, board: s, client: client, number: s.site}
	if !oracleNumber.MatchString(s.site) {
		number, err := r.look(ctx)
		if err != nil {
			return failed(o, err)
		}
		r.number, r.seen = number, true
	}
	first, err := r.list(ctx, "", 0)
	if err != nil {
		return failed(o, err)
	}
	if len(first.RequisitionList) == 0 {
		return r.empty(ctx, first)
	}
	if first.total() > oracleCap {
		return r.inParts(ctx, first)
	}
	return r.whole(ctx, "", first)
}

// oracleReader reads one site once.
type oracleReader struct {
	oracle

	board  oracleBoard
	client Doer
	number string // of the site
	seen   bool   // the site's page is there
}

var (
	oracleProduct    = lazyregexp.New(`(?i)CandidateExperience|CandExp`)
	oracleSiteNumber = lazyregexp.New(`(?i)\bsiteNumber["']?\s*[:=]\s*["']([A-Za-z0-9_-]+)["']`)
)

// look opens the site's page and returns the number of the site, or its word when the page names none.
func (r oracleReader) look(ctx context.Context) (number string, err error) {
	content, err := getPage(ctx, r.client, r.board.page())
	if err != nil {
		return "", err
	}
	if number = captured(oracleSiteNumber, string(content)); number != "" {
		return number, nil
	}
	if !oracleProduct.Match(content) {
		return "", didf("shows a page that is not a careers site")
	}
	return r.board.site, nil
}

// empty is the reading of a list without roles. Sites that do not exist have such lists as well.
func (r oracleReader) empty(ctx context.Context, list oracleList) (boardwatch.Reading, error) {
	if list.TotalJobsCount == nil {
		return failed(r.oracle, didf("answered without a list of roles"))
	}
	if total := list.total(); total > 0 {
		return failed(r.oracle, didf("says that it has %d roles, but lists none", total))
	}
	if !r.seen {
		number, err := r.look(ctx)
		if e, ok := errors.AsType[*systemError](err); ok {
			e.did = "lists no roles, as it does for sites that do not exist, and when asked for this site's page, it " + e.did
		}
		if err == nil && number != r.number {
			err = didf("lists no roles for %s, whose page is that of another site", r.number)
		}
		if err != nil {
			return failed(r.oracle, err)
		}
	}
	reading, err := listing([]json.RawMessage{}, r.posting)
	return finish(r.oracle, reading, err)
}

func (l oracleList) total() int {
	if l.TotalJobsCount == nil {
		return 0
	}
	return int(*l.TotalJobsCount)
}

// list asks for one page. Place in the list, order and filter stand inside of one parameter.
func (r oracleReader) list(ctx context.Context, filter string, offset int) (oracleList, error) {
	address := fmt.Sprintf("https://%s/hcmRestApi/resources/latest/recruitingCEJobRequisitions?onlyData=true"+
		"&expand=requisitionList.workLocation,requisitionList.secondaryLocations&finder=findReqs;siteNumber=%s,"+
		"facetsList=LOCATIONS%%3BWORK_LOCATIONS%%3BWORKPLACE_TYPES%%3BTITLES%%3BCATEGORIES%%3BORGANIZATIONS%%3BPOSTING_DATES%%3BFLEX_FIELDS,"+
		"limit=%d,%ssortBy=POSTING_DATES_DESC,offset=%d", r.board.host, r.number, oraclePage, filter, offset)
	var answer struct {
		Items []oracleList `json:"items"`
	}
	answered, err := send(ctx, r.client, http.MethodGet, address, "application/json", nil)
	if err != nil {
		return oracleList{}, err
	}
	if answered.status >= 300 && answered.status < 400 {
		// Hosts that are under maintenance or too busy send people elsewhere for a while.
		err := answered.refusal()
		if e, ok := errors.AsType[*systemError](err); ok {
			e.unknown = false
		}
		return oracleList{}, err
	}
	if err := answered.decode(&answer); err != nil {
		return oracleList{}, err
	}
	if answer.Items == nil {
		return oracleList{}, didf("answered without a list of roles")
	}
	if len(answer.Items) == 0 {
		return oracleList{}, noBoard("it answered with nothing for this site")
	}
	if answer.Items[0].RequisitionList == nil && answer.Items[0].total() > 0 {
		return oracleList{}, didf("answered without a list of roles")
	}
	return answer.Items[0], nil
}

// whole reads every page of what a filter leaves, the first of which is there already. A page may be shorter than it
// should be: the total tells the end, and only where there is none a short page.
func (r oracleReader) whole(ctx context.Context, filter string, first oracleList) (boardwatch.Reading, error) {
	return paged{most: 100}.read(ctx, r.oracle, func(at turn) (page, error) {
		list, err := first, error(nil)
		if at.page > 0 {
			list, err = r.list(ctx, filter, at.rows)
		}
		if err != nil {
			return page{}, err
		}
		if list.RequisitionList == nil {
			list.RequisitionList = []json.RawMessage{}
		}
		p, err := pageOf(list.RequisitionList, count(list.total()), r.posting)
		p.last = list.TotalJobsCount == nil && p.rows < oraclePage
		return p, err
	})
}

func (r oracleReader) posting(job oracleJob) (boardwatch.Posting, bool) {
	places := []string{collapse(job.PrimaryLocation)}
	for _, l := range job.Secondary {
		places = append(places, collapse(l.Name))
	}
	p := boardwatch.Posting{
		Key: string(job.ID), Title: unescape(job.Title, 1), Location: joinPlaces(places...), Department: firstText(job.Department, job.JobFamily),
	}
	orRemote(&p, job.WorkplaceTypeCode == "ORA_REMOTE")
	if p.Key != "" {
		p.URL = r.board.page() + "/job/" + url.PathEscape(p.Key)
	}
	p.Facts = boardwatch.Facts{
		PostedAt: date(job.PostedDate), ValidThrough: date(job.PostingEndDate), Mode: fact.Mode(job.WorkplaceTypeCode, string(job.WorkplaceType)),
		Language: fact.Language(string(job.Language)), Requisition: p.Key,
	}
	employment(&p.Facts, job.JobSchedule, job.ContractType, job.WorkerType)
	stated := []boardwatch.Place{statedPlace(places[0], "", job.PrimaryLocationCountry)}
	for _, l := range places[1:] {
		stated = append(stated, statedPlace(l, "", ""))
	}
	fact.Places(&p.Facts, stated...)
	return p, true
}

var (
	oracleAPIHost  = lazyregexp.New(`(?i)https://([a-z0-9-]+\.fa(?:\.[a-z0-9-]+)?\.oraclecloud[0-9]*\.(?:com|eu))\b`)
	oracleSitePath = lazyregexp.New(`^/[A-Za-z-]{2,7}/sites/([A-Za-z0-9_-]+)(?:/|$)`)
)

// Embedded knows sites at addresses of companies' own: their script names the host that serves them, and the site.
func (oracle) Embedded(page *goquery.Document) (board string, ok bool) {
	scripts := scriptsOf(page)
	host, ok := onlyMatch(strings.ToLower(scripts), oracleHost.MatchString, oracleAPIHost)
	if !ok {
		return "", false
	}
	site, ok := onlyMatch(scripts, oracleSite.MatchString, oracleSiteNumber)
	if !ok && page.Url != nil {
		site = firstText(captured(oracleSitePath, page.Url.Path), site)
	}
	s := oracleBoard{host, site}
	return s.String(), s.valid()
}

// inParts reads a list that is too long to be shown by its categories, or by its organizations where they cover more of it.
func (r oracleReader) inParts(ctx context.Context, first oracleList) (boardwatch.Reading, error) {
	facets, parameter := first.CategoriesFacet, "selectedCategoriesFacet"
	if covered(first.OrganizationsFacet) > covered(facets) {
		facets, parameter = first.OrganizationsFacet, "selectedOrganizationsFacet"
	}
	whole := newParts(r.oracle, first.total())
	for _, facet := range facets {
		if !isDigits(string(facet.ID)) {
			continue
		}
		part, err := r.part(partOf(ctx, len(whole.reading.Postings), first.total()), parameter+"="+string(facet.ID)+",")
		if err != nil && (ctx.Err() != nil || errors.Is(err, ErrUnchanged)) {
			return failed(r.oracle, err)
		}
		if err != nil {
			whole.broken(err)
			break
		}
		if part.Claimed > oracleCap {
			whole.lacks(cause.Truncated, fmt.Sprintf("oracle shows %d roles of a list, and a part of this one is longer", oracleCap))
		}
		if !whole.add(part) {
			break
		}
	}
	if len(whole.reading.Postings) == 0 {
		return failed(r.oracle, didf("has %d roles, of which it shows %d at a time, and offers no way to see the rest", first.total(), oracleCap))
	}
	return finish(r.oracle, whole.reading, nil)
}

func covered(facets []oracleFacet) (sum int) {
	for _, f := range facets {
		sum += int(f.TotalCount)
	}
	return sum
}

// part reads one part.
func (r oracleReader) part(ctx context.Context, filter string) (boardwatch.Reading, error) {
	first, err := r.list(ctx, filter, 0)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	return r.whole(ctx, filter, first)
}
