package oidc_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/oidc"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

const back = "http://127.0.0.1/callback"

func client(p *oidctest.Provider, now func() time.Time) *oidc.Provider {
	p.Redirect = back
	return oidc.New(oidc.Options{
		Issuer: p.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, Scopes: []string{"email"},
		RedirectURL: back, Now: now, Timeout: 5 * time.Second,
	})
}

// visit sends a person to the provider and returns the parameters they come back with.
func visit(t *testing.T, p *oidc.Provider, again bool) (url.Values, oidc.Secrets) {
	t.Helper()
	secrets := oidc.NewSecrets(again)
	address, err := p.Begin(t.Context(), "the-state", secrets)
	require.NoError(t, err)
	require.NotContains(t, address, secrets.Verifier)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusFound, answer.StatusCode)
	to, err := answer.Location()
	require.NoError(t, err)
	require.Equal(t, "the-state", to.Query().Get("state"))
	return to.Query(), secrets
}

func TestAPersonIsWhoTheProviderSays(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	p := client(at, nil)
	since := time.Now().Add(-time.Hour).Truncate(time.Second).UTC()
	for name, c := range map[string]struct {
		is   oidctest.Person
		want oidc.Person
	}{
		"confirmed":             {oidctest.Person{Subject: "1", Email: "Ada@Example.com", Verified: true}, oidc.Person{Subject: "1", Email: "ada@example.com", EmailVerified: true}},
		"confirmed, in a text":  {oidctest.Person{Subject: "1", Email: "ada@example.com", Verified: "true"}, oidc.Person{Subject: "1", Email: "ada@example.com", EmailVerified: true}},
		"not confirmed":         {oidctest.Person{Subject: "1", Email: "ada@example.com", Verified: false}, oidc.Person{Subject: "1", Email: "ada@example.com"}},
		"nothing said about it": {oidctest.Person{Subject: "1", Email: "ada@example.com"}, oidc.Person{Subject: "1", Email: "ada@example.com"}},
		"odd words about it":    {oidctest.Person{Subject: "1", Email: "ada@example.com", Verified: "yes"}, oidc.Person{Subject: "1", Email: "ada@example.com"}},
		"no address":            {oidctest.Person{Subject: "1", Verified: true}, oidc.Person{Subject: "1"}},
		"an invalid address": {
			oidctest.Person{Subject: "1", Email: "Ada <ada@example.com>", Verified: true}, oidc.Person{Subject: "1"},
		},
		"returned on request": {
			oidctest.Person{Subject: "1", Email: "ada@example.com", Verified: true, Ask: true, AuthTime: since},
			oidc.Person{Subject: "1", Email: "ada@example.com", EmailVerified: true, SignedInAt: since},
		},
	} {
		at.Is(c.is)
		q, secrets := visit(t, p, false)
		got, err := p.Finish(t.Context(), q.Get("code"), secrets)
		require.NoError(t, err, name)
		c.want.Issuer = at.URL
		require.Equal(t, c.want, got, name)
	}
	require.Empty(t, at.Asked().Get("prompt"))
	visit(t, p, true)
	require.Equal(t, "login", at.Asked().Get("prompt"))
	require.Equal(t, "600", at.Asked().Get("max_age"))
}

