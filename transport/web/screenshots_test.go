package web_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// shown is a page, or a state of one, to look at in a browser.
type shown struct {
	name, path string
	open       bool // without a sign-in
}

// everyPage lists the pages of the app for an account.
func (w *world) everyPage(a account.Account) []shown {
	w.t.Helper()
	ctx := context.WithoutCancel(w.t.Context())
	boards, err := w.store.Tracked(ctx, a.ID, "")
	require.NoError(w.t, err)
	first := "/boards/" + boards[0].Board.ID
	own := slices.IndexFunc(boards, func(b track.TrackedBoard) bool { return b.Board.System() == boardwatch.PageSystem })
	page := "/boards/" + boards[own].Board.ID
	hooks, err := w.store.Webhooks(ctx, a.ID)
	require.NoError(w.t, err)
	hook := "/settings/webhooks/" + hooks[0].ID
	sent, err := w.store.DeliveriesOf(ctx, hooks[0].ID, 1)
	require.NoError(w.t, err)
	delivery := hook // if nothing was sent yet
	if len(sent) > 0 {
		delivery += "/deliveries/" + sent[0].ID
	}
	role := func(status boardwatch.JobStatus) string {
		jobs, err := w.store.Jobs(ctx, a.ID, track.JobFilter{Status: status, Limit: 1})
		require.NoError(w.t, err)
		require.NotEmpty(w.t, jobs.Jobs)
		return "/roles/" + jobs.Jobs[0].ID
	}
	pages := w.optionalPages(a)
	return append(pages, []shown{
		{"search-delete", "/searches/" + keptSearch + "/delete", false},
		{"webhook-secret", hook + "/secret", false},
		{"feed-reset", "/settings/email/feed", false},
		{"recipe-clear", page + "/recipe/clear", false},
		{"account-delete", "/admin/accounts/" + a.ID + "/delete", false},
		{"unsubscribe", "/unsubscribe?token=damaged", true},
		{"role", role(boardwatch.JobOpen), false},
		{"role-closed", role(boardwatch.JobClosed), false},
		{"webhook", hook, false},
		{"delivery", delivery, false},
		{"webhook-delete", hook + "/delete", false},
		{"board-remove", first + "/remove", false},
		{"contents", "/help", false},
		{"contents-found", "/help?q=backup+restore", false},
		{"contents-none-match", "/help?q=xyzzy", false},
		{"boards", "/boards", false},
		{"boards-none-match", "/boards?q=nothing-like-it", false},
		{"board", first, false},
		{"board-places", first + "?show=places", false},
		{"board-checks", first + "?show=checks", false},
		{"board-misread", page + "/misread", false},
		{"board-lesson", page + "/lesson", false},
		{"compare", "/compare", false},
		{"roles", "/roles?search=engineer", false},
		{"roles-none-match", "/roles?search=astronaut", false},
		{"changes", "/changes", false},
		{"search", "/searches/" + keptSearch, false},
		{"add", "/add?url=https%3A%2F%2Fcontoso.example%2Fcareers", false},
		{"import", "/import", false},
		{"help", "/help/webhooks", false},
		{"settings-account", "/settings/account", false},
		{"settings-signin", "/settings/signin", false},
		{"signin-again", "/signin/again", false},
		{"settings-keys", "/settings/keys", false},
		{"settings-webhooks", "/settings/webhooks", false},
		{"settings-apps", "/settings/apps", false},
		{"settings-review", "/settings/review", false},
		{"consent", consentPath(), false},
		{"consent-refused", strings.Replace(consentPath(), "S256", "plain", 1), false},
		{"settings-channels", "/settings/channels", false},
		{"settings-email", "/settings/email", false},
		{"settings-data", "/settings/data", false},
		{"operator", "/admin", false},
		{"operator-health", "/admin/health", false},
		{"compare-tag", "/compare?tag=near+home", false},
		{"link-dead", "/verify?token=damaged", false},
		{"not-found", "/nowhere", false},
		{"signin", "/signin", true},
		{"signup", "/signup", true},
		{"reset", "/reset", true},
		{"help-signed-out", "/help", true},
		{"help-long", "/help/configuration", true},
		{"docs", "/docs", true},
	}...)
}

