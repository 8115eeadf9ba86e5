package page

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func aboutUs(t *testing.T, text string) *Document {
	t.Helper()
	u, err := url.Parse("https://www.company.example/who")
	require.NoError(t, err)
	return Parse([]byte(text), u)
}

// What the people of a company are is no list of roles, unless the page speaks of jobs.
func TestPeopleAreNoRoles(t *testing.T) {
	t.Parallel()
	people := [][2]string{{"Ada Moor", "Head Chef"}, {"Ben Quarry", "Software Engineer"}, {"Cleo Marsh", "Welder"}, {"Dora Fenn", "Electrician"}}
	page := func(heading string, card func(name, title string) string) string {
		var b strings.Builder
		b.WriteString(`<!doctype html><html lang="en"><head><title>` + heading + `</title></head><body><main><h1>` + heading + `</h1><div>`)
		for _, p := range people {
			b.WriteString(`<div class="card">` + card(p[0], p[1]) + `</div>`)
		}
		return b.String() + `</div></main></body></html>`
	}
	named := func(name, title string) string {
		return `<h3>` + title + `</h3><p>` + name + `</p><p>Born by the sea, and still here.</p>`
	}
	leading := func(_, _ string) string { return `<h3>Managing Director</h3><p>Berlin, full-time</p>` }
	read := func(text string) (titles []string) {
		d := aboutUs(t, text)
		for _, p := range d.Candidates(d.Base).List().Reading.Postings {
			titles = append(titles, p.Title)
		}
		return titles
	}
	require.Empty(t, read(page("Who we are", named)))
	require.Empty(t, read(page("Who we are", leading)))
	require.Len(t, read(page("Open positions", named)), len(people))
}

// Arrows around a title and the word before it that says that it is one are no parts of it.
func TestWhatStandsAroundATitle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Welder ❯": "Welder", "❯ Welder": "Welder", "Position – Manager - Stores": "Manager - Stores", "Manager – Stores": "Manager – Stores",
		"Welder (PDF)": "Welder", "Welder [pdf, 120 kB]": "Welder", "Writer (PDF and print)": "Writer", "Word Processor (Office)": "Word Processor (Office)",
	} {
		d := aboutUs(t, `<body><h3>`+text+`</h3></body>`)
		require.Equal(t, want, titleOf(d.body.kids[0]), text)
	}
}
