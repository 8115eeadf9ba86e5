package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// trades are titles of roles for invented pages.
var trades = []string{"Backend Engineer", "Data Analyst", "Product Manager", "Account Executive", "UX Designer", "Finance Controller", "Site Reliability Engineer", "Office Manager"}

// readsPage is what a page at an invented company's address is read as.
func readsPage(t *testing.T, lang, body string) List {
	t.Helper()
	at, err := url.Parse("https://careers.fernhollow.example/jobs")
	require.NoError(t, err)
	text := []byte(`<!DOCTYPE html><html lang="` + lang + `"><head><meta charset="utf-8"><title>Careers at Fernhollow</title></head><body>
<nav><a href="/">Home</a><a href="/about">About us</a></nav><main>` + body + `</main><footer><a href="/privacy">Privacy</a></footer></body></html>`)
	return Parse(text, at).Candidates(at).Verdict(Visit{Asked: at, At: at, Text: text})
}

func rolesOf(l List) []string {
	var titles []string
	for _, p := range l.Reading.Postings {
		titles = append(titles, p.Title)
	}
	return titles
}

// entries are cards of roles, from one to another.
func entries(from, to int, attributes string) string {
	var b strings.Builder
	for i, title := range trades[from:to] {
		fmt.Fprintf(&b, `<li class="job" %s><a href="/jobs/%d"><h3>%s</h3></a><span class="where">Lisbon, Portugal</span></li>`, attributes, 100+from+i, title)
	}
	return b.String()
}

func TestWhatIsBuiltLikeWhatIsShownCounts(t *testing.T) {
	t.Parallel()
	list := func(from, to int) string { return `<ul class="jobs">` + entries(from, to, "") + `</ul>` }
	panelsOf := func(open, closed string) string {
		return `<h1>Open positions</h1><div ` + open + `>` + list(0, 3) + `</div><div ` + closed + `>` + list(3, 6) + `</div><div ` + closed + `>` + list(6, 8) + `</div>`
	}
	tests := map[string]string{
		"tabs by role":                       `<div role="tablist"><button role="tab">A</button><button role="tab">B</button></div>` + panelsOf(`role="tabpanel"`, `role="tabpanel" hidden`),
		"tabs hidden from readers":           panelsOf(`class="tab" aria-hidden="false"`, `class="tab" aria-hidden="true" style="display: none"`),
		"panes by class":                     panelsOf(`class="pane is-active"`, `class="pane is-hidden"`),
		"panes of Bootstrap":                 panelsOf(`class="tab-pane show active"`, `class="tab-pane fade d-none"`),
		"panes by a utility":                 panelsOf(`class="p-4 block"`, `class="p-4 hidden"`),
		"parts by style":                     panelsOf(`class="dept"`, `class="dept" style="display:none;"`),
		"one panel with one role":            panelsOf(`class="dept"`, `class="dept" hidden`),
		"all parts closed":                   `<h1>Open positions</h1><h2>Engineering</h2><div class="panel" hidden>` + list(0, 4) + `</div><h2>Sales</h2><div class="panel" hidden>` + list(4, 8) + `</div>`,
		"closed details":                     `<h1>Open positions</h1><details open><summary>Engineering</summary>` + list(0, 4) + `</details><details><summary>Sales</summary>` + list(4, 8) + `</details>`,
		"all details closed":                 `<h1>Open positions</h1><details><summary>Engineering</summary>` + list(0, 4) + `</details><details><summary>Sales</summary>` + list(4, 8) + `</details>`,
		"an accordion of items":              `<h1>Open positions</h1><div class="item open"><h2><button aria-expanded="true">Engineering</button></h2><div class="body">` + list(0, 4) + `</div></div><div class="item"><h2><button aria-expanded="false">Sales</button></h2><div class="body" hidden>` + list(4, 8) + `</div></div>`,
		"more behind a button":               `<h1>Open positions</h1><ul class="jobs">` + entries(0, 5, "") + entries(5, 8, `style="display:none"`) + `</ul><button>Show more</button>`,
		"more behind a button in German":     `<h1>Offene Stellen</h1><ul class="jobs">` + entries(0, 5, "") + strings.ReplaceAll(entries(5, 8, "hidden"), `"job"`, `"job is-hidden"`) + `</ul><div><a href="#">Mehr anzeigen</a></div>`,
		"a shadow tree":                      `<h1>Open positions</h1><job-list><template shadowrootmode="open"><section>` + list(0, 8) + `</section></template></job-list>`,
		"a copy for telephones":              `<h1>Open positions</h1><div class="d-none d-md-block">` + list(0, 8) + `</div><div class="d-md-none">` + list(0, 8) + `</div>`,
		"a copy for telephones, hidden here": `<h1>Open positions</h1><div class="jobs">` + list(0, 8) + `</div><div class="jobs" hidden>` + list(0, 8) + `</div>`,
		"a copy by Tailwind":                 `<h1>Open positions</h1><div class="hidden lg:block">` + list(0, 8) + `</div><div class="lg:hidden">` + list(0, 8) + `</div>`,
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := readsPage(t, "en", body)
			require.ElementsMatch(t, trades, rolesOf(l), l.Trail)
			require.Equal(t, boardwatch.HealthOK, l.Reading.Health, l.Reading.Reason)
		})
	}
}

func TestWhatNoScreenShowsDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, attributes := range []string{
		`class="job elementor-hidden-desktop elementor-hidden-tablet elementor-hidden-mobile"`,
		`class="job hidden-xs hidden-sm hidden-md hidden-lg"`,
		`class="job vc_hidden-xs vc_hidden-sm vc_hidden-md vc_hidden-lg"`,
		`class="job d-none"`, `class="job d-none d-lg-none"`, `class="job hidden"`, `class="job hidden sm:hidden"`, `class="job max-md:hidden md:hidden"`,
		`class="job hide"`, `class="job hide-for-small-only hide-for-medium"`, `class="job is-hidden"`, `class="job is-hidden-mobile is-hidden-tablet"`,
		`class="job" style="display:none"`, `class="job" style="visibility: hidden"`, `class="job" hidden`,
	} {
		body := `<h1>Open positions</h1><ul class="jobs">` + entries(0, 3, "") + strings.ReplaceAll(entries(3, 4, ""), `class="job" `, attributes) + entries(4, 8, "") + `</ul>`
		l := readsPage(t, "en", body)
		require.NotContains(t, rolesOf(l), trades[3], attributes)
		require.Len(t, l.Reading.Postings, 7, attributes)
		require.Equal(t, boardwatch.HealthOK, l.Reading.Health, l.Reading.Reason)

		section := strings.Replace(attributes, "job", "dept", 1)
		if !strings.Contains(section, "-") || strings.Contains(section, "is-hidden\"") || strings.Contains(section, "d-none") {
			continue // such a section may be a panel
		}
		body = `<h1>Open positions</h1><div class="dept"><ul class="jobs">` + entries(0, 4, "") + `</ul></div><div ` + section + `><ul class="jobs">` + entries(4, 8, "") + `</ul></div>`
		require.ElementsMatch(t, trades[:4], rolesOf(readsPage(t, "en", body)), section)
	}
}
