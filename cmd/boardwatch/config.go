package main

import (
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Config is every setting, read, merged and validated once. From here on there are only typed values.
type Config struct {
	Listen         string
	BaseURL        string // empty: made from Listen, see baseURL
	TrustedProxies []string
	Role           []string
	Database       secret
	DataDir        string
	Dev            bool
	Demo           bool

	Log     logConfig
	Metrics metricsConfig
	Plans   plansConfig
	Checks  checksConfig
	HTTP    httpConfig
	Browser browserConfig
	Webhook webhookConfig
	OAuth   oauthConfig
	MCP     mcpConfig
	Secrets secretsConfig
	Mail    mailConfig
	Signup  signupConfig
	Admin   adminConfig
}

type logConfig struct{ Level, Format string }

type metricsConfig struct{ Listen string }

type plansConfig struct{ Free, Pro, Ultra boardwatch.Plan }

type checksConfig struct {
	CloseAfter  int
	SuspectHold time.Duration
	Timeout     time.Duration
	Concurrency int
	Retention   time.Duration
}

type httpConfig struct {
	Proxy        secret
	UserAgent    string
	Pause        time.Duration
	AllowPrivate bool
	MaxBody      byteSize
	ObeyRobots   bool
}

type browserConfig struct {
	Mode      string
	Path      string
	RemoteURL secretList
	MaxPages  int
	MaxMemory byteSize
	NoSandbox bool
}

type webhookConfig struct {
	RetrySchedule []time.Duration
	Timeout       time.Duration
	DisableAfter  time.Duration
	Retention     time.Duration
	HeaderPrefix  string
	Proxy         secret
	Concurrency   int
}

type oauthConfig struct {
	AccessTTL, RefreshTTL, RefreshGrace time.Duration

	GrantTTL        time.Duration
	RedirectSchemes []string
	AllowHTTP       bool
}

type mcpConfig struct{ AllowedOrigins []string }

type secretsConfig struct {
	Key     secret
	KeyFile string
}

type mailConfig struct {
	SMTPURL    secret
	From       string
	DigestHour int
}

type signupConfig struct{ Mode, Plan string }

type adminConfig struct {
	Email    string
	Password secret
}

// setting is one row of the table that feeds flags, environment, file, defaults, "config show" and the documentation.
type setting struct {
	key string
	// field is where the value goes; its type says what the setting is.
	field func(*Config) any
	def   string // the default as a person would write it
	doc   string // what it does, for the documentation and the sample file
	flag  string // the flag of the same meaning; empty: none
	short string // what the flag's help says
	// check says what is wrong with a value that was given, or nil. Empty values are not checked.
	check func(Config) error
}

// environment is the prefix of every variable.
const environment = "BOARDWATCH_"

// variable is the setting's environment variable.
func (s setting) variable() string {
	return environment + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// secret reports whether the value must not be shown.
func (s setting) secret() bool {
	switch s.field(&Config{}).(type) {
	case *secret, *secretList:
		return true
	default:
		return false
	}
}

// settings is the table.
func settings() []setting {
	table := []setting{
		{
			key: "listen", def: "127.0.0.1:8080", flag: "listen", short: "`ADDRESS` to serve on",
			field: func(c *Config) any { return &c.Listen }, check: func(c Config) error { return checkListen(c.Listen) },
			doc: "Address and port on which the service listens. Port 0 takes any free one. `:8080` listens on every address of the machine.",
		},
		{
			key: "base_url", flag: "base-url", short: "public `URL` of this service",
			field: func(c *Config) any { return &c.BaseURL }, check: func(c Config) error { return checkOrigin(c.BaseURL) },
			doc: "The address under which people and programs reach the service, such as `https://boards.example.com`. When empty it is made from `listen`.",
		},
		{
			key:   "trusted_proxies",
			field: func(c *Config) any { return &c.TrustedProxies }, check: func(c Config) error { return checkNetworks(c.TrustedProxies) },
			doc: "Addresses or networks, such as `10.0.0.0/8`, of the proxies in front of the service, whose `X-Forwarded-For` says who is asking. Several are separated by commas. When empty, nobody's does.",
		},
		{
			key: "role", def: "all", flag: "role", short: "`ROLE` to run: all, api, worker",
			field: func(c *Config) any { return &c.Role }, check: func(c Config) error { return checkEach(c.Role, "all", "api", "worker") },
			doc: "What this process does: `api` answers requests, `worker` reads boards and sends webhooks, `all` does both. Several are separated by commas.",
		},
		{
			key: "database", flag: "database", short: "`URL` of the database: sqlite:FILE or postgres://…",
			field: func(c *Config) any { return &c.Database }, check: func(c Config) error { return checkDatabase(string(c.Database)) },
			doc: "Where everything is kept: `sqlite:FILE` or `postgres://user:password@host/name`. When empty, `boardwatch.db` in the data directory.",
		},
		{
			key: "data_dir", flag: "data-dir", short: "`DIRECTORY` for the database, keys and locks",
			field: func(c *Config) any { return &c.DataDir },
			doc:   "Directory for the SQLite database, the secret key and the lock files. When empty, `boardwatch` in `$XDG_DATA_HOME` or `~/.local/share`, or `/var/lib/boardwatch` for an account without a home directory.",
		},
		{
			key: "dev", def: "false", flag: "dev", short: "development: boards and webhooks may be on this machine",
			field: func(c *Config) any { return &c.Dev },
			doc:   "Development: this machine's own addresses are allowed for boards, and `http://localhost:port` for webhooks. Not for a service that others can reach.",
		},
		{
			key: "demo", def: "false", flag: "demo", short: "run with an invented company's careers site",
			field: func(c *Config) any { return &c.Demo },
			doc:   "Run with an invented company's careers site inside the process, to see the service at work without the Internet.",
		},
		{
			key: "log.level", def: "info", flag: "log-level", short: "least `LEVEL` logged: debug, info, warn or error",
			field: func(c *Config) any { return &c.Log.Level }, check: func(c Config) error { return checkEach([]string{c.Log.Level}, "debug", "info", "warn", "error") },
			doc: "The least level that is logged: `debug`, `info`, `warn` or `error`.",
		},
		{
			key: "log.format", def: "text", flag: "log-format", short: "`FORMAT` of the log: text or json",
			field: func(c *Config) any { return &c.Log.Format }, check: func(c Config) error { return checkEach([]string{c.Log.Format}, "text", "json") },
			doc: "How the log is written: `text`, or `json` with one object per line.",
		},
		{
			key:   "metrics.listen",
			field: func(c *Config) any { return &c.Metrics.Listen }, check: func(c Config) error { return checkListen(c.Metrics.Listen) },
			doc: "Address and port for Prometheus metrics at `/metrics`. Off when empty.",
		},
	}
	table = append(table, planSettings()...)
	table = append(table, readingSettings()...)
	return append(table, serviceSettings()...)
}

// planSettings are the allowances of each plan.
func planSettings() []setting {
	plan := func(c *Config, name boardwatch.PlanName) *boardwatch.Plan {
		switch name {
		case boardwatch.PlanFree:
			return &c.Plans.Free
		case boardwatch.PlanPro:
			return &c.Plans.Pro
		case boardwatch.PlanUltra:
			return &c.Plans.Ultra
		default:
			panic("no settings for the plan " + string(name))
		}
	}
	var table []setting
	for _, name := range boardwatch.PlanNames() {
		def := boardwatch.DefaultPlans()[name]
		key := "plans." + string(name) + "."
		table = append(table,
			setting{
				key: key + "boards", def: strconv.Itoa(def.Boards),
				field: func(c *Config) any { return &plan(c, name).Boards }, check: func(c Config) error { return atLeast(0, plan(&c, name).Boards) },
				doc: "How many boards of an account on this plan are read. Further ones stay on its list, locked.",
			},
			setting{
				key: key + "cadence", def: shortDuration(def.Cadence),
				field: func(c *Config) any { return &plan(c, name).Cadence }, check: func(c Config) error { return positive(plan(&c, name).Cadence) },
				doc: "How often the boards of this plan are read. A shared board is read at the fastest cadence of those who track it.",
			},
			setting{
				key: key + "rest", def: strconv.FormatBool(def.REST), field: func(c *Config) any { return &plan(c, name).REST },
				doc: "Whether this plan includes the REST interface.",
			},
			setting{
				key: key + "mcp", def: strconv.FormatBool(def.MCP), field: func(c *Config) any { return &plan(c, name).MCP },
				doc: "Whether this plan includes the MCP connector.",
			},
			setting{
				key: key + "webhooks", def: strconv.FormatBool(def.Webhooks), field: func(c *Config) any { return &plan(c, name).Webhooks },
				doc: "Whether this plan includes webhooks.",
			},
		)
	}
	return table
}

// readingSettings say how boards are read and judged.
func readingSettings() []setting {
	return []setting{
		{
			key: "checks.close_after", def: "3",
			field: func(c *Config) any { return &c.Checks.CloseAfter }, check: func(c Config) error { return atLeast(2, c.Checks.CloseAfter) },
			doc: "How many healthy checks in a row must miss a role before it is closed. At least 2: a single absence never closes a role.",
		},
		{
			key: "checks.suspect_hold", def: "24h",
			field: func(c *Config) any { return &c.Checks.SuspectHold }, check: func(c Config) error { return notNegative(c.Checks.SuspectHold) },
			doc: "How long roles that vanished in great number must stay away before they count as absent.",
		},
		{
			key: "checks.timeout", def: "10m",
			field: func(c *Config) any { return &c.Checks.Timeout }, check: func(c Config) error { return positive(c.Checks.Timeout) },
			doc: "The longest that one check of one board may take, retries and pauses included. A list of 10,000 roles in pages of 20 needs 500 requests, one a second.",
		},
		{
			key: "checks.concurrency", def: "16",
			field: func(c *Config) any { return &c.Checks.Concurrency }, check: func(c Config) error { return between(1, 10_000, c.Checks.Concurrency) },
			doc: "How many boards one process reads at the same time.",
		},
		{
			key: "checks.retention", def: "2160h",
			field: func(c *Config) any { return &c.Checks.Retention }, check: func(c Config) error { return positive(c.Checks.Retention) },
			doc: "How long the history of checks is kept. Roles are kept for ever.",
		},
		{
			key:   "http.proxy",
			field: func(c *Config) any { return &c.HTTP.Proxy }, check: func(c Config) error { return checkURL(string(c.HTTP.Proxy), "http", "https", "socks5") },
			doc: "Proxy for reading boards. When empty, `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are honoured.",
		},
		{
			key: "http.user_agent", field: func(c *Config) any { return &c.HTTP.UserAgent },
			check: func(c Config) error { return checkPrintable(c.HTTP.UserAgent) },
			doc:   "What the program calls itself when it reads boards. When empty, its own name and version.",
		},
		{
			key: "http.pause", def: "1s",
			field: func(c *Config) any { return &c.HTTP.Pause }, check: func(c Config) error { return notNegative(c.HTTP.Pause) },
			doc: "Pause between two requests to the same host and port, which go one at a time. There is none on loopback.",
		},
		{
			key: "http.allow_private", def: "false", field: func(c *Config) any { return &c.HTTP.AllowPrivate },
			doc: "Whether boards may be on private addresses, such as a company's own network, and on this machine's own.",
		},
		{
			key: "http.max_body", def: "10MiB",
			field: func(c *Config) any { return &c.HTTP.MaxBody }, check: func(c Config) error { return between(1024, 1<<30, int64(c.HTTP.MaxBody)) },
			doc: "The longest answer that is read, after decompression.",
		},
		{
			key: "http.obey_robots", def: "true", field: func(c *Config) any { return &c.HTTP.ObeyRobots },
			doc: "Whether `robots.txt` is obeyed on ordinary pages. Lists that hosted systems publish for programs are read in any case; a board may have a rule of its own (`board set --robots`).",
		},
		{
			key: "browser.mode", def: "auto", flag: "browser", short: "`WHEN` to use a browser: auto, never or always",
			field: func(c *Config) any { return &c.Browser.Mode }, check: func(c Config) error { return checkEach([]string{c.Browser.Mode}, "auto", "never", "always") },
			doc: "When a page is shown in a browser before it is read: `auto` when it needs one, `never` or `always`.",
		},
		{
			key: "browser.path", field: func(c *Config) any { return &c.Browser.Path },
			doc: "The Chromium program. When empty, it is looked for in the usual places.",
		},
		{
			key:   "browser.remote_url",
			field: func(c *Config) any { return &c.Browser.RemoteURL }, check: func(c Config) error { return checkRemotes(c.Browser.RemoteURL) },
			doc: "DevTools addresses (`ws://` or `wss://`) of browsers on other machines. Several are separated by commas; pages are spread over those that answer.",
		},
		{
			key: "browser.max_pages", def: "0",
			field: func(c *Config) any { return &c.Browser.MaxPages }, check: func(c Config) error { return between(0, 1000, c.Browser.MaxPages) },
			doc: "How many pages each browser shows at the same time. 0 is two for each core of this machine.",
		},
		{
			key: "browser.max_memory", def: "2GiB",
			field: func(c *Config) any { return &c.Browser.MaxMemory }, check: func(c Config) error { return between(256<<20, 1<<40, int64(c.Browser.MaxMemory)) },
			doc: "A browser on this machine that uses more memory, with all its helpers, is ended and started anew. It is watched on Linux.",
		},
		{
			key: "browser.no_sandbox", def: "false", field: func(c *Config) any { return &c.Browser.NoSandbox },
			doc: "Start Chromium without its sandbox, where a container does not allow one.",
		},
	}
}

// serviceSettings are those of webhooks, connections, mail and sign-up.
func serviceSettings() []setting {
	return []setting{
		{
			key: "webhooks.retry_schedule", def: "1m,5m,30m,2h,12h",
			field: func(c *Config) any { return &c.Webhook.RetrySchedule }, check: func(c Config) error { return checkSchedule(c.Webhook.RetrySchedule) },
			doc: "The waits between the attempts at a delivery. Five waits are six attempts.",
		},
		{
			key: "webhooks.timeout", def: "10s",
			field: func(c *Config) any { return &c.Webhook.Timeout }, check: func(c Config) error { return positive(c.Webhook.Timeout) },
			doc: "How long a receiver may take to answer, connecting included.",
		},
		{
			key: "webhooks.disable_after", def: "72h",
			field: func(c *Config) any { return &c.Webhook.DisableAfter }, check: func(c Config) error { return positive(c.Webhook.DisableAfter) },
			doc: "A webhook is switched off when a delivery dies and nothing has succeeded for this long.",
		},
		{
			key: "webhooks.retention", def: "720h",
			field: func(c *Config) any { return &c.Webhook.Retention }, check: func(c Config) error { return positive(c.Webhook.Retention) },
			doc: "How long deliveries stay in the log after their last attempt. The last twenty of a webhook stay in any case.",
		},
		{
			key: "webhooks.header_prefix", def: "X-Boardwatch",
			field: func(c *Config) any { return &c.Webhook.HeaderPrefix }, check: func(c Config) error { return checkHeaderPrefix(c.Webhook.HeaderPrefix) },
			doc: "What the names of the headers of a delivery begin with: `<prefix>-Event`, `-Delivery`, `-Signature`.",
		},
		{
			key:   "webhooks.proxy",
			field: func(c *Config) any { return &c.Webhook.Proxy }, check: func(c Config) error { return checkURL(string(c.Webhook.Proxy), "http", "https", "socks5") },
			doc: "Proxy for deliveries. When empty they go out directly: the proxy variables of the environment do not concern them.",
		},
		{
			key: "webhooks.concurrency", def: "32",
			field: func(c *Config) any { return &c.Webhook.Concurrency }, check: func(c Config) error { return between(1, 10_000, c.Webhook.Concurrency) },
			doc: "How many deliveries one process sends at the same time; at most 4 of them go to one webhook.",
		},
		{
			key: "oauth.access_ttl", def: "1h",
			field: func(c *Config) any { return &c.OAuth.AccessTTL }, check: func(c Config) error { return positive(c.OAuth.AccessTTL) },
			doc: "How long an access token of a connected program is good.",
		},
		{
			key: "oauth.refresh_ttl", def: "720h",
			field: func(c *Config) any { return &c.OAuth.RefreshTTL }, check: func(c Config) error { return positive(c.OAuth.RefreshTTL) },
			doc: "How long a connected program may stay away before a person has to allow it again.",
		},
		{
			key: "oauth.refresh_grace", def: "60s",
			field: func(c *Config) any { return &c.OAuth.RefreshGrace }, check: func(c Config) error { return notNegative(c.OAuth.RefreshGrace) },
			doc: "How long a refresh token that was used already still yields an access token, for programs whose answer was lost.",
		},
		{
			key: "oauth.grant_ttl", def: "4320h",
			field: func(c *Config) any { return &c.OAuth.GrantTTL }, check: func(c Config) error { return positive(c.OAuth.GrantTTL) },
			doc: "How long a connected program may go on at most before a person has to allow it again.",
		},
		{
			key: "oauth.redirect_schemes", def: "cursor,vscode,vscode-insiders",
			field: func(c *Config) any { return &c.OAuth.RedirectSchemes }, check: func(c Config) error { return checkSchemes(c.OAuth.RedirectSchemes) },
			doc: "Schemes, besides `https` and `http` on the person's own machine, at which programs may take the answer to a request for access. Several are separated by commas.",
		},
		{
			key: "oauth.allow_http", def: "false", field: func(c *Config) any { return &c.OAuth.AllowHTTP },
			doc: "Whether programs may be given access although the base URL is `http` and not this machine. Their tokens can then be read on the way.",
		},
		{
			key:   "mcp.allowed_origins",
			field: func(c *Config) any { return &c.MCP.AllowedOrigins }, check: func(c Config) error { return checkOrigins(c.MCP.AllowedOrigins) },
			doc: "Web pages, such as `https://inspector.example.com`, that may use the MCP connector from a browser. Several are separated by commas.",
		},
		{
			key:   "secrets.key",
			field: func(c *Config) any { return &c.Secrets.Key }, check: checkSecretsKey,
			doc: "The key under which webhook secrets are kept: 32 random bytes in base64, as `openssl rand -base64 32` makes them.",
		},
		{
			key: "secrets.key_file", field: func(c *Config) any { return &c.Secrets.KeyFile },
			doc: "File that holds the key. When neither is given, `secret.key` in the data directory, made on first start. Keep a copy: without it the webhook secrets in the database are lost.",
		},
		{
			key:   "mail.smtp_url",
			field: func(c *Config) any { return &c.Mail.SMTPURL }, check: func(c Config) error { return checkURL(string(c.Mail.SMTPURL), "smtp", "smtps") },
			doc: "Mail server: `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. When empty no mail is sent, and the links that people need go to the log.",
		},
		{
			key:   "mail.from",
			field: func(c *Config) any { return &c.Mail.From }, check: func(c Config) error { return checkMailFrom(c.Mail.From) },
			doc: "Sender of the service's mail, such as `Boardwatch <boards@example.com>`. When empty, `boardwatch` at the host of the base URL.",
		},
		{
			key: "mail.digest_hour", def: "7",
			field: func(c *Config) any { return &c.Mail.DigestHour }, check: func(c Config) error { return between(0, 23, c.Mail.DigestHour) },
			doc: "Hour of the day at which the daily mail goes out to those who chose no other, in each one's time zone; in UTC to those who chose none.",
		},
		{
			key: "signup.mode", def: "closed",
			field: func(c *Config) any { return &c.Signup.Mode }, check: func(c Config) error { return checkEach([]string{c.Signup.Mode}, "closed", "invite", "open") },
			doc: "Who may make an account: nobody (`closed`), those with an invitation (`invite`), or anybody (`open`). An operator always may.",
		},
		{
			key: "signup.plan", def: string(boardwatch.PlanFree),
			field: func(c *Config) any { return &c.Signup.Plan }, check: func(c Config) error { return checkEach([]string{c.Signup.Plan}, planWords()...) },
			doc: "The plan of new accounts.",
		},
		{
			key:   "admin.email",
			field: func(c *Config) any { return &c.Admin.Email }, check: func(c Config) error { return checkEmail(c.Admin.Email) },
			doc: "Address of the first operator, whose account is made on start while there is no account. When empty, the log says at which address a person can make it.",
		},
		{
			key:   "admin.password",
			field: func(c *Config) any { return &c.Admin.Password }, check: func(c Config) error { return checkPassword(string(c.Admin.Password)) },
			doc: "Password of the first operator. It is used once, when the account is made, and can be removed then.",
		},
	}
}

// databaseURL is where everything is kept: sqlite:FILE or postgres://…, the password included.
func (c Config) databaseURL() string { return string(c.Database) }

// baseURL is the address of the service without a slash at its end. listen is the address it really listens on, which
// stands in when none is configured.
func (c Config) baseURL(listen string) string {
	if c.BaseURL != "" {
		return strings.TrimSuffix(c.BaseURL, "/")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "http://" + listen
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// runs reports whether the process has a role: "api" or "worker".
func (c Config) runs(role string) bool {
	return slices.Contains(c.Role, role) || slices.Contains(c.Role, "all")
}

// plans are the allowances of all plans.
func (c Config) plans() boardwatch.Plans {
	return boardwatch.Plans{boardwatch.PlanFree: c.Plans.Free, boardwatch.PlanPro: c.Plans.Pro, boardwatch.PlanUltra: c.Plans.Ultra}
}

// rules are the settings on which the rules of the core depend.
func (c Config) rules() boardwatch.Rules {
	return boardwatch.Rules{
		CloseAfter: c.Checks.CloseAfter, SuspectHold: c.Checks.SuspectHold,
		RetrySchedule: c.Webhook.RetrySchedule, DisableAfter: c.Webhook.DisableAfter,
	}
}

// trusted are the networks of the proxies in front of the service.
func (c Config) trusted() []netip.Prefix {
	var list []netip.Prefix
	for _, s := range c.TrustedProxies {
		if p, err := parseNetwork(s); err == nil { // else it was refused before
			list = append(list, p.Masked())
		}
	}
	return list
}

func (l logConfig) level() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.Level)); err != nil {
		return slog.LevelInfo
	}
	return level
}

func planWords() []string {
	var words []string
	for _, name := range boardwatch.PlanNames() {
		words = append(words, string(name))
	}
	return words
}
