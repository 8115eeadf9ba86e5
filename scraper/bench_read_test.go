//go:build unix

package scraper_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// roundTrip is a network in which an answer is there at once.
type roundTrip func(*http.Request) *http.Response

// RoundTrip answers a request.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// BenchmarkReadPage is what one reading of a careers page of 300 kB with a hundred roles costs beside the network: when
// the server says that it has not changed, when its bytes are the same as before, and when it has changed.
func BenchmarkReadPage(b *testing.B) {
	page := longPage(100, 3000)
	var etag string
	changes := 0
	client := outbound.New(outbound.Options{Pause: -1, Transport: roundTrip(func(r *http.Request) *http.Response {
		switch {
		case r.URL.Path == "/robots.txt":
			return answerOf(r, http.StatusNotFound, "", nil)
		case etag != "" && r.Header.Get("If-None-Match") == etag:
			return answerOf(r, http.StatusNotModified, etag, nil)
		}
		body := page
		if changes > 0 {
			changes++
			body = fmt.Appendf(bytes.Clone(page), "<!-- %d -->", changes)
		}
		return answerOf(r, http.StatusOK, etag, body)
	})})
	s := scraper.New(client, scraper.Options{})
	for _, k := range []struct {
		name, etag string
		changes    int
	}{
		{name: "not modified", etag: `"7f2c"`},
		{name: "same bytes"},
		{name: "changed", changes: 1},
	} {
		b.Run(k.name, func(b *testing.B) {
			etag, changes = k.etag, k.changes
			board := boardwatch.Board{Source: "page:https://northwind.example/careers"}
			r, err := s.Read(b.Context(), board)
			require.NoError(b, err)
			require.Equal(b, boardwatch.HealthOK, r.Health, r.Reason)
			require.Len(b, r.Postings, 100)
			board.State.Health, board.State.Fingerprint = r.Health, r.Fingerprint
			before := computed(b)
			b.ReportAllocs()
			for b.Loop() {
				r, err := s.Read(b.Context(), board)
				require.NoError(b, err)
				require.Equal(b, k.changes == 0, r.Unchanged)
			}
			b.ReportMetric((computed(b)-before).Seconds()*1e6/float64(b.N), "cpu-us/op")
		})
	}
}

func answerOf(r *http.Request, status int, etag string, body []byte) *http.Response {
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	if etag != "" {
		header.Set("ETag", etag)
	}
	return &http.Response{
		StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}
}

// longPage is a page with roles, of which each takes about so many bytes.
func longPage(roles, each int) []byte {
	var page strings.Builder
	page.WriteString(`<!doctype html><html lang="en"><head><title>Jobs at Northwind</title></head><body><main><h1>Open positions</h1><ul class="jobs">`)
	for i := range roles {
		from := page.Len()
		fmt.Fprintf(&page, `<li class="job"><h3><a href="/careers/jobs/%d-pump-engineer">Senior Pump Engineer %d</a></h3>
			<span class="location">Hamburg, Germany</span><span class="department">Engineering</span>`, i, i)
		for page.Len()-from < each {
			page.WriteString(`<p>You keep the water where it belongs, <em>day by day</em>.</p>`)
		}
		page.WriteString(`</li>`)
	}
	page.WriteString(`</ul></main></body></html>`)
	return []byte(page.String())
}

// computed is the time that this process has computed.
func computed(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
