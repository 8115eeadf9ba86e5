package ats_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// The tests of this file run against recordings of real boards, which are not part of the repository: BOARDWATCH_CORPUS
// names their folder. A system takes part as soon as it has an adapter.

func corpusFile(tb testing.TB, name string) []byte {
	tb.Helper()
	folder := os.Getenv("BOARDWATCH_CORPUS")
	if folder == "" {
		tb.Skip("BOARDWATCH_CORPUS names no folder of recordings")
	}
	content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	require.NoError(tb, err)
	return content
}

// TestCorpusAddresses judges every listed address: one of a system that has an adapter names its board, any other names
// none. No address names two. The list is not free of errors itself, so that one row in two hundred may be missed, of one
// system one in fifty, but an address may not be taken for a board that is none.
func TestCorpusAddresses(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(strings.NewReader(string(corpusFile(t, "addresses/open.csv")))).ReadAll()
	require.NoError(t, err)
	judged, without, missed := make(map[string]int), make(map[string]int), make(map[string][]string)
	for _, row := range rows[1:] {
		address, system, token := row[0], row[1], row[2]
		if adapter(system) == nil {
			without[system]++
			system, token = "", ""
		}
		judged[system]++
		u, err := url.Parse(address)
		if err != nil {
			require.Empty(t, system, address)
			continue
		}
		var got []string
		for _, a := range ats.All() {
			if board, ok := a.Match(u); ok {
				got = append(got, a.Name()+":"+board)
			}
		}
		require.LessOrEqual(t, len(got), 1, "%s is several boards: %v", address, got)
		want := system + ":" + token
		found := strings.Join(append(got, ":")[:1], "")
		same := found == want
		if slices.Contains([]string{"ukg", "dayforce", "paycom"}, system) {
			same = strings.EqualFold(found, want)
		}
		if slices.Contains([]string{"intervieweb", "oleeo"}, system) { // listed by their host, which several companies may share
			same = same || strings.HasPrefix(found, want+"/") || slices.Contains([]string{"cezanneondemand", "inrecruiting"}, token) && found == ":"
		}
		if !same {
			missed[system] = append(missed[system], address+": got "+found+", want "+want)
		}
	}
	for system, rows := range missed {
		t.Logf("%s: %d of %d missed:\n%s", system, len(rows), judged[system], strings.Join(rows[:min(len(rows), 10)], "\n"))
	}
	all, wrong := 0, 0
	for system, n := range judged {
		rows := len(missed[system])
		require.LessOrEqual(t, 50*rows, n+49, "%s: %d of %d", system, rows, n)
		all, wrong = all+n, wrong+rows
	}
	require.LessOrEqual(t, 200*wrong, all, "%d of %d", wrong, all)
	require.Empty(t, missed[""], "taken for boards")
	t.Logf("judged %v; without an adapter: %d systems", judged, len(without))
}

// TestCorpusIsToldFast: ten thousand addresses take less than a second.
func TestCorpusIsToldFast(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(bytes.NewReader(corpusFile(t, "addresses/open.csv"))).ReadAll()
	require.NoError(t, err)
	var addresses []*url.URL
	for _, row := range rows[1:10_001] {
		if u, err := url.Parse(row[0]); err == nil {
			addresses = append(addresses, u)
		}
	}
	adapters := ats.All()
	best := time.Hour // of three, on a machine that does other things meanwhile
	for range 3 {
		start := time.Now()
		for _, u := range addresses {
			ats.Match(u, adapters)
		}
		best = min(best, time.Since(start))
	}
	t.Logf("%d addresses in %v", len(addresses), best)
	require.Less(t, best, time.Second)
}

// recording is one entry of the corpus' manifest.
type recording struct {
	File         string `json:"file"`
	ATS          string `json:"ats"`
	Kind         string `json:"kind"` // list, list-page, page, detail, meta, error
	URL          string `json:"url"`
	Status       int    `json:"status"`
	Jobs         *int   `json:"jobs"`
	TotalClaimed *int   `json:"total_claimed"`
	Facts        []fact `json:"facts"`
}

// fact is what the manifest says about one row of a recording.
type fact struct {
	ID         any    `json:"id"`
	Hash       string `json:"hash"`
	Title      string `json:"title"`
	Location   string `json:"location"`
	Department string `json:"department"`
	Team       string `json:"team"`
	URL        string `json:"url"`
	IsListed   *bool  `json:"isListed"`
}

