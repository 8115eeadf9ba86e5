package mcp_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

// published is a tool as clients see it.
type published struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
	Annotations               map[string]any
}

func toolsOf(tb testing.TB, d *door, token string) []published {
	tb.Helper()
	w := d.post(token, listTools)
	require.Equal(tb, http.StatusOK, w.Code, w.Body.String())
	var list struct{ Tools []published }
	require.NoError(tb, json.Unmarshal(messageOf(tb, w).Result, &list))
	return list.Tools
}

func TestChallenges(t *testing.T) {
	t.Parallel()
	const metadata = `resource_metadata="https://boards.example/.well-known/oauth-protected-resource/mcp", scope="boards:read boards:write"`
	d := newDoor(t)
	a := d.account(t)
	key, secret, err := account.NewKeys(d.store, account.Options{}).Create(t.Context(),
		d.account(t, func(a *account.Account) { a.Plan = account.PlanPro }), "key")
	require.NoError(t, err)
	require.NotEmpty(t, key.ID)
	good := d.token(t, a, account.ScopeBoardsRead)

	for name, header := range map[string]string{
		"no token": "", "another scheme": "Basic " + good, "a bare token": good, "no token after the scheme": "Bearer ",
	} {
		t.Run(name+" is challenged without an error", func(t *testing.T) {
			t.Parallel()
			r := request("", listTools)
			if header != "" {
				r.Header.Set("Authorization", header)
			}
			w := d.do(r)
			require.Equal(t, http.StatusUnauthorized, w.Code)
			require.Equal(t, "Bearer "+metadata, w.Header().Get("WWW-Authenticate"))
			require.Equal(t, boardwatch.CodeUnauthorized, failureOf(t, w.Body.String()).Error.Code)
		})
	}

	for name, token := range map[string]string{
		"an unknown token":         account.NewTokenOf(account.TokenAccess),
		"a text that is no token":  "x",
		"an API key":               secret,
		"an expired token":         d.tokenFor(t, a, base+"/mcp", -time.Second, account.ScopeBoardsRead),
		"a token for another door": d.tokenFor(t, a, "https://elsewhere.example/mcp", time.Hour, account.ScopeBoardsRead),
	} {
		t.Run(name+" is invalid", func(t *testing.T) {
			t.Parallel()
			w := d.post(token, listTools)
			require.Equal(t, http.StatusUnauthorized, w.Code)
			require.Regexp(t, "^Bearer "+metadata+`, error="invalid_token", error_description="[^"]+"$`, w.Header().Get("WWW-Authenticate"))
			require.NotContains(t, w.Body.String(), token+`"`)
		})
	}

	t.Run("a slash at the end of the path changes nothing", func(t *testing.T) {
		t.Parallel()
		for _, token := range []string{"", good} {
			for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodOptions} {
				r := request(token, listTools)
				r.Method = method
				same := request(token, listTools)
				same.Method, same.URL.Path = method, "/mcp/"
				want, got := d.do(r), d.do(same)
				require.Equal(t, want.Code, got.Code, method)
				require.Equal(t, want.Body.String(), got.Body.String(), method)
				require.Equal(t, want.Header().Get("WWW-Authenticate"), got.Header().Get("WWW-Authenticate"), method)
				require.Equal(t, want.Header().Get("Allow"), got.Header().Get("Allow"), method)
			}
		}
		r := request(good, listTools)
		r.URL.Path = "/mcp/other"
		require.Equal(t, http.StatusNotFound, d.do(r).Code)
	})

	t.Run("the scheme is read in any case", func(t *testing.T) {
		t.Parallel()
		r := request("", listTools)
		r.Header.Set("Authorization", "bEARER "+good)
		require.Equal(t, http.StatusOK, d.do(r).Code)
	})

	t.Run("a token in the query is none", func(t *testing.T) {
		t.Parallel()
		r := request("", listTools)
		r.URL.RawQuery = "access_token=" + good
		require.Equal(t, http.StatusUnauthorized, d.do(r).Code)
	})

	t.Run("a missing scope is asked for together with those that are there", func(t *testing.T) {
		t.Parallel()
		for _, scopes := range [][]account.Scope{
			{account.ScopeBoardsRead}, {account.ScopeBoardsRead, account.ScopeOfflineAccess},
		} {
			token := d.token(t, a, scopes...)
			for _, r := range []*http.Request{
				request(token, callText("add_board", `{"url":"https://acme.example/"}`)),
				modern(token, "tools/call", "remove_board", `"name":"remove_board","arguments":{"boardId":"000000000000000000000000"}`),
			} {
				w := d.do(r)
				require.Equal(t, http.StatusForbidden, w.Code)
				require.Regexp(t, `^Bearer resource_metadata="[^"]+", scope="boards:read boards:write", error="insufficient_scope", error_description="[^"]+"$`,
					w.Header().Get("WWW-Authenticate"))
				require.Equal(t, boardwatch.CodeUnauthorized, failureOf(t, w.Body.String()).Error.Code)
			}
		}
		w := d.post(d.token(t, a, account.ScopeBoardsWrite), callText("search_jobs", `{}`))
		require.Equal(t, http.StatusForbidden, w.Code, "writing does not include reading")
	})

	t.Run("each tool asks for one scope", func(t *testing.T) {
		t.Parallel()
		both := []account.Scope{account.ScopeBoardsRead, account.ScopeBoardsWrite}
		for tool, scope := range map[string]account.Scope{
			"list_boards": both[0], "search_jobs": both[0], "list_updates": both[0], "add_board": both[1], "remove_board": both[1],
		} {
			for _, has := range both {
				w := d.post(d.token(t, a, has), callText(tool, `{}`))
				require.Equal(t, has != scope, w.Code == http.StatusForbidden, "%s with %s: %d", tool, has, w.Code)
			}
		}
	})

	t.Run("a gate that no token opens is not a challenge", func(t *testing.T) {
		t.Parallel()
		unverified := d.account(t, func(a *account.Account) { a.Verified = false })
		w := d.post(d.token(t, unverified, account.ScopeBoardsRead), listTools)
		require.Equal(t, http.StatusForbidden, w.Code)
		require.Empty(t, w.Header().Values("WWW-Authenticate"))
		require.Equal(t, boardwatch.CodeEmailNotVerified, failureOf(t, w.Body.String()).Error.Code)
		without := d.account(t, func(a *account.Account) { a.Plan = account.PlanUltra })
		w = d.post(d.token(t, without, account.ScopeBoardsRead), listTools)
		require.Equal(t, http.StatusForbidden, w.Code)
		require.Empty(t, w.Header().Values("WWW-Authenticate"))
		require.Equal(t, boardwatch.CodePlanRequired, failureOf(t, w.Body.String()).Error.Code)
	})

	t.Run("a revoked grant ends at once", func(t *testing.T) {
		t.Parallel()
		b := d.account(t)
		token := d.token(t, b, account.ScopeBoardsRead)
		require.Equal(t, http.StatusOK, d.post(token, listTools).Code)
		grants, err := d.store.Grants(t.Context(), b.ID, time.Now())
		require.NoError(t, err)
		require.Len(t, grants, 1)
		require.NoError(t, d.store.RevokeGrant(t.Context(), b.ID, grants[0].ID, time.Now()))
		require.Equal(t, http.StatusUnauthorized, d.post(token, listTools).Code)
	})
}

