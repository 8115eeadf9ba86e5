package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestTheDocumentationIsInTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, boardwatch.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	links := regexp.MustCompile(`href="(/help/[a-z]+)\?back=(/[a-z/]+)"`)
	for path, page := range map[string]string{"/settings/webhooks": "/help/webhooks", "/settings/channels": "/help/channels", "/settings/keys": "/help/rest", "/settings/apps": "/help/mcp"} {
		link := links.FindStringSubmatch(b.get(path).text)
		require.NotNil(t, link, path)
		require.Equal(t, page, link[1])
		help := b.get(link[1] + "?back=" + link[2])
		require.Equal(t, http.StatusOK, help.status)
		require.Contains(t, help.text, `<a href="`+path+`">Back to the app</a>`)
	}
	require.Contains(t, b.get("/boards").text, `href="/help"`)
	require.Equal(t, http.StatusNotFound, b.get("/help/nothing-like-it").status)
	require.NotContains(t, b.get("/help/webhooks?back=https://evil.example/").text, `href="https://evil.example`)
}

// Every link of the documentation to another page of it leads there, without a sign-in.
func TestLinksOfTheDocumentationLeadSomewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, boardwatch.PlanUltra, false)
	b := w.browser()
	links := regexp.MustCompile(`href="(/[^"#?]*)`)
	seen := map[string]bool{}
	next := []string{"/help"}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		page := b.get(at)
		require.Equal(t, http.StatusOK, page.status, at)
		for _, link := range links.FindAllStringSubmatch(page.text, -1) {
			require.False(t, strings.HasSuffix(link[1], ".md"), "%s on %s", link[1], at)
			if strings.HasPrefix(link[1], "/help") && !seen[link[1]] {
				seen[link[1]] = true
				next = append(next, link[1])
			}
		}
	}
	require.Greater(t, len(seen), 15)
}