// look is one reading of a board as it was recorded: one answer, or the pages of a list in their order.
type look struct {
	system string
	name   string
	pages  []recording
}

// system is the name of an adapter, from a manifest that adds remarks in brackets.
func (r recording) system() string {
	name, _, _ := strings.Cut(r.ATS, " (")
	return strings.ReplaceAll(name, " ", "")
}

var pageMark = regexp.MustCompile(`\.(?:page-|offset-)(\d+)`)

// looks puts the recordings of lists together that belong to one reading.
func looks(tb testing.TB) []look {
	tb.Helper()
	var out []look
	at := make(map[string]int)
	for _, r := range manifest(tb) {
		if !slices.Contains([]string{"list", "list-page", "page"}, r.Kind) || r.Jobs == nil {
			continue
		}
		name := pageMark.ReplaceAllString(r.File, "")
		if i, ok := at[name]; ok {
			out[i].pages = append(out[i].pages, r)
			continue
		}
		at[name] = len(out)
		out = append(out, look{r.system(), name, []recording{r}})
	}
	for _, l := range out {
		slices.SortFunc(l.pages, func(a, b recording) int { return pageNumber(a.File) - pageNumber(b.File) })
	}
	return out
}

func pageNumber(file string) int {
	if m := pageMark.FindStringSubmatch(file); m != nil {
		return must(strconv.Atoi(m[1]))
	}
	return 0
}

func manifest(tb testing.TB) []recording {
	tb.Helper()
	var all []recording
	require.NoError(tb, json.Unmarshal(corpusFile(tb, "MANIFEST.json"), &all))
	return all
}

// A stage is what a recording needs that does not say itself where it was made: the board, and what the adapter asks for
// before and instead of the recorded address.
type stage struct {
	board string
	path  string            // of the list, in place of the recorded one
	also  map[string]string // other answers by path
	why   string            // why it cannot be played, when it cannot
}

// TestCorpusLists reads every recorded list with its adapter.
func TestCorpusLists(t *testing.T) {
	t.Parallel()
	without := make(map[string]int)
	for _, l := range looks(t) {
		a := adapter(l.system)
		if a == nil {
			without[l.system]++
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			if why := stages[l.name].why; why != "" {
				t.Skip(why)
			}
			reading, asked := l.read(t, a)
			if !asked && l.pages[0].Kind == "page" {
				t.Skip("a page of a system whose roles are read elsewhere")
			}
			checkList(t, a, l, reading)
		})
	}
	t.Logf("systems without an adapter: %v", without)
}

// read plays the recording to its adapter, and reports whether any of it was asked for.
func (l look) read(tb testing.TB, a ats.Adapter) (_ boardwatch.Reading, asked bool) {
	tb.Helper()
	p := l.playback(tb, a)
	reading, err := ats.Read(tb.Context(), a, p, p.board)
	require.NoError(tb, err)
	return reading.Normalize(), len(p.given) > 0
}

// playback is the recording on its stage.
func (l look) playback(tb testing.TB, a ats.Adapter) *playback {
	tb.Helper()
	s := stages[l.name]
	if s.board == "" || s.path == "" {
		address, _, _ := strings.Cut(l.pages[0].URL, " ") // some carry a remark
		u, err := url.Parse(address)
		require.NoError(tb, err)
		board, ok := a.Match(u)
		require.True(tb, ok || s.board != "", "%s names no board", address)
		s.board, s.path = cmp.Or(s.board, board), cmp.Or(s.path, u.Path)
	}
	p := &playback{stage: s, given: make(map[string]answered)}
	for _, r := range l.pages {
		for _, body := range answersIn(corpusFile(tb, r.File)) {
			p.pages = append(p.pages, answered{exchange{Status: r.Status}, body})
		}
	}
	return p
}

// answersIn are the answers in a recording, of which some have two in one object.
func answersIn(body []byte) [][]byte {
	var both struct {
		Page1 json.RawMessage `json:"page1"`
		Page2 json.RawMessage `json:"page2"`
	}
	if json.Unmarshal(body, &both) == nil && both.Page1 != nil && both.Page2 != nil {
		return [][]byte{both.Page1, both.Page2}
	}
	return [][]byte{body}
}

// playback answers requests for the list with one recorded page after the other, whatever their query, and the same
// request with the same page. It knows nothing else.
type playback struct {
	stage

	pages []answered
	given map[string]answered
}