// optionalPages lists pages that only some worlds have.
func (w *world) optionalPages(a account.Account) (pages []shown) {
	w.t.Helper()
	channels, err := w.store.Channels(context.WithoutCancel(w.t.Context()), a.ID)
	require.NoError(w.t, err)
	for i, c := range channels {
		pages = append(pages, shown{"channel-" + string(c.Kind), "/settings/channels/" + c.ID, false})
		if i == 0 {
			pages = append(pages, shown{"channel-delete", "/settings/channels/" + c.ID + "/delete", false})
		}
	}
	keys, err := w.store.Keys(context.WithoutCancel(w.t.Context()), a.ID)
	require.NoError(w.t, err)
	grants, err := w.grants.List(context.WithoutCancel(w.t.Context()), a)
	require.NoError(w.t, err)
	if len(keys) > 0 && len(grants) > 0 {
		pages = append(pages,
			shown{"key-delete", "/settings/keys/" + keys[0].ID + "/delete", false},
			shown{"app-disconnect", "/settings/apps/" + grants[0].ID + "/delete", false})
	}
	boards, err := w.store.Tracked(context.WithoutCancel(w.t.Context()), a.ID, "")
	require.NoError(w.t, err)
	for _, b := range boards {
		if b.Board.State.Health == boardwatch.HealthSuspect {
			pages = append(pages, shown{"board-suspect", "/boards/" + b.Board.ID, false})
		}
	}
	searches, err := w.store.Searches(context.WithoutCancel(w.t.Context()), a.ID)
	require.NoError(w.t, err)
	if len(searches) > 0 {
		list := w.publish(a, searches[0].ID)
		pages = append(pages, shown{"list-shared", list, true}, shown{"list-widget", list + "/widget", true})
	}
	if w.invitation != "" {
		pages = append(pages, shown{"signup-invited", w.invitation, true}, shown{"signin-refused", "/signin/oidc/callback?state=x", true})
	}
	return pages
}

// publish shares a search, and returns the path of its public page.
func (w *world) publish(a account.Account, searchID string) string {
	w.t.Helper()
	ctx := context.WithoutCancel(w.t.Context())
	require.NoError(w.t, w.store.Publish(ctx, a.ID, searchID, account.NewToken()))
	tokens, err := w.store.Published(ctx, a.ID)
	require.NoError(w.t, err)
	return "/lists/" + tokens[searchID]
}

// TestEveryPageIsLookedAt compares the list of pages with the routes, so that none is forgotten by those who look at all.
func TestEveryPageIsLookedAt(t *testing.T) {
	t.Parallel()
	w, owner := furnished(t)
	source, err := os.ReadFile("web.go")
	require.NoError(t, err)
	looks := w.everyPage(owner)
	others := []string{
		"/favicon.ico", "/{$}", "/settings", "/export", // files, and what leads elsewhere
		"/setup", // only while there is no account
		"/feeds/{token}", "/feeds/{token}/{board}", "/feeds/{token}/searches/{id}",
	}
	routes := regexp.MustCompile(`"GET (/[^"]*)"`).FindAllStringSubmatch(string(source), -1)
	require.Greater(t, len(routes), 40)
	for _, route := range routes {
		if slices.Contains(others, route[1]) {
			continue
		}
		path := regexp.MustCompile("^" + regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(route[1], "[^/?]+") + `(\?|$)`)
		require.True(t, slices.ContainsFunc(looks, func(s shown) bool { return path.MatchString(s.path) }), "nobody looks at "+route[1])
	}
}

// TestPagesFitTheirWindow looks at every page on wide and narrow screens, light and dark. Nothing may be wider than the
// window; a phone would hide that by silently widening the page.
func TestPagesFitTheirWindow(t *testing.T) {
	t.Parallel()
	w, owner := furnished(t)
	eve := w.account("eve@northwind.example", account.PlanFree, false)
	require.NoError(t, w.store.SetVerified(t.Context(), eve.ID, false))
	ctx := browsertest.Tab(t)
	for _, open := range []bool{true, false} {
		if !open {
			signIn(ctx, t, w.site.URL)
		}
		for _, s := range w.everyPage(owner) {
			if s.open != open {
				continue
			}
			look(ctx, t, w.site.URL, s, widths(), "light", "dark")
		}
	}
	lookAtLittle(ctx, t, w.site.URL, eve.Email, newWorld(t, worldOptions{}).site.URL)
}

