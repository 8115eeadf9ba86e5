package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// taleo reads two products of one vendor: the career sections of the Enterprise edition, here, and the career sites of the
// Business edition, in taleo_business.go. Their hosts tell which of the two a board belongs to.
type taleo struct{ namer }

func init() {
	register(taleo{namer{employer: taleoEmployer, declared: &declared{
		name: "taleo",
		about: About{
			Name: "Taleo Enterprise and Business Edition", Site: "oracle.com",
			Addresses: []string{
				"{tenant}.taleo.net/careersection/{section}/jobsearch.ftl", "{cluster}.tbe.taleo.net/{server}/ats/careers/v2/searchResults?org={client}&cws={site}",
			},
			Endpoint: "POST https://{tenant}.taleo.net/careersection/rest/jobboard/searchjobs",
			Reads:    "id, title, places, address, total; of the Business edition the department where the list has it",
			Evidence: Several,
		},
		board: taleoBoard,
		valid: func(board string) bool {
			_, section := parseTaleoSection(board)
			_, site := parseTaleoSite(board)
			return section || site
		},
		page: taleoPage,
	}}})
}

const taleoDomain = "taleo.net"

// taleoBoard finds boards in the addresses of career sections with their searches and roles, and of career sites of the
// Business edition.
func taleoBoard(a address) string {
	switch {
	case !a.under(taleoDomain):
		return ""
	case taleoBusinessHost.MatchString(a.host) && taleoBusinessPath(a.path()):
		return taleoSite{a.host, a.value("org"), a.value("cws")}.board()
	case taleoBusinessHost.MatchString(a.host) || a.segment(2) == "":
		return ""
	}
	return a.host + "/" + a.below("careersection")
}

// taleoSection is one career section of a tenant: one for people outside, others for employees or graduates.
type taleoSection struct{ host, section string }

func parseTaleoSection(board string) (taleoSection, bool) {
	host, section, _ := strings.Cut(board, "/")
	s := taleoSection{host, section}
	return s, s.valid()
}

func (s taleoSection) valid() bool {
	switch strings.ToLower(s.section) {
	case "rest", "theme", "themes", "static", "images", "application":
		return false
	}
	return address{host: s.host}.tenant(taleoDomain) != "" && isToken(s.section)
}

func (s taleoSection) page(name string) string {
	return "https://" + s.host + "/careersection/" + s.section + "/" + name
}

// taleoPage is the search of a section, or the career site's own address.
func taleoPage(board string) string {
	if s, ok := parseTaleoSite(board); ok {
		return s.page()
	}
	s, _ := parseTaleoSection(board)
	return s.page("jobsearch.ftl")
}

// taleoPortal is the number by which a section's page asks for its list.
var taleoPortal = lazyregexp.New(`\bportalNo['"]?\s*[:=]\s*['"]?([0-9]{3,20})`)

// Read asks for the section's page, which begins a session, and then for page after page of its list.
func (t taleo) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if s, ok := parseTaleoSite(board); ok {
		return t.readSite(ctx, client, s)
	}
	s, ok := parseTaleoSection(board)
	if !ok {
		return failed(t, noName())
	}
	content, err := getPage(ctx, client, s.page("jobsearch.ftl?lang=en"))
	if err != nil {
		return failed(t, err)
	}
	portal := captured(taleoPortal, string(content))
	if portal == "" {
		return failed(t, didf("answered with a page that does not say where its list is"))
	}
	front, err := parsePage(content)
	if err != nil {
		return failed(t, err)
	}
	address := fmt.Sprintf("https://%s/careersection/rest/jobboard/searchjobs?lang=en&portal=%s", s.host, portal)
	client = with(client, "tz", "GMT+00:00", "tzname", "UTC", "X-Requested-With", "XMLHttpRequest")
	reading, err := paged{}.read(ctx, t, func(at turn) (page, error) {
		var list struct {
			RequisitionList []json.RawMessage `json:"requisitionList"`
			PagingData      struct {
				TotalCount *count `json:"totalCount"`
			} `json:"pagingData"`
		}
		if err := postJSON(ctx, client, address, taleoQuestion(at.page+1), &list); err != nil {
			return page{}, asListFault(err)
		}
		return pageOfTotal(list.RequisitionList, list.PagingData.TotalCount, func(job taleoJob) (boardwatch.Posting, bool) { return job.posting(s), true })
	})
	if err == nil && reading.Health.Read() {
		reading.Company = companyInTitle(front)
	}
	return reading, err
}

// taleoQuestion asks for one page of all roles, the latest first.
func taleoQuestion(page int) map[string]any {
	none := map[string]any{"searchFilterSelections": []string{}}
	return map[string]any{
		"multilineEnabled": false, "sortingSelection": map[string]any{"sortBySelectionParam": "3", "ascendingSortingOrder": "false"},
		"fieldData":            map[string]any{"fields": map[string]any{}, "valid": true},
		"filterSelectionParam": none, "advancedSearchFiltersSelectionParam": none, "pageNo": page,
	}
}

type taleoJob struct {
	JobID            id    `json:"jobId"`
	ContestNo        id    `json:"contestNo"`
	Column           []id  `json:"column"`
	LocationsColumns []int `json:"locationsColumns"`
}

// posting is one role. Its columns are those that the section shows: the title is the first.
func (j taleoJob) posting(s taleoSection) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: firstText(string(j.JobID), string(j.ContestNo)), Location: j.places(),
		URL: s.page("jobdetail.ftl?job=" + url.QueryEscape(firstText(string(j.ContestNo), string(j.JobID)))),
	}
	if len(j.Column) > 0 {
		p.Title = string(j.Column[0])
	}
	p.Facts.PostedAt, p.Facts.Requisition = j.postedAt(), string(j.ContestNo)
	return p
}

// postedAt is the date in the columns; of several, nobody knows which is meant.
func (j taleoJob) postedAt() (at boardwatch.Stated) {
	for _, cell := range j.Column {
		if day := fact.Date(string(cell)); day != "" && at != "" {
			return ""
		} else if day != "" {
			at = day
		}
	}
	return at
}

// places are in the columns that the row itself calls so; where it calls none so, in the first that is a list.
func (j taleoJob) places() string {
	var places []string
	for i, cell := range j.Column {
		if i > 0 && slices.Contains(j.LocationsColumns, i) {
			several, _ := taleoPlaces(string(cell))
			places = append(places, several...)
		}
	}
	for _, cell := range j.Column[min(1, len(j.Column)):] {
		if several, isList := taleoPlaces(string(cell)); isList && len(places) == 0 && len(j.LocationsColumns) == 0 {
			places = several
		}
	}
	return joinPlaces(places...)
}

// taleoPlaces are the places in a cell: a list in JSON, or one text.
func taleoPlaces(cell string) (places []string, isList bool) {
	if json.Unmarshal([]byte(cell), &places) == nil && places != nil {
		return places, true
	}
	return []string{cell}, false
}
