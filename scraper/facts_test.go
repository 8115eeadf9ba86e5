package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// What a company's own page states about a role besides its title and place, in each of the ways in which pages do.
func TestReadFacts(t *testing.T) {
	t.Parallel()
	script := func(kind, text string) string { return `<script type="` + kind + `">` + text + `</script>` }
	oslo := []boardwatch.Place{{Text: "Oslo, NO", Country: "NO", City: "Oslo"}}
	for name, tt := range map[string]struct {
		answer answer
		facts  boardwatch.Facts
		text   string
	}{
		"JSON-LD": {
			answer{Body: careersPage(script("application/ld+json", `{"@context":"https://schema.org","@type":"JobPosting","title":"Pipe Fitter","url":"/jobs/1","datePosted":"2026-11-02","validThrough":"2026-12-31",
				"employmentType":"FULL_TIME","jobLocationType":"TELECOMMUTE","identifier":{"@type":"PropertyValue","value":"R-1"},"description":"&lt;p&gt;Pipes for &lt;a href=\"/ships?utm_source=x\"&gt;ships&lt;/a&gt;.&lt;/p&gt;",
				"baseSalary":{"@type":"MonetaryAmount","currency":"NOK","value":{"@type":"QuantitativeValue","minValue":500000,"maxValue":"600000","unitText":"YEAR"}},
				"jobLocation":{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":"Oslo","addressCountry":"NO"}}}`))},
			boardwatch.Facts{
				PostedAt: "2026-11-02", ValidThrough: "2026-12-31", Mode: boardwatch.ModeRemote, Type: boardwatch.TypeFullTime, TypeText: "FULL_TIME",
				Pay: boardwatch.Pay{Min: 500000, Max: 600000, Currency: "NOK", Period: boardwatch.PerYear}, Places: oslo, Requisition: "R-1",
			},
			"Pipes for [ships](https://www.company.example/ships).",
		},
		"microdata": {
			answer{Body: careersPage(`<div itemscope itemtype="https://schema.org/JobPosting"><h2 itemprop="title">Pipe Fitter</h2><a itemprop="url" href="/jobs/1">More</a>
				<time itemprop="datePosted" content="2026-11-02">today</time><span itemprop="employmentType">PART_TIME</span>
				<span itemprop="jobLocation"><span itemprop="addressLocality">Oslo</span> <meta itemprop="addressCountry" content="NO"></span>
				<span itemprop="baseSalary"><meta itemprop="currency" content="NOK"><span itemprop="minValue">210</span>–<span itemprop="maxValue">240</span> an <span itemprop="unitText">HOUR</span></span>
				<div itemprop="description"><p>Pipes.</p><ul><li>Cut</li><li>Fit</li></ul></div></div>`)},
			boardwatch.Facts{
				PostedAt: "2026-11-02", Type: boardwatch.TypePartTime, TypeText: "PART_TIME", Places: oslo,
				Pay: boardwatch.Pay{Min: 210, Max: 240, Currency: "NOK", Period: boardwatch.PerHour},
			},
			"Pipes.\n\n- Cut\n- Fit",
		},
		"the state of an application": {
			answer{Body: careersPage(script("application/json", `{"props":{"jobs":[
				{"id":"1","title":"Pipe Fitter","url":"/jobs/1","location":"Oslo, NO","city":"Oslo","countryCode":"NO","publishedAt":"2026-11-02T08:00:00Z","employmentType":"Contract","workplaceType":"hybrid","requisitionId":"R-1",
				 "descriptionHtml":"<h2>Pipes</h2><p>All day.</p>","salary":{"min":500000,"max":600000,"currency":"NOK","period":"year"}},
				{"id":"2","title":"Welder","url":"/jobs/2","location":"Bergen"}]}}`))},
			boardwatch.Facts{
				PostedAt: "2026-11-02T08:00:00Z", Mode: boardwatch.ModeHybrid, Type: boardwatch.TypeContract, TypeText: "Contract", Places: oslo, Requisition: "R-1",
				Pay: boardwatch.Pay{Min: 500000, Max: 600000, Currency: "NOK", Period: boardwatch.PerYear},
			},
			"## Pipes\n\nAll day.",
		},
		"labels on cards": {
			answer{Body: careersPage(`<h2>Open positions</h2><ul><li><a href="/jobs/1"><h3>Pipe Fitter</h3></a><span>Oslo</span><span>Full-time</span><span>Hybrid</span><span>€60k–80k</span></li>
				<li><a href="/jobs/2"><h3>Remote Full-time Welder</h3></a><span>Bergen</span></li></ul>`)},
			boardwatch.Facts{
				Mode: boardwatch.ModeHybrid, Type: boardwatch.TypeFullTime, TypeText: "Full-time", Pay: boardwatch.Pay{Min: 60000, Max: 80000, Currency: "EUR", Text: "€60k–80k"},
			},
			"",
		},
		"labels in German": {
			answer{Body: careersPage(`<h2>Offene Stellen</h2><ul><li><a href="/jobs/1"><h3>Pipe Fitter</h3></a><span>Hamburg</span><span>Teilzeit</span><span>Homeoffice</span></li>
				<li><a href="/jobs/2"><h3>Welder</h3></a><span>Bremen</span><span>Vollzeit</span></li></ul>`)},
			boardwatch.Facts{Mode: boardwatch.ModeRemote, Type: boardwatch.TypePartTime, TypeText: "Teilzeit"},
			"",
		},
		"a feed": {
			dataAnswer("application/rss+xml", `<?xml version="1.0"?><rss version="2.0" xmlns:job="https://jobs.example/ns"><channel><title>Jobs at Pumps</title>
				<item><title>Pipe Fitter</title><link>https://www.company.example/jobs/1</link><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate><description>&lt;p&gt;Pipes &amp;amp; ships.&lt;/p&gt;</description>
				<job:employmentType>Full-time</job:employmentType></item></channel></rss>`),
			boardwatch.Facts{PostedAt: "2026-11-02T08:00:00Z", Type: boardwatch.TypeFullTime, TypeText: "Full-time"},
			"Pipes & ships.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const at = "https://www.company.example/careers"
			r := read(t, site{at: tt.answer}, at)
			require.NotEmpty(t, r.Postings, r.Reason)
			require.Equal(t, "Pipe Fitter", r.Postings[0].Title)
			require.Equal(t, tt.facts, r.Postings[0].Facts)
			require.Equal(t, tt.text, r.Postings[0].Text)
			for _, p := range r.Postings[1:] {
				require.Empty(t, p.Facts.Mode, "no title states anything")
			}
		})
	}
}
