package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// service is a directory like /etc/boardwatch, with the secrets of a service in it.
func service(t *testing.T, secrets string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "boardwatch.yaml"), []byte("data_dir: /var/lib/boardwatch\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secrets.env"), []byte(secrets), 0o600))
	return dir
}

func load(etc string, change func(*config.Source)) (config.Loaded, error) {
	s := config.Source{Etc: etc, Flags: pflag.NewFlagSet("backup", pflag.ContinueOnError)}
	config.AddFlags(s.Flags, "database")
	change(&s)
	return config.Load(s)
}

func TestACommandBesideAServiceHasItsSettingsAndItsSecrets(t *testing.T) {
	t.Parallel()
	etc := service(t, "BOARDWATCH_DATABASE='postgres://boards:opensesame@db.example/boards'\nHTTPS_PROXY=http://proxy.example\n")
	secrets := filepath.Join(etc, "secrets.env")
	l, err := load(etc, func(*config.Source) {})
	require.NoError(t, err)
	require.Equal(t, "/var/lib/boardwatch", l.DataDir)
	require.Equal(t, "postgres://boards:opensesame@db.example/boards", l.DatabaseURL())
	require.Equal(t, config.Origin{Source: "file", From: secrets}, l.Origins["database"])

	for name, change := range map[string]func(*config.Source){
		"a variable counts more": func(s *config.Source) { s.Environ = []string{"BOARDWATCH_DATABASE=sqlite:mine.db"} },
		"a file of a variable counts more": func(s *config.Source) {
			file := filepath.Join(t.TempDir(), "database")
			require.NoError(t, os.WriteFile(file, []byte("sqlite:mine.db\n"), 0o600))
			s.Environ = []string{"BOARDWATCH_DATABASE_FILE=" + file}
		},
		"a flag counts more": func(s *config.Source) { require.NoError(t, s.Flags.Set("database", "sqlite:mine.db")) },
		"other settings have other secrets": func(s *config.Source) {
			s.File = emptyFile(t)
			require.NoError(t, os.WriteFile(s.File, []byte("database: sqlite:mine.db\n"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := load(etc, change)
			require.NoError(t, err)
			require.Equal(t, "sqlite:mine.db", l.DatabaseURL())
		})
	}
}

func TestSecretsAreNamedByTheirFileWhenTheyAreWrong(t *testing.T) {
	t.Parallel()
	etc := service(t, "BOARDWATCH_DATABASE=mysql://boards:opensesame@db.example/boards\nBOARDWATCH_MAIL_SMTP=x\n")
	_, err := load(etc, func(*config.Source) {})
	require.ErrorContains(t, err, "database ("+filepath.Join(etc, "secrets.env")+"): is neither")
	require.ErrorContains(t, err, "BOARDWATCH_MAIL_SMTP: no setting has this variable")
	require.NotContains(t, err.Error(), "opensesame")
}

func TestSecretsThatMayNotBeReadAreNoted(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("NOT TESTED: secrets that may not be read, because root reads everything")
	}
	etc := service(t, "BOARDWATCH_DATABASE=postgres://db.example/boards\n")
	require.NoError(t, os.Chmod(filepath.Join(etc, "secrets.env"), 0))
	l, err := load(etc, func(*config.Source) {})
	require.NoError(t, err)
	require.Equal(t, filepath.Join(etc, "secrets.env"), l.Unread)
	require.Equal(t, "sqlite:/var/lib/boardwatch/boardwatch.db", l.DatabaseURL())
}

// The answers are those of systemd 252 itself: systemd-run -p EnvironmentFile=….
func TestSecretsAreReadAsSystemdReadsThem(t *testing.T) {
	t.Parallel()
	const unset = "single sign-on" // the default
	for text, want := range map[string]string{
		"BOARDWATCH_OIDC_NAME=Northwind":                                      "Northwind",
		"  BOARDWATCH_OIDC_NAME=Northwind  \r\n":                              "Northwind",
		"# BOARDWATCH_OIDC_NAME=b\n;x\n\nBOARDWATCH_OIDC_NAME=a":              "a",
		"# comment \\\nBOARDWATCH_OIDC_NAME=a":                                unset,
		"not an assignment\nBOARDWATCH_OIDC_NAME=b\nBOARDWATCH_OIDC_NAME=a\n": "a",
		`BOARDWATCH_OIDC_NAME='Ann "A" <a@x.example>'`:                        `Ann "A" <a@x.example>`,
		`BOARDWATCH_OIDC_NAME="Ann \"A\" <a@x.example>"`:                      `Ann "A" <a@x.example>`,
		`BOARDWATCH_OIDC_NAME="a\xb\\c$d"`:                                    `a\xb\c$d`,
		`BOARDWATCH_OIDC_NAME=a\@x.example`:                                   "a@x.example",
		"BOARDWATCH_OIDC_NAME=a@x.\\\nexample":                                "a@x.example",
		"BOARDWATCH_OIDC_NAME='Northwind' # no comment":                       "Northwind# no comment",
		"BOARDWATCH_OIDC_NAME=a # b":                                          "a # b",
		"BOARDWATCH_OIDC_NAME=a'b'c":                                          "a'b'c",
		"BOARDWATCH_OIDC_NAME='a''b' c":                                       "abc",
		"BOARDWATCH_OIDC_NAME=":                                               unset,
		"BOARDWATCH_OIDC_NAME":                                                unset,
	} {
		l, err := load(service(t, text), func(*config.Source) {})
		require.NoError(t, err, text)
		require.Equal(t, want, l.OIDC.Name, text)
	}
}
