package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// phenom reads career sites of Phenom, which live at hosts of the companies' own. A board is the whole host, or a host with
// the country and the language of one of its sites. The list is asked for as the pages do; where that is refused, it is in the
// state of the pages themselves.
type phenom struct{ namer }

func init() {
	register(phenom{namer{employer: phenomEmployer, declared: &declared{
		name: "phenom",
		about: About{
			Name: "Phenom", Site: "phenom.com",
			Addresses: []string{"careers.phenom.com/{country}/{language}", "{host}/{country}/{language}/search-results"},
			Endpoint:  "POST https://{host}/widgets, or GET https://{host}/{country}/{language}/search-results",
			Reads:     "id, title, places, department or category, address, total",
			Evidence:  Recording,
		},
		board: func(a address) string { // the vendor's own; those of companies are recognised by their pages
			if a.host != "careers.phenom.com" {
				return ""
			}
			return a.host
		},
		valid: func(board string) bool {
			_, ok := parsePhenomSite(board)
			return ok
		},
		page: func(board string) string {
			s, _ := parsePhenomSite(board)
			return s.page()
		},
	}}})
}

// phenomSite is a site: a host, and the country and language of its pages, which may be unknown.
type phenomSite struct{ host, country, language string }

var phenomPart = lazyregexp.New(`^[a-z][a-z-]{1,15}$`)

func parsePhenomSite(board string) (phenomSite, bool) {
	parts := strings.Split(board, "/")
	s := phenomSite{host: parts[0]}
	if !isHost(s.host) || len(parts) != 1 && len(parts) != 3 {
		return s, false
	}
	if len(parts) == 1 {
		return s, true
	}
	s.country, s.language = parts[1], parts[2]
	return s, phenomPart.MatchString(s.country) && phenomPart.MatchString(s.language)
}

// page is the site's search, or where visitors are led to it from.
func (s phenomSite) page() string {
	if s.country == "" {
		return "https://" + s.host + "/"
	}
	return "https://" + s.host + "/" + s.country + "/" + s.language + "/search-results"
}

// Read asks for page after page of the list. Some sites give it to those only who have been at a page, or not at all.
func (p phenom) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	s, ok := parsePhenomSite(board)
	if !ok {
		return failed(p, noName())
	}
	first, again, err := s.ask(ctx, client, 0)
	if again {
		visit, missed := s.visit(ctx, client)
		switch {
		case missed == nil:
		case isUnknown(missed), errors.Is(missed, ErrUnchanged), ctx.Err() != nil:
			return failed(p, missed)
		default:
			return failed(p, err)
		}
		client = with(client, visit.headers()...)
		refused := err
		if first, again, err = s.ask(ctx, client, 0); again {
			return p.readPages(ctx, client, visit, asListFault(refused))
		}
	}
	if err != nil {
		return failed(p, err)
	}
	return paged{most: 500}.read(ctx, p, func(at turn) (page, error) {
		found := first
		if at.page > 0 {
			var err error
			if found, _, err = s.ask(ctx, client, at.rows); err != nil {
				return page{}, err
			}
		}
		return found.page(s)
	})
}

// ask asks for one page of the list. again reports that it may be given to those who have been at a page.
func (s phenomSite) ask(ctx context.Context, client Doer, from int) (found phenomSearch, again bool, err error) {
	question := map[string]any{
		"ddoKey": "refineSearch", "pageName": "search-results", "siteType": "external", "deviceType": "desktop", "jobs": true, "counts": true,
		"from": from, "size": 100, "keywords": "", "all_fields": []string{"category", "country", "state", "city", "type"}, "selected_fields": map[string]any{},
	}
	if s.country != "" {
		question["lang"], question["country"] = s.language+"_"+s.country, s.country
	}
	encoded, err := json.Marshal(question)
	if err != nil {
		return found, false, fmt.Errorf("encode request: %w", err)
	}
	answered, err := send(ctx, client, http.MethodPost, "https://"+s.host+"/widgets", "application/json", encoded)
	if err != nil {
		return found, false, err
	}
	var said struct {
		RefineSearch *phenomSearch `json:"refineSearch"`
	}
	err = answered.decode(&said)
	if err == nil && (said.RefineSearch == nil || said.RefineSearch.TotalHits == nil || said.RefineSearch.Data.Jobs == nil) {
		err = didf("answered without a list of roles")
	}
	if err != nil {
		return found, answered.status != http.StatusTooManyRequests && answered.status < http.StatusInternalServerError, err
	}
	return *said.RefineSearch, false, nil
}

