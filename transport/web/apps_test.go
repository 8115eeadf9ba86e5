package web_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// askingID is the client that asks at consentPath.
const askingID = "0123456789abcdef01234567"

// The verifier and the challenge of RFC 7636, appendix B.
const (
	appVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	appChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// consentPath asks for every scope there is.
func consentPath() string {
	return "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {askingID}, "redirect_uri": {"http://127.0.0.1:33418/callback"},
		"code_challenge": {appChallenge}, "code_challenge_method": {"S256"}, "scope": {"boards:read boards:write"},
	}.Encode()
}

// connectApps registers a program whose name has the greatest length and no space, and lets the owner connect it and
// one without a name.
func (w *world) connectApps(owner account.Account) {
	w.t.Helper()
	for _, c := range []account.Client{
		{ID: askingID, Name: "Anassistantwhosenameisaslongasanamemaybeandthathasnotasinglespaceinitwhereabrowsercouldbreakalineoftext"[:100]},
		{ID: "0123456789abcdef01234568"},
	} {
		c.RedirectURIs = []string{"http://127.0.0.1/callback", "https://assistant-with-a-rather-long-name.northwind.example/callback"}
		c.GrantTypes, c.CreatedAt = []string{account.GrantTypeCode, account.GrantTypeRefresh}, w.clock()
		require.NoError(w.t, w.store.CreateClient(w.t.Context(), c, account.MaxUnusedClients))
		scopes := []account.Scope{account.ScopeBoardsRead, account.ScopeBoardsWrite, account.ScopeOfflineAccess}
		redirect := c.RedirectURIs[1]
		token, err := w.grants.Ask(w.t.Context(), owner, account.Ask{
			Client: c, RedirectURI: redirect, Challenge: appChallenge, Resource: w.site.URL + "/mcp", Scopes: scopes,
		})
		require.NoError(w.t, err)
		ask, err := w.grants.Answered(w.t.Context(), owner, token)
		require.NoError(w.t, err)
		code, err := w.grants.Allow(w.t.Context(), ask, "assistant-with-a-rather-long-name.northwind.example", scopes)
		require.NoError(w.t, err)
		_, err = w.grants.Redeem(w.t.Context(), account.Redemption{ClientID: c.ID, Code: code, RedirectURI: redirect, Verifier: appVerifier})
		require.NoError(w.t, err)
	}
}

func TestConnectedAppsAreToldApart(t *testing.T) {
	t.Parallel()
	w, _ := furnished(t)
	b := w.signedIn(ownerEmail)
	since := w.clock().UTC().Format("2 January 2006, 15:04 UTC")
	shown := b.get("/settings/apps").text
	require.Equal(t, 2, strings.Count(shown, "connected since <time"), shown)
	require.Contains(t, shown, `aria-label="Disconnect An app without a name, connected since `+since+`"`)
}
