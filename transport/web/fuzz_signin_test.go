package web_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

// requireNobodyIn requires that an answer gives no browser a session.
func requireNobodyIn(t *testing.T, answer *http.Response) {
	t.Helper()
	for _, c := range answer.Cookies() {
		require.False(t, c.Name == "boardwatch" && c.Value != "", "somebody is signed in")
	}
}

// FuzzProviderReturn returns from the provider with arbitrary parameters, in the right browser and with the right
// state. Nobody gets in without a code of the provider, and the page contains only its own elements.
func FuzzProviderReturn(f *testing.F) {
	for _, seed := range []string{
		"", "code=", "code=x", "code=x&iss=https://evil.example", "error=access_denied", "error=%3Cscript%3E", "error=server_error&error_description=%3Cb%3E",
		"state=x&code=y", "code=%00", "code=%zz", "code=a&code=b", "iss=&code=x", "error=&code=x", "id_token=eyJhbGciOiJub25lIn0.e30.", "code=" + strings.Repeat("x", 5000),
	} {
		f.Add(seed)
	}
	at := oidctest.New(f)
	w := newWorld(f, worldOptions{provider: at, create: true, mode: account.SignUpOpen})
	w.account(ownerEmail, account.PlanUltra, false)
	at.Is(ada())
	f.Fuzz(func(t *testing.T, query string) {
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '#' }) {
			return // no request can have it
		}
		w.pass(time.Minute) // otherwise the network has begun too many sign-ins
		b := w.browserIn(t)
		back := b.goes("/signin/oidc")
		back.RawQuery = "state=" + url.QueryEscape(back.Query().Get("state")) + "&" + query
		for _, path := range []string{"/signin/oidc/callback?" + query, back.RequestURI()} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.site.URL+path, nil)
			if err != nil {
				return
			}
			answer, err := b.http.Do(r)
			require.NoError(t, err)
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, "/signin/oidc/callback", answer.Request.URL.Path, "nobody is led on")
			require.Contains(t, []int{http.StatusForbidden, http.StatusServiceUnavailable}, answer.StatusCode, "%s", text)
			requireNobodyIn(t, answer)
			requireOwnElements(t, string(text))
		}
	})
}

// lostPasskey gives an account a passkey whose private key nobody has.
func (w *world) lostPasskey(a account.Account) {
	w.t.Helper()
	id := []byte("a device that nobody has")
	// The key is the example of RFC 8152, C.7.1, in the form in which devices send keys.
	key, err := base64.RawURLEncoding.DecodeString("pQECAyYgASFYIGXtpakleBKirAKLzAkFUUp1Aq_HK-G5nQoRkjJodr4FIlggHlIIWFxzZ7pJ13nQGg1Q2LnxJIzWBqYHfpR-MkZnWbM")
	require.NoError(w.t, err)
	record, err := json.Marshal(webauthn.Credential{
		ID: id, PublicKey: key, AttestationType: "none", Flags: webauthn.NewCredentialFlags(protocol.FlagUserPresent | protocol.FlagUserVerified),
	})
	require.NoError(w.t, err)
	require.NoError(w.t, w.store.CreatePasskey(w.t.Context(), account.Passkey{
		ID: boardwatch.NewID(), AccountID: a.ID, CredentialID: base64.RawURLEncoding.EncodeToString(id), Name: "Lost", Credential: record, CreatedAt: w.clock(),
	}, account.MaxPasskeys))
}

