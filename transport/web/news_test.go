package web_test

import (
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

var badge = regexp.MustCompile(`>(\w+) <b class="count">([\d+]+)<`)

// badges returns the numbers in the navigation of a page.
func badges(p page) map[string]string {
	found := map[string]string{}
	for _, m := range badge.FindAllStringSubmatch(p.text, -1) {
		found[m[1]] = m[2]
	}
	return found
}

func TestWhatIsNewSinceTheLastVisitIsMarked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.board(owner, listing([3]string{"Baker", "Baker", ""}, [3]string{"Miller", "Miller", ""}))
	b := w.signedIn(ownerEmail)
	require.Empty(t, badges(b.get("/changes")), "nothing is new to somebody who comes for the first time")
	require.NotContains(t, b.get("/roles").text, "seen-dot")

	w.readNext(id, listing([3]string{"Baker", "Baker", ""}, [3]string{"Miller", "Miller", "Oslo"}, [3]string{"Grocer", "Grocer", ""}))
	want := map[string]string{"Roles": "1", "Changes": "2"}
	require.Equal(t, want, badges(b.get("/settings")), "one role opened, and one changed its place")
	roles := b.get("/roles")
	require.Equal(t, want, badges(roles))
	require.Regexp(t, `seen-dot"><span class="off-screen">New since your last visit: </span></span><a class="name" href="[^"]*">Grocer<`, roles.text)
	require.NotRegexp(t, `visit: </span></span><a class="name" href="[^"]*">(Baker|Miller)<`, roles.text)

	other := w.signedIn(ownerEmail)
	changes := other.get("/changes")
	require.Equal(t, want, badges(changes), "what was seen is kept for the account, not for a browser")
	require.Contains(t, changes.text, "2 since yesterday, 09:00, when you were last here")
	require.Regexp(t, `(?s)Grocer.*You have seen everything below · yesterday, 09:00.*Watching 2 open roles`, changes.text)
	require.Equal(t, want, badges(b.get("/changes?kind=closed")), "and does not change during a visit")

	fields := url.Values{"do": {"seen"}, "back": {"/changes"}}
	for _, name := range []string{"until", "mark"} {
		fields.Set(name, regexp.MustCompile(`name="` + name + `" value="(\d+)"`).FindStringSubmatch(changes.text)[1])
	}
	seen := b.post("/changes/seen", fields)
	require.Equal(t, "/changes", seen.path)
	require.Contains(t, seen.text, "Everything is marked as seen.")
	require.Contains(t, seen.text, "Nothing new since today, 09:00")
	require.NotContains(t, seen.text, "You have seen everything below")
	require.NotContains(t, seen.text, "Mark all as seen")
	require.Empty(t, badges(b.get("/boards")))
	fields.Set("do", "unseen")
	require.Equal(t, want, badges(b.post("/changes/seen", fields)))

	w.pass(2 * time.Hour)
	require.Empty(t, badges(b.get("/boards")), "the visit is over")
	require.Empty(t, badges(w.signedInAs("eve@northwind.example").get("/changes")))
	require.Contains(t, b.post("/changes/seen", url.Values{"until": {"soon"}}).text, "must be a number of milliseconds")
}

// What happens while a page is open is counted in its navigation, and can be marked as seen without leaving the place.
func TestNewsAreSeenInPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.board(owner, listing([3]string{"Baker", "Baker", ""}))
	ctx := browsertest.Tab(t)
	signIn(ctx, t, w.site.URL)
	s := stroll{t, ctx, w.site.URL}
	s.open("/changes")
	w.readNext(id, listing([3]string{"Baker", "Baker", ""}, [3]string{"Grocer", "Grocer", ""}))
	soon(ctx, t, `document.querySelector(".nav").innerText.includes("Changes 1")`)
	soon(ctx, t, `[...document.querySelectorAll("button")].some((b) => b.innerText === "Mark all as seen")`)
	press := func(text string) {
		evaluated[bool](ctx, t, `(() => { window.stayed = true; [...document.querySelectorAll("button")].find((b) => b.innerText === "`+text+`").click(); return true; })()`)
	}
	press("Mark all as seen")
	soon(ctx, t, `document.querySelector(".nav .count") === null && document.body.innerText.includes("Nothing new since")`)
	press("Undo")
	soon(ctx, t, `document.querySelector(".nav").innerText.includes("Changes 1") && window.stayed`)
}
