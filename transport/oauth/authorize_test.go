package oauth_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/oauth"
)

func TestAuthorizeTellsThePersonWhileTheAddressIsNotKnownToBeTheClients(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	for name, v := range map[string]url.Values{
		"an unknown client":                      request("0123456789abcdef01234567"),
		"no client":                              request(id, "client_id", ""),
		"an id that is no address of a document": request("https://assistant.example/"),
		"another address":                        request(id, "redirect_uri", "https://assistant.example/other"),
		"no address":                             request(id, "redirect_uri", ""),
		"a longer address":                       request(id, "redirect_uri", callback+"/x"),
		"a query that was not registered":        request(id, "redirect_uri", callback+"?x=1"),
		"another host that begins alike":         request(id, "redirect_uri", "https://assistant.example.evil.example/callback"),
		"a host that is a user":                  request(id, "redirect_uri", "https://assistant.example@evil.example/callback"),
		"upper case":                             request(id, "redirect_uri", "https://ASSISTANT.example/callback"),
		"an encoded path":                        request(id, "redirect_uri", "https://assistant.example/%63allback"),
		"a dot segment":                          request(id, "redirect_uri", "https://assistant.example/x/../callback"),
		"a fragment":                             request(id, "redirect_uri", callback+"#x"),
		"loopback with another path":             request(id, "redirect_uri", "http://localhost:1234/other"),
		"loopback by another name":               request(id, "redirect_uri", "http://127.0.0.1:1234/callback"),
		"loopback over https":                    request(id, "redirect_uri", "https://localhost/callback"),
		"loopback with a user":                   request(id, "redirect_uri", "http://localhost:80@evil.example/callback"),
		"loopback with a subdomain":              request(id, "redirect_uri", "http://localhost.evil.example/callback"),
		"loopback with a backslash":              request(id, "redirect_uri", `http://localhost:80\@evil.example/callback`),
		"loopback with a port that is none":      request(id, "redirect_uri", "http://localhost:99999/callback"),
		"loopback with a question mark":          request(id, "redirect_uri", "http://localhost:80/callback?"),
		"loopback with a scheme in capitals":     request(id, "redirect_uri", "HTTP://localhost:80/callback"),
		"loopback with a zero before the port":   request(id, "redirect_uri", "http://localhost:080/callback"),
		"loopback with port 0":                   request(id, "redirect_uri", "http://localhost:0/callback"),
		"loopback with no port after the colon":  request(id, "redirect_uri", "http://localhost:/callback"),
		"loopback with an encoded path":          request(id, "redirect_uri", "http://localhost:80/%63allback"),
		"a scheme that runs":                     request(id, "redirect_uri", "javascript:alert(1)"),
		"a client given twice":                   {"client_id": {id, id}, "redirect_uri": {callback}},
		"an address given twice":                 {"client_id": {id}, "redirect_uri": {callback, callback}},
		"an address with a line break in it":     request(id, "redirect_uri", callback+"\r\nSet-Cookie: a=b"),
	} {
		a := w.get("/oauth/authorize?" + v.Encode())
		require.Equal(t, http.StatusBadRequest, a.StatusCode, name)
		require.Empty(t, a.Header.Get("Location"), name)
		require.Contains(t, a.Header.Get("Content-Type"), "text/html", name)
		w.pass(1e9)
	}
}

