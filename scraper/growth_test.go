package scraper_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/turn"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// growth is a kind of page that is as long as one likes.
type growth struct {
	name string
	page func(n int) string
}

// repeated is a page of n parts. In each of them, # is its number, @ is it in letters, and % the number of three parts in letters.
func repeated(name, before, part, after string) growth {
	return growth{name, func(n int) string {
		var b strings.Builder
		b.WriteString(`<!doctype html><html lang="en"><head><title>Careers at Northwind</title></head><body><h1>Open positions</h1>` + before)
		for i := range n {
			b.WriteString(strings.NewReplacer("#", strconv.Itoa(i), "@", letters(i), "%", letters(i/3)).Replace(part))
		}
		b.WriteString(after + `</body></html>`)
		return b.String()
	}}
}

// letters is a number as a word.
func letters(n int) string {
	word := ""
	for ; n > 0 || len(word) < 3; n /= 26 {
		word = string(rune('a'+n%26)) + word
	}
	return word
}

// twice is a page of two lists of n/2 parts.
func twice(name, first, between, second string) growth {
	return growth{name, func(n int) string {
		return repeated("", "", first, between).page(n/2) + repeated("", "", second, "").page(n/2)
	}}
}

// growths are pages on which something is there many times.
func growths() []growth {
	return []growth{
		repeated("frames", "", `<iframe src=//boards.greenhouse.io/a#>x</iframe>`, ""),
		repeated("one frame", "", `<iframe src=//boards.greenhouse.io/a>x</iframe>`, ""),
		repeated("embeds", "", `<div id=grnhse_app><script src="https://boards.greenhouse.io/embed/job_board/js?for=a#"></script></div>`, ""),
		repeated("links to careers", "", `<a href=/careers/#>Careers</a>`, ""),
		repeated("links to roles", "", `<a href=/jobs/#>Open positions #</a>`, ""),
		repeated("links to boards", "", `<a href=https://boards.greenhouse.io/a#>Jobs</a>`, ""),
		repeated("links to hosts", "", `<a href=https://h#.example/jobs>Jobs</a>`, ""),
		repeated("links to other forms", "", `<a href="/jobs?page=#">Jobs</a>`, ""),
		repeated("roles", "<ul>", `<li><a href=/jobs/#>Pump Engineer #</a> <span>Hamburg</span></li>`, "</ul>"),
		repeated("roles without links", "", `<div><h3>Pump Engineer #</h3><p>Hamburg, Germany</p></div>`, ""),
		repeated("roles alike", "<ul>", `<li><a href=/jobs/x>Pump Engineer</a></li>`, "</ul>"),
		repeated("roles of classes", "", `<div class="c#"><h3 class="t#">Pump Engineer #</h3></div>`, ""),
		repeated("roles of many tags", "", `<x-#><h3>Pump Engineer #</h3></x-#>`, ""),
		repeated("roles in two lists", "", `<div><a href=/jobs/#>Welder #</a></div><p><a href=/jobs/#>Welder #</a></p>`, ""),
		repeated("lists", "", `<h2>Team #</h2><ul><li><a href=/jobs/#>Pump Engineer #</a></ul>`, ""),
		repeated("groups", "", `<div class="a#"><h4>Engineer #</h4></div><div class="b#"><p>Berlin</p></div>`, ""),
		{"nested", func(n int) string { return "<h1>Jobs</h1>" + strings.Repeat("<div>", n) + "Welder" }},
		{"nested lists", func(n int) string { return "<h1>Jobs</h1>" + strings.Repeat("<ul><li>Welder", n) }},
		{"nested often", func(n int) string {
			return "<h1>Jobs</h1>" + strings.Repeat(strings.Repeat("<div>", 100)+"<b>Welder</b>"+strings.Repeat("</div>", 100), n/100)
		}},
		repeated("nested and beside", strings.Repeat("<div>", 300), `<a href=/jobs/#>Welder #</a>`, ""),
		repeated("forms", "", `<form action=/jobs?a=#><input name=q><select name=page><option>1</select></form>`, ""),
		repeated("inputs", "<form action=/jobs>", `<input type=hidden name=i# value=#>`, "</form>"),
		repeated("options", "<form action=/jobs><select name=page>", `<option value=#>Engineering #`, "</select></form>"),
		repeated("scripts", "", `<script>var a#={"jobs":[{"title":"Welder #","url":"/jobs/#"}]}</script>`, ""),
		repeated("script addresses", "<script>", `a#="https://boards.greenhouse.io/a#";`, "</script>"),
		repeated("script values", "<script>var u='//x.example/'+", `a#;a#="abcd#";u="https://${a#}.greenhouse.io/";`, "</script>"),
		repeated("script sources", "", `<script src=/js/#.js></script>`, ""),
		repeated("rows", "<table><tr><th>Position<th>Location</tr>", `<tr><td>Pump Engineer #<td>Hamburg</tr>`, "</table>"),
		repeated("cells", "<table><tr>", `<td>Pump Engineer #`, "</table>"),
		repeated("cells in rows", "<table>", `<tr>`+strings.Repeat("<td>Pump Engineer #", 30)+`</tr>`, "</table>"),
		repeated("tables", "", `<table><tr><th>Position<th>Place<tr><td>Welder #<td>Bonn</table>`, ""),
		repeated("items", "<ul>", `<li>Pump Engineer #`, "</ul>"),
		repeated("items of one letter", "<ul>", `<li>x`, "</ul>"),
		repeated("terms", "<dl>", `<dt>Pump Engineer #<dd>Hamburg`, "</dl>"),
		repeated("JSON-LD", "", `<script type="application/ld+json">{"@type":"JobPosting","title":"Welder #","url":"/jobs/#"}</script>`, ""),
		repeated("JSON-LD graph", `<script type="application/ld+json">[0`, `,{"@type":"JobPosting","@id":"#","title":"Welder #","hiringOrganization":{"@id":"#"}}`, "]</script>"),
		repeated("JSON-LD lists", "", `<script type="application/ld+json">{"@type":"ItemList","itemListElement":[{"@type":"ListItem","url":"/jobs/#"}]}</script>`, ""),
		repeated("microdata", "", `<div itemscope itemtype="https://schema.org/JobPosting"><b itemprop=title>Welder #</b></div>`, ""),
		repeated("microdata nested", "<div itemscope itemtype=https://schema.org/JobPosting>", `<b itemprop=title>Welder #</b>`, "</div>"),
		repeated("states", "", `<script type="application/json">{"jobs":[{"id":#,"title":"Welder #","location":"Bonn"}]}</script>`, ""),
		repeated("state rows", `<script id="__NEXT_DATA__" type="application/json">{"jobs":[0`, `,{"id":#,"title":"Welder #","location":"Bonn"}`, "]}</script>"),
		repeated("state lists", `<script type="application/json">{"x":0`, `,"l#":[{"id":#,"title":"Welder #","location":"Bonn"}]`, "}</script>"),
		repeated("state references", `<script type="application/json">[0`, `,{"title":#,"url":#}`, "]</script>"),
		{"state nested", func(n int) string {
			return `<script type="application/json">` + strings.Repeat(`{"jobs":[`, n) + strings.Repeat(`]}`, n) + `</script>`
		}},
		{"script nested", func(n int) string {
			return `<script>window.x=` + strings.Repeat(`{"jobs":[`, n) + strings.Repeat(`]}`, n) + `</script>`
		}},
		repeated("script calls", "<script>", `self.__next_f.push([1,"#:{\"title\":\"Welder #\"}\n"]);`, "</script>"),
		repeated("script functions", "<script>window.x=(function(a", `,b#`, "){return {a:a}}(1))</script>"),
		repeated("open brackets", "<script>x=", `[{"a":`, "</script>"),
		repeated("open quotes", "<script>x=", `{"a":'`, "</script>"),
		repeated("data attributes", "", `<div data-jobs='[{"title":"Welder #","url":"/jobs/#","location":"Bonn"}]'></div>`, ""),
		repeated("headings", "", `<h2>Engineering #</h2><p>x`, ""),
		repeated("headings of roles", "", `<h2>Pump Engineer #</h2>`, ""),
		repeated("headings of levels", "", `<h2>Team #</h2><h3>Pump Engineer #</h3><h4>Berlin</h4>`, ""),
		repeated("tabs", "<div role=tablist>", `<a role=tab href=#t# aria-controls=t#>Team #</a><div id=t# role=tabpanel><h3>Welder #</h3></div>`, "</div>"),
		repeated("buttons", "", `<button aria-expanded=false aria-controls=b#>Load more</button>`, ""),
		repeated("feeds", "", `<link rel=alternate type=application/rss+xml title=Jobs href=/feed#>`, ""),
		repeated("refreshes", "", `<meta http-equiv=refresh content="99999;url=/x#">`, ""),
		repeated("images", "", `<img src=/#.png alt="Engineer #">`, ""),
		repeated("inlines", "<div>", `<b>Engineer</b> <i>#</i>`, "</div>"),
		repeated("inlines of icons", "<div>", `<i class=icon>work</i><span>Engineer #</span>`, "</div>"),
		repeated("breaks", "<div>", `Pump Engineer #<br>`, "</div>"),
		repeated("text", "<p>", `We are looking for an engineer in Hamburg #. `, "</p>"),
		repeated("word", "<p>", `engineer`, "</p>"),
		repeated("colons", "", `<p><b>Location:</b> Bonn #</p><p>Position: Welder #</p>`, ""),
		repeated("next", "", `<a rel=next href="?page=#">Next</a>`, ""),
		repeated("pages", "<nav class=pagination>", `<a href="?page=#">#</a>`, "</nav>"),
		repeated("closed", "", `<div><h3>Welder #</h3><p>This position is closed.</p></div>`, ""),
		repeated("none", "", `<p>There are no open positions at the moment #.</p>`, ""),
		repeated("sections", "", `<section id=s#><h2>Open positions</h2><a href=#s#>Welder #</a></section>`, ""),
		repeated("asides", "", `<aside><h2>Team</h2><a href=/jobs/#>Welder #</a></aside>`, ""),
		repeated("footers", "", `<footer><a href=/careers/#>Careers</a></footer>`, ""),
		repeated("hidden", "", `<div hidden><a href=/jobs/#>Welder #</a></div>`, ""),
		repeated("policies", "", `<meta http-equiv=Content-Security-Policy content="frame-src https://boards.greenhouse.io/a#">`, ""),
		repeated("labels", "", `<label for=i#>Location</label><input id=i#>`, ""),
		repeated("formats left open", "", `<p><b class=a#>x`, ""),
		repeated("misnested", "", `<a><div><b>Welder #</a></div>`, ""),
		repeated("tables misnested", "<table>", `<a href=/jobs/#>Welder #<tr>`, "</table>"),
		repeated("templates", "", `<template><a href=/jobs/#>Welder #</a></template>`, ""),
		repeated("svg", "<svg>", `<a href=/jobs/#><text>Welder #</text></a>`, "</svg>"),
		repeated("kinds of roles", "", `<div class="x@"><h3 class="t@">Pump Engineer @</h3><p class="p@">Hamburg</p></div>`, ""),
		repeated("kinds of linked roles", "", `<div class="x@"><a class="t@" href=/jobs/@>Pump Engineer @</a></div>`, ""),
		repeated("kinds of rows", "<ul>", `<li class="x@">Pump Engineer @</li>`, "</ul>"),
		repeated("kinds of one kind", "<ul>", `<li class="job x@"><a href=/jobs/@>Pump Engineer @</a></li>`, "</ul>"),
		repeated("kinds of three", "<ul>", `<li class="x%"><h3>Pump Engineer @</h3><p class="a%">Berlin</p><p class="b%">Care</p></li>`, "</ul>"),
		repeated("tags of three", "<div>", `<x-%><h3>Pump Engineer @</h3><p class="a%">Berlin</p><p class="b%">Care @</p></x-%>`, "</div>"),
		twice("two forms", `<div><h3>Pump Engineer @</h3></div>`, "", `<p class="x"><b>Welder @ in Bonn</b></p>`),
		twice("headings and lists", `<h3>Pump Engineer @</h3>`, "<h2>Welders</h2>", `<li>Welder @</li>`),
		twice("index", `<a href=#s@>Welder @</a> `, "", `<h3 id=s@>Welder @</h3><p>Some text about what is done here</p>`),
		twice("index of shorter", `<a href=#s@>Welder @</a> `, "", `<h3 id=s@>Welder @ in Bonn</h3><p>Some text about what is done here</p>`),
		repeated("flat", "<div>Jobs", `<h3>Pump Engineer @</h3> Hamburg `, "</div>"),
		repeated("flat in bold", "<div>Jobs", `<b>Pump Engineer @</b><br> Hamburg <br>`, "</div>"),
		repeated("flat with labels", "<div>", `<h3>Pump Engineer @</h3><p>Location</p><p>Bonn</p>`, "</div>"),
		repeated("flat links", "<div>", `<a href=/jobs/@>Pump Engineer @</a> Bonn <br>`, "</div>"),
		repeated("links to one role", "<div>", `<a href=/jobs/x>Pump Engineer @</a><p>Bonn</p>`, "</div>"),
		repeated("choices", "<form>", `<label>Pump Engineer @</label><input type=checkbox>`, "</form>"),
		repeated("choices of roles", "<form>", `<p><input type=radio><label><h3>Pump Engineer @</h3></label></p>`, "</form>"),
		repeated("long items", "<ul>", `<li>Pump Engineer @ - `+strings.Repeat("we keep the water where it belongs ", 5)+`</li>`, "</ul>"),
		repeated("long items after short ones", "<ul><li>Welder<li>Pump Engineer<li>Driver", `<li>Pump Engineer @ - `+strings.Repeat("we keep the water where it belongs ", 5)+`</li>`, "</ul>"),
		repeated("openings", "", `<h2>Open positions: Pump Engineer @</h2><p>x`, ""),
		repeated("vacancies", "", `<h2>Vacancy: welder @</h2><p>x`, ""),
		repeated("announced", "", `<p>We are looking for:</p><ul><li>Welder @</li></ul>`, ""),
		repeated("places beside", "", `<div><p>Pump Engineer @</p><p>Berlin</p></div>`, ""),
		repeated("places in lines", "<ul>", `<li>Pump Engineer @<li>Berlin`, "</ul>"),
		repeated("places now and then", "", `<div><p>Pump Engineer @</p><p>Welder @</p><p>Berlin</p></div><div><p>Bonn</p><p>Driver @</p></div>`, ""),
		repeated("benefits", "", `<div><h3>Pump Engineer @</h3></div><div><h3>Our benefits @</h3></div>`, ""),
		repeated("benefits linked", "", `<div><a href=/jobs/@>Pump Engineer @</a></div><div><a href=/jobs/b@>Benefits @</a></div>`, ""),
		repeated("sections of openings", "", `<h2>Open positions</h2><h3>Welder @</h3><h2>Benefits</h2><h3>Fruit @</h3>`, ""),
		repeated("sections of one opening", "", `<div><h2>Open positions</h2><p class=t>Welder @</p></div><div><h2>Our team</h2><p class=t>Ada Moor</p></div>`, ""),
		repeated("closed beside", "<ul>", `<li><h3>Welder @</h3> <span>closed</span></li><li><h3>Driver @</h3></li>`, "</ul>"),
		repeated("marks of closed", "", `<div><h3>Welder @</h3><span class=status>Position filled</span></div>`, ""),
		repeated("closed in a row", "<h3>Welder</h3>", `<p class="job-closed">Position filled</p>`, ""),
		repeated("cards of many lines", "<div class=job><h3>Pump Engineer</h3>", `<p>Line @</p>`, "</div>"),
		repeated("cards of many labels", "<div class=job><h3>Pump Engineer</h3>", `<p>Location: Bonn @</p>`, "</div>"),
		repeated("cards of many links", "<div class=job><h3>Pump Engineer</h3>", `<a href=/jobs/@>Apply @</a>`, "</div><div class=job><h3>Welder</h3></div>"),
		repeated("definitions", "<dl>", `<dt>Pump Engineer @<dd>Location<dd>Bonn`, "</dl>"),
		repeated("tables of rows", "<table><thead><tr><th>Position<th>Location<th>Team</thead>", `<tr><td><a href=/jobs/@>Pump Engineer @</a><td>Hamburg<td>Care</tr>`, "</table>"),
		repeated("tables without heads", "<table>", `<tr><td>Pump Engineer @<td>Hamburg<td>Care</tr>`, "</table>"),
		repeated("table without rows", "<table><caption>", `<div><h3>Pump Engineer @</h3><p>Hamburg</p></div>`, "</table>"),
		repeated("captions", "", `<p class=c>Engineering @</p><div class=job><h3>Pump Engineer @</h3></div>`, ""),
		repeated("captions above", "", `<p>12</p><p>13</p>`, `<div class=job><h3>Pump Engineer</h3></div><div class=job><h3>Welder</h3></div>`),
		repeated("filters", "", `<button data-filter=.c@>Engineering @</button><div class="job c@"><h3>Welder @</h3></div>`, ""),
		repeated("spoken", "", `<p>We have no open positions for welders @.</p><h2>Open positions</h2>`, ""),
		repeated("unlike siblings", "<div>", `<h3>Pump Engineer @</h3><div><p>Welder @</p></div><section><p>x</section>`, "</div>"),
		repeated("names in colons", "", `<h3>Pump Engineer @:</h3><p>Bonn</p>`, ""),
		repeated("totals", "", `<p>@ Showing 1-10 of 2# jobs</p>`, ""),
		repeated("load more", "", `<a href="?page=@">Load more</a><h3>Welder @</h3>`, ""),
		repeated("ids", "", `<a name=a@ href=#a@>Jump</a>`, ""),
		repeated("states and roles", "", `<h3><a href=/jobs/#>Welder #</a></h3><script type="application/json">{"jobs":[{"id":#,"title":"Welder #","url":"/jobs/#","location":"Bonn"}]}</script>`, ""),
		repeated("state of equals", `<h3><a href=/x>Welder</a></h3><h3><a href=/y>Driver</a></h3><script type="application/json">{"jobs":[0`, `,{"id":#,"title":"Welder","location":"Bonn"}`, "]}</script>"),
		repeated("roles and their JSON-LD", "", `<div><a href=/jobs/#>Welder #</a><script type="application/ld+json">{"@type":"JobPosting","title":"Welder #","url":"/jobs/#"}</script></div>`, ""),
		repeated("comments in scripts", "<script>jobs=title=location", `;self.__next_f.push(/* @`, "</script>"),
		repeated("calls in scripts", "<script>jobs=title=location", `;self.__next_f.push([1,"`, "</script>"),
		repeated("parsed texts", "<script>jobs=title=location", `;a=JSON.parse('{"title":"Welder @","location":"Bonn"`, "</script>"),
		repeated("functions", "<script>jobs=title=location", `;(function(a){return {a:`, "</script>"),
		repeated("streams", "<script>jobs=title=location", `;streamController.enqueue("[`, "</script>"),
		repeated("icons", "", `<i class=material-icons>place</i><p>Welder @`, ""),
		repeated("comments", "", `<!-- # --><p>`, ""),
	}
}

