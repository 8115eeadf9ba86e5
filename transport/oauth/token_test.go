package oauth_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestTokenAnswersACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	a := w.redeem(id, w.allow(request(id), "boards:read", "offline_access"), "resource", w.site.URL)
	require.Equal(t, http.StatusOK, a.StatusCode, a.Text)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
	m := a.json(t)
	require.Equal(t, "Bearer", m["token_type"])
	require.EqualValues(t, 3600, m["expires_in"])
	require.Equal(t, "boards:read offline_access", m["scope"], "write access was not ticked")
	require.Regexp(t, "^bwa_[A-Za-z0-9_-]{43}$", m["access_token"])
	require.Regexp(t, "^bwr_[A-Za-z0-9_-]{43}$", m["refresh_token"])
	c, err := w.grants.ByToken(t.Context(), m["access_token"].(string))
	require.NoError(t, err)
	require.Equal(t, w.person.ID, c.Account.ID)
	require.True(t, c.May(account.ScopeBoardsRead))
	require.False(t, c.May(account.ScopeBoardsWrite))
	require.False(t, w.holds(m["refresh_token"].(string)), "a refresh token opens nothing")
	w.pass(time.Hour)
	require.False(t, w.holds(m["access_token"].(string)))
}

func TestTokenRefusesWhatIsWrongWithACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id, other := w.assistant(), w.assistant()
	code := func() string { return w.allow(request(id), "boards:read") }
	for name, test := range map[string]struct {
		change []string
		status int
		code   string
	}{
		"a wrong verifier":             {[]string{"code_verifier", strings.Repeat("x", 43)}, 400, "invalid_grant"},
		"a verifier that is too short": {[]string{"code_verifier", "short"}, 400, "invalid_grant"},
		"no verifier":                  {[]string{"code_verifier", ""}, 400, "invalid_request"},
		"another address":              {[]string{"redirect_uri", "http://localhost/callback"}, 400, "invalid_grant"},
		"no address":                   {[]string{"redirect_uri", ""}, 400, "invalid_request"},
		"another client":               {[]string{"client_id", other}, 400, "invalid_grant"},
		"an unknown client":            {[]string{"client_id", "0123456789abcdef01234567"}, 401, "invalid_client"},
		"a described client":           {[]string{"client_id", "https://app.example/client.json"}, 400, "invalid_grant"},
		"a secret":                     {[]string{"client_secret", "s"}, 401, "invalid_client"},
		"another resource":             {[]string{"resource", "https://other.example"}, 400, "invalid_target"},
		"no code":                      {[]string{"code", ""}, 400, "invalid_request"},
		"a code that is none":          {[]string{"code", "nothing"}, 400, "invalid_grant"},
		"a token in its place":         {[]string{"code", account.NewTokenOf(account.TokenRefresh)}, 400, "invalid_grant"},
		"another grant_type":           {[]string{"grant_type", "password"}, 400, "unsupported_grant_type"},
		"no grant_type":                {[]string{"grant_type", ""}, 400, "invalid_request"},
	} {
		a := w.redeem(id, code(), test.change...)
		require.Equal(t, test.code, a.json(t)["error"], name)
		refused(t, a, test.status, test.code)
		w.pass(time.Second)
	}
	c := code()
	w.redeem(id, c, "code_verifier", strings.Repeat("x", 43))
	refused(t, w.redeem(id, c), 400, "invalid_grant")
	c = code()
	w.pass(time.Minute)
	refused(t, w.redeem(id, c), 400, "invalid_grant")
}

func TestTokenTakesWhatIsEmptyAsLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	v := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {id}, "code": {w.allow(request(id), "boards:read", "offline_access")},
		"redirect_uri": {callback}, "code_verifier": {verifier}, "client_secret": {""}, "resource": {""},
	}
	_, refresh := w.tokens(w.post("/oauth/token", v))
	w.tokens(w.refresh(id, refresh, "scope", "", "client_secret", "", "resource", ""))
}

func TestTokenTakesFormsOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	code := w.allow(request(id), "boards:read")
	refused(t, w.do(http.MethodPost, "/oauth/token", "application/json", `{"grant_type":"authorization_code"}`), 400, "invalid_request")
	refused(t, w.post("/oauth/token", url.Values{"client_id": {id}, "x": {strings.Repeat("x", 17<<10)}}), 400, "invalid_request")
	refused(t, w.post("/oauth/token", url.Values{"client_id": {id}, "code": {code, code}}), 400, "invalid_request")
	a := w.post("/oauth/token", url.Values{"client_id": {id}, "grant_type": {"refresh_token"}}, "Authorization", "Basic YTpi")
	refused(t, a, 401, "invalid_client")
	require.Contains(t, a.Header.Get("WWW-Authenticate"), "Basic")
	a = w.do(http.MethodPost, "/oauth/token?grant_type=authorization_code&client_id="+id+"&code="+code, "application/x-www-form-urlencoded", "")
	require.Equal(t, 401, a.StatusCode, "nothing counts in the address")
	require.Equal(t, http.StatusMethodNotAllowed, w.get("/oauth/token").StatusCode)
	w.tokens(w.redeem(id, code))
}

func TestACodeThatComesBackEndsWhatWasIssuedForIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id, other := w.assistant(), w.assistant()
	code := w.allow(request(id), "boards:read", "offline_access")
	access, refresh := w.tokens(w.redeem(id, code))
	refused(t, w.redeem(other, code), 400, "invalid_grant")
	require.True(t, w.holds(access), "a stranger ends nothing")
	refused(t, w.redeem(id, code), 400, "invalid_grant")
	require.False(t, w.holds(access))
	refused(t, w.refresh(id, refresh), 400, "invalid_grant")
}

func TestRefreshTokensRotate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	first, refresh := w.connected(id)
	access, next := w.tokens(w.refresh(id, refresh))
	require.NotEqual(t, refresh, next)
	require.True(t, w.holds(access))

	w.pass(59 * time.Second)
	again, none := w.tokens(w.refresh(id, refresh))
	require.Empty(t, none, "a client that asks twice gets no second successor")
	require.True(t, w.holds(again))
	_, third := w.tokens(w.refresh(id, next))

	w.pass(2 * time.Second)
	refused(t, w.refresh(id, refresh), 400, "invalid_grant")
	for _, token := range []string{first, access, again} {
		require.False(t, w.holds(token), "the whole family ends")
	}
	refused(t, w.refresh(id, third), 400, "invalid_grant")
}

// TestTheSuccessorHasTheLastWord holds for clients that refresh several times at once and keep the answer that came last.
func TestTheSuccessorHasTheLastWord(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	_, refresh := w.connected(id)
	start := time.Now()
	_, next := w.tokens(w.refresh(id, refresh))
	require.NotEmpty(t, next)
	require.GreaterOrEqual(t, time.Since(start), 200*time.Millisecond, "those that get none are answered first")
}

func TestRefreshNarrowsAndNeverWidens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id, other := w.assistant(), w.assistant()
	_, refresh := w.tokens(w.redeem(id, w.allow(request(id), "boards:read", "boards:write", "offline_access")))
	refused(t, w.refresh(other, refresh), 400, "invalid_grant")
	refused(t, w.refresh("0123456789abcdef01234567", refresh), 401, "invalid_client")
	refused(t, w.refresh(id, refresh, "resource", "https://other.example/mcp"), 400, "invalid_target")
	refused(t, w.refresh(id, refresh, "scope", "openid admin"), 400, "invalid_scope")
	a := w.refresh(id, refresh, "scope", "boards:read openid", "resource", w.site.URL+"/mcp")
	require.Equal(t, "boards:read", a.json(t)["scope"])
	access, next := w.tokens(a)
	c, err := w.grants.ByToken(t.Context(), access)
	require.NoError(t, err)
	require.False(t, c.May(account.ScopeBoardsWrite))
	a = w.refresh(id, next)
	require.Equal(t, "boards:read boards:write offline_access", a.json(t)["scope"], "the grant keeps what it had")

	_, narrow := w.tokens(w.redeem(id, w.allow(request(id), "boards:read", "offline_access")))
	refused(t, w.refresh(id, narrow, "scope", "boards:read boards:write"), 400, "invalid_scope")
	_, next = w.tokens(w.refresh(id, narrow))
	require.NotEmpty(t, next, "what was refused has used nothing up")
}

