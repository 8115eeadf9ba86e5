package scraper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// What a column or a label calls a place speaks for a list of roles, whatever the place is called.
func TestAColumnOfPlacesSpeaksForAList(t *testing.T) {
	t.Parallel()
	r := read(t, anywhere([]byte(`<!doctype html><html><head><title>Weir Ales</title></head><body><p class="title">Work With Us</p>
		<p>We are twelve people and nobody minds getting wet.</p>
		<table border="1"><tr><td><b>Job</b></td><td><b>Where</b></td><td><b>About it</b></td></tr>
		<tr><td><b>Cellar Hand</b></td><td>Unit 4</td><td>Washing casks, racking, moving a lot of heavy things politely.</td></tr>
		<tr><td><b>Asst. Brewer</b></td><td>The old mill</td><td>Knees that hold, and a liking for early mornings.</td></tr>
		<tr><td><b>Weekend Tour Host</b></td><td>Visitor room</td><td>You are able to tell a story, even to a hen party.</td></tr></table>
		<p class="subtitle">What you get</p><ul><li>28 days off plus your birthday</li><li>Proper boots</li></ul></body></html>`)), followedPage)
	require.Equal(t, []string{"Cellar Hand", "Asst. Brewer", "Weekend Tour Host"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
}

func jobTable(head, rows string) []byte {
	return careersPage(`<h2>Open positions</h2><table>` + head + rows + `</table>`)
}

// A first row in bold is the head of its table, and a row that says that its role is closed is none of the list.
func TestABoldRowIsTheHeadOfItsTable(t *testing.T) {
	t.Parallel()
	head := `<tr><td><strong>Post</strong></td><td><strong>Grade</strong></td><td><strong>Start</strong></td></tr>`
	rows := `<tr><td>Teacher of Physics</td><td>Upper range</td><td>September</td></tr><tr><td>Lunchtime Supervisor</td><td>Band one</td><td>Immediately</td></tr>
		<tr><td>Teaching Assistant</td><td>Band two</td><td>Spring</td></tr>`
	for name, page := range map[string][]byte{
		"a head":             jobTable(head, rows),
		"and a closed role":  jobTable(head, rows+`<tr><td>Data Manager</td><td>Band three</td><td>CLOSED – interviews are taking place</td></tr>`),
		"bold in all titles": jobTable(head, strings.ReplaceAll(strings.ReplaceAll(rows, "<tr><td>", "<tr><td><b>"), "</td><td>", "</b></td><td>")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(page), followedPage)
			require.Equal(t, []string{"Teacher of Physics", "Lunchtime Supervisor", "Teaching Assistant"}, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

// What stands beside a list in words that nobody knows, and reads little like a title, casts no doubt on it.
func TestALineThatReadsLittleLikeATitleCastsNoDoubt(t *testing.T) {
	t.Parallel()
	role := func(title string) string {
		return `<p class="font"><span class="bold">` + title + `</span><span> – in the yard at Leith, part-time.</span></p>`
	}
	for name, line := range map[string]string{
		"how to apply": `<p class="font"><span class="text">Scrivi due righe (niente curriculum di otto pagine) a </span><span><a href="mailto:yard@northwind.example">yard@northwind.example</a></span></p>`,
		"a mailbox":    `<p class="font"><span class="text">Inviare portfolio (max 10 MB) a yard@northwind.example</span></p>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+role("Welder")+role("Boat Builder")+role("Electrician")+line)), followedPage)
			require.Equal(t, []string{"Welder", "Boat Builder", "Electrician"}, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}