func (p *playback) Do(r *http.Request) (*http.Response, error) {
	same := func(path string) bool {
		return strings.EqualFold(strings.TrimSuffix(path, "/"), strings.TrimSuffix(r.URL.Path, "/"))
	}
	for path, body := range p.also {
		if same(path) {
			return exchange{Status: http.StatusOK}.response([]byte(body), r), nil
		}
	}
	question := r.Method + r.URL.String()
	if r.Body != nil {
		question += string(must(io.ReadAll(r.Body)))
	}
	a, again := p.given[question]
	switch {
	case again:
	case !same(p.path) || len(p.pages) == 0:
		a = answered{exchange{Status: http.StatusNotFound}, []byte(`{"error": "not found"}`)}
	default:
		a, p.pages = p.pages[0], p.pages[1:]
		p.given[question] = a
	}
	return a.response(a.body, r), nil
}

func checkList(t *testing.T, a ats.Adapter, l look, reading boardwatch.Reading) {
	t.Helper()
	rows, claimed := 0, -1
	byKey := make(map[string]boardwatch.Posting)
	for _, p := range reading.Postings {
		byKey[p.Key] = p
	}
	for i, r := range l.pages {
		rows += *r.Jobs
		if i == 0 && r.TotalClaimed != nil {
			claimed = *r.TotalClaimed
		}
		for _, f := range r.Facts {
			checkFact(t, byKey, f)
		}
	}
	switch {
	case len(reading.Skipped) > 0 || claimed > rows:
		require.NotEqual(t, boardwatch.HealthOK, reading.Health, "%d of %d rows", rows, claimed)
	case ats.Experimental(a):
		require.True(t, reading.Health.Read(), reading.Reason)
	default:
		require.Equal(t, boardwatch.HealthOK, reading.Health, reading.Reason)
	}
	read := recordedRows[l.system]
	if read == nil {
		require.LessOrEqual(t, len(reading.Postings), rows)
		return
	}
	var document any
	require.NoError(t, json.Unmarshal(corpusFile(t, l.pages[0].File), &document))
	listed := slices.Clone(reading.Postings)
	for i := range listed {
		listed[i].Facts, listed[i].Text = boardwatch.Facts{}, ""
	}
	require.Equal(t, normalized(read(document)...), listed, "what the recording itself holds")
}

// checkFact looks for the role of a row. The manifest gives one place of roles that have several rows, and addresses as they
// stand in the answer.
func checkFact(t *testing.T, byKey map[string]boardwatch.Posting, f fact) {
	t.Helper()
	p, ok := byKey[key(f.ID)]
	if !ok && f.Hash != "" {
		p, ok = byKey[f.Hash]
	}
	if address, _, _ := strings.Cut(f.URL, "?"); !ok && f.IsListed == nil && address != "" {
		for _, other := range byKey {
			if shown, _, _ := strings.Cut(other.URL, "?"); shown == address {
				p, ok = other, true
			}
		}
	}
	if f.IsListed != nil && !*f.IsListed {
		require.False(t, ok, "a role that is not listed")
		return
	}
	if f.Title == "" {
		require.False(t, ok, "a row without a title")
		return
	}
	require.True(t, ok, "the role %v", f.ID)
	title := normalized(boardwatch.Posting{Key: p.Key, Title: f.Title})[0].Title
	require.True(t, p.Title == title || strings.HasPrefix(title, p.Title+" ("), "%q and %q", p.Title, title)
	if f.Location != "" && !strings.HasPrefix(f.Location, "[") {
		location := normalized(boardwatch.Posting{Key: p.Key, Title: f.Title, Location: f.Location})[0].Location
		places := strings.Split(p.Location, "; ")
		for place := range strings.SplitSeq(location, "; ") {
			require.True(t, slices.Contains(places, place) || p.Location == location, "%q and %q", p.Location, location)
		}
	}
	if department := cmp.Or(f.Department, f.Team); department != "" {
		require.Equal(t, normalized(boardwatch.Posting{Key: p.Key, Title: f.Title, Department: department})[0].Department, p.Department)
	}
	if address, _, _ := strings.Cut(f.URL, " "); address != "" && !otherAddress.MatchString(address) {
		address = normalized(boardwatch.Posting{Key: p.Key, Title: f.Title, URL: address})[0].URL
		address, _, _ = strings.Cut(address, "?")
		shown, _, _ := strings.Cut(p.URL, "?")
		require.True(t, strings.HasSuffix(strings.ToLower(shown), strings.ToLower(address)), "%q and %q", p.URL, f.URL)
	}
}

