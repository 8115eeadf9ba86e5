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