// growing is a scraper without a browser, and the address of a site with just this page.
func growing(tb testing.TB, page string) (s *scraper.Scraper, address string) {
	tb.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RequestURI() != "/careers" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	tb.Cleanup(server.Close)
	client := outbound.New(outbound.Options{AllowLoopback: true, Pause: -1})
	return scraper.New(client, scraper.Options{IgnoreRobots: true}), server.URL + "/careers"
}

// doors are the ways in which a stranger's page gets here.
func doors() map[string]func(ctx context.Context, s *scraper.Scraper, address string) error {
	return map[string]func(ctx context.Context, s *scraper.Scraper, address string) error{
		"read": func(ctx context.Context, s *scraper.Scraper, address string) error {
			_, err := s.Read(ctx, boardwatch.Board{Source: "page:" + address, URL: address})
			return err
		},
		"discover": func(ctx context.Context, s *scraper.Scraper, address string) error {
			if _, err := s.Discover(ctx, address); boardwatch.CodeOf(err) != boardwatch.CodeInvalidRequest {
				return err
			}
			return nil
		},
	}
}

const (
	fewParts  = 500 // more than the ways of writing that are compared with one another
	moreParts = 4 * fewParts
)

// allowed is how much more n log n is.
var allowed = moreParts * math.Log(moreParts) / (fewParts * math.Log(fewParts))

