package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestTimesAreShownInTheAccountsZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	_, roles := w.past(owner)
	signIn := func(zone string) *browser {
		b := w.browser()
		b.post("/signin", url.Values{"email": {ownerEmail}, "password": {password}, "zone": {zone}})
		return b
	}
	zoneOf := func() string {
		prefs, err := w.store.Preferences(t.Context(), owner.ID)
		require.NoError(t, err)
		return prefs.TimeZone
	}
	for _, wrong := range []string{"", "Local", "Mars/Olympus", "../etc/passwd"} {
		b := signIn(wrong)
		require.Empty(t, zoneOf(), wrong)
		require.Regexp(t, `\d{4}, \d{2}:\d{2} UTC<`, b.get("/roles/"+roles["Baker"]).text)
	}
	b := signIn("Asia/Tokyo")
	require.Equal(t, "Asia/Tokyo", zoneOf(), "the first one that is known")
	job, err := w.store.Job(t.Context(), owner.ID, roles["Baker"])
	require.NoError(t, err)
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	require.NoError(t, err)
	require.Contains(t, b.get("/roles/"+roles["Baker"]).text, job.ClosedAt.In(tokyo).Format("2 January 2006, 15:04 JST"))
	require.Contains(t, b.get("/settings/account").text, "Asia/Tokyo")

	signIn("America/New_York")
	require.Equal(t, "Asia/Tokyo", zoneOf(), "what is known is not changed by a journey")
	require.Equal(t, http.StatusOK, b.post("/settings/email", url.Values{"digest": {"on"}, "hour": {"7"}, "zone": {"UTC"}}).status)
	require.Contains(t, b.get("/roles/"+roles["Baker"]).text, job.ClosedAt.Format("2 January 2006, 15:04 UTC"))
	signIn("Asia/Tokyo")
	require.Equal(t, "UTC", zoneOf(), "who has chosen UTC keeps it")
}

func TestDaysBeginAtTheAccountsMidnight(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.board(owner, listing([3]string{"1", "Cook", ""}))
	now := w.clock()
	evening := time.Date(now.Year(), now.Month(), now.Day()+1, 23, 0, 0, 0, time.UTC)
	w.pass(evening.Sub(now))
	w.read(id, listing([3]string{"1", "Cook", ""}, [3]string{"2", "Baker", ""}))
	w.pass(2 * time.Hour) // the next day in UTC, the same one in New York
	b := w.signedIn(ownerEmail)
	require.Regexp(t, `(?s)>Yesterday</h2>.*Baker.*</h2>`, b.get("/changes").text)
	prefs := account.DefaultPreferences(owner.ID)
	prefs.TimeZone = "America/New_York"
	require.NoError(t, w.store.SavePreferences(t.Context(), prefs))
	require.Regexp(t, `(?s)>Today</h2>.*Baker.*>Yesterday</h2>`, b.get("/changes").text)
}
