package watch_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// TestSeries replays recordings of real boards at several dates, which are not part of the repository, through the
// whole path from the request to the store. Each date's answer is repeated until nothing is pending; the roles found,
// closed and edited must be those known to have come, gone and changed. Every system with an adapter takes part.
func TestSeries(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("BOARDWATCH_CORPUS")
	if corpus == "" {
		t.Skip("BOARDWATCH_CORPUS names no folder of recordings")
	}
	var dates []seriesDate
	readJSON(t, filepath.Join(corpus, "SERIES.json"), &dates)
	var manifest []seriesFile
	readJSON(t, filepath.Join(corpus, "MANIFEST.json"), &manifest)

	boards := make(map[string][]seriesDate)
	for _, d := range dates {
		name := d.ATS + " " + d.Company
		boards[name] = append(boards[name], d)
	}
	played := 0
	for name, dates := range boards {
		first := archive(t, corpus, manifest, dates[0].Files)
		if first.source == "" {
			t.Logf("%s has no adapter yet", name)
			continue
		}
		played++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			w.track(t, first.source, first.url)
			seen, keyOf := make(map[string]bool), make(map[string]string)
			for _, d := range dates {
				got := w.play(t, archive(t, corpus, manifest, d.Files), keyOf)
				// Roles that continue under another id are neither new nor gone, though the series says so.
				for _, ids := range []*[]string{&d.New, &d.Gone, &d.Changed, &got.found, &got.reopened, &got.closed, &got.updated} {
					*ids = slices.DeleteFunc(*ids, func(id string) bool { return got.moved[id] })
				}
				if d.New == nil { // the first date
					require.Len(t, got.found, d.Roles)
					require.Empty(t, slices.Concat(got.reopened, got.closed, got.updated))
				} else {
					returned := slices.DeleteFunc(slices.Clone(d.New), func(id string) bool { return !seen[id] })
					require.ElementsMatch(t, d.New, slices.Concat(got.found, got.reopened), d.Date)
					require.ElementsMatch(t, returned, got.reopened, d.Date)
					require.ElementsMatch(t, d.Gone, got.closed, d.Date)
					changed := slices.DeleteFunc(slices.Clone(d.Changed), func(id string) bool { return slices.Contains(got.untitled, id) })
					require.ElementsMatch(t, changed, got.updated, d.Date)
				}
				for _, id := range got.found {
					seen[id] = true
				}
			}
		})
	}
	require.NotZero(t, played)
}

type seriesDate struct {
	ATS     string
	Company string
	Date    string
	Files   []string
	Roles   int
	New     []string
	Gone    []string
	Changed []string
}

type seriesFile struct {
	File        string
	Method      string
	URL         string
	RequestBody string `json:"request_body"` //nolint:tagliatelle // the corpus' name
	Status      int
	ContentType string `json:"content_type"` //nolint:tagliatelle // the corpus' name
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}

// seriesArchive is a board's answer on one date.
type seriesArchive struct {
	*outbound.Archive

	source, url string // of the board; empty if no adapter knows it
}

// archive creates an archive of recorded answers.
func archive(t *testing.T, corpus string, manifest []seriesFile, files []string) seriesArchive {
	t.Helper()
	var out seriesArchive
	var entries []any
	for _, f := range manifest {
		if !slices.Contains(files, f.File) {
			continue
		}
		address, _, _ := strings.Cut(f.URL, " ") // some carry a remark
		u, err := url.Parse(address)
		require.NoError(t, err)
		if system, board, ok := ats.Match(u, ats.All()); ok {
			out.source, out.url = system+":"+board, address
		}
		body, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(f.File)))
		require.NoError(t, err)
		request := map[string]any{"method": f.Method, "url": address}
		if f.RequestBody != "" {
			request["postData"] = map[string]any{"text": f.RequestBody}
		}
		entries = append(entries, map[string]any{"request": request, "response": map[string]any{
			"status": f.Status, "httpVersion": "HTTP/1.1", "content": map[string]any{
				"mimeType": f.ContentType, "encoding": "base64", "text": base64.StdEncoding.EncodeToString(body),
			},
		}})
	}
	raw, err := json.Marshal(map[string]any{"log": map[string]any{"entries": entries}})
	require.NoError(t, err)
	out.Archive, err = outbound.ReadArchive(bytes.NewReader(raw))
	require.NoError(t, err)
	return out
}

// seriesOutcome contains the keys of the roles that changed. A row that has lost its title still exists, and the role
// stays as it was, but for the series that is a change.
type seriesOutcome struct {
	found, reopened, closed, updated, untitled []string

	moved map[string]bool // earlier and new ids of the roles that continue under another one
}

// listening is a source that records rows without a title.
type listening struct {
	boardwatch.Source

	untitled *[]string
}

func (l listening) Read(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
	r, err := l.Source.Read(ctx, b)
	*l.untitled = append(*l.untitled, r.Present...)
	return r, err
}

// play checks the board until its answer contains nothing new. keyOf has the last key of every role.
func (w world) play(t *testing.T, a seriesArchive, keyOf map[string]string) (out seriesOutcome) {
	t.Helper()
	out.moved = make(map[string]bool)
	s := scraper.New(outbound.New(outbound.Options{Transport: a.Archive}), scraper.Options{})
	var report watch.CheckReport
	watcher := watch.New(w.store, listening{s, &out.untitled}, watch.Options{Observe: func(r watch.CheckReport) { report = r }})
	for range 2000 {
		require.NoError(t, watcher.Check(t.Context(), w.claim(t)))
		if report.Unchanged && report.Board.State.Missing == 0 {
			return out
		}
		require.True(t, report.Check.Health.Read(), report.Check.Reason)
		for _, j := range slices.Concat(report.Change.Found, report.Change.Reopened, report.Change.Updated, report.Change.Touched) {
			if before := keyOf[j.ID]; before != "" && before != j.Key {
				out.moved[before], out.moved[j.Key] = true, true
			}
			keyOf[j.ID] = j.Key
		}
		out.found = append(out.found, keys(report.Change.Found)...)
		out.reopened = append(out.reopened, keys(report.Change.Reopened)...)
		out.closed = append(out.closed, keys(report.Change.Closed)...)
		out.updated = append(out.updated, keys(slices.DeleteFunc(slices.Clone(report.Change.Updated), func(j boardwatch.Job) bool {
			return !slices.ContainsFunc(report.Change.Fields[j.ID], inList)
		}))...)
	}
	require.Fail(t, "the board does not settle", "%+v", report)
	return out
}

func keys(jobs []boardwatch.Job) []string {
	out := make([]string, len(jobs))
	for i, j := range jobs {
		out[i] = j.Key
	}
	return out
}

// inList reports whether a field is one that the series compare: they know nothing of facts and texts.
func inList(f boardwatch.FieldChange) bool {
	return slices.Contains([]boardwatch.JobField{boardwatch.FieldTitle, boardwatch.FieldLocation, boardwatch.FieldDepartment, boardwatch.FieldURL}, f.Field)
}
