package page

import (
	"fmt"
	"net/url"
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
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	page := `<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><div class="list">`
	for i, title := range titles {
		page += fmt.Sprintf(card, classes[i], title)
	}
	var got []string
	for _, p := range Parse([]byte(page+`</div></body></html>`), u).Candidates(u).List().Reading.Postings {
		got = append(got, p.Title)
	}
	return got
}
