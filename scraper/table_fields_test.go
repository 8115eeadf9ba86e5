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

// A list that is written unlike the list of roles, with texts that read little like titles, is another list.
func TestListsWrittenOtherwiseAreOtherLists(t *testing.T) {
	t.Parallel()
	for name, page := range map[string][]byte{
		"a table of what is offered": []byte(`<!doctype html><html><head><title>Bolt</title></head><body><h1>Állások</h1><table class="striped"><thead><tr><th>Munkakör</th><th>Helyszín</th></tr></thead><tbody>
			<tr><td>Welder</td><td>Győr</td></tr><tr><td>Electrician</td><td>Győr</td></tr><tr><td>Warehouse Manager</td><td>Szeged</td></tr></tbody></table>
			<h2>Amit kínálunk</h2><table class="plain"><tbody><tr><td>Cafeteria</td><td>400 000 Ft</td></tr><tr><td>Szabadság</td><td>plusz két nap</td></tr></tbody></table></body></html>`),
		"a column beside": []byte(`<!doctype html><html><head><title>Kas</title></head><body><div id="sidebar"><h4>Kwekerij Van Oosten</h4><p>Hoekeindseweg</p><h4>Kwekerijwinkel</h4><p>vrijdag</p><h4>Keurmerken</h4><p>MPS-A</p></div>
			<div id="content"><h3>Vacature</h3><h4>Welder</h4><p>Full-time, in the shed.</p><h4>Electrician</h4><p>Part-time, on the roof.</p><h4>Warehouse Manager</h4><p>Permanent, in the hall.</p></div></body></html>`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(page), followedPage)
			require.Equal(t, []string{"Welder", "Electrician", "Warehouse Manager"}, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

// The fields of a role may stand in rows without a table, each behind the element that says what it is.
func TestARowThatIsNoTableSaysWhatItsTextIs(t *testing.T) {
	t.Parallel()
	row := func(label, text string) string {
		return `<div class="c2">` + label + `</div> <div class="c10">` + text + `</div>`
	}
	rest := `<p>You look after what holds the ship.</p><p>Duties</p><div class="c12"><p>Splices what is frayed</p></div><div class="c12"><p>Greases what creaks</p></div>`
	for name, rows := range map[string]string{
		"bold":   row(`<strong>Vacancy No.</strong>:`, "NY-1504") + row(`<strong>Job Title</strong>:`, "Senior Rigger") + row(`<strong>Location</strong>:`, "Bergen, Norway"),
		"plain":  row(`Vacancy No.:`, "NY-1504") + row(`Position:`, "Senior Rigger") + row(`Location:`, "Bergen, Norway"),
		"German": row(`Kennziffer:`, "NY-1504") + row(`Stellenbezeichnung:`, "Senior Rigger") + row(`Arbeitsort:`, "Bergen, Norway"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere([]byte(`<!doctype html><html><head><title>Northwind</title></head><body><p class="heading">Ropes and chains</p><div class="rows">`+rows+`</div>`+rest+`</body></html>`)), followedPage)
			require.Equal(t, []string{"Senior Rigger"}, names(r))
			require.Equal(t, "Bergen, Norway", r.Postings[0].Location)
		})
	}
}
