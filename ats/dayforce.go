package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// dayforce reads jobs.dayforcehcm.com. Every client has a feed with all roles in all languages; where the feed has none,
// or is not there, the search of the board's page is asked.
type dayforce struct{ *declared }

func init() {
	register(dayforce{&declared{
		name: "dayforce",
		about: About{
			Name: "Dayforce", Site: "dayforce.com",
			Addresses: []string{
				"jobs.dayforcehcm.com/{namespace}/{board}", "jobs.dayforcehcm.com/en-US/{namespace}/{board}", "{region}.dayforcehcm.com/CandidatePortal/en-US/{namespace}",
				"{region}.dayforcehcm.com/CandidatePortal/en-US/{namespace}/Site/{board}",
			},
			Endpoint: "GET https://www.dayforcehcm.com/api/{namespace}/V1/JobFeeds?includeActivePostingOnly=true&internalJobBoardCode={board}",
			Reads:    "id, title, places, job family as department, address, company",
			Evidence: Several,
		},
		board: dayforceToken,
		valid: func(board string) bool {
			_, ok := parseDayforceBoard(board)
			return ok
		},
		page: dayforcePage,
	}})
}

const (
	dayforcePages = "https://jobs.dayforcehcm.com/"
	dayforceOld   = "https://www.dayforcehcm.com/CandidatePortal/en-US/"
)

// dayforceToken finds boards in the addresses of boards and roles, new and old, and of both lists. Case does not matter in
// them, so boards are written in lower case.
func dayforceToken(a address) string {
	var b dayforceBoard
	path := a.path()
	switch {
	case a.host == "jobs.dayforcehcm.com":
		b = dayforceBoardIn(path)
	case !a.under("dayforcehcm.com"):
		return ""
	case strings.EqualFold(nth(path, 0), "CandidatePortal") && isLocale(nth(path, 1)):
		b.namespace = nth(path, 2)
		if strings.EqualFold(nth(path, 3), "Site") {
			b.code = nth(path, 4)
		}
	case strings.EqualFold(nth(path, 0), "api") && strings.EqualFold(nth(path, 3), "JobFeeds"):
		b = dayforceBoard{nth(path, 1), a.value("internalJobBoardCode")}
	}
	return b.String()
}

// dayforceBoardIn is the board of a path on the new pages, which may begin with a language.
func dayforceBoardIn(path []string) dayforceBoard {
	if len(path) > 3 && path[0] == "api" && path[1] == "geo" {
		return dayforceBoard{namespace: path[2]}
	}
	if len(path) > 2 && path[0] != "api" && isLocale(path[0]) && !strings.EqualFold(path[2], "jobs") {
		path = path[1:]
	}
	if len(path) < 2 || len(path) == 2 && isLocale(path[0]) && strings.ContainsAny(path[0], "-_") {
		return dayforceBoard{}
	}
	return dayforceBoard{path[0], path[1]}
}

// dayforceBoard is a client's namespace and the code of one of its boards; "" is all of them.
type dayforceBoard struct{ namespace, code string }

func parseDayforceBoard(board string) (dayforceBoard, bool) {
	namespace, code, _ := strings.Cut(board, "/")
	b := dayforceBoard{namespace, code}
	return b, b.valid() && b.String() == strings.ToLower(board)
}

func (b dayforceBoard) valid() bool {
	switch strings.ToLower(b.namespace) {
	case "api", "_next", "static", "assets":
		return false
	}
	return isToken(b.namespace) && (b.code == "" || isToken(b.code))
}

// String is the board's token.
func (b dayforceBoard) String() string {
	if b.code == "" {
		return strings.ToLower(b.namespace)
	}
	return strings.ToLower(b.namespace + "/" + b.code)
}

// dayforcePage is the board's page, or a client's old page, which knows its board without a code.
func dayforcePage(board string) string {
	b, _ := parseDayforceBoard(board)
	if b.code == "" {
		return dayforceOld + b.namespace
	}
	return dayforcePages + b.namespace + "/" + b.code
}

