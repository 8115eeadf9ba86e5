package web_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

var sharedAddress = regexp.MustCompile(`value="[^"]*(/lists/[A-Za-z0-9_-]{43})"`)

// shared returns a world with a shared search, the browser of its owner, and the path of the public page.
func shared(t *testing.T) (w *world, b *browser, search, path string) {
	t.Helper()
	w = newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.engineering(owner)
	b = w.signedIn(ownerEmail)
	page := b.post("/searches", url.Values{"name": {"Makers"}, "search": {"er"}, "kind": {"found"}})
	require.Contains(t, page.text, "Makers is saved.")
	search = page.path
	require.NotRegexp(t, sharedAddress, page.text, "a search is private until its owner shares it")
	page = b.post(search+"/share", url.Values{"do": {"share"}})
	found := sharedAddress.FindStringSubmatch(page.text)
	require.NotNil(t, found, page.text)
	return w, b, search, found[1]
}

func TestASharedListIsReadByAnybodyWhoKnowsItsAddress(t *testing.T) {
	t.Parallel()
	w, b, search, path := shared(t)
	owner, err := w.store.AccountByEmail(t.Context(), ownerEmail)
	require.NoError(t, err)
	id := w.roleOf(owner, "Rope Maker")
	b.post("/roles/"+id+"/mark", url.Values{"note": {"Ask Zoë"}, "applied": {"2026-10-20"}})
	b.post("/roles/"+id+"/mark", url.Values{"do": {"hide"}})

	stranger := w.browser()
	for _, of := range []string{"", "/widget", "/feed", "/feed.json"} {
		page := stranger.get(path + of)
		require.Equal(t, http.StatusOK, page.status, of)
		require.Equal(t, "noindex, nofollow", page.header.Get("X-Robots-Tag"), of)
		for _, private := range []string{"Zoë", "2026-10-20", "ada@", "/roles/", "/boards/", "/searches/", "<form method=\"post\" action=\"/roles"} {
			require.NotContains(t, page.text, private, of)
		}
	}
	require.Contains(t, stranger.get(path).text, "Rope Maker", "what its owner has hidden from their own lists is nobody else's matter")
	require.NotContains(t, b.get(path).text, `aria-label="Pages"`, "its owner sees what everybody sees")

	require.Equal(t, path, sharedAddress.FindStringSubmatch(b.post(search+"/share", url.Values{"do": {"share"}}).text)[1], "it keeps its address")
	eve := w.signedInAs("eve@northwind.example")
	require.Equal(t, http.StatusNotFound, eve.post(search+"/share", url.Values{"do": {"share"}}).status)
	eve.post(search+"/share", url.Values{"do": {"stop"}})
	require.Equal(t, http.StatusOK, stranger.get(path).status, "only its owner ends that")

	require.Contains(t, b.post(search+"/share", url.Values{"do": {"stop"}}).text, "The list is no longer shared")
	for _, of := range []string{"", "/widget", "/feed", "/feed.json"} {
		require.Equal(t, http.StatusNotFound, stranger.get(path+of).status, of)
	}
	again := sharedAddress.FindStringSubmatch(b.post(search+"/share", url.Values{"do": {"share"}}).text)
	require.NotEqual(t, path, again[1], "an address that was taken back stays dead")
	b.post(search+"/delete", nil)
	require.Equal(t, http.StatusNotFound, stranger.get(again[1]).status)
}

func TestTheWidgetAloneMayBeFramed(t *testing.T) {
	t.Parallel()
	w, _, _, path := shared(t)
	stranger := w.browser()
	policy := stranger.get(path + "/widget").header.Get("Content-Security-Policy")
	require.Contains(t, policy, "frame-ancestors *")
	require.Contains(t, policy, "form-action 'none'")
	require.NotContains(t, policy, "script-src")
	require.Contains(t, stranger.get(path).header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	require.Contains(t, stranger.get("/lists/"+account.NewToken()+"/widget").header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
}

func TestFeedsOfASharedList(t *testing.T) {
	t.Parallel()
	w, _, _, path := shared(t)
	w.pass(0)
	stranger := w.browser()
	var atom struct {
		ID    string `xml:"id"`
		Title string `xml:"title"`
	}
	require.NoError(t, xml.Unmarshal([]byte(stranger.get(path+"/feed").text), &atom))
	require.Equal(t, "Makers", atom.Title)
	require.Equal(t, w.site.URL+path, atom.ID)
	page := stranger.get(path + "/feed.json")
	require.Equal(t, "application/feed+json", page.header.Get("Content-Type"))
	var feed map[string]any
	require.NoError(t, json.Unmarshal([]byte(page.text), &feed))
	require.Equal(t, "https://jsonfeed.org/version/1.1", feed["version"])
	require.Equal(t, w.site.URL+path, feed["home_page_url"])
	require.IsType(t, []any{}, feed["items"])
}

func TestSharedListsAreReadAtAModestPace(t *testing.T) {
	t.Parallel()
	w, _, _, path := shared(t)
	stranger := w.browser()
	for range 60 {
		require.Equal(t, http.StatusNotFound, stranger.get("/lists/guess").status)
	}
	refused := stranger.get(path)
	require.Equal(t, http.StatusTooManyRequests, refused.status)
	require.NotEmpty(t, refused.header.Get("Retry-After"))
}

func TestSelectedBoardsBecomeASearch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	first := w.board(owner, listing([3]string{"1", "Cook", ""}))
	w.board(owner, listing([3]string{"1", "Smith", ""}))
	b := w.signedIn(ownerEmail)
	page := b.post("/boards/change", url.Values{"board": {first}, "do": {"search"}})
	require.Regexp(t, `^/searches/`, page.path)
	require.Contains(t, page.text, ">Cook<")
	require.NotContains(t, page.text, ">Smith<")
	require.Contains(t, b.post("/boards/change", url.Values{"board": {first}, "do": {"search"}}).text, "The name is the name of another search.")
}
