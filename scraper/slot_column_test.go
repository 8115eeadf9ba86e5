package scraper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestReadPartsWhatStandsBesideATitle(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	rows := [][3]string{
		{"Senior Backend Engineer", "Berlin", "Engineering"},
		{"Product Designer", "Remote", "Design"},
		{"Data Analyst", "Hamburg", "Data"},
		{"Account Executive", "London", "Sales"},
		{"Site Reliability Engineer", "Lindau", "Engineering"},
	}
	for _, tt := range []struct{ name, form string }{
		{"dashes", `<li><a href="/careers/%[4]d">%[1]s</a> – %[2]s – %[3]s</li>`},
		{"strokes", `<li><a href="/careers/%[4]d">%[1]s</a> | %[2]s | %[3]s</li>`},
		{"the department first", `<li><a href="/careers/%[4]d">%[1]s</a> — %[3]s — %[2]s</li>`},
		{"a line of its own", `<li><a href="/careers/%[4]d"><h3>%[1]s</h3></a><p>%[2]s · %[3]s</p></li>`},
		{"hyphens", `<li><h3><a href="/careers/%[4]d">%[1]s</a></h3><span>%[3]s - %[2]s</span></li>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var body strings.Builder
			var want, got [][3]string
			for i, row := range rows {
				fmt.Fprintf(&body, tt.form, row[0], row[1], row[2], i+1)
				want = append(want, row)
			}
			s := hosted(t, site{careers: html("<title>Careers</title>", "<h1>Open positions</h1><ul>"+body.String()+"</ul>")}, system{})
			r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers, URL: careers})
			require.NoError(t, err)
			for _, p := range r.Postings {
				got = append(got, [3]string{p.Title, p.Location, p.Department})
			}
			require.Equal(t, want, got)
		})
	}
}

func TestReadLeavesWhatIsOneThing(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	for _, tt := range []struct{ name, beside, location, department string }{
		{"two places", "Berlin | Hamburg", "Berlin | Hamburg", ""},
		{"a department of two words", "Sales – Marketing", "", "Sales – Marketing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body := `<h1>Open positions</h1><ul><li><a href="/careers/1">Welder</a> – ` + tt.beside + `</li><li><a href="/careers/2">Pipe Fitter</a> – ` + tt.beside + `</li></ul>`
			s := hosted(t, site{careers: html("<title>Careers</title>", body)}, system{})
			r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers, URL: careers})
			require.NoError(t, err)
			require.Len(t, r.Postings, 2)
			for _, p := range r.Postings {
				require.Equal(t, tt.location, p.Location)
				require.Equal(t, tt.department, p.Department)
			}
		})
	}
}
