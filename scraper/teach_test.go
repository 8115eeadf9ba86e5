package scraper_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// serving is a site on this machine: a body for each path, HTML unless it begins as JSON does.
func serving(t *testing.T, pages map[string]string) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.RequestURI()]
		switch {
		case !ok:
			http.NotFound(w, r)
			return
		case body[0] == '{':
			w.Header().Set("Content-Type", "application/json")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			body = "<!doctype html><html><head><title>Northwind</title></head><body>" + body + "</body></html>"
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// local is a scraper that reads sites on this machine.
func local(o scraper.Options) *scraper.Scraper {
	return scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), o)
}

func names(r boardwatch.Reading) []string {
	all := make([]string, 0, len(r.Postings))
	for _, p := range r.Postings {
		all = append(all, p.Title)
	}
	return all
}

// paragraphs is a list that is not read without a recipe.
const paragraphs = `<main><h1>Work with us</h1><h2>Seats to fill</h2><p><b>Knot</b> in Porto. You tie.</p><p><b>Cloud</b> in Bergen. You paint.</p>
	<h2>Benefits</h2><p><b>Tea</b> in mugs. You drink.</p></main>`

func TestTeachMakesARecipeThatReadsTheBoardFromThenOn(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/careers": paragraphs}
	at := serving(t, pages) + "/careers"
	s := local(scraper.Options{})
	lesson, err := s.Teach(t.Context(), at, recipe.Examples{Like: []string{"Knot"}})
	require.NoError(t, err)
	require.Equal(t, []string{"Knot", "Cloud"}, names(lesson.Reading))
	require.Equal(t, boardwatch.HealthOK, lesson.Reading.Health)
	require.Equal(t, "page:"+at, lesson.Board.Source)

	r, err := s.Read(t.Context(), lesson.Board)
	require.NoError(t, err)
	require.Equal(t, lesson.Reading.Postings, r.Postings)

	lesson.Board.State.Health, lesson.Board.State.Fingerprint = r.Health, r.Fingerprint
	again, err := s.Read(t.Context(), lesson.Board)
	require.NoError(t, err)
	require.True(t, again.Unchanged)
	lesson.Board.Recipe = `{"version":1,"entry":"p","under":"Benefits","title":"b"}`
	other, err := s.Read(t.Context(), lesson.Board)
	require.NoError(t, err)
	require.False(t, other.Unchanged, "the bytes are the same, but they say something else")
	require.Equal(t, []string{"Tea"}, names(other))
}

func TestTeachFollowsTheListToItsEnd(t *testing.T) {
	t.Parallel()
	list := func(role, next string) string {
		return `<main><h1>Open positions</h1><div class="job"><h3>` + role + `</h3></div>` + next + `</main>`
	}
	site := serving(t, map[string]string{
		"/careers":        list("Balloon Pilot", `<nav class="pagination"><a rel="next" href="/careers?page=2">Next</a></nav>`),
		"/careers?page=2": list("Weather Archivist", ""),
	})
	lesson, err := local(scraper.Options{}).Teach(t.Context(), site+"/careers", recipe.Examples{Like: []string{"Balloon Pilot"}})
	require.NoError(t, err)
	require.Equal(t, []string{"Balloon Pilot", "Weather Archivist"}, names(lesson.Reading))
	require.Equal(t, boardwatch.HealthOK, lesson.Reading.Health, lesson.Reading.Reason)
}

func TestReadByARecipeIsPartialWhereAFurtherPageDoesNotFitIt(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{
		"/careers": `<main><div class="job"><h3>Balloon Pilot</h3></div><nav class="pagination"><a rel="next" href="/careers?page=2">Next</a></nav></main>`,
		// Without the recipe, this page would have been read.
		"/careers?page=2": `<main><h1>Open positions</h1><ul><li><a href="/jobs/2">Software Engineer</a></li><li><a href="/jobs/3">Product Manager</a></li></ul></main>`,
	})
	r, err := local(scraper.Options{}).Read(t.Context(), boardwatch.Board{
		Source: "page:" + site + "/careers", Recipe: `{"version":1,"entry":"div.job","title":"h3"}`,
	})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthPartial, r.Health)
	require.Equal(t, []string{"Balloon Pilot"}, names(r))
}

func TestTeachLearnsFromDataThatThePageNames(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{
		"/careers":   `<div id="app" data-src="/feed.json"></div><link rel="preload" as="fetch" href="/feed.json"><script src="/app.js"></script>`,
		"/feed.json": `{"items":[{"what":"Knot","href":"/jobs/1"},{"what":"Cloud","href":"/jobs/2"}]}`,
	})
	lesson, err := local(scraper.Options{}).Teach(t.Context(), site+"/careers", recipe.Examples{Like: []string{"Cloud"}})
	require.NoError(t, err)
	require.Equal(t, &recipe.Data{URL: site + "/feed.json", Entries: "items.*", Title: "what", Link: "href"}, lesson.Recipe.Data)
	require.Equal(t, []string{"Knot", "Cloud"}, names(lesson.Reading))
	require.Equal(t, site+"/jobs/1", lesson.Reading.Postings[0].URL)
}

