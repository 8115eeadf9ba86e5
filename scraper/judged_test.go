package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// careersPage is a page about jobs with this text.
func careersPage(body string) []byte {
	return []byte(`<!doctype html><html><head><title>Careers at Northwind Yard</title></head><body><h1>Careers</h1><p>We build boats in Leith and sail most of them ourselves.</p>` +
		body + `<footer>Northwind Yard</footer></body></html>`)
}

func TestWhatStandsLikeRolesAndIsNone(t *testing.T) {
	t.Parallel()
	card := func(role, quote string) string {
		return `<div class="card"><p class="said">` + quote + `</p><p class="who">` + role + `</p></div>`
	}
	offer := func(name, text, at string) string {
		return `<div class="offer"><h3>` + name + `</h3><p>` + text + `</p><a href="` + at + `">From £40</a></div>`
	}
	for name, body := range map[string]string{
		"services with prices": offer("Sail Maker", "New sails in four weeks.", "/pricing") + offer("Boat Builder", "Clinker and carvel.", "/pricing") + offer("Marine Electrician", "Rewiring on your mooring.", "/pricing"),
		"courses": `<h2>Kurse im Winter</h2><div class="kurs"><h3><a href="/kurse/bootsbauer">Bootsbauer</a></h3><p>80 Stunden, Kiel</p></div>
			<div class="kurs"><h3><a href="/kurse/segelmacher">Segelmacher</a></h3><p>60 Stunden, Kiel</p></div><div class="kurs"><h3><a href="/kurse/elektriker">Elektriker</a></h3><p>20 Stunden, online</p></div>`,
		"colleagues who are quoted": `<h2>Our people</h2>` + card("Software Engineer, Leith", `"I came for one winter and have been here ever since."`) +
			card("Sail Maker, Leith", `"The loft has the best light of any place I worked in."`) + card("Project Manager, Oban", `"Nobody here minds a muddy boot on a Monday."`),
		"colleagues who are quoted in German": `<h2>Unser Team</h2>` + card("Softwareentwickler", `„Ich kam für einen Winter und bin geblieben, so lange es ging.“`) +
			card("Projektleiterin", `„Hier stört sich niemand an einem schmutzigen Stiefel.“`),
		"the name of the site": `<div class="top"><h3><a href="/">Northwind Engineer</a></h3></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, read(t, anywhere(careersPage(body)), followedPage).Postings)
		})
	}
}

// Roles are read as ever when a card leads to what is sold beside the page of the role, or only one of them does.
func TestRolesBesideWhatIsSold(t *testing.T) {
	t.Parallel()
	role := func(title, at string) string {
		return `<div class="job"><h3>` + title + `</h3><p>Full-time in Leith. See our <a href="` + at + `">yard</a>.</p></div>`
	}
	for name, body := range map[string]string{
		"one card leads to a shop":  role("Sail Maker", "/shop") + role("Boat Builder", "/yard") + role("Marine Electrician", "/yard"),
		"roles have their own page": role("Sail Maker", `/shop">shop</a> and <a href="/jobs/sail-maker`) + role("Boat Builder", `/shop">shop</a> and <a href="/jobs/boat-builder`) + role("Marine Electrician", `/shop">shop</a> and <a href="/jobs/electrician`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+body)), followedPage)
			require.Equal(t, []string{"Sail Maker", "Boat Builder", "Marine Electrician"}, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

func TestAListBesideTheWordThatNothingIsOpen(t *testing.T) {
	t.Parallel()
	r := read(t, anywhere(careersPage(`<p>Thank you for your interest. All our vacancies are currently filled, so please check again in the spring.</p>
		<h2>Teams we recruit for</h2><h3>Ecologists</h3><p>Bats, newts, botany.</p><h3>Arboricultural consultants</h3><p>Surveys.</p><h3>GIS technicians</h3><p>Maps, mostly.</p>`)), followedPage)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	require.Empty(t, r.Postings)
}

func TestHeadingsInAHeaderOfTheirOwnAreRead(t *testing.T) {
	t.Parallel()
	frame := func(title, text string) string {
		return `<div class="frame"><div class="inner"><header><h2>` + title + `</h2></header><p>` + text + `</p><p><a href="/files/` + text[:3] + `.pdf">Details (PDF)</a></p></div></div>`
	}
	r := read(t, anywhere(careersPage(frame("Staff Nurse, nights", "Full-time on the ward.")+frame("Kitchen Porter", "Part-time, early shift.")+frame("Care Assistant", "Any hours you like."))), followedPage)
	require.Equal(t, []string{"Staff Nurse, nights", "Kitchen Porter", "Care Assistant"}, names(r))
}

func TestWhatFollowsAListIsNoPartOfIt(t *testing.T) {
	t.Parallel()
	entry := func(title, text string) string {
		return `<div class="item"><h3>` + title + `</h3><p>` + text + `</p></div>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+entry("Software Engineer", "Full-time in Leith.")+entry("Boat Builder", "Full-time in Oban.")+
		entry("Sådan søger du", "Write to us."))), followedPage)
	require.Equal(t, []string{"Software Engineer", "Boat Builder"}, names(r))
}

