package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
