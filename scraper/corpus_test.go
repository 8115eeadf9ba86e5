package scraper_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// site answers from memory: for each address a status, headers and a body; anything else is 404.
type site map[string]answer

type answer struct {
	Status int            `json:"status"`
	Header map[string]any `json:"headers"`
	Body   []byte         `json:"-"`
}

// RoundTrip answers one request.
func (s site) RoundTrip(req *http.Request) (*http.Response, error) {
	address := *req.URL
	address.Fragment = ""
	a, ok := s[strings.TrimSuffix(address.String(), "/")]
	if !ok {
		a = answer{Status: http.StatusNotFound}
	}
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	for k, v := range a.Header {
		switch http.CanonicalHeaderKey(k) {
		case "Content-Length", "Content-Encoding", "Transfer-Encoding":
		default:
			header.Set(k, fmt.Sprint(v))
		}
	}
	return &http.Response{
		StatusCode: a.Status, Header: header, Body: io.NopCloser(strings.NewReader(string(a.Body))),
		ContentLength: int64(len(a.Body)), Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

func reader(tb testing.TB, s http.RoundTripper) *scraper.Scraper {
	tb.Helper()
	client := outbound.New(outbound.Options{Transport: s, Pause: -1, Backoff: []time.Duration{}})
	return scraper.New(client, scraper.Options{Trace: func(step string) { tb.Log(step) }})
}

func read(tb testing.TB, s http.RoundTripper, address string) boardwatch.Reading {
	tb.Helper()
	r, err := reader(tb, s).Read(tb.Context(), boardwatch.Board{Source: "page:" + address})
	require.NoError(tb, err)
	return r
}

// readQuietly is read without a trace in the test's log.
func readQuietly(tb testing.TB, s http.RoundTripper, address string) boardwatch.Reading {
	tb.Helper()
	client := outbound.New(outbound.Options{Transport: s, Pause: -1, Backoff: []time.Duration{}})
	r, err := scraper.New(client, scraper.Options{}).Read(tb.Context(), boardwatch.Board{Source: "page:" + address})
	require.NoError(tb, err)
	return r
}

func corpus(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("BOARDWATCH_CORPUS")
	if dir == "" {
		tb.Skip("BOARDWATCH_CORPUS does not name the folder of recorded pages")
	}
	return dir
}

type listing struct {
	File         string
	URL          string
	Complete     bool
	Authenticity string
	Roles        []struct{ Title, Location, Department, URL string }
}

// tally counts what was read against what is there.
type tally struct{ roles, found, wrong, place, group, address int }

func (c *tally) add(o tally) {
	c.roles += o.roles
	c.found += o.found
	c.wrong += o.wrong
	c.place += o.place
	c.group += o.group
	c.address += o.address
}

func (c *tally) recall() float64    { return share(c.found, c.roles) }
func (c *tally) precision() float64 { return share(c.found, c.found+c.wrong) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func compare(want listing, got []boardwatch.Posting) tally {
	c := tally{roles: len(want.Roles)}
	used := make([]bool, len(want.Roles))
	for _, p := range got {
		best := -1
		for i, r := range want.Roles {
			if used[i] || strings.Join(strings.Fields(r.Title), " ") != p.Title {
				continue
			}
			if best < 0 || r.URL == p.URL {
				best = i
			}
		}
		if best < 0 {
			c.wrong++
			continue
		}
		used[best] = true
		r := want.Roles[best]
		c.found++
		c.place += hit(r.Location == p.Location)
		c.group += hit(r.Department == p.Department)
		c.address += hit(r.URL == p.URL)
	}
	return c
}

func hit(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// Real listing pages, against what a person reads on them.
func TestCorpusListings(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(corpus(t), "listings")
	index, err := os.ReadFile(filepath.Join(dir, "listings.json"))
	require.NoError(t, err)
	var listings []listing
	require.NoError(t, json.Unmarshal(index, &listings))

	var all, inScript tally
	for _, want := range listings {
		body, err := os.ReadFile(filepath.Join(dir, want.File))
		require.NoError(t, err)
		r := read(t, site{strings.TrimSuffix(want.URL, "/"): {Body: body}}, want.URL)
		c := compare(want, r.Postings)
		t.Logf("%-30s %-7s %3d of %3d, %d wrong, %d places, %d departments, %d addresses; %s", want.File, r.Health, c.found, c.roles, c.wrong, c.place, c.group, c.address, r.Reason)
		switch {
		case strings.HasPrefix(want.Authenticity, "trimmed"):
		case !want.Complete:
			require.NotEqual(t, boardwatch.HealthOK, r.Health, "%s is a part of its list only", want.File)
		case len(want.Roles) == 0:
			require.Equal(t, boardwatch.HealthOK, r.Health, "%s says that it has no roles: %s", want.File, r.Reason)
		case bytes.Contains(body, []byte("<html")) && !bytes.Contains(body, []byte("</html>")):
			require.Equal(t, boardwatch.HealthFailed, r.Health, "%s ends before its end", want.File)
		case len(r.Postings) == 0 && strings.Contains(r.Reason, "script"):
			inScript.add(c)
			continue
		default:
			require.Equal(t, boardwatch.HealthOK, r.Health, "%s is complete: %s", want.File, r.Reason)
		}
		all.add(c)
	}
	t.Logf("titles: recall %.4f, precision %.4f of %d; places %.3f, departments %.3f, addresses %.3f of those found; %d roles only in script", all.recall(), all.precision(), all.roles,
		share(all.place, all.found), share(all.group, all.found), share(all.address, all.found), inScript.roles)
	require.GreaterOrEqual(t, all.recall(), 0.98)
	require.GreaterOrEqual(t, all.precision(), 0.98)
}

// Pages in trouble, walls, frames of applications: none of them may pass for a read board.
func TestCorpusPages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(corpus(t), "pages")
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, ".meta.json") || !strings.Contains(filepath.Base(file), ".") {
			continue
		}
		a := answer{}
		a.Body, err = os.ReadFile(file)
		require.NoError(t, err)
		if meta, err := os.ReadFile(file + ".meta.json"); err == nil {
			require.NoError(t, json.Unmarshal(meta, &a))
		}
		if strings.HasSuffix(file, ".xml") {
			a.Header = map[string]any{"Content-Type": "application/xml"}
		}
		address := "https://www.unsound.example/careers/open-roles"
		r := read(t, site{address: a}, address)
		kind := filepath.Base(filepath.Dir(file))
		t.Logf("%-15s %-45s %-7s %d roles; %s", kind, filepath.Base(file), r.Health, len(r.Postings), r.Reason)
		for _, p := range r.Postings {
			t.Logf("      %s | %s | %s | %s", p.Title, p.Location, p.Department, p.URL)
		}
		switch kind {
		case "blocked", "shell", "unhealthy", "embed", "sitemap":
			if filepath.Base(file) == "redirected-to-home.html" || filepath.Base(file) == "vercel-truncated.html" {
				require.NotEqual(t, boardwatch.HealthOK, r.Health, file)
				continue
			}
			require.False(t, r.Health.Read(), "%s: %s", file, r.Health)
		}
	}
}
