package scraper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// entry is a role as it is written into a form: %[1]s is its title, %[2]s its place, %[3]s its department, %[4]s the kind of
// work, and %[5]d its number.
type entry struct{ title, place, department, terms string }

func entriesOf(language string) []entry {
	return map[string][]entry{
		"en": {
			{"Senior Backend Engineer", "Berlin", "Engineering", "Full-time"},
			{"Account Executive", "Kampala", "Sales", "Part-time"},
			{"Product Designer", "Lyon, France", "Design", "Full-time"},
			{"Data Analyst", "Toronto, ON", "Finance", "Contract"},
		},
		"de": {
			{"Lohnbuchhalter (m/w/d)", "München", "Finanzen", "Teilzeit"},
			{"Softwareentwickler (m/w/d)", "Ottobrunn", "Entwicklung", "Vollzeit"},
			{"Servicetechniker (m/w/d)", "Bad Homburg", "Technik", "Vollzeit"},
		},
		"fr": {
			{"Ingénieur logiciel", "Grenoble", "Informatique", "CDI"},
			{"Chargé de clientèle", "Villeurbanne", "Ventes", "CDI"},
			{"Comptable", "Saint-Étienne", "Finances", "CDD"},
		},
		"es": {
			{"Ingeniero de datos", "Bogotá", "Tecnología", "Tiempo completo"},
			{"Gerente de ventas", "Cali", "Ventas", "Medio tiempo"},
		},
		"ja": {
			{"機械学習エンジニア", "東京", "開発部", "正社員"},
			{"営業マネージャー", "大阪", "営業部", "正社員"},
			{"デザイナー", "福岡", "デザイン部", "契約社員"},
		},
		"ru": {
			{"Инженер-программист", "Казань", "Разработка", "Полная занятость"},
			{"Менеджер по продажам", "Новосибирск", "Продажи", "Полная занятость"},
		},
	}[language]
}

// readForm reads a page on which each role is written in the form, and gives back what was read.
func readForm(t *testing.T, around, form string, entries []entry) []boardwatch.Posting {
	t.Helper()
	const careers = "https://www.northwind.example/careers"
	var body strings.Builder
	for i, e := range entries {
		// Some of the form's verbs may be missing: the unused ones are cut off behind a mark.
		text := fmt.Sprintf(form+"\x00%[1]s%[2]s%[3]s%[4]s%[5]d", e.title, e.place, e.department, e.terms, i+1)
		text, _, _ = strings.Cut(text, "\x00")
		body.WriteString(text)
	}
	s := hosted(t, site{careers: html("<title>Careers</title>", fmt.Sprintf(around, body.String()))}, system{})
	r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers, URL: careers})
	require.NoError(t, err)
	return r.Postings
}

