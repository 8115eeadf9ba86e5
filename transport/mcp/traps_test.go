package mcp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// TestLibraryTraps holds what the library under the door does by itself, or leaves undone, away from clients.
func TestLibraryTraps(t *testing.T) {
	t.Parallel()
	d := newDoor(t)

	t.Run("1 raw schemas: the list of tools is not empty", func(t *testing.T) {
		t.Parallel()
		tools := toolsOf(t, d, d.caller(t))
		require.Len(t, tools, 5)
		for _, tool := range tools {
			require.NotEmpty(t, tool.InputSchema)
			require.NotEmpty(t, tool.OutputSchema)
			require.NotEmpty(t, tool.Title)
		}
	})

	t.Run("2 a panic tells the client nothing of itself, and the log all", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		w := d.post(d.caller(t), callText("add_board", `{"url":"https://panic.example/"}`))
		require.Equal(t, http.StatusOK, w.Code)
		require.NotContains(t, w.Body.String(), "secret")
		m := messageOf(t, w)
		require.Equal(t, -32603, m.Error.Code)
		require.Contains(t, d.log.String(), "the secret of the house")
	})

	t.Run("3 a fault of ours is a result without its cause", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		token := d.caller(t)
		w := d.post(token, callText("list_boards", `{}`))
		require.Equal(t, http.StatusOK, w.Code)
		_, err := mcp.New(mcp.Services{}, mcp.Options{})
		require.Error(t, err, "an address is needed")
		require.NoError(t, d.store.Close())
		w = d.post(token, callText("list_boards", `{}`))
		require.Equal(t, http.StatusInternalServerError, w.Code)
		f := failureOf(t, w.Body.String())
		require.Equal(t, boardwatch.CodeInternal, f.Error.Code)
		require.NotContains(t, f.Error.Message, "database")
		require.Contains(t, d.log.String(), "database is closed")
	})

	t.Run("4 a wrong argument is told as REST tells it", func(t *testing.T) {
		t.Parallel()
		f := d.refusal(t, d.caller(t), "search_jobs", `{"limit":0,"boardId":"x","status":"gone","page":2}`)
		require.Equal(t, boardwatch.CodeInvalidRequest, f.Error.Code)
		require.ElementsMatch(t, []string{"limit", "boardId", "status", "page"}, f.fields(t))
		require.NotContains(t, f.Error.Message, "&{")
	})

	t.Run("5 an empty list is a list", func(t *testing.T) {
		t.Parallel()
		token := d.caller(t)
		for _, tool := range []string{"list_boards", "search_jobs", "list_updates"} {
			r := resultOf(t, d.post(token, callText(tool, `{}`)))
			require.Contains(t, string(r.Structured), "[]")
			require.NotContains(t, strings.ReplaceAll(string(r.Structured), `"nextSkip":null`, ""), "null")
		}
	})

	t.Run("6 a body is read up to a limit", func(t *testing.T) {
		t.Parallel()
		w := d.post(d.caller(t), `{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"`+strings.Repeat("x", mcp.MaxBody)+`"}`)
		require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
		require.Equal(t, -32600, messageOf(t, w).Error.Code)
	})

	t.Run("7 origins and hosts are checked against the base URL, not against loopback", func(t *testing.T) {
		t.Parallel()
		token := d.caller(t)
		for _, origin := range []string{"https://evil.example", "https://boards.example.evil.example", "null", "http://boards.example", "https://boards.example:444"} {
			w := d.post(token, listTools, "Origin", origin)
			require.Equal(t, http.StatusForbidden, w.Code, origin)
			require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
			require.Empty(t, w.Header().Get("WWW-Authenticate"))
			failureOf(t, w.Body.String())
		}
		for host, status := range map[string]int{
			"boards.example": 200, "BOARDS.example:443": 200, "boards.example:8080": 200,
			"evil.example": 403, "localhost": 403, "127.0.0.1:8080": 403, "": 403, "boards.example.evil.example": 403,
		} {
			r := request(token, listTools)
			r.Host = host
			require.Equal(t, status, d.do(r).Code, host)
		}
	})

	t.Run("8 a browser may send and read what clients need", func(t *testing.T) {
		t.Parallel()
		r := httptest.NewRequest(http.MethodOptions, base+"/mcp", nil)
		r.Header.Set("Origin", "https://claude.ai")
		r.Header.Set("Access-Control-Request-Method", "POST")
		w := d.do(r)
		require.Equal(t, http.StatusNoContent, w.Code)
		require.Equal(t, "https://claude.ai", w.Header().Get("Access-Control-Allow-Origin"))
		require.Empty(t, w.Header().Get("Access-Control-Allow-Credentials"))
		for _, name := range []string{"Content-Type", "Authorization", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id"} {
			require.Contains(t, w.Header().Get("Access-Control-Allow-Headers"), name)
		}
		w = d.post("", listTools, "Origin", "http://localhost:6274")
		require.Equal(t, http.StatusUnauthorized, w.Code)
		require.Equal(t, "http://localhost:6274", w.Header().Get("Access-Control-Allow-Origin"))
		require.Contains(t, w.Header().Get("Access-Control-Expose-Headers"), "WWW-Authenticate")
		require.Contains(t, w.Header().Values("Vary"), "Origin")
	})

	t.Run("9 no spelling of a message gets past the scopes", func(t *testing.T) {
		t.Parallel()
		a := d.account(t)
		token := d.token(t, a, account.ScopeBoardsRead)
		const params = `{"name":"add_board","arguments":{"url":"https://acme.example/"}}`
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"tools/list","METHOD":"tools/call","params":` + params + `}`,
			`{"jsonrpc":"2.0","id":1,"Method":"tools/call","PARAMS":` + params + `}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boards"},"Params":` + params + `}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boards","NAME":"add_board","arguments":{"url":"https://acme.example/"}}}`,
		} {
			w := d.post(token, body, "Mcp-Method", "tools/list", "Mcp-Name", "list_boards")
			require.Equal(t, http.StatusForbidden, w.Code, body)
			require.Contains(t, w.Header().Get("WWW-Authenticate"), "insufficient_scope")
		}
		var list struct{ Total int }
		d.call(t, token, "list_boards", `{}`, &list)
		require.Zero(t, list.Total)
	})

	t.Run("10 every token sees all five tools", func(t *testing.T) {
		t.Parallel()
		require.Len(t, toolsOf(t, d, d.token(t, d.account(t), account.ScopeBoardsRead)), 5)
		require.Len(t, toolsOf(t, d, d.token(t, d.account(t), account.ScopeBoardsWrite)), 5)
	})

	t.Run("11 what has no id is a notification, and does nothing", func(t *testing.T) {
		t.Parallel()
		token := d.caller(t)
		for _, message := range []string{
			`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"add_board","arguments":{"url":"https://acme.example/"}}}`,
			`{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":null,"result":{}}`,
		} {
			w := d.post(token, message)
			require.Equal(t, http.StatusAccepted, w.Code, message)
			require.Empty(t, w.Body.String())
		}
		var list struct{ Total int }
		d.call(t, token, "list_boards", `{}`, &list)
		require.Zero(t, list.Total)
	})

	t.Run("12 a batch is refused", func(t *testing.T) {
		t.Parallel()
		w := d.post(d.caller(t), "["+listTools+"]", "MCP-Protocol-Version", "2025-03-26")
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.NotNil(t, messageOf(t, w).Error)
	})

	t.Run("13 every method needs a token, and only POST is answered", func(t *testing.T) {
		t.Parallel()
		token := d.caller(t)
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodDelete, http.MethodPut, "BREW"} {
			r := httptest.NewRequest(method, base+"/mcp", nil)
			w := d.do(r)
			require.Equal(t, http.StatusUnauthorized, w.Code, method)
			require.Contains(t, w.Header().Get("WWW-Authenticate"), "resource_metadata=")
			r = httptest.NewRequest(method, base+"/mcp", nil)
			r.Header.Set("Authorization", "Bearer "+token)
			w = d.do(r)
			require.Equal(t, http.StatusMethodNotAllowed, w.Code, method)
			require.Contains(t, w.Header().Get("Allow"), "POST")
		}
	})
}
