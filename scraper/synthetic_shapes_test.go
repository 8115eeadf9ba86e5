package scraper_test

import (
	"fmt"
	"strings"
)

// shape is a way to write a list of roles.
type shape struct {
	name     string
	linked   bool // only makes sense with a page for each role
	unlinked bool // only makes sense without
	write    func(v *inventor) string
}

func shapes() []shape {
	return []shape{
		{name: "plain list of links", linked: true, write: plainList},
		{name: "list with places", write: listWithPlaces},
		{name: "table with a header", write: table},
		{name: "table without a header", linked: true, write: bareTable},
		{name: "cards that are links", linked: true, write: linkCards},
		{name: "cards with a button", linked: true, write: buttonCards},
		{name: "accordion of details", unlinked: true, write: details},
		{name: "accordion of panels", unlinked: true, write: panels},
		{name: "grid of divs", write: grid},
		{name: "headings by team", write: byTeam},
		{name: "headings and text", unlinked: true, write: headings},
		{name: "articles", write: articles},
		{name: "definition list", write: definitions},
		{name: "rows of spans", linked: true, write: spanRows},
		{name: "bold lines", unlinked: true, write: boldLines},
		{name: "label lines", write: labelLines},
	}
}

// each joins what is written for every role.
func (v *inventor) each(write func(r *inventedRole) string) string {
	var b strings.Builder
	for i := range v.roles {
		b.WriteString(write(&v.roles[i]))
		b.WriteByte('\n')
	}
	return b.String()
}

func plainList(v *inventor) string {
	return `<ul>` + v.each(func(r *inventedRole) string {
		r.place, r.team = "", ""
		return `<li>` + v.anchor(*r, r.title) + `</li>`
	}) + `</ul>`
}

func listWithPlaces(v *inventor) string {
	return `<ul class="` + v.class("list") + `">` + v.each(func(r *inventedRole) string {
		r.team = ""
		return `<li><h3>` + v.anchor(*r, r.title) + `</h3><span class="location">` + esc(r.place) + `</span></li>`
	}) + `</ul>`
}

func table(v *inventor) string {
	return `<table><thead><tr><th>Job</th><th>` + esc(v.t.team) + `</th><th>` + esc(v.t.location) + `</th></tr></thead><tbody>` + v.each(func(r *inventedRole) string {
		return `<tr><td>` + v.anchor(*r, r.title) + `</td><td>` + esc(r.team) + `</td><td>` + esc(r.place) + `</td></tr>`
	}) + `</tbody></table>`
}

func bareTable(v *inventor) string {
	return `<table class="` + v.class("table") + `">` + v.each(func(r *inventedRole) string {
		r.team = ""
		return `<tr><td><a href=` + r.href + `>` + esc(r.title) + `</a></td><td>` + esc(r.place) + `</td><td><a href="` + r.href + `">` + esc(v.t.more) + `</a></td></tr>`
	}) + `</table>`
}

func linkCards(v *inventor) string {
	return `<div class="` + v.class("grid") + `">` + v.each(func(r *inventedRole) string {
		r.team = ""
		return fmt.Sprintf(`<a class="%s" href="%s"><div><h4>%s</h4><p>%s</p><span>%s</span></div></a>`, v.class("card"), esc(r.href), esc(r.title), esc(r.place), esc(v.t.more))
	}) + `</div>`
}

func buttonCards(v *inventor) string {
	return `<div>` + v.each(func(r *inventedRole) string {
		r.team = ""
		return fmt.Sprintf(`<div class="%s"><div class="%s"><h3>%s</h3><div class="meta"><span>%s</span><span>%s</span></div></div><a class="btn" href="%s">%s</a></div>`,
			v.class("card"), v.class("body"), esc(r.title), esc(r.place), esc(v.t.contract), esc(r.href), esc(v.t.apply))
	}) + `</div>`
}

func details(v *inventor) string {
	return v.each(func(r *inventedRole) string {
		r.place, r.team = "", ""
		return `<details><summary>` + esc(r.title) + `</summary><div><p>` + esc(v.t.about) + `</p><a href="mailto:jobs@pumps.example">` + esc(v.t.apply) + `</a></div></details>`
	})
}

func panels(v *inventor) string {
	i := 0
	return `<div class="accordion" id="acc">` + v.each(func(r *inventedRole) string {
		r.place, r.team = "", ""
		i++
		return fmt.Sprintf(`<div class="accordion-item"><h3 class="accordion-header"><button type="button" aria-controls="c%d">%s</button></h3><div id="c%d" class="collapse"><p>%s</p><ul><li>%s</li></ul><p><a href="mailto:jobs@pumps.example">%s</a></p></div></div>`,
			i, esc(r.title), i, esc(v.t.about), esc(v.t.contract), esc(v.t.apply))
	}) + `</div>`
}

func grid(v *inventor) string {
	return `<div class="` + v.class("grid") + `">` + v.each(func(r *inventedRole) string {
		return fmt.Sprintf(`<div class="%s"><div class="job-title">%s</div><div class="job-location">%s</div><div class="job-department">%s</div></div>`, v.class("tile"), v.anchor(*r, r.title), esc(r.place), esc(r.team))
	}) + `</div>`
}

func byTeam(v *inventor) string {
	var b strings.Builder
	var ordered []inventedRole
	for _, team := range v.t.teams {
		first := true
		for _, r := range v.roles {
			if r.team != team {
				continue
			}
			if first {
				b.WriteString(`<h3>` + esc(team) + `</h3>`)
				first = false
			}
			ordered = append(ordered, r)
			b.WriteString(`<div class="row"><h4>` + v.anchor(r, r.title) + `</h4><p class="place">` + esc(r.place) + `</p></div>`)
		}
	}
	v.roles = ordered
	return b.String()
}

func headings(v *inventor) string {
	return v.each(func(r *inventedRole) string {
		r.place, r.team = "", ""
		return `<h3>` + esc(r.title) + `</h3><p>` + esc(v.t.about) + `</p><ul><li>` + esc(v.t.contract) + `</li></ul>`
	})
}

func articles(v *inventor) string {
	return v.each(func(r *inventedRole) string {
		r.team = ""
		return `<article class="` + v.class("posting") + `"><header><h2>` + v.anchor(*r, r.title) + `</h2></header><p>` + esc(v.t.location) + `: ` + esc(r.place) + `</p><p>` + esc(v.t.about) + `</p></article>`
	})
}

func definitions(v *inventor) string {
	return `<dl>` + v.each(func(r *inventedRole) string {
		r.place, r.team = "", ""
		return `<dt>` + v.anchor(*r, r.title) + `</dt><dd>` + esc(v.t.about) + `</dd>`
	}) + `</dl>`
}

func spanRows(v *inventor) string {
	return v.each(func(r *inventedRole) string {
		return fmt.Sprintf(`<a class="%s" href="%s"><span class="title">%s</span><span class="department">%s</span><span class="location">%s</span></a>`, v.class("row"), esc(r.href), esc(r.title), esc(r.team), esc(r.place))
	})
}

func boldLines(v *inventor) string {
	return v.each(func(r *inventedRole) string {
		r.place, r.team = "", ""
		return `<p><strong>` + esc(r.title) + `</strong><br>` + esc(v.t.about) + `</p>`
	})
}

func labelLines(v *inventor) string {
	return v.each(func(r *inventedRole) string {
		return `<div class="` + v.class("entry") + `"><h3>` + v.anchor(*r, r.title) + `</h3><ul><li>` + esc(v.t.location) + `: ` + esc(r.place) + `</li><li>` + esc(v.t.team) + `: ` + esc(r.team) + `</li></ul></div>`
	})
}
