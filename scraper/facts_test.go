package scraper_test

import (
	"encoding/json"
	"regexp"
	"strings"
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

// A published role is one as a template, a plugin or a system publishes it, and what a reading has to hold of it.
type published struct {
	linked string            // members of a JobPosting beside title and address
	page   string            // the body of a page
	system string            // the source of a board
	asked  map[string]string // the answers of its system, by address
	facts  string            // as JSON
	text   string
}

// TestReadFactsAsOthersPublishThem reads roles in the shapes that templates, plugins and systems are known to give them. What is
// stated is kept, and what leaves a doubt is no fact.
func TestReadFactsAsOthersPublishThem(t *testing.T) {
	t.Parallel()
	const at = "https://www.company.example/careers"
	pay := func(value, unit string) string {
		return `"baseSalary": {"@type": "MonetaryAmount", "currency": "EUR", "value": {"@type": "QuantitativeValue", ` + value + `, "unitText": "` + unit + `"}}`
	}
	paid := func(amounts, period string) string {
		return `{"pay": {` + amounts + `, "currency": "EUR", "period": "` + period + `"}}`
	}
	block := func(kind, text string) string { return `<script type="` + kind + `">` + text + `</script>` }
	linked := func(text string) string { return block("application/ld+json", text) }
	for name, tt := range map[string]published{
		"the search engine's own example": {
			linked: `"identifier": {"@type": "PropertyValue", "name": "Northwind Yard", "value": "1234567"}, "datePosted": "2026-01-18", "validThrough": "2026-12-18T00:00", "employmentType": "CONTRACTOR",
				"hiringOrganization": {"@type": "Organization", "name": "Northwind Yard", "sameAs": "https://www.company.example"}, "directApply": true, "description": "<p>Rig masts.</p>\n<p><strong>Needed:</strong> level 2.</p>",
				"jobLocation": {"@type": "Place", "address": {"@type": "PostalAddress", "streetAddress": "5 Quay", "addressLocality": "Detroit", "addressRegion": "MI", "postalCode": "48201", "addressCountry": "US"}},
				"baseSalary": {"@type": "MonetaryAmount", "currency": "USD", "value": {"@type": "QuantitativeValue", "value": 40.00, "unitText": "HOUR"}}`,
			facts: `{"postedAt": "2026-01-18", "validThrough": "2026-12-18T00:00:00Z", "type": "contract", "typeText": "CONTRACTOR", "requisition": "1234567", "places": [{"text": "Detroit, MI, US", "city": "Detroit", "country": "US"}],
				"pay": {"min": 40, "max": 40, "currency": "USD", "period": "hour"}}`,
			text: "Rig masts.\n\n**Needed:** level 2.",
		},
		"a job plugin": {
			linked: `"identifier": {"@type": "PropertyValue", "name": "Northwind", "value": "https://www.company.example/?post_type=job_listing&#038;p=12"}, "datePosted": "2026-11-02T08:00:00+00:00", "validThrough": "2026-12-31T23:59:59+00:00",
				"employmentType": ["FULL_TIME"], ` + pay(`"value": "60,000"`, "YEAR"),
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "validThrough": "2026-12-31T23:59:59Z", "type": "full_time", "typeText": "FULL_TIME", "pay": {"min": 60000, "max": 60000, "currency": "EUR", "period": "year"}}`,
		},

		"amounts with signs":                   {linked: pay(`"minValue": "€60,000", "maxValue": "€80,000"`, "YEAR"), facts: paid(`"min": 60000, "max": 80000`, "year")},
		"amounts with dots":                    {linked: pay(`"minValue": "60.000,00", "maxValue": "80.000,00"`, "YEAR"), facts: paid(`"min": 60000, "max": 80000`, "year")},
		"amounts with blanks":                  {linked: pay(`"minValue": "60 000", "maxValue": "80\u00a0000"`, "YEAR"), facts: paid(`"min": 60000, "max": 80000`, "year")},
		"amounts with apostrophes":             {linked: pay(`"minValue": "60'000", "maxValue": "80’000"`, "YEAR"), facts: paid(`"min": 60000, "max": 80000`, "year")},
		"amounts in thousands":                 {linked: pay(`"minValue": "60k", "maxValue": "80K"`, "YEAR"), facts: paid(`"min": 60000, "max": 80000`, "year")},
		"an hour's pay with a comma":           {linked: pay(`"minValue": "16,50", "maxValue": "18,00"`, "HOUR"), facts: paid(`"min": 16.5, "max": 18`, "hour")},
		"amounts in a list":                    {linked: `"baseSalary": {"currency": "EUR", "unitText": "MONTH", "value": [3000, 3500]}`, facts: paid(`"min": 3000, "max": 3500`, "month")},
		"a range as one value":                 {linked: pay(`"value": "3000-3500"`, "MONTH"), facts: `{"pay": {"min": 3000, "max": 3500, "currency": "EUR", "period": "month", "text": "3000-3500"}}`},
		"a range with k at its end":            {linked: `"baseSalary": "$120-150k"`, facts: `{"pay": {"min": 120000, "max": 150000, "text": "$120-150k"}}`},
		"pay before tax in words":              {linked: `"baseSalary": "24.000 € - 30.000 € Bruto/año"`, facts: `{"pay": {"min": 24000, "max": 30000, "currency": "EUR", "period": "year", "text": "24.000 € - 30.000 € Bruto/año"}}`},
		"pay that is nobody's number":          {linked: pay(`"value": "To be negotiated"`, "MONTH"), facts: `{"pay": {"text": "To be negotiated"}}`},
		"pay left at zero":                     {linked: pay(`"minValue": 0, "maxValue": 0`, "MONTH"), facts: `{}`},
		"the unit beside the value":            {linked: `"baseSalary": {"@type": "MonetaryAmount", "currency": "EUR", "unitText": "HOUR", "value": 18.5}`, facts: paid(`"min": 18.5, "max": 18.5`, "hour")},
		"the unit as a code":                   {linked: `"baseSalary": {"currency": "EUR", "value": {"value": "10", "unitCode": "HUR"}}`, facts: paid(`"min": 10, "max": 10`, "hour")},
		"a year as a code":                     {linked: `"baseSalary": {"currency": "EUR", "value": {"value": 60000, "unitCode": "ANN"}}`, facts: paid(`"min": 60000, "max": 60000`, "year")},
		"a unit in lower case":                 {linked: pay(`"value": 60000`, "per annum"), facts: paid(`"min": 60000, "max": 60000`, "year")},
		"every two weeks is not every week":    {linked: pay(`"value": 2000`, "bi-weekly"), facts: `{"pay": {"min": 2000, "max": 2000, "currency": "EUR"}}`},
		"every other week is not every week":   {linked: pay(`"value": 2000`, "every other week"), facts: `{"pay": {"min": 2000, "max": 2000, "currency": "EUR"}}`},
		"twice a month is not every month":     {linked: pay(`"value": 2000`, "SEMI_MONTHLY"), facts: `{"pay": {"min": 2000, "max": 2000, "currency": "EUR"}}`},
		"kinds in a list":                      {linked: `"employmentType": ["FULL_TIME", "CONTRACTOR"]`, facts: `{"type": "contract", "typeText": "FULL_TIME, CONTRACTOR"}`},
		"kinds in one text":                    {linked: `"employmentType": "FULL_TIME,TEMPORARY"`, facts: `{"type": "temporary", "typeText": "FULL_TIME,TEMPORARY"}`},
		"a kind in Italian":                    {linked: `"employmentType": "Tempo pieno"`, facts: `{"type": "full_time", "typeText": "Tempo pieno"}`},
		"a lasting contract is no contract":    {linked: `"employmentType": "Permanent contract, full-time"`, facts: `{"type": "full_time", "typeText": "Permanent contract, full-time"}`},
		"a lasting contract without hours":     {linked: `"employmentType": "Unlimited contract"`, facts: `{"type": "other", "typeText": "Unlimited contract"}`},
		"a lasting contract in French":         {linked: `"employmentType": "CDI - Temps plein"`, facts: `{"type": "full_time", "typeText": "CDI - Temps plein"}`},
		"a kind that is on no list":            {linked: `"employmentType": "PER_DIEM"`, facts: `{"type": "other", "typeText": "PER_DIEM"}`},
		"remote in a list":                     {linked: `"jobLocationType": ["TELECOMMUTE"]`, facts: `{"mode": "remote"}`},
		"hybrid":                               {linked: `"jobLocationType": "HYBRID"`, facts: `{"mode": "hybrid"}`},
		"on site":                              {linked: `"jobLocationType": "ON_SITE"`, facts: `{"mode": "onsite"}`},
		"fully on site is not fully remote":    {linked: `"jobLocationType": "Fully onsite"`, facts: `{"mode": "onsite"}`},
		"remote that is denied":                {linked: `"jobLocationType": "Remote: No"`, facts: `{}`},
		"remote for some countries":            {linked: `"jobLocationType": "TELECOMMUTE", "applicantLocationRequirements": [{"@type": "Country", "name": "USA"}, {"@type": "Country", "name": "Canada"}]`, facts: `{"mode": "remote", "places": [{"text": "USA", "country": "US"}, {"text": "Canada", "country": "CA"}]}`},
		"remote as a town":                     {linked: `"jobLocation": {"@type": "Place", "address": {"addressLocality": "Remote", "addressCountry": "US"}}`, facts: `{"places": [{"text": "Remote, US", "country": "US"}]}`},
		"a country as an object":               {linked: `"jobLocation": [{"address": {"addressLocality": "Emden", "addressCountry": {"@type": "Country", "name": "DE"}}}]`, facts: `{"places": [{"text": "Emden, DE", "city": "Emden", "country": "DE"}]}`},
		"a country in its own language":        {linked: `"jobLocation": {"address": {"addressLocality": "Emden", "addressRegion": "Niedersachsen", "addressCountry": "Deutschland"}}`, facts: `{"places": [{"text": "Emden, Niedersachsen, Deutschland", "city": "Emden", "country": "DE"}]}`},
		"the country behind the town":          {linked: `"jobLocation": {"address": {"addressLocality": "Lisbon, Portugal"}}`, facts: `{"places": [{"text": "Lisbon, Portugal", "city": "Lisbon", "country": "PT"}]}`},
		"several addresses of one place":       {linked: `"jobLocation": {"address": [{"addressLocality": "Emden", "addressCountry": "DE"}, {"addressLocality": "Oslo", "addressCountry": "NO"}]}`, facts: `{"places": [{"text": "Emden, DE", "city": "Emden", "country": "DE"}, {"text": "Oslo, NO", "city": "Oslo", "country": "NO"}]}`},
		"a place as text":                      {linked: `"jobLocation": "Lisbon, Portugal"`, facts: `{"places": [{"text": "Lisbon, Portugal", "city": "Lisbon", "country": "PT"}]}`},
		"a number as the identifier":           {linked: `"identifier": 4711`, facts: `{"requisition": "4711"}`},
		"a list of identifiers":                {linked: `"identifier": [{"@type": "PropertyValue", "value": "R-7"}]`, facts: `{"requisition": "R-7"}`},
		"dates for people":                     {linked: `"datePosted": "November 2, 2026 8:00 am", "validThrough": "31.1.2027"`, facts: `{"postedAt": "2026-11-02T08:00:00Z", "validThrough": "2027-01-31"}`},
		"dates of a script":                    {linked: `"datePosted": "Mon Nov 02 2026", "validThrough": "\/Date(1793606400000)\/"`, facts: `{"postedAt": "2026-11-02", "validThrough": "2026-11-02T08:00:00Z"}`},
		"dates of a server":                    {linked: `"datePosted": "20261102", "validThrough": "2026-11-02T08:00:00+01:00[Europe/Oslo]"`, facts: `{"postedAt": "2026-11-02", "validThrough": "2026-11-02T08:00:00+01:00"}`},
		"dates whose plus sign was decoded":    {linked: `"datePosted": "2026-11-02T08:00:00 01:00", "validThrough": "2026-11-02 08:00:00.000"`, facts: `{"postedAt": "2026-11-02T08:00:00+01:00", "validThrough": "2026-11-02T08:00:00Z"}`},
		"dates in French and Spanish":          {linked: `"datePosted": "2 février 2026", "validThrough": "2 de diciembre de 2026"`, facts: `{"postedAt": "2026-02-02", "validThrough": "2026-12-02"}`},
		"dates in German":                      {linked: `"datePosted": "2. März 2026", "validThrough": "Montag, 7. Dezember 2026"`, facts: `{"postedAt": "2026-03-02", "validThrough": "2026-12-07"}`},
		"dates that leave open which is which": {linked: `"datePosted": "11/02/2026", "validThrough": "until filled"`, facts: `{}`},

		"a description escaped once":        {linked: `"description": "&lt;p&gt;We build &lt;b&gt;boats&lt;/b&gt;.&lt;/p&gt;"`, facts: `{}`, text: "We build **boats**."},
		"a description escaped twice":       {linked: `"description": "&amp;lt;p&amp;gt;We build &amp;lt;b&amp;gt;boats&amp;lt;/b&amp;gt;.&amp;lt;/p&amp;gt;"`, facts: `{}`, text: "We build **boats**."},
		"a description in CDATA":            {linked: `"description": "<![CDATA[<p>We build <b>boats</b>.</p>]]>"`, facts: `{}`, text: "We build **boats**."},
		"a description in Markdown":         {linked: `"description": "## Boats\n\nWe **build** them.\n\n- Oak\n- Ash"`, facts: `{}`, text: "## Boats\n\nWe **build** them.\n\n- Oak\n- Ash"},
		"characters escaped twice":          {linked: `"description": "<p>Boats&amp;nbsp;&amp;amp;&amp;nbsp;ships, the yard&amp;#39;s own.</p>"`, facts: `{}`, text: "Boats & ships, the yard's own."},
		"lines escaped twice":               {linked: `"description": "We build boats.&amp;#xa;&amp;#xa;We sail them."`, facts: `{}`, text: "We build boats.\n\nWe sail them."},
		"lines as a backslash and a letter": {linked: `"description": "We build boats.\\n\\nWe sail them."`, facts: `{}`, text: "We build boats.\n\nWe sail them."},
		"a sign inside of an attribute":     {linked: `"description": "<p title=\"pay > 100k\">We build boats.</p>"`, facts: `{}`, text: "We build boats."},

		"a graph with references": {
			page: linked(`{"@context": "https://schema.org", "@graph": [{"@type": "WebPage", "@id": "#page"}, {"@type": "Place", "@id": "#yard", "address": {"addressLocality": "Oslo", "addressCountry": "NO"}},
				{"@type": "MonetaryAmount", "@id": "#pay", "currency": "NOK", "value": {"minValue": 500000, "unitText": "YEAR"}},
				{"@type": ["JobPosting"], "title": "Pipe Fitter", "url": "/jobs/1", "jobLocation": {"@id": "#yard"}, "baseSalary": {"@id": "#pay"}}]}`),
			facts: `{"places": [{"text": "Oslo, NO", "city": "Oslo", "country": "NO"}], "pay": {"min": 500000, "currency": "NOK", "period": "year"}}`,
		},
		"several blocks": {
			page:  linked(`{"@type": "BreadcrumbList"}`) + linked(`[{"@type": "http://schema.org/JobPosting", "title": "Pipe Fitter", "url": "/jobs/1", "datePosted": "2026-11-02"}]`),
			facts: `{"postedAt": "2026-11-02"}`,
		},
		"objects in a row": {
			page:  linked(`{"@type": "JobPosting", "title": "Pipe Fitter", "url": "/jobs/1", "datePosted": "2026-11-02"} {"@type": "JobPosting", "title": "Welder", "url": "/jobs/2"}`),
			facts: `{"postedAt": "2026-11-02"}`,
		},
		"comments, commas, control characters": {
			page:  linked("//<![CDATA[\n/* made by a plugin */ {\"@type\": \"JobPosting\", \"title\": \"Pipe Fitter\", \"url\": \"/jobs/1\", // the role\n\"description\": \"Boats.\n\nAnd\tships.\", \"datePosted\": \"2026-11-02\",};\n//]]>"),
			facts: `{"postedAt": "2026-11-02"}`, text: "Boats.\n\nAnd ships.",
		},
		"apostrophes with backslashes": {
			page:  linked(`{"@type": "JobPosting", "title": "Pipe Fitter", "url": "/jobs/1", "description": "The yard\'s pipes.", "datePosted": "2026-11-02"}`),
			facts: `{"postedAt": "2026-11-02"}`, text: "The yard's pipes.",
		},
		"quotes inside of a text": {
			page: `<h1>Pipe Fitter</h1>` + linked(`{"@type": "JobPosting", "title": "Pipe Fitter", "datePosted": "2026-11-02", "employmentType": "FULL_TIME", "description": "We fit "pipes" in ships.",
				"jobLocation": {"@type": "Place", "address": {"addressLocality": "Oslo", "addressCountry": "NO"}}, "baseSalary": {"currency": "NOK", "value": {"minValue": 500000, "unitText": "YEAR"}}}`),
			facts: `{"postedAt": "2026-11-02", "type": "full_time", "typeText": "FULL_TIME", "places": [{"text": "Oslo, NO", "city": "Oslo", "country": "NO"}], "pay": {"min": 500000, "currency": "NOK", "period": "year"}}`,
		},
		"amounts that a template left out": {
			page:  `<h1>Pipe Fitter</h1>` + linked(`{"@type": "JobPosting", "title": "Pipe Fitter", "validThrough": "2026-12-31", "baseSalary": {"currency": "NOK", "value": {"minValue": , "maxValue": , "unitText": "YEAR"}}}`),
			facts: `{"validThrough": "2026-12-31"}`,
		},

		"microdata with times and an employer's address": {
			page: `<article itemscope itemtype="https://schema.org/JobPosting"><div itemprop="hiringOrganization" itemscope itemtype="https://schema.org/Organization"><a itemprop="url" href="https://www.company.example/"><span itemprop="name">Northwind</span></a>
				<span itemprop="address" itemscope><span itemprop="addressLocality">Leith</span><meta itemprop="addressCountry" content="GB"></span></div><h2 itemprop="title"><a itemprop="url" href="/jobs/1">Pipe Fitter</a></h2>
				<time itemprop="datePosted" datetime="2026-11-02">12 days ago</time><meta itemprop="identifier" content="R-7"><meta itemprop="jobLocationType" content="TELECOMMUTE">
				<span itemprop="jobLocation" itemscope><span itemprop="address" itemscope><span itemprop="addressLocality">Oslo</span> <span itemprop="addressCountry">NO</span></span></span>
				<span itemprop="baseSalary">€38.000 – €52.000 per year</span><div itemprop="description"><p>Pipes.</p></div></article>`,
			facts: `{"postedAt": "2026-11-02", "mode": "remote", "requisition": "R-7", "places": [{"text": "Oslo, NO", "city": "Oslo", "country": "NO"}],
				"pay": {"min": 38000, "max": 52000, "currency": "EUR", "period": "year", "text": "€38.000 – €52.000 per year"}}`,
			text: "Pipes.",
		},
		"RDFa of a public job bank": {
			page: `<div vocab="http://schema.org/" typeof="JobPosting"><h1><span property="title">Pipe Fitter</span></h1><span property="datePosted" class="date"> Posted on November 02, 2026</span>
				<span property="jobLocation" typeof="Place"><span property="address" typeof="PostalAddress"><span property="addressLocality">Halifax</span>, <span property="addressRegion">NS</span></span></span>
				<span property="baseSalary" typeof="MonetaryAmount"><span property="currency" content="CAD"></span>$<span property="value" typeof="QuantitativeValue"><span property="minValue" content="31.50">31.50</span> to <span property="maxValue" content="38">38.00</span> <span property="unitText" content="HOUR">hourly</span></span></span>
				<span property="employmentType">Permanent employment<span>Full time</span></span><p property="validThrough">2026-12-14</p><p property="description">Pipes.</p></div>`,
			facts: `{"postedAt": "2026-11-02", "validThrough": "2026-12-14", "type": "full_time", "typeText": "Full time", "places": [{"text": "Halifax, NS", "city": "Halifax"}],
				"pay": {"min": 31.5, "max": 38, "currency": "CAD", "period": "hour"}}`,
			text: "Pipes.",
		},
		"the state of Next.js": {
			page: `<div id="__next"></div>` + block("application/json", `{"props": {"pageProps": {"jobs": [
				{"id": "1", "title": "Pipe Fitter", "slug": "/jobs/1", "job_type": "Full Time", "location_type": "Remote", "salary_min": "60,000", "salary_max": "80,000", "salary_currency": "EUR", "salary_period": "yearly", "posted_at": "\/Date(1793606400000)\/", "expires_at": "2026-12-31"},
				{"id": "2", "title": "Welder", "slug": "/jobs/2", "job_type": "Part Time", "location_type": "Onsite"}]}}}`),
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "validThrough": "2026-12-31", "mode": "remote", "type": "full_time", "typeText": "Full Time", "pay": {"min": 60000, "max": 80000, "currency": "EUR", "period": "year"}}`,
		},
		"microdata whose title is a link": {
			page: `<ul><li itemscope itemtype="http://schema.org/JobPosting"><a itemprop="title" href="/jobs/1">Pipe Fitter</a> <span itemprop="employmentType">FULL_TIME</span> <span itemprop="salaryCurrency" content="EUR"></span><span itemprop="baseSalary" content="38000">38 T</span>
				<span itemprop="jobLocation" itemscope><span itemprop="address" itemscope><span itemprop="addressLocality">Oslo</span> <span itemprop="addressCountry">NO</span></span></span></li>
				<li itemscope itemtype="http://schema.org/JobPosting"><a itemprop="title" href="/jobs/2">Welder</a></li></ul>`,
			facts: `{"type": "full_time", "typeText": "FULL_TIME", "places": [{"text": "Oslo, NO", "city": "Oslo", "country": "NO"}], "pay": {"min": 38000, "max": 38000, "currency": "EUR"}}`,
		},
		"microdata with a number in parts": {
			page: `<div itemscope itemtype="https://schema.org/JobPosting"><h2 itemprop="title">Pipe Fitter</h2><a itemprop="url" href="/jobs/1">More</a><div itemprop="identifier" itemscope itemtype="https://schema.org/PropertyValue"><meta itemprop="name" content="Northwind"><meta itemprop="value" content="R-7"></div>
				<div itemprop="baseSalary" itemscope><meta itemprop="currency" content="EUR"><div itemprop="value" itemscope><meta itemprop="minValue" content="3000"><meta itemprop="maxValue" content="3500"><meta itemprop="unitText" content="MONTH"></div></div></div>`,
			facts: `{"requisition": "R-7", "pay": {"min": 3000, "max": 3500, "currency": "EUR", "period": "month"}}`,
		},
		"the feed of a job plugin": {
			system: "page:https://www.company.example/jobs/feed", asked: map[string]string{"https://www.company.example/jobs/feed": `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:job_listing="https://www.company.example" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Jobs</title>
				<item><title>Pipe Fitter</title><link>https://www.company.example/jobs/1-pipe-fitter/</link><pubDate>Mon, 02 Nov 2026 08:00:00 +0000</pubDate><description><![CDATA[Pipes &#8230;]]></description><content:encoded><![CDATA[<p>Pipes.</p>]]></content:encoded>
				<job_listing:location><![CDATA[Oslo]]></job_listing:location><job_listing:job_type><![CDATA[Full Time]]></job_listing:job_type><job_listing:salary><![CDATA[€3.000 – €3.500 per month]]></job_listing:salary></item></channel></rss>`},
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "type": "full_time", "typeText": "Full Time", "pay": {"min": 3000, "max": 3500, "currency": "EUR", "period": "month", "text": "€3.000 – €3.500 per month"}}`,
			text:  "Pipes.",
		},
		"the state of Nuxt": {
			page:  `<div id="__nuxt"></div><script>window.__NUXT__=(function(a,b){return {data:[{jobs:[{id:1,title:"Pipe Fitter",url:"/jobs/1",remote:a,employment_type:b,published_at:"2026-11-02T08:00:00Z",salary:{from:3000,to:3500,currency:"EUR",period:"month"}},{id:2,title:"Welder",url:"/jobs/2",remote:false,employment_type:b}]}]}}(true,"Full-time"));</script>`,
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "mode": "remote", "type": "full_time", "typeText": "Full-time", "pay": {"min": 3000, "max": 3500, "currency": "EUR", "period": "month"}}`,
		},
		"pay in words of other lands": {linked: `"baseSalary": "CHF 90'000 – 110'000"`, facts: `{"pay": {"min": 90000, "max": 110000, "currency": "CHF", "text": "CHF 90'000 – 110'000"}}`},
		"pay in words before tax":     {linked: `"baseSalary": "15 000 – 20 000 PLN brutto / miesiąc"`, facts: `{"pay": {"min": 15000, "max": 20000, "currency": "PLN", "period": "month", "text": "15 000 – 20 000 PLN brutto / miesiąc"}}`},
		"pay in words by the hour":    {linked: `"baseSalary": "From £11.44 an hour"`, facts: `{"pay": {"min": 11.44, "currency": "GBP", "period": "hour", "text": "From £11.44 an hour"}}`},
		"pay in reais":                {linked: `"baseSalary": "R$ 5.000,00 - R$ 7.000,00"`, facts: `{"pay": {"min": 5000, "max": 7000, "currency": "BRL", "text": "R$ 5.000,00 - R$ 7.000,00"}}`},
		"pay with a bonus":            {linked: `"baseSalary": "£45k - £55k + bonus"`, facts: `{"pay": {"text": "£45k - £55k + bonus"}}`},
		"Pinpoint: pay that is not to be shown": {
			system: "pinpoint:northwind", asked: map[string]string{"https://northwind.pinpointhq.com/postings.json": `{"data": [{"id": "1", "title": "Pipe Fitter", "url": "https://northwind.pinpointhq.com/en/postings/1", "location": {"name": "Oslo"}, "description": "<div>Pipes.</div>",
				"compensation_visible": false, "compensation_minimum": 42978.0, "compensation_maximum": 54395.0, "compensation_currency": "GBP", "compensation_frequency": "year"}]}`},
			facts: `{}`, text: "Pipes.",
		},
		"labels of a job board": {
			page:  `<h2>Open positions</h2><ul><li><a href="/jobs/1"><h3>Pipe Fitter</h3></a><span>Oslo</span><span>Fully remote</span><span>$120K/yr - $150K/yr</span></li><li><a href="/jobs/2"><h3>Welder</h3></a><span>Bergen</span><span>On-site</span></li></ul>`,
			facts: `{"mode": "remote", "pay": {"min": 120000, "max": 150000, "period": "year", "text": "$120K/yr - $150K/yr"}}`,
		},

		"Lever: every two weeks": {
			system: "lever:northwind", asked: map[string]string{"https://api.lever.co/v0/postings/northwind?mode=json": `[{"id": "1", "text": "Pipe Fitter", "hostedUrl": "https://jobs.lever.co/northwind/1", "createdAt": 1793606400000, "country": "NO",
				"categories": {"location": "Oslo", "allLocations": ["Oslo", "Bergen"], "commitment": "Regular Full-Time"}, "workplaceType": "unspecified", "salaryRange": {"currency": "USD", "interval": "bi-week-salary", "min": 2000, "max": 3000},
				"description": "<div>Pipes.</div>", "lists": [{"text": "You bring", "content": "<li>Care</li>"}], "salaryDescription": "<div>Paid every second Friday.</div>", "additional": ""}]`},
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "type": "full_time", "typeText": "Regular Full-Time", "places": [{"text": "Oslo", "country": "NO"}, {"text": "Bergen"}], "pay": {"min": 2000, "max": 3000, "currency": "USD"}}`,
			text:  "Pipes.\n\n### You bring\n\n- Care\n\nPaid every second Friday.",
		},
		"Ashby: hybrid with the flag for remote": {
			system: "ashby:northwind", asked: map[string]string{"https://api.ashbyhq.com/posting-api/job-board/northwind?includeCompensation=true": `{"jobs": [{"id": "1", "title": "Pipe Fitter", "jobUrl": "https://jobs.ashbyhq.com/northwind/1", "location": "Oslo",
				"isRemote": true, "workplaceType": "Hybrid", "employmentType": "FullTime", "publishedAt": "2026-11-02T08:00:00.000+00:00", "address": {"postalAddress": {"addressLocality": "Oslo", "addressCountry": "Norway"}},
				"shouldDisplayCompensationOnJobPostings": true, "compensation": {"scrapeableCompensationSalarySummary": "$20 - $30", "summaryComponents": [{"compensationType": "EquityPercentage", "interval": "NONE"}, {"compensationType": "Salary", "interval": "1 HOUR", "currencyCode": "USD", "minValue": 20, "maxValue": 30}]},
				"descriptionHtml": "<p>Pipes.</p>"}]}`},
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "mode": "hybrid", "type": "full_time", "typeText": "FullTime", "places": [{"text": "Oslo", "city": "Oslo", "country": "NO"}], "pay": {"min": 20, "max": 30, "currency": "USD", "period": "hour", "text": "$20 - $30"}}`,
			text:  "Pipes.",
		},
		"Ashby: pay that is not to be shown": {
			system: "ashby:northwind", asked: map[string]string{"https://api.ashbyhq.com/posting-api/job-board/northwind?includeCompensation=true": `{"jobs": [{"id": "1", "title": "Pipe Fitter", "jobUrl": "https://jobs.ashbyhq.com/northwind/1", "location": "Oslo",
				"shouldDisplayCompensationOnJobPostings": false, "compensation": {"scrapeableCompensationSalarySummary": "$20K - $30K", "summaryComponents": [{"compensationType": "Salary", "interval": "1 YEAR", "currencyCode": "USD", "minValue": 20000, "maxValue": 30000}]}}]}`},
			facts: `{}`,
		},
		"Recruitee: hybrid, and a month's pay as text": {
			system: "recruitee:northwind", asked: map[string]string{"https://northwind.recruitee.com/api/offers": `{"offers": [{"id": 1, "title": "Pipe Fitter", "careers_url": "https://northwind.recruitee.com/o/pipe-fitter", "remote": false, "hybrid": true, "on_site": false,
				"employment_type_code": "fulltime_fixed_term", "published_at": "2026-11-02 08:00:00 UTC", "close_at": null, "salary": {"min": "3200.50", "max": "3500", "period": "month", "currency": "EUR"},
				"locations": [{"city": "Delft", "country": "Netherlands", "country_code": "NL"}], "description": "<p>Pipes.</p>", "requirements": "<ul><li>Care</li></ul>"}]}`},
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "mode": "hybrid", "type": "temporary", "typeText": "fulltime_fixed_term", "places": [{"text": "Delft, Netherlands", "city": "Delft", "country": "NL"}], "pay": {"min": 3200.5, "max": 3500, "currency": "EUR", "period": "month"}}`,
			text:  "Pipes.\n\n- Care",
		},
		"SmartRecruiters: hybrid beside remote": {
			system: "smartrecruiters:northwind", asked: map[string]string{"https://api.smartrecruiters.com/v1/companies/northwind/postings?limit=100&offset=0": `{"totalFound": 1, "content": [{"id": "1", "name": "Pipe Fitter", "refNumber": "REF7", "releasedDate": "2026-11-02T08:00:00.000Z",
				"location": {"city": "Oslo", "country": "no", "remote": true, "hybrid": true}, "typeOfEmployment": {"id": "permanent", "label": "Full-time"}, "language": {"code": "en-GB"}}]}`},
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "mode": "hybrid", "type": "full_time", "typeText": "Full-time", "language": "en-GB", "requisition": "REF7", "places": [{"text": "Oslo, no", "city": "Oslo", "country": "NO"}]}`,
		},
		"BambooHR: the mode as a number": {
			system: "bamboohr:northwind", asked: map[string]string{"https://northwind.bamboohr.com/careers/list": `{"meta": {"totalCount": 1}, "result": [{"id": "1", "jobOpeningName": "Pipe Fitter", "employmentStatusLabel": "Full-Time", "location": {"city": null, "state": null},
				"atsLocation": {"country": "United States", "state": "Ohio", "city": "Toledo"}, "isRemote": null, "locationType": "2"}]}`},
			facts: `{"mode": "hybrid", "type": "full_time", "typeText": "Full-Time", "places": [{"text": "Toledo, Ohio, United States", "city": "Toledo", "country": "US"}]}`,
		},
		"Personio: parts in CDATA": {
			system: "personio:northwind", asked: map[string]string{"https://northwind.jobs.personio.de/xml?language=en": `<?xml version="1.0" encoding="UTF-8"?><workzag-jobs><position><id>1</id><office>Emden</office><name>Pipe Fitter</name><employmentType>permanent</employmentType><schedule>full-time</schedule>
				<createdAt>2026-11-02T08:00:00+00:00</createdAt><jobDescriptions><jobDescription><name>Tasks</name><value><![CDATA[<ul><li>Pipes &amp; pumps</li></ul>]]></value></jobDescription></jobDescriptions></position></workzag-jobs>`},
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "type": "full_time", "typeText": "full-time"}`,
			text:  "### Tasks\n\n- Pipes & pumps",
		},
		"Workable: several places": {
			system: "workable:northwind", asked: map[string]string{"https://apply.workable.com/api/v1/widget/accounts/northwind?details=true": `{"name": "Northwind", "jobs": [{"title": "Pipe Fitter", "shortcode": "A1", "code": "R-7", "employment_type": "Part-time", "telecommuting": true, "url": "https://apply.workable.com/j/A1",
				"published_on": "2026-11-02", "country": "Norway", "city": "Oslo", "locations": [{"country": "Norway", "countryCode": "NO", "city": "Oslo", "hidden": false}, {"country": "Norway", "countryCode": "NO", "city": "Bergen", "hidden": true}], "description": "<p>Pipes.</p>"}]}`},
			facts: `{"postedAt": "2026-11-02", "mode": "remote", "type": "part_time", "typeText": "Part-time", "requisition": "R-7", "places": [{"text": "Oslo, Norway", "city": "Oslo", "country": "NO"}]}`,
			text:  "Pipes.",
		},
		"Teamtailor: remote for a time": {
			system: "teamtailor:northwind.teamtailor.com", asked: map[string]string{"https://northwind.teamtailor.com/jobs.rss?offset=0&per_page=100": `<?xml version="1.0"?><rss version="2.0" xmlns:tt="https://teamtailor.com/locations"><channel><title>Northwind</title><item><title>Pipe Fitter</title>
				<description>&lt;p&gt;Pipes.&lt;/p&gt;</description><pubDate>Mon, 02 Nov 2026 09:00:00 +0100</pubDate><link>https://northwind.teamtailor.com/jobs/1-pipe-fitter</link><remoteStatus>temporary</remoteStatus><guid>1</guid>
				<tt:locations><tt:location><tt:name>Yard</tt:name><tt:city>Oslo</tt:city><tt:country>Norway</tt:country></tt:location></tt:locations></item></channel></rss>`},
			facts: `{"postedAt": "2026-11-02T09:00:00+01:00", "places": [{"text": "Oslo", "city": "Oslo", "country": "NO"}]}`,
			text:  "Pipes.",
		},
		"Breezy: pay in words": {
			system: "breezy:northwind", asked: map[string]string{"https://northwind.breezy.hr/json": `[{"id": "1", "name": "Pipe Fitter", "url": "https://northwind.breezy.hr/p/1", "published_date": "2026-11-02T08:00:00.000Z", "type": {"id": "contract", "name": "Contract"},
				"location": {"name": "Oslo, NO", "city": "Oslo", "country": {"name": "Norway", "id": "NO"}, "is_remote": true}, "salary": "$25 - $30 / hr", "description": "<p>Pipes.</p>"}]`},
			facts: `{"postedAt": "2026-11-02T08:00:00Z", "mode": "remote", "type": "contract", "typeText": "Contract", "places": [{"text": "Oslo, NO", "city": "Oslo", "country": "NO"}], "pay": {"min": 25, "max": 30, "period": "hour", "text": "$25 - $30 / hr"}}`,
			text:  "Pipes.",
		},
		"Pinpoint: parts with headings": {
			system: "pinpoint:northwind", asked: map[string]string{"https://northwind.pinpointhq.com/postings.json": `{"data": [{"id": "1", "title": "Pipe Fitter", "url": "https://northwind.pinpointhq.com/en/postings/1", "location": {"name": "Oslo", "city": "Oslo"}, "workplace_type": "onsite", "employment_type_text": "Full Time",
				"deadline_at": "2026-12-31T23:59:59Z", "compensation_minimum": 42978.0, "compensation_maximum": 54395.0, "compensation_currency": "GBP", "compensation_frequency": "year", "compensation": "£42,978 - £54,395 / year", "job": {"requisition_id": "R-7", "department": {"name": "Yard"}},
				"description": "<div>Pipes.</div>", "key_responsibilities_header": "Tasks", "key_responsibilities": "<ul><li>Care</li></ul>", "benefits": ""}]}`},
			facts: `{"validThrough": "2026-12-31T23:59:59Z", "mode": "onsite", "type": "full_time", "typeText": "Full Time", "requisition": "R-7", "places": [{"text": "Oslo", "city": "Oslo"}], "pay": {"min": 42978, "max": 54395, "currency": "GBP", "period": "year", "text": "£42,978 - £54,395 / year"}}`,
			text:  "Pipes.\n\n### Tasks\n\n- Care",
		},
		"Greenhouse: a text that is escaped": {
			system: "greenhouse:northwind", asked: map[string]string{"https://boards-api.greenhouse.io/v1/boards/northwind/jobs?content=true&pay_transparency=true": `{"jobs": [{"id": 1, "title": "Pipe Fitter", "absolute_url": "https://boards.greenhouse.io/northwind/jobs/1", "location": {"name": "Oslo"}, "first_published": "2026-11-02T08:00:00-05:00", "updated_at": "2026-11-03T08:00:00-05:00",
				"requisition_id": "See opening ID", "language": "en", "pay_input_ranges": [{"min_cents": 5000000, "max_cents": 7500000, "currency_type": "NOK", "title": "Oslo", "blurb": ""}], "content": "&lt;div class=&quot;content-intro&quot;&gt;&lt;p&gt;Pipes &amp;amp; pumps.&amp;nbsp;&lt;/p&gt;&lt;/div&gt;"}], "meta": {"total": 1}}`},
			facts: `{"postedAt": "2026-11-02T08:00:00-05:00", "updatedAt": "2026-11-03T08:00:00-05:00", "language": "en", "pay": {"min": 50000, "max": 75000, "currency": "NOK", "text": "Oslo"}}`,
			text:  "Pipes & pumps.",
		},
		"Workday: days ago": {
			system: "workday:northwind.wd3/Yard", asked: map[string]string{"https://northwind.wd3.myworkdayjobs.com/wday/cxs/northwind/Yard/jobs": `{"total": 1, "jobPostings": [{"title": "Pipe Fitter", "externalPath": "/job/Oslo/Pipe-Fitter_R-7", "locationsText": "Oslo", "postedOn": "Posted 30+ Days Ago", "timeType": "Full time", "remoteType": "Fully Onsite", "bulletFields": ["R-7"]}]}`},
			facts: `{"mode": "onsite", "type": "full_time", "typeText": "Full time", "requisition": "R-7"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.linked != "" {
				tt.page = linked(`{"@context": "https://schema.org", "@type": "JobPosting", "title": "Pipe Fitter", "url": "/jobs/1", ` + tt.linked + `}`)
			}
			answers, source := site{at: {Body: careersPage(tt.page)}}, "page:"+at
			if tt.system != "" {
				source = tt.system
				for address, body := range tt.asked {
					answers[address] = answer{Header: map[string]any{"Content-Type": map[bool]string{true: "application/xml", false: "application/json"}[body[0] == '<']}, Body: []byte(body)}
				}
			}
			r, err := reader(t, answers).Read(t.Context(), boardwatch.Board{Source: source})
			require.NoError(t, err)
			require.NotEmpty(t, r.Postings, r.Reason)
			require.Equal(t, "Pipe Fitter", r.Postings[0].Title)
			require.Len(t, r.Postings, 1+strings.Count(tt.page, "Welder"))
			facts, err := json.Marshal(r.Postings[0].Facts)
			require.NoError(t, err)
			require.JSONEq(t, tt.facts, string(facts))
			require.Equal(t, tt.text, r.Postings[0].Text)
		})
	}
}

