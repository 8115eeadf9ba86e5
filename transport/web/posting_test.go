package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestRolePageShowsWhatTheSourceStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
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
	page, err := w.store.Jobs(t.Context(), owner.ID, boardwatch.JobFilter{Search: "cook"})
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
