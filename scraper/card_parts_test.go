package scraper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A list of links to texts on the page, and the headings of these texts, are the same roles, also where one is shorter.
func TestAnIndexAndTheTextsItLeadsToAreTheSameRoles(t *testing.T) {
	t.Parallel()
	texts := func(anchor string) string {
		return `<h3>` + strings.ReplaceAll(anchor, "X", "rigger") + `Rigger (code R-11)</h3><p>You set up the masts of thirty boats.</p>` +
			`<h3>` + strings.ReplaceAll(anchor, "X", "welder") + `Yard Welder (code W-12)</h3><p>You weld what the winter broke.</p>`
	}
	index := `<h2>Open positions</h2><p><a href="#rigger">Harbour Rigger</a></p><p><a href="#welder">Welder</a></p>`
	for name, body := range map[string]string{
		"anchors with a name": index + texts(`<a name="X"></a>`),
		"anchors with an id":  index + texts(`<span id="X"></span>`),
		"headings in sections": index + `<section id="rigger"><h3>Rigger (code R-11)</h3><p>You set up the masts of thirty boats.</p></section>` +
			`<section id="welder"><h3>Yard Welder (code W-12)</h3><p>You weld what the winter broke.</p></section>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(body)), followedPage)
			require.Len(t, r.Postings, 2, names(r))
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

// A small line above the headings of cards, the same on all of them, is no title, whatever it reads like.
func TestWhatIsTheSameOnAllCardsIsNoTitle(t *testing.T) {
	t.Parallel()
	card := func(title string) string {
		return `<article class="card"><div><div class="meta"><span>Full-time</span><span>Leith</span><span>Marine engineer</span></div><h3>` + title +
			`</h3><p>You work in the yard.</p></div><div><strong>Duties</strong><p>You mend what the winter broke.</p></div></article>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("Project Manager")+card("Crane Operator")+card("Welder")+card("Rigger"))), followedPage)
	require.Equal(t, []string{"Project Manager", "Crane Operator", "Welder", "Rigger"}, names(r))
}

// Three roles or more that nothing tells apart are samples, or no roles at all.
func TestRolesThatAllSayTheSameAreDoubted(t *testing.T) {
	t.Parallel()
	card := func(text string) string {
		return `<div class="card"><h3>Marine Engineer</h3><p>You work ` + text + `.</p></div>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("in the yard")+card("at sea")+card("on deck")+card("aloft"))), followedPage)
	require.NotEqual(t, boardwatch.HealthOK, r.Health)
	r = read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("in the yard")+card("in the yard"))), followedPage)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	require.Equal(t, []string{"Marine Engineer"}, names(r), "a card that stands twice is one")
}

// Benefits are often written as the roles are; what else stands on the cards tells them apart.
func TestCardsOfOtherPartsUnderAnotherHeadingAreNoRoles(t *testing.T) {
	t.Parallel()
	benefit := func(title string) string {
		return `<div class="card"><div class="icon">*</div><h3>` + title + `</h3><p>We mean it.</p></div>`
	}
	role := func(title string) string {
		return `<div class="card"><span class="pill">Open post</span><h3>` + title + `</h3><p>You work in the yard.</p><a class="arrow" href="mailto:yard@northwind.example">Apply now</a></div>`
	}
	r := read(t, anywhere(careersPage(`<h2>A steady place in a lively crew</h2>`+benefit("Attractive pay")+benefit("Lively place")+benefit("Training as a rigger")+
		`<h2>Apply for our open positions</h2>`+role("Crane Operator")+role("Welder")+role("Rigger")+role("Dock Supervisor"))), followedPage)
	require.Equal(t, []string{"Crane Operator", "Welder", "Rigger", "Dock Supervisor"}, names(r))
}

// Headings that end in a colon are titles where most of them read like names of roles.
func TestHeadingsWithAColonAreTitlesWhereTheyReadLikeRoles(t *testing.T) {
	t.Parallel()
	card := func(title string) string {
		return `<div class="item"><h4 class="item-title">` + title + `:</h4><div><p class="inner">Requirements:</p><p>- two years at sea;</p><p class="inner">Terms:</p><p>- from 8 to 16.</p></div></div>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("Welder")+card("Crane Operator")+card("Rigger of Tall Masts"))), followedPage)
	require.Equal(t, []string{"Welder", "Crane Operator", "Rigger of Tall Masts"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)

	r = read(t, anywhere(careersPage(`<h2>Open positions</h2><h3>Welder</h3><h4>Your tasks:</h4><p>You weld.</p><h3>Rigger</h3><h4>Your tasks:</h4><p>You rig.</p>`)), followedPage)
	require.Equal(t, []string{"Welder", "Rigger"}, names(r))
}

