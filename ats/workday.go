package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// workday reads the career sites of Workday's tenants. A board is one site of one tenant in one data centre:
// "tenant.wd5/Site".
type workday struct{ *declared }

func init() {
	register(workday{&declared{
		name: "workday",
		about: About{
			Name: "Workday", Site: "workday.com",
			Addresses: []string{
				"{tenant}.wd{n}.myworkdayjobs.com/{site}", "{tenant}.wd{n}.myworkdayjobs.com/en-US/{site}",
				"wd{n}.myworkdaysite.com/recruiting/{tenant}/{site}", "{tenant}.wd{n}.myworkdayjobs.com/wday/cxs/{tenant}/{site}/jobs",
			},
			Endpoint: "POST https://{tenant}.wd{n}.myworkdayjobs.com/wday/cxs/{tenant}/{site}/jobs",
			Reads:    "requisition id, title, places, address; roles in several places are looked up one by one; departments are not published",
			Evidence: Recording,
			Pace: Pace{
				Every:  time.Second,
				Source: "Observed: a host answers one to two requests a second, and bursts with 403 and 429.",
			},
		},
		board: func(a address) string { return workdaySiteAt(a).board() },
		valid: func(board string) bool {
			_, ok := parseWorkdaySite(board)
			return ok
		},
		page: func(board string) string {
			s, _ := parseWorkdaySite(board)
			return s.page()
		},
	}})
}

var (
	workdayJobsHost = lazyregexp.New(`^([a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)\.(wd[0-9]{1,4})\.myworkdayjobs\.com$`)
	workdaySiteHost = lazyregexp.New(`^(wd[0-9]{1,4})\.myworkdaysite\.com$`)
	workdayLocale   = lazyregexp.New(`(?i)^[a-z]{2}[-_](?:[a-z]{2}|419|hans|hant)$`)
)

// workdaySiteAt finds sites in the addresses of pages and roles on both hosts, with and without a language, and of the API.
func workdaySiteAt(a address) workdaySite {
	if m := workdayJobsHost.FindStringSubmatch(a.host); m != nil {
		site := a.below("wday", "cxs", m[1])
		if !strings.EqualFold(a.segment(0), "wday") {
			site = nth(workdayPath(a), 0)
		}
		return workdaySite{tenant: m[1], center: m[2], site: site}
	}
	if m := workdaySiteHost.FindStringSubmatch(a.host); m != nil {
		path := workdayPath(a)
		switch {
		case nth(path, 0) == "recruiting":
			path = path[1:]
		case len(path) > 2 && path[0] == "wday" && path[1] == "cxs":
			path = path[2:]
		default:
			return workdaySite{}
		}
		return workdaySite{tenant: strings.ToLower(nth(path, 0)), center: m[1], site: nth(path, 1)}
	}
	return workdaySite{}
}

// workdayPath is the path without the languages before the site.
func workdayPath(a address) []string {
	path := a.path()
	for len(path) > 1 && workdayLocale.MatchString(path[0]) {
		path = path[1:]
	}
	return path
}

// workdaySite is a board, and where it is asked.
type workdaySite struct {
	tenant, center, site string
	shared               bool // on the host that all tenants of a data centre share
}

func parseWorkdaySite(board string) (workdaySite, bool) {
	host, site, _ := strings.Cut(board, "/")
	tenant, center, _ := strings.Cut(host, ".")
	s := workdaySite{tenant: tenant, center: center, site: site}
	return s, s.valid()
}

func (s workdaySite) valid() bool {
	switch s.site {
	case "job", "details", "wday", "recruiting":
		return false
	}
	return isToken(s.site) && workdayJobsHost.MatchString(s.tenant+"."+s.center+".myworkdayjobs.com")
}

func (s workdaySite) board() string {
	if !s.valid() {
		return ""
	}
	return s.tenant + "." + s.center + "/" + s.site
}

