package scraper_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const rolePath = "/careers/welder-1"

// testifyOver asks what the page of a role says, which the handler serves.
func testifyOver(t *testing.T, title string, serve http.HandlerFunc) boardwatch.Testimony {
	t.Helper()
	server := httptest.NewServer(serve)
	defer server.Close()
	client := outbound.New(outbound.Options{AllowLoopback: true, Pause: -1, Backoff: []time.Duration{}})
	s := scraper.New(client, scraper.Options{Trace: func(step string) { t.Log(step) }})
	b := boardwatch.Board{Source: "page:" + server.URL + "/careers", URL: server.URL + "/careers"}
	said, err := s.Testify(t.Context(), b, boardwatch.Job{ID: "1", Title: title, URL: server.URL + rolePath})
	require.NoError(t, err)
	return said
}

// showing serves a page with this body at the address of the role.
func showing(head, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != rolePath {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><html><head>" + head + "</head><body>" + body + "</body></html>"))
	}
}

// leadingTo redirects the address of the role to another one, where this body stands.
func leadingTo(path, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RequestURI() {
		case rolePath:
			http.Redirect(w, r, path, http.StatusFound)
		case path:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><title>Northwind</title>" + body))
		default:
			http.NotFound(w, r)
		}
	}
}

func answering(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte("<html><body><h1>Welder</h1></body></html>"))
	}
}

