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
