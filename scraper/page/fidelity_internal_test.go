package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func TestTitlesAreRead(t *testing.T) {
	t.Parallel()
	card := func(title, place string) string {
		return `<div class="job"><h3 class="name">` + title + `</h3><p class="text">You look after the boats of the harbour.</p><span class="location">` + place + `</span></div>`
	}
	tests := map[string]struct {
		lang, body string
		titles     []string
	}{
		"two lines":                  {"nl", `<h1>Vacatures</h1>` + card(`<span>Marketing</span><br><span class="red">Stagiair</span>`, "Gent") + card(`<span>Sales</span><br><span class="red">Stagiair</span>`, "Gent"), []string{"Marketing Stagiair", "Sales Stagiair"}},
		"two lines in German":        {"de", `<h1>Offene Stellen</h1>` + card(`Leiter<br>Einkauf`, "Kiel") + card(`Leiter<br>Vertrieb`, "Kiel"), []string{"Leiter Einkauf", "Leiter Vertrieb"}},
		"parts inside a word":        {"en", `<h1>Open positions</h1>` + card(`<b>B</b>oat Painter`, "Porto") + card(`<b>D</b>ock Manager`, "Porto"), []string{"Boat Painter", "Dock Manager"}},
		"parts in blocks":            {"en", `<h1>Open positions</h1>` + card(`<div>Senior</div><div>Boat Painter</div>`, "Porto") + card(`<div>Junior</div><div>Dock Manager</div>`, "Porto"), []string{"Senior Boat Painter", "Junior Dock Manager"}},
		"a badge behind":             {"en", `<h1>Open positions</h1>` + card(`Boat Painter <span class="badge">New!</span>`, "Porto") + card(`Dock Manager`, "Porto"), []string{"Boat Painter", "Dock Manager"}},
		"a badge before":             {"en", `<h1>Open positions</h1>` + card(`<span class="label">Hot</span> Boat Painter`, "Porto") + card(`Dock Manager`, "Porto"), []string{"Boat Painter", "Dock Manager"}},
		"an announcement":            {"en", `<h1>Open positions</h1>` + card(`NEW! Boat Painter`, "Porto") + card(`Dock Manager – Hot!`, "Porto"), []string{"Boat Painter", "Dock Manager"}},
		"an announcement in German":  {"de", `<h1>Offene Stellen</h1>` + card(`NEU: Schlosser (m/w/d)`, "Kiel") + card(`Maler (m/w/d)`, "Kiel"), []string{"Schlosser (m/w/d)", "Maler (m/w/d)"}},
		"bullets":                    {"en", `<h1>Open positions</h1>` + card(`• Boat Painter`, "Porto") + card(`→ Dock Manager`, "Porto"), []string{"Boat Painter", "Dock Manager"}},
		"languages by class":         {"en", `<h1>Open positions</h1>` + card(`<span class="lang-en">Boat Painter</span><span class="lang-pt">Pintor de barcos</span>`, "Porto") + card(`<span class="lang-en">Dock Manager</span><span class="lang-pt">Gestor de doca</span>`, "Porto"), []string{"Boat Painter", "Dock Manager"}},
		"languages by attribute":     {"fr", `<h1>Postes à pourvoir</h1>` + card(`<span lang="en">Boat Painter</span><span lang="fr">Peintre de bateaux</span>`, "Brest") + card(`<span lang="en">Dock Manager</span><span lang="fr">Responsable de quai</span>`, "Brest"), []string{"Peintre de bateaux", "Responsable de quai"}},
		"two languages that show":    {"de", `<h1>Offene Stellen</h1>` + card(`Bootsmaler / Boat Painter`, "Kiel") + card(`Dockleiter / Dock Manager`, "Kiel"), []string{"Bootsmaler / Boat Painter", "Dockleiter / Dock Manager"}},
		"conditions in a link":       {"en", `<h1>Open positions</h1><a class="row" href="/jobs/a"><span class="t">Boat Painter</span><span class="m">Leixões · Hybrid · Full-time</span></a><a class="row" href="/jobs/b"><span class="t">Dock Manager</span><span class="m">Leixões · On-site · Full-time</span></a>`, []string{"Boat Painter", "Dock Manager"}},
		"conditions with bars":       {"de", `<h1>Offene Stellen</h1><a class="row" href="/jobs/a"><strong>Bootsmaler</strong><small>Eckernförde | Vollzeit | unbefristet</small></a><a class="row" href="/jobs/b"><strong>Dockleiter</strong><small>Eckernförde | Teilzeit | befristet</small></a>`, []string{"Bootsmaler", "Dockleiter"}},
		"sought in headings":         {"en", `<h1>Careers</h1><article><h3>Boat painter wanted!</h3><p>Tasks:</p><ul><li>painting</li></ul><p>Requirements:</p><ul><li>patience</li></ul></article><article><h3>Dock manager wanted!</h3><p>Tasks:</p><ul><li>managing</li></ul><p>Requirements:</p><ul><li>calm</li></ul></article>`, []string{"Boat painter wanted!", "Dock manager wanted!"}},
		"lines with numbers":         {"en", `<h1>Open positions</h1><p>Boat Painter (2 openings). You paint boats in summer and oars in winter.</p><p>Dock Manager (1 opening). You keep the dock in order.</p>`, []string{"Boat Painter", "Dock Manager"}},
		"lines with people":          {"zh", `<h3>招聘信息</h3><p>电工2名：有电工证，工资面议。</p><p>会计1名：有经验者优先。</p>`, []string{"电工", "会计"}},
		"a list in a navigation":     {"fr", `<h1>Nos offres</h1><section><nav aria-label="Postes à pourvoir"><a href="/emploi/peintre"><span>Peintre</span></a><a href="/emploi/soudeur"><span>Soudeur</span></a><a href="/emploi/comptable"><span>Comptable</span></a></nav></section>`, []string{"Peintre", "Soudeur", "Comptable"}},
		"closed for now, in Dutch":   {"nl", `<h1>Vacatures</h1><div class="area"><span class="badge">Momenteel gesloten</span><h4>Schilder</h4></div><div class="area"><span class="badge">Open</span><h4>Lasser</h4></div><div class="area"><span class="badge">Momenteel gesloten</span><h4>Kok</h4></div>`, []string{"Lasser"}},
		"closed for now, in German":  {"de", `<h1>Offene Stellen</h1><div class="area"><span class="badge">Derzeit besetzt</span><h4>Schlosser</h4></div><div class="area"><span class="badge">Offen</span><h4>Maler</h4></div><div class="area"><span class="badge">Derzeit besetzt</span><h4>Koch</h4></div>`, []string{"Maler"}},
		"closed for now, in English": {"en", `<h1>Open positions</h1><div class="area"><span class="badge">Currently closed</span><h4>Boat Painter</h4></div><div class="area"><span class="badge">Open</span><h4>Dock Manager</h4></div><div class="area"><span class="badge">Currently closed</span><h4>Ship Cook</h4></div>`, []string{"Dock Manager"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := readsPage(t, test.lang, test.body)
			require.Equal(t, test.titles, rolesOf(l), l.Trail)
		})
	}
}