// Read takes the whole list from the feed. An empty feed counts when the board's search says the same.
func (d dayforce) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	b, ok := parseDayforceBoard(board)
	if !ok {
		return failed(d, noName())
	}
	reading, err := d.feed(ctx, client, b)
	e, answered := errors.AsType[*systemError](err)
	switch {
	case err == nil && (len(reading.Postings) > 0 || len(reading.Skipped) > 0):
		return finish(d, reading, nil)
	case err != nil && !answered, answered && !e.unknown:
		return failed(d, err)
	}
	return d.search(ctx, client, b, err == nil)
}

// feed asks for the client's feed, which the vendor may keep on another of its hosts.
func (d dayforce) feed(ctx context.Context, client Doer, b dayforceBoard) (boardwatch.Reading, error) {
	address := "https://www.dayforcehcm.com/api/" + b.namespace + "/V1/JobFeeds?includeActivePostingOnly=true"
	if b.code != "" {
		address += "&internalJobBoardCode=" + b.code
	}
	answered, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	if moved := dayforceMoved(answered); moved != "" {
		if answered, err = send(ctx, client, http.MethodGet, moved, "application/json", nil); err != nil {
			return boardwatch.Reading{}, err
		}
	}
	if answered.status == http.StatusNotFound || answered.status == http.StatusBadRequest && !isPage(answered.body) {
		return boardwatch.Reading{}, noBoard(fmt.Sprintf("it answered %d", answered.status))
	}
	var rows []json.RawMessage
	if err := answered.decode(&rows); err != nil {
		return boardwatch.Reading{}, err
	}
	cultures := dayforceCultures(rows)
	companies := make(map[string]bool)
	reading, err := listing(rows, func(row dayforceRow) (boardwatch.Posting, bool) {
		p := row.posting()
		companies[collapse(firstText(row.CompanyName, row.ParentCompanyName))] = true
		return p, row.CultureCode == cultures[p.Key]
	})
	if len(companies) == 1 {
		for name := range companies {
			reading.Company = name
		}
	}
	return reading, err
}

// dayforceMoved is where a feed is when the vendor sends to another of its hosts for it.
func dayforceMoved(a answer) string {
	asked, err := url.Parse(a.address)
	if err != nil || a.status < 300 || a.status >= 400 {
		return ""
	}
	target, err := asked.Parse(a.header.Get("Location"))
	if err != nil {
		return ""
	}
	to, ok := parseAddress(target)
	if !ok || target.Scheme != "https" || target.Port() != "" || !isHost(to.host, "dayforcehcm.com") || to.host == asked.Hostname() {
		return ""
	}
	if !strings.EqualFold(target.Path, asked.Path) {
		return ""
	}
	return "https://" + to.host + asked.Path + "?" + asked.RawQuery
}

type dayforceRow struct {
	ReferenceNumber   id              `json:"ReferenceNumber"`
	Title             string          `json:"Title"`
	JobDetailsURL     string          `json:"JobDetailsUrl"`
	CultureCode       string          `json:"CultureCode"`
	CompanyName       string          `json:"CompanyName"`
	ParentCompanyName string          `json:"ParentCompanyName"`
	City              string          `json:"City"`
	State             string          `json:"State"`
	Country           string          `json:"Country"`
	AllLocations      json.RawMessage `json:"AllLocations"`
	IsVirtualLocation json.RawMessage `json:"IsVirtualLocation"`
	JobFamily         string          `json:"JobFamily"`
	JobFunction       string          `json:"JobFunction"`
}

// dayforcePosting is the number of a posting in its address, of the new pages and of the old.
var dayforcePosting = lazyregexp.New(`(?i)/(?:jobs|Posting/View)/([0-9]{1,18})(?:[/?#]|$)`)

// key is the number of the posting, which the search knows too; the reference number where the address has none.
func (r dayforceRow) key() string {
	return firstText(captured(dayforcePosting, r.JobDetailsURL), string(r.ReferenceNumber))
}

// posting is one row. A role in several places has a row for each.
func (r dayforceRow) posting() boardwatch.Posting {
	p := boardwatch.Posting{
		Key: r.key(), Title: r.Title, Location: firstText(placeAsGiven(r.City, r.State, r.Country), dayforcePlaces(r.AllLocations)),
		Department: firstText(r.JobFamily, r.JobFunction), URL: r.JobDetailsURL,
	}
	if virtual := strings.Trim(string(r.IsVirtualLocation), `"`); p.Location == "" && (strings.EqualFold(virtual, "true") || virtual == "1") {
		p.Location = "Remote"
	}
	return p
}

