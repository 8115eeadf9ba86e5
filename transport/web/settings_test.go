package web_test

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

var shownKey = regexp.MustCompile(`value="(bw_[0-9A-Za-z]{40})"`)

func TestKeysAreShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, boardwatch.PlanPro, false)
	b := w.signedIn(ownerEmail)
	made := b.post("/settings/keys", url.Values{"name": {"CI pipeline"}})
	secret := shownKey.FindStringSubmatch(made.text)
	require.NotNil(t, secret, made.text)
	require.Equal(t, "no-store", made.header.Get("Cache-Control"))
	require.NotContains(t, b.get("/settings/keys").text, secret[1])
	require.Contains(t, b.get("/settings/keys").text, "bw_…"+secret[1][len(secret[1])-4:])

	for range boardwatch.MaxKeys - 1 {
		require.Contains(t, b.post("/settings/keys", url.Values{"name": {"more"}}).text, "Copy the key")
	}
	require.NotContains(t, b.get("/settings/keys").text, "Create key")
	require.Equal(t, http.StatusBadRequest, b.post("/settings/keys", url.Values{"name": {"one too many"}}).status)

	_, err := w.accounts.SetPlan(t.Context(), ownerEmail, boardwatch.PlanFree)
	require.NoError(t, err)
	free := b.get("/settings/keys")
	require.Contains(t, free.text, "CI pipeline")
	require.NotContains(t, free.text, "Create key")
	require.Equal(t, http.StatusForbidden, b.post("/settings/keys", url.Values{"name": {"x"}}).status)
	keys, err := w.store.Keys(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Contains(t, b.post("/settings/keys/"+keys[0].ID+"/delete", nil).text, "The key is deleted")
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	refused := b.post("/settings/webhooks", url.Values{"url": {"https://10.0.0.1/hook"}, "events": {"job.found"}})
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.text, `value="https://10.0.0.1/hook"`)
	require.Equal(t, http.StatusBadRequest, b.post("/settings/webhooks", url.Values{"url": {"https://hooks.example/"}}).status, "no event")

	made := b.post("/settings/webhooks", url.Values{"url": {"https://hooks.example/boardwatch"}, "events": {"job.found", "board.failed"}})
	require.Regexp(t, `value="whsec_[A-Za-z0-9_-]{43}"`, made.text)
	require.NotContains(t, b.get("/settings/webhooks").text, "whsec_")
	hooks, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, hooks, 1)

	at := "/settings/webhooks/" + hooks[0].ID
	require.Contains(t, b.post(at+"/test", nil).text, "answered with 200 in 84 ms")
	require.JSONEq(t, `{"status":200,"durationMs":84}`, b.post("/api/webhooks/"+hooks[0].ID+"/test", nil).text)
	w.receiver = boardwatch.Receipt{Error: "no answer within 10s", Duration: 10 * time.Second}
	require.Contains(t, b.post(at+"/test", nil).text, "The test ping failed: No answer within 10s.")
	require.Contains(t, b.post(at+"/delete", nil).text, "The webhook is deleted")
}

func TestTestPingsHaveABudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
	w.webhooks(owner)
	hooks, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	b := w.signedIn(ownerEmail)
	at := "/settings/webhooks/" + hooks[0].ID + "/test"
	for range 6 {
		require.Equal(t, http.StatusOK, b.post(at, nil).status)
	}
	for _, path := range []string{at, "/api/webhooks/" + hooks[0].ID + "/test"} {
		refused := b.post(path, nil)
		require.Equal(t, http.StatusTooManyRequests, refused.status)
		require.Contains(t, strings.ToLower(refused.text), "more than 6 test pings and replays in the last minute")
		require.NotEmpty(t, refused.header.Get("Retry-After"))
	}
}

func TestASwitchedOffWebhookIsDeletedAndAddedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
	w.webhooks(owner)
	w.board(owner, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{{Key: "1", Title: "Engineer"}}})
	w.failDeliveries()
	b := w.signedIn(ownerEmail)
	page := b.get("/settings/webhooks")
	require.Contains(t, page.text, "Switched off")
	require.Contains(t, page.text, "Resend")
	require.NotContains(t, page.text, "Switch on")
	resent := regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/deliveries/[^/"]+/resend`).FindString(page.text)
	require.Contains(t, b.post(resent, nil).text, "Sent again: answered with 200")

	again := regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/again`).FindString(page.text)
	_, err := w.accounts.SetPlan(t.Context(), ownerEmail, boardwatch.PlanPro)
	require.NoError(t, err)
	require.Equal(t, http.StatusForbidden, b.post(again, nil).status)
	require.Equal(t, 3, strings.Count(b.get("/settings/webhooks").text, "Delete and add again"), "what could not be added again is not deleted")
	_, err = w.accounts.SetPlan(t.Context(), ownerEmail, boardwatch.PlanUltra)
	require.NoError(t, err)
	replaced := b.post(again, nil)
	require.Regexp(t, `value="whsec_`, replaced.text)
	require.Equal(t, 2, strings.Count(b.get("/settings/webhooks").text, "Delete and add again"))
}

func TestImportSaysWhatBecameOfEachLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	const list = "northwind.example\nftp://nowhere.example\nhttps://boards.greenhouse.io/aster\n"
	form := func(do string) page { return b.upload("/import", map[string]string{"text": list, "do": do}) }

	tried := form("try")
	require.Contains(t, tried.text, "2 would be added")
	tracked, err := w.store.Tracked(t.Context(), owner.ID, "")
	require.NoError(t, err)
	require.Empty(t, tracked)

	done := form("import")
	require.Contains(t, done.text, "2 added, 0 already on your list, 1 refused")
	require.Regexp(t, `(?s)<textarea[^>]*>ftp://nowhere.example</textarea>`, done.text, "what was refused stays")
	require.Contains(t, form("import").text, "0 added, 2 already on your list, 1 refused")

	program := b.post("/import", url.Values{"text": {list}, "do": {"try"}})
	require.Contains(t, program.text, "0 would be added, 2 already on your list, 1 refused", "a form without a file will do")
	long := b.post("/import", url.Values{"text": {strings.Repeat("northwind.example\n", 80_000)}})
	require.Equal(t, http.StatusBadRequest, long.status)
	require.Contains(t, long.text, "Import it in parts")

	many := b.post("/import", url.Values{"text": {strings.Repeat("northwind.example\n", 1001)}})
	require.Equal(t, http.StatusBadRequest, many.status)
	require.Contains(t, many.text, "The list has 1\u202f001 entries, and one form takes 1\u202f000. Import it in parts.")

	exported := b.get("/export?format=csv")
	rows, err := csv.NewReader(strings.NewReader(exported.text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	var boards []boardwatch.BoardView
	require.NoError(t, json.Unmarshal([]byte(b.get("/export?format=json").text), &boards))
	require.Len(t, boards, 2)
	require.Equal(t, "https://northwind.example\nhttps://boards.greenhouse.io/aster\n", b.get("/export?format=lines").text)
	require.Contains(t, exported.header.Get("Content-Disposition"), "attachment")
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
	id := w.board(owner, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind", Postings: []boardwatch.Posting{{Key: "1", Title: "Engineer"}}})
	other := w.board(owner, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Aster", Postings: []boardwatch.Posting{{Key: "1", Title: "Pilot"}}})
	b := w.signedIn(ownerEmail)
	token := feedToken(t, b)
	stranger := w.browser()
	all := stranger.get("/feeds/" + token)
	require.Equal(t, "application/atom+xml; charset=utf-8", all.header.Get("Content-Type"))
	var feed struct {
		Entries []struct {
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	require.NoError(t, xml.Unmarshal([]byte(all.text), &feed))
	require.Len(t, feed.Entries, 2)
	require.NotContains(t, stranger.get("/feeds/"+token+"/"+id).text, "Aster")
	require.Contains(t, stranger.get("/feeds/"+token+"/"+other).text, "Aster: watching 1 open role")
	require.NotContains(t, stranger.get("/feeds/"+token).text, "Pilot", "what was there before is no news")

	b.post("/settings/email/feed", nil)
	require.Equal(t, http.StatusNotFound, stranger.get("/feeds/"+token).status)
	require.NotEqual(t, token, feedToken(t, b))
}

// The token of a feed gives access to it, so no log may contain it, even if something breaks.
func TestAFeedThatBreaksKeepsItsTokenOutOfTheLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, boardwatch.PlanUltra, false)
	token := feedToken(t, w.signedIn(ownerEmail))
	require.NoError(t, w.store.Close())
	require.GreaterOrEqual(t, w.browser().get("/feeds/"+token).status, http.StatusInternalServerError)
	require.Contains(t, w.log.String(), "/feeds/…")
	require.NotContains(t, w.log.String(), token)
}

func TestTheDailyMailIsChosen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mail: true})
	owner := w.account(ownerEmail, boardwatch.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	refused := b.post("/settings/email", url.Values{"digest": {"on"}, "hour": {"7"}, "zone": {"Mars/Olympus"}})
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.text, `value="Mars/Olympus"`)
	require.Contains(t, b.post("/settings/email", url.Values{"hour": {"18"}, "zone": {"Europe/Berlin"}, "notices": {"on"}}).text, "Saved")
	prefs, err := w.store.Preferences(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Equal(t, []any{false, 18, "Europe/Berlin", true}, []any{prefs.Digest, prefs.DigestHour, prefs.TimeZone, prefs.Notices})
}

func TestBoardsAreAddedCheckedAndRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, boardwatch.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	require.Contains(t, b.get("/boards").text, "Which company do you want to watch?")
	refused := b.post("/boards", url.Values{"url": {"ftp://nowhere.example"}})
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.text, `value="ftp://nowhere.example"`)
	require.Contains(t, b.post("/boards", url.Values{"url": {" northwind.example "}}).text, "is on your list")
	require.Contains(t, b.post("/boards", url.Values{"url": {"northwind.example"}}).text, "already on your list")
	id := regexp.MustCompile(`/boards/([a-f0-9]{24})"`).FindStringSubmatch(b.get("/boards").text)[1]
	require.Equal(t, "/boards/"+id, b.post("/boards/"+id+"/check", nil).path)
	require.Contains(t, b.post("/boards/"+id+"/remove", nil).text, "is off your list")
	require.Equal(t, http.StatusNotFound, b.get("/boards/"+id).status)
}
