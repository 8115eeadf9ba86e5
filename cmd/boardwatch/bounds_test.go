package main_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// TestEveryDoorCountsChangesOfLists spends an account's budget and then comes to each door. The command line is the
// operator's and counts nothing.
func TestEveryDoorCountsChangesOfLists(t *testing.T) {
	t.Parallel()
	const password = "a long sentence nobody guesses"
	file := t.TempDir() + "/bounds.db"
	i := install(t, "sqlite:"+file, "BOARDWATCH_ADMIN_EMAIL="+e2eEmail, "BOARDWATCH_ADMIN_PASSWORD="+password)
	service := i.serve()
	var key struct{ Secret string }
	i.do(&key, "key", "create", "--account", e2eEmail, "--name", "bounds", "-o", "json")
	person := signedIn(t, service.url, e2eEmail, password)
	agent := newAgent(t, service.url, "2025-11-25")

	store, err := sqlite.Open(t.Context(), file, storage.Options{NoMigrate: true})
	require.NoError(t, err)
	owner, err := store.AccountByEmail(t.Context(), e2eEmail)
	require.NoError(t, err)
	for range track.ListRate().Limit {
		_, err := store.Spend(t.Context(), owner.ID, "", track.ListRate())
		require.NoError(t, err)
	}
	require.NoError(t, store.Close())

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, service.url+"/v1/boards", strings.NewReader(`{"url":"https://northwind.example/"}`))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+key.Secret)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusTooManyRequests, res.StatusCode)
	require.NotEmpty(t, res.Header.Get("Retry-After"))

	for path, form := range map[string]url.Values{
		"/boards": {"url": {"https://northwind.example/"}, "anyway": {"yes"}},
		"/import": {"text": {"https://northwind.example/"}},
	} {
		res, err = person.PostForm(service.url+path, form)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusTooManyRequests, res.StatusCode, path)
		require.NotEmpty(t, res.Header.Get("Retry-After"), path)
	}

	_, err = agent.Initialize(t.Context(), greeting("2025-11-25"))
	handler := client.GetOAuthHandler(err)
	require.NoError(t, handler.RegisterClient(t.Context(), "Agent"))
	allow(t, person, handler, "boards:read", "boards:write")
	_, err = agent.Initialize(t.Context(), greeting("2025-11-25"))
	require.NoError(t, err)
	result, err := agent.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{
		Name: "add_board", Arguments: map[string]any{"url": "https://northwind.example/"},
	}})
	require.NoError(t, err)
	require.True(t, result.IsError)
	require.Contains(t, result.Content[0].(mcp.TextContent).Text, "rate_limited")

	var added struct{ Locked bool }
	i.do(&added, "board", "add", "--account", e2eEmail, "https://northwind.example/", "-o", "json")
}