func TestReadFindsPlacesInEveryForm(t *testing.T) {
	t.Parallel()
	const list = `<h1>Open positions</h1><ul>%s</ul>`
	const blocks = `<h1>Open positions</h1><div class="list">%s</div>`
	for _, tt := range []struct{ name, around, form, title string }{
		{"place | terms", list, `<li><a href="/careers/%[5]d">%[1]s</a><p>%[2]s | %[4]s</p></li>`, ""},
		{"terms, place", list, `<li><a href="/careers/%[5]d">%[1]s</a><p>%[4]s, %[2]s</p></li>`, ""},
		{"department · place · terms", list, `<li><a href="/careers/%[5]d"><h3>%[1]s</h3></a><p>%[3]s · %[2]s · %[4]s</p></li>`, ""},
		{"department, place", list, `<li><a href="/careers/%[5]d"><h3>%[1]s</h3></a><span>%[3]s, %[2]s</span></li>`, ""},
		{"department / place / terms", list, `<li><a href="/careers/%[5]d"><h3>%[1]s</h3></a><span>%[3]s / %[2]s / %[4]s</span></li>`, ""},
		{"place - terms", list, `<li><a href="/careers/%[5]d"><h3>%[1]s</h3></a><span>%[2]s - %[4]s</span></li>`, ""},
		{"place (terms)", list, `<li><a href="/careers/%[5]d"><h3>%[1]s</h3></a><span>%[2]s (%[4]s)</span></li>`, ""},
		{"terms (place)", list, `<li><a href="/careers/%[5]d"><h3>%[1]s</h3></a><span>%[4]s (%[2]s)</span></li>`, ""},
		{"line breaks", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p>%[4]s<br>%[2]s<br>%[3]s</p></li>`, ""},
		{"spans in a line", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p><span>%[3]s</span> <span>%[4]s</span> <span>%[2]s</span></p></li>`, ""},
		{"spans with strokes between", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p><span>%[4]s</span> | <span>%[2]s</span></p></li>`, ""},
		{"brackets behind the link", list, `<li><a href="/careers/%[5]d">%[1]s</a> (%[2]s)</li>`, ""},
		{"brackets in the title", list, `<li><a href="/careers/%[5]d">%[1]s (%[2]s)</a></li>`, "%[1]s (%[2]s)"},
		{"a dash at the end of the title", list, `<li><a href="/careers/%[5]d">%[1]s - %[2]s</a></li>`, "%[1]s - %[2]s"},
		{"a long dash at the end of the title", list, `<li><a href="/careers/%[5]d">%[1]s – %[2]s</a></li>`, "%[1]s – %[2]s"},
		{"a comma at the end of the title", blocks, `<h3><a href="/careers/%[5]d">%[1]s, %[2]s</a></h3><p>Join us in this role.</p>`, "%[1]s, %[2]s"},
		{"a stroke at the end of the title", blocks, `<h3>%[1]s | %[2]s</h3><p>Join us in this role.</p><a href="/careers/%[5]d">Details</a>`, "%[1]s | %[2]s"},
		{"a place and terms in the title", list, `<li><a href="/careers/%[5]d">%[1]s | %[2]s | %[4]s</a></li>`, "%[1]s | %[2]s | %[4]s"},
		{"a pin", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p>📍 %[2]s 🕐 %[4]s</p></li>`, ""},
		{"pins in spans", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p><span>🕐 %[4]s</span><span>📍 %[2]s</span></p></li>`, ""},
		{"an icon before the text", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p><i class="fa fa-map-marker"></i> %[2]s <i class="fa fa-clock"></i> %[4]s</p></li>`, ""},
		{"an icon beside a span", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><div><div><i class="bi bi-clock"></i><span>%[4]s</span></div><div><i class="bi bi-geo-alt"></i><span>%[2]s</span></div></div></li>`, ""},
		{"a drawing with a title", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><div><svg><title>Location</title><path d="M0"/></svg> %[2]s</div></li>`, ""},
		{"a picture", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><div><img src="/img/pin.svg" alt=""> %[2]s</div></li>`, ""},
		{"the name of an icon", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><div><span class="material-icons">location_on</span> %[2]s</div></li>`, ""},
		{"a label", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p>Location: %[2]s</p></li>`, ""},
		{"labels on lines", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p><strong>Start:</strong> now<br><strong>Location:</strong> %[2]s<br><strong>Hours:</strong> %[4]s</p></li>`, ""},
		{"labels in a row", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><p><b>Location:</b> %[2]s <b>Hours:</b> %[4]s</p></li>`, ""},
		{"labels without a colon", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><div><span>Department</span><span>%[3]s</span></div><div><span>Location</span><span>%[2]s</span></div></li>`, ""},
		{"a definition list", list, `<li><h3><a href="/careers/%[5]d">%[1]s</a></h3><dl><dt>Hours</dt><dd>%[4]s</dd><dt>Location</dt><dd>%[2]s</dd></dl></li>`, ""},
		{"a column", `<h1>Open positions</h1><table><tr><th>Position</th><th>Team</th><th>Office</th></tr>%s</table>`, `<tr><td><a href="/careers/%[5]d">%[1]s</a></td><td>%[3]s</td><td>%[2]s</td></tr>`, ""},
		{"a column without a heading", `<h1>Open positions</h1><table>%s</table>`, `<tr><td><a href="/careers/%[5]d">%[1]s</a></td><td>%[4]s</td><td>%[2]s</td></tr>`, ""},
		{"a sentence", blocks, `<article><h3><a href="/careers/%[5]d">%[1]s</a></h3><p>For our office in %[2]s we are looking for somebody who likes to work with others.</p></article>`, ""},
		{"inside the link, blocks", blocks, `<a href="/careers/%[5]d"><div>%[1]s</div><div>%[3]s</div><div>%[2]s</div></a>`, ""},
		{"inside the link, spans", blocks, `<a class="row" href="/careers/%[5]d"><span class="a">%[1]s</span><span class="b">%[2]s</span><span class="c">%[4]s</span></a>`, ""},
		{"inside the link, plain spans", blocks, `<a href="/careers/%[5]d"><span>%[1]s</span> <span>%[2]s</span> <span>%[4]s</span></a>`, ""},
		{"inside the link, bold and text", list, `<li><a href="/careers/%[5]d"><strong>%[1]s</strong> %[2]s</a></li>`, ""},
		{"inside the link, bold and a stroke", list, `<li><a href="/careers/%[5]d"><strong>%[1]s</strong> | %[2]s | %[4]s</a></li>`, ""},
		{"inside the link, break", list, `<li><a href="/careers/%[5]d">%[1]s<br>%[2]s</a></li>`, ""},
		{"inside the heading, small", blocks, `<h3>%[1]s <small>%[2]s, %[4]s</small></h3><p>Some words about it.</p><a href="/careers/%[5]d">Details</a>`, ""},
		{"inside the heading, break", blocks, `<h3>%[1]s<br><span>%[4]s | %[2]s</span></h3><p>Some words about it.</p><a href="/careers/%[5]d">Details</a>`, ""},
		{"inside the link, department and place", blocks, `<a href="/careers/%[5]d"><h3>%[1]s</h3><p>%[3]s</p><p>%[2]s</p><span>Apply</span></a>`, ""},
	} {
		languages := []string{"en", "de", "fr", "es", "ja", "ru"}
		if tt.name == "a sentence" { // it is in English, and its names are in Latin letters
			languages = languages[:4]
		}
		for _, language := range languages {
			t.Run(tt.name+"/"+language, func(t *testing.T) {
				t.Parallel()
				var want, got [][2]string
				entries := entriesOf(language)
				for _, e := range entries {
					title := e.title
					if tt.title != "" {
						title = strings.NewReplacer("%[1]s", e.title, "%[2]s", e.place, "%[4]s", e.terms).Replace(tt.title)
					}
					want = append(want, [2]string{title, e.place})
				}
				for _, p := range readForm(t, tt.around, tt.form, entries) {
					got = append(got, [2]string{p.Title, p.Location})
				}
				require.Equal(t, want, got)
			})
		}
	}
}

