package web_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// send sends a request as the browser's person, from inside a fuzz target.
func (b *browser) send(t *testing.T, method, address, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	client := &http.Client{Jar: b.http.Jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	to := res.Header.Get("Location")
	require.False(t, strings.HasPrefix(to, "//") || strings.Contains(to, "://") || strings.HasPrefix(to, `/\`), "sent to %q", to)
	return res.StatusCode, string(raw)
}

// FuzzPage requests pages with arbitrary parameters and sends arbitrary forms. The answer is never an internal error,
// never redirects to another site, and contains only elements of the templates.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{
		"q=aster", "search=%3Cscript%3Ealert(1)%3C/script%3E", "skip=-1", "sort=\x00", "next=//evil.example", "to=https://evil.example/", "q=%zz", "q=a&q=b",
		"url=javascript:alert(1)", "name=\"><img src=x onerror=alert(1)>", "email=a%0d%0aBcc:b", "theme=dark&back=//evil.example", "events=job.found&events=x&url=https://10.0.0.1/",
		"list=https://a.example/%0Ahttps://b.example/", "hour=99&zone=../../etc/passwd",
	} {
		f.Add(seed)
	}
	w := newWorld(f, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	f.Fuzz(func(t *testing.T, query string) {
		for _, path := range []string{"/boards", "/roles", "/changes", "/signin"} {
			u := w.site.URL + path + "?" + query
			if _, err := url.Parse(u); err != nil || strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '#' }) {
				continue // no request can have it
			}
			status, text := b.send(t, http.MethodGet, u, "")
			require.Less(t, status, http.StatusInternalServerError, "%s %s", u, text)
			requireOwnElements(t, text)
		}
		for _, path := range []string{"/boards", "/import", "/settings/keys", "/settings/webhooks", "/settings/email", "/theme"} {
			status, text := b.send(t, http.MethodPost, w.site.URL+path, query)
			require.Less(t, status, http.StatusInternalServerError, "%s %q %s", path, query, text)
			requireOwnElements(t, text)
		}
	})
}

// requireOwnElements requires that a page contains only what its templates write: its own scripts and images, and no
// event handlers.
func requireOwnElements(t *testing.T, page string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := z.Token()
		for _, a := range token.Attr {
			require.False(t, strings.HasPrefix(a.Key, "on"), "%s", token)
			if a.Key == "src" || a.Key == "href" || a.Key == "action" {
				scheme, _, ok := strings.Cut(strings.TrimSpace(a.Val), ":")
				require.True(t, !ok || strings.ContainsAny(scheme, "/?#") || scheme == "https" || scheme == "http", "%s", token)
			}
			if token.Data == "script" || token.Data == "img" || token.Data == "iframe" {
				require.False(t, a.Key == "src" && !strings.HasPrefix(a.Val, "/"), "%s", token)
			}
		}
	}
}
