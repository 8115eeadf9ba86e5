package oauth_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/mail"
	"github.com/boardwatch/boardwatch/transport/oauth"
	"github.com/boardwatch/boardwatch/transport/web"
)

const (
	verifier = "a-verifier-of-at-least-forty-three-characters-0123"
	password = "a sentence that only ada would say"
	callback = "https://assistant.example/callback"
)

// world is the authorization server with the app's pages, over a real store, and one person who is signed in.
type world struct {
	t      testing.TB
	store  *storage.Store
	grants *account.Grants
	site   *httptest.Server
	person account.Account
	token  string       // of the sign-in
	client *http.Client // the person's browser; it follows no redirects
	now    atomic.Int64
}

type worldOptions struct {
	base      string // empty: the server's own
	documents *oauth.Documents
	store     *storage.Store
	password  string // of the person; hashing it takes its time
}

func newWorld(tb testing.TB, o worldOptions) *world {
	tb.Helper()
	w := &world{t: tb, store: o.store}
	w.now.Store(time.Date(2026, 10, 21, 9, 0, 0, 0, time.UTC).UnixMilli())
	if w.store == nil {
		w.store = storagetest.Open(tb, storage.Options{Now: w.clock})
	}
	var handler http.Handler
	w.site = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { handler.ServeHTTP(rw, r) }))
	tb.Cleanup(w.site.Close)
	if o.base == "" {
		o.base = w.site.URL
	}
	base, err := url.Parse(o.base)
	require.NoError(tb, err)
	options := account.Options{Now: w.clock}
	hasher := account.NewHasherOf(64)
	identities := account.NewIdentities(w.store, hasher, mail.NewLog(nil), account.IdentityOptions{BaseURL: o.base, Now: w.clock})
	w.grants = account.NewGrants(w.store, account.GrantOptions{Resource: oauth.Resource(o.base), Grace: time.Minute, Now: w.clock})
	pages, err := web.New(web.Services{
		Plans: account.DefaultPlans(), Identities: identities, Preferences: account.NewPreferenceManager(w.store, options), Grants: w.grants,
		Feed: track.NewFeed(w.store, w.clock),
	}, web.Options{BaseURL: base, Now: w.clock})
	require.NoError(tb, err)
	if o.documents == nil {
		o.documents = oauth.NewDocuments(oauth.DocumentOptions{Now: w.clock})
	}
	door, err := oauth.New(w.grants, pages, oauth.Options{
		BaseURL: o.base, Schemes: []string{"cursor", "vscode"}, Documents: o.documents, Now: w.clock,
	})
	require.NoError(tb, err)
	mux := http.NewServeMux()
	for _, pattern := range oauth.Patterns() {
		mux.Handle(pattern, door)
	}
	mux.Handle("/", pages)
	handler = mux
	jar, err := cookiejar.New(nil)
	require.NoError(tb, err)
	w.client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	w.person, w.token = w.signUp(hasher, "ada@northwind.example", o.password)
	w.signIn(w.token)
	return w
}

func (w *world) clock() time.Time { return time.UnixMilli(w.now.Load()).UTC() }

func (w *world) pass(d time.Duration) { w.now.Add(d.Milliseconds()) }

func (w *world) signUp(hasher *account.Hasher, email, password string) (account.Account, string) {
	w.t.Helper()
	options := account.Options{Now: w.clock}
	a, err := account.NewManager(w.store, hasher, options).Create(w.t.Context(), account.NewAccount{
		Email: email, Plan: account.PlanFree, Verified: true, Password: password,
	})
	require.NoError(w.t, err)
	_, token, err := account.NewSessions(w.store, options).Start(w.t.Context(), a, account.Visitor{Address: "203.0.113.9"})
	require.NoError(w.t, err)
	return a, token
}

// signIn changes who is at the browser; an empty token is nobody.
func (w *world) signIn(token string) {
	site, err := url.Parse(w.site.URL)
	require.NoError(w.t, err)
	w.client.Jar.SetCookies(site, []*http.Cookie{{Name: "boardwatch", Value: token, Path: "/"}})
}

// answered is an answer with its body.
type answered struct {
	*http.Response

	Text string
}

func (a answered) json(tb testing.TB) map[string]any {
	tb.Helper()
	var m map[string]any
	require.NoError(tb, json.Unmarshal([]byte(a.Text), &m), a.Text)
	return m
}

// back is what the client is told in the address that the browser is sent to.
func (a answered) back(tb testing.TB) (string, url.Values) {
	tb.Helper()
	require.Equal(tb, http.StatusSeeOther, a.StatusCode, a.Text)
	address, query, _ := strings.Cut(a.Header.Get("Location"), "?")
	v, err := url.ParseQuery(query)
	require.NoError(tb, err)
	return address, v
}

