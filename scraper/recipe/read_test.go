package recipe_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/recipe"
)

// read is what a recipe reads on a page.
func read(t *testing.T, text, body string) boardwatch.Reading {
	t.Helper()
	r, err := recipe.Parse([]byte(text))
	require.NoError(t, err)
	d, v := parse(t, body)
	return r.Read(d, v).Reading
}

const cards = `{"version":1,"entry":"div.job","title":"h3","link":"a"}`

func TestReadBreaksWhereThePageDoesNotFit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ recipe, body, reason string }{
		"its elements are gone": {
			cards, `<main><ul><li>Balloon Pilot</li></ul></main>`,
			"nothing on the page fits it, and the page does not say that there are no roles",
		},
		"an entry has no title": {
			cards, `<main><div class="job"><h3>Balloon Pilot</h3></div><div class="job"><h4>Weather Archivist</h4></div></main>`,
			"entry 2 has no title",
		},
		"the title of an entry is hidden": {
			cards, `<main><div class="job"><h3 hidden>Balloon Pilot</h3></div></main>`,
			"entry 1 has no title",
		},
		"the title is a whole text": {
			cards, `<main><div class="job"><h3>` + strings.Repeat("You fly. ", 100) + `</h3></div></main>`,
			"the title of entry 1 is too long for one",
		},
		"the heading of the list is another": {
			`{"version":1,"entry":"h3","under":"Open positions"}`, `<main><h2>Vacant posts</h2><h3>Balloon Pilot</h3></main>`,
			"nothing on the page fits it",
		},
		"the page is rendered by JavaScript now": {
			cards, `<div id="root"></div><script src="/app.js"></script>`,
			"nothing on the page fits it",
		},
		"the data is gone": {
			`{"version":1,"json":{"entries":"jobs.*","title":"name"}}`, `<main>Careers</main>`,
			"the page holds no such data",
		},
		"the data lies elsewhere": {
			`{"version":1,"json":{"entries":"jobs.*","title":"name"}}`, `{"openings":[{"name":"Balloon Pilot"}]}`,
			"nothing lies at jobs.* in the data",
		},
		"an entry of the data has no title": {
			`{"version":1,"json":{"entries":"jobs.*","title":"name"}}`, `{"jobs":[{"name":"Balloon Pilot"},{"title":"Weather Archivist"}]}`,
			"entry 2 of the data has no title",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, tt.recipe, tt.body)
			require.Equal(t, boardwatch.HealthFailed, r.Health)
			require.Equal(t, cause.RecipeBroken, r.Cause)
			require.Contains(t, r.Reason, tt.reason)
			require.Empty(t, r.Postings)
		})
	}
}

