package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// The small line above a heading says what the section is about when the heading speaks to the reader.
func TestTheLineAboveAHeadingSaysWhatFollows(t *testing.T) {
	t.Parallel()
	card := func(title, text string) string {
		return `<article class="card"><h3>` + title + `</h3><p>` + text + `</p></article>`
	}
	roles := card("Ship Engineers", "You can mend.") + card("Dock Technicians", "You can lift.") + card("Yard Assistants", "You can learn.")
	page := func(above string) []byte {
		return []byte(`<!doctype html><html><head><title>Northwind Yard</title></head><body><h1>Come aboard</h1><p>We build boats in Leith.</p>
			<section><div>` + above + `<h2>Who sails with us.</h2><p>The tide decides.</p></div>` + roles + `</section></body></html>`)
	}
	for name, above := range map[string]string{
		"a paragraph":   `<p class="over">Open positions</p>`,
		"a line inside": `<span class="over"><i></i>Open positions</span>`,
		"a box":         `<div class="over">Current vacancies</div>`,
		"German":        `<p class="over">Offene Stellen</p>`,
		"French":        `<p class="over">Offres d'emploi</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(page(above)), followedPage)
			require.Equal(t, []string{"Ship Engineers", "Dock Technicians", "Yard Assistants"}, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
	for name, above := range map[string]string{
		"nothing":        ``,
		"a button":       `<a href="#roles">Open positions</a>`,
		"another matter": `<p class="over">Who buys from us</p>`,
		"not shown":      `<p class="over" hidden>Open positions</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(page(above)), followedPage)
			require.NotEqual(t, boardwatch.HealthOK, r.Health)
		})
	}
}

// What can be ticked in a form is no role, while a panel that a tick opens may be one.
func TestWhatCanBeTickedInAFormIsNoRole(t *testing.T) {
	t.Parallel()
	tick := func(text string) string {
		return `<div class="field"><input type="checkbox" name="x"><label>` + text + `</label></div>`
	}
	form := `<form method="post"><h5>Which of these can you do?</h5>` + tick("Deck Maintenance (teak)") + tick("Crane Operator") + tick("Paint Sprayer") + `<button>Send</button></form>`
	r := read(t, anywhere(careersPage(form)), followedPage)
	require.Empty(t, r.Postings)
	require.Equal(t, boardwatch.HealthFailed, r.Health)

	r = read(t, anywhere(careersPage(`<h2>Open positions</h2><ul><li><a href="/jobs/rigger">Rigger</a></li><li><a href="/jobs/welder">Welder</a></li></ul>`+form)), followedPage)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)

	panel := func(title string) string {
		return `<div class="panel"><input type="checkbox" id="p"><label for="p">` + title + `</label><div class="inside">You work in Leith, full-time.</div></div>`
	}
	r = read(t, anywhere(careersPage(`<h2>Open positions</h2>`+panel("Rigger")+panel("Welder"))), followedPage)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
}

// Links with the same text on most cards say what they lead to: beside a role, its description in two languages is no other role.
func TestTheSameLinkOnMostCardsIsNoOtherRole(t *testing.T) {
	t.Parallel()
	card := func(title, file, first, second string) string {
		return `<h3>` + title + `</h3><p>You work in the yard.</p><p><a href="/files/` + file + `-no.pdf">` + first + `</a> <a href="/files/` + file + `-en.pdf">` + second + `</a></p>`
	}
	const first, second = "Detailed duties in Norwegian", "Detailed duties in English"
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("Rigger", "rigger", first, second)+card("Welder", "welder", first, second))), followedPage)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)

	r = read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("Rigger", "rigger", first, second)+card("Welder", "welder", "Caulking and tarring", second))), followedPage)
	require.Equal(t, boardwatch.HealthPartial, r.Health)
}