// otherAddress are addresses of answers that are not the pages of roles for people.
var otherAddress = regexp.MustCompile(`//api\.smartrecruiters\.com/|\.icims\.com/jobs/\d+/login$`)

// TestCorpusErrors reads every recorded answer of a board that is not there, or not given.
func TestCorpusErrors(t *testing.T) {
	t.Parallel()
	for _, r := range manifest(t) {
		a := adapter(r.system())
		if a == nil || r.Kind != "error" {
			continue
		}
		u, err := url.Parse(r.URL)
		require.NoError(t, err)
		board, ok := a.Match(u)
		if !ok || r.Status == http.StatusOK {
			continue
		}
		t.Run(r.File, func(t *testing.T) {
			t.Parallel()
			reading, err := ats.Read(t.Context(), a, replay(u, r.Status, corpusFile(t, r.File)), board)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthFailed, reading.Health)
			require.Empty(t, reading.Postings)
			require.Contains(t, reading.Reason, a.Name())
			if r.Status == http.StatusNotFound {
				require.True(t, reading.Unknown, reading.Reason)
			}
		})
	}
}

// TestCorpusCompanies asks for the employers' names where they were recorded.
func TestCorpusCompanies(t *testing.T) {
	t.Parallel()
	for _, r := range manifest(t) {
		namer, ok := adapter(r.system()).(ats.Namer)
		if !ok || r.Kind != "meta" {
			continue
		}
		u, err := url.Parse(r.URL)
		require.NoError(t, err)
		if board, ok := adapter(r.system()).Match(u); ok {
			company, err := namer.Company(t.Context(), replay(u, r.Status, corpusFile(t, r.File)), board)
			t.Logf("%s: %q %v", r.File, company, err)
		}
	}
}

// TestCorpusSeries reads boards that were recorded on several days, and compares what came, went and changed.
func TestCorpusSeries(t *testing.T) {
	t.Parallel()
	var series []struct {
		ATS     string    `json:"ats"`
		Company string    `json:"company"`
		Date    string    `json:"date"`
		Files   []string  `json:"files"`
		Roles   int       `json:"roles"`
		New     *[]string `json:"new"`
		Gone    *[]string `json:"gone"`
		Changed *[]string `json:"changed"`
	}
	require.NoError(t, json.Unmarshal(corpusFile(t, "SERIES.json"), &series))
	byFile := make(map[string]look)
	for _, l := range looks(t) {
		byFile[l.pages[0].File] = l
	}
	last := make(map[string]map[string]boardwatch.Posting)
	for _, day := range series {
		a := adapter(day.ATS)
		l, ok := byFile[day.Files[0]]
		if a == nil || !ok || stages[l.name].why != "" {
			continue
		}
		now := make(map[string]boardwatch.Posting)
		reading, _ := l.read(t, a)
		for _, p := range reading.Postings {
			now[p.Key] = p
		}
		require.Len(t, now, day.Roles, l.name)
		before, known := last[day.ATS+day.Company]
		last[day.ATS+day.Company] = now
		if !known || day.New == nil {
			continue
		}
		var fresh, gone, changed []string
		for key, p := range now {
			old, ok := before[key]
			switch {
			case !ok:
				fresh = append(fresh, key)
			case p.Title != old.Title || p.Location != old.Location || p.Department != old.Department:
				changed = append(changed, key)
			}
		}
		for key := range before {
			if _, ok := now[key]; !ok {
				gone = append(gone, key)
			}
		}
		require.ElementsMatch(t, *day.New, fresh, l.name)
		require.ElementsMatch(t, *day.Gone, gone, l.name)
		require.ElementsMatch(t, *day.Changed, changed, l.name)
	}
}