func TestMessages(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)

	for name, body := range map[string]string{
		"nothing": "", "no JSON": "{", "a text": `"x"`, "null": "null", "no method": `{"jsonrpc":"2.0","id":1}`,
		"another version": `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`, "no version": `{"id":1,"method":"tools/list"}`,
		"an object for an id": `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, "a list of params": `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`,
		"a number for a method": `{"jsonrpc":"2.0","id":1,"method":1}`,
	} {
		t.Run(name+" is no message", func(t *testing.T) {
			t.Parallel()
			w := d.post(token, body)
			require.Equal(t, http.StatusBadRequest, w.Code)
			require.Contains(t, []int{-32700, -32600}, messageOf(t, w).Error.Code)
		})
	}

	t.Run("another content type is refused", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, http.StatusUnsupportedMediaType, d.post(token, listTools, "Content-Type", "text/plain").Code)
		require.Equal(t, http.StatusOK, d.post(token, listTools, "Content-Type", "application/json; charset=utf-8").Code)
	})

	t.Run("an unknown tool and an unknown method are faults of the protocol", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, -32602, messageOf(t, d.post(token, callText("drop_tables", `{}`))).Error.Code)
		w := d.post(token, `{"jsonrpc":"2.0","id":1,"method":"boards/list"}`)
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, -32601, messageOf(t, w).Error.Code)
		w = d.do(modern(token, "boards/list", "", ""))
		require.Equal(t, http.StatusNotFound, w.Code)
		require.Equal(t, -32601, messageOf(t, w).Error.Code)
	})

	t.Run("the newest revision wants its headers to agree with the body", func(t *testing.T) {
		t.Parallel()
		for name, change := range map[string]func(h http.Header){
			"another method": func(h http.Header) { h.Set("Mcp-Method", "tools/call") },
			"no method":      func(h http.Header) { h.Del("Mcp-Method") },
			"no version":     func(h http.Header) { h.Del("MCP-Protocol-Version") },
			"an older one":   func(h http.Header) { h.Set("MCP-Protocol-Version", "2025-11-25") },
		} {
			r := modern(token, "tools/list", "", "")
			change(r.Header)
			w := d.do(r)
			require.Equal(t, http.StatusBadRequest, w.Code, name)
			require.Equal(t, -32020, messageOf(t, w).Error.Code, name)
		}
		r := modern(token, "tools/call", "list_boards", `"name":"add_board"`)
		require.Equal(t, http.StatusBadRequest, d.do(r).Code)
		r = modern(token, "tools/call", "=?base64?bGlzdF9ib2FyZHM=?=", `"name":"list_boards"`)
		require.Equal(t, http.StatusOK, d.do(r).Code, "a name in base64 is decoded first")
	})

	t.Run("the newest revision wants the client's capabilities, and not its name", func(t *testing.T) {
		t.Parallel()
		w := d.post(token, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.Equal(t, -32602, messageOf(t, w).Error.Code)
		require.Equal(t, http.StatusOK, d.do(modern(token, "tools/list", "", "")).Code)
	})

	t.Run("an unknown revision is told which are known", func(t *testing.T) {
		t.Parallel()
		r := modern(token, "tools/list", "", "")
		const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`
		r = request(token, body, "MCP-Protocol-Version", "2099-01-01", "Mcp-Method", r.Header.Get("Mcp-Method"))
		w := d.do(r)
		require.Equal(t, http.StatusBadRequest, w.Code)
		m := messageOf(t, w)
		require.Equal(t, -32022, m.Error.Code)
		require.Contains(t, string(m.Error.Data), "2025-06-18")
		require.Equal(t, http.StatusBadRequest, d.post(token, listTools, "MCP-Protocol-Version", "2020-01-01").Code)
	})

	t.Run("the server tells who it is and promises nothing else", func(t *testing.T) {
		t.Parallel()
		w := d.do(modern(token, "server/discover", "", ""))
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		var found struct {
			SupportedVersions []string
			Capabilities      map[string]json.RawMessage
			Instructions      string
			TTL               int `json:"ttlMs"`
			CacheScope        string
		}
		require.NoError(t, json.Unmarshal(messageOf(t, w).Result, &found))
		require.Equal(t, []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}, found.SupportedVersions)
		require.Len(t, found.Capabilities, 1)
		require.JSONEq(t, `{}`, string(found.Capabilities["tools"]))
		require.Contains(t, found.Instructions, "polledAt")
		require.Equal(t, 300_000, found.TTL)
		require.Equal(t, "private", found.CacheScope)
	})

	t.Run("an older client is greeted, without a session", func(t *testing.T) {
		t.Parallel()
		for _, version := range []string{"2025-11-25", "2025-06-18", "2025-03-26"} {
			w := d.post(token, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+version+
				`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
			require.Equal(t, http.StatusOK, w.Code)
			require.Empty(t, w.Header().Get("Mcp-Session-Id"))
			var hello struct {
				ProtocolVersion string
				ServerInfo      map[string]any
				Capabilities    map[string]any
			}
			require.NoError(t, json.Unmarshal(messageOf(t, w).Result, &hello))
			require.Equal(t, version, hello.ProtocolVersion)
			require.Equal(t, mcp.Name, hello.ServerInfo["name"])
			require.Equal(t, "1.2.3", hello.ServerInfo["version"])
			require.Len(t, hello.Capabilities, 1)
			require.Equal(t, http.StatusAccepted, d.post(token, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				"MCP-Protocol-Version", version, "Mcp-Session-Id", "made-up").Code)
		}
	})

	t.Run("nothing is kept in caches", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "no-store", d.post(token, listTools).Header().Get("Cache-Control"))
		require.Equal(t, "no-store", d.post("", listTools).Header().Get("Cache-Control"))
	})
}

func TestSite(t *testing.T) {
	t.Parallel()

	t.Run("a server on loopback is reached under the names of its machine only", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		h := d.handler(t, mcp.Options{BaseURL: "http://127.0.0.1:8080", Loopback: true})
		token := d.caller(t)
		for host, status := range map[string]int{
			"127.0.0.1:8080": 200, "localhost:1": 200, "[::1]:8080": 200, "evil.example": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403,
		} {
			r := request(token, listTools)
			r.Host = host
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			require.Equal(t, status, w.Code, host)
		}
	})

	t.Run("an operator can let further pages in", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		h := d.handler(t, mcp.Options{BaseURL: base, Origins: []string{"https://inspector.example/"}})
		token := d.caller(t)
		for origin, status := range map[string]int{
			"https://inspector.example": 200, "https://boards.example": 200, "https://BOARDS.example:443": 200, "https://chatgpt.com": 200,
			"http://[::1]:6274": 200, "http://inspector.example": 403, "https://sub.inspector.example": 403, "https://localhost.evil.example": 403,
		} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, request(token, listTools, "Origin", origin))
			require.Equal(t, status, w.Code, origin)
		}
		_, err := mcp.New(mcp.Services{}, mcp.Options{BaseURL: base, Origins: []string{"inspector"}})
		require.ErrorContains(t, err, "inspector")
	})
}

func TestBudget(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	a := d.account(t)
	token := d.token(t, a, account.ScopeBoardsRead)
	for range account.MCPRate().Limit {
		_, err := d.store.Spend(t.Context(), a.ID, "", account.MCPRate())
		require.NoError(t, err)
	}
	f := d.refusal(t, token, "list_boards", `{"wrong":true}`)
	require.Equal(t, boardwatch.CodeRateLimited, f.Error.Code)
	require.Positive(t, f.Error.RetryAfter)
	require.Equal(t, http.StatusOK, d.post(token, listTools).Code, "only calls of tools are counted")
	var list struct{ Total int }
	d.call(t, d.caller(t), "list_boards", `{}`, &list)
}