// dayforcePlaces are places in one text, or in a list of texts.
func dayforcePlaces(document json.RawMessage) string {
	var one string
	if json.Unmarshal(document, &one) == nil {
		return collapse(one)
	}
	var several []string
	if json.Unmarshal(document, &several) == nil {
		return joinPlaces(several...)
	}
	return ""
}

// dayforceCultures is the language in which each role of a feed is shown: a role has rows in every language that it is
// written in, in no certain order.
func dayforceCultures(rows []json.RawMessage) map[string]string {
	shown := make(map[string]string)
	for _, document := range rows {
		var row dayforceRow
		if _, err := decodeRow(document, &row); err != nil {
			continue
		}
		key := row.key()
		if known, ok := shown[key]; !ok || dayforceRank(row.CultureCode) < dayforceRank(known) {
			shown[key] = row.CultureCode
		}
	}
	return shown
}

// dayforceRank orders languages: the one that the vendor's pages begin with, its relatives, then the others.
func dayforceRank(culture string) string {
	lower := strings.ToLower(culture)
	at := slices.IndexFunc([]string{"en-us", "en-ca", "en"}, func(prefix string) bool { return strings.HasPrefix(lower, prefix) })
	return fmt.Sprintf("%d %s", (at+4)%4, lower)
}

type dayforceJob struct {
	JobPostingID id     `json:"jobPostingId"`
	JobTitle     string `json:"jobTitle"`
	Locations    []struct {
		FormattedAddress string `json:"formattedAddress"`
	} `json:"postingLocations"`
	HasVirtualLocation bool `json:"hasVirtualLocation"`
}

// search asks the search of the board's page for page after page. It shows the roles of one language, so that what it shows
// is the whole list only when the feed says that there are none either.
func (d dayforce) search(ctx context.Context, client Doer, b dayforceBoard, emptyFeed bool) (boardwatch.Reading, error) {
	var csrf struct {
		Token string `json:"csrfToken"`
	}
	if err := getJSON(ctx, client, dayforcePages+"api/auth/csrf", &csrf); err != nil {
		return failed(d, asListFault(err))
	}
	if csrf.Token == "" || strings.ContainsAny(csrf.Token, "\r\n") {
		return failed(d, didf("answered without a token for its search"))
	}
	client = with(client, "X-CSRF-TOKEN", csrf.Token, "Origin", strings.TrimSuffix(dayforcePages, "/"))
	const culture = "en-US"
	code := cmp.Or(b.code, "CANDIDATEPORTAL")
	reading, err := paged{size: 25}.read(ctx, d, func(at turn) (page, error) {
		var list struct {
			MaxCount    *count            `json:"maxCount"`
			JobPostings []json.RawMessage `json:"jobPostings"`
		}
		question := map[string]any{"clientNamespace": b.namespace, "jobBoardCode": code, "cultureCode": culture, "distanceUnit": 0, "paginationStart": at.rows}
		if err := postJSON(ctx, client, dayforcePages+"api/geo/"+b.namespace+"/jobposting/search", question, &list); err != nil {
			if emptyFeed && b.code == "" {
				err = asListFault(err) // the client is known, and the code is the usual one only
			}
			return page{}, err
		}
		return pageOfTotal(list.JobPostings, list.MaxCount, func(job dayforceJob) (boardwatch.Posting, bool) {
			return job.posting(dayforcePages + culture + "/" + b.namespace + "/" + code), true
		})
	})
	if err == nil && reading.Health == boardwatch.HealthOK && (!emptyFeed || len(reading.Postings) > 0) {
		reading.Health, reading.Cause, reading.Reason = boardwatch.HealthPartial, cause.Truncated, "dayforce does not have these roles in its feed, and its search shows those of one language only"
	}
	return reading, err
}

func (j dayforceJob) posting(board string) boardwatch.Posting {
	places := make([]string, len(j.Locations))
	for i, l := range j.Locations {
		places[i] = l.FormattedAddress
	}
	p := boardwatch.Posting{
		Key: string(j.JobPostingID), Title: j.JobTitle, Location: joinPlaces(places...), URL: board + "/jobs/" + url.PathEscape(string(j.JobPostingID)),
	}
	orRemote(&p, j.HasVirtualLocation)
	return p
}
