package web_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// controls marks what the keyboard has to reach, in the order of the page. Of a group of radio buttons that is one.
const controls = `(() => {
	const groups = new Set();
	window.controls = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")].filter((e) => {
		if (e.disabled || !e.checkVisibility({visibilityProperty: true})) return false;
		if (e.type !== "radio") return true;
		const group = (e.form?.action ?? "") + e.name;
		return !groups.has(group) && groups.add(group);
	});
	document.activeElement.blur();
	document.querySelector("main").dataset.still = ""; // the page does not follow, so that its controls stay the same
	return window.controls.length;
})()`

// reached says which control has the focus, and what is wrong with it there. A part of it that is in the window has to be seen.
const reached = `(() => {
	const e = document.activeElement, style = getComputedStyle(e);
	if (e === document.body) return {at: -1, name: "the page", wrong: ""};
	const seen = [...e.getClientRects()].some((box) => {
		const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth), top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
		return [.2, .5, .8].some((part) => {
			const hit = document.elementFromPoint((left + right) / 2, top + (bottom - top) * part);
			return hit && (e.contains(hit) || hit.closest("label")?.contains(e));
		});
	});
	const at = window.controls.indexOf(e.type === "radio" ? window.controls.find((c) => c.name === e.name && c.form === e.form) : e);
	let wrong = "";
	if (at < 0) wrong = "is not to be seen";
	else if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) wrong = "does not show that it has the focus";
	else if (!seen) wrong = "is covered or outside: " + JSON.stringify(e.getBoundingClientRect());
	return {at, name: e.outerHTML.replace(/\s+/g, " ").slice(0, 120), wrong};
})()`

// stop is where the focus is after a press of Tab.
type stop struct {
	At          int
	Name, Wrong string
}

// Everybody gets everywhere with the keyboard, and sees where they are: on every page in a narrow window, and on the main ones in a
// wide one.
func TestEveryPageIsWalkedWithTheKeyboard(t *testing.T) {
	t.Parallel()
	w, owner := furnished(t)
	pages := w.everyPage(owner)
	wide := []string{"boards", "board", "roles", "role", "changes", "compare", "search", "delivery", "settings-webhooks", "operator", "help"}
	for _, width := range []int64{390, 1280} {
		t.Run(fmt.Sprintf("%d px", width), func(t *testing.T) {
			t.Parallel()
			ctx := browsertest.Tab(t)
			require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 800)))
			for _, open := range []bool{true, false} {
				if !open {
					signIn(ctx, t, w.site.URL)
				}
				for _, s := range pages {
					if s.open == open && (width < 1000 || slices.Contains(wide, s.name)) {
						require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+s.path)))
						walk(ctx, t, s.path)
						leaveMenus(ctx, t, s.path)
					}
				}
			}
		})
	}
}

// walk presses Tab until the focus has been everywhere.
func walk(ctx context.Context, t *testing.T, path string) {
	t.Helper()
	n, last, been := evaluated[int](ctx, t, controls), -1, 0
	for been < n {
		require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("\t")))
		s := evaluated[stop](ctx, t, reached)
		if s.At == last && strings.Contains(s.Name, `type="date"`) || s.At < 0 && last == n-1 {
			continue // it has several parts; and the page begins again
		}
		if s.Wrong != "" {
			t.Errorf("%s: %s %s", path, s.Name, s.Wrong)
		}
		if been > 0 && s.At != (last+1)%n {
			t.Errorf("%s: after control %d of %d comes %d: %s", path, last, n, s.At, s.Name)
			return
		}
		last, been = s.At, been+1
	}
}

