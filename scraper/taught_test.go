package scraper_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper"
)

// naming is a teacher who names these titles, and counts how often it is asked.
type naming struct {
	titles []string
	err    error
	asked  *int
}

func (n naming) Titles(context.Context, []string) ([]string, error) {
	*n.asked++
	return n.titles, n.err
}

// unreadable is a page with roles that is not understood.
var unreadable = `<main><h1>Northwind</h1><p>` + strings.Repeat("We fly balloons over the sea. ", 12) + `</p>
	<section class="menu"><div class="y"><em>Pilot of balloons</em><i>We are looking for you.</i></div><div class="y"><em>Engineer of ropes</em><i>You tie.</i></div>
	<div class="y"><em>Archivist of weather</em><i>You keep records.</i></div></section></main>`

func TestReadAsksATeacherAboutAPageThatIsNotUnderstood(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{"/careers": unreadable})
	plain, err := local(scraper.Options{}).Read(t.Context(), boardwatch.Board{Source: "page:" + site + "/careers"})
	require.NoError(t, err)
	require.Equal(t, cause.NoList, plain.Cause, "else the page is none for this test")

	for name, tt := range map[string]struct {
		says []string
		err  error
		want []string // nil where the reading stays as it was
	}{
		"honest":                      {[]string{"Pilot of balloons", "Engineer of ropes"}, nil, []string{"Pilot of balloons", "Engineer of ropes", "Archivist of weather"}},
		"lying":                       {[]string{"Chief of Nothing", "Head of Elsewhere", "Pilot of balloons"}, nil, nil},
		"inventing roles":             {[]string{"Chief of Nothing"}, nil, nil},
		"naming what is in no list":   {[]string{"Northwind", "Pilot of balloons"}, nil, nil},
		"naming texts that are none":  {[]string{"You tie.", "You keep records."}, nil, nil},
		"saying that there are none":  {nil, nil, nil},
		"failing":                     {nil, errors.New("it is asleep"), nil},
		"naming the same, many times": {[]string{"Northwind", "northwind", "NORTHWIND"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			s := local(scraper.Options{Teacher: naming{tt.says, tt.err, &asked}})
			b := boardwatch.Board{Source: "page:" + site + "/careers"}
			r, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, 1, asked)
			require.NotEmpty(t, r.Taught)
			if tt.want != nil {
				require.Equal(t, tt.want, names(r))
				require.Equal(t, boardwatch.HealthPartial, r.Health, "it closes nothing before a second reading")
				b.Recipe = r.Recipe
				again, err := s.Read(t.Context(), b)
				require.NoError(t, err)
				require.Equal(t, boardwatch.HealthOK, again.Health)
				require.Equal(t, tt.want, names(again))
				require.Equal(t, 1, asked)
				return
			}
			require.Equal(t, cause.NoList, r.Cause)
			require.Empty(t, r.Recipe)
			require.Empty(t, r.Postings)
			b.State.Taught = r.Taught
			_, err = s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, 1, asked, "it is asked once about each form of the page")
		})
	}
}

func TestReadBelievesATeacherWhoseTitlesReadLikeRolesThoughNoWordIsKnown(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{"/careers": `<main><h1>Touw en Licht</h1><section class="menu"><div class="y"><em>Vuurtorenwachter</em></div>
		<div class="y"><em>Leerkracht voor onderbouw</em></div></section><p>Schrijf ons een brief, dan praten we.</p></main>`})
	asked := 0
	s := local(scraper.Options{Teacher: naming{[]string{"Vuurtorenwachter", "Leerkracht voor onderbouw"}, nil, &asked}})
	r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + site + "/careers"})
	require.NoError(t, err)
	require.Equal(t, 1, asked, "the page is short, but a page")
	require.Equal(t, []string{"Vuurtorenwachter", "Leerkracht voor onderbouw"}, names(r))
}

func TestReadAsksATeacherAgainAboutAnotherFormOfThePage(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/careers": unreadable}
	site := serving(t, pages)
	asked := 0
	s := local(scraper.Options{Teacher: naming{asked: &asked}})
	b := boardwatch.Board{Source: "page:" + site + "/careers"}
	look := func() {
		r, err := s.Read(t.Context(), b)
		require.NoError(t, err)
		if r.Taught != "" {
			b.State.Taught = r.Taught
		}
	}
	look()
	pages["/careers"] = strings.ReplaceAll(unreadable, "ropes", "clouds")
	look()
	require.Equal(t, 1, asked, "only words have changed")
	pages["/careers"] = strings.ReplaceAll(unreadable, `class="y"`, `class="z"`)
	look()
	require.Equal(t, 2, asked)
}

func TestReadAsksNoTeacherWhereAPageIsUnderstood(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{
		"/ok":    `<main><h1>Open positions</h1><ul><li><a href="/jobs/1">Software Engineer</a></li><li><a href="/jobs/2">Product Manager</a></li></ul></main>`,
		"/none":  `<main><h1>Careers</h1><p>There are no open positions at the moment.</p></main>`,
		"/empty": `<main><p>Hello.</p></main>`,
		"/login": `<main><h1>Sign in</h1><form><input name="u"><input type="password" name="p"></form>` + strings.Repeat("<p>Members only, please.</p>", 20) + `</main>`,
	})
	asked := 0
	s := local(scraper.Options{Teacher: naming{asked: &asked}})
	for _, path := range []string{"/ok", "/none", "/empty", "/login", "/gone"} {
		_, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + site + path})
		require.NoError(t, err)
	}
	require.Zero(t, asked)
}

func TestFindAsksATeacherAboutABoardThatIsNotFound(t *testing.T) {
	t.Parallel()
	site := serving(t, map[string]string{"/careers": unreadable})
	asked := 0
	s := local(scraper.Options{Teacher: naming{[]string{"Pilot of balloons", "Archivist of weather"}, nil, &asked}})
	b := boardwatch.Board{ID: boardwatch.NewID(), URL: site + "/careers"}
	found, err := s.Find(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, "page:"+site+"/careers", found.Source)
	r, err := s.Read(t.Context(), found)
	require.NoError(t, err)
	require.Equal(t, []string{"Pilot of balloons", "Engineer of ropes", "Archivist of weather"}, names(r))

	s = local(scraper.Options{Teacher: naming{nil, nil, &asked}})
	_, err = s.Find(t.Context(), b)
	fault, ok := errors.AsType[*scraper.NoBoardError](err)
	require.True(t, ok)
	b.State.Taught = fault.Reading().Taught
	require.NotEmpty(t, b.State.Taught)
	_, err = s.Find(t.Context(), b)
	require.Error(t, err)
	require.Equal(t, 2, asked)
	_, err = s.Discover(t.Context(), b.URL)
	require.Error(t, err)
	require.Equal(t, 2, asked, "it is for boards of the service")
}
