//go:build chaos

package chaos_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// agent is a program that reads over MCP, with a token from the real authorization flow.
type agent struct {
	base            string // the address under which the service is known
	urls            func() []string
	email, password string
	http            *http.Client
	pick            func(n int) int

	clientID        string
	access, refresh string

	since  string
	found  map[string]bool // ids
	closed map[string]bool

	calls, refused, refreshes, consents, backwards int
	err                                            error
}

func newAgent(base, email, password string, pick func(int) int, urls func() []string) *agent {
	return &agent{
		base: base, urls: urls, email: email, password: password, pick: pick, http: &http.Client{Timeout: 20 * time.Second},
		found: make(map[string]bool), closed: make(map[string]bool),
	}
}

const (
	redirect = "http://127.0.0.1:1/callback"
	form     = "application/x-www-form-urlencoded"
)

// connect goes through the whole flow: registration, the person's sign-in and consent, and exchanging the code for
// tokens.
func (a *agent) connect(ctx context.Context) error {
	var registered struct {
		ClientID string `json:"client_id"` //nolint:tagliatelle // the protocol's own word
	}
	if _, err := a.post(ctx, a.base+"/oauth/register", "application/json", `{"client_name":"Reader","redirect_uris":["`+redirect+`"],`+
		`"grant_types":["authorization_code","refresh_token"],"token_endpoint_auth_method":"none"}`, "", &registered); err != nil {
		return err
	}
	a.clientID = registered.ClientID
	verifier := make([]byte, 32)
	_, _ = rand.Read(verifier)
	text := base64.RawURLEncoding.EncodeToString(verifier)
	hash := sha256.Sum256([]byte(text))
	code, err := a.consent(ctx, a.base+"/oauth/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {a.clientID}, "redirect_uri": {redirect}, "state": {"s"}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(hash[:])}, "scope": {"boards:read boards:write offline_access"}, "resource": {a.base + "/mcp"},
	}.Encode())
	if err != nil {
		return err
	}
	a.consents++
	return a.token(ctx, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {a.clientID}, "code": {code}, "redirect_uri": {redirect}, "code_verifier": {text},
		"resource": {a.base + "/mcp"},
	})
}

var question = regexp.MustCompile(`name="request" value="([^"]+)"`)

// consent does what the person would do in a browser.
func (a *agent) consent(ctx context.Context, address string) (code string, err error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	person := &http.Client{Jar: jar, Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	submit := func(path string, fields url.Values) (*http.Response, string, error) {
		method := http.MethodPost
		if fields == nil {
			method = http.MethodGet
		}
		req, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(fields.Encode()))
		if err != nil {
			return nil, "", err
		}
		req.Header.Set("Content-Type", form)
		res, err := person.Do(req)
		if err != nil {
			return nil, "", errAgain
		}
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode >= 500 {
			return nil, "", errAgain
		}
		return res, string(text), nil
	}
	if res, _, err := submit(a.base+"/signin", url.Values{"email": {a.email}, "password": {a.password}}); err != nil {
		return "", err
	} else if res.StatusCode != http.StatusSeeOther {
		return "", fmt.Errorf("sign-in answered with %d", res.StatusCode)
	}
	_, page, err := submit(address, nil)
	if err != nil {
		return "", err
	}
	found := question.FindStringSubmatch(page)
	if found == nil {
		return "", fmt.Errorf("the consent page has no question: %s", tail(page, 300))
	}
	res, page, err := submit(a.base+"/oauth/consent", url.Values{"request": {found[1]}, "scope": {"boards:read", "boards:write", "offline_access"}})
	if err != nil {
		return "", err
	}
	back, err := res.Location()
	if err != nil {
		return "", fmt.Errorf("the consent does not redirect: %d %s", res.StatusCode, tail(page, 300))
	}
	return back.Query().Get("code"), nil
}

func (a *agent) token(ctx context.Context, fields url.Values) error {
	var answer struct {
		Access  string `json:"access_token"`  //nolint:tagliatelle // the protocol's own word
		Refresh string `json:"refresh_token"` //nolint:tagliatelle // the protocol's own word
	}
	if _, err := a.post(ctx, a.base+"/oauth/token", form, fields.Encode(), "", &answer); err != nil {
		return err
	}
	a.access = answer.Access
	if answer.Refresh != "" {
		a.refresh = answer.Refresh
	}
	return nil
}

