package oidc_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/canonical"
	"github.com/boardwatch/boardwatch/transport/oidc"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

// FuzzIDToken has the provider sign arbitrary claims in addition to the true ones or in place of them. An accepted
// person has the subject that was signed, for this client and this sign-in, and the address counts as confirmed only if
// the token says so.
func FuzzIDToken(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"email_verified":"true"}`, `{"email_verified":1}`, `{"email_verified":[true]}`, `{"email":"a@b.example\u0000"}`, `{"email":["a@b.example"]}`,
		`{"email":""}`, `{"auth_time":1e300}`, `{"auth_time":-1}`, `{"auth_time":"now"}`, `{"azp":"somebody"}`, `{"azp":null}`, `{"aud":[]}`, `{"aud":["boardwatch","x"]}`,
		`{"sub":""}`, `{"sub":7}`, `{"nonce":""}`, `{"NONCE":"x"}`, `{"exp":null}`, `{"exp":1e400}`, `{"iss":"accounts.google.com"}`, `[]`, `null`, "", "\xff", `{"email":"x","email":"y"}`,
	} {
		f.Add([]byte(seed))
	}
	at := oidctest.New(f)
	p := client(at, nil)
	at.Is(oidctest.Person{Subject: "ada", Email: "ada@example.com", Verified: false})
	f.Fuzz(func(t *testing.T, payload []byte) {
		at.Lie(oidctest.Lies{Payload: payload})
		q, secrets := visit(t, p, false)
		person, err := p.Finish(t.Context(), q.Get("code"), secrets)
		if err != nil {
			fault := new(oidc.Error)
			require.ErrorAs(t, err, &fault)
			require.Equal(t, oidc.Person{}, person)
			return
		}
		var said map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(payload, &said), "a payload that is not an object names nobody")
		require.NotContains(t, said, "nonce", "nobody can know it")
		require.Contains(t, append(values(said, "sub"), "ada"), person.Subject)
		require.NotEmpty(t, person.Subject)
		require.False(t, person.EmailVerified && !slices.ContainsFunc(values(said, "email_verified"), func(v any) bool {
			return v == true || v == "true"
		}), "an address is confirmed only if the provider says so")
		if person.Email != "" {
			normal, ok := canonical.Email(person.Email)
			require.True(t, ok)
			require.Equal(t, normal, person.Email)
		}
	})
}

// values returns the values of a key, in any spelling of its case.
func values(object map[string]json.RawMessage, key string) (all []any) {
	for k, raw := range object {
		var v any
		if strings.EqualFold(k, key) && json.Unmarshal(raw, &v) == nil {
			all = append(all, v)
		}
	}
	return all
}
