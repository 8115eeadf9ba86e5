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
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

var shownKey = regexp.MustCompile(`value="(bw_[0-9A-Za-z]{40})"`)

func TestKeysAreShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanPro, false)
	b := w.signedIn(ownerEmail)
	made := b.post("/settings/keys", url.Values{"name": {"CI pipeline"}})
	secret := shownKey.FindStringSubmatch(made.text)
	require.NotNil(t, secret, made.text)
	require.Equal(t, "no-store", made.header.Get("Cache-Control"))
	require.NotContains(t, b.get("/settings/keys").text, secret[1])
	require.Contains(t, b.get("/settings/keys").text, "bw_…"+secret[1][len(secret[1])-4:])

	for range account.MaxKeys - 1 {
		require.Contains(t, b.post("/settings/keys", url.Values{"name": {"more"}}).text, "Copy the key")
	}
	require.NotContains(t, b.get("/settings/keys").text, "Create key")
	require.Equal(t, http.StatusBadRequest, b.post("/settings/keys", url.Values{"name": {"one too many"}}).status)

	_, err := w.accounts.SetPlan(t.Context(), ownerEmail, account.PlanFree)
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
	owner := w.account(ownerEmail, account.PlanUltra, false)
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
	require.Contains(t, b.post(at+"/test", nil).text, "The test ping was answered with 200 OK in 84 ms.")
	require.JSONEq(t, `{"status":200,"durationMs":84}`, b.post("/api/webhooks/"+hooks[0].ID+"/test", nil).text)
	w.receiver = boardwatch.Receipt{Error: "no answer within 10s", Duration: 10 * time.Second}
	require.Contains(t, b.post(at+"/test", nil).text, "The test ping failed: No answer within 10s.")
	require.Contains(t, b.post(at+"/delete", nil).text, "The webhook is deleted")
}

func TestTestPingsHaveABudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
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

func TestWhatDiedIsResentTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.webhooks(owner)
	w.acorn(owner, "Engineer")
	w.acorn(owner, "Baker")
	w.failDeliveries()
	b := w.signedIn(ownerEmail)
	page := b.get("/settings/webhooks").text
	at := regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/resend"`).FindString(page)
	require.NotEmpty(t, at, page)
	at = strings.TrimSuffix(at, `"`)
	require.Contains(t, page, "Resend the 2 that died")
	w.receiver = boardwatch.Receipt{Code: 503, Error: "503 Service Unavailable"}
	require.Contains(t, b.post(at, nil).text, "0 of 2 deliveries sent again and accepted. The next one failed again, so the others were not tried: 503 Service Unavailable.")
	w.receiver = boardwatch.Receipt{Code: 200}
	page = b.post(at, nil).text
	require.Contains(t, page, "2 of 2 deliveries sent again and accepted.")
	require.Equal(t, 2, strings.Count(page, "delivered (resent)"))
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").post(at, nil).status)
}

