package web_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// evaluated evaluates an expression on the page that the browser shows.
func evaluated[T any](ctx context.Context, t *testing.T, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	require.NoError(t, err, expression)
	return v
}

// reachable reports for each entry of the open menu whether a click in its middle hits it.
const reachable = `[...document.querySelectorAll("details.menu[open] > div > *")].map((entry) => {
	entry.scrollIntoView({block: "center"});
	const box = entry.getBoundingClientRect();
	return entry.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
})`

// The list has one board, as in the demo, so nothing below it makes room for the menu.
func TestTheMenuOfABoardCanBeReachedAndClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.acorn(w.account(ownerEmail, account.PlanUltra, false), "Baker")
	ctx := browsertest.Tab(t)
	signIn(ctx, t, w.site.URL)
	for _, width := range []int64{320, 390, 1280} {
		require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 700), chromedp.Navigate(w.site.URL+"/boards")))
		require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("table details.menu > summary"))))
		require.Equal(t, []bool{true, true, true, true}, evaluated[[]bool](ctx, t, reachable), "at %d px", width)
		require.LessOrEqual(t, evaluated[int64](ctx, t, "document.documentElement.scrollWidth"), width)
		require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("\u001b")))
		require.False(t, evaluated[bool](ctx, t, `document.querySelector("table details.menu").open`), "Esc closes it")
		require.True(t, evaluated[bool](ctx, t, `document.activeElement.matches("table details.menu > summary")`), "and the keyboard is where it was")
	}
}

func TestWhatTheScriptServesIsThereWithIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.acorn(owner, "Baker", "Miller")
	ctx := browsertest.Tab(t)
	signIn(ctx, t, w.site.URL)
	require.False(t, evaluated[bool](ctx, t, `document.querySelector("[data-help]").hidden`))

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/roles")))
	require.Equal(t, "2 open roles", evaluated[string](ctx, t, `document.querySelector("[data-live=count]").textContent`))
	require.NoError(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.ID("q"), "bak")))
	soon(ctx, t, `document.querySelector("[data-live=count]").textContent === "1 open role"`)

	// The page shows the end of a requested check without a click.
	w.pass(2 * time.Minute)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards/"+id)))
	_, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(fmt.Sprintf(`form[action="/boards/%s/check"] button`, id))))
	require.NoError(t, err)
	require.Contains(t, evaluated[string](ctx, t, "document.body.innerText"), "This board is being checked.")
	w.pass(time.Second)
	w.read(id, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{
		{Key: "Baker", Title: "Baker"}, {Key: "Miller", Title: "Miller"}, {Key: "Grocer", Title: "Grocer"},
	}})
	soon(ctx, t, `document.body.innerText.includes("The check is done: 1 new") && document.body.innerText.includes("Grocer")`)

	// Pages follow what happens without a word.
	for _, page := range []string{"/boards", "/roles", "/changes"} {
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+page)))
		title := "Cook for " + page
		w.pass(25 * time.Hour)
		w.read(id, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{
			{Key: "Baker", Title: "Baker"}, {Key: "Miller", Title: "Miller"}, {Key: "Grocer", Title: "Grocer"}, {Key: page, Title: title, Department: title},
		}})
		soon(ctx, t, fmt.Sprintf(`document.body.innerText.includes(%q)`, title))
	}
}

// soon waits until an expression is true on the page.
func soon(ctx context.Context, t *testing.T, expression string) {
	t.Helper()
	require.Eventually(t, func() bool { return evaluated[bool](ctx, t, expression) }, 30*time.Second, 50*time.Millisecond, expression)
}

// stroll is a person with a mouse in a real browser.
type stroll struct {
	*testing.T

	ctx  context.Context //nolint:containedctx // the browser is its context
	site string
}

func (s stroll) open(path string) {
	s.Helper()
	require.NoError(s, chromedp.Do(s.ctx, chromedp.Navigate(s.site+path)))
}

// types puts a text into the field.
func (s stroll) types(field, text string) {
	s.Helper()
	require.NoError(s, chromedp.Do(s.ctx, chromedp.SetValue(chromedp.CSS(field), text)))
}

