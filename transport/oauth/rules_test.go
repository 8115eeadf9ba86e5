package oauth_test

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/oauth"
)

// TestAuthorizationServerRules has a short case for each rule that MCP and the RFCs behind it set an authorization server,
// in the order of a connection's life. Other tests go into the depth of most of them.
//
//nolint:paralleltest,tparallel // the rules are asked of one server, one after the other
func TestAuthorizationServerRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	for _, rule := range []struct {
		name  string
		holds func(t *testing.T, w *world)
	}{
		{"01 a request comes in the address or as a form, with nothing said twice", ruleOfParameters},
		{"02 a wrong client or address is told to the person, and goes nowhere", ruleOfPages},
		{"03 the answer is a code in the query", ruleOfResponses},
		{"04 PKCE is a must, with S256", ruleOfChallenges},
		{"05 state comes back to the byte, and may be left out", ruleOfState},
		{"06 resource is this one by any of its names, and no other", ruleOfResources},
		{"07 scopes that are unknown are left out, and none means reading", ruleOfScopes},
		{"08 every answer names its issuer", ruleOfIssuers},
		{"09 a person signs in first, and is asked each time", ruleOfAsking},
		{"10 the page says who asks, for what, and where the answer goes", ruleOfConsentPage},
		{"11 the page is answered once, from here, by who was asked", ruleOfConsentAnswers},
		{"12 the browser is sent on with 303", ruleOfRedirects},
		{"13 a code is good once, for a minute", ruleOfCodes},
		{"14 addresses are compared to the byte, and ports on loopback are free", ruleOfAddresses},
		{"15 schemes are https, http on loopback, and those of the settings", ruleOfSchemes},
		{"16 tokens are not to be stored on the way, and say their scopes", ruleOfTokenAnswers},
		{"17 a code needs its client, its address and its verifier", ruleOfRedeeming},
		{"18 a code that comes back ends what was issued for it, if its client sends", ruleOfReplays},
		{"19 what does not hold is invalid_grant, an unknown client invalid_client", ruleOfErrors},
		{"20 a client that sends a secret is refused", ruleOfSecrets},
		{"21 a token is used up and followed in one step", ruleOfOneStep},
		{"22 a token is 256 bits, known by its beginning, and bound to its account", ruleOfTokens},
		{"23 access lasts an hour, a refresh token 30 days, a connection 180", ruleOfLives},
		{"24 a refresh token that comes back late ends the connection", ruleOfRotation},
		{"25 one that comes back at once yields access, and no successor", ruleOfGrace},
		{"26 a refresh may narrow the scopes, and a wrong one uses nothing up", ruleOfNarrowing},
		{"27 staying connected is offered to clients that can, and is theirs to tick", ruleOfStaying},
		{"28 a client may end its own tokens, and no others", ruleOfRevoking},
		{"29 connecting again ends no other device", ruleOfDevices},
		{"30 tokens are given out over https, or on this machine", ruleOfHTTPS},
		{"31 an address that asks too often waits", ruleOfLimits},
	} {
		t.Run(rule.name, func(t *testing.T) { rule.holds(t, w) })
	}
}

// backLink is the link on a page that leads back to a client.
var backLink = regexp.MustCompile(`class="button main" href="([^"]+)"`)

// fault is what a client that has registered itself is told of a request, in the address that it has named: by a page.
func (w *world) fault(id string, v url.Values) url.Values {
	w.t.Helper()
	v = maps.Clone(v)
	v.Set("client_id", id)
	a := w.get("/oauth/authorize?" + v.Encode())
	require.Equal(w.t, http.StatusBadRequest, a.StatusCode, a.Text)
	found := backLink.FindStringSubmatch(a.Text)
	require.NotNil(w.t, found, a.Text)
	address, query, _ := strings.Cut(html.UnescapeString(found[1]), "?")
	require.Equal(w.t, callback, address)
	told, err := url.ParseQuery(query)
	require.NoError(w.t, err)
	require.Equal(w.t, w.site.URL, told.Get("iss"))
	return told
}

