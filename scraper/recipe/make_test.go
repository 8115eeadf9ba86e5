package recipe_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/recipe"
)

// at is where the pages of these tests stand.
const at = "https://northwind.example/careers"

// parse is a page with this body, and how it came.
func parse(t *testing.T, body string) (*page.Document, page.Visit) {
	t.Helper()
	u, err := url.Parse(at)
	require.NoError(t, err)
	text := []byte(body)
	if !strings.HasPrefix(body, "{") {
		text = []byte("<!doctype html><html><head><title>Work with us</title></head><body>" + body + "</body></html>")
	}
	return page.Parse(text, u), page.Visit{Asked: u, At: u, Text: text}
}

// made is the recipe of examples on a page, and what it reads there.
func made(t *testing.T, body string, x recipe.Examples) (recipe.Recipe, boardwatch.Reading) {
	t.Helper()
	d, v := parse(t, body)
	r, l, err := recipe.Make(d, v, x)
	require.NoError(t, err)
	again, err := recipe.Parse([]byte(r.String()))
	require.NoError(t, err, "it can be written and read")
	require.Equal(t, l.Reading.Postings, again.Read(d, v).Reading.Postings)
	return r, l.Reading
}

func titles(r boardwatch.Reading) []string {
	all := make([]string, 0, len(r.Postings))
	for _, p := range r.Postings {
		all = append(all, p.Title)
	}
	return all
}

// surroundings are parts of a page in which nothing is a role.
const surroundings = `<nav><ul><li><a href="/">Home</a></li><li><a href="/careers">Careers</a></li></ul></nav>
	<section class="values"><h2>Our values</h2><div class="value"><h3>Curiosity</h3><p>We look up.</p></div>
	<div class="value"><h3>Patience</h3><p>We wait for wind.</p></div></section>`

// layouts are the ways in which pages show roles. All have the same three, of which the first is the example.
func layouts() map[string]string {
	return map[string]string{
		"headings followed by text": `<main><h1>Careers</h1><h2>Open positions</h2>
			<h3>Balloon Pilot</h3><p>You fly.</p><p>Write to us.</p><h3>Weather Archivist</h3><p>You keep records.</p>
			<h3>Rope Whisperer</h3><p>You talk to ropes.</p><h2>Benefits</h2><h3>Free tea</h3><p>All day.</p></main>`,
		"links in paragraphs": `<main><h1>Careers</h1><p>Have a look:</p><p><a href="/jobs/1">Balloon Pilot</a> (Porto)</p>
			<p><a href="/jobs/2">Weather Archivist</a> (Bergen)</p><p><a href="/jobs/3">Rope Whisperer</a> (Ghent)</p>
			<p>Or write to <a href="mailto:jobs@northwind.example">us</a>.</p></main>`,
		"rows of a table": `<main><table><thead><tr><th>Job</th><th>Location</th><th></th></tr></thead><tbody>
			<tr><td>Balloon Pilot</td><td>Porto</td><td><a href="/jobs/1">Details</a></td></tr>
			<tr><td>Weather Archivist</td><td>Bergen</td><td><a href="/jobs/2">Details</a></td></tr>
			<tr><td>Rope Whisperer</td><td>Ghent</td><td><a href="/jobs/3">Details</a></td></tr></tbody></table></main>`,
		"cards, one of them in another dress": `<main><div class="cards"><div class="card card--top"><h4 class="name">Balloon Pilot</h4><span class="city">Porto</span></div>
			<div class="card"><h4 class="name">Weather Archivist</h4><span class="city">Bergen</span></div>
			<div class="card"><h4 class="name">Rope Whisperer</h4><span class="city">Ghent</span></div></div></main>`,
		"one list of links": `<main><ul class="plain"><li><a href="/a.pdf">Balloon Pilot</a></li><li><a href="/b.pdf">Weather Archivist</a></li>
			<li><a href="/c.pdf">Rope Whisperer</a></li></ul></main>`,
		"two columns": `<main><div class="row"><div class="left"><ul><li><b>Balloon Pilot</b><br>Porto</li><li><b>Weather Archivist</b><br>Bergen</li></ul></div>
			<div class="right"><ul><li><b>Rope Whisperer</b><br>Ghent</li></ul></div></div></main>`,
		"groups under departments": `<main><h2>Flight</h2><div class="group"><a class="job" href="/jobs/1"><span>Balloon Pilot</span></a></div>
			<h2>Archive</h2><div class="group"><a class="job" href="/jobs/2"><span>Weather Archivist</span></a></div>
			<h2>Ropes</h2><div class="group"><a class="job" href="/jobs/3"><span>Rope Whisperer</span></a></div></main>`,
		"whole cards as links": `<main><div class="list"><a href="/jobs/1"><p class="t">Balloon Pilot</p><p>Porto · Full-time</p></a>
			<a href="/jobs/2"><p class="t">Weather Archivist</p><p>Bergen · Full-time</p></a>
			<a href="/jobs/3"><p class="t">Rope Whisperer</p><p>Ghent · Full-time</p></a></div></main>`,
		"titles with words around them": `<main><ul><li class="job">Position: Balloon Pilot (Porto)</li><li class="job">Position: Weather Archivist (Bergen)</li>
			<li class="job">Position: Rope Whisperer (Ghent)</li></ul></main>`,
		"titles behind closed panels": `<main><div class="panel"><button>Porto</button><div class="in" style="display:none"><h4>Balloon Pilot</h4></div></div>
			<div class="panel"><button>Bergen</button><div class="in" style="display:none"><h4>Weather Archivist</h4></div></div>
			<div class="panel"><button>Ghent</button><div class="in" style="display:none"><h4>Rope Whisperer</h4></div></div></main>`,
		"data in a script": `<main><div id="app"></div></main><script>window.state = {"menu":[{"label":"Home"}],"openings":{"items":[
			{"id":1,"label":{"text":"Balloon Pilot"},"url":"/jobs/1","city":"Porto"},{"id":2,"label":{"text":"Weather Archivist"},"url":"/jobs/2","city":"Bergen"},
			{"id":3,"label":{"text":"Rope Whisperer"},"url":"/jobs/3","city":"Ghent"}]}};</script>`,
		"data in groups": `<main></main><script type="application/json" id="state">{"groups":[{"name":"Flight","list":[{"t":"Balloon Pilot","href":"/jobs/1"},
			{"t":"Rope Whisperer","href":"/jobs/3"}]},{"name":"Archive","list":[{"t":"Weather Archivist","href":"/jobs/2"}]}]}</script>`,
	}
}

