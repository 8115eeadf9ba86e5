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

func gridTitles() []string {
	return []string{
		"Senior Backend Engineer", "Product Designer", "Data Analyst", "Account Executive", "Site Reliability Engineer", "Office Manager",
		"Payroll Accountant", "Warehouse Operative", "Legal Counsel", "Welder", "Night Nurse", "Scrum Master",
	}
}

// oddTitles are roles of which the reader knows one word only.
func oddTitles() []string {
	return []string{
		"Rigging Lead", "Splicer", "Yard Hand", "Tide Watcher", "Mast Climber", "Net Mender", "Deck Hand", "Lamp Trimmer", "Sail Maker",
		"Harbour Pilot", "Rope Walker", "Anchor Smith",
	}
}

// rowsOf writes titles n to a row.
func rowsOf(titles []string, n int, row, cell func(i int) [2]string) string {
	var b strings.Builder
	k := 0
	for i := 0; i < len(titles); i += n {
		r := row(i / n)
		b.WriteString(r[0])
		for _, t := range titles[i:min(i+n, len(titles))] {
			c := cell(k)
			k++
			b.WriteString(c[0] + t + c[1])
		}
		b.WriteString(r[1])
	}
	return b.String()
}

func pair(a, b string) func(int) [2]string { return func(int) [2]string { return [2]string{a, b} } }
func alt(before, after string, classes ...string) func(int) [2]string {
	return func(i int) [2]string { return [2]string{fmt.Sprintf(before, classes[i%len(classes)]), after} }
}

