package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A posting is explicit: what a role is called in it need not be a word that is known, but it has to be a role's name.
func TestReadPostingsOfUnknownNames(t *testing.T) {
	t.Parallel()
	const (
		maker   = `{"@context":"https://schema.org","@type":"JobPosting","title":"Rope Maker","url":"/careers/4001","datePosted":"2026-11-02","hiringOrganization":{"@type":"Organization","name":"Example Yard"},"jobLocation":{"@type":"Place","address":{"addressLocality":"Leith"}}}`
		founder = `{"@context":"https://schema.org","@type":"JobPosting","title":"Bell Founder","url":"/careers/4002","jobLocation":{"@type":"Place","address":{"addressLocality":"Turku"}}}`
		about   = `<h1>Careers</h1><p>Come and work by the sea: people like it here, from the first day to the last, and stay for years.</p>`
	)
	script := func(text string) string { return `<script type="application/ld+json">` + text + `</script>` }
	titled := func(title, members string) string {
		return script(`{"@type":"JobPosting","title":"` + title + `","hiringOrganization":{"name":"Example Yard"}` + members + `}`)
	}
	first := []string{"Rope Maker|Leith|/careers/4001"}
	both := []string{first[0], "Bell Founder|Turku|/careers/4002"}
	for name, tt := range map[string]struct {
		page   string
		health boardwatch.Health
		want   []string
	}{
		"one":                                 {script(maker) + about, boardwatch.HealthOK, first},
		"one in a graph":                      {script(`{"@graph":[{"@type":"WebSite","name":"x"},`+maker+`]}`) + about, boardwatch.HealthOK, first},
		"one in a list of items":              {script(`{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":`+maker+`}]}`) + about, boardwatch.HealthOK, first},
		"two":                                 {script(`[`+maker+`,`+founder+`]`) + about, boardwatch.HealthOK, both},
		"one that is shown as text":           {script(maker) + about + `<h2>Open positions</h2><p>Rope Maker</p>`, boardwatch.HealthOK, first},
		"one that is shown as a link":         {script(maker) + about + `<ul><li><a href="/careers/4001">Rope Maker</a></li></ul>`, boardwatch.HealthOK, first},
		"one of two that are shown":           {script(maker) + about + `<h2>Open positions</h2><ul><li><a href="/careers/4001">Rope Maker</a></li><li><a href="/careers/4002">Bell Founder</a></li></ul>`, boardwatch.HealthOK, []string{first[0], "Bell Founder||/careers/4002"}},
		"one of three that are linked":        {script(maker) + about + `<ul><li><a href="/careers/4001">Learn more</a></li><li><a href="/careers/4002">Learn more</a></li><li><a href="/careers/4003">Learn more</a></li></ul>`, boardwatch.HealthPartial, first},
		"one of three that are counted":       {script(maker) + about + `<p>3 open positions</p>`, boardwatch.HealthPartial, first},
		"one of another page than those seen": {script(maker) + about + `<h2>Open positions</h2><ul><li><a href="/careers/4005">Pump Engineer</a></li><li><a href="/careers/4006">Pipe Fitter</a></li></ul>`, boardwatch.HealthOK, []string{"Pump Engineer||/careers/4005", "Pipe Fitter||/careers/4006"}},
		"one with a number":                   {titled("Rope Maker", `,"identifier":{"@type":"PropertyValue","value":"R-17"}`) + about, boardwatch.HealthOK, []string{"Rope Maker||"}},
		"one with its title only":             {titled("Rope Maker", ``) + about, boardwatch.HealthOK, []string{"Rope Maker||"}},
		"one in another script":               {titled("Канатчик", `,"url":"/careers/4001"`) + about, boardwatch.HealthOK, []string{"Канатчик||/careers/4001"}},
		"one of a country":                    {titled("Rope Maker, US", `,"url":"/careers/4001"`) + about, boardwatch.HealthOK, []string{"Rope Maker, US||/careers/4001"}},
		"one with the company's name":         {titled("Rope Maker - Example Yard", `,"url":"/careers/4001"`) + about, boardwatch.HealthOK, []string{"Rope Maker - Example Yard||/careers/4001"}},
		"one beside other pages":              {script(maker) + about + `<p><a href="/careers/benefits">Benefits</a> <a href="/careers/life">Life here</a></p>`, boardwatch.HealthOK, first},
		"one past its date":                   {titled("Rope Maker", `,"url":"/careers/4001","validThrough":"2019-01-01"`) + about, boardwatch.HealthOK, []string{"Rope Maker||/careers/4001"}},
		"microdata":                           {`<div itemscope itemtype="https://schema.org/JobPosting"><a itemprop="url" href="/careers/4001"><span itemprop="title">Rope Maker</span></a><span itemprop="addressLocality">Leith</span></div>` + about, boardwatch.HealthOK, first},
		"microdata that is not shown":         {`<div itemscope itemtype="https://schema.org/JobPosting"><meta itemprop="title" content="Rope Maker"><link itemprop="url" href="/careers/4001"><meta itemprop="addressLocality" content="Leith"></div>` + about, boardwatch.HealthOK, first},
		"one like the heading over founders":  {script(founder) + about, boardwatch.HealthOK, both[1:]},
		"one like it with its title only":     {titled("Bell Founder", ``) + about, boardwatch.HealthOK, []string{"Bell Founder||"}},
		"one like it in a heading":            {script(founder) + about + `<h2>Open positions</h2><ul><li><h3><a href="/careers/4002">Bell Founder</a></h3><span class="location">Turku</span></li></ul>`, boardwatch.HealthOK, both[1:]},
		"two in headings":                     {`<h1>Open positions</h1><p>We build instruments.</p><ul class="positions"><li class="position"><h3><a href="/careers/4001">Rope Maker</a></h3><span class="location">Leith</span></li><li class="position"><h3><a href="/careers/4002">Bell Founder</a></h3><span class="location">Turku</span></li></ul>`, boardwatch.HealthOK, both},
		"one in a heading":                    {`<h1>Open positions</h1><p>We build instruments.</p><ul class="positions"><li class="position"><h3><a href="/careers/4002">Bell Founder</a></h3><span class="location">Turku</span></li></ul>`, boardwatch.HealthOK, both[1:]},
		"the heading of other matter":         {titled("Benefits", ``) + about, boardwatch.HealthFailed, nil},
		"a slogan":                            {titled("Build boats with us", ``) + about, boardwatch.HealthFailed, nil},
		"a slogan with an address":            {titled("Come aboard our boats", `,"url":"/careers/4001"`) + about, boardwatch.HealthFailed, nil},
		"a slogan that is shown":              {titled("Row with our family", ``) + about + `<h2>Row with our family</h2>`, boardwatch.HealthFailed, nil},
		"a slogan in Polish":                  {titled("Dołącz do nas", ``) + about, boardwatch.HealthFailed, nil},
		"a slogan in German":                  {titled("Werde Teil unserer Mannschaft", ``) + about, boardwatch.HealthFailed, nil},
		"the company's name":                  {titled("Example Yard", ``) + about, boardwatch.HealthFailed, nil},
		"the name of the page":                {titled("Careers", ``) + about, boardwatch.HealthFailed, nil},
		"an open application":                 {titled("General application", `,"url":"/careers/4001"`) + about, boardwatch.HealthFailed, nil},
		"a title to come":                     {titled("Job Title", `,"url":"/careers/4001"`) + about, boardwatch.HealthFailed, nil},
		"a pool with a known word":            {titled("Engineers: join our talent community", `,"url":"/careers/4001"`) + about, boardwatch.HealthFailed, nil},
		"a template":                          {titled("{{ job.title }}", `,"url":"/careers/4001"`) + about, boardwatch.HealthFailed, nil},
		"the page says none":                  {titled("Rope Maker", ``) + about + `<p>There are currently no open positions.</p>`, boardwatch.HealthOK, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere([]byte(`<!doctype html><html lang="en"><head><title>Careers</title></head><body><header><a href="/">Home</a></header><main>`+tt.page+`</main></body></html>`)), "https://www.company.example/careers")
			var got []string
			for _, p := range r.Postings {
				line := p.Title + "|" + p.Location + "|"
				if p.URL != "" {
					line += p.URL[len("https://www.company.example"):]
				}
				got = append(got, line)
			}
			require.Equal(t, tt.want, got, r.Reason)
			require.Equal(t, tt.health, r.Health, r.Reason)
		})
	}
}
