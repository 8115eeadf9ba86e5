package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// departmentsOnCards are the departments of three roles of different, unknown departments, whose cards are written so: a title, an
// unknown name and a place are filled in.
func departmentsOnCards(t *testing.T, card string) []string {
	t.Helper()
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	var page strings.Builder
	page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><div class="list">`)
	for i, title := range []string{"Night Porter", "Head Cook", "Accountant"} {
		name, place := []string{"Zorbhus", "Quandel Nord", "Plimt"}[i], []string{"Hamburg", "Lyon", "Oslo"}[i]
		fmt.Fprintf(&page, `<div class="job">%s</div>`, strings.NewReplacer("TITLE", title, "NAME", name, "PLACE", place, "CAPITALS", strings.ToUpper(name)).Replace(card))
	}
	page.WriteString(`</div></body></html>`)
	var departments []string
	for _, p := range Parse([]byte(page.String()), u).Candidates(u).List().Reading.Postings {
		departments = append(departments, p.Department)
	}
	return departments
}

// A department that nobody knows, another on every card, is told by where it stands.
func TestDepartmentsByWhereTheyStand(t *testing.T) {
	t.Parallel()
	known := []string{"Zorbhus", "Quandel Nord", "Plimt"}
	none := []string{"", "", ""}
	for _, c := range []struct {
		why  string
		card string
		want []string
	}{
		{"beside the place", `<h3>TITLE</h3><div><span>NAME</span><span>PLACE</span></div>`, known},
		{"behind the place", `<h3>TITLE</h3><div><span>PLACE</span><span>Full-time</span><span>NAME</span></div>`, known},
		{"beside the place, parted by signs", `<h3>TITLE</h3><p><span>NAME</span><i>/</i><span>Part-time</span><i>/</i><span>PLACE</span></p>`, known},
		{"in a list of facts", `<h3>TITLE</h3><ul><li><span>NAME</span></li><li><span>PLACE</span></li></ul>`, known},
		{"beside terms of work", `<h3>TITLE</h3><div><span>NAME</span><span>Full-time</span></div>`, known},
		{"in the text that names the place", `<h3>TITLE</h3><p>NAME · PLACE · Full-time</p>`, known},
		{"in a row above the title", `<div><span>NAME</span><span>PLACE</span></div><h3>TITLE</h3>`, known},
		{"a small line above the title", `<p class="eyebrow">NAME</p><h3>TITLE</h3><p>PLACE</p>`, known},
		{"a small line by its style", `<p class="text-xs uppercase">NAME</p><h3>TITLE</h3><p>PLACE</p>`, known},
		{"a line in capitals above the title", `<p>CAPITALS</p><h3>TITLE</h3><p>PLACE</p>`, []string{"ZORBHUS", "QUANDEL NORD", "PLIMT"}},
		{"a line above the title like any other", `<p class="sub">NAME</p><h3>TITLE</h3><p>PLACE</p>`, none},
		{"a line below the title", `<h3>TITLE</h3><p class="eyebrow">NAME</p><p>PLACE</p>`, none},
		{"in a row with the title", `<h3>TITLE</h3><b>NAME</b><i>PLACE</i>`, none},
		{"in a row that says nothing else", `<h3>TITLE</h3><div><span>NAME</span></div><p>PLACE</p>`, none},
		{"two in one row", `<h3>TITLE</h3><div><span>NAME</span><span>Ombra NAME</span><span>PLACE</span></div>`, none},
		{"the same on every card", `<h3>TITLE</h3><div><span>Zorbhus</span><span>PLACE</span></div>`, none},
		{"what to do next", `<h3>TITLE</h3><div><span>Apply as TITLE</span><span>PLACE</span></div>`, none},
		{"numbers", `<h3>TITLE</h3><div><span>NAME 7</span><span>PLACE</span></div>`, none},
	} {
		require.Equal(t, c.want, departmentsOnCards(t, c.card), c.why)
	}
}

// A department that reads like a role, in an element of the cards that its class names, is no role and stays the department.
func TestDepartmentsThatReadLikeRoles(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><html lang="de"><head><title>Jobs</title></head><body><main><h1>Jobs</h1><div>` +
		`<a class="position" href="/jobs/a"><span>01</span><div><p class="position-department">%s</p><h3 class="position-title">Tischler:in</h3></div><p>Graz</p></a>` +
		`<a class="position" href="/jobs/b"><span>02</span><div><p class="position-department">%s</p><h3 class="position-title">Dramaturg:in</h3></div><p>Graz</p></a>` +
		`<a class="position" href="/jobs/c"><span>03</span><div><p class="position-department">%s</p><h3 class="position-title">Kassier:in</h3></div><p>Linz</p></a></div></main></body></html>`
	for _, departments := range [][]any{
		{"Technik", "Künstlerische Leitung", "Publikumsdienst"},
		{"Werkstatt", "Dramaturgie und Leitung", "Kasse"},
	} {
		u, err := url.Parse("https://www.haus.example/jobs")
		require.NoError(t, err)
		var got []any
		for _, p := range Parse(fmt.Appendf(nil, page, departments...), u).Candidates(u).List().Reading.Postings {
			got = append(got, p.Department)
		}
		require.Equal(t, departments, got)
	}
}