func TestTheOwnPageOfARoleTestifies(t *testing.T) {
	t.Parallel()
	advert := `<main><h1>Welder</h1><p>You join steel parts in our hall in Dortmund, and read drawings with the foreman.</p><a href="/apply">Apply now</a></main>`
	list := `<h1>Open positions</h1><ul><li><a href="/careers/fitter-2">Pipe Fitter</a></li><li><a href="/careers/turner-3">Turner</a></li></ul>`
	for _, tt := range []struct {
		name  string
		title string
		serve http.HandlerFunc
		said  boardwatch.Testimony
	}{
		{"a page that does not exist", "Welder", answering(http.StatusNotFound), boardwatch.TestimonyGone},
		{"a page that is gone for good", "Welder", answering(http.StatusGone), boardwatch.TestimonyGone},
		{"a redirect to the list", "Welder", leadingTo("/careers", list), boardwatch.TestimonyGone},
		{"a redirect to the list, with a note in the address", "Welder", leadingTo("/careers?closed=1", list), boardwatch.TestimonyGone},
		{"a redirect to the list, with an error in the address", "Welder", leadingTo("/careers?error=expired", list), boardwatch.TestimonyGone},
		{"a redirect to the login", "Welder", leadingTo("/login?next=welder-1", `<h1>Log in</h1><form><input name="user"><input type="password"></form>`), boardwatch.TestimonySilent},
		{"a redirect to the home page", "Welder", leadingTo("/", `<h1>Northwind</h1>`), boardwatch.TestimonyGone},
		{"a redirect to the home page in a language", "Welder", leadingTo("/en/", `<h1>Northwind</h1>`), boardwatch.TestimonyGone},
		{"a redirect to another role", "Welder", leadingTo("/careers/fitter-2", `<h1>Pipe Fitter</h1><p>You fit pipes.</p>`), boardwatch.TestimonySilent},
		{"a redirect to the same role elsewhere", "Welder", leadingTo("/jobs/1", advert), boardwatch.TestimonyThere},
		{"a page that says so with status 200", "Welder", showing(`<title>Page not found</title>`, `<h1>Page not found</h1><p>Go back to our home page.</p>`), boardwatch.TestimonyClosed},
		{"a sentence above the advert", "Welder", showing(`<title>Welder</title>`, `<div class="alert">This position has been filled.</div>`+advert), boardwatch.TestimonyClosed},
		{"a sentence in place of the advert", "Welder", showing(`<title>Northwind</title>`, `<main><h1>Sorry</h1><p>This job is no longer available.</p><ul><li>Turner</li></ul></main>`), boardwatch.TestimonyClosed},
		{"a sentence in a list of messages", "Welder", showing(`<title>Welder</title>`, `<ul><li>This job is no longer available.</li></ul>`+advert), boardwatch.TestimonyClosed},
		{"a sentence that the page hides", "Welder", showing(`<title>Welder</title>`, `<div style="display:none">This position has been filled.</div>`+advert), boardwatch.TestimonyThere},
		{"a sentence that a style sheet hides", "Welder", showing(`<style>.gone-note { display: none }</style>`, `<div class="gone-note"><p>This position has been filled.</p></div>`+advert), boardwatch.TestimonyThere},
		{"a sentence in a template", "Welder", showing("", `<template><p>This position has been filled.</p></template>`+advert), boardwatch.TestimonyThere},
		{"a sentence in a script", "Welder", showing("", `<script>var note = "This position has been filled."</script>`+advert), boardwatch.TestimonyThere},
		{"a live page", "Welder", showing(`<title>Welder | Northwind</title>`, advert), boardwatch.TestimonyThere},
		{"a live page with marks of gender", "Welder", showing("", strings.Replace(advert, "Welder", "Welder (m/w/d)", 1)), boardwatch.TestimonyThere},
		{"a live page without them", "Welder (m/w/d)", showing("", advert), boardwatch.TestimonyThere},
		{"a live page with marks inside the title", "Welder (m/w/d) Night Shift", showing("", strings.Replace(advert, "Welder", "Welder Night Shift", 1)), boardwatch.TestimonyThere},
		{"a live page in capitals", "Welder", showing("", strings.Replace(advert, "Welder", "WELDER", 1)), boardwatch.TestimonyThere},
		{"a live page with a condition", "Welder", showing("", advert+`<p>We take applications until the position has been filled.</p>`), boardwatch.TestimonyThere},
		{"a live page beside closed ones, in a list", "Welder", showing("", advert+`<aside><h2>Similar jobs</h2><ul><li><a href="/careers/baker-7">Baker</a> <span>Position filled</span></li></ul></aside>`), boardwatch.TestimonyThere},
		{"a live page beside closed ones, on cards", "Welder", showing("", advert+`<div><div class="card"><h3>Baker</h3><p>This position has been filled.</p></div></div>`), boardwatch.TestimonyThere},
		{"a page that a script fills, with the title in its head", "Welder", showing(`<title>Welder | Northwind</title>`, `<div id="root"></div><script src="/app.js"></script>`), boardwatch.TestimonyThere},
		{"a title in the head of a page that says otherwise", "Welder", showing(`<title>Welder | Northwind</title>`, `<p>This job is no longer available.</p>`), boardwatch.TestimonyClosed},
		{"a page that a script fills", "Welder", showing("", `<div id="root"></div><script src="/app.js"></script>`), boardwatch.TestimonySilent},
		{"a captcha", "Welder", showing(`<title>Just a moment...</title>`, `<script>window._cf_chl_opt={}</script>`), boardwatch.TestimonySilent},
		{"a refusal", "Welder", answering(http.StatusForbidden), boardwatch.TestimonySilent},
		{"an error", "Welder", answering(http.StatusInternalServerError), boardwatch.TestimonySilent},
		{"data", "Welder", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"jobs":[]}`))
		}, boardwatch.TestimonySilent},
		{"a page that asks to sign in", "Welder", showing(`<title>Sign in</title>`, `<h1>Sign in</h1><form><input name="user"><input type="password"></form>`), boardwatch.TestimonySilent},
		{"a site that lets no program in", "Welder", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				_, _ = w.Write([]byte("User-agent: *\nDisallow: /careers/\n"))
				return
			}
			showing("", advert)(w, r)
		}, boardwatch.TestimonySilent},
		{"a connection that breaks", "Welder", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			panic(http.ErrAbortHandler)
		}, boardwatch.TestimonySilent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.said, testifyOver(t, tt.title, tt.serve))
		})
	}
}

func TestARoleWhoseAddressLeadsToAPageAboveItIsThereIfThatPageShowsIt(t *testing.T) {
	t.Parallel()
	const apply, role, list = "https://www.northwind.example/jobs/1/apply", "https://www.northwind.example/jobs/1", "https://www.northwind.example/careers"
	to := func(address string) answer { return answer{Status: 302, Header: map[string]any{"Location": address}} }
	job := boardwatch.Job{ID: "1", Title: "Welder", URL: apply}
	b := boardwatch.Board{Source: "page:" + list, URL: list}

	said, err := quietly(site{apply: to(role), role: html("", `<h1>Welder</h1><p>You join steel parts.</p>`)}).Testify(t.Context(), b, job)
	require.NoError(t, err)
	require.Equal(t, boardwatch.TestimonyThere, said)

	said, err = quietly(site{apply: to(role), role: html("", `<h1>Our jobs</h1><p>Pipe Fitter</p>`)}).Testify(t.Context(), b, job)
	require.NoError(t, err)
	require.Equal(t, boardwatch.TestimonyGone, said)

	job.URL = "https://www.northwind.example/?job=1"
	said, err = quietly(site{job.URL: to("https://www.northwind.example/en/?job=1"), "https://www.northwind.example?job=1": to("https://www.northwind.example/en/?job=1"), "https://www.northwind.example/en/?job=1": html("", `<h1>Welder</h1>`)}).Testify(t.Context(), b, job)
	require.NoError(t, err)
	require.Equal(t, boardwatch.TestimonyThere, said, "the page moved, and still knows which role was meant")
}

// What a hosted system says about a role counts first. Where it says that there is no such role, its page is asked as well.
func TestAHostedSystemTestifiesBeforeThePageOfARole(t *testing.T) {
	t.Parallel()
	const api, page = "https://boards-api.greenhouse.io/v1/boards/northwind/jobs/7?pay_transparency=true", "https://job-boards.greenhouse.io/northwind/jobs/7"
	const list = "https://job-boards.greenhouse.io/northwind"
	document := func(status int, body string) answer {
		return answer{Status: status, Header: map[string]any{"Content-Type": "application/json"}, Body: []byte(body)}
	}
	notFound, live := document(404, `{"status":404,"error":"Job not found"}`), html("<title>Welder</title>", `<h1>Welder</h1><p>You join steel parts.</p>`)
	for _, tt := range []struct {
		name string
		site site
		said boardwatch.Testimony
	}{
		{"it has the role", site{api: document(200, `{"id":7,"title":"Welder"}`)}, boardwatch.TestimonyThere},
		{"it calls the role closed", site{api: document(200, `{"id":7,"title":"Welder","status":"closed"}`), page: live}, boardwatch.TestimonyClosed},
		{"both have no such role", site{api: notFound}, boardwatch.TestimonyGone},
		{"it has no such role, and the page is a script", site{api: notFound, page: html("", `<div id="root"></div><script src="/app.js"></script>`)}, boardwatch.TestimonyGone},
		{"it has no such role, and the page shows it", site{api: notFound, page: live}, boardwatch.TestimonyThere},
		{"it has no such role, and the page leads to the list", site{api: notFound, page: answer{Status: 302, Header: map[string]any{"Location": list + "?error=true"}}, list + "?error=true": html("", `<h1>Jobs at Northwind</h1>`)}, boardwatch.TestimonyGone},
		{"it is out of order, and the page is live", site{api: document(503, `{}`), page: live}, boardwatch.TestimonyThere},
		{"it is out of order, and the page says that the role is closed", site{api: document(503, `{}`), page: html("", `<h1>Welder</h1><p>This position has been filled.</p>`)}, boardwatch.TestimonyClosed},
		{"the page is data", site{api: document(503, `{}`), page: document(200, `{"job":{"title":"Welder","status":"expired"}}`)}, boardwatch.TestimonyClosed},
		{"nobody says anything", site{api: document(503, `{}`), page: document(500, ``)}, boardwatch.TestimonySilent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := boardwatch.Board{Source: "greenhouse:northwind", URL: list}
			said, err := quietly(tt.site).Testify(t.Context(), b, boardwatch.Job{ID: "1", Key: "7", Title: "Welder", URL: page})
			require.NoError(t, err)
			require.Equal(t, tt.said, said)
		})
	}
}

// stalled never answers.
type stalled struct{}

func (stalled) RoundTrip(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, context.Cause(req.Context())
}

func TestThePageOfARoleThatDoesNotAnswerInTimeSaysNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := scraper.New(outbound.New(outbound.Options{Transport: stalled{}, Pause: -1, Backoff: []time.Duration{}}), scraper.Options{IgnoreRobots: true})
		said, err := s.Testify(t.Context(), boardwatch.Board{Source: "page:" + followedPage, URL: followedPage}, boardwatch.Job{ID: "1", Title: "Welder", URL: followedPage + "/1"})
		require.NoError(t, err)
		require.Equal(t, boardwatch.TestimonySilent, said)
	})
}
