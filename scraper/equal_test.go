package scraper_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// equals are the roles of one list, as they are written into a layout.
type equals struct {
	titles, places []string
	linked         bool
	say            func(title, place string) string
}

func (e equals) link(i int, text string) string {
	if !e.linked {
		return text
	}
	return fmt.Sprintf(`<a href="/j/%d">%s</a>`, i+1, text)
}

func (e equals) each(form string) string {
	var b strings.Builder
	for i, title := range e.titles {
		b.WriteString(strings.ReplaceAll(form, "%", e.link(i, e.say(title, e.places[i]))))
	}
	return b.String()
}

// equalLayouts are ways to write roles of which none is more than the others.
func equalLayouts() map[string]func(e equals) string {
	return map[string]func(e equals) string{
		"list":           func(e equals) string { return `<ul>` + e.each(`<li>%</li>`) + `</ul>` },
		"numbered list":  func(e equals) string { return `<ol>` + e.each(`<li>%</li>`) + `</ol>` },
		"paragraphs":     func(e equals) string { return e.each(`<p>%</p>`) },
		"blocks":         func(e equals) string { return `<div>` + e.each(`<div>%</div>`) + `</div>` },
		"classed blocks": func(e equals) string { return `<div class="wrap">` + e.each(`<div class="row">%</div>`) + `</div>` },
		"table":          func(e equals) string { return `<table>` + e.each(`<tr><td>%</td></tr>`) + `</table>` },
		"headings":       func(e equals) string { return e.each(`<h3>%</h3>`) },
		"cards":          func(e equals) string { return `<div>` + e.each(`<div class="card"><h3>%</h3></div>`) + `</div>` },
		"articles": func(e equals) string {
			return e.each(`<article><h2>%</h2><p>We are a small yard and like to work.</p></article>`)
		},
		"definitions": func(e equals) string { return `<dl>` + e.each(`<dt>%</dt>`) + `</dl>` },
		"described": func(e equals) string {
			return `<dl>` + e.each(`<dt>%</dt><dd>You work with your hands, and with us.</dd>`) + `</dl>`
		},
		"spans":           func(e equals) string { return `<ul>` + e.each(`<li><span>%</span></li>`) + `</ul>` },
		"bold":            func(e equals) string { return e.each(`<p><strong>%</strong></p>`) },
		"under each team": func(e equals) string { return e.byTeam(`<li>%</li>`) },
		"panels": func(e equals) string {
			return e.each(`<details><summary>%</summary><p>You work with your hands, and with us.</p></details>`)
		},
		"one marked new": func(e equals) string {
			return `<ul>` + strings.Replace(e.each(`<li class="job">%</li>`), `class="job"`, `class="job featured"`, 1) + `</ul>`
		},
		"last marked": func(e equals) string {
			text := e.each(`<li class="job">%</li>`)
			i := strings.LastIndex(text, `class="job"`)
			return `<ul>` + text[:i] + `class="job urgent"` + text[i+len(`class="job"`):] + `</ul>`
		},
		"every other without a link": func(e equals) string {
			var b strings.Builder
			for i, title := range e.titles {
				text := e.say(title, e.places[i])
				if i%2 == 1 {
					text = e.link(i, text)
				}
				b.WriteString(`<li>` + text + `</li>`)
			}
			return `<ul>` + b.String() + `</ul>`
		},
		"the last without a link": func(e equals) string {
			text, last := e.each(`<p>%</p>`), len(e.titles)-1
			return strings.Replace(text, e.link(last, e.say(e.titles[last], e.places[last])), e.say(e.titles[last], e.places[last]), 1)
		},
		"links alone":    func(e equals) string { return `<div>` + e.each(`<div>%<br></div>`) + `</div>` },
		"links in a row": func(e equals) string { e.linked = true; return `<div>` + e.each(`% `) + `</div>` },
		"lines":          func(e equals) string { return `<p>` + e.each(`%<br>`) + `</p>` },
		"blocks in blocks": func(e equals) string {
			return `<section>` + e.each(`<div><div><div>%</div></div></div>`) + `</section>`
		},
		"cards with a button": func(e equals) string {
			return `<div>` + e.each(`<div><h4>%</h4><button>Apply</button></div>`) + `</div>`
		},
		"cards with terms": func(e equals) string {
			return `<div>` + e.each(`<div class="c"><div>%</div><div>Full-time</div></div>`) + `</div>`
		},
		"rows with terms": func(e equals) string { return `<table>` + e.each(`<tr><td>%</td><td>Full-time</td></tr>`) + `</table>` },
		"two columns":     func(e equals) string { e.linked = true; return `<table>` + e.inRows(2, `<td>%</td>`) + `</table>` },
		"three to a block": func(e equals) string {
			return strings.NewReplacer(`<tr>`, `<div>`, `</tr>`, `</div>`).Replace(e.inRows(3, `<p>%</p>`))
		},
		"another class each": func(e equals) string {
			var b strings.Builder
			for i, title := range e.titles {
				fmt.Fprintf(&b, `<div class="row %s">%s</div>`, [...]string{"red", "green", "blue"}[(i*i+i)/2%3], e.link(i, e.say(title, e.places[i])))
			}
			return b.String()
		},
		"one in another class": func(e equals) string {
			return `<div>` + strings.Replace(e.each(`<div class="row">%</div>`), `"row"`, `"prime"`, 1) + `</div>`
		},
		"one as a heading": func(e equals) string {
			return `<ul>` + strings.Replace(strings.Replace(e.each(`<li>%</li>`), `<li>`, `<li><h3>`, 1), `</li>`, `</h3></li>`, 1) + `</ul>`
		},
		"one in bold": func(e equals) string {
			return `<ul>` + strings.Replace(strings.Replace(e.each(`<li>%</li>`), `<li>`, `<li><b>`, 1), `</li>`, `</b></li>`, 1) + `</ul>`
		},
	}
}