// stages are the recordings that need one.
var stages = map[string]stage{
	"comeet/sample.json":           {board: "acme/30.005", path: "/careers-api/2.0/company/30.005/positions", also: map[string]string{"/jobs/acme/30.005": `<script>var token = "0123456789ABCDEF0123";</script>`}},
	"phenom/phenom.html":           {board: "careers.phenom.com/global/en"},
	"eightfold/qualcomm.pcsx.json": {board: "careers.qualcomm.com", also: map[string]string{"/careers": `<script>window._EF_GROUP_ID = "qualcomm.com";</script>`}},
	"eightfold/netflix.json":       {board: "explore.jobs.netflix.net", also: map[string]string{"/careers": `<script>window._EF_GROUP_ID = "netflix.com";</script>`}},
	"taleo/sample.json":            {board: "acme.taleo.net/2", path: "/careersection/rest/jobboard/searchjobs", also: map[string]string{"/careersection/2/jobsearch.ftl": "<script>portalNo: '1001'</script>"}},
	"dover/sample-company.json":    {board: "northwind", path: "/api/v1/careers-page/4711/jobs", also: map[string]string{"/api/v1/careers-page-slug/northwind": `{"id": "4711"}`}},
	"jibe/amd.json":                {board: "careers.amd.com"},
	"welcometothejungle/sample.json": {board: "nordic-softworks", path: "/1/indexes/*/queries", also: map[string]string{
		"/api/v1/organizations/nordic-softworks": `{"organization": {"name": "Nordic Softworks", "slug": "nordic-softworks"}}`,
		"/api/env":                               `window.env = {"PUBLIC_ALGOLIA_APPLICATION_ID": "AB12CD34EF", "PUBLIC_ALGOLIA_API_KEY_CLIENT": "00000000000000000000000000000000"};`,
	}},
	"successfactors/qorvo.rss.xml":                                 {board: "careers.qorvo.com", path: "/googlefeed.xml"},
	"successfactors/search-table-sample.html":                      {board: "careers.northwind.example", path: "/search/"},
	"ukg/sample.json":                                              {board: "recruiting.ultipro.com/acme/00000000-0000-4000-8000-000000000001", path: "/acme/JobBoard/00000000-0000-4000-8000-000000000001/JobBoardView/LoadSearchResults"},
	"workable/southern-national.jobs-workable-com.2024-05-01.json": {why: "ten of 172 roles, of another product of the vendor"},
	"workable/southern-national.jobs-workable-com.2024-05-23.json": {why: "ten of 192 roles, of another product of the vendor"},
}

