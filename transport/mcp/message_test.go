package mcp_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIDs(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	ask := func(method, id string) (int, string) {
		w := d.post(token, `{"jsonrpc":"2.0","id":`+id+`,"method":"`+method+`","params":{"name":"list_boards","protocolVersion":7}}`)
		var m struct {
			ID json.RawMessage `json:"id"`
		}
		if w.Body.Len() > 0 {
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &m), w.Body.String())
		}
		return w.Code, string(m.ID)
	}
	for _, id := range []string{
		"0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808", "123456789012345678901234567890", `"x"`, `""`,
		`"9007199254740993"`, "1.0", "1e3", strings.Repeat("9", 100), `"` + strings.Repeat("long ", 10_000) + `"`,
	} {
		for _, method := range []string{"tools/list", "tools/call", "ping", "boards/list", "initialize"} {
			_, got := ask(method, id)
			require.Equal(t, id, got, "%s with the id %s", method, id[:min(len(id), 40)])
		}
	}
	for _, id := range []string{"1.5", "1e400", "1e-3", "true", "{}", "[1]", strings.Repeat("9", 101)} {
		status, got := ask("tools/list", id)
		require.Equal(t, http.StatusBadRequest, status, id)
		require.Equal(t, "null", got)
	}
	status, got := ask("tools/list", "null")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "null", got)
}

func TestRevisionsThatAreNotSpoken(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	for _, named := range []string{"1.0", "2025-06-17", "2025-06-18, 2025-11-25", "draft", "2026-07-28x", "-", strings.Repeat("9", 5000)} {
		w := d.post(token, `{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/list"}`, "MCP-Protocol-Version", named)
		require.Equal(t, http.StatusBadRequest, w.Code, named)
		require.Contains(t, w.Body.String(), `"id":12345678901234567890`)
		m := messageOf(t, w)
		require.Equal(t, -32022, m.Error.Code, named)
		require.JSONEq(t, `{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"`+named+`"}`, string(m.Error.Data))
	}
	for _, named := range []string{"2025-11-25", "2025-06-18", "2025-03-26", ""} {
		require.Equal(t, http.StatusOK, d.post(token, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "MCP-Protocol-Version", named).Code, named)
	}
	for _, named := range []string{"2099-01-01", "9999999999", "2026-07-29"} {
		w := d.post(token, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "MCP-Protocol-Version", named)
		require.Equal(t, http.StatusBadRequest, w.Code, named)
		require.Negative(t, messageOf(t, w).Error.Code, named)
	}
}

// TestParamsOfAnotherForm holds the library's own words back, which say how it is built.
func TestParamsOfAnotherForm(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":[]}}`,
	} {
		w := d.post(token, body)
		require.NotContains(t, w.Body.String(), "json:")
		require.NotContains(t, w.Body.String(), "Go struct")
		require.Equal(t, -32602, messageOf(t, w).Error.Code, body)
	}
	const like = `{"jsonrpc":"2.0","id":"\"message\":\"unparsable ","method":"tools/list"}`
	require.Contains(t, d.post(token, like).Body.String(), `"tools":[`)
}
