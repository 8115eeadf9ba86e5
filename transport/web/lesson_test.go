package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/lesson"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// careersPage is a page whose roles are not found automatically.
const careersPage = `<!doctype html><html><head><title>Northwind</title></head><body><nav><ul><li>Home</li><li>About</li></ul></nav><main><h1>Northwind</h1>
	<section><p class="seat"><b>Knot and Rope</b> <i>Porto</i></p><p class="seat"><b>Cloud and Paint</b> <i>Bergen</i></p><p class="seat"><b>Tea &lt;and&gt; Mugs</b> <i>Ghent</i></p></section>
	<ul class="values"><li>We are kind to each other</li><li>We are never late for lunch</li></ul></main></body></html>`

// misreadBoard is a board on the account's list whose page is on this machine, with a teacher that answers questions
// about it.
func misreadBoard(t *testing.T, w *world, a account.Account) (id string, desk *lesson.Desk) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/careers" {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(rw, careersPage)
	}))
	t.Cleanup(site.Close)
	b, _, err := w.store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
		Source: "page:" + site.URL + "/careers", URL: site.URL + "/careers", Status: boardwatch.BoardScraping,
	}, site.URL+"/careers")
	require.NoError(t, err)
	reader := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{})
	return b.ID, lesson.New(w.store, reader, lesson.Options{})
}

// answer lets the teacher answer the waiting question.
func answer(t *testing.T, desk *lesson.Desk) {
	t.Helper()
	answered, err := desk.Answer(t.Context())
	require.NoError(t, err)
	require.True(t, answered, "a question waits")
}

var askedAt = regexp.MustCompile(`name="asked" value="([^"]+)"`)

func TestAnOperatorShowsWhereTheRolesAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	ann := w.account("ann@northwind.example", account.PlanPro, true)
	id, desk := misreadBoard(t, w, ann)
	b := w.signedIn("ann@northwind.example")
	require.Contains(t, b.get("/boards/"+id).text, `action="/boards/`+id+`/lesson"`)

	waiting := b.post("/boards/"+id+"/lesson", nil)
	require.Equal(t, "/boards/"+id+"/lesson", waiting.path)
	require.Contains(t, waiting.text, "The page is being looked at")
	require.Contains(t, waiting.text, "data-busy")
	answer(t, desk)

	lists := b.get("/boards/" + id + "/lesson").text
	require.Contains(t, lists, "<b>A list of 3 entries</b><span>Knot and Rope</span><span>Cloud and Paint</span><span>Tea &lt;and&gt; Mugs</span>")
	require.Contains(t, lists, "<b>A list of 2 entries</b><span>We are kind to each other</span>")
	require.NotContains(t, lists, "<span>Home</span>")
	number := regexp.MustCompile(`value="(\d)"><label for="list-\d"><b>A list of 3 entries</b><span>Knot`).FindStringSubmatch(lists)
	require.NotNil(t, number)

	none := b.post("/boards/"+id+"/lesson", url.Values{"do": {"try"}, "not": {"kept"}})
	require.Equal(t, http.StatusBadRequest, none.status)
	require.Contains(t, none.text, "Choose a list, or type a title that is on the page.")
	require.Contains(t, none.text, "kept")

	b.post("/boards/"+id+"/lesson", url.Values{"do": {"try"}, "list": {number[1]}, "like": {"Kite Tester"}, "not": {"Tea <and> Mugs"}})
	answer(t, desk)
	preview := b.get("/boards/" + id + "/lesson").text
	require.Contains(t, preview, "What would be read: 2 roles")
	require.Contains(t, preview, "Bergen")
	asked := askedAt.FindStringSubmatch(preview)
	require.NotNil(t, asked)
	board, err := w.store.Board(t.Context(), id)
	require.NoError(t, err)
	require.Empty(t, board.Recipe, "nothing is saved before it was seen")

	saved := b.post("/boards/"+id+"/lesson/use", url.Values{"asked": {asked[1]}})
	require.Contains(t, saved.text, "The board is read by this recipe from now on")
	require.Contains(t, saved.text, "The board has a recipe")
	board, err = w.store.Board(t.Context(), id)
	require.NoError(t, err)
	require.Contains(t, board.Recipe, `"entry":"p.seat"`)

	b.post("/boards/"+id+"/recipe/clear", nil)
	board, err = w.store.Board(t.Context(), id)
	require.NoError(t, err)
	require.Empty(t, board.Recipe)
}

