// Package oidctest is an OpenID Connect provider for tests. It checks requests as strictly as the standards allow,
// signs with real keys, and can be told to lie.
package oidctest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// The client that the provider knows. Its secret has characters that have to be encoded.
const (
	ClientID     = "boardwatch"
	ClientSecret = "s3cret+of the/test%"
)

// Person is the person at the provider, and what the provider says about them.
type Person struct {
	Subject  string
	Email    string
	Verified any       // true, false, a text, or nil: not said
	AuthTime time.Time // zero: not said
	Ask      bool      // the address is given only at the userinfo endpoint
}

// Lies are the provider's false statements. The zero value means that it is honest.
type Lies struct {
	Nonce, Issuer, Party string
	Audience             []string
	Lifetime             time.Duration
	Key                  bool   // the token is signed with a key that it does not publish
	Algorithm            string // "none"
	Subject              string // at the userinfo endpoint
	Error                string // instead of a code
	Iss                  string // beside the code
	TokenStatus          int
	Long                 bool // its answers do not end
	// Payload, if it is a JSON object, is added to the true claims and overrides them. Any other payload replaces them.
	// Nil: only the true claims.
	Payload []byte
}

// Provider is a provider on loopback.
type Provider struct {
	URL      string
	Redirect string // the only redirect address that is allowed
	Now      func() time.Time

	tb      testing.TB
	server  *httptest.Server
	key     *rsa.PrivateKey
	foreign *rsa.PrivateKey

	mu       sync.Mutex
	person   Person
	lies     Lies
	down     bool
	codes    map[string]grant
	tokens   map[string]Person
	asked    []url.Values
	requests int
}

// grant is what a code stands for.
type grant struct {
	person    Person
	nonce     string
	challenge string
}