// FuzzPasskeyAnswers answers the challenges of sign-in and registration with arbitrary data, in the format of browsers
// and in none. Nothing breaks, and nobody gets in whose device did not sign.
func FuzzPasskeyAnswers(f *testing.F) {
	const says = `{"type":"webauthn.get","challenge":"CHALLENGE","origin":"ORIGIN","crossOrigin":false}`
	good := strings.Repeat("\x00", 32) + "\x05\x00\x00\x00\x01"
	f.Add("", []byte(says), []byte(good), []byte("0\x06\x02\x01\x01\x02\x01\x01"))
	f.Add(`{"token":"TOKEN","credential":{}}`, []byte(says), []byte(good), []byte(nil))
	f.Add(`{"token":"TOKEN","credential":null,"next":"//evil.example"}`, []byte(strings.Replace(says, "get", "create", 1)), []byte("\xa3cfmtdnonegattStmt\xa0hauthDataX%"+good), []byte{1})
	f.Add(`{"token":"TOKEN","credential":{"id":"x","rawId":"eA","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"","signature":"","userHandle":null}}}`, []byte("{}"), []byte("\xff"), []byte{0})
	f.Add(`[[[[`, []byte(`{"challenge":7}`), []byte("\xbf\xff"), []byte("\x30\x80"))
	f.Add(`{"token":"TOKEN","credential":"\ud800"}`, []byte("null"), []byte(strings.Repeat("\x9f", 2000)), []byte("x"))
	w := newWorld(f, worldOptions{localhost: true})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.lostPasskey(owner)
	b := w.signedIn(ownerEmail)
	base, err := url.Parse(w.site.URL)
	require.NoError(f, err)
	passkeys := w.passkeys(base)
	// An account without a password needs a fresh sign-in.
	require.NoError(f, w.store.RehashPassword(f.Context(), owner.ID, w.hashOf(owner), ""))
	owner, err = w.store.Account(f.Context(), owner.ID)
	require.NoError(f, err)
	sessions, err := w.identities.Sessions().List(f.Context(), owner)
	require.NoError(f, err)
	proof := account.Proof{Session: sessions[0]}

	f.Fuzz(func(t *testing.T, raw string, says, data, signature []byte) {
		send := func(b *browser, path string, begin func() (account.Challenge, error), answer func(c account.Challenge) string) {
			t.Helper()
			c, err := begin()
			require.NoError(t, err)
			body := strings.ReplaceAll(answer(c), "TOKEN", c.Token)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+path, strings.NewReader(body))
			require.NoError(t, err)
			r.Header.Set("Origin", w.site.URL)
			done, err := b.http.Do(r)
			require.NoError(t, err)
			text, err := io.ReadAll(done.Body)
			require.NoError(t, err)
			require.NoError(t, done.Body.Close())
			require.Less(t, done.StatusCode, http.StatusInternalServerError, "%s", text)
			requireNobodyIn(t, done)
		}
		register := func() (account.Challenge, error) {
			return passkeys.BeginRegistration(t.Context(), owner, "Found", proof, account.Visitor{})
		}
		stranger := w.browserIn(t)
		for _, answer := range []func(c account.Challenge) string{
			func(account.Challenge) string { return raw },
			func(c account.Challenge) string {
				return passkeyAnswer(c, w.site.URL, owner.ID, says, map[string][]byte{"authenticatorData": data, "signature": signature})
			},
		} {
			send(stranger, "/api/passkeys/signin/finish", passkeys.BeginSignIn, answer)
		}
		send(b, "/api/passkeys/finish", register, func(account.Challenge) string { return raw })
		send(b, "/api/passkeys/finish", register, func(c account.Challenge) string {
			return passkeyAnswer(c, w.site.URL, owner.ID, says, map[string][]byte{"attestationObject": data})
		})
	})
}

// passkeyAnswer is an answer to a challenge in the format of browsers.
func passkeyAnswer(c account.Challenge, origin, holder string, says []byte, response map[string][]byte) string {
	encode := base64.RawURLEncoding.EncodeToString
	challenge := ""
	switch o := c.Options.(type) {
	case protocol.PublicKeyCredentialRequestOptions:
		challenge = encode(o.Challenge)
	case protocol.PublicKeyCredentialCreationOptions:
		challenge = encode(o.Challenge)
	}
	told := strings.NewReplacer("CHALLENGE", challenge, "ORIGIN", origin).Replace(string(says))
	fields := map[string]string{"clientDataJSON": encode([]byte(told)), "userHandle": encode([]byte(holder))}
	for name, value := range response {
		fields[name] = encode(value)
	}
	id := encode([]byte("a device that nobody has"))
	body, _ := json.Marshal(map[string]any{ // maps of texts
		"token": "TOKEN", "credential": map[string]any{"id": id, "rawId": id, "type": "public-key", "response": fields},
	})
	return string(body)
}