// follows clicks the link or button with that text and waits for the next page.
func (s stroll) follows(text string) {
	s.Helper()
	at := fmt.Sprintf(`//main//*[(self::a or self::button) and normalize-space()=%q]`, text)
	_, err := chromedp.RunResponse(s.ctx, chromedp.Click(chromedp.Search(at)))
	require.NoError(s, err, text)
}

func (s stroll) sees(texts ...string) {
	s.Helper()
	page := evaluated[string](s.ctx, s.T, "document.body.innerText")
	for _, text := range texts {
		require.Contains(s, page, text)
	}
}

// besideField requires that the focused field is marked as wrong, with the text right below it.
func (s stroll) besideField(text string) {
	s.Helper()
	soon(s.ctx, s.T, `document.activeElement.getAttribute("aria-invalid") === "true"`)
	require.Contains(s, evaluated[string](s.ctx, s.T, `document.activeElement.parentElement.querySelector(".wrong").innerText`), text)
	gap := evaluated[float64](s.ctx, s.T, `document.activeElement.parentElement.querySelector(".wrong").getBoundingClientRect().top
		- document.activeElement.getBoundingClientRect().bottom`)
	require.GreaterOrEqual(s, gap, 0.0, "below the field")
	require.Less(s, gap, 40.0, "right below it")
}

// Things that new users stumbled over, in a real browser.
func TestANewUserDoesNotStumble(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.acorn(w.account("eve@northwind.example", account.PlanUltra, false), "Baker")
	owner := w.account(ownerEmail, account.PlanUltra, true)
	s := stroll{t, browsertest.Tab(t), w.site.URL}
	signIn(s.ctx, t, s.site)

	// A company's name, a known board, and one that is already on the list.
	s.types("#add", "acorn")
	s.follows("Add board")
	s.sees("a name is not enough", "Did you mean one of these?", "Acorn Foods")
	s.follows("Add")
	s.sees("is on your list")
	s.types("#add", "contoso.example")
	s.follows("Add board")
	s.types("#add", "contoso.example")
	s.follows("Add board")
	s.sees("That board is already on your list.")
	s.follows("Show it")
	require.Equal(t, "contoso.example", evaluated[string](s.ctx, t, `document.querySelector("h1").innerText`))

	// A board that was never read says that it collects numbers, on one line; a failing one does not.
	for _, width := range []int64{320, 390, 1280} {
		require.NoError(t, chromedp.Do(s.ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate(s.site+"/boards")))
		require.Equal(t, []int64{1, 1}, evaluated[[]int64](s.ctx, t, `[...document.querySelectorAll("td .nowrap")]
			.filter((e) => e.innerText === "collecting…").map((e) => e.getClientRects().length)`), "at %d px", width)
	}
	boards, err := w.store.Tracked(t.Context(), owner.ID, "")
	require.NoError(t, err)
	for _, b := range boards {
		if b.Board.URL == "https://contoso.example" {
			w.read(b.Board.ID, boardwatch.Failed(cause.SiteError, "the page answered 500"))
		}
	}
	s.open("/boards")
	require.Equal(t, "Acorn Foods", evaluated[string](s.ctx, t, `[...document.querySelectorAll("tbody tr")]
		.filter((row) => row.innerText.includes("collecting…")).map((row) => row.querySelector(".name").innerText).join()`))
	s.sees("The page answered 500")

	// The import accepts its own example.
	s.open("/import")
	require.NoError(t, chromedp.Do(s.ctx, chromedp.SetValue(chromedp.ID("text"), evaluated[string](s.ctx, t, `document.querySelector("#text").placeholder`))))
	s.follows("Preview")
	s.sees("3 would be added, 0 already on your list, 0 refused")

	// An error is shown beside its field, which has the focus.
	s.open("/settings/account")
	s.types("#new-email", "new@northwind.example")
	s.types("#email-password", "wrong")
	s.follows("Change the address")
	s.besideField("The password is wrong.")

	// Webhooks have a name, can be changed, and need different addresses; reloading the page of a secret creates no
	// other.
	add := func(name string) {
		s.open("/settings/webhooks")
		s.types("#hook-name", name)
		s.types("#url", "https://hooks.example/a")
		s.follows("Add webhook")
	}
	add("Team chat")
	s.sees("Copy the signing secret now")
	_, err = chromedp.RunResponse(s.ctx, chromedp.Reload())
	require.NoError(t, err)
	hooks, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, hooks, 1)
	add("Team chat again")
	s.besideField("The address is that of another webhook of yours")
	s.open("/settings/webhooks")
	s.follows("How to receive and verify them")
	s.follows("Back to the app")
	s.sees("Team chat")

	// Nothing is deleted without a question.
	s.follows("Delete")
	s.follows("Cancel")
	s.sees("Team chat")

	// An operator confirms an account, and switches who may sign up.
	require.NoError(t, w.store.SetVerified(t.Context(), w.account("bob@northwind.example", account.PlanFree, false).ID, false))
	s.open("/admin")
	s.follows("Confirm")
	s.sees("is confirmed")
}

