package scraper_test

import (
	"fmt"
	stdhtml "html"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Postings in JSON-LD and microdata, with every liberty that pages take.
func TestReadStructuredData(t *testing.T) {
	t.Parallel()
	const (
		fitter = `{"@context":"https://schema.org","@type":"JobPosting","title":"Pipe Fitter","url":"/jobs/1","jobLocation":{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":"Hamburg","addressCountry":"DE"}}}`
		pump   = `{"@context":"https://schema.org/","@type":"JobPosting","title":"Pump Engineer","url":"/jobs/2","jobLocation":{"@type":"Place","address":{"addressLocality":"Bremen"}}}`
	)
	one := func(members string) string {
		return `{"@context":"https://schema.org","@type":"JobPosting","title":"Pipe Fitter",` + members + `}`
	}
	script := func(text string) string { return `<script type="application/ld+json">` + text + `</script>` }
	both := []string{"Pipe Fitter|Hamburg, DE|/jobs/1", "Pump Engineer|Bremen|/jobs/2"}
	for name, tt := range map[string]struct {
		page string
		want []string
	}{
		"a list":                         {script(`[` + fitter + `,` + pump + `]`), both},
		"a graph":                        {script(`{"@context":"http://schema.org","@graph":[{"@type":"WebSite","name":"x"},` + fitter + `,` + pump + `]}`), both},
		"blocks":                         {script(fitter) + script(pump), both},
		"list items":                     {script(`{"@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"item":` + fitter + `},{"@type":"ListItem","position":2,"item":` + pump + `}]}`), both},
		"list items of both kinds":       {script(`{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":` + fitter + `},{"@type":"ListItem","name":"Pump Engineer","url":"/jobs/2"}]}`), []string{"Pump Engineer||/jobs/2", "Pipe Fitter|Hamburg, DE|/jobs/1"}},
		"list items beside postings":     {script(`{"@type":"ItemList","itemListElement":[{"@type":"ListItem","name":"Zorbler","item":"/jobs/2"},` + fitter + `]}`), []string{"Zorbler||/jobs/2", "Pipe Fitter|Hamburg, DE|/jobs/1"}},
		"list items of things":           {script(`{"@type":"ItemList","itemListElement":[` + fitter + `,{"@type":"ListItem","item":{"@type":"WebPage","name":"Pump Engineer","url":"/jobs/2"}}]}`), []string{"Pump Engineer||/jobs/2", "Pipe Fitter|Hamburg, DE|/jobs/1"}},
		"nested elsewhere":               {script(`{"@type":"Organization","department":{"x":[` + fitter + `],"y":{"z":` + pump + `}}}`), both},
		"a type of several":              {script(one(`"@type":["JobPosting","Thing"],"url":"/jobs/1"`)), []string{"Pipe Fitter||/jobs/1"}},
		"a full type":                    {script(`{"@type":"http://schema.org/JobPosting","title":"Pipe Fitter","url":"/jobs/1"}`), []string{"Pipe Fitter||/jobs/1"}},
		"with a charset":                 {`<script type='application/ld+json; charset=utf-8'>` + fitter + `</script>`, both[:1]},
		"without quotes":                 {`<script type=application/ld+json>` + fitter + `</script>`, both[:1]},
		"escaped":                        {script(stdhtml.EscapeString(fitter)), both[:1]},
		"in CDATA":                       {script("//<![CDATA[\n" + fitter + "\n//]]>"), both[:1]},
		"in a comment":                   {script("<!-- " + fitter + " -->"), both[:1]},
		"with a mark in front":           {script("\ufeff" + fitter), both[:1]},
		"with commas":                    {script(one(`"url":"/jobs/1","skills":["a","b",],`)), []string{"Pipe Fitter||/jobs/1"}},
		"with comments":                  {script("// the role\n" + fitter), both[:1]},
		"with line breaks":               {script(one("\"url\":\"/jobs/1\",\"description\":\"a\nb\tc\"")), []string{"Pipe Fitter||/jobs/1"}},
		"with a semicolon":               {script(fitter + ";"), both[:1]},
		"broken beyond repair":           {script(one(`"url":"/jobs/1","description":"he said "come""`)) + `<h1>Pipe Fitter</h1>`, []string{"Pipe Fitter||*"}},
		"a name":                         {script(`{"@type":"JobPosting","name":"Pipe Fitter","url":"/jobs/1"}`), []string{"Pipe Fitter||/jobs/1"}},
		"an escaped title":               {script(`{"@type":"JobPosting","title":"Pipe&amp;nbsp;&amp;amp;&nbsp;Pump Fitter","url":"/jobs/1"}`), []string{"Pipe & Pump Fitter||/jobs/1"}},
		"places":                         {script(one(`"url":"/jobs/1","jobLocation":[{"address":"Hamburg"},{"address":{"addressLocality":"Bremen"}}]`)), []string{"Pipe Fitter|Hamburg; Bremen|/jobs/1"}},
		"a place without an address":     {script(one(`"url":"/jobs/1","jobLocation":{"@type":"Place","addressLocality":"Hamburg"}`)), []string{"Pipe Fitter|Hamburg|/jobs/1"}},
		"a place as text":                {script(one(`"url":"/jobs/1","jobLocation":"Hamburg"`)), []string{"Pipe Fitter|Hamburg|/jobs/1"}},
		"a list of addresses":            {script(one(`"url":"/jobs/1","jobLocation":{"address":[{"addressLocality":"Hamburg"}]}`)), []string{"Pipe Fitter|Hamburg|/jobs/1"}},
		"several addresses":              {script(one(`"url":"/jobs/1","jobLocation":[{"address":[{"addressLocality":"Hamburg"},{"addressLocality":"Bremen"}]},{"address":["Kiel"]}]`)), []string{"Pipe Fitter|Hamburg; Bremen; Kiel|/jobs/1"}},
		"no place":                       {script(one(`"url":"/jobs/1","jobLocation":null`)), []string{"Pipe Fitter||/jobs/1"}},
		"fillers":                        {script(one(`"url":"/jobs/1","jobLocation":{"address":{"addressLocality":"Hamburg","addressRegion":"UNAVAILABLE","addressCountry":"undefined"}}`)), []string{"Pipe Fitter|Hamburg|/jobs/1"}},
		"a country with a name":          {script(one(`"url":"/jobs/1","jobLocation":{"address":{"addressLocality":"Hamburg","addressCountry":{"@type":"Country","name":"Germany"}}}`)), []string{"Pipe Fitter|Hamburg, Germany|/jobs/1"}},
		"from anywhere":                  {script(one(`"url":"/jobs/1","jobLocationType":"TELECOMMUTE"`)), []string{"Pipe Fitter|Remote|/jobs/1"}},
		"from a country":                 {script(one(`"url":"/jobs/1","jobLocationType":"TELECOMMUTE","applicantLocationRequirements":{"@type":"Country","name":"Germany"}`)), []string{"Pipe Fitter|Remote (Germany)|/jobs/1"}},
		"strange dates":                  {script(one(`"url":"/jobs/1","datePosted":"Wed Aug 05 02:00:00 UTC 2026","validThrough":"2017-03-18T00:00","employmentType":["FULL_TIME",3],"baseSalary":{"value":{"value":"€ 9"}}`)), []string{"Pipe Fitter||/jobs/1"}},
		"a reference to the employer":    {script(`{"@graph":[{"@type":"Organization","@id":"#o","name":"Company"},` + one(`"url":"/jobs/1","hiringOrganization":{"@id":"#o"}`) + `]}`), []string{"Pipe Fitter||/jobs/1"}},
		"an id as a number":              {script(one(`"identifier":{"@type":"PropertyValue","value":12345}`)) + `<h1>Pipe Fitter</h1>`, []string{"Pipe Fitter||*"}},
		"microdata":                      {`<div itemscope itemtype="http://schema.org/JobPosting"><a itemprop="url" href="/jobs/1"><span itemprop="title">Pipe Fitter</span></a><span itemprop="jobLocation" itemscope itemtype="http://schema.org/Place"><span itemprop="address" itemscope><span itemprop="addressLocality">Hamburg</span></span></span></div>`, []string{"Pipe Fitter|Hamburg|/jobs/1"}},
		"microdata in meta":              {`<article itemscope itemtype="https://schema.org/JobPosting"><meta itemprop="title" content="Pipe Fitter"><link itemprop="url" href="/jobs/1"><meta itemprop="addressLocality" content="Hamburg"><a href="/jobs/1">apply</a></article>`, []string{"Pipe Fitter|Hamburg|/jobs/1"}},
		"RDFa":                           {`<div vocab="https://schema.org/" typeof="JobPosting"><a property="url" href="/jobs/1"><span property="title">Pipe Fitter</span></a><span property="addressLocality">Hamburg</span></div>`, []string{"Pipe Fitter|Hamburg|/jobs/1"}},
		"beside what is shown":           {script(`[`+fitter+`,`+pump+`]`) + `<h2>Open positions</h2><ul><li><a href="/jobs/1">Pipe Fitter</a></li><li><a href="/jobs/2">Pump Engineer</a></li></ul>`, both},
		"for links without a title":      {script(`{"@type":"ItemList","itemListElement":[{"@type":"ListItem","url":"/jobs/1","name":"Pipe Fitter"},{"@type":"ListItem","url":"/jobs/2","name":"Pump Engineer"}]}`), []string{"Pipe Fitter||/jobs/1", "Pump Engineer||/jobs/2"}},
		"one whose address is its title": {script(`{"@type":"JobPosting","title":"Pipe Fitter"}`) + `<h1>Jobs</h1><p>Open positions</p><ul><li><a href="/jobs/1">Pipe Fitter</a></li></ul>`, []string{"Pipe Fitter||/jobs/1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere([]byte(`<!doctype html><html><head><title>Jobs</title></head><body><main>`+tt.page+`</main></body></html>`)), listAddress)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			var got []string
			for i, p := range r.Postings {
				line := p.Title + "|" + p.Location + "|"
				if i < len(tt.want) && tt.want[i] == line+"*" {
					line += "*"
				} else if p.URL != "" {
					line += p.URL[len("https://www.company.example"):]
				}
				got = append(got, line)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// An entry beside postings of which nobody can say what it is makes the reading partial.
func TestReadListOfPostingsAndOthers(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><html><head><title>Jobs</title></head><body><main><script type="application/ld+json">{"@type":"ItemList","itemListElement":[
{"@type":"ListItem","item":{"@type":"JobPosting","title":"Pipe Fitter","url":"/jobs/1"}},%s]}</script></main></body></html>`
	for name, entry := range map[string]string{
		"an address without a name": `{"@type":"ListItem","url":"/jobs/2"}`,
		"a name without an address": `{"@type":"ListItem","name":"Pump Engineer"}`,
		"a text":                    `"/jobs/2"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(fmt.Appendf(nil, page, entry)), listAddress)
			require.Equal(t, boardwatch.HealthPartial, r.Health)
			require.Len(t, r.Postings, 1)
		})
	}
}