// What is computed on a page grows no faster than n log n. It is measured in steps and allocations, which do not depend on what else
// the machine does.
//
//nolint:paralleltest // allocations are those of the whole process
func TestWorkGrowsNoFasterThanThePage(t *testing.T) {
	for _, g := range growths() {
		for name, door := range doors() {
			t.Run(g.name+"/"+name, func(t *testing.T) {
				work := func(n int) (steps, allocations float64) {
					s, address := growing(t, g.page(n))
					ctx, w := turn.Begin(t.Context())
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					require.NoError(t, door(ctx, s, address))
					runtime.ReadMemStats(&after)
					return float64(w.Steps()), float64(after.Mallocs - before.Mallocs)
				}
				steps, allocations := work(fewParts)
				moreSteps, moreAllocations := work(moreParts)
				require.LessOrEqual(t, moreSteps, allowed*steps+1000)
				require.LessOrEqual(t, moreAllocations, allowed*allocations+5000)
			})
		}
	}
}

// Two shapes on one page are no worse than each of them.
func FuzzGrowth(f *testing.F) {
	for _, i := range []uint{0, 20, 40, 60, 80, 100} {
		f.Add(i, i+7)
	}
	f.Fuzz(func(t *testing.T, first, second uint) {
		all := growths()
		a, b := all[first%uint(len(all))], all[second%uint(len(all))]
		for _, door := range doors() {
			steps := func(n int) float64 {
				s, address := growing(t, a.page(n)+b.page(n))
				ctx, w := turn.Begin(t.Context())
				require.NoError(t, door(ctx, s, address))
				return float64(w.Steps())
			}
			require.LessOrEqual(t, steps(moreParts), allowed*steps(fewParts)+1000, a.name+" and "+b.name)
		}
	})
}

// BenchmarkGrowth is what the same costs in time.
func BenchmarkGrowth(b *testing.B) {
	for _, g := range growths() {
		for n := 1_000; n <= 64_000; n *= 4 {
			for name, door := range doors() {
				b.Run(fmt.Sprintf("%s/%d/%s", strings.ReplaceAll(g.name, " ", "_"), n, name), func(b *testing.B) {
					s, address := growing(b, g.page(n))
					for b.Loop() {
						require.NoError(b, door(b.Context(), s, address))
					}
				})
			}
		}
	}
}
