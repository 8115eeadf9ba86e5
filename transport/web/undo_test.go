package web_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

var (
	undoForm  = regexp.MustCompile(`(?s)<form data-in-place method="post" action="([^"]*)">((?:\s*<input type="hidden"[^>]*>)*)\s*<button class="link">Undo</button>`)
	undoField = regexp.MustCompile(`name="([^"]*)" value="([^"]*)"`)
)

// undo presses the Undo of a page.
func (b *browser) undo(p page) page {
	b.t.Helper()
	form := undoForm.FindStringSubmatch(p.text)
	require.NotNil(b.t, form, "the page offers to take it back: %s", p.text)
	fields := url.Values{}
	for _, field := range undoField.FindAllStringSubmatch(form[2], -1) {
		fields.Add(field[1], strings.NewReplacer("&#34;", `"`, "&amp;", "&", "&#39;", "'").Replace(field[2]))
	}
	return b.post(form[1], fields)
}

// Whatever is done in place is taken back with one button, also without JavaScript.
func TestWhatIsDoneInPlaceIsTakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	board := w.engineering(a)
	other := w.acorn(a, "Baker")
	b := w.signedIn(ownerEmail)
	id := w.roleOf(a, "Rope Maker")
	rope := "/roles/" + id + "/mark"
	mark := func() track.Mark {
		marks, err := w.store.Marks(t.Context(), a.ID, id)
		require.NoError(t, err)
		return marks[id]
	}
	b.post(rope, url.Values{"applied": {"2026-10-20"}, "note": {`"Ask" & wait`}})
	noted := mark()
	for _, fields := range []url.Values{
		{"do": {"star"}}, {"do": {"hide"}, "back": {"/roles?search=rope"}}, {"do": {"stage"}, "stage": {"offer"}}, {"note": {"Never mind."}, "applied": {""}},
	} {
		done := b.post(rope, fields)
		require.NotEqual(t, noted, mark(), "%v", fields)
		back := b.undo(done)
		require.Contains(t, back.text, "It is as it was before.")
		require.Equal(t, done.path+done.query, back.path+back.query, "on the same page")
		require.Equal(t, noted, mark(), "%v", fields)
		require.NotRegexp(t, undoForm, back.text)
	}

	beside := regexp.MustCompile(`(?s)action="` + rope + `">.*?name="beside" value="(\w+)"`).FindStringSubmatch(b.get("/roles").text)[1]
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+rope, strings.NewReader("do=hide&beside="+beside))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := b.http.Do(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, "role-"+beside, answer.Request.URL.Fragment, "the list stays where it was, without JavaScript as well")
	b.post(rope, url.Values{"do": {"show"}})

	tags := func(id string) []string {
		found, err := w.store.TrackedBoard(t.Context(), a.ID, id)
		require.NoError(t, err)
		return found.Subscription.Tags
	}
	b.post("/boards/"+board+"/tags", url.Values{"tags": {"ropes, near home"}})
	b.undo(b.post("/boards/"+board+"/tags", url.Values{"tags": {"far away"}}))
	require.Equal(t, []string{"near home", "ropes"}, tags(board))
	b.undo(b.post("/boards/change", url.Values{"do": {"tag"}, "tag": {"ropes"}, "board": {board, other}}))
	require.Equal(t, []string{"near home", "ropes"}, tags(board), "it had the tag before")
	require.Empty(t, tags(other))
	b.undo(b.post("/boards/change", url.Values{"do": {"untag"}, "tag": {"ropes"}, "board": {board, other}}))
	require.Equal(t, []string{"near home", "ropes"}, tags(board))
	require.Empty(t, tags(other))

	require.Contains(t, b.get("/boards").text, `id="steps"`)
	require.Contains(t, b.undo(b.post("/boards/steps", nil)).text, `id="steps"`)

	long := b.post(rope, url.Values{"note": {strings.Repeat("ä", 1000)}})
	require.Contains(t, long.text, "Saved.")
	require.NotRegexp(t, undoForm, b.post(rope, url.Values{"do": {"star"}}).text, "a cookie has no room for the note")
}

// A message that somebody else has put into the browser makes no form of another kind.
func TestAnUndoDoesNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	site, err := url.Parse(w.site.URL)
	require.NoError(t, err)
	for action, shown := range map[string]bool{
		"/roles/5ea4c45ea4c45ea4c45ea4c4/mark": true, "/settings/account/delete": false, "https://elsewhere.example/roles/5ea4c45ea4c45ea4c45ea4c4/mark": false,
		"/boards/5ea4c45ea4c45ea4c45ea4c4/check": false, "/boards/steps?x": false,
	} {
		value := []string{"good"}
		for _, part := range []string{"Press the button.", "", "", action, "do=show"} {
			value = append(value, base64.RawURLEncoding.EncodeToString([]byte(part)))
		}
		b.http.Jar.SetCookies(site, []*http.Cookie{{Name: "boardwatch-flash", Value: strings.Join(value, ".")}})
		page := b.get("/settings/account").text
		require.Contains(t, page, "Press the button.")
		require.Equal(t, shown, undoForm.MatchString(page), action)
	}
}

func TestRolesAreSortedBothWays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	id := w.board(a, listing([3]string{"1", "Baker", "Rome"}, [3]string{"2", "Pilot", "Oslo"}))
	w.readNext(id, listing([3]string{"1", "Baker", "Rome"}, [3]string{"2", "Pilot", "Oslo"}, [3]string{"3", "Miller", "Bonn"}))
	b := w.signedIn(ownerEmail)
	b.post("/searches", url.Values{"name": {"E"}, "location": {"o"}, "kind": {"found"}})
	searches, err := w.store.Searches(t.Context(), a.ID)
	require.NoError(t, err)
	names := regexp.MustCompile(`class="name" href="/roles/[^"]*">(\w+)<`)
	for _, path := range []string{"/roles", "/boards/" + id, "/searches/" + searches[0].ID} {
		for sort, want := range map[string]struct {
			first, last, head, order, next string
		}{
			"":          {"Miller", "", "First seen", "descending", "-seen"},
			"-seen":     {"", "Miller", "First seen", "ascending", "seen"},
			"title":     {"Baker", "Pilot", "Role", "ascending", "-title"},
			"-title":    {"Pilot", "Baker", "Role", "descending", "title"},
			"location":  {"Miller", "Baker", "Location", "ascending", "-location"},
			"-location": {"Baker", "Miller", "Location", "descending", "location"},
		} {
			page := b.get(path + "?sort=" + sort).text
			rows := names.FindAllStringSubmatch(page, -1)
			require.Len(t, rows, 3, path)
			if want.first != "" {
				require.Equal(t, want.first, rows[0][1], path+sort)
			}
			if want.last != "" {
				require.Equal(t, want.last, rows[2][1], path+sort)
			}
			require.Contains(t, page, `aria-sort="`+want.order+`"><a href="`+path+`?sort=`+want.next+`">`+want.head+`</a>`)
			require.Contains(t, page, `aria-current="true" data-order="`+want.order+`">`+want.head+`</a>`, "phones show no heads")
		}
	}
}
