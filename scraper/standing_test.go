package scraper_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// followed is a board that is read and judged again and again, as a watcher does it.
type followed struct {
	t     *testing.T
	site  site
	board boardwatch.Board
	jobs  []boardwatch.Job
	now   time.Time
	ids   int
}

const followedPage = "https://www.northwind.example/careers"

func follow(t *testing.T) *followed {
	t.Helper()
	return &followed{
		t: t, site: site{}, now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
		board: boardwatch.Board{ID: "b", Source: "page:" + followedPage, URL: followedPage, Cadence: time.Hour},
	}
}

// check shows the page and checks the board.
func (f *followed) check(body string) boardwatch.CheckResult {
	f.t.Helper()
	f.site[followedPage] = html("<title>Careers</title>", body)
	f.now = f.now.Add(12 * time.Hour)
	r, err := quietly(f.site).Read(f.t.Context(), f.board)
	require.NoError(f.t, err)
	in := boardwatch.CheckInput{Now: f.now, Board: f.board, Known: f.jobs}
	res := boardwatch.Decide(in, r, false, boardwatch.DefaultRules(), func() string { f.ids++; return strconv.Itoa(f.ids) })
	f.board, f.jobs = res.Board, res.Jobs(in)
	return res
}

// quietly is a Scraper that tells nobody its steps.
func quietly(s site) *scraper.Scraper {
	return scraper.New(outbound.New(outbound.Options{Transport: s, Pause: -1, Backoff: []time.Duration{}}), scraper.Options{})
}

// open are the titles of the roles that count as open, sorted.
func (f *followed) open() []string {
	var titles []string
	for _, j := range f.jobs {
		if j.Status == boardwatch.JobOpen {
			titles = append(titles, j.Title)
		}
	}
	slices.Sort(titles)
	return titles
}

func TestRolesThatStillStandOnThePageStayOpen(t *testing.T) {
	t.Parallel()

	t.Run("a role that the list hides from the reader", func(t *testing.T) {
		t.Parallel()
		f := follow(t)
		list := func(more string) string {
			return `<h1>Open positions</h1><ul><li><a href="/careers/1">Welder</a></li><li><a href="/careers/2">Pipe Fitter</a></li>` + more + `</ul>`
		}
		f.check(list(`<li><a href="/careers/3">Night Turner</a></li>`))
		require.Len(t, f.open(), 3)
		for range 5 {
			f.check(list("") + `<footer><p>Latest: Night <b>Turn</b>er</p></footer>`)
		}
		require.Len(t, f.open(), 3)
		for range 5 {
			f.check(list(""))
		}
		require.Equal(t, []string{"Pipe Fitter", "Welder"}, f.open(), "once its title is gone, it closes")
	})

	t.Run("a role that the page itself calls closed", func(t *testing.T) {
		t.Parallel()
		for name, past := range map[string]string{
			"under a heading": `</ul><h2>Closed positions</h2><ul><li><a href="/careers/3">Night Turner</a></li>`,
			"by a mark":       `<li><a href="/careers/3">Night Turner</a> <span>Filled</span></li>`,
		} {
			f := follow(t)
			list := func(more string) string {
				return `<h1>Careers</h1><h2>Open positions</h2><ul><li><a href="/careers/1">Welder</a></li><li><a href="/careers/2">Pipe Fitter</a></li>` + more + `</ul>`
			}
			f.check(list(`<li><a href="/careers/3">Night Turner</a></li>`))
			require.Len(t, f.open(), 3, name)
			for range 5 {
				f.check(list(past))
			}
			require.Equal(t, []string{"Pipe Fitter", "Welder"}, f.open(), name)
		}
	})

	t.Run("roles of all pages of a list", func(t *testing.T) {
		t.Parallel()
		f := follow(t)
		first := `<h1>Open positions</h1><ul><li><a href="/careers/1">Welder</a></li><li><a href="/careers/2">Pipe Fitter</a></li></ul><div class="pagination"><a href="/careers?page=2">Next</a></div>`
		second := func(body string) { f.site[followedPage+"?page=2"] = html("", `<h1>Open positions</h1>`+body) }
		second(`<ul><li><a href="/careers/3">Turner</a></li><li><a href="/careers/4">Night Watch Operator</a></li></ul>`)
		f.check(first)
		require.Len(t, f.open(), 4)
		second(`<ul><li><a href="/careers/3">Turner</a></li></ul><p>New since Monday: Night Watch Operator</p>`)
		for range 5 {
			f.check(first)
		}
		require.Subset(t, f.open(), []string{"Night Watch Operator", "Pipe Fitter", "Turner", "Welder"})
	})

	t.Run("text that nobody sees is no evidence", func(t *testing.T) {
		t.Parallel()
		for _, unseen := range []string{
			`<script>var x = "Night Turner"</script>`, `<template><p>Night Turner</p></template>`, `<p hidden>Night Turner</p>`,
			`<p style="display: none">Night Turner</p>`, `<!-- Night Turner -->`, `<style>/* Night Turner */</style>`, `<img alt="Night Turner">`,
			`<p>Night Turnering</p>`,
		} {
			f := follow(t)
			list := `<h1>Open positions</h1><ul><li><a href="/careers/1">Welder</a></li><li><a href="/careers/2">Pipe Fitter</a></li></ul>`
			f.check(strings.Replace(list, `</ul>`, `<li><a href="/careers/3">Night Turner</a></li></ul>`, 1))
			for range 4 {
				f.check(list + unseen)
			}
			require.Len(t, f.open(), 2, unseen)
		}
	})
}
