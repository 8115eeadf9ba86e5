package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Roles, news and people are often written alike, and news and people bear the names of roles.
func TestReadKeepsRolesApartFromOtherMatter(t *testing.T) {
	t.Parallel()
	const (
		roles = `<ul><li><a href="/careers/senior-backend-engineer">Senior Backend Engineer</a></li><li><a href="/careers/product-designer">Product Designer</a></li><li><a href="/careers/account-executive">Account Executive</a></li></ul>`
		news  = `<ul><li><a href="/blog/1">How we hire engineers</a></li><li><a href="/blog/2">Northwind hires a new sales director</a></li><li><a href="/blog/3">What the sea taught our designers</a></li></ul>`
		team  = `<ul><li><a href="/team/ann-lee">Ann Lee, Lead Designer</a></li><li><a href="/team/bob-kim">Bob Kim, Software Engineer</a></li></ul>`
		opens = `<h2>Open positions</h2>` + roles
	)
	all := []string{"Senior Backend Engineer", "Product Designer", "Account Executive"}
	for name, tt := range map[string]struct {
		page string
		want []string
	}{
		"parts of their own":     {`<section>` + opens + `</section><section><h2>From our blog</h2>` + news + `</section><section><h2>Meet the team</h2>` + team + `</section>`, all},
		"headings only":          {opens + `<h2>From our blog</h2>` + news + `<h2>Meet the team</h2>` + team, all},
		"other matter first":     {`<h2>From our blog</h2>` + news + `<h2>Meet the team</h2>` + team + opens, all},
		"a heading like a group": {opens + `<h2>Our people</h2>` + team, all},
		"German": {`<h2>Offene Stellen</h2><ul><li><a href="/s/1">Backend-Entwickler (m/w/d)</a></li><li><a href="/s/2">Produktdesigner (m/w/d)</a></li></ul>` +
			`<h2>Aktuelles</h2><ul><li><a href="/a/1">Nordwind stellt 20 Ingenieure ein</a></li><li><a href="/a/2">Neue Vertriebsleiterin bei Nordwind</a></li></ul>` +
			`<h2>Unser Team</h2><ul><li><a href="/t/1">Anna Lee, Leiterin Design</a></li><li><a href="/t/2">Bernd Kim, Softwareentwickler</a></li></ul>`, []string{"Backend-Entwickler (m/w/d)", "Produktdesigner (m/w/d)"}},
		"a group of roles that is called like other matter": {`<h2>Open positions</h2><h3>Engineering</h3>` + roles + `<h3>Services</h3><ul><li><a href="/careers/service-technician">Service Technician</a></li></ul>`, append(all[:3:3], "Service Technician")},
		"roles that are read about as news":                 {opens + `<h2>News</h2><ul><li><a href="/careers/dock-worker">Dock Worker</a></li></ul>`, append(all[:3:3], "Dock Worker")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := `<!doctype html><title>Careers at Northwind</title><main><h1>Working at Northwind</h1>` + tt.page + `</main>`
			r := read(t, anywhere([]byte(page)), "https://www.northwind.example/careers")
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			var titles []string
			for _, p := range r.Postings {
				titles = append(titles, p.Title)
			}
			require.ElementsMatch(t, tt.want, titles)
		})
	}
}

// What stands under another heading than the roles is another list, however alike it is written, unless it may be roles as well.
func TestReadLeavesOutWhatStandsUnderOtherHeadings(t *testing.T) {
	t.Parallel()
	card := func(title, text string) string {
		return `<div class="box"><div class="text"><h4>` + title + `</h4><p>` + text + `</p></div></div>`
	}
	point := func(title, rest string) string { return `<li><strong>` + title + `</strong>` + rest + `</li>` }
	gains := card("Horario de verano", "De siete a tres.") + card("Formación continua", "Catas e idiomas.") + card("Aceite en casa", "Cinco litros al año.")
	roles := card("Técnico de laboratorio", "En el molino.") + card("Conductor de camión", "De la sierra al puerto.")
	posts := `<ul>` + point("Laboratory Manager", " (full-time)") + point("Research Engineer", " (two years)") + `</ul>`
	for name, tt := range map[string]struct {
		page string
		want []string
	}{
		"benefits before the roles": {`<h1>Trabaja con nosotros</h1><div class="row"><h2>Por qué el Molino</h2>` + gains + `</div><div class="row"><h2>Puestos vacantes</h2>` + roles + `</div>`, []string{"Técnico de laboratorio", "Conductor de camión"}},
		"topics and former members after them": {
			`<h1>The group</h1><h2>Open positions</h2>` + posts + `<h2>Topics</h2><ul>` + point("Sorting of what floats in curved membranes", " (MSc)") + point("Automated analysis", " (BSc)") +
				`</ul><h2>Alumni</h2><ul>` + point("Dr. Hana Ko", ", now in Oriel") + point("Ben Achter", ", now in Delft") + `</ul>`, []string{"Laboratory Manager", "Research Engineer"},
		},
		"departments as high as the heading above": {
			`<h1>Careers</h1><h2>Open positions</h2>` + posts + `<h2>Marketing</h2><ul>` + point("Brand Designer", " (full-time)") + point("Press Officer", " (full-time)") + `</ul>`,
			[]string{"Laboratory Manager", "Research Engineer", "Brand Designer", "Press Officer"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere([]byte(`<!doctype html><html><head><title>Northwind</title></head><body><main>`+tt.page+`</main></body></html>`)), followedPage)
			require.Equal(t, tt.want, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			for _, p := range r.Postings {
				require.NotEqual(t, "Open positions", p.Department)
			}
		})
	}
}
