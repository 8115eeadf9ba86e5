package web_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	chromium "github.com/boardwatch/boardwatch/scraper/browser"
)

// lighthouse is where scripts/judges/lighthouse.sh has put the judge.
var lighthouse = flag.String("lighthouse", "", "judge the pages with this script, which runs Lighthouse")

// TestPagesAreQuick has Lighthouse judge every page of an account with a full list and 350 roles more.
func TestPagesAreQuick(t *testing.T) {
	t.Parallel()
	if *lighthouse == "" {
		t.Skip("without Lighthouse; scripts/judges/lighthouse.sh brings it")
	}
	path, err := chromium.Find("")
	require.NoError(t, err)
	w, owner := furnished(t)
	w.fill(owner)
	site, err := url.Parse(w.site.URL)
	require.NoError(t, err)
	cookies := w.signedIn(ownerEmail).http.Jar.Cookies(site)
	for _, open := range []bool{false, true} {
		var paths []string
		for _, s := range w.everyPage(owner) {
			// Pages that search engines are to find, which excludes shared lists.
			if s.open == open && !slices.Contains([]string{"not-found", "consent-refused", "signin-refused", "list-shared", "list-widget"}, s.name) {
				paths = append(paths, s.path)
			}
		}
		if open {
			cookies = []*http.Cookie{}
		}
		known, err := json.Marshal(cookies)
		require.NoError(t, err)
		cmd := exec.CommandContext(t.Context(), "node", append([]string{*lighthouse}, paths...)...)
		cmd.Env = append(os.Environ(), "LIGHTHOUSE_SITE="+w.site.URL, "LIGHTHOUSE_COOKIES="+string(known), "LIGHTHOUSE_BROWSER="+path)
		cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
		if err := cmd.Run(); err != nil {
			t.Errorf("signed in %t: %v", !open, err)
		}
	}
}

// fill fills the account's list, and gives it a board with 350 roles, of which many change.
func (w *world) fill(a account.Account) {
	w.t.Helper()
	const many = 350
	rows := func(title string) (out [][3]string) {
		for i := range many {
			out = append(out, [3]string{strconv.Itoa(i), fmt.Sprintf("%s %d", title, i), "Oslo"})
		}
		return out
	}
	listed, err := w.store.Tracked(w.t.Context(), a.ID, "")
	require.NoError(w.t, err)
	for _, s := range listed[1:] { // room for one more within the plan
		if s.Board.System() != boardwatch.PageSystem {
			require.NoError(w.t, w.store.Unsubscribe(w.t.Context(), a.ID, s.Board.ID))
		}
	}
	id := w.board(a, listing(rows("Engineer")...))
	w.readNext(id, listing(rows("Senior Engineer")...))
	for range 3 {
		w.readNext(id, listing(rows("Senior Engineer")[many/3:]...))
	}
	for i := range 85 { // beyond the plan: rows like the others
		address := fmt.Sprintf("https://company-%d.example/careers", i)
		_, _, err := w.store.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{Source: "page:" + address, URL: address}, address)
		require.NoError(w.t, err)
	}
}