func TestAnswersThatAreNotForUsAreRefused(t *testing.T) {
	t.Parallel()
	for name, lies := range map[string]oidctest.Lies{
		"another nonce":                  {Nonce: "another"},
		"another issuer":                 {Issuer: "https://evil.example"},
		"another audience":               {Audience: []string{"somebody"}},
		"several audiences":              {Audience: []string{"somebody", oidctest.ClientID}},
		"another party":                  {Audience: []string{"somebody", oidctest.ClientID}, Party: "somebody"},
		"another party for our audience": {Party: "somebody"},
		"expired":                        {Lifetime: -time.Minute},
		"another key":                    {Key: true},
		"no signature":                   {Algorithm: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := oidctest.New(t)
			p := client(at, nil)
			at.Is(oidctest.Person{Subject: "1", Email: "ada@example.com", Verified: true})
			at.Lie(lies)
			q, secrets := visit(t, p, false)
			_, err := p.Finish(t.Context(), q.Get("code"), secrets)
			fault := new(oidc.Error)
			require.ErrorAs(t, err, &fault)
			require.False(t, fault.Down, err)
			at.Lie(oidctest.Lies{})
			q, secrets = visit(t, p, false)
			_, err = p.Finish(t.Context(), q.Get("code"), secrets)
			require.NoError(t, err, "the honest answer is accepted")
		})
	}
	t.Run("about another person", func(t *testing.T) {
		t.Parallel()
		at := oidctest.New(t)
		p := client(at, nil)
		at.Is(oidctest.Person{Subject: "1", Email: "ada@example.com", Verified: true, Ask: true})
		at.Lie(oidctest.Lies{Subject: "2"})
		q, secrets := visit(t, p, false)
		_, err := p.Finish(t.Context(), q.Get("code"), secrets)
		require.ErrorContains(t, err, "another person")
	})
	t.Run("without a subject", func(t *testing.T) {
		t.Parallel()
		at := oidctest.New(t)
		p := client(at, nil)
		q, secrets := visit(t, p, false)
		_, err := p.Finish(t.Context(), q.Get("code"), secrets)
		require.Error(t, err)
	})
}

func TestACodeWorksOnceAndWithItsVerifier(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	p := client(at, nil)
	at.Is(oidctest.Person{Subject: "1"})
	q, secrets := visit(t, p, false)
	_, err := p.Finish(t.Context(), q.Get("code"), secrets)
	require.NoError(t, err)
	for _, again := range []func() (string, oidc.Secrets){
		func() (string, oidc.Secrets) { return q.Get("code"), secrets },
		func() (string, oidc.Secrets) {
			next, other := visit(t, p, false)
			other.Verifier = secrets.Verifier
			return next.Get("code"), other
		},
	} {
		code, s := again()
		_, err = p.Finish(t.Context(), code, s)
		fault := new(oidc.Error)
		require.ErrorAs(t, err, &fault)
		require.False(t, fault.Down)
		require.NotContains(t, err.Error(), oidctest.ClientSecret, "what the provider repeats is not passed on")
		require.NotContains(t, err.Error(), code)
	}
}

func TestAProviderThatFailsIsLeftAloneForAWhile(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	var mu sync.Mutex
	now := time.Now()
	pass := func(d time.Duration) { mu.Lock(); now = now.Add(d); mu.Unlock() }
	p := client(at, func() time.Time { mu.Lock(); defer mu.Unlock(); return now })
	down := func(err error) {
		t.Helper()
		fault := new(oidc.Error)
		require.ErrorAs(t, err, &fault)
		require.True(t, fault.Down, err)
		require.NotContains(t, err.Error(), oidctest.ClientSecret)
	}
	at.Fail(true)
	_, err := p.Begin(t.Context(), "state", oidc.NewSecrets(false))
	require.Error(t, err)
	asked := at.Requests()
	for range 5 {
		_, err = p.Begin(t.Context(), "state", oidc.NewSecrets(false))
		require.Error(t, err)
	}
	require.Equal(t, asked, at.Requests())
	at.Fail(false)
	at.Is(oidctest.Person{Subject: "1"})
	pass(6 * time.Second)
	q, secrets := visit(t, p, false)
	for _, lies := range []oidctest.Lies{{TokenStatus: http.StatusBadGateway}, {TokenStatus: http.StatusTooManyRequests}, {Long: true}} {
		at.Lie(lies)
		_, err = p.Finish(t.Context(), q.Get("code"), secrets)
		down(err)
	}
	at.Lie(oidctest.Lies{})
	_, err = p.Finish(t.Context(), q.Get("code"), secrets)
	require.NoError(t, err, "the code was not used")

	pass(2 * time.Hour)
	at.Fail(true)
	_, err = p.Begin(t.Context(), "state", oidc.NewSecrets(false))
	require.NoError(t, err, "a known configuration stays known")
	at.Fail(false)

	lost := oidc.New(oidc.Options{Issuer: "http://127.0.0.1:1", ClientID: "x", RedirectURL: back})
	_, err = lost.Begin(t.Context(), "state", oidc.NewSecrets(false))
	down(err)
	at.Lie(oidctest.Lies{Long: true})
	_, err = client(at, nil).Begin(t.Context(), "state", oidc.NewSecrets(false))
	down(err)
	require.Less(t, len(err.Error()), 1000)
}
