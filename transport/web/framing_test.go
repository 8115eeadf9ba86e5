package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// No page can be framed by another site, so that nobody clicks a button that they do not see. That includes error
// pages.
func TestNoPageCanBeFramed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, boardwatch.PlanUltra, true)
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
func TestPagesOverHTTPSStayThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{baseURL: "https://boards.northwind.example"})
	w.account(ownerEmail, boardwatch.PlanUltra, false)
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
