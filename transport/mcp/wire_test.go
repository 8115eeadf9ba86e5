package mcp_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
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

func TestANullIDComesBackAsItWasSent(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                                              `^\{"jsonrpc":"2\.0","id":null,"result":\{\}\}\n$`,
		`{"jsonrpc":"2.0","id":null,"method":"nope","params":{}}`:                                  `^\{"jsonrpc":"2\.0","id":null,"error":\{"code":-32601,`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"list_boards"}}`:        `^\{"jsonrpc":"2\.0","id":null,"result":\{"content":.*"total":0\}`,
		`{"jsonrpc":"2.0","ID":null,"METHOD":"tools/list","x":[1],"params":{"_meta":{"y":"<&>"}}}`: `^\{"jsonrpc":"2\.0","id":null,"result":\{"tools":`,
	} {
		w := d.post(token, message)
		require.Equal(t, http.StatusOK, w.Code, message)
		require.Regexp(t, want, w.Body.String())
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

func TestAStreamIsNotBufferedByProxiesAndEndsWhenItHasBegun(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	w := d.do(modern(d.caller(t), "subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`))
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.Equal(t, "text/event-stream", w.Header().Get("Content-Type"))
	require.Equal(t, "no", w.Header().Get("X-Accel-Buffering"))
	require.Contains(t, w.Body.String(), "subscriptions/acknowledged")
	require.Contains(t, w.Body.String(), `"result"`)
}

// TestAResultIsTheSameAsTextAndAsStructuredContent asks for roles whose titles hold everything that JSON escapes.
func TestAResultIsTheSameAsTextAndAsStructuredContent(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	d.add(t, token, acme)
	titles := []string{`Head of "Quotes" \\ Backslashes`, `Engineer <&>`, "Tab\there", `Ingenieur für Größe 日本語 🚀`, `{"jsonrpc":"2.0","id":7,"result":{}}`}
	d.check(t, titles...)
	w := d.post(token, strings.Replace(callText("search_jobs", `{}`), `"id":7`, `"id":12345678901234567890`, 1))
	require.Contains(t, w.Body.String(), `"id":12345678901234567890`)
	r := resultOf(t, w)
	require.Len(t, r.Content, 1)
	require.Equal(t, string(r.Structured), r.Content[0].Text)
	var page struct {
		Jobs []struct{ Title string }
	}
	require.NoError(t, json.Unmarshal(r.Structured, &page))
	require.Len(t, page.Jobs, len(titles))
}

func TestAMissingScopeIsAChallengeAndNoResult(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	w := d.post(d.token(t, d.account(t), account.ScopeBoardsRead), callText("add_board", `{"url":"https://acme.example/"}`))
	require.Equal(t, http.StatusForbidden, w.Code)
	require.Contains(t, w.Header().Get("WWW-Authenticate"), "insufficient_scope")
	require.NotContains(t, w.Body.String(), "jsonrpc")
	failureOf(t, w.Body.String())
}