// Places and departments that stand above the roles, or in the head of a table, belong to all roles below.
func TestReadFindsGroupsInEveryForm(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, around, group, form string }{
		{"headings", `%s`, `<h3>%s</h3><ul>%s</ul>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"highest headings", `<h1>Jobs</h1>%s`, `<h1>%s</h1><ul>%s</ul>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"headings with counts", `%s`, `<h3>%s (2)</h3><ul>%s</ul>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"bold lines", `%s`, `<p><strong>%s</strong></p><ul>%s</ul>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"paragraphs", `%s`, `<p>%s</p><ul>%s</ul>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"blocks", `<div>%s</div>`, `<div class="x"><div class="y">%s</div><div>%s</div></div>`, `<div class="z"><a href="/careers/%[2]d">%[1]s</a></div>`},
		{"panels", `%s`, `<details open><summary>%s</summary><ul>%s</ul></details>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"buttons", `%s`, `<div><button>%s</button><ul>%s</ul></div>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"lists in lists", `<ul>%s</ul>`, `<li>%s<ul>%s</ul></li>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"spans before lists", `<ul>%s</ul>`, `<li><span>%s</span><ul>%s</ul></li>`, `<li><a href="/careers/%[2]d">%[1]s</a></li>`},
		{"rows of a table", `<table>%s</table>`, `<tr><td colspan="2">%s</td></tr>%s`, `<tr><td><a href="/careers/%[2]d">%[1]s</a></td><td>Full-time</td></tr>`},
		{"heads in a table", `<table>%s</table>`, `<tr><th colspan="2">%s</th></tr>%s`, `<tr><td><a href="/careers/%[2]d">%[1]s</a></td><td>Full-time</td></tr>`},
		{"terms", `<dl>%s</dl>`, `<dt>%s</dt>%s`, `<dd><a href="/careers/%[2]d">%[1]s</a></dd>`},
		{"a flat list", `<div>%s</div>`, `<div class="y">%s</div>%s`, `<a class="z" href="/careers/%[2]d">%[1]s</a>`},
	} {
		for kind, groups := range map[string][2]string{
			"departments": {"Customer Experience", "Legal"}, "known places": {"Berlin", "Lyon, France"},
		} {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				const careers = "https://www.northwind.example/careers"
				var want, got [][2]string
				var body strings.Builder
				for i, group := range groups {
					var entries strings.Builder
					for j, title := range [...]string{"Night Porter", "Account Manager"} {
						title += [...]string{"", " II"}[i]
						fmt.Fprintf(&entries, tt.form, title, i*2+j+1)
						want = append(want, [2]string{title, group})
					}
					fmt.Fprintf(&body, tt.group, group, entries.String())
				}
				s := hosted(t, site{careers: html("<title>Careers</title>", "<h1>Open positions</h1>"+fmt.Sprintf(tt.around, body.String()))}, system{})
				r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers, URL: careers})
				require.NoError(t, err)
				for _, p := range r.Postings {
					if kind == "departments" {
						require.Empty(t, p.Location)
						got = append(got, [2]string{p.Title, p.Department})
					} else {
						require.Empty(t, p.Department)
						got = append(got, [2]string{p.Title, p.Location})
					}
				}
				require.Equal(t, want, got)
			})
		}
	}
}

