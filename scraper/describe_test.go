package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// What a role says on a page of its own is read from the system's data of that role, or from the page.
func TestDescribe(t *testing.T) {
	t.Parallel()
	const own = `<!doctype html><html><head><script type="application/ld+json">{"@type":"JobPosting","title":"Pipe Fitter","employmentType":"PART_TIME","description":"<p>Pipes.</p>"}</script></head><body><h1>Pipe Fitter</h1></body></html>`
	for name, tt := range map[string]struct {
		source string
		job    boardwatch.Job
		site   site
		facts  boardwatch.Facts
		text   string
	}{
		"Greenhouse": {
			"greenhouse:northwind",
			boardwatch.Job{Key: "7", Title: "Pipe Fitter", Location: "Oslo", URL: "https://boards.greenhouse.io/northwind/jobs/7"},
			site{"https://boards-api.greenhouse.io/v1/boards/northwind/jobs/7?pay_transparency=true": {Body: []byte(`{"id":7,"title":"Pipe Fitter","updated_at":"2026-11-02T08:00:00Z","requisition_id":"R-7","location":{"name":"Oslo"},"pay_input_ranges":[{"min_cents":5000000,"max_cents":7500000,"currency_type":"NOK","title":"Oslo","blurb":""}],"content":"&lt;p&gt;Pipes &amp;amp; ships.&lt;/p&gt;"}`)}},
			boardwatch.Facts{UpdatedAt: "2026-11-02T08:00:00Z", Requisition: "R-7", Pay: boardwatch.Pay{Min: 50000, Max: 75000, Currency: "NOK", Text: "Oslo"}},
			"Pipes & ships.",
		},
		"SmartRecruiters": {
			"smartrecruiters:Northwind",
			boardwatch.Job{Key: "7", Title: "Pipe Fitter", Location: "Oslo, no", URL: "https://jobs.smartrecruiters.com/Northwind/7"},
			site{"https://api.smartrecruiters.com/v1/companies/Northwind/postings/7": {Body: []byte(`{"id":"7","name":"Pipe Fitter","location":{"city":"Oslo","country":"no","remote":true},
				"jobAd":{"sections":{"companyDescription":{"title":"Us","text":"<p>We build ships.</p>"},"jobDescription":{"title":"You","text":"<p>You fit pipes.</p>"}}}}`)}},
			boardwatch.Facts{Mode: boardwatch.ModeRemote, Places: []boardwatch.Place{{Text: "Oslo, no", Country: "NO", City: "Oslo"}}},
			"### You\n\nYou fit pipes.\n\n### Us\n\nWe build ships.",
		},
		"a system without data of single roles": {
			"pinpoint:northwind",
			boardwatch.Job{Key: "7", Title: "Pipe Fitter", URL: "https://northwind.pinpointhq.com/en/postings/7"},
			site{"https://northwind.pinpointhq.com/en/postings/7": {Body: []byte(own)}},
			boardwatch.Facts{Type: boardwatch.TypePartTime, TypeText: "PART_TIME"},
			"Pipes.",
		},
		"a company's own page": {
			"page:https://www.company.example/careers",
			boardwatch.Job{Title: "Pipe Fitter", URL: "https://www.company.example/jobs/7"},
			site{"https://www.company.example/jobs/7": {Body: []byte(own)}},
			boardwatch.Facts{Type: boardwatch.TypePartTime, TypeText: "PART_TIME"},
			"Pipes.",
		},
		"a page that is gone": {"page:https://www.company.example/careers", boardwatch.Job{Title: "Pipe Fitter", URL: "https://www.company.example/jobs/7"}, site{}, boardwatch.Facts{}, ""},
		"no page":             {"page:https://www.company.example/careers", boardwatch.Job{Title: "Pipe Fitter"}, site{}, boardwatch.Facts{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			facts, text, err := reader(t, tt.site).Describe(t.Context(), boardwatch.Board{Source: tt.source, URL: "https://www.company.example/careers"}, tt.job)
			require.NoError(t, err)
			require.Equal(t, tt.facts, facts)
			require.Equal(t, tt.text, text)
		})
	}
}