func TestAnEntryBuiltLikeTheOthersIsReadOrCounted(t *testing.T) {
	t.Parallel()
	long := "Research Associate (m/f/d) at the Chair of Harbour Engineering " + strings.Repeat("and the Maintenance of Boats and Moorings ", 5) + "(part-time, 75 %)"
	l := readsPage(t, "en", `<h1>Open positions</h1><ul class="jobs">`+entries(0, 4, "")+`<li class="job" ><a href="/jobs/9"><h3>`+long+`</h3></a><span class="where">Lisbon, Portugal</span></li></ul>`)
	require.Equal(t, append(slices.Clone(trades[:4]), long), rolesOf(l))
	require.Equal(t, boardwatch.HealthOK, l.Reading.Normalize().Health, l.Reading.Reason)

	for name, title := range map[string]string{
		"nothing": "", "a picture": `<img src="/t.png">`, "a sign": "–", "a text": strings.Repeat("We look for people who like the sea. You paint all day. ", 12),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, body := range []string{
				`<ul class="jobs">` + entries(0, 4, "") + `<li class="job" ><a href="/jobs/9"><h3>` + title + `</h3></a><span class="where">Lisbon, Portugal</span></li></ul>`,
				`<table><tr><th>Role</th><th>Place</th><th></th></tr><tr><td>Boat Painter</td><td>Porto</td><td><a href="/jobs/7">Apply</a></td></tr><tr><td>` + title + `</td><td>Porto</td><td><a href="/jobs/8">Apply</a></td></tr><tr><td>Dock Manager</td><td>Porto</td><td><a href="/jobs/9">Apply</a></td></tr></table>`,
			} {
				r := readsPage(t, "en", `<h1>Open positions</h1>`+body).Reading.Normalize()
				require.Equal(t, boardwatch.HealthPartial, r.Health, r.Reason)
				require.Equal(t, cause.BadRows, r.Cause, r.Reason)
			}
		})
	}
}

