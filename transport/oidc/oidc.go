// Package oidc asks an OpenID Connect provider who a person is: the authorization code flow with PKCE, a state and a
// nonce. The caller has to store what is needed while the person is at the provider.
package oidc

import (
	"context"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/internal/canonical"
)

// Options name the provider and the client.
type Options struct {
	Issuer       string
	ClientID     string
	ClientSecret string   // empty: the client has none, and only PKCE binds the code
	Scopes       []string // in addition to openid
	RedirectURL  string   // where the provider sends people back to

	Timeout time.Duration    // of one request; 0 means 10 s
	RootCAs *x509.CertPool   // nil: the system's
	Now     func() time.Time // the clock; nil means time.Now
}

// Recent is the greatest age of a sign-in that counts when a person is asked to sign in again.
const Recent = 10 * time.Minute

// skew is how far the provider's clock may be off.
const skew = time.Minute

// How long a provider's configuration is cached, and how long the provider is left alone after it did not answer.
const (
	knownFor = time.Hour
	restFor  = 5 * time.Second
)

// Provider is one OpenID Connect provider. Its configuration is fetched when first needed, so that the service can
// start without it. It may be used concurrently.
type Provider struct {
	o       Options
	client  *http.Client
	flights singleflight.Group

	mu    sync.Mutex
	about *about
	fault error
	until time.Time // when about or, if there is none, fault expires
}

// about is a provider's published configuration.
type about struct {
	provider *gooidc.Provider
	config   oauth2.Config
}

// New returns a Provider. It sends no request yet.
func New(o Options) *Provider {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Provider{o: o, client: newClient(o)}
}

// newClient returns a client with its own connections. The operator has chosen the provider, so it may be on a private
// network, and the environment's proxy applies. Redirects are not followed, because they would send the secret
// elsewhere.
func newClient(o Options) *http.Client {
	return &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: limited{&http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: o.Timeout, MaxResponseHeaderBytes: 64 << 10,
			TLSClientConfig: &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
			IdleConnTimeout: time.Minute, MaxConnsPerHost: 16,
		}},
	}
}

// Issuer returns the issuer of all people whom the provider knows.
func (p *Provider) Issuer() string { return p.o.Issuer }

// Secrets bind a person's departure to the provider to their return. Nobody else may read them.
type Secrets struct {
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
	Again    bool   `json:"again,omitempty"` // the person has to sign in even if they are signed in there
}

// NewSecrets returns the secrets of one departure.
func NewSecrets(again bool) Secrets {
	return Secrets{Nonce: account.NewToken(), Verifier: oauth2.GenerateVerifier(), Again: again}
}

