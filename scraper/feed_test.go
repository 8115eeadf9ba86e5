package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func dataAnswer(kind, body string) answer {
	return answer{Header: map[string]any{"Content-Type": kind}, Body: []byte(body)}
}

const feedOfRoles = `<?xml version="1.0"?><rss version="2.0" xmlns:job="https://jobs.example/ns"><channel><title>Jobs at Pumps</title><link>https://www.company.example/jobs</link>
<item><title>Pipe Fitter</title><link>https://www.company.example/jobs/1-pipe-fitter?utm_source=rss</link><guid>1</guid><job:location>Hamburg</job:location><category>Engineering</category></item>
<item><title>Pump Engineer &amp;amp; more</title><link>https://www.company.example/jobs/2-pump-engineer</link><guid>2</guid></item></channel></rss>`

// A feed, JSON and other data in the place of a page.
func TestReadData(t *testing.T) {
	t.Parallel()
	const blog = `<rss version="2.0"><channel><title>Our blog</title><item><title>Spring is here</title><link>https://www.company.example/blog/1</link></item><item><title>A new hall</title><link>https://www.company.example/blog/2</link></item></channel></rss>`
	for name, tt := range map[string]struct {
		answer answer
		health boardwatch.Health
		reason string
		want   []string
	}{
		"RSS":                     {dataAnswer("application/rss+xml", feedOfRoles), boardwatch.HealthPartial, "latest entries", []string{"Pipe Fitter|Hamburg|Engineering", "Pump Engineer & more||"}},
		"RSS in Latin 1":          {dataAnswer("application/rss+xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss version=\"2.0\"><channel><title>Jobs</title><item><title>Ing\xe9nieur</title><link>https://www.company.example/jobs/1-x</link></item></channel></rss>"), boardwatch.HealthPartial, "latest entries", []string{"Ingénieur||"}},
		"RSS in UTF-8":            {dataAnswer("application/rss+xml; charset=utf-8", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel><title>Jobs</title><item><title>Ingénieur</title><link>https://www.company.example/jobs/1-x</link></item></channel></rss>"), boardwatch.HealthPartial, "latest entries", []string{"Ingénieur||"}},
		"a piece of HTML":         {dataAnswer("text/html", `<li><a href="/jobs/1-fitter">Pipe Fitter</a></li><li><a href="/jobs/2-welder">Welder</a></li>`), boardwatch.HealthOK, "", []string{"Pipe Fitter||", "Welder||"}},
		"RSS as text":             {dataAnswer("text/plain", feedOfRoles), boardwatch.HealthPartial, "latest entries", []string{"Pipe Fitter|Hamburg|Engineering", "Pump Engineer & more||"}},
		"Atom":                    {dataAnswer("application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Vacancies</title><entry><title>Pipe Fitter</title><id>a</id><link href="/jobs/1-fitter"/></entry></feed>`), boardwatch.HealthPartial, "latest entries", []string{"Pipe Fitter||"}},
		"JSON feed":               {dataAnswer("application/feed+json", `{"version":"https://jsonfeed.org/version/1.1","title":"Jobs","items":[{"id":"1","title":"Pipe Fitter","url":"https://www.company.example/jobs/1-fitter"}]}`), boardwatch.HealthPartial, "latest entries", []string{"Pipe Fitter||"}},
		"JSON feed with postings": {dataAnswer("application/feed+json", `{"version":"https://jsonfeed.org/version/1.1","title":"Jobs","items":[{"id":"1","title":"Pipe Fitter","url":"https://www.company.example/jobs/1-fitter","_jobposting":{"@type":"JobPosting","title":"Pipe Fitter","occupationalCategory":"Assembly","jobLocation":[{"@type":"Place","address":{"addressLocality":"Hamburg","addressCountry":"DE"}}]}},{"id":"2","title":"Welder","url":"https://www.company.example/jobs/2-welder"}]}`), boardwatch.HealthPartial, "latest entries", []string{"Pipe Fitter|Hamburg, DE|Assembly", "Welder||"}},
		"a broken feed":           {dataAnswer("application/rss+xml", feedOfRoles[:300]), boardwatch.HealthFailed, "feed", nil},
		"a blog":                  {dataAnswer("application/rss+xml", blog), boardwatch.HealthFailed, "contains no roles", nil},
		"an empty feed":           {dataAnswer("application/rss+xml", `<rss version="2.0"><channel><title>Jobs</title></channel></rss>`), boardwatch.HealthFailed, "contains no roles", nil},
		"a sitemap":               {dataAnswer("application/xml", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.company.example/jobs/1</loc></url></urlset>`), boardwatch.HealthFailed, "sitemap", nil},
		"other XML":               {dataAnswer("text/xml", `<?xml version="1.0"?><data><job>Pipe Fitter</job></data>`), boardwatch.HealthFailed, "XML", nil},
		"JSON":                    {dataAnswer("application/json", `{"total":2,"jobs":[{"id":1,"title":"Pipe Fitter","location":"Hamburg","team":"Assembly"},{"id":2,"title":"Pump Engineer","location":"Bremen"}]}`), boardwatch.HealthOK, "", []string{"Pipe Fitter|Hamburg|Assembly", "Pump Engineer|Bremen|"}},
		"a part in JSON":          {dataAnswer("application/json", `{"total":9,"jobs":[{"id":1,"title":"Pipe Fitter","location":"Hamburg"},{"id":2,"title":"Pump Engineer","location":"Bremen"}]}`), boardwatch.HealthPartial, "there are 9 roles", []string{"Pipe Fitter|Hamburg|", "Pump Engineer|Bremen|"}},
		"no role in JSON":         {dataAnswer("application/json", `{"total":0,"jobs":[]}`), boardwatch.HealthOK, "", nil},
		"silence in JSON":         {dataAnswer("application/json", `{"jobs":[]}`), boardwatch.HealthFailed, "no roles were found", nil},
		"roles elsewhere":         {dataAnswer("application/json", `{"total":3,"jobs":[]}`), boardwatch.HealthFailed, "no roles were found", nil},
		"other JSON":              {dataAnswer("application/json", `{"error":"not found"}`), boardwatch.HealthFailed, "no roles were found", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, site{listAddress: tt.answer}, listAddress)
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Contains(t, r.Reason, tt.reason)
			var got []string
			for _, p := range r.Postings {
				got = append(got, p.Title+"|"+p.Location+"|"+p.Department)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// A page that shows nothing may name its data, which is then read in its place.
func TestReadDataBesidePage(t *testing.T) {
	t.Parallel()
	state := `{"pageContext":{"jobs":` + stateRoles + `}}`
	for name, tt := range map[string]struct {
		inside, address string
		answer          answer
		health          boardwatch.Health
	}{
		"Gatsby":        {`<div id="___gatsby"></div>`, "https://www.company.example/page-data/careers/list/page-data.json", dataAnswer("application/json", state), boardwatch.HealthOK},
		"Nuxt 2":        {`<script src="/_nuxt/static/1700/careers/list/state.js"></script>`, "https://www.company.example/_nuxt/static/1700/careers/list/state.js", dataAnswer("text/javascript", `window.__NUXT__=(function(a){return {data:[{jobs:`+stateRoles+`}],x:a}}(1))`), boardwatch.HealthOK},
		"Nuxt payload":  {`<link rel="preload" as="script" href="/_nuxt/static/1700/careers/list/payload.js">`, "https://www.company.example/_nuxt/static/1700/careers/list/payload.js", dataAnswer("text/javascript", `__NUXT_JSONP__("/careers/list", (function(a){return {data:[{jobs:`+stateRoles+`}]}}(1)));`), boardwatch.HealthOK},
		"preloaded":     {`<link rel="preload" as="fetch" href="/data/jobs.json">`, "https://www.company.example/data/jobs.json", dataAnswer("application/json", stateRoles), boardwatch.HealthOK},
		"a feed":        {`<link rel="alternate" type="application/rss+xml" title="Jobs" href="/jobs.rss">`, "https://www.company.example/jobs.rss", dataAnswer("application/rss+xml", feedOfRoles), boardwatch.HealthPartial},
		"a blog's feed": {`<link rel="alternate" type="application/rss+xml" title="News" href="/feed">`, "https://www.company.example/feed", dataAnswer("application/rss+xml", feedOfRoles), boardwatch.HealthFailed},
		"another site":  {`<link rel="preload" as="fetch" href="https://other.example/jobs.json">`, "https://other.example/jobs.json", dataAnswer("application/json", stateRoles), boardwatch.HealthFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, site{listAddress: {Body: framed(tt.inside)}, tt.address: tt.answer}, listAddress)
			require.Equal(t, tt.health, r.Health, r.Reason)
			if tt.health.Read() {
				require.Len(t, r.Postings, 2)
				require.Equal(t, "company.example", r.Domain)
			}
		})
	}
}