func TestPlacesAreRead(t *testing.T) {
	t.Parallel()
	list := func(titles ...string) string {
		var b strings.Builder
		for _, title := range titles {
			b.WriteString(`<li><a href="/jobs/` + strings.ReplaceAll(title, " ", "-") + `">` + title + `</a></li>`)
		}
		return "<ul>" + b.String() + "</ul>"
	}
	tests := map[string]struct {
		lang, body string
		places     []string
	}{
		"a line for all":             {"en", `<h1>Open positions</h1><p>All positions are in Porto.</p>` + list("Boat Painter", "Dock Manager"), []string{"Porto", "Porto"}},
		"a line for all, in German":  {"de", `<h1>Offene Stellen</h1><p>Alle Stellen sind in Eckernförde.</p>` + list("Bootsmaler", "Dockleiter"), []string{"Eckernförde", "Eckernförde"}},
		"a line for all, in French":  {"fr", `<h1>Postes à pourvoir</h1>` + list("Peintre", "Soudeur") + `<p>Tous les postes sont basés à Lorient.</p>`, []string{"Lorient", "Lorient"}},
		"a line for all, in Spanish": {"es", `<h1>Ofertas de empleo</h1><p>Todas las vacantes son en Gijón.</p>` + list("Pintor", "Soldador"), []string{"Gijón", "Gijón"}},
		"a label for all":            {"en", `<h1>Open positions</h1><p>Location: Leixões</p>` + list("Boat Painter", "Dock Manager"), []string{"Leixões", "Leixões"}},
		"tabs in order": {"de", `<h1>Offene Stellen</h1><ul class="tabs" role="tablist"><li><a role="tab" href="#x1">Altdorf</a></li><li><a role="tab" href="#x2">Neustadt</a></li></ul><div><div role="tabpanel">` +
			list("Bootsmaler", "Dockleiter") + `</div><div role="tabpanel" hidden>` + list("Koch", "Schlosser") + `</div></div>`, []string{"Altdorf", "Altdorf", "Neustadt", "Neustadt"}},
		"a label that a style sheet writes": {"en", `<h1>Current vacancies</h1><table><tr><td data-th="Job title">Boat Painter</td><td data-th="Place">Hollowby</td><td><a href="/jobs/1">Apply</a></td></tr>` +
			`<tr><td data-th="Job title">Dock Manager</td><td data-th="Place">Hollowby</td><td><a href="/jobs/2">Apply</a></td></tr></table>`, []string{"Hollowby", "Hollowby"}},
		"a column in Polish": {"pl", `<h1>Oferty pracy</h1><table><tr><th>Stanowisko</th><th>Miejsce pracy</th></tr><tr><td><a href="/jobs/1">Spawacz</a></td><td>Ustka</td></tr><tr><td><a href="/jobs/2">Księgowa</a></td><td>Hel</td></tr></table>`, []string{"Ustka", "Hel"}},
		"a column in Czech":  {"cs", `<h1>Volná místa</h1><table><tr><th>Pozice</th><th>Místo výkonu práce</th></tr><tr><td><a href="/jobs/1">Svářeč</a></td><td>Lovosice</td></tr><tr><td><a href="/jobs/2">Účetní</a></td><td>Mělník</td></tr></table>`, []string{"Lovosice", "Mělník"}},
		"a column in Greek":  {"el", `<h1>Θέσεις εργασίας</h1><table><tr><th>Θέση</th><th>Τοποθεσία</th></tr><tr><td><a href="/jobs/1">Λογιστής</a></td><td>Χανιά</td></tr><tr><td><a href="/jobs/2">Μηχανικός</a></td><td>Σύρος</td></tr></table>`, []string{"Χανιά", "Σύρος"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := readsPage(t, test.lang, test.body)
			var places []string
			for _, p := range l.Reading.Postings {
				places = append(places, p.Location)
			}
			require.Equal(t, test.places, places, "%s %v", l.Trail, l.Reading.Postings)
		})
	}
}

