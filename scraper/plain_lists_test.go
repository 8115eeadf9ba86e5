package scraper_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A label around a tick is a choice wherever it stands, and the roles beside it are read.
func TestALabelAroundATickIsNoRole(t *testing.T) {
	t.Parallel()
	for name, tick := range map[string]string{
		"box":   `<label><input type="checkbox" value="x"> `,
		"radio": `<label class="pick"><input type="radio" name="x"><span></span> `,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ticks := `<div class="picks">` + tick + `Crane Operator</label>` + tick + `Dock Supervisor</label>` + tick + `Paint Sprayer</label></div>`
			r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+ticks)), followedPage)
			require.Empty(t, r.Postings)
			require.NotEqual(t, boardwatch.HealthOK, r.Health)

			r = read(t, anywhere(careersPage(`<h2>Open positions</h2>`+ticks+`<ul><li><a href="/jobs/rigger">Rigger</a></li><li><a href="/jobs/welder">Welder</a></li></ul>`)), followedPage)
			require.Equal(t, []string{"Rigger", "Welder"}, names(r))
		})
	}
}

// In a list of openings that is written as plain text, the bold beginning of each point is its title.
func TestTheBoldBeginningOfAPointIsARole(t *testing.T) {
	t.Parallel()
	points := func(heading, before, after string) []byte {
		return careersPage(`<h2>` + heading + `</h2><ul>` +
			before + `Rigger` + after + ` sets up masts and looks after the standing rigging of thirty boats.</li>` +
			before + `Yard Electrician` + after + ` wires cabins, mends pumps and keeps the shore power of the harbour running.</li></ul>`)
	}
	for name, page := range map[string][]byte{
		"strong":         points("Open positions", `<li><strong>`, `:</strong>`),
		"bold":           points("Job openings", `<li><b>`, `: </b>`),
		"in a paragraph": points("Current vacancies", `<li><p><strong>`, `:</strong>`),
		"French":         points("Offres d'emploi", `<li><strong>`, ` :</strong>`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(page), followedPage)
			require.Equal(t, []string{"Rigger", "Yard Electrician"}, names(r))
		})
	}
	for name, page := range map[string][]byte{
		"of another matter": []byte(`<!doctype html><html><head><title>Northwind Yard</title></head><body><h1>Our crew</h1><h2>Who works here</h2><ul>` +
			`<li><strong>Rigger:</strong> sets up masts and looks after the standing rigging of thirty boats.</li>` +
			`<li><strong>Yard Electrician:</strong> wires cabins and keeps the shore power of the harbour running.</li></ul></body></html>`),
		"inside a sentence": points("Open positions", `<li>Whoever comes as <strong>`, `</strong>`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, read(t, anywhere(page), followedPage).Postings)
		})
	}

	described := func(title string) string {
		return `<h3>` + title + `</h3><ul><li><strong>Electrical work:</strong> cabins, pumps and the shore power of the whole harbour.</li><li><strong>Place:</strong> Leith</li></ul>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+described("Rigger")+described("Welder"))), followedPage)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
}

// Among links to places on the page where roles are described, one that names a department may be a role.
func TestADepartmentAmongLinksToRolesOnThePageCastsDoubt(t *testing.T) {
	t.Parallel()
	described := func(id, title string) string {
		return `<h3 id="` + id + `">` + title + `</h3><p>You work in the yard in Leith and mend what the winter broke.</p>`
	}
	list := func(third string) []byte {
		return careersPage(`<h2>Open positions</h2><ul><li><a href="#rigger">Rigger</a></li><li><a href="#welder">Welder</a></li>` + third + `</ul>` +
			described("rigger", "Rigger") + described("welder", "Welder"))
	}
	r := read(t, anywhere(list("")), followedPage)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	for _, department := range []string{"Marketing", "Finance", "Operations"} {
		r = read(t, anywhere(list(`<li><a href="#third">`+department+`</a></li>`)), followedPage)
		require.Equal(t, boardwatch.HealthPartial, r.Health, department)
		r = read(t, anywhere(list(`<li><a href="/about/third">`+department+`</a></li>`)), followedPage)
		require.Equal(t, boardwatch.HealthOK, r.Health, department)
		third := `<li><a href="#third">` + department + `</a></li>`
		r = read(t, anywhere(bytes.Replace(list(third), []byte(`<footer>`), []byte(described("third", department)+`<footer>`), 1)), followedPage)
		require.Equal(t, []string{"Rigger", "Welder", department}, names(r), "described as the others are")
	}
}

// A system says in its own words that a list has no entries: under a heading of openings, no role is open.
func TestTheEmptyListOfASystemHasNoRoles(t *testing.T) {
	t.Parallel()
	const open = `<h2>Open positions</h2>`
	for name, body := range map[string]string{
		"Webflow":          open + `<div class="w-dyn-list"><div class="w-dyn-empty"><div>No items found.</div></div></div>`,
		"Drupal":           open + `<div class="view view-jobs"><div class="view-empty"><p>There is nothing to show at the moment.</p></div></div>`,
		"Elementor":        open + `<div class="elementor-posts-nothing-found">It seems we can't find what you're looking for.</div>`,
		"Webflow, German":  `<h2>Offene Stellen</h2><div class="w-dyn-list"><div class="w-dyn-empty"><div>Keine Einträge gefunden.</div></div></div>`,
		"Webflow, Spanish": `<h2>Vacantes</h2><div class="w-dyn-list"><div class="w-dyn-empty"><div>No hay elementos.</div></div></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(body)), followedPage)
			require.Empty(t, r.Postings)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
	const empty = `<div class="w-dyn-list"><div class="w-dyn-empty"><div>No items found.</div></div></div>`
	for name, body := range map[string]string{
		"entries of another list": open + empty + `<div class="w-dyn-list"><div class="w-dyn-item">A welcome from the yard</div></div>`,
		"another matter":          `<h2>From our blog</h2>` + empty,
		"says something else":     open + `<div class="w-dyn-list"><div class="w-dyn-empty"><div>Loading entries.</div></div></div>`,
		"not of a system":         open + `<div class="list"><div>No items found.</div></div>`,
		"not shown":               open + `<div class="w-dyn-list"><div class="w-dyn-empty" hidden><div>No items found.</div></div></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, boardwatch.HealthOK, read(t, anywhere(careersPage(body)), followedPage).Health)
		})
	}
}

// The line that says where a role is may also say what kind of work it is.
func TestThePlaceEndsBeforeTheKindOfWork(t *testing.T) {
	t.Parallel()
	for said, place := range map[string]string{
		"Pier 4 · Full-time":            "Pier 4",
		"Leith, Scotland | Part-time":   "Leith, Scotland",
		"Leith • Pier 4 • Full-time":    "Leith • Pier 4",
		"Leith · Pier 4":                "Leith · Pier 4",
		"Pier 4 · Permanent, full-time": "Pier 4",
		"Pier 4":                        "Pier 4",
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			for _, class := range []string{"where", "job-location"} {
				card := func(title string) string {
					return `<li><h3>` + title + `</h3><p class="` + class + `">` + said + `</p><a href="/jobs/` + title + `">Apply</a></li>`
				}
				r := read(t, anywhere(careersPage(`<h2>Open positions</h2><ul>`+card("Rigger")+card("Welder")+`</ul>`)), followedPage)
				require.Equal(t, []string{"Rigger", "Welder"}, names(r))
				require.Equal(t, place, r.Postings[0].Location, class)
			}
		})
	}
}
