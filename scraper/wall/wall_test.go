package wall_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/wall"
)

func TestWallsAreNamedByWhatTheySend(t *testing.T) {
	t.Parallel()
	at := &url.URL{Scheme: "https", Host: "www.careers.example", Path: "/jobs"}
	filler := strings.Repeat("<p>We build bridges that last.</p>", 80)
	for _, tt := range []struct {
		name   string
		status int
		header http.Header
		body   string
		want   *wall.Wall
	}{
		{"an empty answer", 403, nil, "", nil},
		{"a plain refusal", 403, nil, "<h1>Forbidden</h1>", nil},
		{"a challenge by a header", 403, http.Header{"Cf-Mitigated": {"challenge"}}, "", &wall.Wall{Vendor: "Cloudflare", Kind: wall.Challenge, Status: 403}},
		{"a ban by a header", 403, http.Header{"X-Vercel-Mitigated": {"deny"}}, "", &wall.Wall{Vendor: "Vercel", Kind: wall.Ban, Status: 403}},
		{
			"the page of one vendor under a header of another", 403,
			http.Header{"Cf-Mitigated": {"challenge"}},
			`<title>Access to this page has been denied</title><div id="px-captcha"></div>`, &wall.Wall{Vendor: "PerimeterX", Kind: wall.Captcha, Status: 403},
		},
		{"a mark in a comment", 200, nil, `<!-- <div id="px-captcha"></div> -->`, nil},
		{"a mark on a page with content", 200, nil, `<div id="px-captcha"></div>` + filler, nil},
		{"a rate limit", 429, nil, `<title>x used Cloudflare to restrict access</title><p id="cf-error-details">Error 1015</p>`, &wall.Wall{Vendor: "Cloudflare", Kind: wall.RateLimit, Status: 429}},
		{"a site's own fault behind Cloudflare", 522, nil, `<title>522: timed out</title><p id="cf-error-details">Error code 522</p>`, nil},
		{"a request to sign in", 999, http.Header{"X-Li-Pop": {"x"}}, "", &wall.Wall{Vendor: "LinkedIn", Kind: wall.SignIn, Status: 999}},
		{"a captcha of nobody in particular", 403, nil, "<h1>Verify you are human</h1>", &wall.Wall{Kind: wall.Captcha, Status: 403}},
		{"the same words on a page with content", 200, nil, "<h1>Verify you are human</h1>" + filler, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, wall.Of(tt.status, tt.header, at, []byte(tt.body)))
		})
	}
}

func TestOnlyChallengesMayOpenByThemselves(t *testing.T) {
	t.Parallel()
	var none *wall.Wall
	require.False(t, none.Passive())
	require.True(t, (&wall.Wall{Kind: wall.Challenge}).Passive())
	for _, kind := range []wall.Kind{wall.Captcha, wall.Ban, wall.RateLimit, wall.SignIn} {
		require.False(t, (&wall.Wall{Kind: kind}).Passive())
	}
}

// Any answer is a wall of a known kind, or not a wall.
func FuzzOf(f *testing.F) {
	f.Add(403, "Server", "ddos-guard", `<title>Just a moment...</title><script>window._cf_chl_opt={}</script>`)
	f.Add(200, "X-Cache", "Error from cloudfront", `<iframe src="/_Incapsula_Resource?CWUDNSAI=27">&#69;rror`)
	at := &url.URL{Scheme: "https", Host: "www.careers.example", Path: "/"}
	f.Fuzz(func(t *testing.T, status int, key, value, body string) {
		w := wall.Of(status, http.Header{http.CanonicalHeaderKey(key): {value}}, at, []byte(body))
		if w != nil {
			require.True(t, w.Kind >= wall.Challenge && w.Kind <= wall.SignIn)
			require.Equal(t, status, w.Status)
		}
	})
}