func TestMakeFindsTheOthersByOneExample(t *testing.T) {
	t.Parallel()
	for name, body := range layouts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, r := made(t, surroundings+body, recipe.Examples{Like: []string{"Balloon Pilot"}})
			require.ElementsMatch(t, []string{"Balloon Pilot", "Weather Archivist", "Rope Whisperer"}, titles(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

func TestMakeFindsTheOthersByTwoExamples(t *testing.T) {
	t.Parallel()
	for name, body := range layouts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, r := made(t, surroundings+body, recipe.Examples{Like: []string{"Rope Whisperer", "balloon  pilot"}})
			require.ElementsMatch(t, []string{"Balloon Pilot", "Weather Archivist", "Rope Whisperer"}, titles(r))
		})
	}
}

func TestMakeFindsWhatElseTheEntriesSay(t *testing.T) {
	t.Parallel()
	want := func(location, department, path string) boardwatch.Posting {
		p := boardwatch.Posting{Title: "Weather Archivist", Location: location, Department: department}
		if path != "" {
			p.URL, p.Key = "https://northwind.example"+path, "northwind.example"+path
		}
		return p
	}
	for name, p := range map[string]boardwatch.Posting{
		"rows of a table":                     want("Bergen", "", "/jobs/2"),
		"cards, one of them in another dress": want("Bergen", "", ""),
		"groups under departments":            want("", "Archive", "/jobs/2"),
		"one list of links":                   want("", "", "/b.pdf"),
		"data in a script":                    want("Bergen", "", "/jobs/2"),
		"data in groups":                      want("", "", "/jobs/2"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, r := made(t, surroundings+layouts()[name], recipe.Examples{Like: []string{"Balloon Pilot", "Weather Archivist"}})
			require.Contains(t, r.Postings, p)
		})
	}
}

