package scraper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// What a page says against its list counts although roles were read.
func TestReadPageDoubtsItsRoles(t *testing.T) {
	t.Parallel()
	const roles = `<ul class="jobs"><li><a href="/jobs/1-welder">Welder</a></li><li><a href="/jobs/2-fitter">Pipe Fitter</a></li><li><a href="/jobs/3-analyst">Data Analyst</a></li></ul>`
	for _, tt := range []struct {
		name, title, above, below string
		cause                     cause.Cause
	}{
		{name: "nothing"},
		{name: "a list that failed to load", below: `<p class="note">Failed to load more jobs. Please try again.</p>`, cause: cause.ListError},
		{name: "a part that is not shown", above: `<p>Some jobs may not be shown.</p>`, cause: cause.Truncated},
		{name: "a part that is not shown, in German", above: `<p>Derzeit werden nicht alle Stellen angezeigt.</p>`, cause: cause.Truncated},
		{name: "a part that is not shown, in Japanese", above: `<p>一部の求人が表示されない場合があります。</p>`, cause: cause.Truncated},
		{name: "a selection", above: `<p>Showing a selection of our open positions.</p>`, cause: cause.Truncated},
		{name: "maintenance", above: `<div class="alert">Our job board is down for maintenance.</div>`, cause: cause.Maintenance},
		{name: "maintenance, in Japanese", above: `<p>サイトはメンテナンス中です。</p>`, cause: cause.Maintenance},
		{name: "maintenance as a trade", above: `<p>Onderhoud</p><p>Wij zorgen voor onderhoud van machines in heel Nederland.</p>`},
		{name: "maintenance in the title", title: "Scheduled maintenance", cause: cause.Maintenance},
		{name: "members", above: `<p>Sign in to see all jobs</p>`, cause: cause.SignIn},
		{name: "members, in French", above: `<p>Connectez-vous pour voir toutes les offres</p>`, cause: cause.SignIn},
		{name: "a captcha", above: `<p>Please verify that you are human to continue.</p>`, cause: cause.Wall},
		{name: "a place", above: `<h2>Jobs near you</h2>`, cause: cause.Truncated},
		{name: "a filter in words", above: `<p>Filtered by: Berlin</p>`, cause: cause.Truncated},
		{name: "a filter", above: `<select name="place"><option value="">All locations</option><option value="berlin" selected>Berlin</option></select>`, cause: cause.Truncated},
		{name: "a filter for all", above: `<select name="place"><option value="" selected>All locations</option><option value="berlin">Berlin</option></select>`},
		{name: "a count in a tab", above: `<div><button>All (24)</button><button>Sales (20)</button><button>Finance (4)</button></div>`, cause: cause.FewerThanClaimed},
		{name: "a count in a tab, in elements", above: `<ul><li><a href="#all">All <span>24</span></a></li><li><a href="#sales">Sales <span>24</span></a></li></ul>`, cause: cause.FewerThanClaimed},
		{name: "departments that add up to more", above: `<div><button>Engineering (2)</button><button>Sales (2)</button></div>`, cause: cause.FewerThanClaimed},
		{name: "departments that add up", above: `<div><button>Engineering (2)</button><button>Sales (1)</button></div>`},
		{name: "departments to choose from", above: `<select><option value="">All departments</option><option value="1">Engineering (7)</option><option value="2">Sales (2)</option></select>`, cause: cause.FewerThanClaimed},
		{name: "places that add up to more", above: `<div><button>Berlin (2)</button><button>Hamburg (2)</button></div>`},
		{name: "a count in the title", title: "24 open positions | Northwind", cause: cause.FewerThanClaimed},
		{name: "a count that is met", title: "3 open positions | Northwind"},
		{name: "a count of days", below: `<p>Hybrid: 3 of 5 days in the office</p>`},
		{name: "a count of roles shown", above: `<p>3 of 24 shown</p>`, cause: cause.FewerThanClaimed},
		{name: "a number of a part of the page", above: `<p><span>04</span> <span>Jobs</span></p>`},
		{name: "that nothing is open", above: `<p>We currently have no open positions.</p>`, cause: cause.Unsure},
		{name: "that nothing is open in a department", above: `<h2>Finance</h2><p>We currently have no open positions.</p><h2>Workshop</h2>`},
		{name: "that nothing else is open", below: `<p>There are no other open positions.</p>`},
		{name: "a form that failed", above: `<div><form><input name="mail"></form><div>Oops! Something went wrong while submitting the form.</div></div>`},
		{name: "a form that failed, below", below: `<h2>Join our talent pool</h2><div><form><input name="mail"></form><div>An error has occurred.</div></div>`},
		{name: "another part of the page", below: `<h2>About us</h2><p>Sign in to see all jobs that you have applied for.</p>`},
		{name: "the footer", below: `</main><footer><p>Some jobs may not be shown.</p></footer>`},
		{name: "a style sheet that hides it", above: `<style>.failed{display:none}</style><p class="failed">Failed to load jobs.</p>`},
		{name: "a role that maintains", above: `<p>We look for people for planned maintenance, such as a maintenance engineer.</p>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.title == "" {
				tt.title = "Careers | Northwind"
			}
			r := read(t, site{listAddress: html("<title>"+tt.title+"</title>", `<main><h1>Open positions</h1>`+tt.above+roles+tt.below+`</main>`)}, listAddress)
			require.Len(t, r.Postings, 3)
			require.Equal(t, tt.cause, r.Cause, r.Reason)
			if tt.cause == "" {
				require.Equal(t, boardwatch.HealthOK, r.Health)
			} else {
				require.Equal(t, boardwatch.HealthPartial, r.Health)
			}
		})
	}
}

func TestReadFurtherPagesWithADoubt(t *testing.T) {
	t.Parallel()
	first := html("<title>Careers</title>", `<main><h1>Open positions</h1><p>Some jobs may not be shown.</p><ul><li><a href="/jobs/1-welder">Welder</a></li><li><a href="/jobs/2-fitter">Pipe Fitter</a></li></ul><a rel="next" href="?page=2">Next</a></main>`)
	second := html("<title>Careers</title>", `<main><h1>Open positions</h1><ul><li><a href="/jobs/3-analyst">Data Analyst</a></li><li><a href="/jobs/4-cook">Line Cook</a></li></ul></main>`)
	r := read(t, site{listAddress: first, listAddress + "?page=2": second}, listAddress)
	require.Len(t, r.Postings, 4)
	require.Equal(t, cause.Truncated, r.Cause, r.Reason)
	for _, role := range []string{"1-welder", "2-fitter", "3-analyst", "4-cook"} {
		require.True(t, r.Shown.Links["company.example/jobs/"+role], "the page links to %s", role)
	}
}

// A statement that there are no roles, beside a reason why they may not be shown now, is no empty board.
func TestReadPageSaysNoneForNow(t *testing.T) {
	t.Parallel()
	for sentence, health := range map[string]boardwatch.Health{
		"There are currently no open positions.":                                              boardwatch.HealthOK,
		"There are currently no open positions. Follow us to hear of new ones.":               boardwatch.HealthOK,
		"We are on holiday. There are currently no open positions.":                           boardwatch.HealthPartial,
		"Wir sind in den Betriebsferien. Derzeit sind keine Stellen ausgeschrieben.":          boardwatch.HealthPartial,
		"Due to a technical problem there are currently no open positions.":                   boardwatch.HealthPartial,
		"There are currently no open positions.</p><p>Our website is being updated.":          boardwatch.HealthPartial,
		"No hay vacantes disponibles en este momento.</p><p>Estamos de vacaciones en agosto.": boardwatch.HealthPartial,
	} {
		r := read(t, site{listAddress: html("<title>Jobs</title>", `<main><h1>Jobs</h1><div><p>`+sentence+`</p></div></main>`)}, listAddress)
		require.Equal(t, health, r.Health, "%s: %s", sentence, r.Reason)
	}
}

// Links to roles protect them, whatever became of their titles.
func TestReadPageKeepsItsLinksToRoles(t *testing.T) {
	t.Parallel()
	r := read(t, site{listAddress: html("<title>Careers</title>", strings.Join([]string{
		`<nav><a href="/jobs/7-nav">Chef</a></nav><main><h1>Open positions</h1><ul>`,
		`<li><a href="/jobs/1-welder?utm_source=x">Welder</a></li><li><a href="https://www.company.example/jobs/2-fitter/">Pipe Fitter</a></li>`,
		`</ul><a href="/jobs/3-analyst"><img src="a.png"></a><a href="/contact">Contact</a><a href="/careers/list">Careers</a></main>`,
	}, ""))}, listAddress)
	require.Equal(t, map[string]bool{"company.example/jobs/1-welder": true, "company.example/jobs/2-fitter": true, "company.example/jobs/3-analyst": true}, r.Shown.Links)
}
