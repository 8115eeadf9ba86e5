package config

import (
	"slices"
	"strings"
)

// Setting is one row of the table that feeds flags, environment, file, defaults, "config show" and the documentation.
type Setting struct {
	Key string
	// field is where the value goes; its type says what the setting is.
	field   func(*Config) any
	Default string // as a person would write it
	Doc     string // what it does, for the documentation and the sample file
	Flag    string // the flag of the same meaning; empty: none
	short   string // what the flag's help says
	// check says what is wrong with a value that was given, or nil. Empty values are not checked.
	check func(Config) error
	// unlisted is for one of many alike, which are described together.
	unlisted bool
}

// Prefix is the beginning of every variable.
const Prefix = "BOARDWATCH_"

// Variable is the setting's environment variable.
func (s Setting) Variable() string {
	return Prefix + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))
}

// IsSecret reports whether the value must not be shown.
func (s Setting) IsSecret() bool {
	switch s.field(&Config{}).(type) {
	case *Secret, *SecretList:
		return true
	default:
		return false
	}
}

// Settings is the table.
func Settings() []Setting {
	table := []Setting{
		{
			Key: "listen", Default: "127.0.0.1:8080", Flag: "listen", short: "`ADDRESS` to serve on",
			field: func(c *Config) any { return &c.Listen }, check: func(c Config) error { return CheckListen(c.Listen) },
			Doc: "Address and port on which the service listens. With port 0 any free port is used. `:8080` listens on every address of the machine.",
		},
		{
			Key: "base_url", Flag: "base-url", short: "public `URL` of this service",
			field: func(c *Config) any { return &c.BaseURL }, check: func(c Config) error { return CheckOrigin(c.BaseURL) },
			Doc: "The address under which people and programs reach the service, such as `https://boards.example.com`. When empty, it is derived from `listen`. It is used in the form that browsers use: lower case, punycode, without a dot at the end and without the port of the scheme. The app only answers requests for this name, for `localhost` and for IP addresses.",
		},
		{
			Key: "contact", field: func(c *Config) any { return &c.Contact }, check: func(c Config) error { return checkContact(c.Contact) },
			Doc: "Whom people ask for a larger plan or an invitation: an e-mail address, or the address of a page (https). The app names it where a limit is reached. When empty, it says “the operator”.",
		},
		{
			Key:   "trusted_proxies",
			field: func(c *Config) any { return &c.TrustedProxies }, check: func(c Config) error { return checkNetworks(c.TrustedProxies) },
			Doc: "Addresses or networks, such as `10.0.0.0/8`, of the reverse proxies in front of the service. The client's address is taken from `X-Forwarded-For` only if one of them sent it. Several are separated by commas. When empty, the header is ignored.",
		},
		{
			Key: "role", Default: "all", Flag: "role", short: "`ROLE` to run: all, api, worker",
			field: func(c *Config) any { return &c.Role }, check: func(c Config) error { return CheckEach(c.Role, "all", "api", "worker") },
			Doc: "What this process does: `api` answers requests, `worker` reads boards and sends webhooks, `all` does both. Several are separated by commas.",
		},
		{
			Key: "database", Flag: "database", short: "`URL` of the database: sqlite:FILE or postgres://…",
			field: func(c *Config) any { return &c.Database }, check: func(c Config) error { return checkDatabase(string(c.Database)) },
			Doc: "The database: `sqlite:FILE` or `postgres://user:password@host/name`. When empty, `boardwatch.db` in the data directory.",
		},
		{
			Key: "data_dir", Flag: "data-dir", short: "`DIRECTORY` for the database, keys and locks",
			field: func(c *Config) any { return &c.DataDir },
			Doc:   "Directory for the SQLite database, the secret key and the lock files. When empty, `boardwatch` in `$XDG_DATA_HOME` or `~/.local/share`, or `/var/lib/boardwatch` for a user without a home directory.",
		},
		{
			Key: "dev", Default: "false", Flag: "dev", short: "development: boards and webhooks may be on this machine",
			field: func(c *Config) any { return &c.Dev },
			Doc:   "Development mode: boards may be on this machine, and webhooks at `http://localhost:port`. Do not use it for a service that others can reach.",
		},
		{
			Key: "demo", Default: "false", Flag: "demo", short: "run with a dozen invented companies and their past",
			field: func(c *Config) any { return &c.Demo },
			Doc:   "Run with the careers pages of a dozen invented companies inside the process, and on SQLite with ninety days of their history, to see the service work without the Internet.",
		},
		{
			Key: "log.level", Default: "info", Flag: "log-level", short: "least `LEVEL` logged: debug, info, warn or error",
			field: func(c *Config) any { return &c.Log.Level }, check: func(c Config) error { return CheckEach([]string{c.Log.Level}, "debug", "info", "warn", "error") },
			Doc: "The lowest level that is logged: `debug`, `info`, `warn` or `error`.",
		},
		{
			Key: "log.format", Default: "text", Flag: "log-format", short: "`FORMAT` of the log: text or json",
			field: func(c *Config) any { return &c.Log.Format }, check: func(c Config) error { return CheckEach([]string{c.Log.Format}, "text", "json") },
			Doc: "Format of the log: `text`, or `json` with one object per line.",
		},
		{
			Key:   "metrics.listen",
			field: func(c *Config) any { return &c.Metrics.Listen }, check: func(c Config) error { return CheckListen(c.Metrics.Listen) },
			Doc: "Address and port for Prometheus metrics at `/metrics`. Off when empty.",
		},
		{
			Key: "traces.accept_parent", Default: "false",
			field: func(c *Config) any { return &c.Traces.AcceptParent },
			Doc:   "Whether a request continues the trace that its `traceparent` header names. Whoever sends the header then decides whether spans are recorded, so switch this on only where your own proxy sets or removes it. Traces are off unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set: see [self-hosting](self-hosting.md#traces).",
		},
	}
	table = append(table, planSettings()...)
	table = append(table, readingSettings()...)
	table = append(table, paceSettings()...)
	table = append(table, browserSettings()...)
	table = append(table, teacherSettings()...)
	table = append(table, signInSettings()...)
	return append(table, serviceSettings()...)
}

// Listed are the settings that are documented one by one. Of those of the rest, "config show" shows the ones that are set.
func Listed() []Setting {
	return slices.DeleteFunc(Settings(), func(s Setting) bool { return s.unlisted })
}

// Unlisted reports whether the setting is one of many alike, which are described together.
func (s Setting) Unlisted() bool { return s.unlisted }
