package mcp_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// FuzzMessage sends any body with a token that may only read: it is answered in a form that a client understands, and no
// board comes of it.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		listTools, "", "[]", "null", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, callText("add_board", acme), callText("search_jobs", `{"limit":1e99}`),
		`{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"add_board","Arguments":{"url":"https://a.example/"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_board","arguments":{"url":"https://a.example/"},"task":{"ttl":1}}}`,
	} {
		f.Add(seed)
	}
	d := newDoor(f)
	a := d.account(f)
	token := d.token(f, a, account.ScopeBoardsRead)
	f.Fuzz(func(t *testing.T, body string) {
		w := d.post(token, body)
		known := []int{http.StatusOK, http.StatusAccepted, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound}
		require.True(t, slices.Contains(known, w.Code), "%d %s", w.Code, w.Body)
		if w.Header().Get("Content-Type") == "application/json" {
			require.True(t, json.Valid(w.Body.Bytes()))
		}
		boards, err := d.store.Tracked(t.Context(), a.ID, "")
		require.NoError(t, err)
		require.Empty(t, boards)
	})
}
