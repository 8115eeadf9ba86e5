package scraper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A title may say that it is one of an opening; several that do are roles, and no headings of openings.
func TestTitlesThatSayThatTheyAreOpeningsAreRoles(t *testing.T) {
	t.Parallel()
	page := func(heading string, titles ...string) []byte {
		var body strings.Builder
		body.WriteString(`<h2>` + heading + `</h2>`)
		for i, title := range titles {
			body.WriteString(`<div class="entry"><h3>` + title + `</h3><p>You mend what the winter broke, with five others in our yard.</p><a href="/yard/` + string(rune('a'+i)) + `">More</a></div>`)
		}
		return careersPage(body.String())
	}
	for heading, titles := range map[string][]string{
		"Vacatures":      {"Vacature Lasser", "Senior Projectmanager", "Vacature Software Engineer"},
		"Open positions": {"Vacancy Ship Engineer", "Vacancy Dock Technician", "Boat Builder"},
		"Offene Stellen": {"Stellenausschreibung Schweißer", "Stellenausschreibung Elektriker", "Bootsbauer"},
		"Our vacancies":  {"We are hiring a Ship Engineer", "We are hiring a Dock Technician", "Boat Builder"},
	} {
		t.Run(heading, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(page(heading, titles...)), followedPage)
			require.Equal(t, titles, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
	r := read(t, anywhere(page("Open positions", "Rigger", "Welder", "All vacancies")), followedPage)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
}

// An entry written as the roles are, with a word of other matter in its text, casts doubt.
func TestAnEntryThatNamesOtherMatterCastsDoubt(t *testing.T) {
	t.Parallel()
	entry := func(title, address string) string {
		return `<div class="entry"><a href="` + address + `"><img src="/yard.jpg" width="400"></a><h3>` + title + `</h3><p>You mend what the winter broke, with five others in our yard.</p></div>`
	}
	roles := entry("Rigger", "/yard/a") + entry("Welder", "/yard/b") + entry("Boat Builder", "/yard/c")
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+roles)), followedPage)
	require.Equal(t, []string{"Rigger", "Welder", "Boat Builder"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)

	r = read(t, anywhere(careersPage(`<h2>Open positions</h2>`+roles+entry("Voice of Northwind Post and of its Partners", "/yard/d"))), followedPage)
	require.Equal(t, []string{"Rigger", "Welder", "Boat Builder"}, names(r))
	require.Equal(t, boardwatch.HealthPartial, r.Health)
}