func ruleOfParameters(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	require.Equal(t, http.StatusOK, w.post("/oauth/authorize", request(id)).StatusCode)
	require.Equal(t, http.StatusOK, w.get("/oauth/authorize?"+request(id, "prompt", "consent").Encode()).StatusCode)
	v := request(id)
	v["scope"] = []string{"boards:read", "boards:read"}
	require.Equal(t, "invalid_request", w.fault(id, v).Get("error"))
}

func ruleOfPages(t *testing.T, w *world) {
	t.Helper()
	for _, v := range []url.Values{request(boardwatch.NewID()), request(w.assistant(), "redirect_uri", "https://evil.example/")} {
		a := w.get("/oauth/authorize?" + v.Encode())
		require.Equal(t, http.StatusBadRequest, a.StatusCode)
		require.Empty(t, a.Header.Get("Location"))
		require.Contains(t, a.Header.Get("Content-Type"), "text/html")
	}
}

func ruleOfResponses(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	require.Equal(t, "unsupported_response_type", w.fault(id, request(id, "response_type", "token")).Get("error"))
	require.Equal(t, "invalid_request", w.fault(id, request(id, "response_mode", "fragment")).Get("error"))
	w.asks(request(id, "response_mode", "query"))
}

func ruleOfChallenges(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	for _, change := range [][]string{
		{"code_challenge", ""}, {"code_challenge_method", ""}, {"code_challenge_method", "plain"}, {"code_challenge", "short"},
	} {
		require.Equal(t, "invalid_request", w.fault(id, request(id, change...)).Get("error"), change)
	}
}

func ruleOfState(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	for _, state := range []string{"a/+ &=ü%20\"<>", strings.Repeat("s", 4000), ""} {
		_, back := w.post("/oauth/consent", url.Values{"request": {w.asks(request(id, "state", state))}, "scope": {"boards:read"}}).back(t)
		require.Equal(t, state, back.Get("state"))
		require.Equal(t, state != "", back.Has("state"))
	}
}

func ruleOfResources(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	for _, resource := range []string{"", "/mcp", "/mcp/", "/"} {
		w.asks(request(id, "resource", w.site.URL+resource))
	}
	for _, resource := range []string{"https://evil.example/mcp", w.site.URL + "/v1", w.site.URL + "/mcp?x", w.site.URL + "/mcp#x"} {
		require.Equal(t, "invalid_target", w.fault(id, request(id, "resource", resource)).Get("error"), resource)
	}
}

func ruleOfScopes(t *testing.T, w *world) {
	t.Helper()
	id := w.registered(`{"redirect_uris":["` + callback + `"],"scope":"boards:read"}`)
	code := w.allow(request(id, "scope", "boards:write openid"), "boards:read", "boards:write")
	require.Equal(t, "boards:write", w.redeem(id, code).json(t)["scope"], "what was registered bounds nothing, what was not asked for is not given")
	code = w.allow(request(id, "scope", ""), "boards:read", "boards:write")
	require.Equal(t, "boards:read", w.redeem(id, code).json(t)["scope"])
	require.Equal(t, "invalid_scope", w.fault(id, request(id, "scope", "openid")).Get("error"))
}

func ruleOfIssuers(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	_, good := w.post("/oauth/consent", url.Values{"request": {w.asks(request(id))}, "scope": {"boards:read"}}).back(t)
	_, denied := w.post("/oauth/consent", url.Values{"request": {w.asks(request(id))}, "deny": {"1"}}).back(t)
	require.Equal(t, "access_denied", denied.Get("error"))
	issuer := w.get("/.well-known/oauth-authorization-server").json(t)["issuer"]
	require.Equal(t, issuer, good.Get("iss"))
	require.Equal(t, issuer, denied.Get("iss"))
}

func ruleOfAsking(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	v := request(id, "redirect_uri", "http://localhost:4711/callback")
	w.signIn("")
	a := w.get("/oauth/authorize?" + v.Encode())
	require.Equal(t, "/signin?next="+url.QueryEscape("/oauth/authorize?"+v.Encode()), a.Header.Get("Location"))
	w.signIn(w.token)
	w.allow(v, "boards:read")
	w.asks(v)
}