func (a *agent) post(ctx context.Context, address, kind, body, token string, into any) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := a.http.Do(req)
	if err != nil {
		return 0, errAgain
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	switch {
	case err != nil, res.StatusCode >= 500, res.StatusCode == http.StatusTooManyRequests:
		return res.StatusCode, errAgain
	case res.StatusCode >= 400:
		return res.StatusCode, fmt.Errorf("POST %s: %d %s", address, res.StatusCode, tail(string(text), 300))
	}
	if err := json.Unmarshal(text, into); err != nil {
		return res.StatusCode, fmt.Errorf("POST %s: %w in %s", address, err, tail(string(text), 300))
	}
	return res.StatusCode, nil
}

// run reads until the context ends.
func (a *agent) run(ctx context.Context) {
	for ctx.Err() == nil && a.err == nil {
		if err := a.read(ctx); err != nil && ctx.Err() == nil {
			a.refused++
			if !errors.Is(err, errAgain) {
				a.err = err
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(1500 * time.Millisecond):
		}
	}
}

// updates is an answer of list_updates.
type updates struct {
	Jobs     []toldJob `json:"jobs"`
	Closed   []toldJob `json:"closed"`
	PolledAt string    `json:"polledAt"`
	NextSkip *int      `json:"nextSkip"`
}

// read asks what has changed since the last time, page by page.
func (a *agent) read(ctx context.Context) error {
	next, skip := "", 0
	for {
		var u updates
		arguments := systems.Object{"limit": 100, "skip": skip}
		if a.since != "" {
			arguments["since"] = a.since
		}
		if err := a.tool(ctx, "list_updates", arguments, &u); err != nil {
			return err
		}
		if next == "" {
			next = u.PolledAt
		}
		for _, j := range u.Jobs {
			a.found[j.ID] = true
		}
		for _, j := range u.Closed {
			a.closed[j.ID] = true
		}
		if u.NextSkip == nil {
			break
		}
		skip = *u.NextSkip
	}
	if next < a.since {
		a.backwards++
	}
	a.since = next
	return nil
}

// tool calls a tool, with a new token if the old one is no longer valid.
func (a *agent) tool(ctx context.Context, name string, arguments systems.Object, into any) error {
	if a.access == "" {
		if err := a.connect(ctx); err != nil {
			return err
		}
	}
	a.calls++
	_, call := systems.JSON(systems.Object{"jsonrpc": "2.0", "id": a.calls, "method": "tools/call", "params": systems.Object{"name": name, "arguments": arguments}})
	var answer struct {
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
		Result struct {
			IsError    bool            `json:"isError"`
			Structured json.RawMessage `json:"structuredContent"`
			Content    json.RawMessage `json:"content"`
		} `json:"result"`
	}
	urls := a.urls()
	code, err := a.post(ctx, urls[a.pick(len(urls))]+"/mcp", "application/json", call, a.access, &answer)
	switch {
	case code == http.StatusUnauthorized:
		return a.renew(ctx)
	case err != nil:
		return err
	case answer.Error != nil:
		return fmt.Errorf("%s: %s", name, answer.Error.Message)
	case answer.Result.IsError && strings.Contains(string(answer.Result.Content), "rate_limited"),
		answer.Result.IsError && strings.Contains(string(answer.Result.Content), "internal_error"):
		return errAgain
	case answer.Result.IsError:
		return fmt.Errorf("%s: %s", name, tail(string(answer.Result.Content), 300))
	}
	return json.Unmarshal(answer.Result.Structured, into)
}

// renew requests another token. If the answer to an earlier request was lost, the person is asked again.
func (a *agent) renew(ctx context.Context) error {
	err := a.token(ctx, url.Values{"grant_type": {"refresh_token"}, "client_id": {a.clientID}, "refresh_token": {a.refresh}})
	switch {
	case err == nil:
		a.refreshes++
		return errAgain
	case errors.Is(err, errAgain):
		return err
	default:
		a.access = ""
		return errAgain
	}
}