// One address with several places has all of them, in whatever order its rows stand.
func TestOneRoleInSeveralPlaces(t *testing.T) {
	t.Parallel()
	row := map[string]func(place string) string{
		"cards": func(place string) string {
			return `<li class="job"><a href="/jobs/sa"><h3>Store Associate</h3></a><span class="location">` + place + `</span></li>`
		},
		"rows": func(place string) string {
			return `<tr><td><a href="/jobs/sa">Store Associate</a></td><td>` + place + `</td></tr>`
		},
		"links": func(place string) string {
			return `<a class="job" href="/jobs/sa"><h3>Store Associate</h3><p>` + place + `</p></a>`
		},
		"tracked links": func(place string) string {
			return `<div class="job"><h3><a href="/jobs/sa?utm_source=` + place + `">Store Associate</a></h3><div class="place">` + place + `</div></div>`
		},
	}
	around := map[string][2]string{"cards": {"<ul>", "</ul>"}, "rows": {"<table><tr><th>Job</th><th>Location</th></tr>", "</table>"}}
	for name, row := range row {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, places := range [][]string{{"Berlin", "Hamburg", "Bonn"}, {"Hamburg", "Bonn", "Berlin"}, {"Bonn", "Berlin", "Hamburg"}} {
				var rows strings.Builder
				for _, place := range places {
					rows.WriteString(row(place))
				}
				other := strings.NewReplacer("/jobs/sa", "/jobs/dm", "Store Associate", "Dock Manager")
				body := around[name][0] + rows.String() + other.Replace(row("Kiel")) + around[name][1]
				r := readsPage(t, "en", `<h1>Open positions</h1>`+body).Reading.Normalize()
				require.Len(t, r.Postings, 2, r.Postings)
				require.Equal(t, "Berlin; Bonn; Hamburg", r.Postings[0].Location)
				require.Equal(t, "Kiel", r.Postings[1].Location)
				require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			}
		})
	}
}

// Postings that name the page itself as their address are as many roles.
func TestPostingsAtThePageItself(t *testing.T) {
	t.Parallel()
	posting := func(title, place, number, address string) string {
		return fmt.Sprintf(`{"@context":"https://schema.org","@type":"JobPosting",%s,"identifier":{"@type":"PropertyValue","value":%q},"jobLocation":{"@type":"Place","address":{"addressLocality":%q}},"url":%q}`, title, number, place, address)
	}
	const at = "https://careers.fernhollow.example/jobs"
	for name, block := range map[string]string{
		"the page":        posting(`"title":"Boat Painter"`, "Porto", "1", at) + "," + posting(`"title":"Dock Manager"`, "Faro", "2", at) + "," + posting(`"title":"Boat Painter"`, "Lagos", "3", at),
		"with a slash":    posting(`"title":"Boat Painter"`, "Porto", "1", at+"/") + "," + posting(`"title":"Dock Manager"`, "Faro", "2", at+"/") + "," + posting(`"title":"Boat Painter"`, "Lagos", "3", at+"/"),
		"fragments":       posting(`"title":"Boat Painter"`, "Porto", "1", at+"#a") + "," + posting(`"title":"Dock Manager"`, "Faro", "2", at+"#b") + "," + posting(`"title":"Boat Painter"`, "Lagos", "3", at+"#c"),
		"one fragment":    posting(`"title":"Boat Painter"`, "Porto", "1", at+"#apply") + "," + posting(`"title":"Dock Manager"`, "Faro", "2", at+"#apply") + "," + posting(`"title":"Boat Painter"`, "Lagos", "3", at+"#apply"),
		"no numbers":      posting(`"title":"Boat Painter"`, "Porto", "", at) + "," + posting(`"title":"Dock Manager"`, "Faro", "", at) + "," + posting(`"title":"Boat Painter"`, "Lagos", "", at),
		"only a fragment": posting(`"title":"Boat Painter"`, "Porto", "1", "#x") + "," + posting(`"title":"Dock Manager"`, "Faro", "2", "#x") + "," + posting(`"title":"Boat Painter"`, "Lagos", "3", "#x"),
		"names":           posting(`"name":"Boat Painter"`, "Porto", "1", at) + "," + posting(`"title":"","name":"Dock Manager"`, "Faro", "2", at) + "," + posting(`"title":null,"name":"Boat Painter"`, "Lagos", "3", at),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := `<article class="job"><h3>Boat Painter</h3><p class="place">Porto</p></article><article class="job"><h3>Dock Manager</h3><p class="place">Faro</p></article><article class="job"><h3>Boat Painter</h3><p class="place">Lagos</p></article>`
			for _, body := range []string{"", `<h1>Open positions</h1>` + shown} {
				r := readsPage(t, "en", body+`<script type="application/ld+json">[`+block+`]</script>`).Reading.Normalize()
				var got []string
				for _, p := range r.Postings {
					got = append(got, p.Title+" in "+p.Location)
				}
				require.Equal(t, []string{"Boat Painter in Porto", "Dock Manager in Faro", "Boat Painter in Lagos"}, got)
			}
		})
	}
}