func (e equals) inRows(n int, form string) string {
	var b strings.Builder
	for i, title := range e.titles {
		if i%n == 0 {
			b.WriteString(`<tr>`)
		}
		b.WriteString(strings.ReplaceAll(form, "%", e.link(i, e.say(title, e.places[i]))))
		if i%n == n-1 || i == len(e.titles)-1 {
			b.WriteString(`</tr>`)
		}
	}
	return b.String()
}

func (e equals) byTeam(form string) string {
	half := (len(e.titles) + 1) / 2
	first, second := e, e
	first.titles, first.places = e.titles[:half], e.places[:half]
	second.titles, second.places = e.titles[half:], e.places[half:]
	text := `<h2>Glassworks</h2><ul>` + first.each(form) + `</ul>`
	if len(second.titles) > 0 {
		second.say = e.say
		text += `<h2>Night side</h2><ul>` + strings.ReplaceAll(second.each(form), `"/j/`, `"/j/9`) + `</ul>`
	}
	return text
}

// placeNotations are ways to write a place beside a title.
func placeNotations() map[string]func(title, place string) string {
	return map[string]func(title, place string) string{
		"comma":     func(title, place string) string { return title + ", " + place },
		"brackets":  func(title, place string) string { return title + " (" + place + ")" },
		"dash":      func(title, place string) string { return title + " - " + place },
		"long dash": func(title, place string) string { return title + " – " + place },
		"bar":       func(title, place string) string { return title + " | " + place },
		"stroke":    func(title, place string) string { return title + " / " + place },
		"small":     func(title, place string) string { return title + " <small>" + place + "</small>" },
		"no place":  func(title, _ string) string { return title },
		"mixed": func(title, place string) string {
			if len(title)%2 == 0 {
				return title
			}
			return title + ", " + place
		},
	}
}

