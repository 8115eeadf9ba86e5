package web_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// TestAFirstDayInTokyo follows a person whose browser is in Tokyo. They are not flooded, and they see old and new
// values of changes and why a role closed, in their own time zone, at every width.
func TestAFirstDayInTokyo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id, roles := w.past(owner)
	long := [3]string{"1", "Principal Software Engineer for Distributed Storage and " + strings.Repeat("Very", 12) + "LongWords", "Oslo"}
	w.readNext(id, listing(long, [3]string{"2", "Baker", "Bergen"}, [3]string{"3", "Smith", "Remote"}, [3]string{"4", "Mason", "Porto"}))
	ctx := browsertest.Tab(t)
	_, err := chromedp.Run(ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
		return chromedp.Void{}, err
	})
	require.NoError(t, err)
	signIn(ctx, t, w.site.URL)
	prefs, err := w.store.Preferences(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Equal(t, "Asia/Tokyo", prefs.TimeZone)

	text := func(path string) string {
		require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(w.site.URL+path)))
		return evaluated[string](ctx, t, "document.body.innerText")
	}
	changes := text("/changes")
	require.Contains(t, changes, "Watching 3 open roles")
	require.Equal(t, 1, strings.Count(changes, "Mason"))
	require.Contains(t, evaluated[string](ctx, t, `document.querySelector(".fields").innerText`), "Bergen")
	for _, role := range []shown{
		{"role-updated", "/roles/" + roles["Head Cook"], false},
		{"role-reopened", "/roles/" + roles["Baker"], false},
		{"changes-record", "/changes", false},
	} {
		if strings.HasPrefix(role.path, "/roles/") {
			require.Contains(t, text(role.path), "JST", role.name)
		}
		look(ctx, t, w.site.URL, role, widths(), "light", "dark")
	}
	for range 8 { // roles of this board were away for days before
		w.readNext(id, listing(long, [3]string{"3", "Smith", "Remote"}, [3]string{"4", "Mason", "Porto"}))
	}
	closed := shown{"role-closed", "/roles/" + roles["Baker"], false}
	require.Contains(t, text(closed.path), "3 healthy checks in a row did not show it")
	require.Equal(t, int64(3), evaluated[int64](ctx, t, `document.querySelectorAll(".missed li").length`))
	look(ctx, t, w.site.URL, closed, widths(), "light", "dark")
}