// phenomSearch is a page of the list.
type phenomSearch struct {
	TotalHits *count `json:"totalHits"`
	Data      struct {
		Jobs []json.RawMessage `json:"jobs"`
	} `json:"data"`
}

func (f phenomSearch) page(s phenomSite) (page, error) {
	if f.TotalHits == nil {
		return page{}, didf("answered without a total")
	}
	return pageOf(f.Data.Jobs, *f.TotalHits, func(job phenomJob) (boardwatch.Posting, bool) { return job.posting(s), true })
}

type phenomJob struct {
	JobSeqNo      id              `json:"jobSeqNo"`
	JobID         id              `json:"jobId"`
	ReqID         id              `json:"reqId"`
	Title         string          `json:"title"`
	City          string          `json:"city"`
	State         string          `json:"state"`
	Country       string          `json:"country"`
	Location      string          `json:"location"`
	CityState     string          `json:"cityState"`
	MultiLocation json.RawMessage `json:"multi_location"`
	Department    string          `json:"department"`
	Category      string          `json:"category"`
	Locale        string          `json:"locale"`

	Type       said `json:"type"`
	RemoteType said `json:"remoteType"`
	PostedDate said `json:"postedDate"`
}

// posting is one row. A role that is shown in several languages has a row in each, all with the company's own id of it.
func (j phenomJob) posting(s phenomSite) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: firstText(string(j.JobID), string(j.ReqID), string(j.JobSeqNo)), Title: unescape(j.Title, 1), Department: unescape(firstText(j.Department, j.Category), 1),
		Location: unescape(firstText(j.places(), j.Location, j.CityState, placeAsGiven(j.City, j.State, j.Country)), 1),
	}
	if s.country == "" {
		s.language, s.country, _ = strings.Cut(strings.ToLower(j.Locale), "_")
	}
	p.URL = "https://" + s.host
	if phenomPart.MatchString(s.country) && phenomPart.MatchString(s.language) {
		p.URL += "/" + s.country + "/" + s.language
	}
	p.URL += "/job/" + url.PathEscape(firstText(string(j.JobSeqNo), p.Key))
	p.Facts = boardwatch.Facts{
		PostedAt: date(j.PostedDate), Mode: fact.Mode(string(j.RemoteType)), Requisition: string(j.ReqID), Language: fact.Language(j.Locale),
	}
	employment(&p.Facts, j.Type)
	if j.places() == "" {
		fact.Places(&p.Facts, statedPlace(p.Location, said(j.City), said(j.Country)))
	}
	return p
}

// places are those of a role that has more than one.
func (j phenomJob) places() string {
	var several []string
	if json.Unmarshal(j.MultiLocation, &several) != nil || len(several) < 2 {
		return ""
	}
	return joinPlaces(several...)
}

// phenomVisit is a page of a site that was looked at.
type phenomVisit struct {
	site    phenomSite
	token   string
	content []byte
}

var (
	phenomPath    = lazyregexp.New(`^/([a-z][a-z-]{1,15})/([a-z]{2}(?:-[a-z]{2,4})?)(?:/|$)`)
	phenomCountry = lazyregexp.New(`"country"\s*:\s*"([a-z-]{2,16})"`)
	phenomLocale  = lazyregexp.New(`"locale"\s*:\s*"([a-z]{2}(?:-[a-z]{2,4})?)_[a-zA-Z-]{2,16}"`)
	phenomToken   = lazyregexp.New(`"csrfToken"\s*:\s*"([A-Za-z0-9._~+/=-]{8,400})"`)
)

// visit looks at a page of the site, which begins a session, and learns the site's country and language.
func (s phenomSite) visit(ctx context.Context, client Doer) (phenomVisit, error) {
	answered, err := sendOnHost(ctx, client, s.page())
	if err != nil {
		return phenomVisit{}, err
	}
	content, err := answered.page()
	if err != nil {
		return phenomVisit{}, err
	}
	page, err := parsePage(content)
	if err != nil {
		return phenomVisit{}, err
	}
	visit := phenomVisit{site: s, content: content}
	element := page.Find("#csrfToken").First()
	if token := strings.TrimSpace(firstText(element.AttrOr("value", ""), element.Text())); !strings.ContainsAny(token, "\r\n") {
		visit.token = token
	}
	visit.token = firstText(visit.token, captured(phenomToken, string(content)))
	if s.country == "" {
		visit.site.country, visit.site.language = phenomLanguage(answered.address, content)
	}
	return visit, nil
}

