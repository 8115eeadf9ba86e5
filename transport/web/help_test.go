package web_test

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestTheDocumentationIsInTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
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

// Every link between pages and headings of the documentation works, without a sign-in.
func TestLinksOfTheDocumentationLeadSomewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.browser()
	links := regexp.MustCompile(`href="((?:/help)?[^":?#]*)(?:#([^"]*))?"`)
	texts := map[string]string{}
	read := func(at string) string {
		if _, ok := texts[at]; !ok {
			page := b.get(at)
			require.Equal(t, http.StatusOK, page.status, at)
			texts[at] = page.text
		}
		return texts[at]
	}
	headings := 0
	seen := map[string]bool{"/help": true}
	for next := []string{"/help"}; len(next) > 0; {
		at := next[0]
		next = next[1:]
		_, article, ok := strings.Cut(read(at), "<article")
		require.True(t, ok, at)
		article, _, _ = strings.Cut(article, "</article>")
		for _, link := range links.FindAllStringSubmatch(article, -1) {
			require.False(t, strings.HasSuffix(link[1], ".md"), "%s on %s", link[1], at)
			to := cmp.Or(link[1], at)
			if !strings.HasPrefix(to, "/help") {
				continue
			}
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
			if link[2] != "" {
				headings++
				require.Contains(t, read(to), `id="`+link[2]+`"`, "%s leads to %s#%s", at, to, link[2])
			}
		}
	}
	require.Greater(t, len(seen), 15)
	require.Greater(t, headings, 50)
}

func TestExamplesOfTheDocumentationNameThisInstance(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	b := w.browser()
	for _, path := range []string{"/help/mcp", "/help/rest", "/help/sign-in", "/help/self-hosting"} {
		page := b.get(path).text
		require.Contains(t, page, w.site.URL, path)
		require.NotContains(t, page, "https://boards.example.com", path)
		require.NotContains(t, page, "http://127.0.0.1:8080", path)
	}
	require.Contains(t, b.get("/help/mcp").text, "<code>"+w.site.URL+"/mcp\n</code>", "to be copied")
}

// Who follows companies finds their own page first, and what runs the service after it.
func TestTheDocumentationBeginsWithWhatPeopleDo(t *testing.T) {
	t.Parallel()
	page := newWorld(t, worldOptions{}).browser().get("/help").text
	first, running := strings.Index(page, `<a href="/help/using">`), strings.Index(page, `<a href="/help/self-hosting">`)
	require.Positive(t, first)
	require.Less(t, first, running)
	require.NotContains(t, page, "/help/siege")
	require.Regexp(t, `(?s)<b>Following companies</b><a href="/help/using">.*<b>Programs and agents</b><a href="/help/mcp">`, page, "the list of all pages has the same parts")
}

func TestTheDocumentationIsSearched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	b := w.browser()
	require.Contains(t, b.get("/help").text, `<form class="filters" method="get" action="/help" role="search">`)

	found := b.get("/help?q=Restore+BACKUP&back=/boards")
	require.Equal(t, http.StatusOK, found.status)
	require.Contains(t, found.text, `<a href="/help/self-hosting#backups">Backups</a>`)
	require.Contains(t, found.text, `<mark>backup</mark>`)
	require.Contains(t, found.text, `value="Restore BACKUP"`)
	require.Contains(t, found.text, `<a href="/boards">Back to the app</a>`)
	for _, link := range regexp.MustCompile(`<li><h2><a href="(/help[^"#]*)(?:#([^"]+))?">`).FindAllStringSubmatch(found.text, -1) {
		page := b.get(link[1])
		require.Equal(t, http.StatusOK, page.status, link[1])
		require.Contains(t, page.text, `id="`+link[2]+`"`, link[1])
	}

	require.Contains(t, b.get("/help?q=checks.max_pages").text, `href="/help/configuration`, "a setting is found by its name")
	first := regexp.MustCompile(`<li><h2><a href="([^"]+)">`).FindStringSubmatch(b.get("/help?q=performance").text)
	require.NotNil(t, first)
	require.Equal(t, "/help/performance", first[1], "the page of that name comes first")
	require.NotContains(t, b.get("/help?q=acku").text, "<li>", "words are found by their beginning")
}

func TestASearchOfTheDocumentationThatFindsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	b := w.browser()
	for _, query := range []string{"zyzzyva", "backup+zyzzyva", "%3F%21"} {
		page := b.get("/help?q=" + query)
		require.Equal(t, http.StatusOK, page.status)
		require.Contains(t, page.text, "Nothing found for")
	}
	shown := b.get("/help?q=" + url.QueryEscape(`"><script>alert(1)</script> backup`)).text
	require.NotContains(t, shown, "<script>alert")
	require.Contains(t, b.get("/help?q=+").text, `<article class="help">`, "an empty search is the index")
}
