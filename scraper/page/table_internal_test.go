package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// departmentsOn are the departments of four roles whose cards show, beside title and place, what is given.
func departmentsOn(t *testing.T, beside [4]string) []string {
	t.Helper()
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	var page strings.Builder
	page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1>`)
	for i, title := range []string{"Night Porter", "Head Cook", "Software Engineer", "Accountant"} {
		place := []string{"Hamburg", "Lyon", "Hamburg", "Oslo"}[i]
		fmt.Fprintf(&page, `<div class="row"><a href="/jobs/%d"><h3>%s</h3></a>%s<p class="b">%s</p></div>`, i, title, beside[i], place)
	}
	page.WriteString(`</body></html>`)
	var departments []string
	for _, p := range Parse([]byte(page.String()), u).Candidates(u).List().Reading.Postings {
		require.NotEmpty(t, p.Location)
		departments = append(departments, p.Department)
	}
	return departments
}

// What several cards share at one place beside titles and places is the department, in words that nobody knows.
func TestDepartmentsOfUnknownWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		beside [4]string
		want   []string
	}{
		{"shared by two", [4]string{"Zorbhus", "Zorbhus", "Quandel", "Plimt"}, []string{"Zorbhus", "Zorbhus", "Quandel", "Plimt"}},
		{"the same on every card", [4]string{"Zorbhus", "Zorbhus", "Zorbhus", "Zorbhus"}, []string{"", "", "", ""}},
		{"another on every card", [4]string{"Zorbhus", "Quandel", "Plimt", "Vosk"}, []string{"", "", "", ""}},
		{"numbers", [4]string{"Zorbhus 3", "Zorbhus 3", "Quandel 4", "Plimt 1"}, []string{"", "", "", ""}},
		{"kinds of work", [4]string{"Full-time", "Full-time", "Part-time", "Part-time"}, []string{"", "", "", ""}},
		{"what to do next", [4]string{"Apply now", "Apply now", "Read more", "Read more"}, []string{"", "", "", ""}},
		{"two such places", [4]string{"Zorbhus</p><p class=c>Emmel", "Zorbhus</p><p class=c>Ombra", "Quandel</p><p class=c>Ombra", "Plimt</p><p class=c>Emmel"}, []string{"", "", "", ""}},
		{"known words", [4]string{"Finance", "Finance", "Quandel", "Sales"}, []string{"Finance", "Finance", "Quandel", "Sales"}},
	} {
		for i := range c.beside {
			c.beside[i] = `<p class="a">` + c.beside[i] + `</p>`
		}
		require.Equal(t, c.want, departmentsOn(t, c.beside), c.why)
	}
}

// A row of one cell that spans a column of titles holds what is said of all rows, unless it names a role.
func TestRowsOfOneCellUnderTitles(t *testing.T) {
	t.Parallel()
	u, err := url.Parse("https://www.company.example/jobs")
	require.NoError(t, err)
	for _, c := range []struct {
		head, last string
		titles     []string
		whole      bool
	}{
		{"Position|Number|Needed", "Ask for: Ms Miller, phone: 000<br>Address: 12 Mill Lane<br>The bus stops outside", []string{"Night Porter", "Head Cook", "Accountant"}, true},
		{"职位|人数|要求", "联系人：李先生 电话：000<br>地址：长街十二号<br>公交车站在门口", []string{"夜班店长", "面点厨师", "收银员"}, true},
		{"Position|Number|Needed", "Software Engineer", []string{"Night Porter", "Head Cook", "Accountant"}, false},
	} {
		var page strings.Builder
		page.WriteString(`<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><table><tbody><tr><td><strong>` +
			strings.ReplaceAll(c.head, "|", "</strong></td><td><strong>") + `</strong></td></tr>`)
		for _, title := range c.titles {
			page.WriteString(`<tr><td>` + title + `</td><td>2</td><td>(1) Likes to be there.<br>(2) Has been there before, for a year or for two;</td></tr>`)
		}
		r := Parse([]byte(page.String()+`<tr><td colspan="3">`+c.last+`</td></tr></tbody></table></body></html>`), u).Candidates(u).List().Reading
		var got []string
		for _, p := range r.Postings {
			got = append(got, p.Title)
		}
		if c.whole {
			require.Equal(t, c.titles, got)
			require.Equal(t, boardwatch.HealthOK, r.Health, c.last)
			continue
		}
		require.Subset(t, got, c.titles)
		require.True(t, len(got) > len(c.titles) || r.Health != boardwatch.HealthOK, c.last)
	}
}

// Entries of lists of tasks on the cards are no departments, though some hold words of such; those of lists of terms are.
func TestTasksAreNoDepartments(t *testing.T) {
	t.Parallel()
	for beside, want := range map[string][]string{
		`<ul><li>Start soon</li><li>%s</li><li>Team meetings</li></ul>`:           {"", "", "", ""},
		`<p class="a">Oslo · %[2]s</p><ul><li>Start soon</li><li>%[1]s</li></ul>`: {"Sales", "Finance", "Engineering", "Finance"},
		`<ul><li>Full-time</li><li>%[2]s</li></ul>`:                               {"Sales", "Finance", "Engineering", "Finance"},
	} {
		var on [4]string
		for i, task := range []string{"Talks with customers", "Finance support", "Tools and parts", "Care of books"} {
			on[i] = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(beside, "%[1]s", task), "%[2]s", []string{"Sales", "Finance", "Engineering", "Finance"}[i]), "%s", task)
		}
		require.Equal(t, want, departmentsOn(t, on), beside)
	}
}
