package oauth_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRegisterMakesAPublicClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.do(http.MethodPost, "/oauth/register", "application/json; charset=utf-8", `{"client_name":"Cursor","client_uri":"https://cursor.example",
		"redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback","http://localhost:8787/callback","https://cursor.example/callback","evil://x"],
		"grant_types":["authorization_code","refresh_token","password"],"response_types":["code"],"token_endpoint_auth_method":"none",
		"application_type":"web","scope":"boards:read","logo_uri":"https://cursor.example/logo.png","software_id":"x","contacts":["a"]}`)
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Text)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
	m := a.json(t)
	require.Regexp(t, "^[0-9a-f]{24}$", m["client_id"])
	require.EqualValues(t, w.clock().Unix(), m["client_id_issued_at"])
	delete(m, "client_id")
	delete(m, "client_id_issued_at")
	require.Equal(t, map[string]any{
		"client_name": "Cursor", "client_uri": "https://cursor.example", "logo_uri": "https://cursor.example/logo.png",
		"redirect_uris": []any{"cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:8787/callback", "https://cursor.example/callback"},
		"grant_types":   []any{"authorization_code", "refresh_token"}, "response_types": []any{"code"},
		"token_endpoint_auth_method": "none", "application_type": "web", "scope": "boards:read",
	}, m)
}

func TestAClientThatAsksForASecretIsRegisteredWithoutOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	for _, method := range []string{"client_secret_post", "client_secret_basic"} {
		a := w.do(http.MethodPost, "/oauth/register", "application/json", `{"redirect_uris":["`+callback+`"],"token_endpoint_auth_method":"`+method+`"}`)
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Text)
		m := a.json(t)
		require.Equal(t, "none", m["token_endpoint_auth_method"])
		require.NotContains(t, m, "client_secret")
		id, _ := m["client_id"].(string)
		w.tokens(w.redeem(id, w.allow(request(id, "scope", "boards:read"), "boards:read")))
	}
}

func TestRegisterTakesWhatClientsSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	for _, body := range []string{
		`{"redirect_uris":["http://127.0.0.1/cb"]}`,
		`{"redirect_uris":["http://[::1]:1234/cb"],"token_endpoint_auth_method":null}`,
		`{"redirect_uris":["http://localhost/cb"],"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_methods_supported":["private_key_jwt","none"]}`,
		`{"redirect_uris":["https://a.example/cb?x=1"],"client_name":"` + strings.Repeat("é", 300) + `"}`,
	} {
		w.registered(body)
	}
	a := w.do(http.MethodPost, "/oauth/register", "application/json", `{"redirect_uris":["`+callback+`"]}`)
	require.Equal(t, []any{"authorization_code"}, a.json(t)["grant_types"])
}

// Whoever registers is nobody in particular, so little is kept of them, and few of them.
func TestRegisteringIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	register := func(body string) answered {
		return w.do(http.MethodPost, "/oauth/register", "application/json", body)
	}
	sized := func(n int) string { // with "authorization_code" beside it
		long := strings.Repeat("&", 1900)
		return fmt.Sprintf(`{"redirect_uris":["https://a.example/%s","https://b.example/%s","https://c.example/%s"],"contacts":["%s"]}`,
			long, long, strings.Repeat("&", n-2*1900-4*18), strings.Repeat("x", 10_000))
	}
	for range 20 {
		refused(t, register(sized(4097)), http.StatusBadRequest, "invalid_client_metadata")
		w.pass(time.Second)
	}
	for range 30 {
		require.Equal(t, http.StatusCreated, register(sized(4096)).StatusCode, "what was refused did not count")
	}
	last := register(sized(100 + 2*1900 + 4*18))
	require.Equal(t, http.StatusTooManyRequests, last.StatusCode)
	require.Equal(t, "60", last.Header.Get("Retry-After"))
	w.pass(time.Minute)
	require.Equal(t, http.StatusCreated, register(sized(4096)).StatusCode)
	require.Equal(t, http.StatusTooManyRequests, register(sized(4096)).StatusCode)
}

func TestRegisterRefusesWhatCannotBeUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	const redirect, other = "invalid_redirect_uri", "invalid_client_metadata"
	uris := func(list string) string { return `{"redirect_uris":[` + list + `]}` }
	for body, code := range map[string]string{
		`{}`:                             redirect,
		uris(``):                         redirect,
		uris(`1`):                        redirect,
		uris(`"http://a.example/cb"`):    redirect,
		uris(`"https://a@a.example/cb"`): redirect,
		uris(`"https://a.example/cb#x"`): redirect,
		uris(`"https://*.a.example/cb"`): redirect,
		uris(`"javascript:alert(1)"`):    redirect,
		uris(`"JavaScript://localhost/%0aalert(1)"`):                  redirect,
		uris(`"data:text/html,x"`):                                    redirect,
		uris(`"file:///etc/passwd"`):                                  redirect,
		uris(`"blob:https://a.example/x"`):                            redirect,
		uris(`"vbscript:x"`):                                          redirect,
		uris(`"about:blank"`):                                         redirect,
		uris(`"myapp://callback"`):                                    redirect,
		uris(`"https://a.example/` + strings.Repeat("x", 2000) + `"`): redirect,
		uris(strings.TrimSuffix(strings.Repeat(`"https://a.example/cb",`, 11), ",")):                redirect,
		`{"Redirect_URIs":["https://a.example/cb"]}`:                                                redirect,
		`{"redirect_uris":["https://a.example/cb"],"token_endpoint_auth_method":"private_key_jwt"}`: other,
		`{"redirect_uris":["https://a.example/cb"],"grant_types":["client_credentials"]}`:           other,
		`{"redirect_uris":["https://a.example/cb"],"client_name":7}`:                                other,
		`{"redirect_uris":["https://a.example/cb"],"logo_uri":"javascript:alert(1)"}`:               other,
		`[]`:   other,
		`null`: other,
		`{"redirect_uris":["https://a.example/cb"]`:                             other,
		`{"redirect_uris":["https://a.example/cb"]} {}`:                         other,
		`{"redirect_uris":["https://a.example/cb"],"client_name":"` + "\xff\"}": other,
		`{"x":"` + strings.Repeat("x", 65<<10) + `"}`:                           other,
	} {
		a := w.do(http.MethodPost, "/oauth/register", "application/json", body)
		require.Equal(t, code, a.json(t)["error"], body[:min(len(body), 200)])
		refused(t, a, http.StatusBadRequest, code)
		w.pass(1e9)
	}
	refused(t, w.do(http.MethodPost, "/oauth/register", "application/x-www-form-urlencoded", "a=b"), http.StatusBadRequest, other)
}