func TestAuthorizeTellsTheClientWhatIsWrongAfterwards(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.describes("")
	w := newWorld(t, worldOptions{documents: p.documents(true)})
	id := p.id()
	twice := request(id)
	twice.Add("scope", "boards:read")
	for name, test := range map[string]struct {
		request url.Values
		code    string
	}{
		"a parameter given twice":         {twice, "invalid_request"},
		"no response_type":                {request(id, "response_type", ""), "invalid_request"},
		"another response_type":           {request(id, "response_type", "token"), "unsupported_response_type"},
		"another response_mode":           {request(id, "response_mode", "fragment"), "invalid_request"},
		"no PKCE":                         {request(id, "code_challenge", "", "code_challenge_method", ""), "invalid_request"},
		"no method, which means plain":    {request(id, "code_challenge_method", ""), "invalid_request"},
		"the method plain":                {request(id, "code_challenge_method", "plain"), "invalid_request"},
		"a challenge that is too short":   {request(id, "code_challenge", "short"), "invalid_request"},
		"a challenge with other letters":  {request(id, "code_challenge", strings.Repeat("+", 43)), "invalid_request"},
		"scopes of which none is known":   {request(id, "scope", "openid admin"), "invalid_scope"},
		"another resource":                {request(id, "resource", "https://other.example/mcp"), "invalid_target"},
		"a path that is not the resource": {request(id, "resource", w.site.URL+"/v1"), "invalid_target"},
	} {
		to, v := w.get("/oauth/authorize?" + test.request.Encode()).back(t)
		require.Equal(t, callback, to, name)
		require.Equal(t, test.code, v.Get("error"), name)
		require.Equal(t, "a state/+ &=ü", v.Get("state"), name)
		require.Equal(t, w.site.URL, v.Get("iss"), name)
		require.Empty(t, v.Get("code"), name)

		v = w.fault(w.assistant(), test.request)
		require.Equal(t, test.code, v.Get("error"), name)
		require.Equal(t, "a state/+ &=ü", v.Get("state"), name)
		require.Equal(t, w.site.URL, v.Get("iss"), name)
		require.Empty(t, v.Get("code"), name)
	}
}

// Anybody can register a client with any address, so a request of such a client must not make a link to this server one
// to that address.
func TestAuthorizeSendsNobodyToAClientThatRegisteredItselfUnseen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	wrong := "/oauth/authorize?" + request(id, "response_type", "token").Encode()
	w.signIn("")
	a := w.get(wrong)
	require.Equal(t, http.StatusSeeOther, a.StatusCode)
	require.Equal(t, "/signin?next="+url.QueryEscape(wrong), a.Header.Get("Location"), "a person signs in first")
	w.signIn(w.token)
	for _, referer := range []string{"", "https://evil.example/", w.site.URL + "/signin"} {
		a = w.do(http.MethodGet, wrong, "", "", "Referer", referer)
		require.Equal(t, http.StatusBadRequest, a.StatusCode)
		require.Empty(t, a.Header.Get("Location"))
		require.Empty(t, a.Header.Get("Refresh"))
		require.NotContains(t, a.Text, "http-equiv")
		require.Contains(t, a.Text, "Assistant")
		require.Contains(t, a.Text, "The name has not been verified")
		require.Contains(t, a.Text, `href="https://assistant.example/callback?error=unsupported_response_type&amp;`)
	}
	_, v := w.post("/oauth/consent", url.Values{"request": {w.asks(request(id))}, "deny": {"1"}}).back(t)
	require.Equal(t, "access_denied", v.Get("error"), "who was asked has seen the name")
}

func TestUnknownScopesAreLeftOutUnlessAllAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	m := w.redeem(id, w.allow(request(id, "scope", "openid boards:read profile"), "boards:read")).json(t)
	require.Equal(t, "boards:read", m["scope"])
	v := w.fault(id, request(id, "scope", "openid profile"))
	require.Equal(t, "invalid_scope", v.Get("error"))
	require.Contains(t, v.Get("error_description"), "boards:read boards:write offline_access")
}

func TestAFaultAfterAFormOfOursIsToldByAPage(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.describes("")
	w := newWorld(t, worldOptions{documents: p.documents(true)})
	path := "/oauth/authorize?" + request(p.id(), "code_challenge_method", "plain").Encode()
	for referer, page := range map[string]bool{
		"":                                       false,
		"https://assistant.example/":             false,
		w.site.URL + ".evil.example/signin":      false,
		w.site.URL + "/signin?next=%2Foauth%2Fx": true,
	} {
		a := w.do(http.MethodGet, path, "", "", "Referer", referer)
		if !page {
			_, v := a.back(t)
			require.Equal(t, "invalid_request", v.Get("error"), referer)
			continue
		}
		require.Equal(t, http.StatusOK, a.StatusCode, referer)
		require.Regexp(t, `^0;url=https://assistant\.example/callback\?error=invalid_request&.*iss=`, a.Header.Get("Refresh"))
		require.Contains(t, a.Text, `href="https://assistant.example/callback?error=invalid_request&amp;`)
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	}
}

func TestAuthorizeTakesWhatClientsSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	base := w.site.URL
	upper := strings.Replace(base, "http://", "HTTP://", 1)
	for name, v := range map[string]url.Values{
		"parameters nobody knows":       request(id, "prompt", "consent", "nonce", "1"),
		"response_mode query":           request(id, "response_mode", "query"),
		"no state":                      request(id, "state", ""),
		"no scope":                      request(id, "scope", ""),
		"some unknown scopes":           request(id, "scope", "openid boards:read"),
		"the resource":                  request(id, "resource", base+"/mcp"),
		"the resource with a slash":     request(id, "resource", base+"/mcp/"),
		"the origin":                    request(id, "resource", base),
		"the origin with a slash":       request(id, "resource", base+"/"),
		"the resource in upper case":    request(id, "resource", upper+"/mcp"),
		"a resource that is empty":      {"resource": {""}},
		"a response_mode that is empty": {"response_mode": {""}},
		"a scope that is empty":         {"scope": {""}},
		"loopback without a port":       request(id, "redirect_uri", "http://localhost/callback"),
		"loopback with any port":        request(id, "redirect_uri", "http://localhost:49152/callback"),
		"loopback, another port again":  request(id, "redirect_uri", "http://localhost:1/callback"),
		"a resource that is said twice": {"resource": {base, base + "/mcp"}},
	} {
		if len(v) == 1 {
			more := v
			v = request(id)
			maps.Copy(v, more)
		}
		a := w.get("/oauth/authorize?" + v.Encode())
		require.Equal(t, http.StatusOK, a.StatusCode, name+a.Header.Get("Location"))
		a = w.post("/oauth/authorize", v)
		require.Equal(t, http.StatusOK, a.StatusCode, name)
		require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"), "authorizing is for browsers that are there")
	}
}

func TestAuthorizeLetsThePersonSignInFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{password: password})
	v := request(w.assistant())
	w.signIn("")
	a := w.get("/oauth/authorize?" + v.Encode())
	require.Equal(t, http.StatusSeeOther, a.StatusCode)
	to, err := url.Parse(a.Header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, "/signin", to.Path)
	a = w.post("/signin", url.Values{"email": {w.person.Email}, "password": {password}, "next": {to.Query().Get("next")}})
	require.Equal(t, http.StatusSeeOther, a.StatusCode, a.Text)
	a = w.get(a.Header.Get("Location"))
	require.Equal(t, http.StatusOK, a.StatusCode)
	require.Contains(t, a.Text, "Allow")
}

func TestConsentPageSaysWhoAsksForWhat(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.registered(`{"client_name":"<b>Evil\u202e\u0000 ` + strings.Repeat("x", 200) + `</b>","redirect_uris":["http://127.0.0.1/cb","cursor://anysphere.cursor-mcp/oauth/callback","` + callback + `","http://[::1]/cb"],
		"grant_types":["authorization_code","refresh_token"]}`)
	a := w.get("/oauth/authorize?" + request(id).Encode())
	require.Equal(t, http.StatusOK, a.StatusCode)
	for _, part := range []string{
		"assistant.example", w.person.Email, `value="boards:read" checked`, `value="boards:write" checked`, `value="offline_access" checked`,
		"&lt;b&gt;Evil x", "The name has not been verified",
	} {
		require.Contains(t, a.Text, part)
	}
	require.NotContains(t, a.Text, "<b>Evil")
	require.NotContains(t, a.Text, strings.Repeat("x", 101))
	require.NotContains(t, a.Text, "on your own device")
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "same-origin", a.Header.Get("Referrer-Policy"))

	for redirect, target := range map[string]string{
		callback:                    "form-action 'self' https://assistant.example;",
		"http://127.0.0.1:33418/cb": "form-action 'self' http://127.0.0.1:33418;",
		"cursor://anysphere.cursor-mcp/oauth/callback": "form-action 'self' cursor:;",
		"http://[::1]:33418/cb":                        "connect-src 'self'; base-uri",
	} {
		a := w.get("/oauth/authorize?" + request(id, "redirect_uri", redirect).Encode())
		require.Contains(t, a.Header.Get("Content-Security-Policy"), target)
		require.Contains(t, a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		require.Equal(t, redirect != callback, strings.Contains(a.Text, "on your own device"), redirect)
	}
}

