package main_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

var update = flag.Bool("update", false, "rewrite the expectations")

// shownSetting is one element of "config show".
type shownSetting struct {
	Key    string
	Value  any
	Source string
	From   string
}

func showSettings(t *testing.T, l main.Line) map[string]shownSetting {
	t.Helper()
	l.Args = append([]string{"config", "show", "-o", "json"}, l.Args...)
	got := l.Run(t.Context())
	require.Zero(t, got.Code, got.Err)
	var list []shownSetting
	require.NoError(t, json.Unmarshal([]byte(got.Out), &list))
	byKey := map[string]shownSetting{}
	for _, s := range list {
		byKey[s.Key] = s
	}
	require.Len(t, byKey, len(main.SettingDocs()))
	return byKey
}

func TestConfig(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		env   []string
		args  []string
		key   string
		value any
	}{
		{"days are durations", []string{"BOARDWATCH_CHECKS_RETENTION=30d"}, nil, "checks.retention", "720h"},
		{"a size may be a plain number", []string{"BOARDWATCH_HTTP_MAX_BODY=2048"}, nil, "http.max_body", "2KiB"},
		{"yes is true", []string{"BOARDWATCH_DEV=yes"}, nil, "dev", true},
		{"a flag without a value is true", nil, []string{"--dev"}, "dev", true},
		{"a flag can say no to a variable", []string{"BOARDWATCH_DEV=yes"}, []string{"--dev=false"}, "dev", false},
		{"a list takes commas and blanks", []string{"BOARDWATCH_ROLE=api, worker"}, nil, "role", []any{"api", "worker"}},
		{"an empty variable is not set", []string{"BOARDWATCH_LISTEN="}, nil, "listen", "127.0.0.1:8080"},
		{"the last of two equal variables counts", []string{"BOARDWATCH_LISTEN=:1", "BOARDWATCH_LISTEN=:2"}, nil, "listen", ":2"},
		{"the database follows the data directory", nil, []string{"--data-dir", "/srv/boards"}, "database", "sqlite:/srv/boards/boardwatch.db"},
		{"without a home the data directory is the system's", nil, nil, "data_dir", "/var/lib/boardwatch"},
		{"XDG says where data goes", []string{"XDG_DATA_HOME=/x", "HOME=/h"}, nil, "data_dir", "/x/boardwatch"},
		{"seconds become minutes where that is shorter", []string{"BOARDWATCH_HTTP_PAUSE=90s"}, nil, "http.pause", "1m30s"},
		{"a list may be empty", nil, nil, "mcp.allowed_origins", []any{}},
		{"PostgreSQL may be on a socket", []string{"BOARDWATCH_DATABASE=postgres:///boards?host=/run/postgresql"}, nil, "database", "postgres:///boards?xxxxx"},
		{"a password is not shown", []string{"BOARDWATCH_MAIL_SMTP_URL=smtp://a:opensesame@mail.example:587"}, nil, "mail.smtp_url", "smtp://a:xxxxx@mail.example:587"},
		{"a password that is not escaped is not shown either", []string{"BOARDWATCH_TEACHER_KEY=smtp://a:12#opensesame@mail.example:587"}, nil, "teacher.key", "••••••••"},
		{"a query may hold a token and is not shown", []string{"BOARDWATCH_BROWSER_REMOTE_URL=wss://b.example/x?token=opensesame"}, nil, "browser.remote_url", "wss://b.example/x?xxxxx"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := showSettings(t, main.Line{Env: tc.env, Args: tc.args})
			require.Equal(t, tc.value, got[tc.key].Value)
		})
	}
}

func TestConfigRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, variable, want string }{
		{"a close_after of one", "BOARDWATCH_CHECKS_CLOSE_AFTER=1", "must be at least 2, is 1"},
		{"a fraction where a number belongs", "BOARDWATCH_CHECKS_CONCURRENCY=1.5", `"1.5" is not a whole number`},
		{"no concurrency at all", "BOARDWATCH_CHECKS_CONCURRENCY=0", "must be between 1 and 10000, is 0"},
		{"a negative hold", "BOARDWATCH_CHECKS_SUSPECT_HOLD=-1h", "must not be negative"},
		{"a duration without a unit", "BOARDWATCH_CHECKS_TIMEOUT=30", `"30" is not a duration`},
		{"a wait of nothing", "BOARDWATCH_WEBHOOKS_RETRY_SCHEDULE=1m,0s", "every wait must be positive"},
		{"a list with a hole", "BOARDWATCH_WEBHOOKS_RETRY_SCHEDULE=1m,,2m", "is not a duration"},
		{"an unknown role", "BOARDWATCH_ROLE=api,wroker", `"wroker" is not one of all, api, worker`},
		{"an unknown plan for new accounts", "BOARDWATCH_SIGNUP_PLAN=gold", `"gold" is not one of free, pro, ultra`},
		{"a plan that does not exist", "BOARDWATCH_PLANS_GOLD_BOARDS=7", "no setting has this variable"},
		{"a truth that is none", "BOARDWATCH_DEV=maybe", `"maybe" is neither true nor false`},
		{"an hour past the day", "BOARDWATCH_MAIL_DIGEST_HOUR=24", "must be between 0 and 23, is 24"},
		{"a base URL with a path", "BOARDWATCH_BASE_URL=https://boards.example.com/app", "without path, query or password"},
		{"a base URL with a password", "BOARDWATCH_BASE_URL=https://a:b@boards.example.com", "without path, query or password"},
		{"an origin that is a page", "BOARDWATCH_MCP_ALLOWED_ORIGINS=https://a.example/x", "without path"},
		{"a header prefix with a blank", "BOARDWATCH_WEBHOOKS_HEADER_PREFIX=X Board", "is not a header name"},
		{"a user agent over two lines", "BOARDWATCH_HTTP_USER_AGENT=a\nb", "printable ASCII"},
		{"a body limit of nothing", "BOARDWATCH_HTTP_MAX_BODY=0", "must be between 1024"},
		{"a size in furlongs", "BOARDWATCH_HTTP_MAX_BODY=3furlongs", "is not a size such as 10MiB"},
		{"a listening port that is none", "BOARDWATCH_LISTEN=localhost:99999", "is not an address and port"},
		{"a database of another kind", "BOARDWATCH_DATABASE=boards.db", "is neither sqlite:FILE nor postgres://"},
		{"a sender without an address", "BOARDWATCH_MAIL_FROM=Boardwatch", "is not a sender"},
		{"a network of private hosts", "BOARDWATCH_CHANNELS_PRIVATE_HOSTS=ntfy.lan,10.0.0.0/8", `"10.0.0.0/8" is a network or has a path; list each host`},
		{"a private host that is an address", "BOARDWATCH_CHANNELS_PRIVATE_HOSTS=http://ntfy.lan", `"http://ntfy.lan" is an address; give only its host and port`},
		{"a private host with an impossible port", "BOARDWATCH_CHANNELS_PRIVATE_HOSTS=ntfy.lan:99999", `"ntfy.lan:99999" has a port that is not between 1 and 65535`},
		{"a private host with a port of nothing", "BOARDWATCH_CHANNELS_PRIVATE_HOSTS=ntfy.lan:", `"ntfy.lan:" is not a host with or without a port`},
		{"a password of the mail server with a # in it", "BOARDWATCH_MAIL_SMTP_URL=smtp://u:hun#ter2@mail.example:587", "or give the password by itself, as mail.password"},
		{"a password without a mail server", "BOARDWATCH_MAIL_PASSWORD=hunter2", "also needs mail.smtp_url"},
		{"a short key", "BOARDWATCH_SECRETS_KEY=AAAA", "is not 32 bytes in base64"},
		{"a secret's file for what is no secret", "BOARDWATCH_LISTEN_FILE=x", "no setting has this variable"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := main.Line{Args: []string{"config", "check"}, Env: []string{tc.variable}}.Run(t.Context())
			require.Equal(t, 2, got.Code)
			require.Contains(t, got.Err, tc.want)
			require.Empty(t, got.Out)
		})
	}
}

func TestConfigNamesEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	env := []string{"BOARDWATCH_CHECKS_CLOSE_AFTER=1", "BOARDWATCH_LOG_LEVEL=loud", "BOARDWATCH_LOGLEVEL=info"}
	got := main.Line{Args: []string{"config", "check", "--log-format", "xml"}, Env: env}.Run(t.Context())
	require.Equal(t, 2, got.Code)
	for _, want := range []string{
		"checks.close_after (BOARDWATCH_CHECKS_CLOSE_AFTER)", "log.level (BOARDWATCH_LOG_LEVEL)", "log.format (--log-format)",
		"BOARDWATCH_LOGLEVEL: no setting has this variable; did you mean BOARDWATCH_LOG_LEVEL?",
	} {
		require.Contains(t, got.Err, want)
	}
}

func TestSampleFileHoldsTheDefaults(t *testing.T) {
	t.Parallel()
	sample := main.Line{Args: []string{"config", "init", "-"}}.Run(t.Context())
	require.Zero(t, sample.Code)
	file := filepath.Join(t.TempDir(), "boardwatch.yaml")
	live := regexp.MustCompile(`(?m)^#([a-z]|  )`).ReplaceAllString(sample.Out, "$1")
	require.NoError(t, os.WriteFile(file, []byte(live), 0o600))

	fromFile, defaults := showSettings(t, main.Line{Args: []string{"--config", file}}), showSettings(t, main.Line{})
	for key, def := range defaults {
		require.Equal(t, def.Value, fromFile[key].Value, key)
		require.Equal(t, "default", def.Source, key)
	}
	require.Equal(t, "file", fromFile["checks.close_after"].Source)
}

const (
	tableBegin = "<!-- the table below is made by: go test ./cmd/boardwatch -run TestConfigurationDocument -update -->\n"
	tableEnd   = "<!-- end of the table -->\n"
)

func TestConfigurationDocument(t *testing.T) {
	t.Parallel()
	replaceInDocument(t, filepath.Join("..", "..", "docs", "configuration.md"), tableBegin, tableEnd, settingsTable())
}

func settingsTable() string {
	var b strings.Builder
	section := "-"
	for _, s := range main.SettingDocs() {
		name, _, nested := strings.Cut(s.Key, ".")
		if !nested {
			name = ""
		}
		if name != section {
			section = name
			title := "`" + section + "`"
			if section == "" {
				title = "General"
			}
			b.WriteString("\n### " + title + "\n\n| Setting | Default | Variable | Meaning |\n|---|---|---|---|\n")
		}
		key, variable, def := "`"+s.Key+"`", "`"+s.Variable+"`", ""
		if s.Flag != "" {
			key += "<br>`--" + s.Flag + "`"
		}
		if s.Secret {
			variable += "<br>`" + s.Variable + "_FILE`"
		}
		if s.Default != "" {
			def = "`" + s.Default + "`"
		}
		b.WriteString("| " + key + " | " + def + " | " + variable + " | " + strings.ReplaceAll(s.Doc, "|", `\|`) + " |\n")
	}
	return b.String() + "\n"
}
