package web_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// No page can be framed by another site, so that nobody clicks a button that they do not see. That includes error
// pages.
func TestNoPageCanBeFramed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, true)
	person, stranger := w.signedIn(ownerEmail), w.browser()
	for _, path := range []string{"/", "/signin", "/boards", "/settings/keys", "/settings/apps", "/admin", "/nothing/here", "/boards/000000000000000000000000"} {
		for _, b := range []*browser{person, stranger} {
			page := b.get(path)
			require.Contains(t, page.header.Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
			require.Equal(t, "nosniff", page.header.Get("X-Content-Type-Options"), path)
		}
	}
}

// The cookies of a service behind https are sent only over https.
func TestAPageOpenedOverHTTPSaysThatNobodyCanSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{baseURL: "https://boards.northwind.example"})
	w.account(ownerEmail, account.PlanUltra, false)
	direct := strings.TrimPrefix(w.site.URL, "http://")
	for name, c := range map[string]struct {
		host    string
		headers map[string]string
		told    bool
	}{
		"at an IP address":                  {direct, nil, true},
		"on another port":                   {"boards.northwind.example:8080", nil, true},
		"from a page over http":             {"boards.northwind.example", map[string]string{"Referer": "http://boards.northwind.example/signin"}, true},
		"where browsers keep the cookies":   {direct, map[string]string{"Sec-Fetch-Site": "none"}, false},
		"at its address":                    {"boards.northwind.example", nil, false},
		"from a page over https":            {"boards.northwind.example", map[string]string{"Referer": "https://boards.northwind.example/"}, false},
		"from somebody else's page":         {"boards.northwind.example", map[string]string{"Referer": "http://elsewhere.example/"}, false},
		"from another page of a proxied IP": {direct, map[string]string{"Referer": "https://" + direct + "/"}, false},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.site.URL+"/signin", nil)
		require.NoError(t, err)
		r.Host = c.host
		for header, value := range c.headers {
			r.Header.Set(header, value)
		}
		require.Equal(t, c.told, strings.Contains(textOf(t, r), "Nobody can sign in this way"), name)
	}

	// Somebody signs in, and the browser loses the cookie.
	b := w.browser()
	b.http.Jar = nil
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+"/signin", strings.NewReader(url.Values{"email": {ownerEmail}, "password": {password}}.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", w.site.URL)
	again := b.do(r)
	require.Equal(t, "/signin", again.path)
	require.Contains(t, again.text, `Open <a href="https://boards.northwind.example/">`)
}

// textOf is the text of an answer.
func textOf(t *testing.T, r *http.Request) string {
	t.Helper()
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(text)
}

func TestPagesOverHTTPSStayThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{baseURL: "https://boards.northwind.example"})
	w.account(ownerEmail, account.PlanUltra, false)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+"/signin",
		strings.NewReader("email="+ownerEmail+"&password="+strings.ReplaceAll(password, " ", "+")))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://boards.northwind.example")
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	cookies := res.Cookies()
	require.NotEmpty(t, cookies)
	for _, c := range cookies {
		require.True(t, c.Secure && c.HttpOnly, c.String())
		require.Equal(t, http.SameSiteLaxMode, c.SameSite)
		require.True(t, strings.HasPrefix(c.Name, "__Host-"), c.Name)
	}
}