func TestReadFindsPlacesInLooseText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, around, form string }{
		{"text behind a link", `<h1>Open positions</h1><div>%s</div>`, `<a href="/careers/%[5]d">%[1]s</a> – %[2]s<br>`},
		{"a line below a link", `<h1>Open positions</h1><p>%s</p>`, `<a href="/careers/%[5]d">%[1]s</a><br>%[2]s<br><br>`},
		{"two lines below a link", `<h1>Open positions</h1><p>%s</p>`, `<a href="/careers/%[5]d">%[1]s</a><br>%[4]s<br>%[2]s<br><br>`},
		{"a labelled line below a link", `<h1>Open positions</h1><p>%s</p>`, `<a href="/careers/%[5]d">%[1]s</a><br>Location: %[2]s<br>Hours: %[4]s<br><br>`},
		{"text behind bold text", `<h1>Open positions</h1><div>%s</div>`, `<b>%[1]s</b><br>%[2]s<br><a href="/careers/%[5]d">Apply</a><br>`},
		{"a definition", `<h1>Open positions</h1><dl>%s</dl>`, `<dt><a href="/careers/%[5]d">%[1]s</a></dt><dd>%[2]s</dd>`},
		{"a table whose head is a row", `<h1>Open positions</h1><table><tr><td><b>Position</b></td><td><b>Hours</b></td><td><b>Office Location</b></td></tr>%s</table>`, `<tr><td><a href="/careers/%[5]d">%[1]s</a></td><td>%[4]s</td><td>%[2]s</td></tr>`},
		{"a table of blocks", `<h1>Open positions</h1><div class="t"><div class="r h"><div>Job title</div><div>Working hours</div><div>Location(s)</div></div>%s</div>`, `<div class="r"><div><a href="/careers/%[5]d">%[1]s</a></div><div>%[4]s</div><div>%[2]s</div></div>`},
		{"after a description", `<h1>Open positions</h1><div>%s</div>`, `<article><h3><a href="/careers/%[5]d">%[1]s</a></h3><p>You will work with people who like what they do, and who do it well. They have done it for years, and they are looking forward to showing you how, one day after the other.</p><ul><li>%[4]s</li><li>%[2]s</li></ul></article>`},
	} {
		for _, language := range []string{"en", "de", "fr", "es", "ja", "ru"} {
			t.Run(tt.name+"/"+language, func(t *testing.T) {
				t.Parallel()
				var want, got [][2]string
				entries := entriesOf(language)
				for _, e := range entries {
					want = append(want, [2]string{e.title, e.place})
				}
				for _, p := range readForm(t, tt.around, tt.form, entries) {
					got = append(got, [2]string{p.Title, p.Location})
				}
				require.Equal(t, want, got)
			})
		}
	}
}

