package web_test

import (
	"encoding/csv"
	"encoding/xml"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// rivals gives the account two boards, of which the first has a tag, with two days of history.
func (w *world) rivals(a account.Account) (rival, other string) {
	w.t.Helper()
	reading := func(department, place string, titles ...string) boardwatch.Reading {
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: department}
		for _, title := range titles {
			r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title, Department: department, Location: place})
		}
		return r
	}
	rival = w.board(a, reading("Flight", "Oslo", "Pilot"))
	other = w.board(a, reading("Bakery", "Rome", "Baker", "Miller"))
	_, err := w.store.Tag(w.t.Context(), a.ID, rival, []string{"rival"}, nil)
	require.NoError(w.t, err)
	w.readNext(rival, reading("Flight", "Oslo", "Pilot", "Navigator", "Steward"))
	w.read(other, reading("Bakery", "Rome", "Baker", "Miller", "Grocer"))
	return rival, other
}

func TestAFilterReachesEveryPartOfThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	rival, _ := w.rivals(w.account(ownerEmail, account.PlanUltra, false))
	b := w.signedIn(ownerEmail)
	all := b.get("/boards").text
	for _, text := range []string{"<b>6</b><span>open roles", "<b>3</b><span>new in 24 hours", "3 opened", "Bakery", "Flight", "Rome", "Oslo", "6 open"} {
		require.Contains(t, all, text)
	}
	for _, path := range []string{"/boards?tag=rival", "/boards?q=flight"} {
		page := b.get(path).text
		for _, text := range []string{"<b>3</b><span>open roles", "<b>2</b><span>new in 24 hours", "2 opened", "Flight", "Oslo", "3 open", "1 of 2 boards"} {
			require.Contains(t, page, text, path)
		}
		require.NotContains(t, page, "Bakery", path)
		require.NotContains(t, page, "Rome", path)
		require.Contains(t, page, "/roles?board="+rival+"&amp;department=Flight", "the bars lead to the roles of these boards")
	}
	require.Contains(t, b.get("/boards?tag=rival").text, `<a href="/compare?tag=rival">Compare them</a>`)
	none := b.get("/boards?q=nothing").text
	require.Contains(t, none, "<b>0</b><span>open roles")
	require.NotContains(t, none, "<figure")

	compared := b.get("/compare?tag=rival").text
	require.Contains(t, compared, "Compare boards tagged rival")
	require.Contains(t, compared, `<a class="name" href="/boards/`+rival)
	require.NotContains(t, compared, `<a class="name" href="/boards/Bakery`)
}

func TestChartsAreSavedAsFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	rival, _ := w.rivals(w.account(ownerEmail, account.PlanUltra, false))
	b := w.signedIn(ownerEmail)
	link := regexp.MustCompile(`<a href="([^"]*as=(?:svg|csv)[^"]*)" download>`)
	for path, last := range map[string][]string{
		"/boards?tag=rival":     {"2026-10-22", "3", "2", "0"},
		"/boards?days=90":       {"2026-10-22", "6", "3", "0"},
		"/boards/" + rival:      {"2026-10-22", "3", "2", "0"},
		"/compare?tag=rival":    {"2026-10-22", "3"},
		"/compare?days=30&tag=": nil,
	} {
		found := link.FindAllStringSubmatch(b.get(path).text, -1)
		require.Len(t, found, 2, path)
		svg, file := b.get(html.UnescapeString(found[0][1])), b.get(html.UnescapeString(found[1][1]))
		require.Equal(t, "image/svg+xml", svg.header.Get("Content-Type"))
		require.NoError(t, xml.Unmarshal([]byte(svg.text), new(struct{})), "it can be drawn")
		require.True(t, strings.HasPrefix(file.text, "\ufeff"), "spreadsheets know the encoding")
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.text, "\ufeff"))).ReadAll()
		require.NoError(t, err)
		require.Greater(t, len(rows), 29, path)
		if last != nil {
			require.Equal(t, last, rows[len(rows)-1], path)
		}
	}
	require.Equal(t, http.StatusNotFound, b.get("/boards?as=gif").status)
	require.Equal(t, http.StatusNotFound, b.get("/boards?as=svg&q=nothing").status)
}

func TestTheFirstDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	require.NotContains(t, b.get("/boards").text, "First steps", "there is only one thing to do")
	id := w.acorn(owner, "Baker", "Miller")
	for _, path := range []string{"/boards", "/boards/" + id} {
		page := b.get(path).text
		require.Contains(t, page, "Watching since today, 09:00. The 2 roles that were already there are not reported as new. From tomorrow on, a chart shows how the number changes.", path)
		require.NotContains(t, page, "<figure", path)
	}
	require.Contains(t, b.get("/compare").text, "A chart of these boards appears once there are two days of history.")

	first := b.get("/boards").text
	require.Contains(t, first, `Add a board<span class="off-screen"> (done)</span>`)
	require.Regexp(t, `(?s)class="next">\s*<div>\s*<h3>Save a search`, first)
	b.post("/searches", url.Values{"name": {"Bakers"}, "search": {"baker"}, "kind": {"found"}})
	require.Regexp(t, `(?s)class="next">\s*<div>\s*<h3>Choose how to be told`, b.get("/boards").text)
	w.channels(owner)
	require.NotContains(t, b.get("/boards").text, "First steps", "all are done")

	w.pass(90 * time.Minute)
	w.read(id, listing([3]string{"1", "Baker", ""}, [3]string{"2", "Miller", ""}, [3]string{"3", "Grocer", ""}))
	for _, path := range []string{"/boards", "/boards/" + id} {
		require.Contains(t, b.get(path).text, "Watching since today, 09:00. From tomorrow on", path+": one of the three is new")
	}

	other := w.account("eve@northwind.example", account.PlanUltra, false)
	w.acorn(other, "Baker")
	eve := w.signedIn(other.Email)
	require.Contains(t, eve.get("/boards").text, "First steps")
	require.Contains(t, eve.post("/boards/steps", nil).text, "The first steps are put away.")
	require.NotContains(t, eve.get("/boards").text, `id="steps"`)
}

func TestBoardsAreSortedBothWays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.rivals(w.account(ownerEmail, account.PlanUltra, false))
	b := w.signedIn(ownerEmail)
	for path, want := range map[string]struct{ first, order, next string }{
		"/boards?sort=company":  {"Bakery", "ascending", "/boards?sort=-company"},
		"/boards?sort=-company": {"Flight", "descending", "/boards?sort=company"},
	} {
		page := b.get(path).text
		require.Regexp(t, `(?s)<tbody.*?class="name" href="[^"]*">`+want.first+`<`, page, path)
		require.Contains(t, page, `aria-sort="`+want.order+`"><a href="`+want.next+`">Company</a>`, path)
		require.Contains(t, page, `<option value="`+strings.TrimPrefix(path, "/boards?sort=")+`" selected>`, path)
	}
}
