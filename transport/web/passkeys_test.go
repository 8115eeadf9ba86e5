package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

// withDevice gives the browser a virtual device that keeps passkeys and always confirms that the person is present.
func withDevice(ctx context.Context, t *testing.T) {
	t.Helper()
	_, err := chromedp.Run(ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		if _, err := chromedp.Call(ctx, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return chromedp.Void{}, err
		}
		_, err := chromedp.Call(ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}})
		return chromedp.Void{}, err
	})
	require.NoError(t, err)
}

// addPasskey registers a passkey on the settings page.
func addPasskey(ctx context.Context, t *testing.T, site, name, word string) {
	t.Helper()
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(site+"/settings/signin"), chromedp.SendKeys(chromedp.ID("passkey-name"), name)))
	if word != "" {
		require.NoError(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.ID("passkey-password"), word)))
	}
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("[data-passkey-add] button"))))
}

func signOut(ctx context.Context, t *testing.T) {
	t.Helper()
	_, err := chromedp.RunResponse(ctx, chromedp.Submit(chromedp.CSS(`form[action="/signout"] button`)))
	require.NoError(t, err)
}

func TestPeopleSignInWithAPasskey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{localhost: true})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	bob := w.account("bob@northwind.example", account.PlanUltra, false)
	ctx := browsertest.Tab(t)
	withDevice(ctx, t)
	signIn(ctx, t, w.site.URL)

	addPasskey(ctx, t, w.site.URL, "Phone", "not the password at all")
	soon(ctx, t, `(document.querySelector("[data-passkey-add] output")?.textContent ?? "").includes("password is wrong")`)
	list, err := w.store.Passkeys(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Empty(t, list)
	addPasskey(ctx, t, w.site.URL, "Phone", password)
	soon(ctx, t, `(document.body?.innerText ?? "").includes("The passkey is added") && document.querySelector("#passkeys .passkey input")?.value === "Phone"`)
	require.Equal(t, []string{"A passkey was added to your account"}, w.mails.subjects(ownerEmail))
	addPasskey(ctx, t, w.site.URL, "Once more", password)
	soon(ctx, t, `(document.querySelector("[data-passkey-add] output")?.textContent ?? "").includes("has a passkey for your account already")`)

	signOut(ctx, t)
	enter := func(path string) {
		t.Helper()
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+path), chromedp.Click(chromedp.CSS("[data-passkey-signin]"))))
	}
	enter("/signin?next=/roles")
	soon(ctx, t, `location.pathname === "/roles"`)
	list, err = w.store.Passkeys(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.False(t, list[0].LastUsedAt.IsZero())
	sessions, err := w.identities.Sessions().List(t.Context(), owner)
	require.NoError(t, err)
	require.Equal(t, account.WayPasskey, sessions[0].Way)

	// Another account can neither name nor delete it.
	other := w.signedIn(bob.Email)
	at := "/settings/signin/passkeys/" + list[0].ID
	require.Equal(t, http.StatusNotFound, other.post(at+"/name", url.Values{"name": {"Mine"}}).status)
	require.Equal(t, http.StatusNotFound, other.post(at+"/delete", url.Values{"password": {password}}).status)

	// A counter that goes back means that the passkey was copied.
	signOut(ctx, t)
	copied := list[0]
	var record map[string]any
	require.NoError(t, json.Unmarshal(copied.Credential, &record))
	record["authenticator"].(map[string]any)["signCount"] = 1000
	copied.Credential, err = json.Marshal(record)
	require.NoError(t, err)
	copied.Uses = 1000
	require.NoError(t, w.store.UsePasskey(t.Context(), copied, list[0].Uses))
	enter("/signin")
	soon(ctx, t, `(document.querySelector("[data-passkeys] output")?.textContent ?? "").includes("may have been copied")`)
	require.NoError(t, w.store.UsePasskey(t.Context(), list[0], 1000))
	enter("/signin")
	soon(ctx, t, `location.pathname === "/boards"`)

	mine := w.signedIn(ownerEmail)
	require.Equal(t, http.StatusOK, mine.post(at+"/name", url.Values{"name": {"Old phone"}}).status)
	require.Contains(t, mine.get("/settings/signin").text, `value="Old phone"`)
	require.Equal(t, http.StatusBadRequest, mine.post(at+"/name", url.Values{"name": {strings.Repeat("x", 61)}}).status)
	require.Equal(t, http.StatusBadRequest, mine.post(at+"/delete", url.Values{"password": {"wrong"}}).status)
	require.Equal(t, http.StatusOK, mine.post(at+"/delete", url.Values{"password": {password}}).status)
	require.Equal(t, []string{"A passkey was added to your account", "A passkey was removed from your account"}, w.mails.subjects(ownerEmail))
	signOut(ctx, t)
	enter("/signin")
	soon(ctx, t, `(document.querySelector("[data-passkeys] output")?.textContent ?? "").includes("not known here")`)
}

func TestAPasskeyStandsForAPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{localhost: true})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	ctx := browsertest.Tab(t)
	withDevice(ctx, t)
	signIn(ctx, t, w.site.URL)
	addPasskey(ctx, t, w.site.URL, "", password)
	soon(ctx, t, `document.querySelector("#passkeys .passkey input")?.value === "Passkey"`)
	require.NoError(t, w.store.RehashPassword(t.Context(), owner.ID, w.hashOf(owner), "")) // as an account that has none
	w.pass(11 * time.Minute)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/settings/signin")))
	require.Contains(t, evaluated[string](ctx, t, "document.body.innerText"), "Your sign-in is older than ten minutes")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/signin/again?next=/settings/account"), chromedp.Click(chromedp.CSS("[data-passkey-signin]"))))
	soon(ctx, t, `location.pathname === "/settings/account"`)
	require.NotContains(t, evaluated[string](ctx, t, "document.body.innerText"), "Your sign-in is older")

	list, err := w.store.Passkeys(t.Context(), owner.ID)
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/settings/signin")))
	_, err = chromedp.RunResponse(ctx, chromedp.Submit(chromedp.CSS(`form[action="/settings/signin/passkeys/`+list[0].ID+`/delete"] button`)))
	require.NoError(t, err)
	require.Contains(t, evaluated[string](ctx, t, "document.body.innerText"), "only way in")

	// A passkey of another account does not renew this one's sign-in.
	bob := w.account("bob@northwind.example", account.PlanUltra, false)
	signOut(ctx, t)
	signInAs(ctx, t, w.site.URL, bob.Email)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards")))
	said := `(async () => {
		const send = async (path, body) => (await fetch("/api/passkeys/signin/" + path, {method: "POST", body})).json();
		const c = await send("begin", "");
		const k = await navigator.credentials.get({publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(c.options)});
		const body = JSON.stringify({token: c.token, credential: k.toJSON()});
		window.said = [JSON.stringify(await send("finish", body)), JSON.stringify(await send("finish", body))];
	})(); true`
	require.True(t, evaluated[bool](ctx, t, said))
	soon(ctx, t, `(window.said ?? []).length === 2 && window.said.every((s) => s.includes("belongs to another account"))`)

	// An answer works once, even if strangers begin any number of sign-ins in between.
	signOut(ctx, t)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/signin")))
	require.True(t, evaluated[bool](ctx, t, strings.Replace(said, "const body", "await new Promise((go) => { window.go = go; }); const body", 1)))
	soon(ctx, t, `Boolean(window.go)`)
	base, err := url.Parse(w.site.URL)
	require.NoError(t, err)
	strangers := w.passkeys(base)
	for range 20_000 {
		_, err := strangers.BeginSignIn()
		require.NoError(t, err)
	}
	require.True(t, evaluated[bool](ctx, t, `window.go(); true`))
	soon(ctx, t, `(window.said ?? []).length === 2 && window.said[0].includes('"next"') && window.said[1].includes("used before")`)
}

func TestPasskeysAreOfferedWhereBrowsersAllowThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	require.NotContains(t, w.browser().get("/signin").text, "passkey", "an address without a name has none")
	require.NotContains(t, w.signedIn(ownerEmail).get("/settings/signin").text, "passkey")
	require.Equal(t, http.StatusUnauthorized, w.browser().post("/api/passkeys/signin/begin", nil).status)

	named := newWorld(t, worldOptions{localhost: true})
	named.account(ownerEmail, account.PlanUltra, false)
	require.Contains(t, named.browser().get("/signin").text, `data-passkeys hidden`, "without scripts there is no button")
	b := named.browser()
	require.Equal(t, http.StatusUnauthorized, b.post("/api/passkeys/begin", nil).status)
	for range 30 {
		require.Equal(t, http.StatusOK, b.post("/api/passkeys/signin/begin", nil).status)
	}
	require.Equal(t, http.StatusTooManyRequests, b.post("/api/passkeys/signin/begin", nil).status)
	for _, body := range []string{"", "{", `{"token":"x","credential":{}}`, `{"token":"` + account.NewToken() + `","credential":{"id":"x"}}`, `{"token":"` + strings.Repeat("x", 1<<17) + `"}`} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, named.site.URL+"/api/passkeys/signin/finish", strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Origin", named.site.URL)
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnauthorized}, b.do(r).status, body[:min(len(body), 50)])
	}
}

// hashOf returns the hash of an account's password.
func (w *world) hashOf(a account.Account) string {
	w.t.Helper()
	now, err := w.store.Account(w.t.Context(), a.ID)
	require.NoError(w.t, err)
	return now.PasswordHash
}

// TestPagesOfSigningInFit looks at these pages with all of their parts shown.
func TestPagesOfSigningInFit(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at, localhost: true, mode: account.SignUpOpen})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	w.waysIn(owner)
	ctx := browsertest.Tab(t)
	for _, s := range []shown{
		{"signin-all", "/signin", true},
		{"signin-refused", "/signin/oidc/callback?state=x", true},
		{"signup-invited", w.invitation, true},
		{"settings-signin-all", "/settings/signin", false},
		{"settings-account-all", "/settings/account", false},
		{"signin-again-all", "/signin/again", false},
	} {
		if !s.open {
			signIn(ctx, t, w.site.URL)
		}
		look(ctx, t, w.site.URL, s, widths(), "light", "dark")
		if !s.open {
			require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(w.site.URL+"/boards")))
			signOut(ctx, t)
		}
	}
}