// Other matter that is written like the roles, but reads nothing like them, casts no doubt on the list.
func TestOtherMatterBesideAListCastsNoDoubt(t *testing.T) {
	t.Parallel()
	row := func(cells string) string { return "<tr>" + cells + "</tr>" }
	for name, page := range map[string]struct {
		body string
		want []string
	}{
		"a level on the only card": {`<div><button><div class="l"><p class="one">Front-end engineer</p><p class="two">Mid</p></div><div>Leith, Scotland</div></button></div>
			<p>Our benefits</p><p>A dry dock, a wet dock and a very good canteen.</p>`, []string{"Front-end engineer"}},
		"what is offered": {`<h2>Open positions</h2><p>For this season we need:</p><ul class="a"><li>Waiter</li><li>Receptionist</li><li>Kitchen assistant</li><li>Head cook</li></ul>
			<p>You get:</p><ul class="b"><li>Διαμονή</li><li>Διατροφή</li><li>Ασφάλιση</li></ul>`, []string{"Waiter", "Receptionist", "Kitchen assistant", "Head cook"}},
		"another column": {`<h2>Open positions</h2><table><thead><tr><th>Position</th><th>House</th><th>Until</th></tr></thead><tbody>` +
			row(`<td>Staff Nurse</td><td>Villa Serena</td><td>30/11/2026</td>`) + row(`<td>Kitchen Porter</td><td>Under the limes</td><td>15/12/2026</td>`) +
			row(`<td>Driver</td><td>Villa Serena</td><td>always welcome</td>`) + `</tbody></table>`, []string{"Staff Nurse", "Kitchen Porter", "Driver"}},
		"a role that is filled": {`<h2>Open positions</h2><p class="t">Joiner (m/f/d)</p><p>Permanent, driving licence.</p><p class="t">Surveyor (m/f/d)</p><p>Permanent, in the office.</p>
			<p class="t">Apprentice joiner</p><p>From September. <em>Position filled.</em></p><p class="t">How do you apply?</p><p>By telephone.</p>`, []string{"Joiner (m/f/d)", "Surveyor (m/f/d)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(page.body)), followedPage)
			require.Equal(t, page.want, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

// Between two roles of a list stands a role, in whatever words: other matter stands before or behind them.
func TestWhatStandsBetweenRolesIsOne(t *testing.T) {
	t.Parallel()
	entry := func(title, place string) string {
		return `<div class="box"><h3 class="box-title"><span>` + title + `</span></h3><p class="box-text">` + place + ` | Full-time</p></div><a class="button" href="#apply">Apply now</a>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2><div class="grid">`+entry("Yard Hand", "Leith")+entry("حلواني شرقي", "Oban")+entry("Cashier", "Leith")+
		entry("Delivery Driver", "Oban")+`</div>`)), followedPage)
	require.Equal(t, []string{"Yard Hand", "حلواني شرقي", "Cashier", "Delivery Driver"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
}

func TestACountBesideACaptionHidesNoDepartment(t *testing.T) {
	t.Parallel()
	row := func(title, slug string) string {
		return `<a class="row" href="/careers/` + slug + `"><div class="a">` + title + `</div><div class="b">Leith, Scotland</div></a>`
	}
	r := read(t, anywhere(careersPage(`<h2>Come and build it</h2>
		<div class="block"><div class="line"><span class="small">Hulls</span><span class="round">2</span></div><div class="rows">`+row("Welder", "welder")+row("Boat Builder", "boat-builder")+`</div></div>
		<div class="block"><div class="line"><span class="small">Money</span><span class="round">1</span></div><div class="rows">`+row("Payroll Accountant", "payroll")+`</div></div>`)), followedPage)
	require.Len(t, r.Postings, 3)
	require.Equal(t, []string{"Hulls", "Hulls", "Money"}, []string{r.Postings[0].Department, r.Postings[1].Department, r.Postings[2].Department})
}