func TestReadBelievesAPageThatSaysItHasNoRoles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ recipe, body string }{
		"in words":    {cards, `<main><h1>Careers</h1><p>There are no open positions at the moment.</p></main>`},
		"as data":     {`{"version":1,"json":{"entries":"jobs.*","title":"name"}}`, `{"jobs":[]}`},
		"in a script": {`{"version":1,"json":{"entries":"jobs.*","title":"name"}}`, `<script>window.state = {"jobs":[],"about":"careers of northwind, which has many"}</script>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, tt.recipe, tt.body)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Empty(t, r.Postings)
		})
	}
}

func TestReadSaysWhatStandsInThePlaceOfThePage(t *testing.T) {
	t.Parallel()
	for cause, body := range map[cause.Cause]string{
		cause.SignIn:      `<main><h1>Sign in</h1><form><input name="user"><input type="password"></form></main>`,
		cause.Maintenance: `<main><h1>We are down for maintenance</h1></main>`,
		cause.Gone:        `<main><h1>Page not found</h1></main>`,
	} {
		t.Run(string(cause), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, cause, read(t, cards, body).Cause)
		})
	}
}

func TestReadIsPartialWhereThePageHasMore(t *testing.T) {
	t.Parallel()
	list := `<main><div class="job"><h3>Balloon Pilot</h3></div><div class="job"><h3>Weather Archivist</h3></div></main>`
	for name, tt := range map[string]struct {
		recipe, body string
		cause        cause.Cause
	}{
		"by its count":      {cards, `<p>7 open positions</p>` + list, cause.FewerThanClaimed},
		"by a button":       {cards, list + `<button>Load more</button>`, cause.PageMissing},
		"by a next page":    {cards, list + `<nav class="pagination"><a href="?page=2">Next</a></nav>`, cause.PageMissing},
		"by what data says": {`{"version":1,"json":{"entries":"jobs.*","title":"name"}}`, `{"total":9,"jobs":[{"name":"Balloon Pilot"}]}`, cause.Truncated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, tt.recipe, tt.body)
			require.Equal(t, boardwatch.HealthPartial, r.Health)
			require.Equal(t, tt.cause, r.Cause)
			require.NotEmpty(t, r.Postings)
		})
	}
}

func TestReadGoesOnWhereTheRecipeSays(t *testing.T) {
	t.Parallel()
	r, err := recipe.Parse([]byte(`{"version":1,"entry":"div.job","title":"h3","next":"a.further"}`))
	require.NoError(t, err)
	d, v := parse(t, `<main><div class="job"><h3>Balloon Pilot</h3></div><a class="further" href="/careers/p/2">onwards</a></main>`)
	require.Equal(t, "https://northwind.example/careers/p/2", r.Read(d, v).Next[0].URL.String())
}

func TestReadTakesNoAddressThatRolesShare(t *testing.T) {
	t.Parallel()
	r := read(t, cards, `<main><div class="job"><h3>Balloon Pilot</h3><a href="/form">Apply</a></div>
		<div class="job"><h3>Weather Archivist</h3><a href="/form">Apply</a></div></main>`)
	require.Equal(t, []boardwatch.Posting{{Title: "Balloon Pilot"}, {Title: "Weather Archivist"}}, r.Postings)
}

func TestReadTellsEqualRolesApartByTheirOrder(t *testing.T) {
	t.Parallel()
	r, err := recipe.Parse([]byte(`{"version":1,"entry":"article","title":"h4"}`))
	require.NoError(t, err)
	d, v := parse(t, `<article><h4>Balloon Pilot</h4></article><article><h4>Kite Tester</h4></article><article><h4>Balloon Pilot</h4></article>`)
	reading := r.Read(d, v).Reading.Normalize()
	require.Equal(t, []string{"Balloon Pilot", "Kite Tester", "Balloon Pilot"}, titles(reading))
	require.NotEqual(t, reading.Postings[0].Key, reading.Postings[2].Key)
}

func TestReadLeavesTextsThatAreNoRolesOutOfWhatThePageShows(t *testing.T) {
	t.Parallel()
	body := `<main><div class="job"><h3>Balloon Pilot</h3></div><div class="job"><h3>Our values</h3></div></main>`
	with := read(t, cards, body)
	require.Contains(t, strings.Join(with.Shown.Pages, " "), "Our values")
	without := read(t, `{"version":1,"entry":"div.job","title":"h3","not":["our Values"]}`, body)
	require.Equal(t, []string{"Balloon Pilot"}, titles(without))
	require.NotContains(t, strings.Join(without.Shown.Pages, " "), "Our values")
}

func TestReadOfAFieldTakesAPartOfItsText(t *testing.T) {
	t.Parallel()
	body := `<main><h2>Flight</h2><div class="job" data-team="Sky"><h3>Position: Balloon Pilot (m/f) <small>new</small></h3><p>Porto<br>Full-time</p></div></main>`
	for field, want := range map[string]string{
		`"h3"`: "Position: Balloon Pilot (m/f) new",
		`{"select":"h3","own":true,"after":"Position:"}`:    "Balloon Pilot (m/f)",
		`{"select":"h3","after":"Position:","before":" ("}`: "Balloon Pilot",
		`{"select":"p","line":2}`:                           "Full-time",
		`{"attribute":"data-team"}`:                         "Sky",
		`{"select":"h2","above":true}`:                      "Flight",
		`{"select":"p","line":3}`:                           "",
		`"h5"`:                                              "",
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			r := read(t, `{"version":1,"entry":"div.job","title":"h3","department":`+field+`}`, body)
			require.Len(t, r.Postings, 1)
			require.Equal(t, want, r.Postings[0].Department)
		})
	}
}
