package scraper_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// listPage is page n of a list of roles, with what stands above and below them.
func listPage(above, below string, roles ...string) answer {
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Open positions</h1>` + above + `<ul>`)
	for _, r := range roles {
		fmt.Fprintf(&b, `<li><a href="/jobs/%s">%s</a></li>`, strings.ToLower(strings.ReplaceAll(r, " ", "-")), r)
	}
	b.WriteString(`</ul>` + below + `</main></body></html>`)
	return text(b.String())
}

func TestReadPageByPage(t *testing.T) {
	t.Parallel()
	next := func(page string) string {
		return `<nav class="pagination"><a rel="next" href="` + listAddress + page + `">Next</a></nav>`
	}
	numbers := `<div class="pager"><span>1</span><a href="?page=2">2</a><a href="?page=3">3</a></div>`
	last := `<div class="pager"><a href="?page=1">1</a><a href="?page=2">2</a><span class="current">3</span></div>`
	middle := `<div class="pager"><a href="?page=1">1</a><span class="current">2</span><a href="?page=3">3</a></div>`
	for _, tt := range []struct {
		name   string
		site   site
		health boardwatch.Health
		roles  int
		reason string
	}{
		{
			"follows rel=next to the end",
			site{
				listAddress:             listPage("<p>Showing 1-2 of 3 jobs</p>", next("?page=2"), "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("<p>Showing 3-3 of 3 jobs</p>", "", "Buyer"),
			},
			boardwatch.HealthOK, 3, "",
		},
		{
			"follows numbered pages",
			site{
				listAddress:             listPage("", numbers, "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("", middle, "Buyer", "Planner"),
				listAddress + "?page=3": listPage("", last, "Office Manager"),
			},
			boardwatch.HealthOK, 5, "",
		},
		{
			"a page that fails",
			site{
				listAddress:             listPage("", next("?page=2"), "Welder", "Pipe Fitter"),
				listAddress + "?page=2": answer{Status: http.StatusInternalServerError},
			},
			boardwatch.HealthPartial, 2, "page 2 of the list could not be read",
		},
		{
			"a page that brings nothing new is the end",
			site{
				listAddress:             listPage("", next("?page=2"), "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("", next("?page=3"), "Welder", "Pipe Fitter"),
			},
			boardwatch.HealthOK, 2, "",
		},
		{
			"a page that repeats the first, and says that it is the first of three",
			site{
				listAddress:             listPage("", numbers, "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("", numbers, "Welder", "Pipe Fitter"),
			},
			boardwatch.HealthPartial, 2, "repeats",
		},
		{
			"numbers of something else, which brings nothing new",
			site{
				listAddress:             listPage("", numbers, "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("", middle, "Welder", "Pipe Fitter"),
			},
			boardwatch.HealthOK, 2, "",
		},
		{
			"a page past the end that says there is nothing",
			site{
				listAddress:             listPage("", next("?page=2"), "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("<p>There are no open positions.</p>", ""),
			},
			boardwatch.HealthOK, 2, "",
		},
		{
			"a page that shows nothing, of three that there are",
			site{
				listAddress:             listPage("", numbers, "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("<p>There are no open positions.</p>", ""),
			},
			boardwatch.HealthPartial, 2, "shows no roles",
		},
		{
			"a page past the end that does not exist",
			site{
				listAddress:             listPage("", next("?page=2"), "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("", next("?page=3"), "Buyer"),
			},
			boardwatch.HealthOK, 3, "",
		},
		{
			"a second page that does not exist",
			site{listAddress: listPage("", next("?page=2"), "Welder", "Pipe Fitter")},
			boardwatch.HealthPartial, 2, "page 2 of the list could not be read",
		},
		{
			"a third page that does not exist, of three that there are",
			site{
				listAddress:             listPage("", numbers, "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("", middle, "Buyer", "Planner"),
			},
			boardwatch.HealthPartial, 4, "page 3 of the list could not be read",
		},
		{
			"a hidden address that does not exist",
			site{listAddress: listPage("", `<a href="?page=2" hidden></a>`, "Welder", "Pipe Fitter")},
			boardwatch.HealthOK, 2, "",
		},
		{
			"a hidden address that fails",
			site{
				listAddress:             listPage("", `<a href="?page=2" hidden></a>`, "Welder", "Pipe Fitter"),
				listAddress + "?page=2": answer{Status: http.StatusInternalServerError},
			},
			boardwatch.HealthPartial, 2, "page 2 of the list could not be read",
		},
		{
			"two lists with pagers of their own",
			site{
				listAddress:                        listPage("", `<p><a href="?a_page=2">Next</a></p><p><a href="?b_page=2">Next</a></p>`, "Welder", "Pipe Fitter"),
				listAddress + "?a_page=2":          listPage("", `<p><a href="?a_page=2&b_page=2">Next</a></p>`, "Buyer", "Pipe Fitter"),
				listAddress + "?b_page=2":          listPage("", `<p><a href="?b_page=2&a_page=2">Next</a></p>`, "Welder", "Planner"),
				listAddress + "?a_page=2&b_page=2": listPage("", "", "Buyer", "Planner"),
				listAddress + "?b_page=2&a_page=2": listPage("", "", "Buyer", "Planner"),
			},
			boardwatch.HealthOK, 4, "",
		},
		{
			"further roles as data that is cut",
			site{
				listAddress:             listPage("", `<button data-next-url="?page=2">Load more</button>`, "Welder", "Pipe Fitter"),
				listAddress + "?page=2": answer{Header: map[string]any{"Content-Type": "application/json"}, Body: []byte(`{"has_more":true,"jobs":[{"id":3,"title":"Buyer","url":"/jobs/buyer"},{"id":4,"title":"Night Nurse","url":"/jobs/nurse"}]}`)},
			},
			boardwatch.HealthPartial, 4, "",
		},
		{
			"fewer roles than the page says",
			site{
				listAddress:             listPage("<p>Results 1-2 of 80</p>", next("?page=2"), "Welder", "Pipe Fitter"),
				listAddress + "?page=2": listPage("<p>Results 3-3 of 80</p>", "", "Buyer"),
			},
			boardwatch.HealthPartial, 3, "80 roles, but shows only 3",
		},
		{
			"a next page on another host is not followed",
			site{listAddress: listPage("", `<nav class="pagination"><a rel="next" href="https://other.example/2">Next</a></nav>`, "Welder", "Pipe Fitter")},
			boardwatch.HealthPartial, 2, "where no link leads",
		},
		{
			"a button for the next page",
			site{listAddress: listPage("", `<nav class="pagination"><button aria-label="Next page">›</button></nav>`, "Welder", "Pipe Fitter")},
			boardwatch.HealthPartial, 2, "where no link leads",
		},
		{
			"the button is switched off on the only page",
			site{listAddress: listPage("", `<nav class="pagination"><button disabled aria-label="Next page">›</button></nav>`, "Welder", "Pipe Fitter")},
			boardwatch.HealthOK, 2, "",
		},
		{
			"a button for more",
			site{listAddress: listPage("", `<button>Mehr laden</button>`, "Welder", "Pipe Fitter")},
			boardwatch.HealthPartial, 2, "where no link leads",
		},
		{
			"as many as the page says, whatever buttons it has",
			site{listAddress: listPage("<p>2 jobs</p>", `<button>Load more</button>`, "Welder", "Pipe Fitter")},
			boardwatch.HealthOK, 2, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, tt.site, listAddress)
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Len(t, r.Postings, tt.roles)
			require.Contains(t, r.Reason, tt.reason)
		})
	}
}

// TestReadPageThatGoesOn reads a first page of two roles that says, each time in its own way, whether there are more.
func TestReadPageThatGoesOn(t *testing.T) {
	t.Parallel()
	for below, more := range map[string]bool{
		`<p>Page 1 of 3</p>`:                                 true,
		`<p>Seite 1 von 2</p>`:                               true,
		`<p>Página 1 de 14</p>`:                              true,
		`<p>Page 1 of 1</p>`:                                 false,
		`<p>Page 3 of 3</p>`:                                 false,
		`<p>12 results</p>`:                                  true,
		`<p>2 Treffer</p>`:                                   false,
		`<p>12 Ergebnisse gefunden</p>`:                      true,
		`<p>12 results of our last survey</p>`:               false,
		`<p>Total open positions: 12</p>`:                    true,
		`<p>Open positions: 2</p>`:                           false,
		`<div role="button">Load more jobs</div>`:            true,
		`<button aria-label="Next page">›</button>`:          true,
		`<button aria-label="Next page" disabled>›</button>`: false,
		`<button aria-label="Next">›</button>`:               false,
		`<button aria-label="Next slide">›</button>`:         false,
		`<ul class="pagination"><li class="active"><span>1</span></li><li><a href="#">2</a></li><li><a href="#">3</a></li></ul>`: true,
		`<ul class="pagination"><li><a href="#">1</a></li><li><a href="#">2</a></li></ul>`:                                       true,
		`<ul class="pagination"><li class="active"><a href="#">1</a></li></ul>`:                                                  false,
		`<ul class="pagination"><li><a href="#">1</a></li></ul>`:                                                                 false,
		`<ul class="pagination"><li><a href="?page=1">1</a></li><li class="active"><a href="#">2</a></li></ul>`:                  false,
	} {
		t.Run(below, func(t *testing.T) {
			t.Parallel()
			r := read(t, site{listAddress: listPage("", below, "Welder", "Pipe Fitter")}, listAddress)
			require.Len(t, r.Postings, 2)
			want := boardwatch.HealthOK
			if more {
				want = boardwatch.HealthPartial
			}
			require.Equal(t, want, r.Health, r.Reason)
		})
	}
}

func TestReadPageStopsAtTooManyPages(t *testing.T) {
	t.Parallel()
	endless := roundTripper(func(req *http.Request) (*http.Response, error) {
		n := len(req.URL.RawQuery)
		return site{strings.TrimSuffix(req.URL.String(), "/"): listPage("", `<a rel="next" href="?`+strings.Repeat("p", n+1)+`">Next</a>`, fmt.Sprintf("Welder %d", n))}.RoundTrip(req)
	})
	r := read(t, endless, listAddress)
	require.Equal(t, boardwatch.HealthPartial, r.Health)
	require.Equal(t, 200+1, r.Requests, "and robots.txt")
	require.Len(t, r.Postings, 200)
	require.Equal(t, cause.PageLimit, r.Cause)
}

func TestReadListOfManyPagesIsReadWhole(t *testing.T) {
	t.Parallel()
	const pages, each = 150, 20
	list := roundTripper(func(req *http.Request) (*http.Response, error) {
		n, below := max(1, number(req.URL.Query().Get("page"))), ""
		if n < pages {
			below = fmt.Sprintf(`<a rel="next" href="?page=%d">Next</a>`, n+1)
		}
		titles := make([]string, each)
		for i := range titles {
			titles[i] = fmt.Sprintf("Welder %d", (n-1)*each+i)
		}
		return site{strings.TrimSuffix(req.URL.String(), "/"): listPage("", below, titles...)}.RoundTrip(req)
	})
	r := read(t, list, listAddress)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	require.Len(t, r.Postings, pages*each)
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// A page of HTML may say how its list goes on in its header, or be asked for by an address that limits it.
func TestReadPageCutByItsAddressOrHeader(t *testing.T) {
	t.Parallel()
	linked := func(a answer, link string) answer {
		a.Header = map[string]any{"Link": link}
		return a
	}
	for name, tt := range map[string]struct {
		address string
		site    site
		health  boardwatch.Health
		roles   int
	}{
		"a link in the header": {listAddress, site{
			listAddress:             linked(listPage("", "", "Welder", "Pipe Fitter"), `<`+listAddress+`?page=2>; rel="next"`),
			listAddress + "?page=2": listPage("", "", "Buyer"),
		}, boardwatch.HealthOK, 3},
		"a link in the header to another host": {listAddress, site{
			listAddress: linked(listPage("", "", "Welder", "Pipe Fitter"), `<https://other.example/jobs?page=2>; rel=next`),
		}, boardwatch.HealthPartial, 2},
		"a link in the header to something else": {listAddress, site{
			listAddress: linked(listPage("", "", "Welder", "Pipe Fitter"), `</style.css>; rel=preload, </jobs/welder>; rel=next`),
		}, boardwatch.HealthOK, 2},
		"as many as were asked for": {listAddress + "?limit=2", site{
			listAddress + "?limit=2": listPage("", "", "Welder", "Pipe Fitter"),
		}, boardwatch.HealthPartial, 2},
		"as many as were asked for, and as there are": {listAddress + "?limit=2", site{
			listAddress + "?limit=2": listPage("<p>2 jobs</p>", "", "Welder", "Pipe Fitter"),
		}, boardwatch.HealthOK, 2},
		"fewer than were asked for": {listAddress + "?limit=3", site{
			listAddress + "?limit=3": listPage("", "", "Welder", "Pipe Fitter"),
		}, boardwatch.HealthOK, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, tt.site, tt.address)
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Len(t, r.Postings, tt.roles)
		})
	}
}
