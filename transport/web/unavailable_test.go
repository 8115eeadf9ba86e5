package web_test

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// While the database is unavailable, every page says so and when to try again, and reports no internal error.
func TestPagesSayThatTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, true)
	b := w.signedIn(ownerEmail)
	token := feedToken(t, b)
	require.NoError(t, w.store.Close())
	form := url.Values{"email": {ownerEmail}, "password": {password}}
	for name, answer := range map[string]page{
		"/boards": b.get("/boards"), "/": b.get("/"), "/settings/account": b.get("/settings/account"), "/admin": b.get("/admin"),
		"a stranger": w.browser().get("/boards"), "a sign-in": w.browser().post("/signin", form), "a form": b.post("/boards", url.Values{"url": {"x"}}),
		"a feed": w.browser().get("/feeds/" + token), "an app": b.get(consentPath()), "nothing": b.get("/nothing/here"),
	} {
		require.Equal(t, http.StatusServiceUnavailable, answer.status, name)
		require.NotEmpty(t, answer.header.Get("Retry-After"), name)
		require.Contains(t, answer.text, "The database does not answer", name)
		require.NotContains(t, answer.text, "sql", name)
	}
	script := b.post("/api/webhooks/"+boardwatch.NewID()+"/test", nil)
	require.Equal(t, http.StatusServiceUnavailable, script.status)
	require.JSONEq(t, `{"error":"the database does not answer; try again in a moment"}`, script.text)
}

// If too many passwords wait to be hashed, the form says so and when to try again.
func TestAFormSaysThatTooManySignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{hasher: account.NewHasher()})
	w.account(ownerEmail, account.PlanUltra, false)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	full := make(chan struct{}, 1000)
	for range cap(full) { // as many as fit into the queue, for ever
		all.Go(func() {
			for ctx.Err() == nil {
				if _, err := w.hasher.Hash(ctx, password); err != nil {
					full <- struct{}{}
					return
				}
			}
		})
	}
	<-full
	var last page
	for range 5 { // a place may be free for a moment
		last = w.browser().post("/signin", url.Values{"email": {ownerEmail}, "password": {"not the password"}})
		if last.status == http.StatusServiceUnavailable {
			break
		}
	}
	require.Equal(t, http.StatusServiceUnavailable, last.status)
	require.Equal(t, "2", last.header.Get("Retry-After"))
	require.Contains(t, last.text, "Too many people are signing in at this moment")
	require.Contains(t, last.text, ownerEmail, "what was filled in stays")
}

// Strangers who guess do not lock a person out of a browser in which they have signed in before.
func TestAKnownBrowserGetsIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, true)
	b := w.signedIn(ownerEmail)
	b.post("/signout", nil)
	form := url.Values{"email": {ownerEmail}, "password": {"not the password"}}
	for range 5 {
		require.Equal(t, http.StatusForbidden, w.browser().post("/signin", form).status)
	}
	refused := w.browser().post("/signin", form)
	require.Equal(t, http.StatusTooManyRequests, refused.status)
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	form.Set("password", password)
	require.Equal(t, http.StatusTooManyRequests, w.browser().post("/signin", form).status)
	require.Equal(t, "/boards", b.post("/signin", form).path)
}