// roles draws so many roles, about half of them of names in every list.
func (e *equals) draw(random *rand.Rand, n int) {
	// trades that are rare, old, foreign or made up, which no list of words knows all of, and some in every list
	oddTitles := []string{
		"Zorbler", "Glass Blower", "Night Porter", "Shift Leader", "Steward", "Bookbinder", "Stoker", "Blimp Whisperer", "Cooper", "Farrier",
		"Quilluntaja", "Rémouleur", "Hattmakare", "Drachenbändiger", "Sommelier", "Luthier", "Thatcher", "Chandler", "Vinkypare", "Ostler",
		"Wheeltapper", "Knocker-up", "Smed", "Kolarz", "Dozorca", "Portiere di Notte", "Ijsmeester", "Gaffer", "Best Boy", "Kelpforager",
	}
	plainTitles := []string{"Software Engineer", "Product Manager", "Welder", "Baker", "Intern", "Night Nurse", "Data Analyst", "Account Executive", "Electrician"}
	places := []string{"Oslo", "Turku", "Bergen", "Oslo", "Berlin, Germany", "Remote", "Austin, TX", "Kongsberg, Norway"}
	e.titles, e.places = make([]string, n), make([]string, n)
	for !e.distinct() {
		for i := range n {
			from := oddTitles
			if random.IntN(2) == 0 {
				from = plainTitles
			}
			e.titles[i], e.places[i] = from[random.IntN(len(from))], places[random.IntN(len(places))]
		}
	}
}

// Whatever the roles are called, a list of so many shows so many, or its reading is not taken for whole.
func TestReadEquals(t *testing.T) {
	t.Parallel()
	layouts, notations := equalLayouts(), placeNotations()
	headings := []string{"Open positions", "Jobs at Acme"}
	pages, whole := 0, 0
	for _, layout := range slices.Sorted(maps.Keys(layouts)) {
		for _, notation := range slices.Sorted(maps.Keys(notations)) {
			random := rand.New(rand.NewPCG(3, 1))
			for n := range 10 {
				e := equals{linked: n%2 == 0, say: notations[notation]}
				e.draw(random, 1+n/2*n/4)
				body := `<h1>` + headings[random.IntN(2)] + `</h1>` + layouts[layout](e)
				r := readMain(t, body)
				pages++
				if r.Health == boardwatch.HealthOK {
					whole++
					require.True(t, e.named(r.Postings), "%s, %s: %s\n%v", layout, notation, body, r.Postings)
				}
			}
		}
	}
	require.Greater(t, whole, pages*2/5, "the judge is often not sure of names that nobody knows, where nothing else is on the page")
}

// readMain reads a careers page of which this is the matter.
func readMain(tb testing.TB, body string) boardwatch.Reading {
	tb.Helper()
	const address = "https://www.northwind.example/careers"
	page := `<!doctype html><html><head><title>Careers</title></head><body><main>` + body + `</main></body></html>`
	return readQuietly(tb, site{address: {Body: []byte(page)}}, address)
}