// New starts a provider. It ends with the test.
func New(tb testing.TB) *Provider {
	tb.Helper()
	p := &Provider{tb: tb, Now: time.Now, codes: map[string]grant{}, tokens: map[string]Person{}}
	p.key, p.foreign = newKey(tb), newKey(tb)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userinfo)
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		down, long := p.down, p.lies.Long
		p.requests++
		p.mu.Unlock()
		switch {
		case down:
			http.Error(w, "out of order", http.StatusServiceUnavailable)
		case long:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"x":"` + strings.Repeat("x", 2<<20) + `"}`)) // the client may have gone, and rightly so
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	p.URL = p.server.URL
	tb.Cleanup(p.server.Close)
	return p
}

func newKey(tb testing.TB) *rsa.PrivateKey {
	tb.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// Is sets the person at the provider from now on.
func (p *Provider) Is(who Person) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.person = who
}

// Lie makes the provider lie from now on.
func (p *Provider) Lie(l Lies) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lies = l
}

// Fail makes the provider refuse all requests, or answer again.
func (p *Provider) Fail(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

// Requests returns the number of requests so far.
func (p *Provider) Requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

// Asked returns the parameters with which the last person came.
func (p *Provider) Asked() url.Values {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) == 0 {
		return nil
	}
	return p.asked[len(p.asked)-1]
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/userinfo",
		"id_token_signing_alg_values_supported": []string{"RS256"}, "response_types_supported": []string{"code"},
		"token_endpoint_auth_methods_supported": []string{"client_secret_basic"},
	})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	exponent := big.NewInt(int64(p.key.E)).Bytes()
	answer(w, map[string]any{"keys": []any{map[string]string{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": encode(p.key.N.Bytes()), "e": encode(exponent),
	}}})
}

// authorize signs the person in without asking, like a provider at which they are already signed in.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, q)
	for key, want := range map[string]string{
		"client_id": ClientID, "redirect_uri": p.Redirect, "response_type": "code", "code_challenge_method": "S256",
	} {
		if q.Get(key) != want {
			http.Error(w, key+" is "+q.Get(key), http.StatusBadRequest)
			return
		}
	}
	if q.Get("state") == "" || q.Get("nonce") == "" || !strings.Contains(" "+q.Get("scope")+" ", " openid ") {
		http.Error(w, "state, nonce or scope is missing", http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {q.Get("state")}, "iss": {p.URL}}
	if p.lies.Iss != "" {
		back.Set("iss", p.lies.Iss)
	}
	if p.lies.Error != "" {
		back.Set("error", p.lies.Error)
	} else {
		code := rand.Text()
		p.codes[code] = grant{p.person, q.Get("nonce"), q.Get("code_challenge")}
		back.Set("code", code)
	}
	http.Redirect(w, r, p.Redirect+"?"+back.Encode(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, secret, _ := r.BasicAuth()
	name, _ := url.QueryUnescape(id)
	word, _ := url.QueryUnescape(secret)
	if name != ClientID || word != ClientSecret {
		refuse(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	if p.lies.TokenStatus != 0 {
		refuse(w, p.lies.TokenStatus, "server_error")
		return
	}
	code := r.PostFormValue("code")
	g, ok := p.codes[code]
	delete(p.codes, code)
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || g.challenge != encode(sum[:]) || r.PostFormValue("redirect_uri") != p.Redirect || r.PostFormValue("grant_type") != "authorization_code" {
		refuse(w, http.StatusBadRequest, "invalid_grant")
		return
	}
	access := rand.Text()
	p.tokens[access] = g.person
	answer(w, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 60, "id_token": p.idToken(g)})
}

// idToken returns a token about the person, including the lies.
func (p *Provider) idToken(g grant) string {
	now := p.Now()
	lifetime := p.lies.Lifetime
	if lifetime == 0 {
		lifetime = 5 * time.Minute
	}
	claims := map[string]any{
		"iss": p.URL, "aud": ClientID, "sub": g.person.Subject, "nonce": g.nonce, "iat": now.Unix(), "exp": now.Add(lifetime).Unix(),
	}
	for key, lie := range map[string]string{"nonce": p.lies.Nonce, "iss": p.lies.Issuer, "azp": p.lies.Party} {
		if lie != "" {
			claims[key] = lie
		}
	}
	if p.lies.Audience != nil {
		claims["aud"] = p.lies.Audience
	}
	if !g.person.AuthTime.IsZero() {
		claims["auth_time"] = g.person.AuthTime.Unix()
	}
	if !g.person.Ask {
		about(claims, g.person)
	}
	return p.sign(p.said(claims))
}

// said combines the true claims with the payload of the lies.
func (p *Provider) said(claims map[string]any) []byte {
	var foreign map[string]json.RawMessage
	if p.lies.Payload != nil && json.Unmarshal(p.lies.Payload, &foreign) != nil {
		return p.lies.Payload
	}
	for key, value := range foreign { // maps of other types: maps.Copy does not take them
		claims[key] = value
	}
	b, _ := json.Marshal(claims) // maps of texts, numbers and JSON
	return b
}

func (p *Provider) sign(claims []byte) string {
	if p.lies.Algorithm == "none" {
		return part(map[string]string{"alg": "none"}) + "." + encode(claims) + "."
	}
	text := part(map[string]string{"alg": "RS256", "kid": "1", "typ": "JWT"}) + "." + encode(claims)
	key := p.key
	if p.lies.Key {
		key = p.foreign
	}
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		p.tb.Error(err)
	}
	return text + "." + encode(signature)
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	person, ok := p.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if !ok {
		refuse(w, http.StatusUnauthorized, "invalid_token")
		return
	}
	claims := map[string]any{"sub": person.Subject}
	if p.lies.Subject != "" {
		claims["sub"] = p.lies.Subject
	}
	about(claims, person)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(p.said(claims)) // the client may have gone
}

func about(claims map[string]any, person Person) {
	if person.Email != "" {
		claims["email"] = person.Email
	}
	if person.Verified != nil {
		claims["email_verified"] = person.Verified
	}
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func part(v map[string]string) string {
	b, _ := json.Marshal(v)
	return encode(b)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "no: " + ClientSecret}) // as above
}