// The controls that filter the cards say what the kinds are called that scripts know the cards by.
func TestDepartmentsByFilters(t *testing.T) {
	t.Parallel()
	buttons := func(attribute, before string) string {
		return fmt.Sprintf(`<div class="controls"><button %[1]s="*">Everything</button><button %[1]s="%[2]szb">Zorbhus</button><button %[1]s="%[2]sqd-2">Quandel Nord (2)</button></div>`, attribute, before)
	}
	want := []string{"Zorbhus", "Quandel Nord", "Quandel Nord"}
	none := []string{"", "", ""}
	for _, c := range []struct {
		why      string
		controls string
		card     string
		want     []string
	}{
		{"an attribute", buttons("data-filter", ""), `<div class="job" data-category="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, want},
		{"the same attribute", buttons("data-category", ""), `<div class="job" data-category="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, want},
		{"a department known to scripts", buttons("data-filter", ""), `<div class="job" data-department="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, want},
		{"a class", buttons("data-filter", "."), `<div class="job KIND"><h3>TITLE</h3><p>PLACE</p></div>`, want},
		{"a class of the list's entry", buttons("data-filter", "."), `<div class="col KIND"><div class="job"><h3>TITLE</h3><p>PLACE</p></div></div>`, want},
		{"several kinds", buttons("data-filter", ""), `<div class="job" data-categories='["all","KIND"]'><h3>TITLE</h3><p>PLACE</p></div>`, want},
		{
			"a menu", `<select name="area"><option value="">All</option><option value="zb">Zorbhus</option><option value="qd-2">Quandel Nord</option></select>`,
			`<div class="job" data-dept="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, want,
		},
		{"a text on the card comes first", buttons("data-filter", ""), `<div class="job" data-category="KIND"><h3>TITLE</h3><p>PLACE</p><p>Department: Plimt</p></div>`, []string{"Plimt", "Plimt", "Plimt"}},
		{"towns", `<div><button data-filter="zb">Lyon</button><button data-filter="qd-2">Oslo</button></div>`, `<div class="job" data-category="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, none},
		{"kinds of work", `<div><button data-filter="zb">Full-time</button><button data-filter="qd-2">Part-time</button></div>`, `<div class="job" data-category="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, none},
		{"one control", `<div><button data-filter="zb">Zorbhus</button></div>`, `<div class="job" data-category="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, none},
		{"other kinds", buttons("data-filter", "x"), `<div class="job" data-category="KIND"><h3>TITLE</h3><p>PLACE</p></div>`, none},
	} {
		u, err := url.Parse("https://www.company.example/jobs")
		require.NoError(t, err)
		var page strings.Builder
		page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1>` + c.controls + `<div class="list">`)
		for i, title := range []string{"Night Porter", "Head Cook", "Accountant"} {
			page.WriteString(strings.NewReplacer("TITLE", title, "KIND", []string{"zb", "qd-2", "qd-2"}[i], "PLACE", []string{"Hamburg", "Lyon", "Oslo"}[i]).Replace(c.card))
		}
		var got []string
		for _, p := range Parse([]byte(page.String()+`</div></body></html>`), u).Candidates(u).List().Reading.Postings {
			got = append(got, p.Department)
		}
		require.Equal(t, c.want, got, c.why)
	}
}