// A person who goes through a long list stars and hides roles without losing their place.
func TestRolesAreMarkedInPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	titles := make([]string, 60)
	for i := range titles {
		titles[i] = fmt.Sprintf("Baker %02d", i)
	}
	w.acorn(owner, titles...)
	s := stroll{t, browsertest.Tab(t), w.site.URL}
	signIn(s.ctx, t, s.site)
	s.open("/roles")
	evaluated[bool](s.ctx, t, `(() => { window.stayed = true; return true; })()`)
	press := func(label string) {
		t.Helper()
		at := fmt.Sprintf(`[aria-label=%q]`, label)
		evaluated[bool](s.ctx, t, fmt.Sprintf(`(() => { const b = document.querySelector(%q); b.scrollIntoView({block: "center"}); b.focus(); window.at = scrollY; window.next = (b.closest("tr").nextElementSibling ?? b.closest("tr").previousElementSibling).querySelector("[value=hide]").ariaLabel; b.click(); return true; })()`, at))
	}
	stays := func() {
		t.Helper()
		require.True(t, evaluated[bool](s.ctx, t, "window.stayed === true"), "the page was not loaded again")
		require.InDelta(t, evaluated[float64](s.ctx, t, "window.at"), evaluated[float64](s.ctx, t, "scrollY"), 100) // a row is gone, perhaps one of the last
		require.Positive(t, evaluated[float64](s.ctx, t, "scrollY"))
	}

	press("Star Baker 40")
	soon(s.ctx, t, `document.activeElement.ariaLabel === "Take the star from Baker 40"`)
	stays()
	require.Contains(t, evaluated[string](s.ctx, t, `document.querySelector("#toast").innerText`), "The role is starred.")

	press("Hide Baker 41")
	soon(s.ctx, t, `!document.body.innerText.includes("Baker 41") && document.activeElement.ariaLabel === window.next`)
	stays()
	evaluated[bool](s.ctx, t, `(() => { document.querySelector("#toast button").click(); return true; })()`)
	soon(s.ctx, t, `document.body.innerText.includes("Baker 41")`)
	stays()

	// Without an answer nothing is lost, and the person is told.
	w.site.CloseClientConnections()
	w.site.Listener.Close()
	press("Star Baker 42")
	soon(s.ctx, t, `document.querySelector("#toast").innerText === "boardwatch does not answer: nothing was changed."`)
	stays()
}

