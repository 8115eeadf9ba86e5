package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Cards of one list whose classes say of what kind they are belong to one list: none is passed over because its title is in words
// that nobody knows.
func TestCardsOfSeveralKinds(t *testing.T) {
	t.Parallel()
	titles := []string{"Zwickelmeister", "Head Cook", "Accountant", "Plimtwart"}
	classes := [][]string{
		{"job sales", "job care", "job care", "job stock"},
		{"mix job-card type-sales", "mix job-card type-care", "mix job-card type-care", "mix job-card type-stock"},
		{"post-1 job hentry category-sales", "post-2 job hentry category-care", "post-3 job hentry category-care", "post-4 job hentry category-stock"},
	}
	for _, card := range []string{
		`<div class="%s"><h3>%s</h3><p>Lyon</p></div>`,
		`<div class="%s"><h3><a href="/jobs/%[2]s">%[2]s</a></h3><p>Lyon</p></div>`,
		`<article class="%s"><h4>%s</h4><p>Lyon</p><p>Full-time</p></article>`,
	} {
		for _, of := range classes {
			require.Equal(t, titles, titlesOn(t, of, titles, card), "%s: %s", card, of)
		}
	}
	// Elements that share no class, and such as are called something else, are no cards of one list.
	require.NotContains(t, titlesOn(t, []string{"intro", "job", "job", "job"}, []string{"Zorb und Quandel", "Head Cook", "Accountant", "Waiter"}, `<div class="%s"><h3>%s</h3><p>Lyon</p></div>`), "Zorb und Quandel")
	require.NotContains(t, titlesOn(t, []string{"card benefits", "card job", "card job", "card job"}, []string{"Zorb und Quandel", "Head Cook", "Accountant", "Waiter"}, `<div class="%s"><h3>%s</h3><p>Lyon</p></div>`), "Zorb und Quandel")
}

func titlesOn(t *testing.T, classes, titles []string, card string) []string {
	t.Helper()
	var page strings.Builder
	page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><div class="list">`)
	for i, title := range titles {
		fmt.Fprintf(&page, card, classes[i], title)
	}
	return titlesOf(t, page.String()+`</div></body></html>`)
}

func titlesOf(t *testing.T, page string) []string {
	t.Helper()
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	var got []string
	for _, p := range Parse([]byte(page), u).Candidates(u).List().Reading.Postings {
		got = append(got, p.Title)
	}
	return got
}

// Headings stand in no running text, however much text lies bare between them.
func TestHeadingsBetweenBareText(t *testing.T) {
	t.Parallel()
	titles := []string{"Night Porter", "Head Cook", "Accountant"}
	for _, section := range []string{
		`<h3>%s</h3>This role is open in all of our houses, at once and for as long as anybody can say.<br>`,
		`<h3>%s</h3>This role is open in all of our houses, at once and for as long as anybody can say.<h4>Duties</h4><ul><li>Be there</li></ul>`,
		`<h2>%s</h2>We look for somebody who is there when the others sleep, and who likes it that way.<p>Write to us.</p>`,
	} {
		var page strings.Builder
		page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><div>`)
		for _, title := range titles {
			fmt.Fprintf(&page, section, title)
		}
		require.Equal(t, titles, titlesOf(t, page.String()+`</div></body></html>`), section)
	}
}

// What stands under a heading as high as that of the openings, and reads much less like titles than the roles, is another list.
func TestOtherListBesideThatOfTheOpenings(t *testing.T) {
	t.Parallel()
	for _, other := range [][]string{
		{"Paikallinen tiimi ja nopeat ratkaisut", "Ajantasaiset välineet ja kurssit", "Vaihtelevat kohteet talon puolella", "Erillinen korvaus ja selkeät säännöt"},
		{"Ystävällinen porukka ja lyhyet matkat", "Hyvät välineet ja oma pöytä", "Kesällä vapaat perjantait"},
	} {
		var page strings.Builder
		page.WriteString(`<!doctype html><html lang="fi"><head><title>Töihin meille</title></head><body><main><h1>Liity tiimiimme</h1><div>` +
			`<article class="panel"><h2>Avoimet tehtävät</h2><ul class="list"><li>Putkiasentaja / huoltoteknikko</li><li>Varastotyöntekijä</li><li>Projektipäällikkö (talot)</li></ul></article>` +
			`<article class="panel"><h2>Mitä tarjoamme</h2><ul class="list">`)
		for _, text := range other {
			page.WriteString("<li>" + text + "</li>")
		}
		require.Equal(t, []string{"Putkiasentaja / huoltoteknikko", "Varastotyöntekijä", "Projektipäällikkö (talot)"}, titlesOf(t, page.String()+`</ul></article></div></main></body></html>`))
	}
}

// A text that stands above the role's own text on a card, and is said again by the heading of that text, is the title.
func TestTitlesSaidAgainFartherDown(t *testing.T) {
	t.Parallel()
	titles := []string{"Front-Desk Expert", "Mobile Expert", "Data Expert", "Back-Office Expert"}
	again := []string{"Front Desk Expert", "Mobile Expert", "Data Expert", "Back-Office Expert"}
	var page strings.Builder
	page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><form class="list">`)
	for i, title := range titles {
		fmt.Fprintf(&page, `<div class="job" id="j%[1]d"><a href="#j%[1]d"><span><img alt=""></span><div class="title"><div>%[2]s</div></div><div class="tags"><span>Early</span> <span>Late</span></div></a><div class="content"><h1>%[3]s</h1>`+
			`Our houses are looking for somebody who is there when the others sleep, and who likes it that way.<h2>Duties</h2><ul><li>Be there</li></ul><a href="/jobs/%[1]d/">Read more</a></div></div>`, i, title, again[i])
	}
	require.Equal(t, titles, titlesOf(t, page.String()+`</form></body></html>`))
}
