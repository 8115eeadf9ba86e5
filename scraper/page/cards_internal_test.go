package page

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// addressesOn are the addresses of three roles in words that nobody knows, whose cards are written so: a title and a number are
// filled in.
func addressesOn(t *testing.T, card string) []string {
	t.Helper()
	u, err := url.Parse("https://www.company.example/jobs/")
	require.NoError(t, err)
	var page strings.Builder
	page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Open positions</h1><div class="jobs-list">`)
	for i, title := range []string{"Night Porter", "Zwickelmeister", "Quandelia"} {
		fmt.Fprintf(&page, `<article class="job">%s</article>`, strings.NewReplacer("TITLE", title, "NUMBER", strconv.Itoa(i+1)).Replace(card))
	}
	page.WriteString(`</div></main></body></html>`)
	var addresses []string
	for _, p := range Parse([]byte(page.String()), u).Candidates(u).List().Reading.Postings {
		addresses = append(addresses, strings.TrimPrefix(p.URL, "https://www.company.example"))
	}
	return addresses
}

// A link that every card has, each with an address of its own, leads to the role, whatever it says.
func TestLinksThatEveryCardHas(t *testing.T) {
	t.Parallel()
	none := []string{"", "", ""}
	for _, c := range []struct {
		why  string
		card string
		want []string
	}{
		{"in unknown words", `<h3>TITLE</h3><p>Hamburg</p><a href="/n/NUMBER">Zorb</a>`, []string{"/n/1", "/n/2", "/n/3"}},
		{"in long unknown words", `<h3>TITLE</h3><p>Hamburg</p><a href="/n/NUMBER">Zorbelin quand plimt ombra vosk</a>`, []string{"/n/1", "/n/2", "/n/3"}},
		{"to a file to be saved", `<h3>TITLE</h3><p>Hamburg</p><a href="files/NUMBER.pdf" download>Zorb (PDF)</a>`, []string{"/jobs/files/1.pdf", "/jobs/files/2.pdf", "/jobs/files/3.pdf"}},
		{"beside a known one", `<h3>TITLE</h3><p>Hamburg</p><a href="/z/NUMBER">Zorb</a> <a href="/n/NUMBER">Read more</a>`, []string{"/n/1", "/n/2", "/n/3"}},
		{"to the same page", `<h3>TITLE</h3><p>Hamburg</p><a href="/n">Zorb</a>`, none},
		{"to one file", `<h3>TITLE</h3><p>Hamburg</p><a href="/form.pdf" download>Zorb (PDF)</a>`, none},
		{"to another site", `<h3>TITLE</h3><p>Hamburg</p><a href="https://maps.example/NUMBER">Zorbelin quand plimt ombra vosk</a>`, none},
		{"to a picture on another site", `<h3>TITLE</h3><p>Hamburg</p><a href="https://files.example/NUMBER.jpg" download>Zorb</a>`, none},
	} {
		require.Equal(t, c.want, addressesOn(t, c.card), c.why)
	}
}