func (s workdaySite) host() string {
	if s.shared {
		return "https://" + s.center + ".myworkdaysite.com"
	}
	return "https://" + s.tenant + "." + s.center + ".myworkdayjobs.com"
}

func (s workdaySite) api() string { return s.host() + "/wday/cxs/" + s.tenant + "/" + s.site }

func (s workdaySite) page() string {
	if s.shared {
		return s.host() + "/recruiting/" + s.tenant + "/" + s.site
	}
	return s.host() + "/" + s.site
}

// workdayQuestion is what a list is asked with. Workday refuses one that lacks any of these, and a limit above 20.
type workdayQuestion struct {
	AppliedFacets map[string][]string `json:"appliedFacets"`
	Limit         int                 `json:"limit"`
	Offset        int                 `json:"offset"`
	SearchText    string              `json:"searchText"`
}

type workdayList struct {
	Total       count             `json:"total"`
	JobPostings []json.RawMessage `json:"jobPostings"`
	Facets      json.RawMessage   `json:"facets"`

	at string // when it was answered, by the server's clock
}

type workdayJob struct {
	Title         string   `json:"title"`
	ExternalPath  string   `json:"externalPath"`
	LocationsText string   `json:"locationsText"`
	BulletFields  []string `json:"bulletFields"`
	TimeType      said     `json:"timeType"`
	RemoteType    said     `json:"remoteType"`
	PostedOn      said     `json:"postedOn"`
}

const (
	workdayPage = 20   // the most that one answer holds
	workdayCap  = 2000 // the most that some tenants admit to, whatever they have
)

// Read asks for page after page. A site that shows as many roles as some tenants show at most is read in parts, cut by
// what the page offers as filters. Roles whose place is a number of places are looked up.
func (w workday) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	s, ok := parseWorkdaySite(board)
	if !ok {
		return failed(w, noName())
	}
	first, err := s.list(ctx, client, nil, 0)
	if isUnknown(err) {
		shared := s
		shared.shared = true
		list, elsewhere := shared.list(ctx, client, nil, 0)
		_, answered := errors.AsType[*systemError](elsewhere)
		if elsewhere == nil || answered && !isUnknown(elsewhere) || ctx.Err() != nil || errors.Is(elsewhere, ErrUnchanged) {
			s, first, err = shared, list, elsewhere
		}
	}
	if err != nil {
		return failed(w, err)
	}
	reader := workdayReader{workday: w, site: s, client: client}
	var reading boardwatch.Reading
	if first.Total == workdayCap {
		reading, err = reader.inParts(ctx, first)
	} else {
		reading, err = reader.whole(ctx, nil, first)
	}
	if err == nil && reading.Health.Read() {
		reader.lookUp(ctx, reading.Postings)
	}
	return reading, err
}

// list asks for one page.
func (s workdaySite) list(ctx context.Context, client Doer, facets map[string][]string, offset int) (workdayList, error) {
	if facets == nil {
		facets = map[string][]string{}
	}
	question, err := json.Marshal(workdayQuestion{AppliedFacets: facets, Limit: workdayPage, Offset: offset})
	if err != nil {
		return workdayList{}, fmt.Errorf("encode request: %w", err)
	}
	answered, err := send(ctx, client, http.MethodPost, s.api()+"/jobs", "application/json", question)
	if err != nil {
		return workdayList{}, err
	}
	var list workdayList
	err = answered.decode(&list)
	list.at = answered.header.Get("Date")
	e, ok := errors.AsType[*systemError](err)
	switch {
	case !ok:
	case answered.status == http.StatusNotFound, answered.status == http.StatusUnprocessableEntity:
		return list, noBoard(fmt.Sprintf("it answered %d", answered.status))
	case strings.Contains(strings.ToLower(answered.header.Get("Location")), "maintenance"):
		e.did, e.unknown = "is under maintenance", false
	}
	return list, err
}

// workdayReader reads one board once.
type workdayReader struct {
	workday

	site   workdaySite
	client Doer
}

