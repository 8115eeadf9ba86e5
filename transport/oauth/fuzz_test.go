package oauth_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// send sends a request as the person's browser, from inside a fuzz target.
func (w *world) send(t *testing.T, method, path, kind, body string) answered {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.site.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	res, err := w.client.Do(r)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return answered{res, string(text)}
}

// FuzzRegister sends any body for a registration: a client comes of it, or a refusal in the published form.
func FuzzRegister(f *testing.F) {
	for _, seed := range []string{
		`{"client_name":"Assistant","redirect_uris":["` + callback + `"]}`, `{"redirect_uris":["cursor://x/y"],"grant_types":["refresh_token"]}`,
		`{"redirect_uris":["javascript:alert(1)"]}`, `{"redirect_uris":["https://a.example/#b"]}`, `{"redirect_uris":["http://127.0.0.1/"]}`,
		`{"redirect_uris":null,"client_name":1}`, `[]`, ``, `{"redirect_uris":["https://a.example/"],"redirect_uris":["http://b.example/"]}`,
	} {
		f.Add(seed)
	}
	w := newWorld(f, worldOptions{})
	f.Fuzz(func(t *testing.T, body string) {
		a := w.send(t, http.MethodPost, "/oauth/register", "application/json", body)
		require.Contains(t, []int{http.StatusCreated, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests}, a.StatusCode, a.Text)
		answer := a.json(t)
		if a.StatusCode != http.StatusCreated {
			require.NotEmpty(t, answer["error"])
			return
		}
		for _, raw := range answer["redirect_uris"].([]any) {
			u, err := url.Parse(raw.(string))
			require.NoError(t, err)
			require.Empty(t, u.Fragment)
			require.Contains(t, []string{"https", "http", "cursor", "vscode"}, u.Scheme)
		}
		require.NotContains(t, answer, "client_secret")
	})
}

// FuzzAuthorize sends a signed-in person anywhere a link can: nobody is sent on to a place that is not the client's.
func FuzzAuthorize(f *testing.F) {
	w := newWorld(f, worldOptions{})
	client := w.assistant()
	for _, change := range [][]string{
		nil,
		{"scope", ""},
		{"scope", "admin"},
		{"state", ""},
		{"code_challenge_method", "plain"},
		{"response_type", "token"},
		{"client_id", "nobody"},
		{"redirect_uri", "https://evil.example/"},
		{"redirect_uri", callback + "/../x"},
		{"redirect_uri", callback + "?x=1"},
		{"client_id", "https://evil.example/client.json"},
		{"redirect_uri", "http://localhost:9999/callback"},
		{"prompt", "none"},
		{"resource", "https://elsewhere.example/mcp"},
	} {
		f.Add(request(client, change...).Encode())
	}
	f.Add(request(client).Encode() + "&redirect_uri=https%3A%2F%2Fevil.example%2F")
	f.Add("%zz;&&=&%00")
	f.Fuzz(func(t *testing.T, query string) {
		if strings.Contains(query, "client_id=http") {
			t.Skip("a document would be fetched")
		}
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '#' }) {
			t.Skip("no request can have it")
		}
		a := w.send(t, http.MethodGet, "/oauth/authorize?"+query, "", "")
		require.Less(t, a.StatusCode, http.StatusInternalServerError, a.Text)
		to := a.Header.Get("Location")
		own := strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") || strings.HasPrefix(to, w.site.URL+"/")
		there, err := url.Parse(to)
		require.NoError(t, err)
		local := there.Scheme == "http" && there.Hostname() == "localhost" && there.Path == "/callback"
		require.True(t, to == "" || own || local || to == callback || strings.HasPrefix(to, callback+"?"), "sent to %q by %q", to, query)
	})
}

// FuzzToken sends any form to the token endpoint: without a code that was issued there is no token.
func FuzzToken(f *testing.F) {
	for _, seed := range []string{
		"grant_type=authorization_code&code=x&client_id=y&code_verifier=z", "grant_type=refresh_token&refresh_token=bwr_x&client_id=y",
		"grant_type=password&username=a&password=b", "grant_type=authorization_code&grant_type=refresh_token", "", "%zz", "grant_type=client_credentials",
	} {
		f.Add(seed)
	}
	w := newWorld(f, worldOptions{})
	f.Fuzz(func(t *testing.T, form string) {
		for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
			a := w.send(t, http.MethodPost, path, "application/x-www-form-urlencoded", form)
			require.Less(t, a.StatusCode, http.StatusInternalServerError, a.Text)
			require.NotContains(t, a.Text, "access_token")
			require.Contains(t, []string{"", "no-store"}, a.Header.Get("Cache-Control"))
			if a.Text != "" {
				require.True(t, json.Valid([]byte(a.Text)), a.Text)
			}
		}
	})
}