func TestARecipeThatNobodyHasSeenIsNotSaved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id, desk := misreadBoard(t, w, w.account("ann@northwind.example", account.PlanPro, true))
	b := w.signedIn("ann@northwind.example")
	b.post("/boards/"+id+"/lesson", url.Values{"do": {"try"}, "like": {"Knot and Rope"}})
	answer(t, desk)
	asked := askedAt.FindStringSubmatch(b.get("/boards/" + id + "/lesson").text)
	require.NotNil(t, asked)
	b.post("/boards/"+id+"/lesson", url.Values{"do": {"try"}, "like": {"We are kind to each other"}})
	answer(t, desk)
	for _, stamp := range []string{asked[1], "", "yesterday"} {
		refused := b.post("/boards/"+id+"/lesson/use", url.Values{"asked": {stamp}})
		require.Contains(t, refused.text, "The page has been read again since")
	}
	board, err := w.store.Board(t.Context(), id)
	require.NoError(t, err)
	require.Empty(t, board.Recipe)
}

func TestALessonSaysWhyNothingWasLearned(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	ann := w.account("ann@northwind.example", account.PlanPro, true)
	id, desk := misreadBoard(t, w, ann)
	b := w.signedIn("ann@northwind.example")
	b.post("/boards/"+id+"/lesson", url.Values{"do": {"try"}, "like": {"Kite Tester"}})
	answer(t, desk)
	failed := b.get("/boards/" + id + "/lesson").text
	require.Contains(t, failed, "The title &#34;Kite Tester&#34; does not stand on the page")
	require.Contains(t, failed, "Kite Tester</textarea>", "so that it can be mended")
	require.NotContains(t, failed, "What would be read")

	hosted, _, err := w.store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: ann.ID},
		boardwatch.Board{Source: "greenhouse:northwind", URL: "https://boards.greenhouse.io/northwind"}, "")
	require.NoError(t, err)
	require.Contains(t, b.get("/boards/"+hosted.ID+"/lesson").text, "It needs no recipe")
}

func TestLessonsAreNobodyElses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id, _ := misreadBoard(t, w, w.account("ann@northwind.example", account.PlanPro, true))
	eve := w.account("eve@northwind.example", account.PlanPro, false)
	_, _, err := w.store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: eve.ID}, boardwatch.Board{Source: sourceOf(t, w, id)}, "")
	require.NoError(t, err)
	b := w.signedIn("eve@northwind.example")
	require.NotContains(t, b.get("/boards/"+id).text, "/lesson")
	require.Equal(t, http.StatusNotFound, b.get("/boards/"+id+"/lesson").status)
	for _, path := range []string{"/boards/" + id + "/lesson", "/boards/" + id + "/lesson/use", "/boards/" + id + "/recipe/clear", "/admin/misreads/" + id + "/delete"} {
		require.Equal(t, http.StatusNotFound, b.post(path, url.Values{"like": {"Knot and Rope"}}).status, path)
	}
	_, err = w.store.Lesson(t.Context(), id)
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
}

func sourceOf(t *testing.T, w *world, id string) string {
	t.Helper()
	b, err := w.store.Board(t.Context(), id)
	require.NoError(t, err)
	return b.Source
}