// rendered is a browser that shows one page, whatever it is asked for.
type rendered struct {
	html    string
	answers []scraper.Answer
}

func (r rendered) Show(_ context.Context, v scraper.View) (*scraper.Shown, error) {
	u, err := url.Parse(v.Address)
	if err != nil {
		return nil, err
	}
	shown := &scraper.Shown{URL: u, Status: 200, Header: http.Header{}, HTML: []byte(r.html), Answers: r.answers, Settled: true}
	v.Enough(shown)
	return shown, nil
}

func TestTeachShowsThePageInABrowserWhereTheExamplesAreNotInItAsSent(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/careers": `<div id="root"></div><script src="/app.js"></script>`, "/api": `{"list":[{"n":"Knot"},{"n":"Cloud"}]}`}
	site := serving(t, pages)
	shows := rendered{html: "<html><body>" + paragraphs + "</body></html>"}
	lesson, err := local(scraper.Options{Browser: shows}).Teach(t.Context(), site+"/careers", recipe.Examples{Like: []string{"Knot"}})
	require.NoError(t, err)
	require.True(t, lesson.Recipe.Browser)
	require.Equal(t, []string{"Knot", "Cloud"}, names(lesson.Reading))

	r, err := local(scraper.Options{Browser: shows}).Read(t.Context(), lesson.Board)
	require.NoError(t, err)
	require.Equal(t, []string{"Knot", "Cloud"}, names(r))
	r, err = local(scraper.Options{}).Read(t.Context(), lesson.Board)
	require.NoError(t, err)
	require.Equal(t, cause.NeedsBrowser, r.Cause)

	api, err := url.Parse(site + "/api")
	require.NoError(t, err)
	shows.answers = []scraper.Answer{{Method: http.MethodGet, URL: api, Data: []byte(pages["/api"])}}
	lesson, err = local(scraper.Options{Browser: shows}).Teach(t.Context(), site+"/careers", recipe.Examples{Like: []string{"Knot"}})
	require.NoError(t, err)
	require.False(t, lesson.Recipe.Browser, "the data can be had without one")
	require.Equal(t, site+"/api", lesson.Recipe.Data.URL)
	require.Equal(t, []string{"Knot", "Cloud"}, names(lesson.Reading))
}

func TestTeachSaysWhyItLearnedNothing(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{
		"/careers": paragraphs,
		"/members": `<main><h1>Sign in</h1><form><input name="u"><input type="password" name="p"></form></main>`,
	})
	for name, tt := range map[string]struct {
		address string
		like    string
		cause   cause.Cause
		reason  string
		example bool // the fault is that of the examples
	}{
		"the example is not there": {"/careers", "Cloud Painter", cause.NoList, `the title "Cloud Painter" does not stand on the page`, true},
		"the page is gone":         {"/other", "Knot", cause.Gone, "", false},
		"the example is empty":     {"/careers", " ", cause.Unsure, "a title must not be empty", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := local(scraper.Options{}).Teach(t.Context(), site+tt.address, recipe.Examples{Like: []string{tt.like}})
			fault, ok := errors.AsType[*scraper.UntaughtError](err)
			require.Truef(t, ok, "%v", err)
			require.Equal(t, tt.cause, fault.Cause())
			require.Equal(t, boardwatch.HealthFailed, fault.Reading().Health)
			require.ErrorContains(t, err, tt.reason)
			_, ok = errors.AsType[*recipe.ExampleError](err)
			require.Equal(t, tt.example, ok)
		})
	}
}

func TestTeachLeavesHostedBoardsToTheirAdapters(t *testing.T) {
	t.Parallel()
	_, err := local(scraper.Options{}).Teach(t.Context(), "https://boards.greenhouse.io/northwindlabs", recipe.Examples{Like: []string{"Knot"}})
	require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
	_, err = local(scraper.Options{}).Teach(t.Context(), "ftp://northwind.example", recipe.Examples{Like: []string{"Knot"}})
	require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
}

func TestReadFailsByARecipeThatCannotBeUnderstood(t *testing.T) {
	t.Parallel()
	r, err := local(scraper.Options{}).Read(t.Context(), boardwatch.Board{Source: "page:https://northwind.example/careers", Recipe: `{"version":9}`})
	require.NoError(t, err)
	require.Equal(t, cause.RecipeBroken, r.Cause)
}

func TestHealReadsByTheRecipeThatItMade(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{"/careers": paragraphs})
	b := boardwatch.Board{Source: "page:" + site + "/careers", Recipe: `{"version":1,"entry":"div.job","title":"h3"}`}
	s := local(scraper.Options{})
	r, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, cause.RecipeBroken, r.Cause)

	r, err = s.Heal(t.Context(), b, []string{"Knot", "Cloud", "Kite"})
	require.NoError(t, err)
	require.Equal(t, []string{"Knot", "Cloud"}, names(r))
	b.Recipe = r.Recipe
	read, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, r.Postings, read.Postings)

	r, err = s.Heal(t.Context(), b, []string{"Kite", "Rope", "Knot"})
	require.NoError(t, err)
	require.Empty(t, r.Recipe)
	require.Equal(t, cause.RecipeBroken, r.Cause)
}
