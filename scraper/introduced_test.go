package scraper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A line with a colon right before a list says what the list is, in pages whose only heading names the part of the site.
func TestALineBeforeAListAnnouncesRoles(t *testing.T) {
	t.Parallel()
	list := func(entries ...string) string {
		return "<ul><li>" + strings.Join(entries, "</li><li>") + "</li></ul>"
	}
	for line, titles := range map[string][]string{
		"In our yard these positions are open at present:":                        {"Rigger", "Boat Builder"},
		"V naší loděnici jsou nyní otevřené následující pozice:":                  {"Svářeč", "Truhlář", "Účetní"},
		"Do warsztatu na Zatorzu szukamy:":                                        {"Stolarz", "Monter mebli"},
		"För närvarande söker vi:":                                                {"Svetsare", "Snickare"},
		"Al momento cerchiamo le seguenti figure:":                                {"Saldatore", "Magazziniere"},
		"Estamos com as seguintes vagas em aberto:":                               {"Soldador", "Motorista"},
		"Na naše pracoviště přijmeme do hlavního pracovního poměru <b>ihned</b>:": {"Svářeč", "Truhlář"},
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			for _, page := range []string{
				`<p>` + line + `</p>` + list(titles...),
				`<div class="text"><p><strong>` + line + `</strong></p><div>` + list(titles...) + `</div><p>Write to us.</p></div>`,
			} {
				r := read(t, anywhere(careersPage(page)), followedPage)
				require.Equal(t, titles, names(r))
				require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			}
		})
	}
}

// What follows such a line is no list of roles when it says what people bring along, and an entry that cannot be a title casts doubt.
func TestALineBeforeAListOfOtherMatterAnnouncesNoRoles(t *testing.T) {
	t.Parallel()
	r := read(t, anywhere(careersPage(`<p>We are looking for people with:</p><ul><li>Patience</li><li>A head for heights</li></ul>`)), followedPage)
	require.Empty(t, names(r))
	require.NotEqual(t, boardwatch.HealthOK, r.Health)

	r = read(t, anywhere(careersPage(`<p>We are hiring for the following positions:</p><ul><li>Welder</li><li>Rigger</li><li>Whoever mends what the winter broke. You know who you are.</li></ul>`)), followedPage)
	require.Equal(t, []string{"Welder", "Rigger"}, names(r))
	require.Equal(t, boardwatch.HealthPartial, r.Health)
}

// The entries of a list may be parts of one sentence, of which the last ends with a full stop; what stands behind the dash says
// for whom the work is done, also where it is a word of other matter.
func TestTheLastEntryOfAnEnumerationIsATitle(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{",", ";"} {
		r := read(t, anywhere(careersPage(`<p>We are hiring:</p><ul><li>Welder – Hull Yard`+mark+`</li><li>Splicer of long ropes – Rescue Team`+mark+`</li><li>Boat Builder – Sail Loft`+mark+`</li><li>Keeper of the harbour lights – North Pier.</li></ul>`)), followedPage)
		require.Len(t, names(r), 4)
		require.Contains(t, names(r)[3], "Keeper of the harbour lights")
		require.NotContains(t, names(r)[3], ".")
		require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	}
}

// The heads of a table in bold say what its columns are, not what follows them.
func TestABoldHeadOfAColumnIsNoHeadingOfASection(t *testing.T) {
	t.Parallel()
	r := read(t, anywhere(careersPage(`<table><tr><td><b>No.</b></td><td><b>Position</b></td><td><b>Area</b></td><td><b>Requirements</b></td></tr>
<tr><td>1</td><td>Welder</td><td>Hull Yard</td><td>A certificate for aluminium</td></tr>
<tr><td>2</td><td>Rigger</td><td>Sail Loft</td><td>Two years at sea</td></tr></table>`)), followedPage)
	require.Equal(t, []string{"Welder", "Rigger"}, names(r))
}

// A heading about which nothing is said is not surely a role, and one that speaks to its reader is none.
func TestAHeadingThatSpeaksToReadersIsNoRole(t *testing.T) {
	t.Parallel()
	hero := func(heading string) []byte {
		return careersPage(`<div class="hero"><h2>` + heading + `</h2></div><div><h2>Write to us</h2><p>We read every letter and answer within a week or two.</p></div>`)
	}
	for _, heading := range []string{
		"Entra a far parte di una squadra di professionisti esperti", "Únete a un equipo de profesionales con experiencia", "Faça parte de uma equipe de profissionais experientes",
		"Dołącz do zespołu doświadczonych specjalistów", "Bli en del av ett team av erfarna specialister", "Pridejte se do týmu zkušených odborníků",
		"Присоединяйтесь к команде опытных специалистов", "Приєднуйтесь до команди досвідчених спеціалістів", "Become part of a crew of seasoned specialists",
	} {
		r := read(t, anywhere(hero(heading)), followedPage)
		require.NotEqual(t, boardwatch.HealthOK, r.Health, heading)
	}
	r := read(t, anywhere(hero("Boat Builder")), followedPage)
	require.NotEqual(t, boardwatch.HealthOK, r.Health)
	r = read(t, anywhere(careersPage(`<h2>Open positions</h2><h3>Boat Builder</h3><p>You mend what the winter broke, with five others in our yard.</p>`)), followedPage)
	require.Equal(t, []string{"Boat Builder"}, names(r))
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
}