// gridForms are ways to write roles without links in columns, and in rows that are not all written alike.
func gridForms() map[string]func(t []string) string {
	m := map[string]func(t []string) string{}
	for _, n := range []int{2, 3, 4} {
		m[fmt.Sprintf("table %d", n)] = func(t []string) string {
			return "<table>" + rowsOf(t, n, pair("<tr>", "</tr>"), pair("<td>", "</td>")) + "</table>"
		}
		m[fmt.Sprintf("table of paragraphs %d", n)] = func(t []string) string {
			return "<table>" + rowsOf(t, n, pair("<tr>", "</tr>"), pair("<td><p>", "</p></td>")) + "</table>"
		}
		m[fmt.Sprintf("table of bold %d", n)] = func(t []string) string {
			return "<table>" + rowsOf(t, n, pair("<tr>", "</tr>"), pair("<td><strong>", "</strong></td>")) + "</table>"
		}
		m[fmt.Sprintf("table odd even %d", n)] = func(t []string) string {
			return "<table>" + rowsOf(t, n, alt(`<tr class="%s">`, "</tr>", "odd", "even"), pair("<td>", "</td>")) + "</table>"
		}
		m[fmt.Sprintf("table cell classes %d", n)] = func(t []string) string {
			return "<table>" + rowsOf(t, n, pair("<tr>", "</tr>"), alt(`<td class="%s">`, "</td>", "left", "right")) + "</table>"
		}
		m[fmt.Sprintf("rows of divs %d", n)] = func(t []string) string {
			return "<div>" + rowsOf(t, n, pair(`<div class="row">`, "</div>"), pair(`<div class="col">`, "</div>")) + "</div>"
		}
		m[fmt.Sprintf("rows of spans %d", n)] = func(t []string) string {
			return "<div>" + rowsOf(t, n, pair(`<div class="row">`, "</div>"), pair(`<span>`, "</span>")) + "</div>"
		}
		m[fmt.Sprintf("rows left right %d", n)] = func(t []string) string {
			return "<div>" + rowsOf(t, n, pair(`<div class="row">`, "</div>"), alt(`<div class="%s">`, "</div>", "left", "right")) + "</div>"
		}
		m[fmt.Sprintf("columns of lists %d", n)] = func(t []string) string {
			return "<div class=cols>" + rowsOf(t, (len(t)+n-1)/n, pair(`<ul>`, "</ul>"), pair(`<li>`, "</li>")) + "</div>"
		}
		m[fmt.Sprintf("columns of divs %d", n)] = func(t []string) string {
			return "<div class=cols>" + rowsOf(t, (len(t)+n-1)/n, pair(`<div>`, "</div>"), pair(`<p>`, "</p>")) + "</div>"
		}
		m[fmt.Sprintf("columns named %d", n)] = func(t []string) string {
			return "<div class=cols>" + rowsOf(t, (len(t)+n-1)/n, alt(`<div class="%s">`, "</div>", "left", "middle", "right", "far"), pair(`<p>`, "</p>")) + "</div>"
		}
		m[fmt.Sprintf("lists named %d", n)] = func(t []string) string {
			return "<div class=cols>" + rowsOf(t, (len(t)+n-1)/n, alt(`<ul class="%s">`, "</ul>", "left", "middle", "right", "far"), pair(`<li>`, "</li>")) + "</div>"
		}
		m[fmt.Sprintf("table one row of lists %d", n)] = func(t []string) string {
			return "<table><tr>" + rowsOf(t, (len(t)+n-1)/n, pair(`<td>`, "</td>"), pair(`<p>`, "</p>")) + "</tr></table>"
		}
		m[fmt.Sprintf("table one row of brs %d", n)] = func(t []string) string {
			return "<table><tr>" + rowsOf(t, (len(t)+n-1)/n, pair(`<td>`, "</td>"), pair(``, "<br>")) + "</tr></table>"
		}
		m[fmt.Sprintf("table headings %d", n)] = func(t []string) string {
			return "<table>" + rowsOf(t, n, pair("<tr>", "</tr>"), pair("<td><h3>", "</h3></td>")) + "</table>"
		}
	}
	for name, row := range map[string]func(int) [2]string{
		"li two classes":   alt(`<li class="%s">`, `</li>`, "light", "dark"),
		"div two classes":  alt(`<div class="%s">`, `</div>`, "light", "dark"),
		"div common class": alt(`<div class="item %s">`, `</div>`, "light", "dark"),
		"div featured":     alt(`<div class="%s">`, `</div>`, "item", "item featured", "item"),
		"li featured":      alt(`<li class="%s">`, `</li>`, "item", "item featured"),
		"p two classes":    alt(`<p class="%s">`, `</p>`, "light", "dark"),
		"three classes":    alt(`<div class="%s">`, `</div>`, "red", "green", "blue"),
		"article classes":  alt(`<article class="%s"><h3>`, `</h3></article>`, "light", "dark"),
		"nested classes":   alt(`<div class="%s"><div class="t">`, `</div></div>`, "light", "dark"),
		"nested li":        alt(`<li class="%s"><span>`, `</span></li>`, "light", "dark"),
		"inner markup":     func(i int) [2]string { return [][2]string{{"<li>", "</li>"}, {"<li><b>", "</b></li>"}}[i%2] },
		"inner p": func(i int) [2]string {
			return [][2]string{{"<li><p>", "</p></li>"}, {"<li><span>", "</span></li>"}}[i%2]
		},
		"inner div": func(i int) [2]string {
			return [][2]string{{"<div><p>", "</p></div>"}, {"<div><strong>", "</strong></div>"}}[i%2]
		},
		"tr inner": func(i int) [2]string {
			return [][2]string{{"<tr><td>", "</td></tr>"}, {"<tr><td><b>", "</b></td></tr>"}}[i%2]
		},
		"tr odd even":   alt(`<tr class="%s"><td>`, `</td><td>Full-time</td></tr>`, "odd", "even"),
		"tr light dark": alt(`<tr class="%s"><td>`, `</td><td>Full-time</td></tr>`, "light", "dark"),
		"tr alone":      alt(`<tr class="%s"><td>`, `</td></tr>`, "light", "dark"),
		"td alt":        alt(`<tr><td class="%s">`, `</td></tr>`, "light", "dark"),
		"td alt place":  alt(`<tr><td class="%s">`, `</td><td>Oslo</td></tr>`, "light", "dark"),
		"bg attr":       alt(`<tr bgcolor="%s"><td>`, `</td></tr>`, "white", "grey"),
	} {
		m[name] = func(t []string) string {
			body := rowsOf(t, 1, pair("", ""), row)
			switch {
			case strings.HasPrefix(body, "<li"):
				return "<ul>" + body + "</ul>"
			case strings.HasPrefix(body, "<tr"):
				return "<table>" + body + "</table>"
			}
			return "<div>" + body + "</div>"
		}
	}
	return m
}