// lookAtLittle looks at the pages of a person who has nothing yet and whose plan and address allow little, and at the
// first page of a new installation.
func lookAtLittle(ctx context.Context, t *testing.T, site, email, newSite string) {
	t.Helper()
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(site+"/boards")))
	_, err := chromedp.RunResponse(ctx, chromedp.Submit(chromedp.CSS(`form[action="/signout"] button`)))
	require.NoError(t, err)
	signInAs(ctx, t, site, email)
	for _, s := range []shown{
		{"boards-empty", "/boards", false},
		{"roles-empty", "/roles", false},
		{"changes-empty", "/changes", false},
		{"settings-account-unconfirmed", "/settings/account", false},
		{"settings-keys-free", "/settings/keys", false},
		{"settings-webhooks-free", "/settings/webhooks", false},
	} {
		look(ctx, t, site, s, widths(), "light")
	}
	look(ctx, t, newSite, shown{"setup", "/setup", true}, []int64{390}, "dark")
}

func signIn(ctx context.Context, t *testing.T, site string) {
	t.Helper()
	signInAs(ctx, t, site, ownerEmail)
}

func signInAs(ctx context.Context, t *testing.T, site, email string) {
	t.Helper()
	require.NoError(t, chromedp.Do(ctx,
		chromedp.Navigate(site+"/signin"),
		chromedp.SendKeys(chromedp.ID("email"), email),
		chromedp.SendKeys(chromedp.ID("password"), password),
	))
	_, err := chromedp.RunResponse(ctx, chromedp.Submit(chromedp.ID("password")))
	require.NoError(t, err)
	at, err := chromedp.Run(ctx, chromedp.Location())
	require.NoError(t, err)
	require.Equal(t, site+"/boards", at)
}

// widths are window widths of phones, tablets and desktops.
func widths() []int64 { return []int64{320, 390, 768, 1280} }

// look opens a page and looks at it in windows of these widths. The themes only matter for pictures, because colours do
// not change widths.
func look(ctx context.Context, t *testing.T, site string, s shown, widths []int64, themes ...string) {
	t.Helper()
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(site+s.path)))
	for _, width := range widths {
		browsertest.Fits(ctx, t, s.path, width)
		if width == 390 {
			fieldsAreLarge(ctx, t, s.path)
			fitsInLargeLetters(ctx, t, s.path, width)
		}
		if width == 320 || width == 768 {
			continue
		}
		for _, theme := range themes {
			browsertest.Picture(ctx, t, fmt.Sprintf("%s-%d-%s.png", s.name, width, theme), theme)
		}
	}
}

// fitsInLargeLetters sees that nothing is wider than the window for people who need letters twice as large.
func fitsInLargeLetters(ctx context.Context, t *testing.T, path string, width int64) {
	t.Helper()
	evaluated[bool](ctx, t, `(() => { document.documentElement.style.fontSize = "200%"; return true; })()`)
	wide := evaluated[string](ctx, t, fmt.Sprintf(`document.documentElement.scrollWidth <= %[1]d ? "" : [...document.querySelectorAll("body *")]
		.filter((e) => e.getBoundingClientRect().right > %[1]d && !e.closest(".scroll, .tabs, .off-screen")).map((e) => e.outerHTML.slice(0, 90)).join("\n")
		+ document.documentElement.scrollWidth`, width))
	require.Empty(t, wide, "%s with large letters", path)
	evaluated[bool](ctx, t, `(() => { document.documentElement.style.fontSize = ""; return true; })()`)
}

// fieldsAreLarge sees that phones do not zoom into the fields of a page.
func fieldsAreLarge(ctx context.Context, t *testing.T, path string) {
	t.Helper()
	require.Zero(t, evaluated[int](ctx, t, `[...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea")]
		.filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 16).length`), "%s: small fields", path)
}
