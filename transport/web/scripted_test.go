package web_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// evaluated is what an expression gives on the page that the browser shows.
func evaluated[T any](ctx context.Context, t *testing.T, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	require.NoError(t, err, expression)
	return v
}

// reachable reports for each entry of the open menu whether a click in its middle meets it.
const reachable = `[...document.querySelectorAll("details.menu[open] > div > *")].map((entry) => {
	entry.scrollIntoView({block: "center"});
	const box = entry.getBoundingClientRect();
	return entry.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
})`

// The list has one board, as in the demo: nothing below it makes room for the menu.
func TestTheMenuOfABoardCanBeReachedAndClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.acorn(w.account(ownerEmail, boardwatch.PlanUltra, false), "Baker")
	ctx := newBrowser(t)
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
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
	id := w.acorn(owner, "Baker", "Miller")
	ctx := newBrowser(t)
	signIn(ctx, t, w.site.URL)
	require.False(t, evaluated[bool](ctx, t, `document.querySelector("[data-help]").hidden`))

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/roles")))
	require.Equal(t, "2 roles", evaluated[string](ctx, t, `document.querySelector("[data-live=count]").textContent`))
	require.NoError(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.ID("q"), "bak")))
	soon(ctx, t, `document.querySelector("[data-live=count]").textContent === "1 role"`)

	// A check that somebody asked for is followed to its end, without a click.
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
}

// soon waits until an expression is true on the page.
func soon(ctx context.Context, t *testing.T, expression string) {
	t.Helper()
	require.Eventually(t, func() bool { return evaluated[bool](ctx, t, expression) }, 30*time.Second, 50*time.Millisecond, expression)
}
