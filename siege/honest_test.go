//go:build siege

package siege_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// person is an honest person with an account, and the programs that work for them.
type person struct {
	account account.Account
	key     string
	from    string // the network that they come from
	http    *http.Client
	phase   atomic.Pointer[phase]
}

// newPerson returns the person with a number, who has a network of their own.
func newPerson(a account.Account, key string, n int) *person {
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	p := &person{account: a, key: key, from: fmt.Sprintf("198.%d.%d.7", 18+n/250, n%250), http: &http.Client{
		Jar: jar, Timeout: 60 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	p.phase.Store(&phase{})
	return p
}

// ask sends a request and reads the answer.
func (p *person) ask(ctx context.Context, method, address, kind, body string, header http.Header) (*http.Response, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(r.Header, header)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("X-Forwarded-For", p.from)
	res, err := p.http.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res, text, err
}

const (
	jsonBody = "application/json"
	formBody = "application/x-www-form-urlencoded"
)

func (p *person) rest(ctx context.Context, s *service, method, path, body string) (int, error) {
	res, _, err := p.ask(ctx, method, s.url+path, jsonBody, body, http.Header{"Authorization": {"Bearer " + p.key}})
	if err != nil {
		return 0, err
	}
	return res.StatusCode, nil
}

func (p *person) form(ctx context.Context, s *service, path string, fields url.Values) (*http.Response, []byte, error) {
	return p.ask(ctx, http.MethodPost, s.url+path, formBody, fields.Encode(), nil)
}

func (p *person) signIn(ctx context.Context, s *service) error {
	res, _, err := p.form(ctx, s, "/signin", url.Values{"email": {p.account.Email}, "password": {password}})
	if err == nil && res.StatusCode != http.StatusSeeOther {
		err = fmt.Errorf("sign-in answered with %d", res.StatusCode)
	}
	return err
}

// work is the continuous activity of an honest account: its program polls, and some people use the app and an agent.
func (p *person) work(ctx context.Context, s *service, person bool) {
	token := ""
	if person {
		var err error
		if token, err = p.connect(ctx, s); err != nil {
			p.failed(ctx, err)
			person = false
		}
	}
	for ctx.Err() == nil {
		wake := time.Now().Add(time.Duration(4000+rand.IntN(2000)) * time.Millisecond)
		pause(ctx, time.Until(wake))
		overslept := time.Since(wake)
		code, took, err := p.poll(ctx, s)
		now := p.phase.Load()
		if err != nil || code != http.StatusOK {
			p.failed(ctx, fmt.Errorf("GET /v1/jobs: %d %w", code, err))
		} else {
			now.answered(took, overslept)
		}
		if person {
			p.look(ctx, s, token, now)
		}
	}
}

// poll asks for roles and measures the time from the end of the request to the beginning of the answer, without the
// client's own work before and after.
func (p *person) poll(ctx context.Context, s *service) (code int, took time.Duration, err error) {
	start := time.Now()
	var written, begun atomic.Int64
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest:         func(httptrace.WroteRequestInfo) { written.Store(int64(time.Since(start))) },
		GotFirstResponseByte: func() { begun.Store(int64(time.Since(start))) },
	})
	code, err = p.rest(ctx, s, http.MethodGet, "/v1/jobs?limit=50", "")
	return code, time.Duration(begun.Load() - written.Load()), err
}

// look opens a page of the app and lets the agent list the boards.
func (p *person) look(ctx context.Context, s *service, token string, now *phase) {
	res, _, err := p.ask(ctx, http.MethodGet, s.url+"/boards", "", "", nil)
	if err == nil && res.StatusCode == http.StatusOK {
		now.people.Add(1)
	} else {
		p.failed(ctx, fmt.Errorf("GET /boards: %w", errors.Join(err, statusOf(res))))
	}
	res, _, err = p.ask(ctx, http.MethodPost, s.url+"/mcp", jsonBody,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boards","arguments":{}}}`, http.Header{
			"Authorization": {"Bearer " + token}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
		})
	if err == nil && res.StatusCode == http.StatusOK {
		now.people.Add(1)
	} else {
		p.failed(ctx, fmt.Errorf("list_boards: %w", errors.Join(err, statusOf(res))))
	}
}

func statusOf(res *http.Response) error {
	if res == nil || res.StatusCode == http.StatusOK {
		return nil
	}
	return errors.New(res.Status)
}

// failed records that an honest request was not answered, unless the run is over.
func (p *person) failed(ctx context.Context, err error) {
	if ctx.Err() == nil {
		now := p.phase.Load()
		if now.failures.Add(1) <= 5 {
			fmt.Println("honest:", p.account.Email, err)
		}
	}
}

var question = regexp.MustCompile(`name="request" value="([^"]+)"`)

// connect signs the person in and gets an agent a token, through the real authorization flow.
func (p *person) connect(ctx context.Context, s *service) (token string, err error) {
	const callback = "http://127.0.0.1:1/callback"
	if err := p.signIn(ctx, s); err != nil {
		return "", err
	}
	var client struct {
		ID string `json:"client_id"` //nolint:tagliatelle // the protocol's own word
	}
	_, text, err := p.ask(ctx, http.MethodPost, s.url+"/oauth/register", jsonBody,
		`{"client_name":"Reader","redirect_uris":["`+callback+`"],"token_endpoint_auth_method":"none"}`, nil)
	if err != nil || json.Unmarshal(text, &client) != nil || client.ID == "" {
		return "", fmt.Errorf("register: %w: %s", err, text)
	}
	verifier := boardwatch.NewID() + boardwatch.NewID()
	hash := sha256.Sum256([]byte(verifier))
	_, text, err = p.ask(ctx, http.MethodGet, s.url+"/oauth/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {client.ID}, "redirect_uri": {callback}, "state": {"s"}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(hash[:])}, "scope": {"boards:read"}, "resource": {s.url + "/mcp"},
	}.Encode(), "", "", nil)
	found := question.FindSubmatch(text)
	if err != nil || found == nil {
		return "", fmt.Errorf("authorize: %w: %s", err, bytes.TrimSpace(text[max(0, len(text)-200):]))
	}
	res, _, err := p.form(ctx, s, "/oauth/consent", url.Values{"request": {string(found[1])}, "scope": {"boards:read"}})
	if err != nil {
		return "", err
	}
	back, err := res.Location()
	if err != nil {
		return "", fmt.Errorf("consent: %w", err)
	}
	var answer struct {
		Token string `json:"access_token"` //nolint:tagliatelle // the protocol's own word
	}
	_, text, err = p.form(ctx, s, "/oauth/token", url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client.ID}, "code": {back.Query().Get("code")}, "redirect_uri": {callback},
		"code_verifier": {verifier}, "resource": {s.url + "/mcp"},
	})
	if err != nil || json.Unmarshal(text, &answer) != nil || answer.Token == "" {
		return "", fmt.Errorf("token: %w: %s", err, text)
	}
	return answer.Token, nil
}