func TestABoardIsReportedAsMisread(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account("ann@northwind.example", account.PlanPro, true)
	id, _ := misreadBoard(t, w, w.account("eve@northwind.example", account.PlanPro, false))
	eve, ann := w.signedIn("eve@northwind.example"), w.signedIn("ann@northwind.example")
	require.Contains(t, eve.get("/boards/"+id).text, `href="/boards/`+id+`/misread"`)
	require.Contains(t, eve.get("/boards/"+id+"/misread").text, "Wrong roles?")

	for name, form := range map[string]url.Values{
		"Say in a sentence what is wrong":          {},
		"Name at most 5 titles":                    {"titles": {"a1\nb2\nc3\nd4\ne5\nf6"}},
		"The sentence must not be longer than 300": {"text": {strings.Repeat("é", 301)}},
	} {
		refused := eve.post("/boards/"+id+"/misread", form)
		require.Equal(t, http.StatusBadRequest, refused.status)
		require.Contains(t, refused.text, name)
	}
	told := eve.post("/boards/"+id+"/misread", url.Values{"text": {"It lists <b>cakes</b>."}, "titles": {"Knot and Rope\n\nCloud and Paint\n"}})
	require.Equal(t, "/boards/"+id, told.path)
	require.Contains(t, told.text, "The operator sees your report")

	seen := ann.get("/admin").text
	require.Contains(t, seen, "It lists &lt;b&gt;cakes&lt;/b&gt;.")
	require.Contains(t, seen, "Cloud and Paint")
	require.Contains(t, seen, "eve@northwind.example")
	require.Contains(t, seen, `href="/boards/`+id+`/lesson"`)
	lesson := ann.get("/boards/" + id + "/lesson").text
	require.Contains(t, lesson, "Wrong roles?", "an operator need not track it")
	require.Contains(t, lesson, "<strong>eve@northwind.example</strong> reported", "what is to be looked for is there")
	require.Contains(t, lesson, "It lists &lt;b&gt;cakes&lt;/b&gt;.<br>Knot and Rope")

	require.Contains(t, eve.get("/boards/"+id).text, "The operator has not answered yet.")
	require.NotContains(t, eve.get("/boards").text, "cakes", "the list shows answers only")

	require.Contains(t, ann.post("/admin/misreads/"+id, url.Values{"answer": {strings.Repeat("x", 301)}}).text, "The answer must not be longer than 300 characters.")
	require.NotContains(t, ann.post("/admin/misreads/"+id, url.Values{"answer": {"Cakes are <i>jobs</i> there."}}).text, "cakes")
	require.Equal(t, http.StatusNotFound, eve.post("/admin/misreads/"+id, url.Values{"answer": {"mine"}}).status)
	for _, path := range []string{"/boards", "/boards/" + id} {
		page := eve.get(path).text
		require.Contains(t, page, "Cakes are &lt;i&gt;jobs&lt;/i&gt; there.", path)
		require.Contains(t, page, "You reported", path)
		require.NotContains(t, ann.get("/boards").text, "You reported")
	}
	require.NotContains(t, eve.post("/boards/"+id+"/misread/delete", nil).text, "Cakes")
	eve.post("/boards/"+id+"/misread", url.Values{"text": {"Still cakes."}})
	require.Contains(t, ann.get("/admin").text, "Still cakes.")
	ann.post("/admin/misreads/"+id, nil)
	require.Contains(t, eve.get("/boards").text, "The operator has looked at the board.")
	require.Equal(t, http.StatusNotFound, ann.post("/boards/"+id+"/misread", url.Values{"text": {"not mine"}}).status)
}

// TestAnOperatorPicksAList goes through all steps in a browser.
func TestAnOperatorPicksAList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id, desk := misreadBoard(t, w, w.account("ann@northwind.example", account.PlanPro, true))
	ctx := browsertest.Tab(t)
	signInAs(ctx, t, w.site.URL, "ann@northwind.example")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards/"+id)))
	press := func(selector string) {
		t.Helper()
		_, err := chromedp.RunResponse(ctx, chromedp.Submit(chromedp.CSS(selector)))
		require.NoError(t, err)
	}
	press(`form[action$="/lesson"] button`)
	answer(t, desk)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards/"+id+"/lesson"), chromedp.Click(chromedp.CSS(`label[for="list-0"]`))))
	chosen, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector("label[for=list-0] span").textContent`))
	require.NoError(t, err)
	require.Equal(t, "Knot and Rope", chosen)
	_, err = chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(`button[value="try"]`)))
	require.NoError(t, err)
	answer(t, desk)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards/"+id+"/lesson")))
	press(`form[action$="/lesson/use"] button`)
	board, err := w.store.Board(t.Context(), id)
	require.NoError(t, err)
	require.Contains(t, board.Recipe, `"entry":"p.seat"`)
}