// Departments are told by where they stand, whatever they are called, when some of them are known.
func TestReadFindsDepartmentsAndPlaces(t *testing.T) {
	t.Parallel()
	entries := []entry{
		{"Senior Backend Engineer", "Berlin", "Platform", "Full-time"},
		{"Account Executive", "Lyon, France", "Go-to-Market", "Full-time"},
		{"Program Coordinator", "Kampala", "Programs & Impact", "Part-time"},
		{"Executive Assistant", "Remote", "G&A", "Full-time"},
		{"Field Officer", "Gulu", "Programs & Impact", "Contract"},
		{"Accountant", "Remote (Africa)", "G&A", "Full-time"},
		{"Communications Lead", "Nairobi, Kenya", "Brand Studio", "Full-time"},
	}
	for _, tt := range []struct{ name, around, form string }{
		{"grid same cells link", `<div class="g">%s</div>`, `<div class="row"><div class="cell"><a href="/careers/%[5]d">%[1]s</a></div><div class="cell">%[3]s</div><div class="cell">%[2]s</div></div>`},
		{"grid same cells nolink", `<div class="g">%s</div>`, `<div class="row"><div class="cell">%[1]s</div><div class="cell">%[3]s</div><div class="cell">%[2]s</div></div>`},
		{"grid same cells all linked", `<div class="g">%s</div>`, `<a class="row" href="/careers/%[5]d"><div class="cell">%[1]s</div><div class="cell">%[3]s</div><div class="cell">%[2]s</div></a>`},
		{"grid same spans all linked", `<div class="g">%s</div>`, `<a class="row" href="/careers/%[5]d"><span class="cell">%[1]s</span><span class="cell">%[3]s</span><span class="cell">%[2]s</span></a>`},
		{"spans classes linked", `<div class="g">%s</div>`, `<a class="row" href="/careers/%[5]d"><span class="a">%[1]s</span><span class="b">%[3]s</span><span class="c">%[2]s</span><span>→</span></a>`},
		{"links each", `<ul>%s</ul>`, `<li><a href="/careers/%[5]d">%[1]s</a> <a href="/teams/x">%[3]s</a> <a href="/places/y">%[2]s</a></li>`},
		{"td no header", `<table>%s</table>`, `<tr><td><a href="/careers/%[5]d">%[1]s</a></td><td>%[3]s</td><td>%[2]s</td></tr>`},
		{"td no header no link", `<table>%s</table>`, `<tr><td>%[1]s</td><td>%[3]s</td><td>%[2]s</td></tr>`},
		{"td header", `<table><tr><th>Role</th><th>Dept.</th><th>Based in</th></tr>%s</table>`, `<tr><td><a href="/careers/%[5]d">%[1]s</a></td><td>%[3]s</td><td>%[2]s</td></tr>`},
		{"p middot", `<div>%s</div>`, `<div class="card"><h3>%[1]s</h3><p>%[3]s · %[2]s</p><a href="/careers/%[5]d">View</a></div>`},
		{"p middot terms", `<div>%s</div>`, `<div class="card"><h3>%[1]s</h3><p>%[3]s · %[4]s · %[2]s</p><p>Some description of it that is rather long and goes on for quite a while, until it ends somewhere.</p><a href="/careers/%[5]d">View</a></div>`},
		{"p stroke", `<div>%s</div>`, `<div class="card"><a href="/careers/%[5]d"><h3>%[1]s</h3></a><p>%[3]s | %[2]s</p></div>`},
		{"p dash", `<div>%s</div>`, `<div class="card"><a href="/careers/%[5]d"><h3>%[1]s</h3></a><p>%[3]s - %[2]s</p></div>`},
		{"p comma", `<div>%s</div>`, `<div class="card"><a href="/careers/%[5]d"><h3>%[1]s</h3></a><p>%[3]s, %[2]s</p></div>`},
		{"p slash", `<div>%s</div>`, `<div class="card"><a href="/careers/%[5]d"><h3>%[1]s</h3></a><p>%[3]s / %[2]s</p></div>`},
		{"badges", `<div>%s</div>`, `<div class="card"><h3>%[1]s</h3><div class="tags"><span class="tag">%[3]s</span><span class="tag">%[2]s</span><span class="tag">%[4]s</span></div><a href="/careers/%[5]d">View</a></div>`},
		{"labels strong", `<div>%s</div>`, `<div class="card"><h3>%[1]s</h3><p><strong>Department:</strong> %[3]s</p><p><strong>Location:</strong> %[2]s</p><a href="/careers/%[5]d">View</a></div>`},
		{"labels li", `<div>%s</div>`, `<div class="card"><h3>%[1]s</h3><ul><li>Department: %[3]s</li><li>Location: %[2]s</li></ul><a href="/careers/%[5]d">View</a></div>`},
		{"labels div pairs", `<div>%s</div>`, `<div class="card"><h3>%[1]s</h3><div><div>Team</div><div>%[3]s</div></div><div><div>Location</div><div>%[2]s</div></div><a href="/careers/%[5]d">View</a></div>`},
		{"above the title", `<div>%s</div>`, `<div class="card"><span class="eyebrow">%[3]s</span><h3>%[1]s</h3><span class="sub">%[2]s</span><a href="/careers/%[5]d">View</a></div>`},
		{"above the title in one", `<div>%s</div>`, `<div class="card"><p>%[3]s • %[2]s</p><h3>%[1]s</h3><a href="/careers/%[5]d">View</a></div>`},
		{"accordion", `<div>%s</div>`, `<details><summary><span>%[1]s</span><span>%[3]s</span><span>%[2]s</span></summary><p>About the role it is.</p><a href="/careers/%[5]d">Apply</a></details>`},
		{"accordion button", `<div>%s</div>`, `<div class="item"><button class="acc"><span>%[1]s</span><span>%[3]s · %[2]s</span></button><div class="panel"><p>About the role it is.</p><a href="mailto:x@y.example">Apply</a></div></div>`},
		{"data attributes", `<div>%s</div>`, `<div class="card" data-department="%[3]s" data-location="%[2]s"><h3>%[1]s</h3><a href="/careers/%[5]d">View</a></div>`},
		{"card title attr", `<div>%s</div>`, `<article class="job" itemscope><header><h3>%[1]s</h3><div class="meta"><span class="department">%[3]s</span><span class="loc">%[2]s</span></div></header><footer><a href="/careers/%[5]d">View</a></footer></article>`},
		{"label in value", `<div>%s</div>`, `<div class="card"><h3>%[1]s</h3><div class="location-wrap"><span class="label">Location</span> %[2]s</div><div class="department-wrap"><span class="label">Team</span> %[3]s</div><a href="/careers/%[5]d">View</a></div>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want, got []entry
			for _, e := range entries {
				want = append(want, entry{e.title, e.place, e.department, ""})
			}
			for _, p := range readForm(t, "<h1>Careers at Northwind</h1><h2>Open positions</h2>"+tt.around, tt.form, entries) {
				got = append(got, entry{p.Title, p.Location, p.Department, ""})
			}
			require.Equal(t, want, got)
		})
	}
}

// A panel that opens when somebody asks for it says more about the role whose title is shown.
func TestReadFindsLabelsInClosedPanels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, form string }{
		{"lines", `<div class="item"><h3>%[1]s</h3><div style="display:none"><p><strong>Team:</strong> %[3]s<br><strong>Location:</strong> %[2]s</p><p>You will like it.</p></div></div>`},
		{"list", `<div class="item"><h3>%[1]s</h3><div class="hidden"><ul><li>Department: %[3]s</li><li>Location: %[2]s</li></ul></div></div>`},
		{"pairs", `<div class="item"><h3>%[1]s</h3><div hidden><div><span>Department</span> <span>%[3]s</span></div><div><span>Location</span> <span>%[2]s</span></div></div></div>`},
		{"definitions", `<div class="item"><h3>%[1]s</h3><dl style="display: none"><dt>Department</dt><dd>%[3]s</dd><dt>Location</dt><dd>%[2]s</dd></dl></div>`},
		{"after the title", `<h3>%[1]s</h3><div style="display:none"><p>Department: %[3]s</p><p>Location: %[2]s</p></div>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want, got []entry
			for _, e := range entriesOf("en") {
				want = append(want, entry{e.title, e.place, e.department, ""})
			}
			for _, p := range readForm(t, "<h1>Open positions</h1>%s", tt.form, entriesOf("en")) {
				got = append(got, entry{p.Title, p.Location, p.Department, ""})
			}
			require.Equal(t, want, got)
		})
	}
}

