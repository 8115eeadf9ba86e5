package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// The bold beginning of a point is its title too when a sign after it, in plain text, ends it.
func TestASignBehindTheBoldBeginningOfAPointEndsTheTitle(t *testing.T) {
	t.Parallel()
	for name, sign := range map[string]string{"full stop": ".", "dash": " –", "long dash": " —", "hyphen": " -", "colon": ":"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h2>Open positions</h2><ul>`+
				`<li><strong>Rigger</strong>`+sign+` You set up masts and look after the standing rigging of thirty boats.</li>`+
				`<li><strong>Yard Electrician</strong>`+sign+` You wire cabins, mend pumps and keep the shore power of the harbour running.</li></ul>`)), followedPage)
			require.Equal(t, []string{"Rigger", "Yard Electrician"}, names(r))
		})
	}
}

// Words in bold inside a sentence are no title.
func TestBoldWordsInASentenceAreNoRole(t *testing.T) {
	t.Parallel()
	for name, point := range map[string]string{
		"bold":   `Become the <b>trusted advisor</b> sailors remember.`,
		"strong": `Become the <strong>trusted advisor</strong> whom children wave to.`,
		"italic": `Every <em>harbour advisor</em> began as you do.`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readQuietly(t, anywhere([]byte(`<!doctype html><html><head><title>Join our team | Northwind</title></head><body><h1>Join our team.</h1><p>Boats for everybody.</p>`+
				`<h2>Why partner with us?</h2><ul><li>Offer boats <b>beyond the usual ones</b>.</li><li>`+point+`</li><li><b>Simple knots, dry feet</b>, and tea at four.</li></ul></body></html>`)), followedPage)
			require.Empty(t, r.Postings)
		})
	}
}

// A plain line that says that openings follow is as good as a heading.
func TestAPlainLineAnnouncesOpenings(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"paragraph": `<p>Current available positions</p>`,
		"box":       `<div class="banner">Open positions</div>`,
		"colon":     `<p>Job openings:</p>`,
		"German":    `<p>Offene Stellen</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere([]byte(`<!doctype html><html><head><title>Northwind Yard</title></head><body><h2>Working here</h2><p>Write to mate@yard.example.</p>`+line+
				`<p class="entry">Full Time Boat Painter</p><p class="entry">Experienced Rigger</p><p class="entry">Part Time Yard Manager</p></body></html>`)), followedPage)
			require.Equal(t, []string{"Full Time Boat Painter", "Experienced Rigger", "Part Time Yard Manager"}, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

// An entry that goes on with what is said of the role is one of the list, by its title.
func TestALongEntryIsCalledByWhatStandsBeforeItsDash(t *testing.T) {
	t.Parallel()
	long := `we need two of them for the summer, one for the night tides and another for the days between, with a hand for ropes and a head for heights and a good pair of boots`
	for name, entry := range map[string]string{
		"hyphen":            `Rigger - ` + long,
		"dash":              `Rigger – ` + long,
		"hyphen in a name":  `Rigger - ` + long + ` - well-worn`,
		"hyphen before one": `Rig-ger - ` + long,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := []string{"Welder", "Rigger", "Dock Supervisor"}
			if name == "hyphen before one" {
				want = []string{"Welder", "Dock Supervisor"} // no role that is known
			}
			r := readQuietly(t, anywhere(careersPage(`<h2>Open positions</h2><p>Welder</p><p>`+entry+`</p><p>Dock Supervisor</p>`)), followedPage)
			require.Equal(t, want, names(r))
		})
	}
	r := readQuietly(t, anywhere(careersPage(`<h2>Open positions</h2><ul><li>Welder</li><li>Dock Supervisor</li></ul><p>Rigger - `+long+`</p>`)), followedPage)
	require.Equal(t, []string{"Welder", "Dock Supervisor"}, names(r), "a paragraph of its own is no entry")
}

// A word of other matter in a name says nothing where the entry leads to an address like those of the roles.
func TestAnEntryThatLeadsAsTheRolesDoIsOne(t *testing.T) {
	t.Parallel()
	card := func(title, to string) string {
		return `<div class="card"><a href="` + to + `"><img src="x.jpg"></a><h2>` + title + `</h2><p>Leith.</p></div>`
	}
	list := func(third string) []byte {
		return careersPage(`<h2>Open positions</h2>` + card("Rigger", "page1.php") + card("Welder", "page2.php") + card("Dock Supervisor", "page3.php") + third)
	}
	const title = "Caulker and Shipfitter (24–32 hours), Harper & Partners"
	r := read(t, anywhere(list(card(title, "page4.php"))), followedPage)
	require.Equal(t, []string{"Rigger", "Welder", "Dock Supervisor", title}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	for name, third := range map[string]string{"another address": card("Our partners", "/partners/harper"), "reads like no title": card("Our partners and friends", "page4.php")} {
		require.NotContains(t, names(readQuietly(t, anywhere(list(third)), followedPage)), "Our partners", name)
	}
}

// Below a page of jobs, only what follows the page's own path says what an address leads to.
func TestRolesBelowAPageOfJobsInAnotherPartOfTheSite(t *testing.T) {
	t.Parallel()
	const at = "https://www.company.example/about/jobs/"
	point := func(title, to string) string {
		return `<li><strong>` + title + `</strong>. You look after the boats that lie in the harbour over the winter. <a href="` + to + `">more...</a></li>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2><ul>`+point("Rigger", "/about/jobs/rigger")+point("Welder", "/about/jobs/welder")+`</ul>`)), at)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
	require.Equal(t, at+"rigger", r.Postings[0].URL)
	r = read(t, anywhere(careersPage(`<h2>Open positions</h2><ul>`+point("Rigger", "/about/harbour")+point("Welder", "/about/jobs/news/welder")+`</ul>`)), at)
	require.Equal(t, []string{"Rigger", "Welder"}, names(r))
	require.Empty(t, r.Postings[0].URL)
	require.Empty(t, r.Postings[1].URL)
}

// A guide lists trades as a company lists roles, but nobody can apply for them: such a page is never certain.
func TestAGuideToCareersIsNeverCertain(t *testing.T) {
	t.Parallel()
	guide := func(extra string) []byte {
		trade := func(id, title string) string {
			return `<section id="` + id + `"><h1>` + title + `</h1><p>Learn what the work is like and what it asks of those who do it.</p></section>`
		}
		return []byte(`<!doctype html><html><head><title>Northwind</title></head><body><header><nav><a href="/careers">Careers</a></nav></header><h1>Find your way</h1>` +
			trade("1", "Aerospace Engineer") + trade("2", "Data Scientist") + trade("3", "Accountant") + trade("4", "Marketing Manager") + extra + `</body></html>`)
	}
	r := readQuietly(t, anywhere(guide(``)), "https://www.guide.example/careers.html")
	require.NotEqual(t, boardwatch.HealthOK, r.Health)
	for name, extra := range map[string]string{
		"mailbox":   `<p><a href="mailto:mate@yard.example">Write to us</a></p>`,
		"text":      `<p>Write to mate@yard.example.</p>`,
		"telephone": `<a href="tel:+441310000000">Call the yard</a>`,
		"form":      `<form><input name="name"></form>`,
		"button":    `<button>Apply now</button>`,
		"openings":  `<p>We are hiring.</p>`,
	} {
		r = readQuietly(t, anywhere(guide(extra)), "https://www.guide.example/careers.html")
		require.Equal(t, boardwatch.HealthOK, r.Health, name)
	}
}
