package scraper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// However a list says that it goes on, it is read to its end, or the reading is partial.
func TestReadFurtherPages(t *testing.T) {
	t.Parallel()
	titles := []string{"Pipe Fitter", "Pump Engineer", "Welder", "Data Analyst", "Office Manager", "Line Cook"}
	page := func(n int, beside string) answer {
		var b strings.Builder
		for i := 2 * n; i < 2*n+2; i++ {
			fmt.Fprintf(&b, `<li><a href="/jobs/%d-role">%s</a></li>`, i, titles[i])
		}
		return text(`<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Open positions</h1><ul class="jobs">` + b.String() + `</ul>` + beside + `</main></body></html>`)
	}
	for name, tt := range map[string]struct {
		first, second, third string // what stands below the list
		at                   string // what the addresses of the further pages are made of
		health               boardwatch.Health
		roles                int
	}{
		"a link in the head":         {`<link rel="next" href="?page=2">`, `<link rel="next" href="?page=3">`, ``, "?page=", boardwatch.HealthOK, 6},
		"a link to the next":         {`<a rel="next" href="?page=2">Next</a>`, `<a rel="prev" href="?page=1">Previous</a><a rel="next" href="?page=3">Next</a>`, `<a rel="prev" href="?page=2">Previous</a>`, "?page=", boardwatch.HealthOK, 6},
		"numbers":                    {`<nav class="pagination"><span>1</span><a href="?page=2">2</a><a href="?page=3">3</a></nav>`, `<nav class="pagination"><a href="?page=1">1</a><span>2</span><a href="?page=3">3</a></nav>`, `<nav class="pagination"><a href="?page=1">1</a><a href="?page=2">2</a><span>3</span></nav>`, "?page=", boardwatch.HealthOK, 6},
		"numbers, the current one":   {`<ul class="pager"><li class="active"><a href="?p=1">1</a></li><li><a href="?p=2">2</a></li><li><a href="?p=3">3</a></li></ul>`, `<ul class="pager"><li><a href="?p=1">1</a></li><li class="active"><a href="?p=2">2</a></li><li><a href="?p=3">3</a></li></ul>`, `<ul class="pager"><li><a href="?p=1">1</a></li><li><a href="?p=2">2</a></li><li class="active"><a href="?p=3">3</a></li></ul>`, "?p=", boardwatch.HealthOK, 6},
		"an arrow":                   {`<div class="pagination"><a href="?page=2">›</a></div>`, `<div class="pagination"><a href="?page=1">‹</a><a href="?page=3">›</a></div>`, `<div class="pagination"><a href="?page=2">‹</a></div>`, "?page=", boardwatch.HealthOK, 6},
		"a button with an address":   {`<button data-next-url="/careers/list?page=2">Load more</button>`, `<button data-next-url="/careers/list?page=3">Load more</button>`, ``, "?page=", boardwatch.HealthOK, 6},
		"a button of htmx":           {`<button hx-get="/careers/list?page=2" hx-swap="afterend">Show more jobs</button>`, `<button hx-get="/careers/list?page=3">Show more jobs</button>`, ``, "?page=", boardwatch.HealthOK, 6},
		"a link for more":            {`<a href="?page=2">Load more</a>`, `<a href="?page=3">Load more</a>`, ``, "?page=", boardwatch.HealthOK, 6},
		"a button without one":       {`<button>Load more</button>`, ``, ``, "?page=", boardwatch.HealthPartial, 2},
		"a total that is not met":    {`<p>Showing 1-2 of 6 jobs</p>`, ``, ``, "?page=", boardwatch.HealthPartial, 2},
		"a total in words":           {`<p>6 open positions</p>`, ``, ``, "?page=", boardwatch.HealthPartial, 2},
		"a total that is met":        {`<p>2 open positions</p>`, ``, ``, "?page=", boardwatch.HealthOK, 2},
		"a page that repeats itself": {`<a rel="next" href="?again=1">Next</a>`, ``, ``, "?page=", boardwatch.HealthOK, 2},
		"a German total":             {`<p>12 offene Stellen</p>`, ``, ``, "?page=", boardwatch.HealthPartial, 2},
		"a French total":             {`<p>12 offres d'emploi</p>`, ``, ``, "?page=", boardwatch.HealthPartial, 2},
		"a Japanese total":           {`<p>全12件中 1～2件</p>`, ``, ``, "?page=", boardwatch.HealthPartial, 2},
		"a Russian total":            {`<p>Показано 1-2 из 12</p>`, ``, ``, "?page=", boardwatch.HealthPartial, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site{
				listAddress: page(0, tt.first), listAddress + tt.at + "2": page(1, tt.second), listAddress + tt.at + "3": page(2, tt.third),
				listAddress + "?again=1": page(0, tt.first), listAddress + tt.at + "1": page(0, tt.first),
			}
			r := read(t, s, listAddress)
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Len(t, r.Postings, tt.roles)
		})
	}
}

// The last role of a list may be what loads the next ones once it is scrolled to.
func TestReadOnFromTheLastRole(t *testing.T) {
	t.Parallel()
	page := func(more string, roles ...string) answer {
		var b strings.Builder
		for i, r := range roles {
			loads := ""
			if i == len(roles)-1 {
				loads = more
			}
			fmt.Fprintf(&b, `<tr%s><td><a href="/jobs/%s">%s</a></td><td>Hamburg</td></tr>`, loads, strings.ToLower(strings.ReplaceAll(r, " ", "-")), r)
		}
		return text(`<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Open positions</h1><table><tbody>` + b.String() + `</tbody></table></main></body></html>`)
	}
	r := read(t, site{
		listAddress:             page(` hx-get="/careers/list?page=2" hx-trigger="revealed" hx-swap="afterend"`, "Welder", "Pipe Fitter", "Line Cook"),
		listAddress + "?page=2": page(``, "Data Analyst", "Office Manager"),
	}, listAddress)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	require.Len(t, r.Postings, 5)
}
