package ats_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// TestHostileBoards reads boards of which something is odd that real ones were seen with, or may come to have. Requests that no
// answer begins as are not found.
func TestHostileBoards(t *testing.T) {
	t.Parallel()
	const page = `<!DOCTYPE html><html><head><title>Careers</title></head><body>%s</body></html>`
	tests := map[string]struct {
		system, board string
		answers       map[string]string // by what the method and the address hold
		health        boardwatch.Health
		reason        string   // a part of it
		titles        []string // as they are read
	}{
		"JOIN: a page that does not count its roles may show some of them": {
			system: "join", board: "northwind-labs",
			answers: map[string]string{
				"companies/northwind-labs": fmt.Sprintf(page, `<script id="__NEXT_DATA__" type="application/json">{"props": {"pageProps": {"initialState": {`+
					`"company": {"id": 77, "name": "Northwind", "domain": "northwind-labs"}, "jobs": {"items": [{"id": 1, "title": "Rigger"}], "pagination": {"page": 1, "pageSize": 1}}}}}}</script>`),
				"77/jobs?page=1": `{"items": [{"id": 1, "title": "Rigger"}, {"id": 2, "title": "Sailmaker"}], "pagination": {"totalPages": 1}}`,
			},
			health: boardwatch.HealthOK, titles: []string{"Rigger", "Sailmaker"},
		},
		"Ashby: whether a role is listed is written as a text": {
			system: "ashby", board: "Northwind",
			answers: map[string]string{"job-board/Northwind": `{"jobs": [{"id": "a", "title": "Baker", "isListed": "true"}, {"id": "b", "title": "Hidden Baker", "isListed": "false"}]}`},
			health:  boardwatch.HealthOK, titles: []string{"Baker"},
		},
		"Greenhouse: a role whose place is a text": {
			system: "greenhouse", board: "northwind",
			answers: map[string]string{"boards/northwind/jobs": `{"jobs": [{"id": 7, "title": "Baker", "location": "Oslo"}, {"id": "8", "title": "Miller", "location": {"name": "Bergen"}}], "meta": {"total": "2"}}`},
			health:  boardwatch.HealthPartial, reason: "1 of 2 rows could not be read in full: row 1: location is a text, not an object", titles: []string{"Baker", "Miller"},
		},
		"Lever: letters of every kind, and a title without an end": {
			system: "lever", board: "northwind",
			answers: map[string]string{"postings/northwind": `[{"id": "x", "text": "Ingénieur·e\u00a0🧵 \u202eréseau\u200b"}, {"id": "y", "text": "` + strings.Repeat("Very ", 500) + `Long"}]`},
			health:  boardwatch.HealthOK, titles: []string{"Ingénieur·e 🧵 réseau", strings.TrimSpace(strings.Repeat("Very ", 120))},
		},
		"SmartRecruiters: a total, and no roles": {
			system: "smartrecruiters", board: "Northwind",
			answers: map[string]string{"offset=0": `{"totalFound": 12, "content": []}`},
			health:  boardwatch.HealthPartial, reason: "12 roles, but lists only 0",
		},
		"Workday: a maintenance page with status 200": {
			system: "workday", board: "northwind.wd5/External",
			answers: map[string]string{"northwind/External/jobs": fmt.Sprintf(page, "We will be back soon")},
			health:  boardwatch.HealthFailed, reason: "a web page where JSON was promised",
		},
		"Avature: a portal that draws its roles by script": {
			system: "avature", board: "northwind.avature.net/careers",
			answers: map[string]string{"SearchJobs": strings.Replace(fmt.Sprintf(page, `<div id="results"></div>`), "<head>", `<head><meta name="avature.portal.id" content="4">`, 1)},
			health:  boardwatch.HealthFailed, reason: "shows neither roles nor that there are none",
		},
		"CareerPlug: a page of the vendor's without a list": {
			system: "careerplug", board: "northwind",
			answers: map[string]string{"jobs?page=1": fmt.Sprintf(page, "<p>CareerPlug is out for a moment</p>")},
			health:  boardwatch.HealthFailed, reason: "shows neither roles nor that there are none",
		},
		"CareerPlug: no roles, in words": {
			system: "careerplug", board: "northwind",
			answers: map[string]string{"jobs?page=1": fmt.Sprintf(page, "<p>There are no open positions.</p>")},
			health:  boardwatch.HealthOK,
		},
		"iCIMS: roles in a layout of the company's own": {
			system: "icims", board: "careers-northwind.icims.com",
			answers: map[string]string{"jobs/search": fmt.Sprintf(page, `<div class="iCIMS_ListingsPage"><section><a href="/jobs/1201/rigger/job">Rigger</a></section></div>`)},
			health:  boardwatch.HealthFailed, reason: "shows roles, but no list of them",
		},
		"Jobvite: a search that shows nothing, and does not say so": {
			system: "jobvite", board: "northwind",
			answers: map[string]string{"northwind/jobs": fmt.Sprintf(page, `<div class="jv-page-jobs"></div>`), "northwind/search": fmt.Sprintf(page, `<div class="jv-page-search"></div>`)},
			health:  boardwatch.HealthFailed, reason: "shows neither roles nor that there are none",
		},
		"Dayforce: a row in the shown language whose city is a number": {
			system: "dayforce", board: "northwind",
			answers: map[string]string{"northwind/V1/JobFeeds": `[{"ReferenceNumber": 5, "Title": "Rigger", "CultureCode": "en-US", "City": 7}, {"ReferenceNumber": 5, "Title": "Gréeur", "CultureCode": "fr-CA", "City": "Québec"}]`},
			health:  boardwatch.HealthPartial, reason: "City is a number, not a text", titles: []string{"Rigger"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := doerFunc(func(r *http.Request) (*http.Response, error) {
				for part, body := range tt.answers {
					if strings.Contains(r.Method+" "+r.URL.String(), part) {
						return &http.Response{StatusCode: http.StatusOK, Header: make(http.Header), Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
					}
				}
				return &http.Response{StatusCode: http.StatusNotFound, Header: make(http.Header), Body: io.NopCloser(strings.NewReader(`{}`)), Request: r}, nil
			})
			reading, err := ats.Read(t.Context(), adapter(tt.system), client, tt.board)
			require.NoError(t, err)
			reading = reading.Normalize()
			require.Equal(t, tt.health, reading.Health, reading.Reason)
			require.Contains(t, reading.Reason, tt.reason)
			var titles []string
			for _, p := range reading.Postings {
				titles = append(titles, p.Title)
			}
			require.Equal(t, tt.titles, titles)
		})
	}
}