// What is done is heard, and the focus stays where it was, or near.
func TestWhatIsDoneIsHeardAndTheFocusStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.acorn(owner, "Baker", "Miller", "Grocer")
	s := stroll{t, browsertest.Tab(t), w.site.URL}
	signIn(s.ctx, t, s.site)
	focus := func(selector string) {
		t.Helper()
		require.True(t, evaluated[bool](s.ctx, t, fmt.Sprintf(`(() => { document.querySelector(%q).focus(); return document.activeElement.matches(%q); })()`, selector, selector)))
	}
	keys := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			require.NoError(t, chromedp.Do(s.ctx, chromedp.KeyEvent(key)))
		}
	}
	hears := func(text string) {
		t.Helper()
		soon(s.ctx, t, fmt.Sprintf(`[...document.querySelectorAll("body > [role=status]")].some((e) => e.checkVisibility() && e.textContent.includes(%q))`, text))
	}
	at := func(selector string) {
		t.Helper()
		soon(s.ctx, t, fmt.Sprintf(`document.activeElement.matches(%q) && document.activeElement.checkVisibility()`, selector))
	}

	// A page that opens with news, and a search.
	s.types("#add", "contoso.example")
	s.follows("Add board")
	hears("is on your list")
	require.NoError(t, chromedp.Do(s.ctx, chromedp.SendKeys(chromedp.ID("q"), "acorn")))
	hears("1 of 2 boards")

	// Many boards at a time: the bar with the actions goes, and the focus goes to the board that was chosen.
	box := fmt.Sprintf("[form=bulk][value=%q]", id)
	focus(box)
	keys(" ")
	hears("1 selected")
	s.types("#bulk-tag", "food")
	focus("#bulk [value=tag]")
	keys("\r")
	soon(s.ctx, t, `document.querySelector("tbody .tag")?.textContent === "food"`)
	at(box)

	// A menu that did its work.
	w.pass(2 * time.Minute)
	focus("table details.menu > summary")
	keys("\r", "\t", "\t", "\t", "\r")
	hears("is being checked")
	at("table details.menu > summary")
	require.False(t, evaluated[bool](s.ctx, t, `document.querySelector("table details.menu").open`))

	// A role that is hidden, shown again, and that closes while somebody is at it.
	s.open("/roles")
	focus(`[aria-label="Hide Grocer"]`)
	keys("\r")
	hears("The role is hidden.")
	at(`[value=hide]`)
	require.NoError(t, chromedp.Do(s.ctx, chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))))
	soon(s.ctx, t, `document.querySelector("[aria-label='Hide Grocer']") !== null`)
	at(`[value=hide]`)
	focus(`[aria-label="Star Grocer"]`)
	for range 4 {
		w.pass(25 * time.Hour)
		w.read(id, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{{Key: "Baker", Title: "Baker"}, {Key: "Miller", Title: "Miller"}}})
	}
	hears("2 open roles")
	at(`[value=star]`)
}

// leaveMenus opens a menu of each kind: Escape closes it and gives the focus back, and so does leaving it.
func leaveMenus(ctx context.Context, t *testing.T, path string) {
	t.Helper()
	for i := range evaluated[int](ctx, t, `(() => {
		const kinds = new Set();
		window.menus = [...document.querySelectorAll("details.menu")].filter((m) => !kinds.has(m.className + m.firstElementChild.className) && kinds.add(m.className + m.firstElementChild.className));
		return window.menus.length;
	})()`) {
		menu := fmt.Sprintf("window.menus[%d]", i)
		open := func() {
			evaluated[bool](ctx, t, fmt.Sprintf(`(() => { %s.firstElementChild.focus(); return true; })()`, menu))
			require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("\r"), chromedp.KeyEvent("\t")))
			require.True(t, evaluated[bool](ctx, t, menu+`.open && `+menu+`.lastElementChild.contains(document.activeElement)`), "%s: menu %d opens", path, i)
		}
		open()
		require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("\u001b")))
		require.True(t, evaluated[bool](ctx, t, `!`+menu+`.open && document.activeElement === `+menu+`.firstElementChild`), "%s: Escape closes menu %d", path, i)
		open()
		for range evaluated[int](ctx, t, menu+`.querySelectorAll("a, button:not([hidden])").length`) {
			require.NoError(t, chromedp.Do(ctx, chromedp.KeyEvent("\t")))
		}
		require.False(t, evaluated[bool](ctx, t, menu+`.open`), "%s: who leaves menu %d closes it", path, i)
	}
}
