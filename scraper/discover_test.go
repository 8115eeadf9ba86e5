package scraper_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
)

func html(head, body string) answer {
	return text(`<!doctype html><html><head>` + head + `</head><body>` + body + `</body></html>`)
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	roles := `<h1>Open positions</h1><ul><li><a href="/careers/welder-1">Welder</a></li><li><a href="/careers/fitter-2">Pipe Fitter</a></li></ul>`
	board := text("Welder\nPipe Fitter\n")
	for _, tt := range []struct {
		name   string
		input  string
		site   site
		source string
		url    string
	}{
		{"an address that tells by itself needs no request", "jobs.hosted.example/northwind", site{}, "hosted:northwind", "https://jobs.hosted.example/northwind"},
		{"a page that shows roles", careers + "/?utm_source=x", site{careers: html("", roles)}, "page:" + careers, careers},
		{
			"a redirect to a hosted board", careers,
			site{careers: {Status: 302, Header: map[string]any{"Location": "https://jobs.hosted.example/northwind"}}, "https://jobs.hosted.example/northwind": html("", ""), "https://api.hosted.example/northwind": board},
			"hosted:northwind", "https://jobs.hosted.example/northwind",
		},
		{
			"a hosted board in a frame", careers,
			site{careers: html("", `<h1>Careers</h1><iframe src="https://jobs.hosted.example/northwind"></iframe>`), "https://api.hosted.example/northwind": board},
			"hosted:northwind", careers,
		},
		{
			"a frame of a board that does not exist", careers,
			site{careers: html("", roles+`<iframe src="https://jobs.hosted.example/nobody"></iframe>`)},
			"page:" + careers, careers,
		},
		{
			"roles that all lead to a hosted board", careers,
			site{careers: html("", `<h1>Open positions</h1><ul><li><h3>Welder</h3><a href="https://jobs.hosted.example/northwind?id=1">Details</a></li><li><h3>Pipe Fitter</h3><a href="https://jobs.hosted.example/northwind?id=2">Details</a></li></ul>`), "https://api.hosted.example/northwind": board},
			"hosted:northwind", careers,
		},
		{
			"a page that only sends on", "northwind.example/jobs",
			site{"https://northwind.example/jobs": html(`<meta http-equiv=refresh content="0; url=`+careers+`">`, ""), careers: html("", roles)},
			"page:" + careers, careers,
		},
		{
			"a landing page with a way to the open roles", careers,
			site{careers: html("<title>Careers</title>", `<h1>Careers at Northwind</h1><p>We weld.</p><a href="/careers/culture">Our culture</a><a href="/careers/open">View open positions</a>`), careers + "/open": html("", roles)},
			"page:" + careers + "/open", careers + "/open",
		},
		{
			"a bare domain, over the careers page, to the list", "northwind.example",
			site{
				"https://northwind.example":         html("", `<h1>Northwind</h1><nav><a href="/careers">Careers</a></nav>`),
				"https://northwind.example/careers": html("<title>Careers</title>", `<h1>Life here</h1><a href="/careers/open">View open positions</a>`), "https://northwind.example/careers/open": html("", roles),
			},
			"page:https://northwind.example/careers/open", "https://northwind.example/careers/open",
		},
		{
			"a link to the company's own hosted board", careers,
			site{careers: html("<title>Careers</title>", `<h1>Careers</h1><a href="https://jobs.hosted.example/northwind">See open roles</a>`), "https://api.hosted.example/northwind": board},
			"hosted:northwind", careers,
		},
		{
			"a page that says it has no roles", careers,
			site{careers: html("<title>Careers</title>", `<h1>Careers</h1><p>There are no open positions at the moment.</p>`)},
			"page:" + careers, careers,
		},
		{
			"a page that says so without being called one of jobs", "https://www.northwind.example/about/with-us",
			site{"https://www.northwind.example/about/with-us": html("<title>With us</title>", `<h1>With us</h1><p>All of our posts are filled at present.</p>`)},
			"page:https://www.northwind.example/about/with-us", "https://www.northwind.example/about/with-us",
		},
		{
			"the list that a page leads to, though the page says that it has no roles", "https://www.northwind.example/about/with-us",
			site{
				"https://www.northwind.example/about/with-us": html("<title>With us</title>", `<h1>With us</h1><p>All of our posts are filled at present.</p><a href="/careers/open">View open positions</a>`),
				"https://www.northwind.example/careers/open":  html("", roles),
			},
			"page:https://www.northwind.example/careers/open", "https://www.northwind.example/careers/open",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, err := hosted(t, tt.site, system{}).Discover(t.Context(), tt.input)
			require.NoError(t, err)
			require.Equal(t, tt.source, b.Source)
			require.Equal(t, tt.url, b.URL)
		})
	}
}

