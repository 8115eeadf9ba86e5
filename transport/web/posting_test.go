package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestRolePageShowsWhatTheSourceStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	posting := func(key, text string, pay float64) boardwatch.Reading {
		r := listing([3]string{key, "Cook", "Porto"}, [3]string{"9", "Smith", "Remote"})
		r.Postings[0].Text = text
		r.Postings[0].Facts = boardwatch.Facts{
			PostedAt: "2026-10-01T08:00:00Z", Mode: boardwatch.ModeHybrid, Type: boardwatch.TypePartTime, TypeText: "=Teilzeit", Requisition: "R<1>",
			Pay: boardwatch.Pay{Min: pay, Currency: "EUR", Period: boardwatch.PerHour},
		}
		return r.Normalize()
	}
	const first = "# Soup\n\nYou <b>cook</b>\u202e [soups](https://soup.example/).\n\nFive days a week."
	board := w.board(owner, posting("1", first, 20))
	w.readNext(board, posting("1", strings.Replace(first, "Five", "Four", 1), 25))
	page, err := w.store.Jobs(t.Context(), owner.ID, track.JobFilter{Search: "cook"})
	require.NoError(t, err)
	id := page.Jobs[0].ID

	shown := b.get("/roles/" + id)
	require.Equal(t, http.StatusOK, shown.status, w.log)
	for _, text := range []string{
		"<dt>Work</dt><dd>hybrid</dd>", "<dt>Employment</dt><dd>=Teilzeit</dd>", "<dt>Posted</dt><dd>2026-10-01</dd>", "<dd>R&lt;1&gt;</dd>",
		"<h3>Soup</h3>", `<a href="https://soup.example/" rel="nofollow noopener noreferrer">soups</a>`, "Four days a week.",
		"<del>from 20 EUR per hour</del>", "<ins>from 25 EUR per hour</ins>", "<li><del>Five days a week.</del></li><li><ins>Four days a week.</ins></li>",
		"It has been open for 1 day and unchanged for less than a day.",
	} {
		require.Contains(t, shown.text, text)
	}
	require.NotContains(t, shown.text, "<b>cook")
	require.NotContains(t, shown.text, "\u202e")

	for path, found := range map[string]bool{
		"/roles?mode=hybrid": true, "/roles?mode=remote": false, "/roles?type=part_time": true, "/roles?words=SOUP+four": true, "/roles?words=five": false,
	} {
		require.Equal(t, found, strings.Contains(b.get(path).text, `href="/roles/`+id+`"`), path)
	}
	require.Contains(t, b.get("/roles?mode=hybrid").text, "hybrid · =Teilzeit · from 25 EUR per hour")
	csv := b.get("/export?what=roles&format=csv&mode=hybrid").text
	require.Contains(t, csv, ",hybrid,'=Teilzeit,from 25 EUR per hour,")
	require.Contains(t, csv, "Four days a week.")
	require.Contains(t, b.get("/export?what=roles&format=json&mode=hybrid").text, `"typeText": "=Teilzeit"`)

	for range 3 {
		w.readNext(board, listing([3]string{"9", "Smith", "Remote"}))
	}
	w.pass(30 * 24 * time.Hour)
	b = w.signedIn(ownerEmail)
	shown = b.get("/roles/" + id)
	require.Contains(t, shown.text, "Why it is closed")
	require.Contains(t, shown.text, "Four days a week.")
	require.Contains(t, shown.text, "<del>Five days a week.</del>")
	require.Contains(t, shown.text, "It was open for ")
}

// alike is a board with one role in three places, and another one with the same title.
func alike(more ...[3]string) boardwatch.Reading {
	r := listing(append([][3]string{{"1", "Cook", "Porto"}, {"2", "Cook", "Faro"}, {"3", "Cook", "Sines"}, {"4", "Cook", "Evora"}, {"5", "Baker", "Porto"}}, more...)...)
	for i := range r.Postings {
		r.Postings[i].Text = "Soup every day."
	}
	r.Postings[3].Text = "Another kitchen."
	return r.Normalize()
}

func TestARoleInSeveralPlacesIsOneLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	board := w.board(a, listing([3]string{"5", "Baker", "Porto"}))
	w.readNext(board, alike())
	b := w.signedIn(ownerEmail)
	const places = "in 3 places: Faro; Porto; Sines"
	for _, path := range []string{"/roles", "/boards/" + board, "/roles?words=soup"} {
		page := b.get(path)
		require.Equal(t, http.StatusOK, page.status, w.log)
		require.Equal(t, 1, strings.Count(page.text, places), path)
	}
	require.Equal(t, 3, strings.Count(b.get("/roles").text, `<tr role="row" id="role-`))
	require.Contains(t, b.get("/roles").text, "5 open roles")
	changes := b.get("/changes").text
	require.Contains(t, changes, places)
	require.Contains(t, changes, "4 new")
	feed := w.browser().get(feedAddress.FindString(changes))
	require.Equal(t, 1, strings.Count(feed.text, places))

	saved := b.post("/searches", url.Values{"words": {"soup"}, "pay_from": {""}, "name": {"Soup"}})
	require.Contains(t, saved.text, "text with the words “soup”")
	w.readNext(board, alike([3]string{"6", "Diver", "Porto"}, [3]string{"7", "Diver", "Braga"}))
	page := b.get(saved.path).text
	require.Equal(t, 2, strings.Count(page, "in 2 places: Braga; Porto"), "in the list, and in what changed last")
	feed = w.browser().get(feedAddress.FindString(page) + saved.path)
	require.Equal(t, 1, strings.Count(feed.text, "<title>new: Diver</title>"))
	require.Contains(t, feed.text, "in 2 places: Braga; Porto")

	row := regexp.MustCompile(`(?s)action="(/roles/[0-9a-f]+/mark)">\s*<input type="hidden" name="back" value="[^"]*">\s*((?:<input type="hidden" name="other" value="[0-9a-f]+">){2})\s*<button`)
	found := row.FindStringSubmatch(b.get("/roles").text)
	require.NotNil(t, found)
	form := url.Values{"do": {"hide"}, "other": regexp.MustCompile(`[0-9a-f]{24}`).FindAllString(found[2], -1)}
	require.Len(t, form["other"], 2)
	require.Contains(t, b.post(found[1], form).text, "The role is hidden.")
	require.NotContains(t, b.get("/roles").text, "Faro")
	require.Contains(t, b.get("/roles?marked=hidden").text, places)
	form.Set("do", "show")
	b.post(found[1], form)
	require.Contains(t, b.get("/roles").text, places)
	eve := w.account("eve@northwind.example", account.PlanUltra, false)
	require.Equal(t, http.StatusNotFound, w.signedIn(eve.Email).post(found[1], form).status, "nobody marks the roles of others")
}

func TestASearchIsSavedByPay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	r := listing([3]string{"1", "Cook", "Porto"}, [3]string{"2", "Smith", "Porto"})
	r.Postings[0].Facts.Pay = boardwatch.Pay{Min: 40, Currency: "EUR", Period: boardwatch.PerHour}
	w.board(a, r)
	b := w.signedIn(ownerEmail)
	for path, want := range map[string]bool{
		"/roles?pay_from=60,000": true, "/roles?pay_from=60000&currency=eur": true, "/roles?pay_from=90000": false, "/roles?currency=USD": false,
	} {
		page := b.get(path).text
		require.Equal(t, want, strings.Contains(page, ">Cook<"), path)
		require.NotContains(t, page, ">Smith<", path)
		require.Contains(t, page, "Save this search", path)
	}
	require.Contains(t, b.get("/roles?pay_from=a+lot").text, "The pay must be the least pay in a year")
	saved := b.post("/searches", url.Values{"pay_from": {"60 000"}, "currency": {"eur"}, "name": {"Well paid"}})
	require.Contains(t, saved.text, "pays from 60,000 EUR per year")
	require.Contains(t, saved.text, ">Cook<")
	changed := b.post(saved.path, url.Values{"pay_from": {"90000"}, "words": {"soup"}, "name": {"Well paid"}})
	require.Contains(t, changed.text, `name="pay_from" inputmode="numeric" maxlength="20" value="90000"`)
	require.Contains(t, changed.text, "0 open roles")
	bad := b.post(saved.path, url.Values{"currency": {"euros"}, "name": {"Well paid"}})
	require.Equal(t, http.StatusBadRequest, bad.status)
	require.Contains(t, bad.text, "The currency must be three letters such as EUR.")
}
