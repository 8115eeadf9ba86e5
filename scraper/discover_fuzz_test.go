package scraper_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Any bytes may stand on a site, as its pages, its sitemaps and its policy: discovery ends, and within its requests.
func FuzzDiscover(f *testing.F) {
	f.Add([]byte(company+`<a href="/careers">Careers</a><script>var t="x";f("https://boards-api.greenhouse.io/v1/boards/"+t)</script>`), []byte(sitemap("https://northwind.example/jobs/1")), "frame-src https://boards.greenhouse.io/x")
	f.Add([]byte(listed), []byte("<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>"), "")
	f.Add([]byte("<a href='//[::1]:x'>Jobs</a>"), gzipped(sitemap("%zz")).Body, ";;,")
	f.Fuzz(func(t *testing.T, page, list []byte, policy string) {
		html := map[string]any{"Content-Security-Policy": policy}
		next := roundTripper(func(req *http.Request) (*http.Response, error) {
			a := answer{Body: page, Header: html}
			if req.URL.Path == "/sitemap.xml" {
				a = answer{Body: list}
			}
			return site{strings.TrimSuffix(req.URL.String(), "/"): a}.RoundTrip(req)
		})
		client := outbound.New(outbound.Options{Transport: next, Pause: -1, Backoff: []time.Duration{}})
		b, err := scraper.New(client, scraper.Options{}).Discover(t.Context(), "northwind.example")
		require.LessOrEqual(t, client.Requests(), 25)
		require.NotEqual(t, err == nil, b.Source == "")
	})
}