func TestDiscoverRefuses(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	for _, tt := range []struct {
		name   string
		input  string
		site   site
		reason string
	}{
		{"no address", "not an address", site{}, "blanks"},
		{"a page that does not exist", careers, site{}, "does not exist"},
		{"a wall", careers, site{careers: {Status: 403, Header: map[string]any{"Cf-Mitigated": "challenge"}}}, "Cloudflare"},
		{"the frame of an application", careers, site{careers: html("", `<div id="root"></div><script src="/app.js"></script>`)}, "browser"},
		{
			"the first page of a site, which says that there are no roles", "www.northwind.example",
			site{"https://www.northwind.example": html("<title>Northwind</title>", `<h1>Ropes</h1><p>All of our posts are filled at present.</p>`)},
			"no roles were found",
		},
		{"a page about something else", careers, site{careers: html("", `<h1>Ropes</h1><p>We make ropes.</p>`)}, "no roles were found"},
		{
			"a partner's board", careers,
			site{careers: html("<title>Careers</title>", `<h1>Careers</h1><p>We make ropes.</p><a href="https://jobs.hosted.example/otherfirm">Our partner: see open roles</a>`), "https://api.hosted.example/otherfirm": text("Welder\n")},
			"no roles were found",
		},
		{
			"a board in the footer's frame", careers,
			site{careers: html("<title>Ropes</title>", `<h1>Ropes</h1><p>We make ropes.</p><footer><iframe src="https://jobs.hosted.example/otherfirm"></iframe></footer>`), "https://api.hosted.example/otherfirm": text("Welder\n")},
			"no roles were found",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := hosted(t, tt.site, system{}).Discover(t.Context(), tt.input)
			require.Error(t, err)
			e, ok := errors.AsType[*boardwatch.Error](err)
			require.True(t, ok)
			require.Equal(t, boardwatch.CodeInvalidRequest, e.Code)
			require.Contains(t, e.Error(), tt.reason)
		})
	}
}

func TestDiscoverSaysWhatStoodInTheWay(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	const api = "https://api.hosted.example/northwind"
	wall := answer{Status: 403, Header: map[string]any{"Cf-Mitigated": "challenge"}}
	landing := html("<title>Careers</title>", `<h1>Careers at Northwind</h1><p>We weld.</p><a href="/careers/open">View open positions</a>`)
	embeds := html("", `<h1>Careers</h1><div id="root"></div><script src="/app.js"></script><iframe src="https://jobs.hosted.example/northwind"></iframe>`)
	links := html("<title>Careers</title>", `<h1>Careers</h1><p>We weld.</p><a href="https://jobs.hosted.example/northwind">See open roles</a>`)
	for _, tt := range []struct {
		name   string
		site   site
		health boardwatch.Health
		reason string
	}{
		{"a wall before the page", site{careers: wall}, boardwatch.HealthBlocked, "blocked by Cloudflare"},
		{"a wall behind a landing page", site{careers: landing, careers + "/open": wall}, boardwatch.HealthBlocked, "blocked by Cloudflare"},
		{"a wall before an embedded board", site{careers: embeds, api: {Status: 404, Header: wall.Header}}, boardwatch.HealthBlocked, "embeds the hosted board northwind, which could not be read: blocked by Cloudflare"},
		{"an embedded board that cannot be reached", site{careers: embeds}, boardwatch.HealthFailed, "embeds the hosted board northwind, which could not be read: no such board"},
		{"a linked board that cannot be reached", site{careers: links}, boardwatch.HealthFailed, "links to the hosted board northwind, which could not be read: no such board"},
		{"a page without roles", site{careers: landing, careers + "/open": html("", "<p>Ropes.</p>")}, boardwatch.HealthFailed, "no roles were found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := hosted(t, tt.site, system{}).Discover(t.Context(), careers)
			e, ok := errors.AsType[*scraper.NoBoardError](err)
			require.True(t, ok)
			r := e.Reading()
			require.Equal(t, tt.health, r.Health)
			require.Equal(t, e.Error(), r.Reason)
			require.Contains(t, r.Reason, tt.reason)
			require.Equal(t, tt.health == boardwatch.HealthBlocked, r.BlockedBy == "Cloudflare")
			require.False(t, r.Unknown)
			require.Equal(t, tt.name != "a wall before the page", e.Looked())
			require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
			named := ""
			if strings.Contains(r.Reason, "hosted board northwind") {
				named = "hosted:northwind"
			}
			require.Equal(t, named, e.Source())
		})
	}
}
