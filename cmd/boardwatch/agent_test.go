package main_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
)

// TestAgent has an agent use the whole service, in both eras of the protocol: from the 401 over the consent of a person,
// who does not allow everything at first, to the result of a tool.
func TestAgent(t *testing.T) {
	t.Parallel()
	const password = "a long sentence nobody guesses"
	i := install(t, onSQLite(t), "BOARDWATCH_ADMIN_EMAIL="+e2eEmail, "BOARDWATCH_ADMIN_PASSWORD="+password)
	service := i.serve()
	person := signedIn(t, service.url, e2eEmail, password)
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		t.Run("of "+version, func(t *testing.T) {
			t.Parallel()
			agent := newAgent(t, service.url, version)
			_, err := agent.Initialize(t.Context(), greeting(version))
			require.True(t, client.IsOAuthAuthorizationRequiredError(err), "%v", err)
			handler := client.GetOAuthHandler(err)
			require.NoError(t, handler.RegisterClient(t.Context(), "Agent"))
			allow(t, person, handler, "boards:read")

			hello, err := agent.Initialize(t.Context(), greeting(version))
			require.NoError(t, err)
			require.Equal(t, version, hello.ProtocolVersion)
			result, err := agent.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "list_boards"}})
			require.NoError(t, err)
			require.False(t, result.IsError)
			wish := mcp.CallToolRequest{Params: mcp.CallToolParams{
				Name: "add_board", Arguments: map[string]any{"url": "https://northwind.example/" + version},
			}}
			_, err = agent.CallTool(t.Context(), wish)
			require.ErrorContains(t, err, "403", "writing was not allowed")

			allow(t, person, handler, "boards:read", "boards:write")
			result, err = agent.CallTool(t.Context(), wish)
			require.NoError(t, err)
			require.False(t, result.IsError, "%v", result.Content)

			token, err := handler.GetAuthorizationHeader(t.Context())
			require.NoError(t, err)
			require.Equal(t, http.StatusUnauthorized, statusWith(t, service.url+"/v1/status", token), "a token is no key")
		})
	}
}

// signedIn is the browser of somebody who has signed in. It follows no redirects.
func signedIn(t *testing.T, site, email, password string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	c := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.PostForm(site+"/signin", url.Values{"email": {email}, "password": {password}})
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	return c
}

func newAgent(t *testing.T, site, version string) *client.Client {
	t.Helper()
	door, err := transport.NewStreamableHTTP(site+"/mcp", transport.WithHTTPOAuth(transport.OAuthConfig{
		RedirectURI: "http://127.0.0.1:1/callback", Scopes: []string{"boards:read", "boards:write"},
		TokenStore: transport.NewMemoryTokenStore(), PKCEEnabled: true,
	}))
	require.NoError(t, err)
	c := client.NewClient(door, client.WithProtocolVersion(version))
	t.Cleanup(func() { _ = c.Close() }) // there is no session to end
	require.NoError(t, c.Start(t.Context()))
	return c
}

func greeting(version string) mcp.InitializeRequest {
	return mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: version, ClientInfo: mcp.Implementation{Name: "agent", Version: "1"},
	}}
}

// allow has the person press Allow on the page that the agent opens, with these scopes ticked, and hands the answer over.
func allow(t *testing.T, person *http.Client, agent *transport.OAuthHandler, scopes ...string) {
	t.Helper()
	verifier, err := transport.GenerateCodeVerifier()
	require.NoError(t, err)
	state, err := transport.GenerateState()
	require.NoError(t, err)
	agent.SetExpectedState(state)
	address, err := agent.GetAuthorizationURL(t.Context(), state, transport.GenerateCodeChallenge(verifier))
	require.NoError(t, err)
	res, err := person.Get(address)
	require.NoError(t, err)
	page, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode, "%s", page)
	question := regexp.MustCompile(`name="request" value="([^"]+)"`).FindSubmatch(page)
	require.NotNil(t, question, "%s", page)
	site, _, _ := strings.Cut(address, "/oauth/")
	res, err = person.PostForm(site+"/oauth/consent", url.Values{"request": {string(question[1])}, "scope": scopes})
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	back, err := res.Location()
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:1", back.Host)
	require.NoError(t, agent.ProcessAuthorizationResponse(t.Context(), back.Query().Get("code"), back.Query().Get("state"), verifier))
}

// statusWith is the status of the answer to a GET with that authorization.
func statusWith(t *testing.T, address, authorization string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", authorization)
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}