func TestReadFindsNothingInScripts(t *testing.T) {
	t.Parallel()
	for _, p := range readForm(t, "<h1>Open positions</h1>%s", `<div class="item"><h3>%[1]s</h3><template><p>Location: %[2]s</p></template><noscript><p>Location: %[2]s</p></noscript></div>`, entriesOf("en")) {
		require.Empty(t, p.Location)
	}
}

func TestReadFindsPlacesByLabels(t *testing.T) {
	t.Parallel()
	row := `<li><h3><a href="/careers/%%[5]d">%%[1]s</a></h3><p>%s: %%[2]s</p><p>Reference: A-%%[5]d</p></li>`
	for _, label := range []string{
		"Location", "Location(s)", "Office location", "Duty station", "Place of work", "Based in", "City / Country", "Standort", "Arbeitsort", "Lieu de travail", "Ubicación", "Sede di lavoro", "Standplaats",
		"Miejsce pracy", "Место работы", "勤務地", "工作地點", "근무지", "موقع", "Somewhere",
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			for _, language := range []string{"en", "de", "ja", "ru"} {
				var want, got []string
				for _, e := range entriesOf(language) {
					want = append(want, e.title+"|"+e.place)
				}
				for _, p := range readForm(t, `<h1>Open positions</h1><ul>%s</ul>`, fmt.Sprintf(row, label), entriesOf(language)) {
					got = append(got, p.Title+"|"+p.Location)
				}
				require.Equal(t, want, got)
			}
		})
	}
}