// whole reads every page of what the facets leave, the first of which is there already. Only that one has the total for
// sure.
func (r workdayReader) whole(ctx context.Context, facets map[string][]string, first workdayList) (boardwatch.Reading, error) {
	return paged{most: 1500}.read(ctx, r.workday, func(at turn) (page, error) {
		list, err := first, error(nil)
		if at.page > 0 {
			list, err = r.site.list(ctx, r.client, facets, at.rows)
		}
		if err != nil {
			return page{}, err
		}
		return pageOf(list.JobPostings, list.Total, func(job workdayJob) (boardwatch.Posting, bool) {
			p, ok := r.posting(job)
			p.Facts.PostedAt = fact.DaysAgo(string(job.PostedOn), list.at)
			return p, ok
		})
	})
}

func (r workdayReader) posting(job workdayJob) (boardwatch.Posting, bool) {
	p := boardwatch.Posting{Key: job.key(), Title: job.Title, Location: strings.TrimSpace(job.LocationsText)}
	if p.Key != "" {
		p.URL = r.site.page() + job.ExternalPath
	}
	p.Facts.Mode = fact.Mode(string(job.RemoteType))
	if first := nth(job.BulletFields, 0); isWorkdayID(first) {
		p.Facts.Requisition = first
	}
	employment(&p.Facts, job.TimeType)
	return p, true
}

var (
	workdayNumber = lazyregexp.New(`^-[0-9]{1,3}$`)
	workdayDate   = lazyregexp.New(`^[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}$`)
)

// key is the requisition's id. It stands among the bullets, first as a rule, and ends the path, there perhaps with the
// number of the posting: the same requisition can be posted under several paths.
func (j workdayJob) key() string {
	if !strings.HasPrefix(j.ExternalPath, "/") {
		return ""
	}
	path := strings.TrimRight(j.ExternalPath, "/")
	slug := path[strings.LastIndex(path, "/")+1:]
	for _, bullet := range j.BulletFields {
		at := strings.LastIndex(slug, "_"+bullet)
		if bullet == "" || at < 0 {
			continue
		}
		if rest := slug[at+1+len(bullet):]; rest == "" || workdayNumber.MatchString(rest) {
			return bullet
		}
	}
	if first := nth(j.BulletFields, 0); isWorkdayID(first) {
		return first
	}
	if last := slug[strings.LastIndex(slug, "_")+1:]; last != "" {
		return last
	}
	return slug
}

// isWorkdayID tells ids from the dates and places that some tenants show first.
func isWorkdayID(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && !strings.ContainsFunc(s, unicode.IsSpace) &&
		!strings.ContainsAny(s, "/,()") && !workdayDate.MatchString(s) && len(s) <= 64
}

// workdayPlaces is a number of places, or the first of several, in whatever language.
var workdayPlaces = lazyregexp.New(`^[0-9]+ \pL+$|, [\pL ]+(?:\.\.\.|…)$`)

// lookUp asks for the places of roles that the list gives none of, or only their number.
func (r workdayReader) lookUp(ctx context.Context, postings []boardwatch.Posting) {
	details{
		adapter: r.workday,
		board:   r.site.board(),
		lacks: func(p boardwatch.Posting) bool {
			return p.Location == "" || workdayPlaces.MatchString(p.Location)
		},
		fetch: func(ctx context.Context, p *boardwatch.Posting) error {
			var detail struct {
				JobPostingInfo struct {
					Location            string   `json:"location"`
					AdditionalLocations []string `json:"additionalLocations"`
				} `json:"jobPostingInfo"`
			}
			path := strings.TrimPrefix(p.URL, r.site.page())
			if err := getJSON(ctx, r.client, r.site.api()+path, &detail); err != nil {
				return err
			}
			info := detail.JobPostingInfo
			places := joinPlaces(append([]string{info.Location}, info.AdditionalLocations...)...)
			if places == "" {
				return didf("shows a role without places")
			}
			p.Location = places
			return nil
		},
	}.fill(ctx, r.client, postings)
}
