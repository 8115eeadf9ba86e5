//go:build chaos

package chaos_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// Companies' own pages: each is a vendor of its own kind, on a host for every company.

func pages() []systems.System {
	return []systems.System{
		onHost("links", "cove", "http", renderLinks),
		onHost("structured", "dune", "https", renderStructured),
	}
}

// drawnPages need a browser: one of them renders data that it fetches, the other computes its content itself.
func drawnPages() []systems.System {
	fetched := onHost("fetched", "fjord", "http", renderData)
	fetched.List = func(r *http.Request) string {
		if label, ok := strings.CutSuffix(r.Host, ".fjord.example"); ok && r.URL.Path == "/api/roles" {
			return label
		}
		return ""
	}
	return []systems.System{fetched, onHost("computed", "geyser", "http", renderComputed)}
}

func onHost(name, prefix, scheme string, render func(token string, roles []systems.Role, total int) (string, string)) systems.System {
	domain := "." + prefix + ".example"
	return systems.System{
		Name: name, Prefix: prefix, Page: true,
		Address: func(t string) string { return scheme + "://" + t + domain + "/careers" },
		Role:    func(t string, n int) string { return fmt.Sprintf("%s://%s%s/careers/%d", scheme, t, domain, 4000+n) },
		List: func(r *http.Request) string {
			if label, ok := strings.CutSuffix(r.Host, domain); ok && r.URL.Path == "/careers" {
				return label
			}
			return ""
		},
		Render: render,
	}
}

const html = "text/html; charset=utf-8"

func document(token, title, head, body string) string {
	return fmt.Sprintf(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>%s</title><meta property="og:site_name" content="%s">%s</head>
<body><header><a href="/">%[2]s</a></header>%[4]s</body></html>
`, title, systems.Company(token), head, body)
}

const noRoles = `<main><h1>Open positions</h1><p>There are currently no open positions.</p></main>`

// renderLinks renders a list of links in repeated elements.
func renderLinks(token string, roles []systems.Role, _ int) (string, string) {
	if len(roles) == 0 {
		return html, document(token, "Careers", "", noRoles)
	}
	var b strings.Builder
	b.WriteString("<main><h1>Open positions</h1><p>We build instruments that listen to the sea.</p><ul class=\"positions\">\n")
	for _, r := range roles {
		fmt.Fprintf(&b, "<li class=\"position\"><h3><a href=\"/careers/%d\">%s</a></h3><span class=\"location\">%s</span> <span class=\"department\">%s</span></li>\n",
			4000+r.N, r.Title, r.Place, r.Team)
	}
	b.WriteString("</ul></main>")
	return html, document(token, "Careers at "+systems.Company(token), "", b.String())
}

// renderStructured renders a page with schema.org postings.
func renderStructured(token string, roles []systems.Role, _ int) (string, string) {
	if len(roles) == 0 {
		return html, document(token, "Careers", "", noRoles)
	}
	items := make([]systems.Object, 0, len(roles))
	for i, r := range roles {
		items = append(items, systems.Object{"@type": "ListItem", "position": i + 1, "item": systems.Object{
			"@type": "JobPosting", "title": r.Title, "url": fmt.Sprintf("/careers/%d", 4000+r.N),
			"hiringOrganization": systems.Object{"@type": "Organization", "name": systems.Company(token)},
			"jobLocation":        systems.Object{"@type": "Place", "address": systems.Object{"@type": "PostalAddress", "addressLocality": r.Place}},
		}})
	}
	_, data := systems.JSON(systems.Object{"@context": "https://schema.org", "@type": "ItemList", "itemListElement": items})
	return html, document(token, "Careers at "+systems.Company(token), `<script type="application/ld+json">`+data+`</script>`,
		"<main><h1>Careers</h1><p>Come and work by the sea: our people like it, from the first day to the last, and stay for years.</p></main>")
}

// renderData renders the data that the application on a page fetches.
func renderData(_ string, roles []systems.Role, _ int) (string, string) {
	return systems.JSON(systems.Object{"jobs": systems.Objects(roles, func(r systems.Role) systems.Object {
		return systems.Object{"id": 4000 + r.N, "title": r.Title, "location": r.Place, "department": r.Team}
	})})
}

// application is the page that fetches this data.
const application = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Careers</title></head><body><div id="root"></div><script>
const root = document.getElementById('root');
fetch('/api/roles').then(r => r.json()).then(d => {
  root.innerHTML = '<h1>Open positions</h1>' + (d.jobs.length ? '<ul>' + d.jobs.map(j => '<li><h3><a href="/careers/' + j.id + '">' + j.title +
    '</a></h3><p class="location">' + j.location + '</p><p class="department">' + j.department + '</p></li>').join('') + '</ul>' : '<p>There are currently no open positions.</p>') })
</script></body></html>`

// renderComputed renders a page whose roles only a browser can compute: their letters are scrambled.
func renderComputed(token string, roles []systems.Role, _ int) (string, string) {
	var b strings.Builder
	b.WriteString(`<div id="root"></div><script>
const rows = [`)
	for _, r := range roles {
		fmt.Fprintf(&b, "[%d,%q,%q],", 4000+r.N, reversed(r.Title), reversed(r.Place))
	}
	b.WriteString(`];
const turn = s => [...s].reverse().join('');
let out = '<h1>Open positions</h1><ul>';
for (const [id, title, place] of rows) out += '<li><h3><a href="/careers/' + id + '">' + turn(title) + '</a></h3><p class="location">' + turn(place) + '</p></li>';
document.getElementById('root').innerHTML = rows.length ? out + '</ul>' : '<p>There are currently no open positions.</p>';
</script>`)
	return html, document(token, "Careers", "", b.String())
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
