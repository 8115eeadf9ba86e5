package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a script assigns data to says what the data is: lists of openings, and not of roles that are filled, or of people.
func TestNamesOfVariablesTellWhatTheyHold(t *testing.T) {
	t.Parallel()
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	for name, read := range map[string]bool{
		"const vagas =": true, "var JOBS=": true, "window.openPositions =": true,
		"const closedJobs =": false, "this.archived = ": false, "const testimonials=": false,
	} {
		var page strings.Builder
		page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Jobs</h1><div id="list"></div><script>` + name + ` [`)
		for _, title := range []string{"Night Porter", "Head Cook", "Accountant"} {
			fmt.Fprintf(&page, `{ titulo: %q, tipo: "a", local: "Recife", salario: "by talk", descricao: "Be there at night." },`, title)
		}
		page.WriteString(`]; list.forEach(draw);</script></body></html>`)
		var got []string
		for _, p := range Parse([]byte(page.String()), u).Candidates(u).List().Reading.Postings {
			require.Equal(t, "Recife", p.Location)
			got = append(got, p.Title)
		}
		if read {
			require.Equal(t, []string{"Night Porter", "Head Cook", "Accountant"}, got, name)
		} else {
			require.Empty(t, got, name)
		}
	}
}
