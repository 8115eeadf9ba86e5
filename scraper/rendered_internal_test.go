package scraper

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/wall"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Any answer is a page, a wall or a fault with a reason, whatever its status and headers.
func FuzzWall(f *testing.F) {
	f.Add(403, "Cf-Mitigated", "challenge", `<title>Just a moment...</title><script>window._cf_chl_opt={}</script>`)
	f.Add(200, "Server", "cloudflare", `<title>Attention Required! | Cloudflare</title><span class="cf-error-code">1020</span>`)
	f.Add(405, "X-Amzn-Waf-Action", "captcha", `<div id="captcha-container"></div>`)
	f.Add(200, "Set-Cookie", "datadome=x", `<p id="cmsg"></p><script>var dd={'rt':'c','t':'bv'}</script><script src="https://ct.captcha-delivery.com/c.js">`)
	f.Add(503, "Retry-After", "Fri, 20 Nov 2026 10:00:00 GMT", ``)
	f.Add(429, "Content-Type", "application/json", `{"error":"too many"}`)
	u := boardAddress(f)
	f.Fuzz(func(t *testing.T, status int, name, value, body string) {
		header := http.Header{name: {value}}
		if w := wall.Of(status, header, u, []byte(body)); w != nil {
			require.NotZero(t, w.Kind)
			require.NotEmpty(t, wallReason(w))
		}
		r := refusal(&outbound.Page{URL: u, Status: status, Header: header, ContentType: value, Body: []byte(body)})
		if r != nil {
			require.NotEmpty(t, r.Reason)
			require.False(t, r.Health.Read())
		}
	})
}

// Whatever a page renders, and whatever data it renders: the reading can be kept, and so can the way to the data.
func FuzzRendered(f *testing.F) {
	f.Add(`<h1>Open positions</h1><ul><li><a href="/jobs/7-fitter">Fitter</a></li><li><a href="/jobs/8-welder">Welder</a></li></ul>`,
		`{"jobs":[{"id":7,"title":"Fitter","location":"Hamburg"},{"id":8,"title":"Welder","location":"Bremen"}],"total":2}`, "https://www.company.example/api/jobs?page=1", ``)
	f.Add(`<div id="root"></div><script src="/app.js"></script>`, `{"data":{"jobs":[]},"total":0}`, "https://www.company.example/graphql", `{"offset":0,"query":"{jobs{title}}"}`)
	f.Add(`<p>There are no open positions.</p>`, `[]`, "https://api.company.example/x?p=0&offset=20", `{"page":1e300}`)
	u := boardAddress(f)
	f.Fuzz(func(t *testing.T, body, data, address, question string) {
		at, err := url.Parse(address)
		if err != nil {
			return
		}
		answer := Answer{Method: http.MethodPost, URL: at, Header: http.Header{"X-Api-Key": {question}}, Body: []byte(question), Data: []byte(data)}
		rendered := fetchedFrom(u, &Shown{URL: u, Header: http.Header{}, HTML: []byte(body), Answers: []Answer{answer}})
		rendered.doc = page.Parse(rendered.text, u)
		rendered.patience()
		l := rendered.renderedList()
		for _, p := range l.Reading.Postings {
			require.NotEmpty(t, p.Title)
		}
		c := shortcutTo(answer, u)
		read := part(page.RolesInJSON(answer.Data, u), c)
		if known := len(read.Postings); c.fit(&read, l, known) {
			require.Len(t, read.Postings, known)
		}
		if text := c.String(); text != "" {
			require.Equal(t, text, shortcutFrom(text).String())
		}
		knobs, _ := c.knobs()
		for _, k := range knobs {
			k.turn(asks{pages: 1, entries: len(read.Postings), cursor: data})
		}
	})
}

func boardAddress(tb testing.TB) *url.URL {
	tb.Helper()
	u, err := url.Parse("https://www.company.example/careers/list")
	require.NoError(tb, err)
	return u
}