func ruleOfConsentPage(t *testing.T, w *world) {
	t.Helper()
	a := w.get("/oauth/authorize?" + request(w.assistant(), "redirect_uri", "http://localhost:4711/callback").Encode())
	for _, said := range []string{
		"Assistant", "localhost:4711", w.person.Email, "The name has not been verified", "on your own device",
		`value="boards:read"`, `value="boards:write"`, `value="offline_access"`,
	} {
		require.Contains(t, a.Text, said)
	}
}

func ruleOfConsentAnswers(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	page := w.get("/oauth/authorize?" + request(id).Encode())
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "form-action 'self' https://assistant.example;")
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	require.Equal(t, "same-origin", page.Header.Get("Referrer-Policy"))
	require.Equal(t, "no-store", page.Header.Get("Cache-Control"))
	answer := url.Values{"request": {w.asks(request(id))}, "scope": {"boards:read"}}
	require.Equal(t, http.StatusForbidden, w.post("/oauth/consent", answer, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site").StatusCode)
	_, other := w.signUpAgain()
	w.signIn(other)
	require.Equal(t, http.StatusBadRequest, w.post("/oauth/consent", answer).StatusCode, "somebody else")
	w.signIn(w.token)
	require.Equal(t, http.StatusSeeOther, w.post("/oauth/consent", answer).StatusCode)
	require.Equal(t, http.StatusBadRequest, w.post("/oauth/consent", answer).StatusCode, "again")
}

func ruleOfRedirects(t *testing.T, w *world) {
	t.Helper()
	a := w.post("/oauth/consent", url.Values{"request": {w.asks(request(w.assistant()))}, "scope": {"boards:read"}})
	require.Equal(t, http.StatusSeeOther, a.StatusCode)
	require.True(t, strings.HasPrefix(a.Header.Get("Location"), callback+"?"))
}

func ruleOfCodes(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	code := w.allow(request(id), "boards:read")
	require.GreaterOrEqual(t, len(code), 43)
	w.pass(61 * time.Second)
	refused(t, w.redeem(id, code), 400, "invalid_grant")
	code = w.allow(request(id), "boards:read")
	w.tokens(w.redeem(id, code))
	refused(t, w.redeem(id, code), 400, "invalid_grant")
}

func ruleOfAddresses(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	for _, port := range []string{"", ":1", ":33418", ":65535"} {
		w.asks(request(id, "redirect_uri", "http://localhost"+port+"/callback"))
	}
	for _, other := range []string{callback + "/", callback + "?", "https://assistant.example:443/callback", "http://localhost:1/callback/", "http://127.0.0.1:1/callback"} {
		require.Equal(t, http.StatusBadRequest, w.get("/oauth/authorize?"+request(id, "redirect_uri", other).Encode()).StatusCode, other)
	}
}

func ruleOfSchemes(t *testing.T, w *world) {
	t.Helper()
	a := w.do(http.MethodPost, "/oauth/register", "application/json", `{"redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback","`+callback+`",
		"http://[::1]/x","javascript:alert(1)","data:text/html,x","unknown://x","http://assistant.example/","https://u@assistant.example/","https://*.example/"]}`)
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Text)
	require.Equal(t, []any{"cursor://anysphere.cursor-mcp/oauth/callback", callback, "http://[::1]/x"}, a.json(t)["redirect_uris"])
}

