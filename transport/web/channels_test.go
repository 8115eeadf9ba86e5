package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// channel saves a channel of an account that reports all changes.
func (w *world) channel(a account.Account) boardwatch.Channel {
	w.t.Helper()
	c, err := account.CleanChannel(boardwatch.Channel{
		ID: boardwatch.NewID(), AccountID: a.ID, Kind: account.ChannelNtfy, To: "https://ntfy.example/topicsesame", CreatedAt: start,
	})
	require.NoError(w.t, err)
	require.NoError(w.t, w.store.CreateChannel(w.t.Context(), c, account.MaxChannels))
	return c
}

// savedSearch saves the only search of the account that the browser is signed in to.
func (w *world) savedSearch(a account.Account, b *browser) boardwatch.Search {
	w.t.Helper()
	b.post("/searches", url.Values{"search": {"data"}, "name": {"Data"}})
	searches, err := w.store.Searches(w.t.Context(), a.ID)
	require.NoError(w.t, err)
	require.Len(w.t, searches, 1)
	return searches[0]
}

func TestChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanFree, false)
	b := w.signedIn(ownerEmail)
	search := w.savedSearch(owner, b)

	refused := func(why string, form url.Values) {
		t.Helper()
		page := b.post("/settings/channels", form)
		require.Equal(t, http.StatusBadRequest, page.status)
		require.Contains(t, page.text, why)
	}
	ntfy := "https://ntfy.example/topicsesame"
	refused("The address must name a public host.", url.Values{"kind": {"ntfy"}, "to": {"https://10.0.0.1/x"}, "about": {"all"}})
	refused("The kind must not be email: this installation has no mail server", url.Values{"kind": {"email"}, "about": {"all"}})
	refused("Choose at least one saved search.", url.Values{"kind": {"ntfy"}, "to": {ntfy}, "about": {"searches"}})
	refused("Choose something for the channel to report.", url.Values{"kind": {"ntfy"}, "to": {ntfy}, "about": {"nothing"}})

	made := b.post("/settings/channels", url.Values{
		"kind": {"ntfy"}, "to": {ntfy}, "about": {"searches"}, "searches": {search.ID}, "failures": {"on"},
	})
	require.Equal(t, http.StatusOK, made.status)
	require.Contains(t, made.text, "The channel to https://ntfy.example/… is added.")
	require.Contains(t, made.text, "Reports what “Data” finds, boards that can no longer be read")
	require.NotContains(t, made.text, "sesame", "the address is never shown again")
	channels, err := w.store.Channels(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, channels, 1)
	require.False(t, channels[0].All)

	at := "/settings/channels/" + channels[0].ID
	require.Contains(t, b.post(at+"/test", nil).text, "The test message was accepted in 84 ms.")
	w.receiver = boardwatch.Receipt{Error: "no answer within 10s", Duration: 10 * time.Second}
	require.Contains(t, b.post(at+"/test", nil).text, "The test message failed: No answer within 10s.")
	require.Contains(t, b.get(at+"/delete").text, "ntfy at https://ntfy.example/… gets no more messages.")
	require.Contains(t, b.post(at+"/delete", nil).text, "The channel is deleted")
	for range account.MaxChannels {
		w.channel(owner)
	}
	require.NotContains(t, b.get("/settings/channels").text, "Add channel</button>")
}

func TestAChannelIsChangedAndSwitched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanFree, false)
	b := w.signedIn(ownerEmail)
	search := w.savedSearch(owner, b)
	at := "/settings/channels/" + w.channel(owner).ID

	form := b.get(at)
	require.Equal(t, http.StatusOK, form.status)
	require.Contains(t, form.text, "Change the channel to https://ntfy.example/…")
	require.Contains(t, form.text, `value="all" checked`)
	require.NotContains(t, form.text, "sesame")
	wrong := b.post(at, url.Values{"name": {strings.Repeat("x", 61)}, "to": {"https://10.0.0.1/x"}, "about": {"searches"}, "searches": {search.ID}})
	require.Equal(t, http.StatusBadRequest, wrong.status)
	require.Contains(t, wrong.text, "The name must be at most 60 characters.")
	require.Contains(t, wrong.text, "The address must name a public host.")
	require.Contains(t, wrong.text, `value="https://10.0.0.1/x"`, "what was filled in stays")
	require.Contains(t, wrong.text, `value="searches" checked`)
	require.Contains(t, b.post(at, url.Values{"about": {"searches"}}).text, "Choose at least one saved search.")
	require.Contains(t, b.post(at, url.Values{"about": {"nothing"}}).text, "Choose something for the channel to report.")

	list := b.post(at, url.Values{"name": {"Phone"}, "about": {"searches"}, "searches": {search.ID}})
	require.Equal(t, "/settings/channels", list.path, list.text)
	require.Contains(t, list.text, "The channel is changed.")
	require.Contains(t, list.text, "<h2>Phone</h2>")
	require.Contains(t, list.text, "Reports what “Data” finds")
	list = b.post(at, url.Values{"name": {"Phone"}, "to": {"https://push.example/other"}, "about": {"all"}, "failures": {"on"}})
	require.Contains(t, list.text, "https://push.example/…")
	channels, err := w.store.Channels(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Equal(t, "https://push.example/other", channels[0].To)
	require.True(t, channels[0].All && channels[0].Failures)

	off := b.post(at+"/off", nil)
	require.Contains(t, off.text, "The channel is switched off.")
	require.Contains(t, off.text, "Its owner switched it off.")
	require.NotContains(t, off.text, at+"/off")
	require.Contains(t, b.post(at, url.Values{"name": {"Phone"}, "about": {"all"}}).text, "It is still switched off.")
	on := b.post(at+"/on", nil)
	require.Contains(t, on.text, "The channel is switched on.")
	require.NotContains(t, on.text, at+"/on")
}
