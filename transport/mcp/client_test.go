package mcp_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	clienttransport "github.com/mark3labs/mcp-go/client/transport"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

// TestClient lets the library's own client work over HTTP, in each revision.
func TestClient(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"} {
		t.Run("of "+version+" tracks a board and asks what is on it", func(t *testing.T) {
			t.Parallel()
			d := newDoor(t)
			c := connect(t, d, d.caller(t), version)
			list, err := c.ListTools(t.Context(), mcpgo.ListToolsRequest{})
			require.NoError(t, err)
			require.Len(t, list.Tools, 5)

			result := call(t, c, "add_board", map[string]any{"url": "https://acme.example/careers"})
			require.False(t, result.IsError)
			d.check(t, "Engineer", "Writer")
			result = call(t, c, "list_updates", nil)
			raw, err := json.Marshal(result.StructuredContent)
			require.NoError(t, err)
			var page updates
			require.NoError(t, json.Unmarshal(raw, &page))
			require.ElementsMatch(t, []string{"Engineer", "Writer"}, titles(page.Jobs))

			result = call(t, c, "remove_board", map[string]any{"boardId": "x"})
			require.True(t, result.IsError)
			text, ok := result.Content[0].(mcpgo.TextContent)
			require.True(t, ok)
			require.Equal(t, []string{"boardId"}, failureOf(t, text.Text).fields(t))
		})
	}

	t.Run("is told by HTTP when its token does not cover what it asks", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		c := connect(t, d, d.token(t, d.account(t), account.ScopeBoardsRead), "2025-11-25")
		_, err := c.CallTool(t.Context(), request403())
		require.Error(t, err)
		require.Contains(t, strings.ToLower(err.Error()), "403")
	})
}

func request403() mcpgo.CallToolRequest {
	return mcpgo.CallToolRequest{Params: mcpgo.CallToolParams{Name: "add_board", Arguments: map[string]any{"url": "https://acme.example/"}}}
}

// connect serves the door on loopback and introduces a client of that revision to it.
func connect(t *testing.T, d *door, token, version string) *client.Client {
	t.Helper()
	s := httptest.NewServer(d.handler(t, mcp.Options{BaseURL: base, Loopback: true, Version: "1.2.3"}))
	t.Cleanup(s.Close)
	trans, err := clienttransport.NewStreamableHTTP(s.URL+"/mcp", clienttransport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + token}))
	require.NoError(t, err)
	c := client.NewClient(trans, client.WithProtocolVersion(version))
	t.Cleanup(func() { _ = c.Close() }) // there is no session to end
	require.NoError(t, c.Start(context.WithoutCancel(t.Context())))
	hello, err := c.Initialize(t.Context(), mcpgo.InitializeRequest{Params: mcpgo.InitializeParams{
		ProtocolVersion: version, ClientInfo: mcpgo.Implementation{Name: "test", Version: "1"},
	}})
	require.NoError(t, err)
	require.Equal(t, version, hello.ProtocolVersion)
	require.Equal(t, mcp.Name, hello.ServerInfo.Name)
	return c
}

func call(t *testing.T, c *client.Client, tool string, arguments map[string]any) *mcpgo.CallToolResult {
	t.Helper()
	result, err := c.CallTool(t.Context(), mcpgo.CallToolRequest{Params: mcpgo.CallToolParams{Name: tool, Arguments: arguments}})
	require.NoError(t, err)
	return result
}