// phenomLanguage is the country and the language of a page: in its address, or in its state.
func phenomLanguage(address string, content []byte) (country, language string) {
	if u, err := url.Parse(address); err == nil {
		if m := phenomPath.FindStringSubmatch(u.Path); m != nil {
			return m[1], m[2]
		}
	}
	in, of := phenomCountry.FindSubmatch(content), phenomLocale.FindSubmatch(content)
	if in == nil || of == nil {
		return "", ""
	}
	return string(in[1]), string(of[1])
}

func (v phenomVisit) headers() []string {
	headers := []string{"Referer", v.site.page()}
	if v.token != "" {
		headers = append(headers, "X-CSRF-TOKEN", v.token, "csrf-token", v.token)
	}
	return headers
}

// phenomDDO is where the state of a page begins.
var phenomDDO = lazyregexp.New(`\bphApp\.ddo\s*=`)

// readPages reads the list from the state of the site's own pages, which show fewer roles each. refused is why the list
// itself cannot be had, which stays the reason when the pages have none either.
func (p phenom) readPages(ctx context.Context, client Doer, visit phenomVisit, refused error) (boardwatch.Reading, error) {
	s := visit.site
	if s.country == "" {
		return failed(p, refused)
	}
	first, err := phenomState(visit.content)
	if err != nil {
		first, err = s.search(ctx, client, 0)
	}
	if _, answered := errors.AsType[*systemError](err); answered {
		err = refused
	}
	if err != nil {
		return failed(p, err)
	}
	return paged{most: 500}.read(ctx, p, func(at turn) (page, error) {
		found := first
		if at.page > 0 {
			var err error
			if found, err = s.search(ctx, client, at.rows); err != nil {
				return page{}, err
			}
		}
		return found.page(s)
	})
}

// search is what a page of the site's search shows.
func (s phenomSite) search(ctx context.Context, client Doer, from int) (phenomSearch, error) {
	address := s.page()
	if from > 0 {
		address += "?from=" + strconv.Itoa(from) + "&s=1"
	}
	content, err := getPage(ctx, client, address)
	if err != nil {
		return phenomSearch{}, err
	}
	return phenomState(content)
}

// phenomState is the list in the state of a page.
func phenomState(content []byte) (phenomSearch, error) {
	at := phenomDDO.FindIndex(content)
	if at == nil {
		return phenomSearch{}, didf("answered with a page without the roles' data")
	}
	var state struct {
		Search *phenomSearch `json:"eagerLoadRefineSearch"`
	}
	if err := stateIn(string(content[at[1]:]), "", &state); err != nil {
		return phenomSearch{}, err
	}
	if state.Search == nil || state.Search.Data.Jobs == nil {
		return phenomSearch{}, didf("answered with a page without the roles' data")
	}
	return *state.Search, nil
}

// phenomEmployer is what the site calls itself.
func phenomEmployer(ctx context.Context, client Doer, board string) (string, error) {
	s, _ := parsePhenomSite(board)
	answered, err := sendOnHost(ctx, client, s.page())
	if err != nil {
		return "", err
	}
	content, err := answered.page()
	if err != nil {
		return "", err
	}
	page, err := parsePage(content)
	if err != nil {
		return "", err
	}
	return firstText(companyInPart(collapse(page.Find(`meta[property="og:site_name"]`).AttrOr("content", ""))), companyInTitle(page)), nil
}

// Embedded knows the vendor's pages at companies' own hosts: what they are made of comes from the vendor, and they carry its
// state or its marks.
func (phenom) Embedded(page *goquery.Document) (board string, ok bool) {
	host := ownHost(page)
	if host == "" || page.Find(`script[src*="phenompeople.com/"], link[href*="phenompeople.com/"]`).Length() == 0 {
		return "", false
	}
	if page.Find("[data-ph-at-id], [data-ph-id]").Length() == 0 && !strings.Contains(scriptsOf(page), "phApp") {
		return "", false
	}
	return host, true
}