func ruleOfTokenAnswers(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	a := w.redeem(id, w.allow(request(id), "boards:read", "offline_access"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	m := a.json(t)
	require.Equal(t, "Bearer", m["token_type"])
	require.Equal(t, "boards:read offline_access", m["scope"])
	refused(t, w.do(http.MethodPost, "/oauth/token", "application/json", `{}`), 400, "invalid_request")
}

func ruleOfRedeeming(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	for _, change := range [][]string{
		{"redirect_uri", "http://localhost/callback"}, {"code_verifier", strings.Repeat("x", 43)}, {"client_id", w.assistant()},
	} {
		refused(t, w.redeem(id, w.allow(request(id), "boards:read"), change...), 400, "invalid_grant")
	}
	code := w.allow(request(id), "boards:read")
	refused(t, w.redeem(id, code, "resource", "https://elsewhere.example/"), 400, "invalid_target")
	w.tokens(w.redeem(id, code, "resource", w.site.URL+"/mcp"))
}

func ruleOfReplays(t *testing.T, w *world) {
	t.Helper()
	id, stranger := w.assistant(), w.assistant()
	code := w.allow(request(id), "boards:read", "offline_access")
	access, _ := w.tokens(w.redeem(id, code))
	refused(t, w.redeem(stranger, code), 400, "invalid_grant")
	require.True(t, w.holds(access))
	refused(t, w.redeem(id, code), 400, "invalid_grant")
	require.False(t, w.holds(access))
}

func ruleOfErrors(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	refused(t, w.refresh(id, "of no form"), 400, "invalid_grant")
	refused(t, w.refresh(id, account.NewTokenOf(account.TokenRefresh)), 400, "invalid_grant")
	refused(t, w.redeem(id, "of no form"), 400, "invalid_grant")
	refused(t, w.refresh(boardwatch.NewID(), "x"), 401, "invalid_client")
	refused(t, w.redeem(id, "x", "grant_type", "password"), 400, "unsupported_grant_type")
}

func ruleOfSecrets(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	refused(t, w.refresh(id, "x", "client_secret", "s"), 401, "invalid_client")
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"x"}}
	refused(t, w.post("/oauth/token", form, "Authorization", "Basic "+id), 401, "invalid_client")
	a := w.do(http.MethodPost, "/oauth/register", "application/json",
		`{"redirect_uris":["`+callback+`"],"token_endpoint_auth_method":"tls_client_auth"}`)
	refused(t, a, 400, "invalid_client_metadata")
}

func ruleOfOneStep(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	_, refresh := w.connected(id)
	answers := make(chan answered, 2)
	for range 2 {
		go func() { answers <- w.refresh(id, refresh) }()
	}
	_, first := w.tokens(<-answers)
	_, second := w.tokens(<-answers)
	require.Equal(t, first == "", second != "", "one of them gets the successor")
}

func ruleOfTokens(t *testing.T, w *world) {
	t.Helper()
	access, refresh := w.connected(w.assistant())
	require.Regexp(t, `^bwa_[A-Za-z0-9_-]{43}$`, access)
	require.Regexp(t, `^bwr_[A-Za-z0-9_-]{43}$`, refresh)
	require.NoError(t, w.store.SetVerified(t.Context(), w.person.ID, false))
	c, err := w.grants.ByToken(t.Context(), access)
	require.NoError(t, err)
	require.False(t, c.Account.Verified, "what happens to the account counts at once")
	require.NoError(t, w.store.SetVerified(t.Context(), w.person.ID, true))
	elsewhere := account.NewGrants(w.store, account.GrantOptions{Resource: "https://elsewhere.example/mcp", Now: w.clock})
	_, err = elsewhere.ByToken(t.Context(), access)
	require.Equal(t, boardwatch.CodeUnauthorized, boardwatch.CodeOf(err), "another resource")
	id := w.assistant()
	_, refresh = w.connected(id)
	_, err = elsewhere.Refresh(t.Context(), id, refresh, nil)
	require.ErrorIs(t, err, account.ErrBadGrant, "another resource takes no refresh token either")
	_, next := w.tokens(w.refresh(id, refresh))
	require.NotEmpty(t, next, "and does not use it up")
}