func TestMakeReadsAPageWithOneRole(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a heading and text": `<main><h1>Careers</h1><h2>Balloon Pilot wanted</h2><p>You fly.</p><h2>About us</h2><p>We are tall.</p></main>`,
		"a line in a paragraph": `<main><h1>Careers</h1><p>We are looking for people:</p><p><strong>Balloon Pilot wanted</strong> - you fly, we hold the rope.</p>
			<p>Write to us.</p></main>`,
		"a card": `<main><div class="job"><p class="title">Balloon Pilot wanted</p><a href="/jobs/1">Read more</a></div></main>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, r := made(t, surroundings+body, recipe.Examples{Like: []string{"Balloon Pilot wanted"}})
			require.Equal(t, []string{"Balloon Pilot wanted"}, titles(r))
		})
	}
}

func TestMakeLeavesOutWhatIsNoRole(t *testing.T) {
	t.Parallel()
	body := `<main><ul class="all"><li><h3>Balloon Pilot</h3></li><li><h3>Weather Archivist</h3></li><li><h3>Summer Picnic</h3></li>
		<li><h3>Unsolicited application</h3></li></ul></main>`
	r, got := made(t, body, recipe.Examples{Like: []string{"Balloon Pilot"}, Not: []string{"summer picnic"}})
	require.Equal(t, []string{"Balloon Pilot", "Weather Archivist"}, titles(got))
	require.Contains(t, r.Not, "summer picnic")
}

func TestMakeLeavesOutTheHeadingOfTheList(t *testing.T) {
	t.Parallel()
	body := `<main><div id="list"><div><h2 class="line">Ce que nous cherchons</h2></div><div><h2 class="line">Balloon Pilot</h2></div>
		<div><h2 class="line">Weather Archivist</h2></div></div></main>`
	r, l := made(t, body, recipe.Examples{Like: []string{"Balloon Pilot"}})
	require.Equal(t, []string{"Balloon Pilot", "Weather Archivist"}, titles(l))
	require.Equal(t, []string{"Ce que nous cherchons"}, r.Not)

	_, l = made(t, strings.ReplaceAll(body, "Balloon Pilot", "Seats to fill"), recipe.Examples{Like: []string{"Seats to fill"}})
	require.Equal(t, []string{"Ce que nous cherchons", "Seats to fill", "Weather Archivist"}, titles(l), "here, titles read like anything")
}

func TestMakeNamesNoElementByItsPositionWhereItHasAName(t *testing.T) {
	t.Parallel()
	for name, body := range layouts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := made(t, surroundings+body, recipe.Examples{Like: []string{"Balloon Pilot", "Weather Archivist"}})
			require.NotContains(t, r.Entry, "nth-child")
			require.Equal(t, name == "rows of a table", strings.Contains(r.String(), "nth-child"), r.String())
		})
	}
}

func TestMakeSaysWhichExampleIsNotThere(t *testing.T) {
	t.Parallel()
	d, v := parse(t, surroundings+layouts()["one list of links"])
	_, _, err := recipe.Make(d, v, recipe.Examples{Like: []string{"Balloon Pilot", "Cloud Painter"}})
	require.EqualError(t, err, `the title "Cloud Painter" does not stand on the page`)
	_, _, err = recipe.Make(d, v, recipe.Examples{Like: []string{"Kite Tester", "Cloud Painter"}})
	require.EqualError(t, err, `the titles ["Kite Tester" "Cloud Painter"] do not stand on the page`)
}

func TestMakeRefusesExamplesThatContradictThemselves(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		x    recipe.Examples
		want string
	}{
		"none":                 {recipe.Examples{}, "give at least one title that stands on the page"},
		"an empty one":         {recipe.Examples{Like: []string{" "}}, "must not be empty"},
		"one that is too long": {recipe.Examples{Like: []string{strings.Repeat("x", 301)}}, "longer than 300 bytes"},
		"one that is both":     {recipe.Examples{Like: []string{"Balloon Pilot"}, Not: []string{"balloon pilot"}}, "cannot be a role and none"},
		"too many":             {recipe.Examples{Like: make([]string, 51)}, "at most 50 titles"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, v := parse(t, layouts()["one list of links"])
			_, _, err := recipe.Make(d, v, tt.x)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func FuzzMake(f *testing.F) {
	for _, body := range layouts() {
		f.Add(surroundings+body, "Balloon Pilot", "Free tea")
	}
	f.Fuzz(func(t *testing.T, body, like, not string) {
		if len(body) > 20_000 {
			t.Skip()
		}
		d, v := parse(t, body)
		r, l, err := recipe.Make(d, v, recipe.Examples{Like: []string{like}, Not: []string{not}})
		if err != nil {
			return
		}
		again, err := recipe.Parse([]byte(r.String()))
		require.NoError(t, err, "what was made can be written and read")
		require.Equal(t, l.Reading.Postings, again.Read(d, v).Reading.Postings)
	})
}

func TestMakeReadsDataThatIsAPage(t *testing.T) {
	t.Parallel()
	body := `{"total":2,"jobs":[{"name":"Balloon Pilot","link":"/jobs/1","location":"Porto"},{"name":"Weather Archivist","link":"/jobs/2","location":"Bergen"}]}`
	r, got := made(t, body, recipe.Examples{Like: []string{"Balloon Pilot"}})
	require.Equal(t, &recipe.Data{Entries: "jobs.*", Title: "name", Link: "link", Place: "location"}, r.Data)
	require.Equal(t, []string{"Balloon Pilot", "Weather Archivist"}, titles(got))
	require.Equal(t, boardwatch.HealthOK, got.Health)
}

func TestMakeTellsRolesOfDataApartWithoutLinks(t *testing.T) {
	t.Parallel()
	body := `{"jobs":[{"id":7,"name":"Balloon Pilot"},{"id":8,"name":"Balloon Pilot"},{"id":9,"name":"Weather Archivist"}]}`
	r, got := made(t, body, recipe.Examples{Like: []string{"Balloon Pilot"}})
	require.Equal(t, "id", r.Data.ID)
	require.Equal(t, []boardwatch.Posting{
		{Key: "7", Title: "Balloon Pilot"}, {Key: "8", Title: "Balloon Pilot"}, {Key: "9", Title: "Weather Archivist"},
	}, got.Postings)
}
