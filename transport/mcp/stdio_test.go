package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

// stdio is an agent's program on the same machine, on the store of a door.
func (d *door) stdio(owner account.Account, o mcp.StdioOptions) *mcp.Stdio {
	return mcp.NewStdio(mcp.Services{
		Gate: account.NewGate(d.store, account.Options{}), Tracker: track.New(d.store, recognize, track.Options{}), Feed: track.NewFeed(d.store, nil),
	}, func(ctx context.Context) (account.Account, error) { return d.store.Account(ctx, owner.ID) }, o)
}

// say sends lines to an agent's program and returns what it answers, by the text of the id.
func say(t *testing.T, s *mcp.Stdio, lines ...string) map[string]string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, s.Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out))
	answers := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &m), line)
		require.Equal(t, "2.0", m.JSONRPC)
		require.NotContains(t, answers, string(m.ID), "answered twice")
		answers[string(m.ID)] = strings.TrimSpace(line)
	}
	return answers
}

// passing is what differs from call to call.
var passing = regexp.MustCompile(`("|\\")(polledAt|since)("|\\"):("|\\")[^"\\]*("|\\")`)

func TestStdioAnswersAsOverHTTP(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	a := d.account(t)
	token := d.token(t, a, account.ScopeBoardsRead, account.ScopeBoardsWrite)
	var added struct{ Board struct{ ID string } }
	d.call(t, token, "add_board", `{"url":"https://acme.example/careers"}`, &added)
	d.check(t, "Engineer", `Writer "of" <words>`)
	s := d.stdio(a, mcp.StdioOptions{BaseURL: base, Version: "1.2.3"})
	messages := map[string]string{ // by id
		"1": `"method":"tools/list"`,
		"2": `"method":"tools/call","params":{"name":"list_boards"}`,
		"3": `"method":"tools/call","params":{"name":"search_jobs","arguments":{"search":"writer"}}`,
		"4": `"method":"tools/call","params":{"name":"list_updates","arguments":{}}`,
		"5": `"method":"tools/call","params":{"name":"search_jobs","arguments":{"limit":0,"boardId":"x"}}`,
		"6": `"method":"tools/call","params":{"name":"add_board","arguments":{"url":"https://acme.example/careers"}}`,
		"7": `"method":"tools/call","params":{"name":"remove_board","arguments":{"boardId":"` + boardwatch.NewID() + `"}}`,
		"8": `"method":"tools/call","params":{"name":"unknown"}`,
		"9": `"method":"nope"`,
		"0": `"method":"tools/call","params":{"name":5}`,

		"9007199254740993": `"method":"ping"`,
		"null":             `"method":"ping"`,
		`"a b"`:            `"method":"ping"`,
	}
	var lines []string
	for id, m := range messages {
		lines = append(lines, `{"jsonrpc":"2.0","id":`+id+`,`+m+`}`)
	}
	answers := say(t, s, lines...)
	require.Len(t, answers, len(messages))
	for id, m := range messages {
		over := strings.TrimSpace(d.post(token, `{"jsonrpc":"2.0","id":`+id+`,`+m+`}`).Body.String())
		require.JSONEq(t, passing.ReplaceAllString(over, `$1$2$3:0`), passing.ReplaceAllString(answers[id], `$1$2$3:0`), m)
	}
}

