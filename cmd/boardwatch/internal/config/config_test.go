package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// Each source stands over the one before: defaults, file, environment and flags.
func TestLoadMergesItsSources(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "boardwatch.yaml")
	require.NoError(t, os.WriteFile(file, []byte("listen: 127.0.0.1:1\nbase_url: http://file.example\nchecks:\n  close_after: 4\n"), 0o600))
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	config.AddFlags(flags, "listen", "base_url")
	require.NoError(t, flags.Parse([]string{"--listen", "127.0.0.1:3"}))

	l, err := config.Load(config.Source{
		File: file, Flags: flags, Environ: []string{"BOARDWATCH_LISTEN=127.0.0.1:2", "BOARDWATCH_BASE_URL=http://environment.example"},
	})
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:3", l.Listen)
	require.Equal(t, config.Origin{Source: "flag", From: "--listen"}, l.Origins["listen"])
	require.Equal(t, "http://environment.example", l.BaseURL)
	require.Equal(t, config.Origin{Source: "environment", From: "BOARDWATCH_BASE_URL"}, l.Origins["base_url"])
	require.Equal(t, 4, l.Checks.CloseAfter)
	require.Equal(t, config.Origin{Source: "file", From: file}, l.Origins["checks.close_after"])
	require.Equal(t, 16, l.Checks.Concurrency)
	require.Equal(t, config.Origin{Source: "default"}, l.Origins["checks.concurrency"])
}

func TestTheBaseURLHasTheFormOfBrowsers(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"https://boards.example/": "https://boards.example", "HTTPS://Boards.Example.:443": "https://boards.example", "http://boards.example:80": "http://boards.example",
		"https://Bücher.example:8443": "https://xn--bcher-kva.example:8443", "http://192.168.1.5:8080": "http://192.168.1.5:8080",
	} {
		l, err := config.Load(config.Source{Flags: pflag.NewFlagSet("serve", pflag.ContinueOnError), Environ: []string{"BOARDWATCH_BASE_URL=" + written}})
		require.NoError(t, err, written)
		require.Equal(t, want, l.BaseURL)
	}
	_, err := config.Load(config.Source{Flags: pflag.NewFlagSet("serve", pflag.ContinueOnError), Environ: []string{"BOARDWATCH_BASE_URL=https://ban\u212a.example"}})
	require.ErrorContains(t, err, "base_url")
}

func TestPublicURL(t *testing.T) {
	t.Parallel()
	require.Equal(t, "https://boards.example", config.Config{BaseURL: "https://boards.example"}.PublicURL("127.0.0.1:8080"))
	for listen, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", ":8080": "http://localhost:8080", "0.0.0.0:80": "http://localhost:80", "[::]:80": "http://localhost:80",
		"[::1]:8080": "http://[::1]:8080", "boards.example:80": "http://boards.example:80",
	} {
		require.Equal(t, want, config.Config{}.PublicURL(listen))
	}
}

func TestWebhookDefaults(t *testing.T) {
	t.Parallel()
	defaults := map[string]string{}
	for _, s := range config.Settings() {
		defaults[s.Key] = s.Default
	}
	for key, want := range map[string]string{
		"webhooks.retry_schedule": "1m,5m,30m,2h,12h", "webhooks.timeout": "10s", "webhooks.disable_after": "72h",
		"webhooks.retention": "720h", "webhooks.header_prefix": "X-Boardwatch", "webhooks.proxy": "", "webhooks.concurrency": "32",
	} {
		require.Equal(t, want, defaults[key], key)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"checks.timeout", "checks.close_after", "listen"}
	require.Equal(t, "checks.timeout", config.Nearest("chekcs.timeout", known))
	require.Equal(t, "listen", config.Nearest("listne", known))
	require.Empty(t, config.Nearest("browser.mode", known))
	require.Empty(t, config.Nearest("x", known))
}

func TestSecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, value, want string }{
		{"nothing", "", ""},
		{"a key", "MDEyMzQ1", "••••••••"},
		{"a file", "sqlite:/srv/boards.db", "sqlite:/srv/boards.db"},
		{"an address without a password", "postgres://db.example/boards", "postgres://db.example/boards"},
		{"an address with a password", "postgres://a:opensesame@db.example/boards", "postgres://a:xxxxx@db.example/boards"},
		{"a password in the query", "postgres://db.example/boards?password=opensesame", "postgres://db.example/boards?xxxxx"},
		{"an address that is broken", "postgres://a:opensesame@db.example:port/%zz", "••••••••"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := config.Secret(tc.value)
			require.Equal(t, tc.want, s.String())
			require.Equal(t, tc.want, s.LogValue().String())
			require.NotContains(t, s.GoString(), "opensesame")
		})
	}
}

func TestSettingsOfSigningIn(t *testing.T) {
	t.Parallel()
	load := func(env ...string) error {
		_, err := config.Load(config.Source{Flags: pflag.NewFlagSet("serve", pflag.ContinueOnError), Environ: env})
		return err
	}
	good := []string{"BOARDWATCH_OIDC_ISSUER=https://login.example/realms/main", "BOARDWATCH_OIDC_CLIENT_ID=boards"}
	require.NoError(t, load(good...))
	require.NoError(t, load(append(good, "BOARDWATCH_SIGNUP_PASSWORD=false", "BOARDWATCH_OIDC_ALLOWED_DOMAINS=example.com,example.org")...))
	require.NoError(t, load("BOARDWATCH_OIDC_ISSUER=http://127.0.0.1:5556", "BOARDWATCH_OIDC_CLIENT_ID=boards"))
	for want, env := range map[string][]string{
		"also needs oidc.client_id":               {"BOARDWATCH_OIDC_ISSUER=https://login.example"},
		"must begin with https://":                {"BOARDWATCH_OIDC_ISSUER=http://login.example", "BOARDWATCH_OIDC_CLIENT_ID=boards"},
		"without query or password":               {"BOARDWATCH_OIDC_ISSUER=https://a:opensesame@login.example", "BOARDWATCH_OIDC_CLIENT_ID=boards"},
		"is not a domain such as example.com":     {"BOARDWATCH_OIDC_ALLOWED_DOMAINS=*.example.com"},
		"is not a scope such as email":            {"BOARDWATCH_OIDC_SCOPES=email profile"},
		"can only be false with oidc.issuer":      {"BOARDWATCH_SIGNUP_PASSWORD=false"},
		"is not an address that begins with http": {"BOARDWATCH_OIDC_ISSUER=login.example", "BOARDWATCH_OIDC_CLIENT_ID=boards"},
	} {
		err := load(env...)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "opensesame")
	}
}

// emptyFile is a settings file that sets nothing, so that no other one is looked for.
func emptyFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "boardwatch.yaml")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	return file
}