// Lists in which one title is in no list of words, or stands apart.
func TestReadEqualsOneByOne(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want string // title | place
	}{
		"a trade between known ones": {
			`<h1>Open positions</h1><ul><li><a href="/j/1">Software Engineer, Oslo</a></li><li><a href="/j/2">Glass Blower, Turku</a></li><li><a href="/j/3">Product Manager, Oslo</a></li></ul>`,
			"Software Engineer, Oslo|Oslo;Glass Blower, Turku|Turku;Product Manager, Oslo|Oslo",
		},
		"a word that does not exist": {
			`<h1>Jobs</h1><table><tr><td><a href="/j/1">Zorbler, Oslo</a></td></tr><tr><td><a href="/j/2">Baker, Turku</a></td></tr></table>`,
			"Zorbler, Oslo|Oslo;Baker, Turku|Turku",
		},
		"one that is marked": {
			`<h1>Jobs</h1><ul><li class="job"><a href="/j/1">Welder</a></li><li class="job urgent"><a href="/j/2">Zorbler</a></li><li class="job"><a href="/j/3">Baker</a></li></ul>`,
			"Welder|;Zorbler|;Baker|",
		},
		"one title in two towns": {`<h1>Jobs</h1><ul><li>Welder <small>Oslo</small></li><li>Welder <small>Turku</small></li></ul>`, "Welder|Oslo;Welder|Turku"},
		"places in a class of their own": {
			`<h1>Jobs</h1><ul><li><b>Zorbler</b> <i class="loc">Kongsberg, Norway</i></li><li><b>Welder</b> <i class="loc">Skien, Norway</i></li></ul>`,
			"Zorbler|Kongsberg, Norway;Welder|Skien, Norway",
		},
		"places after titles in lists written alike": {
			`<h1>Jobs</h1><dl><dt>Welder</dt><dd>Oslo</dd><dt>Baker</dt><dd>Kongsberg, Norway</dd><dt>Intern</dt><dd>Turku</dd></dl>`,
			"Welder|Oslo;Baker|Kongsberg, Norway;Intern|Turku",
		},
		"places after titles, written alike": {
			`<h1>Open positions</h1><div><p>Welder</p><p>Oslo</p><p>Zorbler</p><p>Kongsberg, Norway</p><p>Baker</p><p>Turku</p></div>`,
			"Welder|Oslo;Zorbler|Kongsberg, Norway;Baker|Turku",
		},
		"cards whose parts are written alike": {
			`<h1>Open positions</h1><div class="c"><div>Welder</div><div>Skien, Norway</div></div><div class="c"><div>Zorbler</div><div>Oslo</div></div><div class="c"><div>Baker</div><div>Kongsberg, Norway</div></div>`,
			"Welder|Skien, Norway;Zorbler|Oslo;Baker|Kongsberg, Norway",
		},
		"links to places": {
			`<h1>Open positions</h1><ul><li><a href="/jobs/1">Welder</a> <a href="/places/oslo">Oslo</a></li><li><a href="/jobs/2">Zorbler</a> <a href="/places/skien">Skien, Norway</a></li></ul>`,
			"Welder|Oslo;Zorbler|Skien, Norway",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readMain(t, tt.body)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			var got []string
			for _, p := range r.Postings {
				got = append(got, p.Title+"|"+p.Location)
			}
			require.Equal(t, tt.want, strings.Join(got, ";"))
		})
	}
}

// Lists of which nobody can say how many roles they hold are not taken for whole.
func TestReadEqualsInDoubt(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a town or a role":          `<h1>Open positions</h1><ul><li>Intern</li><li>Quilluntaja, Oslo</li></ul>`,
		"a role without a link":     `<h1>Open positions</h1><ul><li><a href="/jobs/1">Welder</a></li><li>Zorbler</li><li><a href="/jobs/2">Baker</a></li></ul>`,
		"a role in another class":   `<h1>Open positions</h1><div><div class="prime"><a href="/jobs/1">Zorbler</a></div><div class="row"><a href="/jobs/2">Welder</a></div><div class="row"><a href="/jobs/3">Baker</a></div></div>`,
		"a heading above two roles": `<h1>Jobs at Acme</h1><ul><li>Welder, Oslo</li><li>Night Porter, Bergen</li></ul>`,
		"a heading above one role":  `<h1>Jobs at Acme</h1><ul><li>Welder, Oslo</li></ul>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readMain(t, body)
			require.NotEqual(t, boardwatch.HealthOK, r.Health)
			for _, p := range r.Postings {
				require.NotContains(t, p.Title, "Acme")
			}
		})
	}
}

// distinct reports whether no two roles say the same.
func (e *equals) distinct() bool {
	seen := make(map[string]bool)
	for i := range e.titles {
		text := e.say(e.titles[i], e.places[i])
		if seen[text] || e.titles[i] == "" {
			return false
		}
		seen[text] = true
	}
	return true
}

// named reports whether the roles read are those written.
func (e *equals) named(got []boardwatch.Posting) bool {
	if len(got) != len(e.titles) {
		return false
	}
	for i, p := range got {
		if !strings.HasPrefix(p.Title, e.titles[i]) {
			return false
		}
	}
	return true
}