func readGrid(t *testing.T, form func([]string) string, titles []string) (boardwatch.Reading, []string) {
	t.Helper()
	page := `<!doctype html><html><head><title>Careers</title></head><body><h1>Careers</h1><p>We build boats.</p><h2>Open positions</h2>` +
		form(titles) + `<footer>Contact us</footer></body></html>`
	r := readQuietly(t, anywhere([]byte(page)), followedPage)
	var got []string
	for _, p := range r.Postings {
		got = append(got, p.Title)
	}
	return r, got
}

func TestRolesInColumnsAndAlternatingRowsAreFound(t *testing.T) {
	t.Parallel()
	whole, pages := 0, 0
	for name, form := range gridForms() {
		for _, n := range []int{3, 4, 5, 6, 9, 12} {
			for _, titles := range [][]string{gridTitles()[:n], oddTitles()[:n]} {
				r, got := readGrid(t, form, titles)
				if titles[0] == gridTitles()[0] {
					pages++
					whole += len(got) / n
				}
				if r.Health == boardwatch.HealthOK && !slices.Equal(titles, got) {
					require.Contains(t, []string{"lists named 3", "lists named 4", "three classes"}, name, "%d roles: %s", n, got)
					require.Equal(t, "Rigging Lead", titles[0], "a page where one word of all is known")
				}
			}
		}
	}
	t.Logf("%d of %d pages are read whole", whole, pages)
	require.GreaterOrEqual(t, whole*100, pages*94)
}

// Roles come and go in columns and rows of every form, known words and others: none is closed while it stands on the page, and
// those that are gone close in the end. It is larger with the tag long: TestRolesInTablesComeAndGo.
func TestRolesInTablesComeAndGo(t *testing.T) {
	t.Parallel()
	forms := gridForms()
	names := slices.Sorted(maps.Keys(forms))
	closings, late := 0, 0
	for seed := range tableBoards {
		random := rand.New(rand.NewPCG(uint64(seed), 16))
		form := forms[names[seed%len(names)]]
		pool := [][]string{gridTitles(), oddTitles(), slices.Concat(gridTitles(), oddTitles())}[random.IntN(3)]
		random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		shown, f := pool[:3+random.IntN(len(pool)-3)], follow(t)
		shown = slices.Clone(shown)
		for range 12 {
			for range random.IntN(3) {
				if i := random.IntN(len(pool)); slices.Contains(shown, pool[i]) && len(shown) > 2 {
					shown = slices.DeleteFunc(shown, func(title string) bool { return title == pool[i] })
				} else if !slices.Contains(shown, pool[i]) {
					shown = slices.Insert(shown, random.IntN(len(shown)+1), pool[i])
				}
			}
			res := f.check(`<h1>Careers</h1><p>We build boats.</p><h2>Open positions</h2>` + form(shown))
			for _, j := range res.Change.Closed {
				require.NotContains(t, shown, j.Title, "%s, seed %d: closed while it stands on the page", names[seed%len(names)], seed)
			}
			closings += len(res.Change.Closed)
		}
		for range 70 { // the longest hold is fourteen days
			closings += len(f.check(`<h1>Careers</h1><p>We build boats.</p><h2>Open positions</h2>` + form(shown)).Change.Closed)
		}
		if f.board.State.Health == boardwatch.HealthOK {
			for _, title := range f.open() {
				if !slices.Contains(shown, title) {
					late++
				}
			}
		}
	}
	t.Logf("%d roles closed, %d of boards read whole stay open", closings, late)
	require.Positive(t, closings)
	require.Zero(t, late)
}

// A role that stands above another one is not its department, in whatever class either of them is.
func TestNoRoleIsTheDepartmentOfAnother(t *testing.T) {
	t.Parallel()
	form := gridForms()["article classes"]
	page := `<!doctype html><html><head><title>Careers</title></head><body><h1>Careers</h1><p>We build boats.</p><h2>Open positions</h2>` +
		form([]string{"Rope Walker", "Splicer", "Deck Hand", "Rigging Lead", "Net Mender", "Tide Watcher", "Sail Maker"}) + `</body></html>`
	r := readQuietly(t, anywhere([]byte(page)), followedPage)
	require.Len(t, r.Postings, 7)
	for _, p := range r.Postings {
		require.Empty(t, p.Department, p.Title)
	}
}
