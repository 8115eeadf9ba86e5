package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// The person who sets a password by a link may not have created the account's keys and webhooks.
func TestAResetLeadsThroughWhatIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mail: true})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	foreign := w.account("bob@northwind.example", account.PlanUltra, false)
	w.webhooks(owner)
	stranger, others := w.channel(owner), w.channel(foreign)
	for _, name := range []string{"Mine", "A stranger's"} {
		_, _, err := w.keys.Create(t.Context(), owner, name)
		require.NoError(t, err)
	}
	kept, _, err := w.keys.Create(t.Context(), foreign, "Bob's")
	require.NoError(t, err)
	keys, err := w.keys.List(t.Context(), owner)
	require.NoError(t, err)
	hooks, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)

	b := w.browser()
	b.post("/reset", url.Values{"email": {ownerEmail}})
	link := w.mails.to(t, ownerEmail)
	page := b.post("/reset/confirm", url.Values{"token": {link.Query().Get("token")}, "password": {"quite another sentence"}})
	require.Equal(t, "/settings/review", page.path, page.text)
	for _, shown := range []string{"Mine", "A stranger&#39;s", "https://hooks.example/boardwatch", "https://gone.example/boardwatch", "https://ntfy.example/…"} {
		require.Contains(t, page.text, shown)
	}
	require.NotContains(t, page.text, "Bob")

	done := b.post("/settings/review", url.Values{"key": {keys[1].ID, kept.ID, "x"}, "webhook": {hooks[0].ID, hooks[2].ID}, "channel": {stranger.ID, others.ID}})
	require.Equal(t, "/boards", done.path)
	require.Contains(t, done.text, "4 were deleted.")
	left, err := w.keys.List(t.Context(), owner)
	require.NoError(t, err)
	require.Equal(t, keys[:1], left)
	hooks, err = w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, hooks, 1)
	told, err := w.store.Channels(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Empty(t, told)
	told, err = w.store.Channels(t.Context(), foreign.ID)
	require.NoError(t, err)
	require.Len(t, told, 1)
	left, err = w.keys.List(t.Context(), foreign)
	require.NoError(t, err)
	require.Len(t, left, 1, "what is not one's own does not exist")
	require.Equal(t, "/signin", w.browser().get("/settings/review").path)
}

func TestTheAddressChangesWhenItsLinkIsUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mail: true})
	w.account(ownerEmail, account.PlanUltra, false)
	taken := w.account("bob@northwind.example", account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	change := func(to string) page {
		return b.post("/settings/account/email", url.Values{"email": {to}, "password": {password}})
	}
	asked := change("ada@elsewhere.example")
	require.Contains(t, asked.text, "your address stays "+ownerEmail)
	require.Equal(t, asked.text, change(taken.Email).text, "the answer does not tell whether there is an account")
	require.Contains(t, b.get("/settings/account").text, ownerEmail)
	link := w.mails.to(t, "ada@elsewhere.example")
	require.Contains(t, b.get(link.RequestURI()).text, "ada@elsewhere.example")
	require.Equal(t, http.StatusOK, b.post("/verify", url.Values{"token": {link.Query().Get("token")}}).status)
	require.Contains(t, b.get("/settings/account").text, "ada@elsewhere.example")
	w.signedIn("ada@elsewhere.example")
}