// Begin returns the address at the provider that the person is sent to. The error is an *Error.
func (p *Provider) Begin(ctx context.Context, state string, s Secrets) (address string, err error) {
	a, err := p.known(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{gooidc.Nonce(s.Nonce), oauth2.S256ChallengeOption(s.Verifier)}
	if s.Again { // with a maximum age the provider has to say when the person signed in
		age := strconv.Itoa(int(Recent / time.Second))
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", age))
	}
	return a.config.AuthCodeURL(state, options...), nil
}

// Person is a person for whom the provider vouches.
type Person struct {
	Issuer, Subject string
	Email           string // normalised; empty if the provider gave none that can be used
	EmailVerified   bool
	SignedInAt      time.Time // when the person proved to the provider who they are; zero if it does not say
}

// claims are the parts read from an ID token, or from the provider's answer about a person.
type claims struct {
	Email         string          `json:"email"`
	EmailVerified json.RawMessage `json:"email_verified"` //nolint:tagliatelle // the standard's name; some providers write it as a text
	AuthTime      float64         `json:"auth_time"`      //nolint:tagliatelle // the standard's name
	Party         string          `json:"azp"`
}

func (c claims) verified() bool {
	return string(c.EmailVerified) == "true" || string(c.EmailVerified) == `"true"`
}

// Finish exchanges the code that a person came back with, and says who they are. The error is an *Error.
func (p *Provider) Finish(ctx context.Context, code string, s Secrets) (Person, error) {
	a, err := p.known(ctx)
	if err != nil {
		return Person{}, err
	}
	ctx = gooidc.ClientContext(ctx, p.client)
	token, err := a.config.Exchange(ctx, code, oauth2.VerifierOption(s.Verifier))
	if err != nil {
		return Person{}, exchangeFault(err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := a.provider.Verifier(&gooidc.Config{ClientID: p.o.ClientID, Now: p.o.Now}).Verify(ctx, raw)
	if err != nil {
		return Person{}, &Error{Reason: "its ID token is not valid", Err: err}
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(s.Nonce)) != 1 {
		return Person{}, &Error{Reason: "its ID token is for another sign-in"}
	}
	var c claims
	if err := id.Claims(&c); err != nil {
		return Person{}, &Error{Reason: "its ID token cannot be read", Err: err}
	}
	if c.Party != "" && c.Party != p.o.ClientID || c.Party == "" && len(id.Audience) > 1 {
		return Person{}, &Error{Reason: "its ID token is for another program"}
	}
	if id.Subject == "" {
		return Person{}, &Error{Reason: "its ID token does not say whom it is about"}
	}
	person := Person{Issuer: p.o.Issuer, Subject: id.Subject}
	if c.AuthTime > 0 {
		person.SignedInAt = time.Unix(int64(c.AuthTime), 0).UTC()
	}
	if s.Again && !p.recent(person.SignedInAt) {
		return Person{}, &Error{Stale: true, Reason: "it does not say that the person has signed in again (auth_time)"}
	}
	if c.Email == "" && a.provider.UserInfoEndpoint() != "" {
		if c, err = p.ask(ctx, a, token, id.Subject); err != nil {
			return Person{}, err
		}
	}
	if email, ok := canonical.Email(c.Email); ok {
		person.Email, person.EmailVerified = email, c.verified()
	}
	return person, nil
}

// recent reports whether a sign-in is of the last minutes. The provider's clock may be a little ahead or behind.
func (p *Provider) recent(at time.Time) bool {
	age := p.o.Now().Sub(at)
	return age > -skew && age <= Recent+skew
}

// ask asks the provider about a person whose ID token has no address.
func (p *Provider) ask(ctx context.Context, a *about, token *oauth2.Token, subject string) (claims, error) {
	info, err := a.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return claims{}, &Error{Down: true, Reason: "it did not say who the person is", Err: err}
	}
	if info.Subject != subject {
		return claims{}, &Error{Reason: "it answered about another person"}
	}
	var c claims
	if err := info.Claims(&c); err != nil {
		return claims{}, &Error{Reason: "its answer about the person cannot be read", Err: err}
	}
	return c, nil
}

// known returns the provider's configuration.
func (p *Provider) known(ctx context.Context) (*about, error) {
	if a, fault, ok := p.kept(); ok {
		return a, fault
	}
	result := p.flights.DoChan("", func() (any, error) {
		a, err := p.discover(context.WithoutCancel(ctx)) // others wait for it too
		return p.keep(a, err)
	})
	select {
	case r := <-result:
		a, _ := r.Val.(*about)
		return a, r.Err
	case <-ctx.Done():
		return nil, &Error{Down: true, Reason: "it took too long to answer", Err: ctx.Err()}
	}
}

func (p *Provider) kept() (*about, error, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.o.Now().Before(p.until) {
		return p.about, p.fault, true
	}
	return nil, nil, false
}

// keep remembers the result of a request for the configuration. If the provider stops answering, the known
// configuration stays.
func (p *Provider) keep(a *about, err error) (*about, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.o.Now()
	switch {
	case err == nil:
		p.about, p.fault, p.until = a, nil, now.Add(knownFor)
	case p.about != nil:
		p.until = now.Add(restFor)
	default:
		p.fault, p.until = err, now.Add(restFor)
	}
	return p.about, p.fault
}

func (p *Provider) discover(ctx context.Context) (*about, error) {
	provider, err := gooidc.NewProvider(gooidc.ClientContext(ctx, p.client), p.o.Issuer)
	if err != nil {
		return nil, &Error{Down: true, Reason: "it did not return its configuration", Err: withoutBody(err)}
	}
	var can struct {
		Methods []string `json:"token_endpoint_auth_methods_supported"` //nolint:tagliatelle // the standard's name
	}
	if err := provider.Claims(&can); err != nil {
		return nil, &Error{Down: true, Reason: "its configuration cannot be read", Err: err}
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if p.o.ClientSecret == "" || len(can.Methods) > 0 && !slices.Contains(can.Methods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &about{provider, oauth2.Config{
		ClientID: p.o.ClientID, ClientSecret: p.o.ClientSecret, Endpoint: endpoint, RedirectURL: p.o.RedirectURL,
		Scopes: slices.Compact(append([]string{gooidc.ScopeOpenID}, p.o.Scopes...)),
	}}, nil
}

// Error says why a provider could not identify a person. Its text is for the log and contains no secret.
type Error struct {
	Down   bool   // the provider does not answer, or answers incorrectly: a later try may succeed
	Stale  bool   // it was asked to have the person sign in again, and does not say that they did
	Reason string // what the provider did
	Err    error
}

// Error returns the sentence for the log.
func (e *Error) Error() string {
	if e.Err != nil {
		return "ask the sign-in provider: " + e.Reason + ": " + e.Err.Error()
	}
	return "ask the sign-in provider: " + e.Reason
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// exchangeFault leaves out the provider's text beside the error code, which may repeat what it was sent.
func exchangeFault(err error) error {
	answer, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case !ok:
		return &Error{Down: true, Reason: "it did not exchange the code", Err: withoutURL(err)}
	case answer.Response.StatusCode >= http.StatusInternalServerError:
		return &Error{Down: true, Reason: "it did not exchange the code", Err: errors.New(answer.Response.Status)}
	case answer.ErrorCode == "invalid_grant":
		return &Error{Reason: "it does not accept the code"}
	default:
		return &Error{
			Down: true, Reason: "it did not exchange the code",
			Err: fmt.Errorf("%s %s: check oidc.client_id and oidc.client_secret", answer.Response.Status, cut(answer.ErrorCode)),
		}
	}
}

// withoutURL returns the error without the requested address.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// withoutBody shortens the error to one line, because it may contain the provider's whole answer.
func withoutBody(err error) error { return errors.New(cut(err.Error())) }

func cut(s string) string { return strconv.QuoteToASCII(s[:min(len(s), 300)]) }