func TestGrantsEndAfterTheirTimeHoweverOftenTheyAreUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	_, unused := w.connected(id)
	w.pass(30 * 24 * time.Hour)
	refused(t, w.refresh(id, unused), 400, "invalid_grant")
	_, w.token = w.signUpAgain()
	w.signIn(w.token)
	_, refresh := w.connected(id)
	for range 6 {
		w.pass(29 * 24 * time.Hour)
		_, refresh = w.tokens(w.refresh(id, refresh))
	}
	w.pass(7 * 24 * time.Hour)
	refused(t, w.refresh(id, refresh), 400, "invalid_grant")
}

func TestRefreshTwentyTimesAtOnce(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) storagetest.Database{
		"SQLite":     storagetest.SQLite,
		"PostgreSQL": storagetest.Postgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, worldOptions{store: open(t)(t, storage.Options{})})
			id := w.assistant()
			_, refresh := w.connected(id)
			var all sync.WaitGroup
			answers := make([]answered, 20)
			for i := range answers {
				all.Go(func() { answers[i] = w.refresh(id, refresh) })
			}
			all.Wait()
			var successors []string
			for _, a := range answers {
				access, next := w.tokens(a)
				require.True(t, w.holds(access))
				if next != "" {
					successors = append(successors, next)
				}
			}
			require.Len(t, successors, 1)
			w.tokens(w.refresh(id, successors[0]))
		})
	}
}

func TestRevokeEndsTokensOfTheClientThatAsks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id, other := w.assistant(), w.assistant()
	access, refresh := w.connected(id)
	revoke := func(client, token string) {
		a := w.post("/oauth/revoke", url.Values{"client_id": {client}, "token": {token}, "token_type_hint": {"refresh_token"}})
		require.Equal(t, http.StatusOK, a.StatusCode, a.Text)
	}
	revoke(other, refresh)
	revoke(id, "nothing")
	require.True(t, w.holds(access))
	revoke(id, access)
	require.False(t, w.holds(access))
	access, refresh = w.tokens(w.refresh(id, refresh))
	revoke(id, refresh)
	require.False(t, w.holds(access))
	refused(t, w.refresh(id, refresh), 400, "invalid_grant")
	refused(t, w.post("/oauth/revoke", url.Values{"client_id": {"0123456789abcdef01234567"}, "token": {access}}), 401, "invalid_client")
	refused(t, w.post("/oauth/revoke", url.Values{"client_id": {id}}), 400, "invalid_request")
}

func TestConnectingAgainLeavesTheOtherDevicesConnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	desk, deskRefresh := w.connected(id)
	phone, _ := w.connected(id)
	require.True(t, w.holds(desk) && w.holds(phone))
	w.tokens(w.refresh(id, deskRefresh))
}

func TestSettingsListConnectedAppsAndDisconnectThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	id := w.assistant()
	access, refresh := w.connected(id)
	a := w.get("/settings/apps")
	require.Equal(t, http.StatusOK, a.StatusCode)
	for _, part := range []string{"Assistant", "assistant.example", "see your list, change your list, stay connected", "/mcp"} {
		require.Contains(t, a.Text, part)
	}
	grants, err := w.grants.List(t.Context(), w.person)
	require.NoError(t, err)
	require.Len(t, grants, 1)
	_, stranger := w.signUpAgain()
	w.signIn(stranger)
	require.Equal(t, http.StatusNotFound, w.post("/settings/apps/"+grants[0].ID+"/delete", nil).StatusCode)
	require.NotContains(t, w.get("/settings/apps").Text, "Assistant")
	require.True(t, w.holds(access))
	w.signIn(w.token)
	require.Equal(t, http.StatusSeeOther, w.post("/settings/apps/"+grants[0].ID+"/delete", nil).StatusCode)
	require.False(t, w.holds(access))
	refused(t, w.refresh(id, refresh), 400, "invalid_grant")
	require.Contains(t, w.get("/settings/apps").Text, "No app is connected")
}
