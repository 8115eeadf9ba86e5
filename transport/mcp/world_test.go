package mcp_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

const base = "https://boards.example"

// door is a handler on a store of its own.
type door struct {
	http.Handler
	bare  http.Handler // without what a server puts before it
	store *storage.Store
	log   *strings.Builder
}

func newDoor(tb testing.TB) *door {
	tb.Helper()
	return doorWith(tb, mcp.Options{BaseURL: base, Version: "1.2.3"})
}

func doorWith(tb testing.TB, o mcp.Options) *door {
	tb.Helper()
	d := &door{store: storagetest.New(tb), log: &strings.Builder{}}
	o.Log = slog.New(slog.NewTextHandler(d.log, nil))
	d.Handler = d.handler(tb, o)
	return d
}

func (d *door) handler(tb testing.TB, o mcp.Options) http.Handler {
	tb.Helper()
	plans := account.DefaultPlans()
	without := plans[account.PlanUltra]
	without.MCP = false
	plans[account.PlanUltra] = without // so that there is one
	h, err := mcp.New(mcp.Services{
		Tokens:  account.NewGrants(d.store, account.GrantOptions{Resource: base + "/mcp"}),
		Gate:    account.NewGate(d.store, account.Options{Plans: plans}),
		Tracker: track.New(d.store, recognize, track.Options{}),
		Feed:    track.NewFeed(d.store, nil),
	}, o)
	require.NoError(tb, err)
	d.bare = h
	return transport.Observe(transport.Compress(h), transport.Options{})
}

// recognize takes any address that begins like one.
func recognize(input string) (boardwatch.Recognized, error) {
	switch {
	case input == "https://panic.example/":
		panic("the secret of the house")
	case !strings.HasPrefix(input, "https://"):
		return boardwatch.Recognized{}, errors.New("must begin with https://")
	}
	return boardwatch.Recognized{Address: input, URL: input}, nil
}

// account adds an account on the free plan, which includes MCP.
func (d *door) account(tb testing.TB, change ...func(*account.Account)) account.Account {
	tb.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: boardwatch.NewID() + "@northwind.example", Plan: account.PlanFree, Verified: true}
	for _, f := range change {
		f(&a)
	}
	require.NoError(tb, d.store.CreateAccount(tb.Context(), a))
	return a
}

// token is an access token of the account.
func (d *door) token(tb testing.TB, a account.Account, scopes ...account.Scope) string {
	tb.Helper()
	return d.tokenFor(tb, a, base+"/mcp", time.Hour, scopes...)
}

func (d *door) tokenFor(tb testing.TB, a account.Account, resource string, life time.Duration, scopes ...account.Scope) string {
	tb.Helper()
	now := boardwatch.Milli(time.Now())
	g := account.Grant{
		ID: boardwatch.NewID(), AccountID: a.ID, ClientID: "client", ClientName: "Client", Host: "localhost", Resource: resource, Scopes: scopes,
		CreatedAt: now, ExpiresAt: now.Add(24 * time.Hour),
	}
	code, text := account.NewTokenOf(account.TokenCode), account.NewTokenOf(account.TokenAccess)
	require.NoError(tb, d.store.CreateGrant(tb.Context(), g, account.Token{
		Hash: account.HashSecret(code), Kind: account.TokenCode, GrantID: g.ID, Scopes: scopes, CreatedAt: now, ExpiresAt: now.Add(time.Minute),
	}))
	require.NoError(tb, d.store.Exchange(tb.Context(), account.TokenCode, account.HashSecret(code), now,
		func(account.Token, account.Grant) account.Exchange {
			return account.Exchange{Spend: true, Issue: []account.Token{{
				Hash: account.HashSecret(text), Kind: account.TokenAccess, GrantID: g.ID, Scopes: scopes, CreatedAt: now, ExpiresAt: now.Add(life),
			}}}
		}))
	return text
}

// caller is a token of a new account that may do everything.
func (d *door) caller(tb testing.TB) string {
	tb.Helper()
	return d.token(tb, d.account(tb), account.ScopeBoardsRead, account.ScopeBoardsWrite)
}

// check has every board that is due read, with these roles.
func (d *door) check(tb testing.TB, titles ...string) {
	tb.Helper()
	roles := make([][2]string, len(titles))
	for i, title := range titles {
		roles[i] = [2]string{title, title}
	}
	d.show(tb, roles...)
}