func TestStayingConnectedIsOfferedToClientsThatRefresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	plain := w.registered(`{"redirect_uris":["` + callback + `"]}`)
	for _, scope := range []string{"boards:read", "boards:read offline_access"} {
		a := w.get("/oauth/authorize?" + request(plain, "scope", scope).Encode())
		require.NotContains(t, a.Text, `value="offline_access"`, "the client does not refresh")
	}
	id := w.assistant()
	m := w.redeem(id, w.allow(request(id, "scope", "boards:read"), "boards:read", "offline_access")).json(t)
	require.Equal(t, "boards:read offline_access", m["scope"])
	require.NotEmpty(t, m["refresh_token"])
	m = w.redeem(id, w.allow(request(id, "scope", "boards:read offline_access"), "boards:read")).json(t)
	require.Equal(t, "boards:read", m["scope"], "the box was not ticked")
	require.Nil(t, m["refresh_token"])
}

func TestConsentIsAnsweredOnceByWhoWasAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	form := func(q string) url.Values { return url.Values{"request": {q}, "scope": {"boards:read"}} }

	q := w.asks(request(id))
	a := w.post("/oauth/consent", form(q), "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, a.StatusCode, "sent from another site")
	_, stranger := w.signUpAgain()
	w.signIn(stranger)
	require.Equal(t, http.StatusBadRequest, w.post("/oauth/consent", form(q)).StatusCode, "somebody else")
	w.signIn("")
	require.Equal(t, http.StatusForbidden, w.post("/oauth/consent", form(q)).StatusCode, "nobody")
	w.signIn(w.token)
	_, v := w.post("/oauth/consent", form(q)).back(t)
	require.NotEmpty(t, v.Get("code"))
	require.Equal(t, w.site.URL, v.Get("iss"))
	require.Equal(t, "a state/+ &=ü", v.Get("state"))
	require.Equal(t, http.StatusBadRequest, w.post("/oauth/consent", form(q)).StatusCode, "a second time")

	q = w.asks(request(id))
	w.pass(11 * 60e9)
	require.Equal(t, http.StatusBadRequest, w.post("/oauth/consent", form(q)).StatusCode, "too late")

	for name, answer := range map[string]url.Values{
		"denied":                 {"deny": {"1"}, "scope": {"boards:read"}},
		"nothing ticked":         {},
		"only staying connected": {"scope": {"offline_access"}},
		"what was not asked for": {"scope": {"boards:write"}},
	} {
		answer.Set("request", w.asks(request(id, "scope", "boards:read")))
		_, v := w.post("/oauth/consent", answer).back(t)
		require.Equal(t, "access_denied", v.Get("error"), name)
		require.Equal(t, w.site.URL, v.Get("iss"), name)
	}
}

func TestAuthorizeSparesAnAddressThatAsksTooOften(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	for _, path := range []string{"/oauth/authorize", "/oauth/token", "/oauth/register"} {
		last, wait := 0, ""
		for range 121 {
			if path == "/oauth/authorize" {
				a := w.get(path)
				last, wait = a.StatusCode, a.Header.Get("Retry-After")
			} else {
				a := w.post(path, url.Values{})
				last, wait = a.StatusCode, a.Header.Get("Retry-After")
			}
		}
		require.Equal(t, http.StatusTooManyRequests, last, path)
		require.Equal(t, "1", wait, path)
		w.pass(1e9)
		require.NotEqual(t, http.StatusTooManyRequests, w.get(path).StatusCode, path)
	}
}

func TestMethodsThatPathsDoNotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	for path, allowed := range map[string]string{
		"/oauth/authorize": "GET, HEAD, POST", "/oauth/consent": "POST", "/oauth/token": "POST, OPTIONS", "/oauth/register": "POST, OPTIONS",
		"/oauth/revoke": "POST, OPTIONS", "/.well-known/oauth-authorization-server": "GET, HEAD, OPTIONS",
	} {
		a := w.do(http.MethodPut, path, "", "")
		require.Equal(t, http.StatusMethodNotAllowed, a.StatusCode, path)
		require.Equal(t, allowed, a.Header.Get("Allow"), path)
		require.Equal(t, "invalid_request", a.json(t)["error"], path)
	}
}

func TestSafeIsHTTPSOrThisMachine(t *testing.T) {
	t.Parallel()
	for base, safe := range map[string]bool{
		"https://boards.example": true, "http://localhost:8080": true, "http://127.0.0.1:8080": true, "http://[::1]:80": true,
		"http://boards.example": false, "http://localhost.example": false, "http://10.0.0.1": false,
	} {
		require.Equal(t, safe, oauth.Safe(base), base)
	}
}