// recordedRows reads the rows of a recording by another way than the adapters do.
var recordedRows = map[string]func(document any) []boardwatch.Posting{
	"breezy": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(document) {
			places := []string{text(at(row, "location", "name"))}
			for _, l := range list(at(row, "locations")) {
				places = append(places, text(at(l, "name")))
			}
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "id")), Title: text(at(row, "name")), Location: distinct(places), URL: text(at(row, "url")), Department: text(at(row, "department")),
			})
		}
		return out
	},
	"dover": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(document) {
			var places []string
			for _, l := range list(at(row, "locations")) {
				places = append(places, text(at(l, "name")))
			}
			id := key(at(row, "id"))
			out = append(out, boardwatch.Posting{
				Key: id, Title: text(at(row, "title")), Location: distinct(places), URL: "https://app.dover.com/apply/northwind/" + id,
			})
		}
		return out
	},
	"jibe": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(document, "jobs")) {
			slug := key(at(row, "data", "slug"))
			out = append(out, boardwatch.Posting{
				Key: slug, Title: text(at(row, "data", "title")), Location: text(at(row, "data", "full_location")), URL: "https://careers.amd.com/jobs/" + slug,
			})
		}
		return out
	},
	"oracle": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(list(at(document, "items"))[0], "requisitionList")) {
			places := []string{text(at(row, "PrimaryLocation"))}
			for _, l := range list(at(row, "secondaryLocations")) {
				places = append(places, text(at(l, "Name")))
			}
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "Id")), Title: text(at(row, "Title")), Location: distinct(places),
				URL: "https://ejov.fa.ca2.oraclecloud.com/hcmUI/CandidateExperience/en/sites/CX/job/" + key(at(row, "Id")),
			})
		}
		return out
	},
	"pinpoint": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(document, "data")) {
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "id")), Title: text(at(row, "title")), Location: text(at(row, "location", "name")), URL: text(at(row, "url")),
				Department: text(at(row, "job", "department", "name")),
			})
		}
		return out
	},
	"rippling": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(document) {
			out = append(out, boardwatch.Posting{
				Key: text(at(row, "uuid")), Title: text(at(row, "name")), Location: text(at(row, "workLocation", "label")), URL: text(at(row, "url")),
				Department: text(at(row, "department", "label")),
			})
		}
		for _, row := range list(at(document, "items")) {
			for _, l := range list(at(row, "locations")) {
				out = append(out, boardwatch.Posting{
					Key: text(at(row, "id")), Title: text(at(row, "name")), Location: text(at(l, "name")), URL: text(at(row, "url")),
					Department: text(at(row, "department", "name")),
				})
			}
		}
		return out
	},
	"greenhouse": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(document, "jobs")) {
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "id")), Title: text(at(row, "title")), Location: text(at(row, "location", "name")), URL: text(at(row, "absolute_url")),
			})
		}
		return out
	},
	"lever": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(document) {
			places := []string{text(at(row, "categories", "location"))}
			for _, l := range list(at(row, "categories", "allLocations")) {
				places = append(places, text(l))
			}
			p := boardwatch.Posting{
				Key: key(at(row, "id")), Title: text(at(row, "text")), Location: distinct(places), URL: text(at(row, "hostedUrl")),
				Department: text(at(row, "categories", "department")),
			}
			if p.Department == "" {
				p.Department = text(at(row, "categories", "team"))
			}
			out = append(out, p)
		}
		return out
	},
	"ashby": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(document, "jobs")) {
			if at(row, "isListed") == false {
				continue
			}
			places := []string{text(at(row, "location"))}
			for _, l := range list(at(row, "secondaryLocations")) {
				places = append(places, text(at(l, "location")))
			}
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "id")), Title: text(at(row, "title")), Location: distinct(places), URL: text(at(row, "jobUrl")),
				Department: text(at(row, "department")),
			})
		}
		return out
	},
	"smartrecruiters": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(document, "content")) {
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "id")), Title: text(at(row, "name")), Location: joined(at(row, "location"), "city", "region", "country"),
				Department: text(at(row, "department", "label")),
				URL:        "https://jobs.smartrecruiters.com/" + text(at(row, "company", "identifier")) + "/" + key(at(row, "id")),
			})
		}
		return out
	},
	"workable": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(document, "jobs")) {
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "shortcode")), Title: text(at(row, "title")), Location: joined(row, "city", "state", "country"),
				Department: text(at(row, "department")), URL: text(at(row, "url")),
			})
		}
		return out
	},
	"recruitee": func(document any) (out []boardwatch.Posting) {
		for _, row := range list(at(document, "offers")) {
			out = append(out, boardwatch.Posting{
				Key: key(at(row, "id")), Title: text(at(row, "title")), Location: text(at(row, "location")),
				Department: text(at(row, "department")), URL: text(at(row, "careers_url")),
			})
		}
		return out
	},
}

// joined is the named texts of a row, as far as there are any, joined with ", ".
func joined(row any, names ...string) string {
	var out []string
	for _, name := range names {
		if s := strings.TrimSpace(text(at(row, name))); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}

// replay answers requests for the recorded path, whatever their query, and knows nothing else.
func replay(u *url.URL, status int, body []byte) ats.Doer {
	path := func(u *url.URL) string { return strings.ToLower(u.Host) + strings.TrimSuffix(u.EscapedPath(), "/") }
	return doerFunc(func(r *http.Request) (*http.Response, error) {
		response := &http.Response{StatusCode: http.StatusNotFound, Header: make(http.Header), Body: io.NopCloser(strings.NewReader("Not Found")), Request: r}
		if path(r.URL) == path(u) {
			response.StatusCode, response.Body = status, io.NopCloser(strings.NewReader(string(body)))
		}
		return response, nil
	})
}

func adapter(system string) ats.Adapter {
	for _, a := range ats.All() {
		if a.Name() == system {
			return a
		}
	}
	return nil
}

func normalized(postings ...boardwatch.Posting) []boardwatch.Posting {
	return boardwatch.Reading{Postings: postings}.Normalize().Postings
}

func distinct(places []string) string {
	var out []string
	for _, p := range places {
		if p = strings.TrimSpace(p); p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}

// at follows the names into a document; nil when there is nothing.
func at(document any, names ...string) any {
	for _, name := range names {
		object, _ := document.(map[string]any)
		document = object[name]
	}
	return document
}

func list(document any) []any {
	rows, _ := document.([]any)
	return rows
}

func text(document any) string {
	s, _ := document.(string)
	return s
}

// key is an id as a posting carries it.
func key(id any) string {
	if n, ok := id.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return text(id)
}
