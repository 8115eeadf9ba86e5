package main_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Behind https, every door tells browsers to come no other way, whatever it answers.
func TestEveryDoorTellsBrowsersToStayWithHTTPS(t *testing.T) {
	t.Parallel()
	for base, told := range map[string]string{"https://boards.northwind.example": "max-age=31536000", "http://boards.northwind.example": ""} {
		service := install(t, onSQLite(t), "BOARDWATCH_BASE_URL="+base, "BOARDWATCH_OAUTH_ALLOW_HTTP=true").serve()
		for _, path := range []string{
			"/", "/boards", "/signin", "/nothing", "/healthz", "/readyz", "/v1/status", "/v1/nothing", "/docs", "/openapi.json", "/mcp",
			"/oauth/token", "/oauth/authorize", "/.well-known/oauth-authorization-server", "/.well-known/mcp/server-card.json",
		} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, service.url+path, http.NoBody)
			require.NoError(t, err)
			answer, err := http.DefaultTransport.RoundTrip(r)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, told, answer.Header.Get("Strict-Transport-Security"), path)
		}
	}
}

// Browsers, clients and providers compare what is published with the address that they use.
func TestWhatIsPublishedNamesTheBaseURLAsBrowsersDo(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://Boards.Northwind.Example.:443/": "https://boards.northwind.example", "https://Bücher.example": "https://xn--bcher-kva.example",
	} {
		service := install(t, onSQLite(t), "BOARDWATCH_BASE_URL="+base).serve()
		require.Contains(t, service.errs.String(), want+"/setup?token=")
		for path, text := range map[string]string{
			"/.well-known/oauth-authorization-server": `"issuer":"` + want + `"`,
			"/.well-known/oauth-protected-resource":   `"resource":"` + want + `/mcp"`,
			"/.well-known/mcp/server-card.json":       `"url":"` + want + `/mcp"`,
		} {
			page := strings.ReplaceAll(fetched(t, service.url+path), `": "`, `":"`)
			require.Contains(t, page, text)
		}
	}
}