func (w *world) do(method, path, kind, body string, more ...string) answered {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.site.URL+path, strings.NewReader(body))
	require.NoError(w.t, err)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	res, err := w.client.Do(r)
	require.NoError(w.t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(w.t, err)
	return answered{res, string(text)}
}

func (w *world) get(path string) answered { w.t.Helper(); return w.do(http.MethodGet, path, "", "") }

func (w *world) post(path string, form url.Values, more ...string) answered {
	w.t.Helper()
	return w.do(http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode(), more...)
}

// registered is the id of a client that was registered with this body, as early as a network may register another.
func (w *world) registered(body string) string {
	w.t.Helper()
	w.pass(time.Minute)
	a := w.do(http.MethodPost, "/oauth/register", "application/json", body)
	require.Equal(w.t, http.StatusCreated, a.StatusCode, a.Text)
	return a.json(w.t)["client_id"].(string)
}

// assistant is a client that refreshes.
func (w *world) assistant() string {
	w.t.Helper()
	return w.registered(`{"client_name":"Assistant","redirect_uris":["` + callback + `","http://localhost/callback"],
		"grant_types":["authorization_code","refresh_token"]}`)
}

func challenge() string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// request is an authorization request that is right.
func request(client string, change ...string) url.Values {
	v := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {callback}, "code_challenge": {challenge()},
		"code_challenge_method": {"S256"}, "state": {"a state/+ &=ü"}, "scope": {"boards:read boards:write"},
	}
	for i := 0; i+1 < len(change); i += 2 {
		if change[i+1] == "" {
			v.Del(change[i])
		} else {
			v.Set(change[i], change[i+1])
		}
	}
	return v
}

var question = regexp.MustCompile(`name="request" value="([^"]+)"`)

// asks shows the consent page and returns the token of its question.
func (w *world) asks(v url.Values) string {
	w.t.Helper()
	a := w.get("/oauth/authorize?" + v.Encode())
	require.Equal(w.t, http.StatusOK, a.StatusCode, a.Text)
	found := question.FindStringSubmatch(a.Text)
	require.NotNil(w.t, found, a.Text)
	return found[1]
}

// allow lets the person allow the scopes, and returns the code.
func (w *world) allow(v url.Values, scopes ...string) string {
	w.t.Helper()
	_, back := w.post("/oauth/consent", url.Values{"request": {w.asks(v)}, "scope": scopes}).back(w.t)
	require.NotEmpty(w.t, back.Get("code"), back)
	return back.Get("code")
}

func (w *world) redeem(client, code string, change ...string) answered {
	w.t.Helper()
	v := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {verifier},
	}
	for i := 0; i+1 < len(change); i += 2 {
		if change[i+1] == "" {
			v.Del(change[i])
		} else {
			v.Set(change[i], change[i+1])
		}
	}
	return w.post("/oauth/token", v)
}

func (w *world) refresh(client, token string, change ...string) answered {
	w.t.Helper()
	v := url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {token}}
	for i := 0; i+1 < len(change); i += 2 {
		v.Set(change[i], change[i+1])
	}
	return w.post("/oauth/token", v)
}

// connected is a client with an access and a refresh token.
func (w *world) connected(client string) (access, refresh string) {
	w.t.Helper()
	return w.tokens(w.redeem(client, w.allow(request(client), "boards:read", "boards:write", "offline_access")))
}

func (w *world) tokens(a answered) (access, refresh string) {
	w.t.Helper()
	require.Equal(w.t, http.StatusOK, a.StatusCode, a.Text)
	m := a.json(w.t)
	refresh, _ = m["refresh_token"].(string)
	return m["access_token"].(string), refresh
}

func (w *world) holds(access string) bool {
	w.t.Helper()
	_, err := w.grants.ByToken(w.t.Context(), access)
	if err != nil {
		require.Equal(w.t, boardwatch.CodeUnauthorized, boardwatch.CodeOf(err))
	}
	return err == nil
}

func refused(t *testing.T, a answered, status int, code string) {
	t.Helper()
	require.Equal(t, status, a.StatusCode, a.Text)
	require.Equal(t, code, a.json(t)["error"])
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
}

// signUpAgain is another person, who is signed in elsewhere.
func (w *world) signUpAgain() (account.Account, string) {
	w.t.Helper()
	return w.signUp(account.NewHasherOf(64), boardwatch.NewID()+"@northwind.example", "")
}
