package main_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// TestNoSecretEntersTheLogOrTheDatabase runs the whole service with its most talkative log, lets secrets of every kind be
// made and used, rightly and wrongly, and looks for them in what the service wrote.
func TestNoSecretEntersTheLogOrTheDatabase(t *testing.T) {
	t.Parallel()
	site := newCareersSite(t, demo.Role{ID: 1, Title: "Lock Keeper", Location: "Delft", Department: "Water"})
	file := filepath.Join(t.TempDir(), "secrets.db")
	const password, proxyPassword = "a sentence that only ada would say", "opensesame4711"
	i := install(t, "sqlite:"+file, "BOARDWATCH_DEV=true", "BOARDWATCH_LOG_LEVEL=debug", "BOARDWATCH_PLANS_ULTRA_CADENCE=200ms",
		"BOARDWATCH_ADMIN_EMAIL="+e2eEmail, "BOARDWATCH_ADMIN_PASSWORD="+password,
		"BOARDWATCH_WEBHOOKS_PROXY=http://ann:"+proxyPassword+"@127.0.0.1:1")
	r := i.serve()
	var key struct{ Secret string }
	i.do(&key, "key", "create", "--account", e2eEmail, "--name", "Laptop")
	hook := i.webhook("http://localhost:9/hooks?token=hookaddress4711", "job.found,board.failed")
	var added any
	i.do(&added, "board", "add", "--account", e2eEmail, site.URL+"/careers")
	i.eventually("a delivery that failed", func() bool {
		all := i.deliveries(hook.ID)
		return len(all) > 0 && all[0].Attempts > 0
	})

	require.Contains(t, ask(t, r.url+"/v1/jobs?search=lock", key.Secret), "Lock Keeper")
	refused, token := "bw_"+strings.Repeat("Z", 40), account.NewToken()
	cookies := signIn(t, r.url, password)
	require.NotEmpty(t, cookies)
	for _, path := range []string{"/v1/jobs?key=" + key.Secret, "/boards?token=" + token, "/setup?token=" + token, "/feeds/" + token, "/mcp", "/oauth/token"} {
		knock(t, r.url+path, refused)
	}
	site.breakWith(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	i.eventually("a failed check", func() bool { return i.board().Status == boardwatch.BoardFailed })
	r.stop()
	require.Zero(t, <-r.code, r.errs)

	log := r.out.String() + r.errs.String()
	require.Contains(t, log, "delivery attempted")
	require.Contains(t, log, "board changed")
	secrets := map[string]string{
		"the password": password, "the proxy's password": proxyPassword, "the key": key.Secret, "a key that is none": refused,
		"the signing secret": hook.Secret, "the webhook's address": "hookaddress4711", "a token in an address": token,
	}
	for name, value := range cookies {
		secrets["the cookie "+name] = value
	}
	for what, secret := range secrets {
		require.NotContains(t, log, secret, what)
	}

	var stored strings.Builder
	for _, end := range []string{"", "-wal"} {
		raw, err := os.ReadFile(file + end)
		if end == "" {
			require.NoError(t, err)
		}
		stored.Write(raw)
	}
	require.Contains(t, stored.String(), "Lock Keeper", "this is where it would be")
	delete(secrets, "the webhook's address") // it has to be there
	for what, secret := range secrets {
		require.NotContains(t, stored.String(), secret, what)
	}
}

// signIn signs in at the app; the answer is what its cookies hold.
func signIn(t *testing.T, site, password string) map[string]string {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, site+"/signin",
		strings.NewReader(url.Values{"email": {e2eEmail}, "password": {password}}.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := (&http.Client{Jar: jar}).Do(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	at, err := url.Parse(site)
	require.NoError(t, err)
	values := map[string]string{}
	for _, c := range jar.Cookies(at) {
		if regexp.MustCompile(`^[A-Za-z0-9_-]{32,}$`).MatchString(c.Value) {
			values[c.Name] = c.Value
		}
	}
	return values
}

// knock asks with a bearer that opens nothing, and takes any answer.
func knock(t *testing.T, address, bearer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{"))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+bearer)
	res, err := (&http.Client{}).Do(r)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
}
