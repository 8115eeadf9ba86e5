package oauth_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDocumentsSayWhereTokensComeFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	base := w.site.URL
	a := w.do(http.MethodGet, "/.well-known/oauth-authorization-server", "", "", "Host", "evil.example", "X-Forwarded-Host", "evil.example")
	require.Equal(t, http.StatusOK, a.StatusCode)
	require.Equal(t, map[string]any{
		"issuer": base, "authorization_endpoint": base + "/oauth/authorize", "token_endpoint": base + "/oauth/token",
		"registration_endpoint": base + "/oauth/register", "revocation_endpoint": base + "/oauth/revoke",
		"scopes_supported": []any{"boards:read", "boards:write", "offline_access"}, "response_types_supported": []any{"code"},
		"response_modes_supported": []any{"query"}, "grant_types_supported": []any{"authorization_code", "refresh_token"},
		"token_endpoint_auth_methods_supported": []any{"none"}, "revocation_endpoint_auth_methods_supported": []any{"none"},
		"code_challenge_methods_supported": []any{"S256"}, "client_id_metadata_document_supported": true,
		"authorization_response_iss_parameter_supported": true, "service_documentation": base + "/docs",
	}, a.json(t))
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource/mcp/"} {
		a := w.get(path)
		require.Equal(t, "application/json", a.Header.Get("Content-Type"))
		require.Equal(t, "public, max-age=900", a.Header.Get("Cache-Control"))
		require.Equal(t, map[string]any{
			"resource": base + "/mcp", "authorization_servers": []any{base}, "scopes_supported": []any{"boards:read", "boards:write"},
			"bearer_methods_supported": []any{"header"}, "resource_name": "boardwatch", "resource_documentation": base + "/docs",
		}, a.json(t))
		require.Equal(t, http.StatusOK, w.do(http.MethodHead, path, "", "").StatusCode)
	}
}

func TestPagesFromElsewhereMayUseWhatNeedsNoCookie(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	for _, path := range []string{
		"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
		"/oauth/token", "/oauth/register", "/oauth/revoke",
	} {
		a := w.do(http.MethodOptions, path, "", "", "Origin", "https://page.example", "Access-Control-Request-Method", "POST")
		require.Equal(t, http.StatusNoContent, a.StatusCode, path)
		require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
		require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"))
		for _, header := range []string{"Content-Type", "Authorization", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "If-None-Match"} {
			require.Contains(t, a.Header.Get("Access-Control-Allow-Headers"), header)
		}
	}
	for _, path := range []string{"/oauth/authorize", "/oauth/consent"} {
		a := w.do(http.MethodOptions, path, "", "", "Origin", "https://page.example")
		require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"), path)
	}
}