func TestStdio(t *testing.T) {
	t.Parallel()

	t.Run("adds and removes boards", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		s := d.stdio(d.account(t), mcp.StdioOptions{})
		added := say(t, s, callText("add_board", `{"url":"https://acme.example/careers"}`))["7"]
		require.Contains(t, added, `"locked":false`)
		id := regexp.MustCompile(`"id":"([0-9a-f]{24})"`).FindStringSubmatch(added)
		require.NotNil(t, id, added)
		require.Contains(t, say(t, s, callText("remove_board", `{"boardId":"`+id[1]+`"}`))["7"], `"removed":true`)
	})

	t.Run("has only the tools that read when it may only read", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		a := d.account(t)
		s := d.stdio(a, mcp.StdioOptions{ReadOnly: true})
		answers := say(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, callText("add_board", `{"url":"https://acme.example/careers"}`))
		require.Contains(t, answers["1"], `"list_updates"`)
		require.NotContains(t, answers["1"], `"add_board"`)
		require.NotContains(t, answers["1"], `"remove_board"`)
		require.Contains(t, answers["7"], `"code":-32602`)
		tracked, _, err := d.store.Places(t.Context(), a.ID)
		require.NoError(t, err)
		require.Zero(t, tracked)
	})

	t.Run("goes on after lines that are no messages", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		long := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", mcp.MaxBody) + `"}}`
		for name, tt := range map[string]struct{ line, want string }{
			"no JSON":        {"hello", `"code":-32700`},
			"a batch":        {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"code":-32600`},
			"no version":     {`{"id":1,"method":"ping"}`, `"code":-32600`},
			"a long line":    {long, `at most 1 MiB`},
			"another's id":   {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"code":-32600`},
			"wrong UTF-8":    {"\xff", `"code":-32700`},
			"half an object": {`{"jsonrpc":"2.0",`, `"code":-32700`},
		} {
			s := d.stdio(d.account(t), mcp.StdioOptions{})
			answers := say(t, s, "", tt.line, "\r", `{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\r")
			require.Len(t, answers, 2, name)
			require.Contains(t, answers["null"], tt.want, name)
			require.Contains(t, answers["2"], `"result":{}`, name)
		}
	})

	t.Run("says nothing to what needs no answer", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		require.Empty(t, say(t, d.stdio(d.account(t), mcp.StdioOptions{}),
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			`{"jsonrpc":"2.0","id":1,"result":{}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`,
		))
	})

	t.Run("ends a stream of changes at once, with its beginning first", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		var out strings.Builder
		require.NoError(t, d.stdio(d.account(t), mcp.StdioOptions{}).Serve(t.Context(), strings.NewReader(
			`{"jsonrpc":"2.0","id":4,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
				`"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"toolsListChanged":true}}}`), &out))
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		require.Len(t, lines, 2, out.String())
		require.Contains(t, lines[0], "subscriptions/acknowledged")
		require.Contains(t, lines[1], `"id":4,"result"`)
	})

	t.Run("spends the same budget as over HTTP", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		a := d.account(t)
		var none struct{}
		d.call(t, d.token(t, a, account.ScopeBoardsRead), "list_boards", `{}`, &none)
		limit := account.MCPRate().Limit
		lines := make([]string, limit)
		for i := range lines {
			lines[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_boards"}}`, i)
		}
		refused := 0
		for _, answer := range say(t, d.stdio(a, mcp.StdioOptions{}), lines...) {
			if strings.Contains(answer, "rate_limited") {
				refused++
			}
		}
		require.Equal(t, 1, refused)
	})

	t.Run("works for nobody once the account is gone", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		a, other := d.account(t), d.account(t)
		s := d.stdio(a, mcp.StdioOptions{})
		require.Contains(t, say(t, s, callText("list_boards", `{}`))["7"], `"total":0`)
		require.NoError(t, d.store.DeleteAccount(t.Context(), a.ID))
		for _, tool := range []string{"list_boards", "search_jobs", "list_updates"} {
			require.Contains(t, say(t, s, callText(tool, `{}`))["7"], `not_found`, tool)
		}
		require.Contains(t, say(t, d.stdio(other, mcp.StdioOptions{}), callText("list_boards", `{}`))["7"], `"total":0`)
	})

	t.Run("shows nobody what another account tracks", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		var added struct{ Board struct{ ID string } }
		d.call(t, d.caller(t), "add_board", `{"url":"https://acme.example/careers"}`, &added)
		d.check(t, "Engineer")
		s := d.stdio(d.account(t), mcp.StdioOptions{})
		for _, tool := range []string{"list_boards", "search_jobs", "list_updates"} {
			require.Contains(t, say(t, s, callText(tool, `{}`))["7"], `"total":0`, tool)
		}
		require.Contains(t, say(t, s, callText("remove_board", `{"boardId":"`+added.Board.ID+`"}`))["7"], "not_found")
	})

	t.Run("stops when it is told to, though nothing more comes", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		in, agent := io.Pipe()
		answers, out := io.Pipe()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		s := d.stdio(d.account(t), mcp.StdioOptions{})
		go func() { ended <- s.Serve(ctx, in, out) }()
		_, err := io.WriteString(agent, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
		require.NoError(t, err)
		answer, err := bufio.NewReader(answers).ReadString('\n')
		require.NoError(t, err)
		require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, answer, "it is answered while the input is open")
		stop()
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(time.Minute):
			t.Fatal("it goes on")
		}
		require.NoError(t, agent.Close())
	})

	t.Run("ends when nobody reads its answers", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		read, out := io.Pipe()
		require.NoError(t, read.Close())
		err := d.stdio(d.account(t), mcp.StdioOptions{}).Serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), out)
		require.ErrorIs(t, err, io.ErrClosedPipe)
	})
}
