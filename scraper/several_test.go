package scraper_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// A page that shows two hosted boards is a board of both.
func TestTwoEmbeddedBoardsAreOne(t *testing.T) {
	t.Parallel()
	const address = "https://northwind.example/careers"
	frame := func(token string) string {
		return `<iframe src="https://boards.greenhouse.io/embed/job_board?for=` + token + `"></iframe>`
	}
	lever := web{"api.lever.co/v0/postings/northwind": {
		Header: map[string]any{"Content-Type": "application/json"},
		Body:   []byte(`[{"id":"a1","text":"Radio Officer","hostedUrl":"https://jobs.lever.co/northwind/a1","categories":{"location":"Bergen"}}]`),
	}}
	for _, tt := range []struct {
		name, body string
		web        web
	}{
		{"of one system", frame("northwind") + frame("northwindshore"), and(greenhouse("northwind", "Northwind", "Deck Officer"), greenhouse("northwindshore", "Northwind", "Radio Officer"))},
		{"of two systems", frame("northwind") + `<iframe src="https://jobs.lever.co/northwind"></iframe>`, and(greenhouse("northwind", "Northwind", "Deck Officer"), lever)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := and(tt.web, web{"northwind.example/careers": html("<title>Careers at Northwind</title>", "<h1>Careers</h1>"+tt.body)})
			s := scraper.New(outbound.New(outbound.Options{Transport: all, Pause: -1, Backoff: []time.Duration{}}), scraper.Options{Trace: func(step string) { t.Log(step) }})
			b, err := s.Discover(t.Context(), address)
			require.NoError(t, err)
			require.Equal(t, "page:"+address, b.Source)
			r, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Equal(t, []string{"Deck Officer", "Radio Officer"}, titlesOf(r))

			for key := range all {
				if key != "northwind.example/careers" && key != "boards-api.greenhouse.io/v1/boards/northwind/jobs" && key != "boards-api.greenhouse.io/v1/boards/northwind" {
					all[key] = answer{Status: http.StatusServiceUnavailable}
				}
			}
			r, err = s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthPartial, r.Health, "one of them cannot be read")
			require.Equal(t, []string{"Deck Officer"}, titlesOf(r))
		})
	}
}

func titlesOf(r boardwatch.Reading) []string {
	var titles []string
	for _, p := range r.Postings {
		titles = append(titles, p.Title)
	}
	return titles
}

// What a discovery brought need not be asked for again when the board is read for the first time.
func TestTheFirstReadingTakesThePageOfTheDiscovery(t *testing.T) {
	t.Parallel()
	const address = "https://northwind.example/careers"
	var asked atomic.Int64
	pages := web{"northwind.example/careers": html("", `<h1>Open positions</h1><ul><li><a href="/careers/welder-1">Welder</a></li><li><a href="/careers/fitter-2">Pipe Fitter</a></li></ul>`)}
	counting := roundTripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Path == "/careers" {
			asked.Add(1)
		}
		return pages.RoundTrip(req)
	})
	s := scraper.New(outbound.New(outbound.Options{Transport: counting, Pause: -1}), scraper.Options{})
	b, err := s.Discover(t.Context(), address)
	require.NoError(t, err)
	for want := int64(1); want <= 2; want++ {
		r, err := s.Read(t.Context(), b)
		require.NoError(t, err)
		require.Len(t, r.Postings, 2)
		require.Equal(t, want, asked.Load())
	}
}
