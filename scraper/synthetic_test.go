package scraper_test

import (
	"fmt"
	stdhtml "html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// invented is a careers page made by rules, and the roles on it.
type invented struct {
	name    string
	address string
	page    string
	want    listing
}

// inventor makes pages: the same from the same seed.
type inventor struct {
	*rand.Rand
	t      tongue
	linked bool
	ids    int
	class  func(string) string
	roles  []inventedRole
}

type inventedRole struct {
	title, place, team, href string
}

// invent makes page number n: its shape, language and decoys follow from the number.
func invent(n int) invented {
	all, forms := tongues(), shapes()
	v := &inventor{Rand: rand.New(rand.NewPCG(uint64(n), 7)), t: all[n%len(all)]}
	form := forms[(n/len(all)+n)%len(forms)]
	v.linked = !form.unlinked && (form.linked || v.IntN(4) > 0)
	v.class = [...]func(string) string{
		func(s string) string { return s },
		func(s string) string { return "c-" + s + "__item" },
		func(s string) string { return fmt.Sprintf("css-%x%d", len(s)*7919, len(s)) },
		func(string) string { return "flex items-center p-4" },
	}[v.IntN(4)]
	count := [...]int{1, 2, 3, 5, 8, 13, 24}[v.IntN(7)]
	v.draw(min(count, len(v.t.titles)))
	body := form.write(v)
	p := invented{
		name: fmt.Sprintf("%03d %s %s, %d roles", n, v.t.code, form.name, len(v.roles)), address: "https://www.pumps.example" + strings.TrimSuffix(v.t.path, "/"),
		page: v.around(body),
	}
	for _, r := range v.roles {
		role := struct{ Title, Location, Department, URL string }{Title: r.title, Location: r.place, Department: r.team}
		if r.href != "" {
			role.URL = "https://www.pumps.example" + r.href
		}
		p.want.Roles = append(p.want.Roles, role)
	}
	return p
}

// draw takes different titles, each with a place, a team and an address.
func (v *inventor) draw(n int) {
	for _, i := range v.Perm(len(v.t.titles))[:n] {
		r := inventedRole{title: v.t.titles[i], place: v.pick(v.t.places), team: v.pick(v.t.teams)}
		if v.linked {
			v.ids++
			r.href = [...]string{
				fmt.Sprintf("%s%d-role", v.t.path, 1000+v.ids*17), fmt.Sprintf("%s%d", v.t.path, 52000+v.ids), fmt.Sprintf("%sdetail?id=%d", v.t.path, v.ids),
			}[n%3]
		}
		v.roles = append(v.roles, r)
	}
}

func (v *inventor) pick(list []string) string { return list[v.IntN(len(list))] }

func (v *inventor) anchor(r inventedRole, text string) string {
	if r.href == "" {
		return esc(text)
	}
	return `<a href="` + esc(r.href) + `">` + esc(text) + `</a>`
}

func esc(s string) string { return stdhtml.EscapeString(s) }

// around is the page that the list stands on: navigation, a word about the company, and what only looks like roles.
func (v *inventor) around(list string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="%s"><head><meta charset="utf-8"><title>%s | Pumps</title><script>var x={"page":"careers"};</script></head><body>`, v.t.code, esc(v.t.heading))
	b.WriteString(`<header><nav><ul><li><a href="/">Pumps</a></li><li><a href="/products">Products</a></li><li><a href="/products/p200">P200</a></li><li><a href="/about">About</a></li></ul></nav></header><main>`)
	fmt.Fprintf(&b, `<section><h1>%s</h1><p>%s</p></section>`, esc([...]string{v.t.heading, "Pumps"}[v.IntN(2)]), esc(v.t.about))
	decoys := []string{v.benefits(), v.steps(), ""}
	b.WriteString(decoys[v.IntN(3)])
	fmt.Fprintf(&b, `<section class="%s"><h2>%s</h2>%s`, v.class("jobs"), esc(v.t.heading), list)
	if v.IntN(3) == 0 {
		fmt.Fprintf(&b, `<p class="note"><a href="/contact">%s</a></p>`, esc(v.t.open))
	}
	b.WriteString(`</section>` + decoys[v.IntN(3)])
	b.WriteString(`</main><footer><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a><p>© Pumps</p></footer></body></html>`)
	return b.String()
}

func (v *inventor) benefits() string {
	var b strings.Builder
	b.WriteString(`<section class="why"><div class="grid">`)
	for _, text := range v.t.benefits {
		fmt.Fprintf(&b, `<div class="item"><h3>%s</h3><p>%s</p></div>`, esc(text), esc(v.t.about))
	}
	return b.String() + `</div></section>`
}

func (v *inventor) steps() string {
	var b strings.Builder
	b.WriteString(`<ol class="steps">`)
	for _, text := range v.t.steps {
		fmt.Fprintf(&b, `<li><strong>%s</strong><p>%s</p></li>`, esc(text), esc(v.t.about))
	}
	return b.String() + `</ol>`
}

// Two hundred careers pages in many shapes and twelve languages: nearly all roles are found, and hardly anything else is.
func TestInventedPages(t *testing.T) {
	t.Parallel()
	var all tally
	missed := make(map[string]int)
	for n := range 200 {
		p := invent(n)
		r := readQuietly(t, anywhere([]byte(p.page)), p.address)
		c := compare(p.want, r.Postings)
		all.add(c)
		if c.found < c.roles || c.wrong > 0 || r.Health != boardwatch.HealthOK {
			_, shape, _ := strings.Cut(p.name, " ")
			missed[shape]++
			t.Logf("%s: found %d, %d wrong, %s %s", p.name, c.found, c.wrong, r.Health, r.Reason)
		}
	}
	t.Logf("%d roles: recall %.4f, %d false (precision %.4f); places %.3f, departments %.3f, addresses %.3f of those found", all.roles, all.recall(), all.wrong, all.precision(),
		share(all.place, all.found), share(all.group, all.found), share(all.address, all.found))
	require.GreaterOrEqual(t, all.recall(), 0.995)
	require.GreaterOrEqual(t, all.precision(), 0.999)
	require.GreaterOrEqual(t, share(all.address, all.found), 0.99)
}
