package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestConnect lets a program on a person's own machine use their list, in a real browser: from the program's request to
// the answer at its loopback address, by way of the sign-in, with write access not ticked. The browser must let the form
// of the consent page end at another site.
func TestConnect(t *testing.T) {
	t.Parallel()
	answered := make(chan url.Values, 1)
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/callback" {
			answered <- r.URL.Query()
		}
		_, _ = io.WriteString(w, "<link rel=icon href=data:,>You can close this window.")
	}))
	t.Cleanup(program.Close)
	service := install(t, onSQLite(t)).serve()
	p := newPerson(t, service.url, true)
	setup := regexp.MustCompile(`http://\S+/setup\?token=[A-Za-z0-9_-]+`).FindString(service.errs.String())
	p.open(setup)
	p.fill("#email", "ada@northwind.example")
	p.fill("#password", "a sentence that only ada would say")
	p.submit("#password")
	p.sees("Which company do you want to watch?")
	p.submit(`form[action="/signout"] button`)

	const verifier, challenge = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" // RFC 7636, appendix B
	var client, token map[string]any
	exchange(t, http.MethodPost, service.url+"/oauth/register", "application/json",
		`{"client_name":"Terminal","redirect_uris":["http://127.0.0.1/callback"],"grant_types":["authorization_code","refresh_token"]}`, "", http.StatusCreated, &client)
	id, _ := client["client_id"].(string)
	redirect := program.URL + "/callback"
	p.open(service.url + "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {id}, "redirect_uri": {redirect}, "state": {"s 1"},
		"code_challenge": {challenge}, "code_challenge_method": {"S256"}, "scope": {"boards:read boards:write"}, "resource": {service.url + "/mcp"},
	}.Encode())
	p.fill("#email", "ada@northwind.example")
	p.fill("#password", "a sentence that only ada would say")
	p.submit("#password")
	p.sees("Connect Terminal?")
	p.sees(strings.TrimPrefix(program.URL, "http://"))
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Click(chromedp.CSS(`input[value="boards:write"]`))))
	p.press("Allow")
	p.sees("You can close this window.")
	v := <-answered
	require.Equal(t, "s 1", v.Get("state"))
	require.Equal(t, service.url, v.Get("iss"))
	p.quiet()

	text := func(name string) string { s, _ := token[name].(string); return s }
	const form = "application/x-www-form-urlencoded"
	exchange(t, http.MethodPost, service.url+"/oauth/token", form, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {id}, "code": {v.Get("code")}, "redirect_uri": {redirect}, "code_verifier": {verifier},
	}.Encode(), "", http.StatusOK, &token)
	require.Equal(t, "boards:read offline_access", token["scope"])
	exchange(t, http.MethodPost, service.url+"/oauth/token", form, url.Values{
		"grant_type": {"refresh_token"}, "client_id": {id}, "refresh_token": {text("refresh_token")},
	}.Encode(), "", http.StatusOK, &token)

	call := func(tool, arguments string, status int) http.Header {
		var result map[string]any
		return exchange(t, http.MethodPost, service.url+"/mcp", "application/json",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`, text("access_token"), status, &result)
	}
	call("list_boards", `{}`, http.StatusOK)
	challenged := call("add_board", `{"url":"https://boards.greenhouse.io/acme"}`, http.StatusForbidden).Get("WWW-Authenticate")
	require.Contains(t, challenged, `error="insufficient_scope"`)
	require.Contains(t, challenged, "boards:write")
	var refused map[string]any
	exchange(t, http.MethodGet, service.url+"/v1/boards", "", "", text("access_token"), http.StatusUnauthorized, &refused)

	p.open(service.url + "/settings/apps")
	p.sees("Terminal")
	p.sees("see your list, stay connected")
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Click(chromedp.Search(`//a[normalize-space()="Disconnect"]`))))
	p.sees("Disconnect Terminal?")
	p.press("Disconnect")
	p.sees("The app is disconnected.")
	call("list_boards", `{}`, http.StatusUnauthorized)
}

// exchange makes a request, with a bearer token when there is one, and reads the JSON that it is answered with.
func exchange(t *testing.T, method, address, kind, body, token string, status int, into any) http.Header {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, status, res.StatusCode, "%s", text)
	require.NoError(t, json.Unmarshal(text, into), "%s", text)
	return res.Header
}
