package ats_test

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// The tests of this file run against recordings of real boards, which are not part of the repository: BOARDWATCH_CORPUS
// names their folder. A system takes part as soon as it has an adapter.

func corpusFile(t *testing.T, name string) []byte {
	t.Helper()
	folder := os.Getenv("BOARDWATCH_CORPUS")
	if folder == "" {
		t.Skip("BOARDWATCH_CORPUS names no folder of recordings")
	}
	content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	require.NoError(t, err)
	return content
}

// TestCorpusAddresses judges every listed address: one of a system that has an adapter names exactly its board, any
// other names none.
func TestCorpusAddresses(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(strings.NewReader(string(corpusFile(t, "addresses/open.csv")))).ReadAll()
	require.NoError(t, err)
	judged, without := make(map[string]int), make(map[string]int)
	var wrong []string
	for _, row := range rows[1:] {
		address, system, token := row[0], row[1], row[2]
		if adapter(system) == nil {
			without[system]++
			system, token = "", ""
		} else {
			judged[system]++
		}
		u, err := url.Parse(address)
		if err != nil {
			require.Empty(t, system, address)
			continue
		}
		gotSystem, gotToken, _ := ats.Match(u, ats.All())
		same := gotToken == token
		if slices.Contains([]string{"ukg", "dayforce", "paycom"}, system) {
			same = strings.EqualFold(gotToken, token)
		}
		if gotSystem != system || !same {
			wrong = append(wrong, address+": got "+gotSystem+":"+gotToken+", want "+system+":"+token)
		}
	}
	require.Empty(t, wrong)
	t.Logf("judged %v; without an adapter: %d systems", judged, len(without))
}

// recording is one entry of the corpus' manifest.
type recording struct {
	File         string `json:"file"`
	ATS          string `json:"ats"`
	Kind         string `json:"kind"` // list, list-page, page, detail, meta, error
	Method       string `json:"method"`
	URL          string `json:"url"`
	Status       int    `json:"status"`
	Jobs         *int   `json:"jobs"`
	TotalClaimed *int   `json:"total_claimed"`
	Facts        []fact `json:"facts"`
}

// fact is what the manifest says about one row of a recording.
type fact struct {
	ID         any    `json:"id"`
	Title      string `json:"title"`
	Location   string `json:"location"`
	Department string `json:"department"`
	Team       string `json:"team"`
	URL        string `json:"url"`
	IsListed   *bool  `json:"isListed"`
}

// TestCorpusRecordings reads every recorded list and error answer with its adapter.
func TestCorpusRecordings(t *testing.T) {
	t.Parallel()
	var manifest []recording
	require.NoError(t, json.Unmarshal(corpusFile(t, "MANIFEST.json"), &manifest))
	lists, without := make(map[string]int), make(map[string]int)
	for _, r := range manifest {
		a := adapter(r.ATS)
		if a == nil {
			without[r.ATS]++
			continue
		}
		address, _, _ := strings.Cut(r.URL, " ") // some carry a remark
		u, err := url.Parse(address)
		require.NoError(t, err)
		board, ok := a.Match(u)
		if !ok {
			t.Logf("%s: %s names no board, so nothing of it is asked", r.File, r.URL)
			continue
		}
		client := replay(u, r.Status, corpusFile(t, r.File))
		switch r.Kind {
		case "list":
			lists[r.ATS]++
			t.Run(r.File, func(t *testing.T) {
				t.Parallel()
				checkList(t, a, board, client, r)
			})
		case "error":
			t.Run(r.File, func(t *testing.T) {
				t.Parallel()
				checkError(t, a, board, client, r)
			})
		case "meta":
			if namer, ok := a.(ats.Namer); ok {
				company, err := namer.Company(t.Context(), client, board)
				require.NoError(t, err, r.File)
				require.NotEmpty(t, company, r.File)
			}
		}
	}
	t.Logf("lists %v; systems without an adapter: %v", lists, without)
}

func checkList(t *testing.T, a ats.Adapter, board string, client ats.Doer, r recording) {
	t.Helper()
	reading, err := a.Read(t.Context(), client, board)
	require.NoError(t, err)
	reading = reading.Normalize()
	require.Equal(t, boardwatch.HealthOK, reading.Health, reading.Reason)
	require.Empty(t, reading.Skipped)
	if r.TotalClaimed != nil {
		require.Equal(t, *r.TotalClaimed, reading.Claimed)
	}
	byKey := make(map[string]boardwatch.Posting)
	for _, p := range reading.Postings {
		byKey[p.Key] = p
	}
	for _, f := range r.Facts {
		p, ok := byKey[key(f.ID)]
		if f.IsListed != nil && !*f.IsListed {
			require.False(t, ok, "a role that is not listed")
			continue
		}
		require.True(t, ok, "the role %v", f.ID)
		want := boardwatch.Posting{Key: p.Key, Title: f.Title, Location: p.Location, Department: f.Department, URL: f.URL}
		if want.Department == "" {
			want.Department = f.Team
		}
		require.Equal(t, normalized(want)[0], p)
		// The manifest gives a role's main place only.
		require.True(t, p.Location == f.Location || strings.HasPrefix(p.Location, f.Location+"; "), "%q and %q", p.Location, f.Location)
	}
	if rows := recordedRows[r.ATS]; rows != nil {
		var document any
		require.NoError(t, json.Unmarshal(corpusFile(t, r.File), &document))
		require.Equal(t, normalized(rows(document)...), reading.Postings, "what the recording itself holds")
	} else if r.Jobs != nil {
		require.Len(t, reading.Postings, *r.Jobs)
	}
}

func checkError(t *testing.T, a ats.Adapter, board string, client ats.Doer, r recording) {
	t.Helper()
	reading, err := a.Read(t.Context(), client, board)
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthFailed, reading.Health)
	require.Equal(t, r.Status == http.StatusNotFound, reading.Unknown, reading.Reason)
	require.Empty(t, reading.Postings)
	require.Contains(t, reading.Reason, a.Name())
}

// recordedRows reads the rows of a recording by another way than the adapters do.
var recordedRows = map[string]func(document any) []boardwatch.Posting{
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