// What nobody knows is a place when its column says so, or its label.
func TestReadTakesTheWordOfLabels(t *testing.T) {
	t.Parallel()
	entries := []entry{{"Night Porter", "Zorblingen", "Frobnication", "Full-time"}, {"Account Manager", "Unterquux", "Bletching", "Part-time"}, {"Welder", "Sankt Foo", "Frobnication", "Full-time"}}
	for _, tt := range []struct{ name, around, form string }{
		{"a label", `<ul>%s</ul>`, `<li><a href="/careers/%[5]d">%[1]s</a><p>Business unit: %[3]s</p><p>Duty station: %[2]s</p></li>`},
		{"a table", `<table><tr><th>Job title</th><th>Business unit</th><th>Office location</th></tr>%s</table>`, `<tr><td><a href="/careers/%[5]d">%[1]s</a></td><td>%[3]s</td><td>%[2]s</td></tr>`},
		{"a table whose head is a row", `<table><tr><td><b>Position</b></td><td><b>Department</b></td><td><b>City</b></td></tr>%s</table>`, `<tr><td><a href="/careers/%[5]d">%[1]s</a></td><td>%[3]s</td><td>%[2]s</td></tr>`},
		{"blocks under a head", `<div class="t"><div class="r h"><div>Position</div><div>Team</div><div>Location</div></div>%s</div>`, `<div class="r"><div><a href="/careers/%[5]d">%[1]s</a></div><div>%[3]s</div><div>%[2]s</div></div>`},
		{"a list under a head", `<div class="h"><span>Position</span><span>Team</span><span>Location</span></div><ul>%s</ul>`, `<li><span><a href="/careers/%[5]d">%[1]s</a></span><span>%[3]s</span><span>%[2]s</span></li>`},
		{"pins", `<ul>%s</ul>`, `<li><a href="/careers/%[5]d">%[1]s</a><p><i class="icon-building"></i> <span class="department">%[3]s</span></p><p><i class="icon-location-pin"></i> %[2]s</p></li>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want, got []string
			for _, e := range entries {
				want = append(want, e.title+"|"+e.place+"|"+e.department)
			}
			for _, p := range readForm(t, "<h1>Open positions</h1>"+tt.around, tt.form, entries) {
				got = append(got, p.Title+"|"+p.Location+"|"+p.Department)
			}
			require.Equal(t, want, got)
		})
	}
}

func TestReadLeavesLabelsOutOfTitles(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"Position:", "Job title:", "Stelle:", "Poste :", "Puesto:", "Vacature:", "Stanowisko:", "Должность:", "職種：", "职位："} {
		for _, form := range []string{
			`<li><h3><a href="/careers/%%[5]d">%s %%[1]s</a></h3><p>%%[2]s</p></li>`, `<li><h3><b>%s</b> %%[1]s</h3><p>%%[2]s</p><a href="/careers/%%[5]d">Apply</a></li>`,
		} {
			var want, got []string
			for _, e := range entriesOf("en") {
				want = append(want, e.title)
			}
			for _, p := range readForm(t, `<h1>Open positions</h1><ul>%s</ul>`, fmt.Sprintf(form, label), entriesOf("en")) {
				got = append(got, p.Title)
			}
			require.Equal(t, want, got, label)
		}
	}
}

func TestReadFindsTheFieldsOfTheOnlyRole(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"blocks":     `<section id="recruit"><h2>Open positions</h2><div class="wrap"><div><h3>募集職種</h3><p>営業マネージャー</p></div><div><h3>雇用形態</h3><p>正社員</p></div><div><h3>勤務地</h3><p>目黒区碑文谷</p></div></div></section>`,
		"a sentence": `<h2>Open positions</h2><article><h3>営業マネージャー</h3><p>勤務地：目黒区碑文谷</p></article>`,
		"a heading":  `<h2>Open positions in 目黒区碑文谷</h2><article><h3>営業マネージャー</h3><p>勤務地：目黒区碑文谷</p></article>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := readForm(t, body+"%s", "", []entry{{}})
			require.Len(t, got, 1)
			require.Equal(t, "営業マネージャー", got[0].Title)
			require.Equal(t, "目黒区碑文谷", got[0].Location)
		})
	}
}

func TestReadFindsPlaceAndDepartmentInHeadings(t *testing.T) {
	t.Parallel()
	body := `<h2>Engineering</h2><h3>Berlin (2)</h3><ul><li><a href="/careers/1">Welder</a></li><li><a href="/careers/2">Fitter</a></li></ul><h3>Lyon, France (1)</h3><ul><li><a href="/careers/3">Turner</a></li></ul>` +
		`<h2>Sales</h2><h3>Kampala</h3><ul><li><a href="/careers/4">Account Manager</a></li></ul>`
	var got []string
	for _, p := range readForm(t, body+"%s", "", []entry{{}}) {
		got = append(got, p.Title+"|"+p.Location+"|"+p.Department)
	}
	require.Equal(t, []string{"Welder|Berlin|Engineering", "Fitter|Berlin|Engineering", "Turner|Lyon, France|Engineering", "Account Manager|Kampala|Sales"}, got)
}