// TestTextsLoseWhatLivesOnAllPaths reads texts that would be more than texts from a page, its data, and a system.
func TestTextsLoseWhatLivesOnAllPaths(t *testing.T) {
	t.Parallel()
	live := regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*(?:<|!\[|\]\((?:[^h]|h[^t])|\]:)|[\x{202a}-\x{202e}\x{3164}\x{e0000}-\x{e01ef}\x1b]`)
	const at, api = "https://www.company.example/careers", "https://api.lever.co/v0/postings/northwind?mode=json"
	for _, text := range []string{
		`<p>We sail.</p><script>alert("evil")</script><img src=x onerror=alert(1)>`, `<p>We sail. [a](javascript&colon;alert(1)) &lt;javascript:alert(1)&gt; ![t](https://evil.example/t.gif)</p>`,
		`<p>We sail.</p><a href="javascript&colon;alert(1)">a</a> <a href="&#1;javascript:alert(1)">b</a> <a href="data:text/html,x">c</a>`, `<p>We sail. &amp;lt;img src=x onerror=alert(1)&amp;gt;</p>`,
		`<p>We sail.</p><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`, `<p>We sail.</p><noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
		"<p>We sail.</p><![CDATA[<img src=x onerror=alert(1)>]]>", "<p>We\u202e sail\u3164\U000e0041\U000e0101.\x1b[31m</p>", "<p>We sail. <x![](`<a\n>`)><svg onload=alert(1)![](`<a\n>`)</p>", "<p>We sail.</p><p>[x]: javascript:alert(1)</p><p>[x]</p>",
	} {
		role := map[string]any{"@type": "JobPosting", "title": "Pipe Fitter", "url": "/jobs/1", "description": text}
		posting, err := json.Marshal(role)
		require.NoError(t, err)
		state, err := json.Marshal(map[string]any{"jobs": []any{role, map[string]any{"title": "Welder", "url": "/jobs/2"}}})
		require.NoError(t, err)
		list, err := json.Marshal([]any{map[string]any{"id": "1", "text": "Pipe Fitter", "hostedUrl": "https://jobs.lever.co/northwind/1", "description": text}})
		require.NoError(t, err)
		for source, a := range map[string]site{
			"page:" + at:             {at: {Body: careersPage(`<script type="application/ld+json">` + string(posting) + `</script>`)}},
			"page:" + at + "?state":  {at + "?state": {Body: careersPage(`<script type="application/json">` + string(state) + `</script>`)}},
			"page:" + at + "?marked": {at + "?marked": {Body: careersPage(`<div itemscope itemtype="https://schema.org/JobPosting"><h2 itemprop="title">Pipe Fitter</h2><a itemprop="url" href="/jobs/1">More</a><div itemprop="description">` + text + `</div></div>`)}},
			"lever:northwind":        {api: dataAnswer("application/json", string(list))},
		} {
			r, err := reader(t, a).Read(t.Context(), boardwatch.Board{Source: source})
			require.NoError(t, err)
			require.NotEmpty(t, r.Postings, "%s: %s", source, text)
			require.Contains(t, r.Postings[0].Text, "We sail", "%s: %s", source, text)
			require.NotRegexp(t, live, r.Postings[0].Text, "%s: %s", source, text)
		}
	}
}