func TestASwitchedOffWebhookIsSwitchedOnAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.webhooks(owner)
	w.acorn(owner, "Engineer")
	w.failDeliveries()
	b := w.signedIn(ownerEmail)
	page := b.get("/settings/webhooks")
	require.Equal(t, 3, strings.Count(page.text, "Switched off"))
	on := regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/on`).FindString(page.text)
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").post(on, nil).status)
	_, err := w.accounts.SetPlan(t.Context(), ownerEmail, account.PlanPro)
	require.NoError(t, err)
	require.Equal(t, http.StatusForbidden, b.post(on, nil).status)
	_, err = w.accounts.SetPlan(t.Context(), ownerEmail, account.PlanUltra)
	require.NoError(t, err)
	require.Contains(t, b.post(on, nil).text, "The webhook is switched on.")
	require.Equal(t, 2, strings.Count(b.get("/settings/webhooks").text, "Switched off"))
}

// A receiver that fails, recovers and gets again what it has missed: the page of the delivery tells all of it.
func TestTheStoryOfADeliveryStandsOnOnePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.webhooks(owner)
	w.acorn(owner, "Baker", "Miller")
	receipts := []boardwatch.Receipt{
		{Code: 500, Error: "answered 500 Internal Server Error: out of flour", Duration: 88 * time.Millisecond, Signature: "t=1,v1=first"},
		{Error: "no answer within 10s", Duration: 10 * time.Second, Signature: "t=2,v1=second"},
	}
	for n := range 6 {
		w.deliverAll(func(string) boardwatch.Receipt { return receipts[min(n, 1)] })
		if n == 0 {
			b := w.signedIn(ownerEmail)
			at := regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/deliveries/[a-f0-9]{24}`).FindString(b.get("/settings/webhooks").text)
			require.Contains(t, b.post(at+"/resend", nil).text, "It is not sent again now, because the next attempt is still due.")
		}
		w.pass(13 * time.Hour)
	}
	b := w.signedIn(ownerEmail)
	list := b.get("/settings/webhooks").text
	require.Contains(t, list, ">dead<")
	at := regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/deliveries/[a-f0-9]{24}`).FindString(list)
	failed := b.get(at).text
	require.Contains(t, failed, "<h1>2 new roles at Acorn Foods</h1>")
	for _, text := range []string{"6th and last attempt", "5th attempt", "2nd attempt", "1st attempt", "500 Internal Server Error", "No answer", "10.0 s", "88 ms", "no answer within 10s"} {
		require.Contains(t, failed, text)
	}
	require.Contains(t, failed, "<dt>X-Boardwatch-Signature</dt><dd>t=2,v1=second</dd>")
	require.Contains(t, failed, "<dt>X-Boardwatch-Event</dt><dd>job.found</dd>")
	first := b.get(at + "?attempt=1").text
	require.Contains(t, first, "<dt>X-Boardwatch-Signature</dt><dd>t=1,v1=first</dd>")
	require.Contains(t, first, "out of flour")
	require.NotContains(t, failed, "out of flour", "only the answer to the chosen attempt is shown in full")

	w.receiver = boardwatch.Receipt{Code: 503, Error: "answered 503 Service Unavailable", Duration: time.Second}
	again := b.post(at+"/resend", nil)
	require.Equal(t, at, again.path)
	require.Contains(t, again.text, `<p class="note bad" role="status"><strong>Sent again, and failed again: Answered 503 Service Unavailable.`)
	w.receiver = boardwatch.Receipt{Code: 200, Duration: 14 * time.Millisecond}
	again = b.post(at+"/resend", nil)
	require.Contains(t, again.text, `<p class="note good" role="status"><strong>Sent again: answered with 200 OK in 14 ms.`)
	require.Contains(t, again.text, "delivered (resent)")
	require.Contains(t, again.text, "6th and last attempt", "all of it stays on the page")
	require.Equal(t, 2, strings.Count(again.text, "Resent</span>"))
	list = b.get("/settings/webhooks").text
	require.Contains(t, list, "delivered (resent)")
	require.NotContains(t, list, at+"/resend", "nobody is asked to send it once more")
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").post(at+"/resend", nil).status)
}

func TestAWebhookGetsANewSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.webhooks(owner)
	hooks, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	b := w.signedIn(ownerEmail)
	at := "/settings/webhooks/" + hooks[0].ID
	require.Contains(t, b.get(at).text, `href="`+at+`/secret"`)
	require.Contains(t, b.get(at+"/secret").text, "every attempt is signed with it")
	shown := regexp.MustCompile(`value="(whsec_[A-Za-z0-9_-]{43})"`).FindStringSubmatch(b.post(at+"/secret", nil).text)
	require.NotNil(t, shown)
	require.NotContains(t, b.get("/settings/webhooks").text, shown[1], "it is shown once")
	changed, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Equal(t, shown[1], changed[0].Secret)
	require.NotEqual(t, hooks[0].Secret, shown[1])
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").post(at+"/secret", nil).status)
}

func TestImportSaysWhatBecameOfEachLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
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
	require.Contains(t, many.text, "The list has 1,001 entries, and one form takes 1,000. Import it in parts.")

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
	owner := w.account(ownerEmail, account.PlanUltra, false)
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
	w.account(ownerEmail, account.PlanUltra, false)
	token := feedToken(t, w.signedIn(ownerEmail))
	require.NoError(t, w.store.Close())
	require.GreaterOrEqual(t, w.browser().get("/feeds/"+token).status, http.StatusInternalServerError)
	require.Contains(t, w.log.String(), "/feeds/…")
	require.NotContains(t, w.log.String(), token)
}

func TestTheDailyMailIsChosen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mail: true})
	owner := w.account(ownerEmail, account.PlanUltra, false)
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
	w.account(ownerEmail, account.PlanUltra, false)
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
