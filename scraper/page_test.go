package scraper_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

var (
	update = flag.Bool("update", false, "rewrite what is expected of the pages in testdata")
	// reworded is set by a test that changes every sentence and expects the same behaviour.
	reworded = flag.Bool("reworded", false, "compare no sentences")
)

// expectation is what a page of testdata is read as.
type expectation struct {
	Health  boardwatch.Health `json:"health"`
	Cause   cause.Cause       `json:"cause,omitempty"`
	Reason  string            `json:"reason,omitempty"`
	Company string            `json:"company,omitempty"`
	Domain  string            `json:"domain,omitempty"`
	Claimed int               `json:"claimed,omitempty"`
	Roles   []role            `json:"roles"`
}

type role struct {
	Key        string `json:"key"`
	Title      string `json:"title"`
	Location   string `json:"location,omitempty"`
	Department string `json:"department,omitempty"`
	URL        string `json:"url,omitempty"`

	Facts boardwatch.Facts `json:"facts,omitzero"`
	Text  string           `json:"text,omitempty"`
}

// Every page of testdata is read at the same address; want.json beside it says as what.
func TestReadPage(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join("testdata", "*", "page.html"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		dir := filepath.Dir(page)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(page)
			require.NoError(t, err)
			const address = "https://www.company.example/careers/list"
			r := read(t, site{address: {Body: body}}, address)
			got := expectation{Health: r.Health, Cause: r.Cause, Reason: r.Reason, Company: r.Company, Domain: r.Domain, Claimed: max(r.Claimed, 0), Roles: []role{}}
			for _, p := range r.Postings {
				got.Roles = append(got.Roles, role(p))
			}
			compareJSON(t, filepath.Join(dir, "want.json"), got)
		})
	}
}

func compareJSON(t *testing.T, file string, got any) {
	t.Helper()
	text, err := json.MarshalIndent(got, "", "  ")
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o600))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if *reworded {
		require.JSONEq(t, withoutReason(t, want), withoutReason(t, text))
		return
	}
	require.JSONEq(t, string(want), string(text))
}

func withoutReason(t *testing.T, expected []byte) string {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(expected, &fields))
	delete(fields, "reason")
	text, err := json.Marshal(fields)
	require.NoError(t, err)
	return string(text)
}

// anywhere answers every address with the same page.
func anywhere(body []byte) roundTripper {
	return func(req *http.Request) (*http.Response, error) {
		address := *req.URL
		address.Fragment = ""
		return site{strings.TrimSuffix(address.String(), "/"): {Body: body}}.RoundTrip(req)
	}
}

// A page larger than anyone's list is read as far as the limits go, and says so.
func TestReadPageTooLarge(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Open positions</h1>` + strings.Repeat("<div>", 300) + `<ul>`)
	for i := range 12_000 {
		fmt.Fprintf(&page, `<li><a href="/jobs/%d">Engineer %d</a><span>Hamburg, Germany</span></li>`, i, i)
	}
	page.WriteString(`</ul>` + strings.Repeat("</div>", 300) + `</main></body></html>`)
	r := read(t, anywhere([]byte(page.String())), listAddress)
	require.Equal(t, boardwatch.HealthPartial, r.Health, r.Reason)
	require.Len(t, r.Postings, 5000)
	require.Contains(t, r.Reason, "too large")
}

// TestReadPageBombs reads pages that are small on the way and would take a gigabyte as a tree.
func TestReadPageBombs(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"items":      strings.Repeat("<li>x", 2<<20),
		"attributes": "<p " + strings.Repeat("a b c ", 1<<20) + ">",
		"data":       `<script type="application/json">[` + strings.Repeat(`{"a":1},`, 1<<20) + `0]</script>`,
		"JSON":       `[` + strings.Repeat(`{"a":1},`, 1<<20) + `0]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var packed bytes.Buffer
			zip := gzip.NewWriter(&packed)
			_, err := zip.Write([]byte(body))
			require.NoError(t, err)
			require.NoError(t, zip.Close())
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write(packed.Bytes())
			}))
			defer server.Close()
			s := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{IgnoreRobots: true})
			r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + server.URL + "/", URL: server.URL + "/"})
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthFailed, r.Health)
			require.Equal(t, cause.TooLarge, r.Cause, r.Reason)
		})
	}
}

// pageAdapter reads its boards from pages, as many do.
type pageAdapter struct{ address string }

func (pageAdapter) Name() string { return "paged" }

func (pageAdapter) Match(*url.URL) (board string, ok bool) { return "", false }

func (a pageAdapter) Read(ctx context.Context, client ats.Doer, _ string) (boardwatch.Reading, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.address, nil)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	if _, err := client.Do(req); err != nil {
		return boardwatch.Reading{}, err
	}
	return boardwatch.Reading{Claimed: 0, Health: boardwatch.HealthOK}, nil
}

func TestPagesOfHostedBoardsAreMeasuredToo(t *testing.T) {
	t.Parallel()
	for body, cause := range map[string]cause.Cause{
		"<!doctype html><p>No open positions":     "",
		"\n<ul>" + strings.Repeat("<li>x", 1<<20): cause.TooLarge,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
		t.Cleanup(server.Close)
		s := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{Adapters: []ats.Adapter{pageAdapter{server.URL}}})
		r, err := s.Read(t.Context(), boardwatch.Board{Source: "paged:northwind", Company: "Northwind"})
		require.NoError(t, err)
		require.Equal(t, cause, r.Cause, r.Reason)
	}
}