// A table whose heads say what a role is like is one of roles, whatever these are called and whatever stands above it.
func TestATableWithColumnsOfRolesIsRead(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]string{
		"English": `<tr><th>Position</th><th>Education</th><th>Salary</th></tr><tr><td>Cleaner</td><td>-</td><td>300</td></tr><tr><td>Power Wizzard</td><td>degree</td><td>900</td></tr>`,
		"Russian": `<tr><th>Должность</th><th>Образование</th><th>Заработная плата (руб.)</th></tr><tr><td>Уборщица</td><td>-</td><td>300</td></tr><tr><td>Смазчик</td><td>среднее</td><td>900</td></tr>`,
		"German":  `<tr><th>Stelle</th><th>Umfang</th><th>Beginn</th></tr><tr><td>Reinigungskraft</td><td>50 %</td><td>sofort</td></tr><tr><td>Seilkundiger</td><td>100 %</td><td>März</td></tr>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h3>At the yard</h3><table>`+table+`</table>`)), followedPage)
			require.Len(t, r.Postings, 2, names(r))
		})
	}
}

// Entries that all begin with the same word for an opening are judged by what follows it.
func TestEntriesThatBeginWithVacancyAreRoles(t *testing.T) {
	t.Parallel()
	card := func(title, at string) string {
		return `<div class="wv-card"><div class="wv-card__eyebrow">Yard</div><div class="wv-card__name">` + title + `</div><div>You mend boats.</div><a href="/join/` + at + `/">Look at it</a></div>`
	}
	for label, want := range map[string][]string{
		"Vacature": {"Vacature technische ondersteuning", "Vacature monteur", "Vacature verkoop en advies"},
		"Vacancy":  {"Vacancy ropes and rigging", "Vacancy welder", "Vacancy sales and advice"},
		"Stelle":   {"Stelle Takelage und Tauwerk", "Stelle Schweißer", "Stelle Verkauf und Beratung"},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h2>Work with us</h2>`+card(want[0], "one")+card(want[1], "two")+card(want[2], "three"))), followedPage)
			require.Equal(t, want, names(r))
		})
	}
}

// What only screen readers say behind a link goes on with the link's words; the title is the heading of the card.
func TestTextThatGoesOnWithALinkIsNoTitle(t *testing.T) {
	t.Parallel()
	card := func(title, at string) string {
		return `<article class="job"><p>Yard</p><h3>` + title + `</h3><a class="button" href="/jobs/` + at + `"><span>Read more</span><span class="sr-only">: ` + title + `</span></a></article>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("Welder", "welder")+card("(Junior) Rigger", "rigger")+card("Crane Operator", "crane")+
		`<p>Never done it? <a class="button" href="#form">I want to become a welder</a></p><form id="form"><input name="cv"></form>`)), followedPage)
	require.Equal(t, []string{"Welder", "(Junior) Rigger", "Crane Operator"}, names(r))
}

// The only heading of a page that seeks somebody is its advert, wherever it stands.
func TestTheOnlyHeadingThatSeeksSomebodyIsAnAdvert(t *testing.T) {
	t.Parallel()
	r := read(t, anywhere(careersPage(`<h3>One post, and room for learners.</h3><div class="box"><span>Published 25.04.2025</span><h2>Now hiring: welder.</h2><p>You weld what the winter broke, in all seasons.</p></div>`)), followedPage)
	require.Len(t, r.Postings, 1)
	require.Contains(t, r.Postings[0].Title, "welder")
	require.NotEqual(t, boardwatch.HealthOK, r.Health)
}

// A list about which the page itself states how many roles it holds is not doubted for its words.
func TestAStatedNumberConfirmsAList(t *testing.T) {
	t.Parallel()
	list := `<h3>Rope whispering</h3><p>You talk to ropes.</p><h3>Balloon piloting</h3><p>You fly, and come down again.</p>`
	doubted := read(t, anywhere(careersPage(`<h2>Whom we seek</h2>`+list)), followedPage)
	require.NotEqual(t, boardwatch.HealthOK, doubted.Health)
	jp := `<h1>採用している職種</h1><h3>(全2件)</h3><h2>ソフトウェアエンジニア(組み込み)</h2><h3>業務内容</h3><p>制御の開発です。</p><h2>ソフトウェアエンジニア(機械学習)</h2><h3>業務内容</h3><p>学習の開発です。</p>`
	r := read(t, anywhere(careersPage(jp)), followedPage)
	require.Len(t, r.Postings, 2)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
}

// A link whose address has no scheme, or is the name of a missing value, leads to no role.
func TestMistypedAddressesAreNoneOfARole(t *testing.T) {
	t.Parallel()
	card := func(title, at string) string {
		return `<div class="job"><h3>` + title + `</h3><p>You work in the yard, together with <a href="` + at + `">` + title + ` friends</a>.</p></div>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("Welder", "www.contoso.example")+card("Rigger", "/null"))), followedPage)
	require.Equal(t, []string{"Welder", "Rigger"}, names(r))
	for _, p := range r.Postings {
		require.Empty(t, p.URL)
	}
}

// A word of a sentence that is set in an element of its own is no label of what follows.
func TestAWordInASentenceIsNoLabel(t *testing.T) {
	t.Parallel()
	card := func(title string) string {
		return `<div class="job"><h3>` + title + `</h3><ul><li>A <span class="line-through">Team</span> crew that never leaves you alone</li></ul></div>`
	}
	r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+card("Welder")+card("Rigger")+card("Crane Operator"))), followedPage)
	require.Equal(t, []string{"Welder", "Rigger", "Crane Operator"}, names(r))
	for _, p := range r.Postings {
		require.Empty(t, p.Department)
	}
}