// A person who searches sees the answer to their search, or that there is none, whatever they have opened or chosen.
func TestASearchNeverShowsWhatAnotherFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.acorn(owner, "Baker", "Miller")
	s := stroll{t, browsertest.Tab(t), w.site.URL}
	signIn(s.ctx, t, s.site)
	s.open("/roles?search=er")
	evaluated[bool](s.ctx, t, `document.querySelector("[data-live=list] details").open = true`)
	s.types("#name", "My search")
	search := func(text string) {
		t.Helper()
		evaluated[bool](s.ctx, t, `(() => { document.querySelector("#q").value = ""; return true; })()`)
		require.NoError(t, chromedp.Do(s.ctx, chromedp.SendKeys(chromedp.ID("q"), text)))
	}
	search("bak")
	soon(s.ctx, t, `document.querySelector("[data-live=count]").textContent === "1 open role" && !document.body.innerText.includes("Miller")`)
	require.True(t, evaluated[bool](s.ctx, t, `document.querySelector("[data-live=list] details").open`))
	require.Equal(t, "My search", evaluated[string](s.ctx, t, `document.querySelector("#name").value`))

	s.open("/boards")
	evaluated[bool](s.ctx, t, `(() => { document.querySelector("[form=bulk]").click(); return true; })()`)
	search("zz")
	soon(s.ctx, t, `document.body.innerText.includes("No board matches")`)

	w.handler.Store(http.Handler(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "no", http.StatusBadGateway) })))
	search("acorn")
	soon(s.ctx, t, `document.body.innerText.includes("The search could not be done") && !document.body.innerText.includes("No board matches")`)
	w.serve(worldOptions{})
	evaluated[bool](s.ctx, t, `(() => { document.querySelector("[data-again]").click(); return true; })()`)
	soon(s.ctx, t, `document.body.innerText.includes("1 of 1 board") === false && document.querySelector("tbody .name")?.innerText === "Acorn Foods"`)
	require.False(t, evaluated[bool](s.ctx, t, `document.body.innerText.includes("The search could not be done")`))
}

// What somebody is typing stays, whatever else they press and whatever happens meanwhile.
func TestWhatIsTypedStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.acorn(owner, "Baker")
	s := stroll{t, browsertest.Tab(t), w.site.URL}
	signIn(s.ctx, t, s.site)
	s.open("/roles/" + w.roleOf(owner, "Baker"))
	s.types("#note", "Ask about the oven.")
	press := func(selector string) {
		t.Helper()
		evaluated[bool](s.ctx, t, fmt.Sprintf(`(() => { const b = document.querySelector(%q); b.focus(); b.click(); return true; })()`, selector))
	}
	press("[value=star]")
	soon(s.ctx, t, `document.activeElement.value === "unstar"`)
	require.Equal(t, "Ask about the oven.", evaluated[string](s.ctx, t, `document.querySelector("#note").value`))
	press("[value=applied]")
	soon(s.ctx, t, `document.querySelector("[value=applied]").ariaPressed === "true" && document.querySelector("#applied").value !== ""`)
	press("#toast button")
	soon(s.ctx, t, `document.querySelector("[value=applied]").ariaPressed === "false" && document.querySelector("#applied").value === ""`)
	require.Equal(t, "Ask about the oven.", evaluated[string](s.ctx, t, `document.querySelector("#note").value`))
	w.pass(48 * time.Hour)
	soon(s.ctx, t, `document.querySelector("[data-live=facts]").innerText.includes("Open for 2 days") || document.querySelector(".aside").innerText.includes("2 days")`)
	require.Equal(t, "Ask about the oven.", evaluated[string](s.ctx, t, `document.querySelector("#note").value`))
}

// The page of an empty list and that of a list follow each other without being loaded again.
func TestTheFirstBoardComesAndGoesInPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	s := stroll{t, browsertest.Tab(t), w.site.URL}
	signIn(s.ctx, t, s.site)
	s.sees("Which company do you want to watch?")
	evaluated[bool](s.ctx, t, `window.stayed = true; document.activeElement.blur(); true`)
	w.board(owner, boardwatch.Failed(cause.SiteError, "the host does not exist"))
	soon(s.ctx, t, `document.body.innerText.includes(": The host does not exist.") && document.querySelectorAll("tbody tr").length === 1`)
	evaluated[bool](s.ctx, t, `(() => { [...document.querySelectorAll("button")].find((b) => b.innerText === "Take it back").click(); return true; })()`)
	soon(s.ctx, t, `document.body.innerText.includes("Which company do you want to watch?") && !document.querySelector("tbody") && window.stayed`)
	s.sees("is off your list.", "Undo")
}