// A page that says what it has to say is not rendered by JavaScript, whatever else stands on it.
func TestAStaticPageIsNotCalledRendered(t *testing.T) {
	t.Parallel()
	prose := `<h1>Working with us</h1>` + strings.Repeat(`<p>We look after boats, from the first plank to the last coat of paint, and we like to do it well and without haste.</p>`, 4)
	for name, beside := range map[string]string{
		"a loader":         `<div class="loader"></div>`,
		"a preloader":      `<div class="preloader"><div class="spinner"><span>Loading</span></div></div>`,
		"a spinner":        `<div class="spinner-border" role="status"><span class="sr-only">Loading...</span></div>`,
		"a noscript":       `<noscript>You need to enable JavaScript to run this app.</noscript>`,
		"an empty app":     `<div id="app"></div>`,
		"an empty root":    `<div id="root"></div><div id="__next"></div>`,
		"something busy":   `<div aria-busy="true"></div>`,
		"an app with text": `<div id="app"><p>Chat</p></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, body := range []string{beside + prose, prose + beside} {
				r := readsPage(t, "en", body+`<script src="/a.js"></script>`).Reading
				require.Equal(t, cause.NoList, r.Cause, r.Reason)
			}
			r := readsPage(t, "en", beside+`<h1>Open positions</h1>`+entries(0, 4, "")+`<script src="/a.js"></script>`).Reading.Normalize()
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
	for name, body := range map[string]string{
		"an app":             `<div id="app"></div>`,
		"an empty list":      prose + `<h2>Open positions</h2><div class="jobs-list"></div>`,
		"a list that waits":  prose + `<h2>Open positions</h2><div class="spinner"></div>`,
		"entries that wait":  prose + `<ul class="jobs"><li class="skeleton"></li><li class="skeleton"></li></ul>`,
		"a template":         prose + `<h2>Open positions</h2><div>{{job.title}}</div>`,
		"other text beside":  `<h1>Join us</h1><section><h2>Start here</h2><div class="p"><h3>Curricular internship</h3><p>Three months.</p></div><div class="p"><h3>Junior consultant</h3><p>For graduates.</p></div></section><section><h2>Open positions</h2><div id="jobs-list"></div></section>`,
		"nothing but script": ``,
	} {
		r := readsPage(t, "en", body+`<script src="/a.js"></script>`).Reading
		require.Equal(t, cause.NeedsBrowser, r.Cause, "%s: %s", name, r.Reason)
		require.Empty(t, r.Postings, name)
	}
}

// What working at the company is called is no role.
func TestWorkingAtTheCompanyIsNoRole(t *testing.T) {
	t.Parallel()
	for lang, heading := range map[string]string{
		"en": "Working at Fernhollow", "de": "Arbeiten bei Fernhollow", "fr": "Travailler chez Fernhollow", "es": "Trabajar en Fernhollow",
		"it": "Lavorare in Fernhollow", "pt": "Trabalhar na Fernhollow", "nl": "Werken bij Fernhollow", "sv": "Jobba hos Fernhollow", "pl": "Praca w Fernhollow",
	} {
		r := readsPage(t, lang, `<div class="box"><h2>`+heading+`</h2><p>Fernhollow builds and repairs small wooden boats for people who live by the water.</p></div><div class="box"><form><input name="name"><button>OK</button></form></div>`).Reading
		require.Empty(t, r.Postings, heading)
	}
}
