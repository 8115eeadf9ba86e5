package page

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stops behind shortened words end no sentence.
func TestShortenedWordsInTitles(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"Asst. Librarian":                         true,
		"Techn. Zeichner / techn. Planer (m/w/d)": true,
		"Sachbearbeiter allg. Verwaltung (m/w/d)": true,
		"Mitarbeiter techn. Dienst":               true,
		"Работник зап. Цеха":                      true,
		"Fachkraft (m/w/d) stellvertr. Leitung":   true,
		"Koch (m/w/d) gesucht. Jetzt bewerben":    false,
		"“As a developer I do my work. It is good to see how all the people here help one another.”": false,
		"Monteur gesucht. Jetzt bewerben":     false,
		"Arbeite als Koch. Melde dich":        false,
		"Engineers at work. Join us":          false,
		"Become a nurse. Great pay":           false,
		"Techn. Zeichner gesucht. Melde dich": false,
		"Techn. Zeichner? Ja. Melde dich":     false,
	} {
		require.Equal(t, want, plausible(title), title)
	}
}

// A role whose title has a shortened word inside is read with the others, not passed over with ok.
func TestRoleWithShortenedWord(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><html lang="de"><head><title>Karriere</title></head><body><main><h1>Karriere</h1><h2>Offene Stellen</h2>` +
		`<div><h3>Monteur (m/w/d)</h3><p>Du baust auf.</p></div><div><h3>%s</h3><p>Du hilfst mit.</p></div><div><h3>Lagerist (m/w/d)</h3><p>Du packst ein.</p></div></main></body></html>`
	for _, title := range []string{"Techn. Zeichner / techn. Planer (m/w/d)", "Mitarbeiter allg. Dienste (m/w/d)", "Fachkraft stellv. Leitung", "Fachkraft (m/w/d) Verw. und zust. Leitung"} {
		u, err := url.Parse("https://www.haus.example/karriere")
		require.NoError(t, err)
		var titles []string
		for _, p := range Parse(fmt.Appendf(nil, page, title), u).Candidates(u).List().Reading.Postings {
			titles = append(titles, p.Title)
		}
		require.Equal(t, []string{"Monteur (m/w/d)", title, "Lagerist (m/w/d)"}, titles)
	}
}

// The title of a page is no text on it, even where something before its beginning moves it into the body.
func TestTitleInTheBodyIsNotShown(t *testing.T) {
	t.Parallel()
	page := "x\n" + `<!doctype html><html><head><title>Head Cook (m/w/d) | Northwind</title></head><body><h1>Head Cook (m/w/d)</h1>` +
		`<p>We look for a cook in Leith. Full-time, from May.</p><a href="mailto:jobs@northwind.example">Apply</a></body></html>`
	require.Equal(t, []string{"Head Cook (m/w/d)"}, titlesOf(t, page))
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	require.Equal(t, "Head Cook (m/w/d) | Northwind", Parse([]byte(page), u).title)
}
