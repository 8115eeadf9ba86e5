package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// advertPage is the page of a company with this heading, and with text below it that names no role.
func advertPage(heading, more string) []byte {
	return []byte(`<!doctype html><html><head><title>Kuusi</title></head><body><div id="menu"><ul><li><a href="/">Kuusi</a></li><li><a href="/bread">Bread</a></li></ul></div>
		<div class="text"><h1>` + heading + `</h1><p>The oven is warm from four o'clock on, and we share what it gives.</p><h2>What you do</h2><ul><li>Dough in the morning</li><li>Bread at noon</li></ul>` + more + `</div></body></html>`)
}

func TestAPageThatSeeksOneRoleIsItsAdvert(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{
		"Wir suchen: Schlosser":         "Schlosser",
		"Vacature: lasser":              "lasser",
		"Wanted: welder":                "welder",
		"We are looking for a welder":   "We are looking for a welder",
		"Koch gesucht!":                 "Koch gesucht!",
		"Haemme kokkia ja insinööri":    "Haemme kokkia ja insinööri",
		"Cercasi cameriere":             "Cercasi cameriere",
		"Nous recherchons un menuisier": "Nous recherchons un menuisier",
		"Poszukujemy: kierowca":         "kierowca",
	} {
		t.Run(heading, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(advertPage(heading, "")), followedPage)
			require.Equal(t, []string{want}, names(r), r.Reason)
			require.Equal(t, boardwatch.HealthPartial, r.Health, "it is one role at least, perhaps not the only one")
		})
	}
}

func TestAPageThatSeeksNoRoleIsNoAdvert(t *testing.T) {
	t.Parallel()
	for heading, more := range map[string]string{
		"We are looking for people who like to build things": "",
		"Wir suchen Sie":        "",
		"Welders for your site": "",
		"Vacature":              "",
		"Wir suchen: Fahrer":    `<p>Zurzeit haben wir keine offenen Stellen.</p>`,
		"Wir suchen: Schlosser": `<h2>Open positions</h2><div class="job-list" aria-busy="true"></div><script src="/app.js"></script>`,
		"Wir suchen: Lehrer":    `<form><label>E-mail</label><input name="login"><input type="password" name="p"></form>`,
	} {
		t.Run(heading, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, read(t, anywhere(advertPage(heading, more)), followedPage).Postings)
		})
	}
}

// A heading that reads like a role may stand above a list that a script is still to fill.
func TestAHeadingAboveAnEmptyListIsNotSurelyTheOnlyRole(t *testing.T) {
	t.Parallel()
	r := read(t, anywhere(advertPage("We are looking for a sheet welder", `<h2>Open positions</h2><div class="job-list" aria-busy="true"></div><script src="/app.js"></script>`)), followedPage)
	require.NotEqual(t, boardwatch.HealthOK, r.Health)
}

// A role that the page shows apart counts, and not what its heading seeks.
func TestAnAdvertIsLookedForOnlyWhereNothingIsListed(t *testing.T) {
	t.Parallel()
	r := read(t, anywhere(advertPage("Wir suchen: Schlosser", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"JobPosting","title":"Ship welder","url":"https://www.unsound.example/jobs/1"}</script>`)), followedPage)
	require.Equal(t, []string{"Ship welder"}, names(r))
}
