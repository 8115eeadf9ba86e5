package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

// story returns what the page of a webhook says happened to it, newest first: the chips, and the texts beside them.
func story(page string) (chips []string, lines []string) {
	for _, li := range regexp.MustCompile(`(?s)<li class="change">(.*?)</li>`).FindAllStringSubmatch(page, -1) {
		text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(li[1], ""))
		words := strings.Fields(text)
		chip := regexp.MustCompile(`class="chip[^>]*>([^<]*)<`).FindStringSubmatch(li[1])
		chips = append(chips, chip[1])
		lines = append(lines, strings.Join(words, " "))
	}
	return chips, lines
}

// A receiver works, is broken for days, is switched off, comes back, is switched on, gets again what it has missed, and works: its page
// tells all of that, with the time and the answer of every attempt.
func TestTheStoryOfAWebhookStandsOnItsPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{rules: boardwatch.Rules{DisableAfter: time.Hour}})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	var broken atomic.Bool
	var got atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		got.Add(1)
		if broken.Load() {
			http.Error(rw, "out of flour", http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(receiver.Close)
	w.sender = webhook.New(webhook.Options{Local: true, Now: w.clock})
	hook := boardwatch.Webhook{
		ID: boardwatch.NewID(), AccountID: owner.ID, URL: receiver.URL + "/hook", Secret: account.NewWebhookSecret(), CreatedAt: w.clock(),
		Events: []boardwatch.EventType{boardwatch.EventJobFound, boardwatch.EventJobArchived},
	}
	require.NoError(t, w.store.CreateWebhook(t.Context(), hook, boardwatch.MaxWebhooks))
	at := "/settings/webhooks/" + hook.ID
	b := w.signedIn(ownerEmail)
	require.Contains(t, b.get(at).text, "Nothing has been sent yet.")

	roles := []string{"Baker"}
	board := w.acorn(owner, roles...)
	publish := func(title string) {
		t.Helper()
		roles = append(roles, title)
		reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Acorn Foods", Domain: "acorn.example"}
		for _, title := range roles {
			reading.Postings = append(reading.Postings, boardwatch.Posting{Key: title, Title: title})
		}
		w.readNext(board, reading)
	}
	w.deliverAll(nil)
	for _, title := range []string{"Miller", "Grocer"} {
		publish(title)
		w.deliverAll(nil)
	}
	_, lines := story(b.get(at).text)
	require.Len(t, lines, 1, "what is normal takes one line")
	require.Contains(t, lines[0], "accepted 3 deliveries, one after the other")

	broken.Store(true)
	publish("Brewer")
	w.deliverAll(nil)
	page := b.get(at).text
	require.Contains(t, page, `<span class="chip warn">failing</span>`)
	require.Contains(t, page, "No delivery has been accepted since")
	for n := range 5 {
		w.pass(13 * time.Hour)
		if n == 4 {
			publish("Cook") // it waits for its first attempt when the webhook is switched off, and is dropped
			w.deliverAll(nil)
			continue
		}
		w.deliverAll(nil)
	}
	page = b.get(at).text
	require.Contains(t, page, "Switched off")
	chips, lines := story(page)
	require.Equal(t, []string{"dropped", "switched off"}, chips[:2], lines)
	require.Contains(t, lines[1], "Every delivery has failed since")
	require.Contains(t, strings.Join(lines, "\n"), "6th and last attempt: job.found, Acorn Foods")
	for _, ordinal := range []string{"1st attempt", "2nd attempt", "3rd attempt", "4th attempt", "5th attempt", "6th and last attempt"} {
		require.Regexp(t, fmt.Sprintf(`503 Service Unavailable %s: job\.found, Acorn Foods \d+ ms out of flour (\w+day, \d+ October|today), \d\d:00`, ordinal), strings.Join(lines, "\n"))
	}

	// The owner tries it, switches it on, and sends again what it has missed, all from this page.
	failed := b.post(at+"/test", url.Values{"back": {at}})
	require.Equal(t, at, failed.path)
	require.Contains(t, failed.text, "The test ping failed")
	broken.Store(false)
	w.pass(time.Hour)
	require.Contains(t, b.post(at+"/test", url.Values{"back": {at}}).text, "The test ping was answered with 200 OK")
	w.pass(time.Minute)
	on := b.post(at+"/on", url.Values{"back": {at}})
	require.Equal(t, at, on.path)
	require.Contains(t, on.text, `<span class="chip ok">active</span>`)
	dead := regexp.MustCompile(`Resend the (\d) that died`).FindStringSubmatch(on.text)
	require.NotNil(t, dead)
	before := got.Load()
	require.Contains(t, b.post(at+"/resend", url.Values{"back": {at}}).text, dead[1]+" of "+dead[1]+" deliveries sent again and accepted.")
	require.Equal(t, dead[1], strconv.FormatInt(got.Load()-before, 10))
	w.pass(time.Minute)
	publish("Waiter")
	w.deliverAll(nil)

	page = b.get(at).text
	chips, lines = story(page)
	require.Equal(t, []string{"recovered", "200 OK", "200 OK", "200 OK", "200 OK"}, chips[:5], lines)
	require.Contains(t, lines[0], "attempts had failed since")
	require.Contains(t, lines[1], "1st attempt: job.found, Acorn Foods")
	require.Contains(t, lines[2], "Resent: job.found, Acorn Foods")
	require.Contains(t, lines[3], "Resent: job.found, Acorn Foods")
	require.Contains(t, lines[4], "Test ping")
	require.Contains(t, chips, "switched off", "it stays in the story after it was switched on")
	require.Equal(t, "accepted", chips[len(chips)-1])
	require.NotContains(t, page, "that died")
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").get(at).status)

	ctx := browsertest.Tab(t)
	signIn(ctx, t, w.site.URL)
	look(ctx, t, w.site.URL, shown{"webhook-story", at, false}, widths(), "light", "dark")
}