func ruleOfLives(t *testing.T, _ *world) {
	t.Helper()
	w := newWorld(t, worldOptions{}) // of its own: much time goes by
	id := w.assistant()
	a := w.redeem(id, w.allow(request(id), "boards:read", "offline_access"))
	require.EqualValues(t, 3600, a.json(t)["expires_in"])
	access, refresh := w.tokens(a)
	w.pass(time.Hour)
	require.False(t, w.holds(access))
	for range 6 {
		w.pass(29 * 24 * time.Hour)
		_, refresh = w.tokens(w.refresh(id, refresh))
	}
	w.pass(6 * 24 * time.Hour)
	refused(t, w.refresh(id, refresh), 400, "invalid_grant")
}

func ruleOfRotation(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	first, refresh := w.connected(id)
	second, next := w.tokens(w.refresh(id, refresh))
	w.pass(61 * time.Second)
	refused(t, w.refresh(id, refresh), 400, "invalid_grant")
	require.False(t, w.holds(first) || w.holds(second))
	refused(t, w.refresh(id, next), 400, "invalid_grant")
}

func ruleOfGrace(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	_, refresh := w.connected(id)
	_, next := w.tokens(w.refresh(id, refresh))
	w.pass(59 * time.Second)
	access, none := w.tokens(w.refresh(id, refresh))
	require.True(t, w.holds(access))
	require.Empty(t, none)
	w.tokens(w.refresh(id, next))
}

func ruleOfNarrowing(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	_, refresh := w.tokens(w.redeem(id, w.allow(request(id), "boards:read", "offline_access")))
	refused(t, w.refresh(id, refresh, "scope", "boards:read boards:write"), 400, "invalid_scope")
	refused(t, w.refresh(id, refresh, "resource", "https://elsewhere.example/"), 400, "invalid_target")
	a := w.refresh(id, refresh, "scope", "boards:read")
	require.Equal(t, "boards:read", a.json(t)["scope"])
	_, next := w.tokens(a)
	require.Equal(t, "boards:read offline_access", w.refresh(id, next).json(t)["scope"])
}

func ruleOfStaying(t *testing.T, w *world) {
	t.Helper()
	able, unable := w.assistant(), w.registered(`{"redirect_uris":["`+callback+`"]}`)
	_, refresh := w.tokens(w.redeem(able, w.allow(request(able), "boards:read", "offline_access")))
	require.NotEmpty(t, refresh, "it has not asked")
	_, refresh = w.tokens(w.redeem(able, w.allow(request(able, "scope", "boards:read offline_access"), "boards:read")))
	require.Empty(t, refresh, "the person has not ticked it")
	v := request(unable, "scope", "boards:read offline_access")
	require.NotContains(t, w.get("/oauth/authorize?"+v.Encode()).Text, `value="offline_access"`)
	_, refresh = w.tokens(w.redeem(unable, w.allow(v, "boards:read", "offline_access")))
	require.Empty(t, refresh)
}

func ruleOfRevoking(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	access, refresh := w.connected(id)
	revoke := func(client, token string) {
		require.Equal(t, http.StatusOK, w.post("/oauth/revoke", url.Values{"client_id": {client}, "token": {token}}).StatusCode)
	}
	revoke(w.assistant(), refresh)
	require.True(t, w.holds(access))
	revoke(id, "of no form")
	revoke(id, refresh)
	require.False(t, w.holds(access))
}

func ruleOfDevices(t *testing.T, w *world) {
	t.Helper()
	id := w.assistant()
	first, _ := w.connected(id)
	second, _ := w.connected(id)
	require.True(t, w.holds(first) && w.holds(second))
}

func ruleOfHTTPS(t *testing.T, _ *world) {
	t.Helper()
	require.True(t, oauth.Safe("https://boards.example"))
	require.True(t, oauth.Safe("http://127.0.0.1:8080"))
	require.False(t, oauth.Safe("http://boards.example"))
}

func ruleOfLimits(t *testing.T, _ *world) {
	t.Helper()
	w := newWorld(t, worldOptions{}) // of its own: nobody gets in for a while
	status := 0
	for range 121 {
		status = w.post("/oauth/register", url.Values{}).StatusCode
	}
	require.Equal(t, http.StatusTooManyRequests, status)
}
