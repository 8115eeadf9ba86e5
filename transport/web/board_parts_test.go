package web_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// The departments, places and checks of a board are reached without passing all of its roles.
func TestThePartsOfABoardStandBesideItsRoles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{
		{Key: "1", Title: "Baker", Location: "Oslo", Department: "Kitchen"}, {Key: "2", Title: "Miller", Location: "Bergen", Department: "Mill"},
	}}
	at := "/boards/" + w.board(owner, reading)
	b := w.signedIn(ownerEmail)
	const roles, places, checks = `aria-label="Roles"`, "Open roles by department", `aria-label="Checks"`
	for _, test := range []struct {
		query, here, shows string
		hides              []string
	}{
		{"", "open", roles, []string{places, checks}},
		{"?show=nonsense", "open", roles, []string{places, checks}},
		{"?status=all", "all", roles, []string{places, checks}},
		{"?show=places", "departments and places", places, []string{roles, checks}},
		{"?show=checks&days=30", "checks", checks, []string{roles, places}},
	} {
		page := b.get(at + test.query).text
		require.Regexp(t, `aria-current="true">`+test.here+`\b`, page, test.query)
		require.Contains(t, page, test.shows, test.query)
		for _, text := range test.hides {
			require.NotContains(t, page, text, test.query)
		}
	}
	require.Contains(t, b.get(at+"?days=30").text, `href="`+at+`?days=30&amp;show=checks#parts"`, "the chart keeps its period")
	w.pass(2 * time.Minute)
	checked := b.post(at+"/check", url.Values{"show": {"checks"}})
	require.Equal(t, at, checked.path)
	require.Contains(t, checked.query, "show=checks", "who asks for a check stays at the checks")
	require.Contains(t, checked.text, checks)
}

// On a phone, too, all boards are selected with one touch, and the chosen part of a board is on the screen.
func TestPhonesSelectAllBoards(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.acorn(owner, "Baker", "Miller")
	w.acorn(owner, "Grocer")
	s := stroll{t, browsertest.Tab(t), w.site.URL}
	require.NoError(t, chromedp.Do(s.ctx, chromedp.EmulateViewport(390, 844)))
	signIn(s.ctx, t, s.site)
	const label = `document.querySelector("[data-all=bulk]").parentElement`
	require.True(t, evaluated[bool](s.ctx, t, `(() => {
		const e = `+label+`;
		e.scrollIntoView({ block: "center" });
		const box = e.getBoundingClientRect();
		return e.innerText.includes("Select all boards") && box.height >= 40 && e.contains(document.elementFromPoint(box.right - 5, box.top + box.height / 2));
	})()`))
	evaluated[bool](s.ctx, t, `(() => { `+label+`.click(); return true; })()`)
	require.Equal(t, 2, evaluated[int](s.ctx, t, `document.querySelectorAll("[form=bulk]:checked").length`))
	require.True(t, evaluated[bool](s.ctx, t, `document.querySelector("#bulk").checkVisibility()`))
	require.False(t, evaluated[bool](s.ctx, t, `[...document.querySelectorAll("thead th:not(.check) a")].some((e) => e.getBoundingClientRect().width > 1 && getComputedStyle(e.closest("th")).clipPath === "none")`), "the heads stay out of the way of fingers")

	s.open("/boards/" + id + "?show=checks#parts")
	require.True(t, evaluated[bool](s.ctx, t, `(() => {
		const box = document.querySelector("#parts [aria-current]").getBoundingClientRect();
		return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
	})()`))
}