// show has every board that is due read, with roles of these keys and titles.
func (d *door) show(tb testing.TB, roles ...[2]string) {
	tb.Helper()
	r := boardwatch.Reading{Company: "Northwind Labs", Domain: "northwind.example", Claimed: -1, Health: boardwatch.HealthOK}
	for _, role := range roles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: role[0], Title: role[1], Location: "Zürich"})
	}
	claims, err := d.store.ClaimDue(tb.Context(), 100, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(tb, err)
	require.NotEmpty(tb, claims)
	for _, c := range claims {
		require.NoError(tb, d.store.SaveCheck(tb.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			rules := boardwatch.Rules{}
			rules.CloseAfter = 2
			result := boardwatch.Decide(in, r.Normalize(), false, rules, boardwatch.NewID)
			result.Board.NextCheckAt = in.Now // due again
			return result
		}))
	}
}

// request is a POST of a message. Headers come as name, value.
func request(token, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, base+"/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func (d *door) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

func (d *door) post(token, body string, headers ...string) *httptest.ResponseRecorder {
	return d.do(request(token, body, headers...))
}

// modern is a message of the newest revision, with its headers.
func modern(token, method, name, params string) *http.Request {
	if params != "" {
		params = "," + params
	}
	r := request(token, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`+params+`}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method)
	if name != "" {
		r.Header.Set("Mcp-Name", name)
	}
	return r
}

// message is an answer of JSON-RPC.
type message struct {
	ID     any             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

func messageOf(tb testing.TB, w *httptest.ResponseRecorder) message {
	tb.Helper()
	raw, err := io.ReadAll(w.Body)
	require.NoError(tb, err)
	require.Equal(tb, "application/json", w.Header().Get("Content-Type"), string(raw))
	var m message
	require.NoError(tb, json.Unmarshal(raw, &m), string(raw))
	return m
}

// result is what a tool answers.
type result struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

func resultOf(tb testing.TB, w *httptest.ResponseRecorder) result {
	tb.Helper()
	require.Equal(tb, http.StatusOK, w.Code, w.Body.String())
	m := messageOf(tb, w)
	require.Nil(tb, m.Error)
	var r result
	require.NoError(tb, json.Unmarshal(m.Result, &r))
	require.Len(tb, r.Content, 1)
	require.Equal(tb, "text", r.Content[0].Type)
	return r
}

// callText is the message that calls a tool in the older revisions.
func callText(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// call calls a tool and expects it to do its work.
func (d *door) call(tb testing.TB, token, tool, arguments string, into any) {
	tb.Helper()
	r := resultOf(tb, d.post(token, callText(tool, arguments)))
	require.False(tb, r.IsError, r.Content[0].Text)
	require.JSONEq(tb, string(r.Structured), r.Content[0].Text)
	require.NoError(tb, json.Unmarshal(r.Structured, into))
}

// failure is the published Error object.
type failure struct {
	Error struct {
		Code       boardwatch.Code `json:"code"`
		Message    string          `json:"message"`
		Details    json.RawMessage `json:"details"`
		RetryAfter int             `json:"retryAfter"`
	} `json:"error"`
}

// refusal calls a tool and expects a failure that a model can read.
func (d *door) refusal(tb testing.TB, token, tool, arguments string) failure {
	tb.Helper()
	r := resultOf(tb, d.post(token, callText(tool, arguments)))
	require.True(tb, r.IsError)
	require.Empty(tb, r.Structured)
	return failureOf(tb, r.Content[0].Text)
}

func failureOf(tb testing.TB, raw string) failure {
	tb.Helper()
	var f failure
	d := json.NewDecoder(strings.NewReader(raw))
	d.DisallowUnknownFields()
	require.NoError(tb, d.Decode(&f), raw)
	require.NotEmpty(tb, f.Error.Code)
	require.NotEmpty(tb, f.Error.Message)
	return f
}

// fields are the fields that a failure names.
func (f failure) fields(tb testing.TB) []string {
	tb.Helper()
	var details []boardwatch.FieldError
	require.NoError(tb, json.Unmarshal(f.Error.Details, &details))
	names := make([]string, len(details))
	for i, d := range details {
		require.NotEmpty(tb, d.Message)
		names[i] = d.Field
	}
	return names
}
