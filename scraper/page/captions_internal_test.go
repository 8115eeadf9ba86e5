package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shownOn are the departments, or else the places, of the roles on a page with this body.
func shownOn(t *testing.T, body string) []string {
	t.Helper()
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	page := `<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1>` + body + `</body></html>`
	var shown []string
	for _, p := range Parse([]byte(page), u).Candidates(u).List().Reading.Postings {
		shown = append(shown, p.Department+p.Location)
	}
	return shown
}

// twoEach are six roles below three captions, two each, with what stands before and behind each caption and each list.
func twoEach(caption, list, end string, captions ...string) string {
	titles := []string{"Senior Backend Engineer", "Data Analyst", "Account Executive", "Office Manager", "Payroll Accountant", "Warehouse Operative"}
	var b strings.Builder
	for i, c := range captions {
		fmt.Fprintf(&b, caption, i, c)
		b.WriteString(list)
		for k, title := range titles[2*i : 2*i+2] {
			fmt.Fprintf(&b, `<li><a href="/jobs/%d-x">%s</a></li>`, 2*i+k, title)
		}
		b.WriteString(end)
	}
	return b.String()
}

// What is written as the captions above other roles is one, though it reads like other matter or like the name of a role.
func TestCaptionsAreToldByHowTheyAreWritten(t *testing.T) {
	t.Parallel()
	for name, form := range map[string][3]string{
		"headings":          {`<h3 id="c%d">%s</h3>`, `<ul>`, `</ul>`},
		"paragraphs":        {`<p id="c%d">%s</p>`, `<ul>`, `</ul>`},
		"parts in boxes":    {`<section><h2 id="c%d">%s</h2>`, `<ul>`, `</ul></section>`},
		"panels that open":  {`<details open><summary id="c%d">%s</summary>`, `<ul>`, `</ul></details>`},
		"entries of a list": {`<ul><li id="c%d">%s`, `<ul>`, `</ul></li></ul>`},
	} {
		for _, third := range []string{"People, Places and Culture", "Ground Crew"} {
			body := twoEach(form[0], form[1], form[2], "Engineering", "Keel Shop", third)
			require.Equal(t, []string{"Engineering", "Engineering", "Keel Shop", "Keel Shop", third, third}, shownOn(t, body), "%s: %s", name, third)
		}
	}
}

// Tabs part roles as headings do: by department, or by place.
func TestTabsAreCaptionsOfTheirPanels(t *testing.T) {
	t.Parallel()
	tabs := func(tab string, labels ...string) string {
		var b strings.Builder
		for i, label := range labels {
			fmt.Fprintf(&b, tab, i, label)
		}
		return `<div class="tabs">` + b.String() + `</div>` + twoEach(`<div class="panel" id="panel%d"><!-- %s -->`, `<ul>`, `</ul></div>`, labels...)
	}
	for name, tab := range map[string]string{
		"links":                 `<a href="#panel%d">%s</a>`,
		"buttons":               `<button type="button" aria-controls="panel%d">%s</button>`,
		"entries that are tabs": `<li role="tab" data-bs-target="#panel%d">%s</li>`,
	} {
		require.Equal(t, []string{"Hulls", "Hulls", "Rigging", "Rigging", "Money", "Money"}, shownOn(t, tabs(tab, "Hulls", "Rigging", "Money")), name)
		require.Equal(t, []string{"Oslo", "Oslo", "Lyon", "Lyon", "Hamburg", "Hamburg"}, shownOn(t, tabs(tab, "Oslo", "Lyon", "Hamburg")), name)
	}
	require.Equal(t, make([]string, 2), shownOn(t, `<a href="#panel0">Vacancies</a><a href="#panel1">Benefits</a><div id="panel0"><ul><li><a href="/jobs/1-x">Office Manager</a></li><li><a href="/jobs/2-x">Data Analyst</a></li></ul></div>`),
		"a tab that holds all roles names no department")
}

// Labels of departments are known in the languages of the pages.
func TestLabelsOfDepartmentsInManyLanguages(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"Department", "Field", "Sparte", "Avdeling", "Enhet", "Tým", "Oddelenie", "Oddelek", "Komanda", "Skyrius", "Osakond", "Tiimi", "Τμήμα", "מחלקה", "部署", "소속", "แผนก", "Phòng ban", "Відділ", "Подразделение", "القسم"} {
		row := func(title, department string) string {
			return fmt.Sprintf(`<li><h3>%s</h3><p>%s: %s</p></li>`, title, label, department)
		}
		require.Equal(t, []string{"Zorbhus", "Quandel"}, shownOn(t, `<ul>`+row("Office Manager", "Zorbhus")+row("Data Analyst", "Quandel")+`</ul>`), label)
	}
}