// A title goes on over the parts that it is written in, and ends where something else is said.
func TestReadEndsTitlesWhereTheyEnd(t *testing.T) {
	t.Parallel()
	for form, want := range map[string][]string{
		`<li><a href="/careers/%[5]d">Senior <span>%[1]s</span></a></li>`:                                               {"Senior Welder", "Senior Night Porter", "Senior Accountant"},
		`<li><a href="/careers/%[5]d"><span>Senior</span> <span>%[1]s</span></a></li>`:                                  {"Senior Welder", "Senior Night Porter", "Senior Accountant"},
		`<li><h3>%[1]s <span>(m/f/d)</span></h3><a href="/careers/%[5]d">Details</a></li>`:                              {"Welder (m/f/d)", "Night Porter (m/f/d)", "Accountant (m/f/d)"},
		`<li><h3>Head of <b>%[3]s</b></h3><a href="/careers/%[5]d">Details</a></li>`:                                    {"Head of Production", "Head of Facilities", "Head of Finance"},
		`<li><h3>Manager <span>%[3]s</span></h3><a href="/careers/%[5]d">Details</a></li>`:                              {"Manager Production", "Manager Facilities", "Manager Finance"},
		`<li><h3>%[1]s<br>Night shift</h3><a href="/careers/%[5]d">Details</a></li>`:                                    {"Welder Night shift", "Night Porter Night shift", "Accountant Night shift"},
		`<li><a href="/careers/%[5]d"><span>%[1]s</span><span>%[2]s</span><span>%[4]s</span></a></li>`:                  {"Welder", "Night Porter", "Accountant"},
		`<li><a href="/careers/%[5]d"><b>%[1]s</b><i>%[4]s</i></a></li>`:                                                {"Welder", "Night Porter", "Accountant"},
		`<li><a href="/careers/%[5]d"><b>%[1]s</b> %[4]s, %[2]s</a></li>`:                                               {"Welder", "Night Porter", "Accountant"},
		`<li><a href="/careers/%[5]d"><span>%[1]s</span> <span>Apply now</span></a></li>`:                               {"Welder", "Night Porter", "Accountant"},
		`<li><a href="/careers/%[5]d">%[1]s <span>Apply</span></a></li>`:                                                {"Welder", "Night Porter", "Accountant"},
		`<li><a href="/careers/%[5]d"><div>%[2]s</div><div>%[1]s</div><div>%[4]s</div></a></li>`:                        {"Welder", "Night Porter", "Accountant"},
		`<li><a href="/careers/%[5]d"><h3>%[1]s</h3><p>You work with people who like it here.</p><p>%[2]s</p></a></li>`: {"Welder", "Night Porter", "Accountant"},
		`<li><a href="/careers/%[5]d">%[1]s (%[2]s, %[4]s)</a></li>`:                                                    {"Welder (Oslo, Full-time)", "Night Porter (Lyon, Part-time)", "Accountant (Berlin, Full-time)"},
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			entries := []entry{{"Welder", "Oslo", "Production", "Full-time"}, {"Night Porter", "Lyon", "Facilities", "Part-time"}, {"Accountant", "Berlin", "Finance", "Full-time"}}
			var got []string
			for _, p := range readForm(t, "<h1>Open positions</h1><ul>%s</ul>", form, entries) {
				got = append(got, p.Title)
			}
			require.Equal(t, want, got)
		})
	}
}

// What is said above roles is a department only if it is the name of one.
func TestReadTakesNoOtherTextForADepartment(t *testing.T) {
	t.Parallel()
	for name, group := range map[string]string{
		"a call":      `<div class="g"><div class="h">%s</div><div class="p">Building strategies together</div><div class="c">Open positions:</div><div>%s</div></div>`,
		"points":      `<div class="g"><ul><li>Cloud in %s</li><li>Clusters everywhere</li></ul><div>%s</div></div>`,
		"a question":  `<div class="g"><p>Why %s?</p><div>%s</div></div>`,
		"a sentence":  `<div class="g"><p>In %s you will be one of many who like it</p><div>%s</div></div>`,
		"a kind":      `<div class="g"><!-- %s --><p>Full-time</p><div>%s</div></div>`,
		"one and all": `<div class="g"><!-- %s --><p>Frobnication</p><div>%s</div></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var body strings.Builder
			for i, team := range []string{"Zorb", "Quux"} {
				fmt.Fprintf(&body, group, team, fmt.Sprintf(`<a href="/careers/%d1">Night Porter %s</a><a href="/careers/%d2">Welder %s</a>`, i, team, i, team))
			}
			got := readForm(t, "<h1>Careers</h1>"+body.String()+"%s", "", []entry{{}})
			require.Len(t, got, 4)
			for _, p := range got {
				require.Empty(t, p.Department)
			}
		})
	}
}

// Behind the description stand tasks and skills, whose words name departments too.
func TestReadTakesNoSkillForADepartment(t *testing.T) {
	t.Parallel()
	form := `<article><h3><a href="/careers/%[5]d">%[1]s</a></h3><p>You will work with people who like what they do, and who do it well. They have done it for years, and they are looking forward to showing you how, one day after the other.</p><ul><li>%[3]s</li><li>%[2]s</li></ul></article>`
	for _, p := range readForm(t, `<h1>Open positions</h1>%s`, form, entriesOf("en")) {
		require.Empty(t, p.Department)
		require.NotEmpty(t, p.Location)
	}
}
