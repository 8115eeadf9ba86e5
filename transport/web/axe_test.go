package web_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// axe is the path of axe-core, installed by scripts/judges/axe.sh.
var axe = flag.String("axe", "", "judge the pages with the axe-core of this file")

// TestPagesAreForEverybody has axe-core look at every page, on a phone and on a desk, light and dark.
func TestPagesAreForEverybody(t *testing.T) {
	t.Parallel()
	if *axe == "" {
		t.Skip("without axe-core; scripts/judges/axe.sh brings it")
	}
	script, err := os.ReadFile(*axe)
	require.NoError(t, err)
	w, owner := furnished(t)
	pages := w.everyPage(owner)
	for _, open := range []bool{true, false} {
		for _, width := range []int64{390, 1280} {
			for _, theme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%t, %d px, %s", open, width, theme), func(t *testing.T) { // each with a browser, and so a time limit, of its own
					t.Parallel()
					ctx := browsertest.Tab(t)
					if !open {
						signIn(ctx, t, w.site.URL)
					}
					for _, s := range pages {
						if s.open == open {
							judge(ctx, t, string(script), w.site.URL+s.path, width, theme)
						}
					}
				})
			}
		}
	}
	ctx := browsertest.Tab(t)
	signIn(ctx, t, w.site.URL)
	// A new secret, and a form that was refused.
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/settings/keys"), chromedp.SetValue(chromedp.ID("name"), "Third")))
	_, err = chromedp.RunResponse(ctx, chromedp.Submit(chromedp.ID("name")))
	require.NoError(t, err)
	judgeHere(ctx, t, string(script), "a key shown once")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards"), chromedp.SetValue(chromedp.ID("add"), "ftp://nowhere.example")))
	_, err = chromedp.RunResponse(ctx, chromedp.Submit(chromedp.ID("add")))
	require.NoError(t, err)
	judgeHere(ctx, t, string(script), "an address that was refused")
	channels, err := w.store.Channels(t.Context(), owner.ID)
	require.NoError(t, err)
	for _, path := range []string{"/settings/channels", "/settings/channels/" + channels[0].ID} {
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+path), chromedp.SetValue(chromedp.ID("to"), "https://10.0.0.1/x")))
		_, err = chromedp.RunResponse(ctx, chromedp.Submit(chromedp.ID("to")))
		require.NoError(t, err)
		judgeHere(ctx, t, string(script), "a channel that was refused")
	}

	// What was done in place, with a way to take it back, and a search that gets no answer.
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 900), chromedp.Navigate(w.site.URL+"/roles")))
	evaluated[bool](ctx, t, `(() => { document.querySelector("[value=star]").click(); return true; })()`)
	soon(ctx, t, `document.querySelector("#toast").innerText.includes("Undo")`)
	judgeHere(ctx, t, string(script), "a role that was starred")
	serve := w.handler.Load()
	w.handler.Store(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "no", http.StatusBadGateway) }))
	require.NoError(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.ID("q"), "engineer")))
	soon(ctx, t, `document.body.innerText.includes("The search could not be done")`)
	judgeHere(ctx, t, string(script), "a search without an answer")
	w.handler.Store(serve)

	// A person who has nothing yet, and whose plan and address allow little.
	eve := w.account("eve@northwind.example", account.PlanFree, false)
	require.NoError(t, w.store.SetVerified(t.Context(), eve.ID, false))
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards")))
	_, err = chromedp.RunResponse(ctx, chromedp.Submit(chromedp.CSS(`form[action="/signout"] button`)))
	require.NoError(t, err)
	signInAs(ctx, t, w.site.URL, eve.Email)
	for _, path := range []string{"/boards", "/roles", "/changes", "/settings/account", "/settings/keys", "/settings/channels", "/settings/webhooks", "/settings/email"} {
		judge(ctx, t, string(script), w.site.URL+path, 390, "dark")
	}
	empty := newWorld(t, worldOptions{})
	judge(ctx, t, string(script), empty.site.URL+"/setup", 390, "light")
	link, err := empty.identities.SetupLink(t.Context())
	require.NoError(t, err)
	judge(ctx, t, string(script), link, 1280, "light")
}

func judge(ctx context.Context, t *testing.T, script, address string, width int64, theme string) {
	t.Helper()
	_, err := chromedp.Run(ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
		})
		return chromedp.Void{}, err
	})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address)))
	judgeHere(ctx, t, script, fmt.Sprintf("%s at %d px, %s", address, width, theme))
}

// judgeHere judges the page that the browser shows.
func judgeHere(ctx context.Context, t *testing.T, script, where string) {
	t.Helper()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script+";true"))
	require.NoError(t, err)
	result, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
			.then(r => JSON.stringify(r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.map(n => n.html + " " + n.failureSummary)}))))`,
		func(p *runtime.EvaluateParams) { yes := true; p.AwaitPromise = &yes }))
	require.NoError(t, err)
	var violations []any
	require.NoError(t, json.Unmarshal([]byte(result), &violations))
	if len(violations) > 0 {
		t.Errorf("%s: %s", where, result)
	}
}
