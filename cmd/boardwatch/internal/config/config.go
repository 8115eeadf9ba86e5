// Package config holds every setting of the program in one table. Flags, environment variables, the settings file, the
// sample file and the documentation are all derived from it. Load reads, merges and validates the settings once.
package config

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

// Config is every setting, read, merged and validated once. From here on there are only typed values.
type Config struct {
	Listen         string
	BaseURL        string // empty: made from Listen, see PublicURL
	TrustedProxies []string
	Role           []string
	Database       Secret
	DataDir        string
	Contact        string // of the operator: an e-mail address or a page
	Dev            bool
	Demo           bool

	Log     Log
	Metrics Metrics
	Traces  Traces
	Plans   Plans
	Checks  Checks
	Roles   Roles
	HTTP    HTTP
	Browser Browser
	Teacher Teacher
	Webhook Webhook
	Channel Channel
	OAuth   OAuth
	MCP     MCP
	Secrets Secrets
	Mail    Mail
	Signup  Signup
	OIDC    OIDC
	Admin   Admin

	Unread string // a file with settings of this machine's service that this user may not read; empty: none
}

// Log are the settings whose keys begin with "log".
type Log struct{ Level, Format string }

// Metrics are the settings whose keys begin with "metrics".
type Metrics struct{ Listen string }

// Traces are the settings whose keys begin with "traces".
type Traces struct{ AcceptParent bool }

// Plans are the settings whose keys begin with "plans".
type Plans struct{ Free, Pro, Ultra account.Plan }

// Checks are the settings whose keys begin with "checks".
type Checks struct {
	CloseAfter  int
	CloseHold   time.Duration
	SuspectHold time.Duration
	MaxRoles    int
	MaxGrowth   ByteSize
	Timeout     time.Duration
	MaxPages    int
	Concurrency int
	Retention   time.Duration
}

// Roles are the settings whose keys begin with "roles".
type Roles struct {
	Details, Texts string
	TextRetention  time.Duration
}

// HTTP are the settings whose keys begin with "http".
type HTTP struct {
	Proxy        Secret
	UserAgent    string
	Pause        time.Duration
	Pace         map[string]*time.Duration // by hosted system; those that have none take Pause
	AllowPrivate bool
	MaxBody      ByteSize
	ParseMemory  ByteSize
	ObeyRobots   bool
}

// Browser are the settings whose keys begin with "browser".
type Browser struct {
	Mode      string
	Path      string
	RemoteURL SecretList
	MaxPages  int
	MaxMemory ByteSize
	NoSandbox bool
}

// Teacher are the settings whose keys begin with "teacher".
type Teacher struct {
	URL, Model string
	Key        Secret
	DailyLimit int
}

// Webhook are the settings whose keys begin with "webhooks".
type Webhook struct {
	RetrySchedule []time.Duration
	Timeout       time.Duration
	DisableAfter  time.Duration
	Retention     time.Duration
	HeaderPrefix  string
	Proxy         Secret
	Concurrency   int
}

// Channel are the settings whose keys begin with "channels".
type Channel struct {
	PrivateHosts []string
}

// OAuth are the settings whose keys begin with "oauth".
type OAuth struct {
	AccessTTL, RefreshTTL, RefreshGrace time.Duration

	GrantTTL        time.Duration
	RedirectSchemes []string
	AllowHTTP       bool
}

// MCP are the settings whose keys begin with "mcp".
type MCP struct{ AllowedOrigins []string }

// Secrets are the settings whose keys begin with "secrets".
type Secrets struct {
	Key     Secret
	KeyFile string
}

// Mail are the settings whose keys begin with "mail".
type Mail struct {
	SMTPURL    Secret
	Password   Secret
	CAFile     string
	TLSVerify  bool
	From       string
	DigestHour int
}

// Signup are the settings whose keys begin with "signup".
type Signup struct {
	Mode, Plan string
	Password   bool
}

// OIDC are the settings whose keys begin with "oidc".
type OIDC struct {
	Issuer, ClientID string
	ClientSecret     Secret
	Scopes           []string
	Name             string
	AllowedDomains   []string
	Create           bool
}

// Admin are the settings whose keys begin with "admin".
type Admin struct {
	Email    string
	Password Secret
}

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

// teacherSettings say which language model is asked about pages that are not understood.
func teacherSettings() []Setting {
	return []Setting{
		{
			Key: "teacher.url", field: func(c *Config) any { return &c.Teacher.URL }, check: func(c Config) error { return checkTeacher(c.Teacher) },
			Doc: "A server with the OpenAI chat API, such as `http://127.0.0.1:11434/v1`. When a page was not understood, it is asked which texts are titles of roles. When empty, this is off and nothing is sent anywhere. See [recipes](recipes.md).",
		},
		{
			Key: "teacher.model", field: func(c *Config) any { return &c.Teacher.Model },
			check: func(c Config) error { return checkPrintable(c.Teacher.Model) },
			Doc:   "The model to ask. Required with `teacher.url`.",
		},
		{
			Key: "teacher.key", field: func(c *Config) any { return &c.Teacher.Key },
			Doc: "The API key for that server, sent as a bearer token. Leave it empty if the server needs none.",
		},
		{
			Key: "teacher.daily_limit", Default: "50",
			field: func(c *Config) any { return &c.Teacher.DailyLimit }, check: func(c Config) error { return Between(1, 100_000, c.Teacher.DailyLimit) },
			Doc: "How many pages one process may ask about in 24 hours.",
		},
	}
}

// signInSettings say how people sign in.
func signInSettings() []Setting {
	return []Setting{
		{
			Key: "oidc.issuer", field: func(c *Config) any { return &c.OIDC.Issuer }, check: func(c Config) error { return checkProvider(c.OIDC) },
			Doc: "The OpenID Connect provider with which people can sign in, such as `https://login.example.com/realms/main`, exactly as the provider writes it. When empty, there is none. See [signing in](sign-in.md).",
		},
		{
			Key: "oidc.client_id", field: func(c *Config) any { return &c.OIDC.ClientID }, check: func(c Config) error { return checkPrintable(c.OIDC.ClientID) },
			Doc: "The name under which this service is registered at the provider. Required with `oidc.issuer`.",
		},
		{
			Key: "oidc.client_secret", field: func(c *Config) any { return &c.OIDC.ClientSecret },
			Doc: "The secret that the provider has given this service. Leave it empty for a client without one.",
		},
		{
			Key: "oidc.scopes", Default: "email",
			field: func(c *Config) any { return &c.OIDC.Scopes }, check: func(c Config) error { return checkScopes(c.OIDC.Scopes) },
			Doc: "What the provider is asked for, besides `openid`. Several are separated by commas.",
		},
		{
			Key: "oidc.name", Default: "single sign-on",
			field: func(c *Config) any { return &c.OIDC.Name }, check: func(c Config) error { return checkName(c.OIDC.Name) },
			Doc: "What people call the provider: the button says “Sign in with …”.",
		},
		{
			Key: "oidc.allowed_domains", field: func(c *Config) any { return &c.OIDC.AllowedDomains },
			check: func(c Config) error { return checkDomains(c.OIDC.AllowedDomains) },
			Doc:   "Domains of e-mail addresses, such as `example.com`. Only people of the provider with such an address find their account by it, or get one. When empty, every domain counts. Several are separated by commas.",
		},
		{
			Key: "oidc.create", Default: "false", field: func(c *Config) any { return &c.OIDC.Create },
			Doc: "Whether people of the provider get an account when they first sign in. They need an address in one of `oidc.allowed_domains`; without such a list, `signup.mode` must be `open`. An invitation works in any case.",
		},
	}
}

// checkTeacher reports an address that is none, or one without a model.
func checkTeacher(t Teacher) error {
	switch {
	case t.URL == "":
		return nil
	case t.Model == "":
		return errors.New("also needs teacher.model")
	}
	return CheckURL(t.URL, "http", "https")
}

// planSettings are the allowances of each plan.
func planSettings() []Setting {
	plan := func(c *Config, name account.PlanName) *account.Plan {
		switch name {
		case account.PlanFree:
			return &c.Plans.Free
		case account.PlanPro:
			return &c.Plans.Pro
		case account.PlanUltra:
			return &c.Plans.Ultra
		default:
			panic("no settings for the plan " + string(name))
		}
	}
	var table []Setting
	for _, name := range account.PlanNames() {
		def := account.DefaultPlans()[name]
		key := "plans." + string(name) + "."
		table = append(table,
			Setting{
				Key: key + "boards", Default: strconv.Itoa(def.Boards),
				field: func(c *Config) any { return &plan(c, name).Boards }, check: func(c Config) error { return atLeast(0, plan(&c, name).Boards) },
				Doc: "How many of an account's boards are read on this plan. Further boards stay on its list, but locked.",
			},
			Setting{
				Key: key + "cadence", Default: ShortDuration(def.Cadence),
				field: func(c *Config) any { return &plan(c, name).Cadence }, check: func(c Config) error { return positive(plan(&c, name).Cadence) },
				Doc: "How often boards are read on this plan. A board that several accounts track is read at the fastest of their cadences.",
			},
			Setting{
				Key: key + "rest", Default: strconv.FormatBool(def.REST), field: func(c *Config) any { return &plan(c, name).REST },
				Doc: "Whether this plan includes the REST interface.",
			},
			Setting{
				Key: key + "mcp", Default: strconv.FormatBool(def.MCP), field: func(c *Config) any { return &plan(c, name).MCP },
				Doc: "Whether this plan includes the MCP connector.",
			},
			Setting{
				Key: key + "webhooks", Default: strconv.FormatBool(def.Webhooks), field: func(c *Config) any { return &plan(c, name).Webhooks },
				Doc: "Whether this plan includes webhooks.",
			},
		)
	}
	return table
}

// readingSettings say how boards are requested, read and judged.
func readingSettings() []Setting {
	return []Setting{
		{
			Key: "checks.close_after", Default: "3",
			field: func(c *Config) any { return &c.Checks.CloseAfter }, check: func(c Config) error { return atLeast(2, c.Checks.CloseAfter) },
			Doc: "A role is closed after this many healthy checks in a row without it. At least 2: a single absence never closes a role.",
		},
		{
			Key: "checks.close_hold", Default: "24h",
			field: func(c *Config) any { return &c.Checks.CloseHold }, check: func(c Config) error { return notNegative(c.Checks.CloseHold) },
			Doc: "How long a role must have been absent before it is closed. 0 closes it as soon as `checks.close_after` allows.",
		},
		{
			Key: "checks.suspect_hold", Default: "72h",
			field: func(c *Config) any { return &c.Checks.SuspectHold }, check: func(c Config) error { return notNegative(c.Checks.SuspectHold) },
			Doc: "The same for roles that disappeared when a board lost all its roles, or more than half of six or more, at once.",
		},
		{
			Key: "checks.max_roles", Default: "20000",
			field: func(c *Config) any { return &c.Checks.MaxRoles }, check: func(c Config) error { return Between(1, 1_000_000, c.Checks.MaxRoles) },
			Doc: "The most open roles that are kept of one board. A board with more is partial.",
		},
		{
			Key: "checks.max_growth", Default: strconv.Itoa(storage.HourlyGrowth),
			field: func(c *Config) any { return &c.Checks.MaxGrowth }, check: func(c Config) error { return Between(0, 1<<40, int64(c.Checks.MaxGrowth)) },
			Doc: "How much the checks of one account's boards may add to the database within an hour, in bytes. A new role counts 2,000 bytes, or more if its fields are long, and what its source states about it counts what it takes. Facts and texts use at most half of the limit and are read again later. A check that would add more is partial, with the cause `page_limit`, and later checks add the rest. 0 means no limit.",
		},
		{
			Key: "checks.timeout", Default: "10m",
			field: func(c *Config) any { return &c.Checks.Timeout }, check: func(c Config) error { return positive(c.Checks.Timeout) },
			Doc: "Time limit for one check of one board, including retries and pauses. A list of 10,000 roles in pages of 20 needs 500 requests, one a second.",
		},
		{
			Key: "checks.max_pages", Default: "200",
			field: func(c *Config) any { return &c.Checks.MaxPages }, check: func(c Config) error { return Between(1, 10_000, c.Checks.MaxPages) },
			Doc: "How many pages of a paginated list are read on a company's own site, within `checks.timeout`. A longer list is partial: its roles are found, but none is closed.",
		},
		{
			Key: "checks.concurrency", Default: "16",
			field: func(c *Config) any { return &c.Checks.Concurrency }, check: func(c Config) error { return Between(1, 10_000, c.Checks.Concurrency) },
			Doc: "How many boards one process reads at the same time.",
		},
		{
			Key: "checks.retention", Default: "2160h",
			field: func(c *Config) any { return &c.Checks.Retention }, check: func(c Config) error { return positive(c.Checks.Retention) },
			Doc: "How long the history of checks is kept. Roles are kept forever.",
		},
		{
			Key: "roles.details", Default: string(boardwatch.DetailsListed),
			field: func(c *Config) any { return &c.Roles.Details }, check: func(c Config) error { return CheckEach([]string{c.Roles.Details}, "listed", "all", "off") },
			Doc: "Which facts and texts of roles are kept: `listed` (what the answers hold that are read anyway), `all` (also what a role's own page says, which is read once when the role is found) or `off` (none).",
		},
		{
			Key: "roles.texts", Default: string(boardwatch.TextsKept),
			field: func(c *Config) any { return &c.Roles.Texts }, check: func(c Config) error { return CheckEach([]string{c.Roles.Texts}, "keep", "open", "off") },
			Doc: "Which texts of roles are kept: `keep` (also of closed roles), `open` (only of open roles) or `off` (none). Texts that may not be kept any more are deleted within a few hours.",
		},
		{
			Key: "roles.text_retention", Default: "0s",
			field: func(c *Config) any { return &c.Roles.TextRetention }, check: func(c Config) error { return notNegative(c.Roles.TextRetention) },
			Doc: "How long the text of a role is kept after the role has closed. 0 keeps it forever.",
		},
		{
			Key:   "http.proxy",
			field: func(c *Config) any { return &c.HTTP.Proxy }, check: func(c Config) error { return CheckURL(string(c.HTTP.Proxy), "http", "https", "socks5") },
			Doc: "Proxy for reading boards. When empty, the variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` apply.",
		},
		{
			Key: "http.user_agent", field: func(c *Config) any { return &c.HTTP.UserAgent },
			check: func(c Config) error { return checkPrintable(c.HTTP.UserAgent) },
			Doc:   "The `User-Agent` header of requests for boards. When empty, the program's name and version.",
		},
		{
			Key: "http.pause", Default: "1s",
			field: func(c *Config) any { return &c.HTTP.Pause }, check: func(c Config) error { return notNegative(c.HTTP.Pause) },
			Doc: "Pause between two requests to the same host and port. They are always sent one at a time. There is no pause for addresses of this machine. Hosts of hosted systems whose pace is known have their own (`http.pace.…`), and every other system can be given one by its name in sources: `http.pace.ashby`. With 0, or less than 10 ms, hosted systems keep only the paces that you set.",
		},
		{
			Key: "http.allow_private", Default: "false", field: func(c *Config) any { return &c.HTTP.AllowPrivate },
			Doc: "Whether boards may be on private networks, such as a company's own, and on this machine.",
		},
		{
			Key: "http.max_body", Default: "10MiB",
			field: func(c *Config) any { return &c.HTTP.MaxBody }, check: func(c Config) error { return Between(1024, 1<<30, int64(c.HTTP.MaxBody)) },
			Doc: "The largest answer that is read, after decompression.",
		},
		{
			Key: "http.parse_memory", Default: "256MiB",
			field: func(c *Config) any { return &c.HTTP.ParseMemory }, check: func(c Config) error { return Between(16<<20, 1<<40, int64(c.HTTP.ParseMemory)) },
			Doc: "How much memory all pages that are being read may use together. Further pages wait. The memory of a page is estimated before it is read. A page that would use more than this, or more than 64 MiB, fails with the cause `too_large`.",
		},
		{
			Key: "http.obey_robots", Default: "true", field: func(c *Config) any { return &c.HTTP.ObeyRobots },
			Doc: "Whether `robots.txt` is obeyed on ordinary pages. Lists that hosted systems publish for programs are always read. A single board may have its own rule (`board set --robots`).",
		},
	}
}

// browserSettings are those of the browser that renders pages.
func browserSettings() []Setting {
	return []Setting{
		{
			Key: "browser.mode", Default: "auto", Flag: "browser", short: "`WHEN` to use a browser: auto, never or always",
			field: func(c *Config) any { return &c.Browser.Mode }, check: func(c Config) error { return CheckEach([]string{c.Browser.Mode}, "auto", "never", "always") },
			Doc: "When a page is opened in a browser: `auto` (if it needs one), `never` or `always`.",
		},
		{
			Key: "browser.path", field: func(c *Config) any { return &c.Browser.Path },
			Doc: "Path of the Chromium program. When empty, the usual places are searched.",
		},
		{
			Key:   "browser.remote_url",
			field: func(c *Config) any { return &c.Browser.RemoteURL }, check: func(c Config) error { return checkRemotes(c.Browser.RemoteURL) },
			Doc: "DevTools addresses (`ws://` or `wss://`) of browsers on other machines. Several are separated by commas. Pages are distributed among those that answer.",
		},
		{
			Key: "browser.max_pages", Default: "0",
			field: func(c *Config) any { return &c.Browser.MaxPages }, check: func(c Config) error { return Between(0, 1000, c.Browser.MaxPages) },
			Doc: "How many pages each browser opens at the same time. 0 means two for each core of this machine.",
		},
		{
			Key: "browser.max_memory", Default: "2GiB",
			field: func(c *Config) any { return &c.Browser.MaxMemory }, check: func(c Config) error { return Between(256<<20, 1<<40, int64(c.Browser.MaxMemory)) },
			Doc: "Memory limit of a browser on this machine, including its child processes. A browser above it is restarted. Only on Linux.",
		},
		{
			Key: "browser.no_sandbox", Default: "false", field: func(c *Config) any { return &c.Browser.NoSandbox },
			Doc: "Start Chromium without its sandbox, for containers that do not allow one.",
		},
	}
}

// serviceSettings are those of webhooks, connections, mail and sign-up.
func serviceSettings() []Setting {
	return []Setting{
		{
			Key: "webhooks.retry_schedule", Default: "1m,5m,30m,2h,12h",
			field: func(c *Config) any { return &c.Webhook.RetrySchedule }, check: func(c Config) error { return checkSchedule(c.Webhook.RetrySchedule) },
			Doc: "The pauses between attempts at a delivery. Five pauses mean six attempts.",
		},
		{
			Key: "webhooks.timeout", Default: "10s",
			field: func(c *Config) any { return &c.Webhook.Timeout }, check: func(c Config) error { return positive(c.Webhook.Timeout) },
			Doc: "How long a receiver may take to answer, including the time to connect.",
		},
		{
			Key: "webhooks.disable_after", Default: "72h",
			field: func(c *Config) any { return &c.Webhook.DisableAfter }, check: func(c Config) error { return positive(c.Webhook.DisableAfter) },
			Doc: "A webhook is switched off when a delivery has used up its attempts and none has succeeded for this long.",
		},
		{
			Key: "webhooks.retention", Default: "720h",
			field: func(c *Config) any { return &c.Webhook.Retention }, check: func(c Config) error { return positive(c.Webhook.Retention) },
			Doc: "How long deliveries stay in the log after their last attempt. The last twenty deliveries of a webhook are always kept.",
		},
		{
			Key: "webhooks.header_prefix", Default: "X-Boardwatch",
			field: func(c *Config) any { return &c.Webhook.HeaderPrefix }, check: func(c Config) error { return checkHeaderPrefix(c.Webhook.HeaderPrefix) },
			Doc: "Prefix of the headers of a delivery: `<prefix>-Event`, `-Delivery`, `-Signature`.",
		},
		{
			Key:   "webhooks.proxy",
			field: func(c *Config) any { return &c.Webhook.Proxy }, check: func(c Config) error { return CheckURL(string(c.Webhook.Proxy), "http", "https", "socks5") },
			Doc: "Proxy for deliveries. When empty, deliveries are sent directly. The environment's proxy variables do not apply to them.",
		},
		{
			Key: "webhooks.concurrency", Default: "32",
			field: func(c *Config) any { return &c.Webhook.Concurrency }, check: func(c Config) error { return Between(1, 10_000, c.Webhook.Concurrency) },
			Doc: "How many deliveries one process sends at the same time, at most 4 of them to one webhook.",
		},
		{
			Key:   "channels.private_hosts",
			field: func(c *Config) any { return &c.Channel.PrivateHosts }, check: func(c Config) error { return checkHosts(c.Channel.PrivateHosts) },
			Doc: "Hosts, such as `ntfy.lan`, `10.0.0.5:8080` or `[fd00::5]:8080`, that channels may lead to although they are on a private network. Several are separated by commas. A host without a port is allowed on the usual port of the channel's address only: 443 for `https`, 80 for `http`. Networks such as `10.0.0.0/8` are refused.",
		},
		{
			Key: "oauth.access_ttl", Default: "1h",
			field: func(c *Config) any { return &c.OAuth.AccessTTL }, check: func(c Config) error { return positive(c.OAuth.AccessTTL) },
			Doc: "How long an access token of a connected program is valid.",
		},
		{
			Key: "oauth.refresh_ttl", Default: "720h",
			field: func(c *Config) any { return &c.OAuth.RefreshTTL }, check: func(c Config) error { return positive(c.OAuth.RefreshTTL) },
			Doc: "How long a connected program may be inactive before a person has to allow it again.",
		},
		{
			Key: "oauth.refresh_grace", Default: "60s",
			field: func(c *Config) any { return &c.OAuth.RefreshGrace }, check: func(c Config) error { return notNegative(c.OAuth.RefreshGrace) },
			Doc: "How long a refresh token that was already used still yields an access token, for programs that did not receive the first answer.",
		},
		{
			Key: "oauth.grant_ttl", Default: "4320h",
			field: func(c *Config) any { return &c.OAuth.GrantTTL }, check: func(c Config) error { return positive(c.OAuth.GrantTTL) },
			Doc: "How long a connection lasts at most before a person has to allow it again.",
		},
		{
			Key: "oauth.redirect_schemes", Default: "cursor,vscode,vscode-insiders",
			field: func(c *Config) any { return &c.OAuth.RedirectSchemes }, check: func(c Config) error { return checkSchemes(c.OAuth.RedirectSchemes) },
			Doc: "URL schemes that programs may use in their redirect addresses, besides `https`, and `http` on the person's own machine. Several are separated by commas.",
		},
		{
			Key: "oauth.allow_http", Default: "false", field: func(c *Config) any { return &c.OAuth.AllowHTTP },
			Doc: "Whether programs may connect although the base URL is `http` and not on this machine. Their tokens can then be read in transit.",
		},
		{
			Key:   "mcp.allowed_origins",
			field: func(c *Config) any { return &c.MCP.AllowedOrigins }, check: func(c Config) error { return checkOrigins(c.MCP.AllowedOrigins) },
			Doc: "Web pages, such as `https://inspector.example.com`, that may use the MCP connector from a browser. Several are separated by commas.",
		},
		{
			Key:   "secrets.key",
			field: func(c *Config) any { return &c.Secrets.Key }, check: checkSecretsKey,
			Doc: "The key that webhook secrets are encrypted with: 32 random bytes in base64, for example from `openssl rand -base64 32`.",
		},
		{
			Key: "secrets.key_file", field: func(c *Config) any { return &c.Secrets.KeyFile },
			Doc: "File that contains the key. When neither setting is given, `secret.key` in the data directory is used, and created on the first start. Keep a copy: without it the webhook secrets in the database are lost.",
		},
		{
			Key:   "mail.smtp_url",
			field: func(c *Config) any { return &c.Mail.SMTPURL }, check: func(c Config) error { return checkSMTP(c.Mail) },
			Doc: "Mail server: `smtp://user:password@host:587`, or `smtps://` for implicit TLS. Characters such as `#`, `/`, `?` and `%` in the password have to be escaped (`%23`, `%2F`, `%3F`, `%25`); `mail.password` takes it as it is. When empty, no mail is sent, and the links that people need are written to the log.",
		},
		{
			Key:   "mail.password",
			field: func(c *Config) any { return &c.Mail.Password }, check: checkMailPassword,
			Doc: "Password for the mail server, as it is, if `mail.smtp_url` only names the user: `smtp://user@host:587`.",
		},
		{
			Key: "mail.ca_file", field: func(c *Config) any { return &c.Mail.CAFile },
			Doc: "File with the certificates (PEM) of authorities that are trusted for the mail server, besides the system's.",
		},
		{
			Key: "mail.tls_verify", Default: "true", field: func(c *Config) any { return &c.Mail.TLSVerify },
			Doc: "Whether the certificate of the mail server is checked. If not, anybody on the way can read the mail and the password; `mail.ca_file` is safer.",
		},
		{
			Key:   "mail.from",
			field: func(c *Config) any { return &c.Mail.From }, check: func(c Config) error { return checkMailFrom(c.Mail.From) },
			Doc: "Sender of the mail, such as `Boardwatch <boards@example.com>`. When empty, `boardwatch` at the host of the base URL.",
		},
		{
			Key: "mail.digest_hour", Default: "7",
			field: func(c *Config) any { return &c.Mail.DigestHour }, check: func(c Config) error { return Between(0, 23, c.Mail.DigestHour) },
			Doc: "Hour of the day at which the daily mail is sent to people who have not chosen an hour. It is an hour in the person's time zone, or in UTC if they have not chosen one.",
		},
		{
			Key: "signup.mode", Default: "closed",
			field: func(c *Config) any { return &c.Signup.Mode }, check: func(c Config) error { return CheckEach([]string{c.Signup.Mode}, "closed", "invite", "open") },
			Doc: "Who may sign up: nobody (`closed`), people with an invitation (`invite`), or anybody (`open`). Operators can always create accounts.",
		},
		{
			Key: "signup.password", Default: "true",
			field: func(c *Config) any { return &c.Signup.Password }, check: checkWithoutPasswords,
			Doc: "Whether people can sign up and sign in with a password. If not, `oidc.issuer` is required. Operators can always sign in with theirs.",
		},
		{
			Key: "signup.plan", Default: string(account.PlanFree),
			field: func(c *Config) any { return &c.Signup.Plan }, check: func(c Config) error { return CheckEach([]string{c.Signup.Plan}, PlanNames()...) },
			Doc: "The plan of new accounts.",
		},
		{
			Key:   "admin.email",
			field: func(c *Config) any { return &c.Admin.Email }, check: func(c Config) error { return checkEmail(c.Admin.Email) },
			Doc: "E-mail address of the first operator. Their account is created on start if there are no accounts yet. When empty, the log shows a link for creating it.",
		},
		{
			Key:   "admin.password",
			field: func(c *Config) any { return &c.Admin.Password }, check: func(c Config) error { return checkPassword(string(c.Admin.Password)) },
			Doc: "Password of the first operator. It is used once, when the account is created, and can be removed afterwards.",
		},
	}
}

// DatabaseURL is where everything is kept: sqlite:FILE or postgres://…, the password included.
func (c Config) DatabaseURL() string { return string(c.Database) }

// SQLiteFile is the file of a SQLite database.
func (c Config) SQLiteFile() (string, bool) {
	return strings.CutPrefix(c.DatabaseURL(), "sqlite:")
}

// PublicURL is the address of the service without a slash at its end, in the form in which browsers name it. listen is the address it really listens on, which
// stands in when none is configured.
func (c Config) PublicURL(listen string) string {
	if c.BaseURL != "" {
		return c.BaseURL
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

// Runs reports whether the process has a role: "api" or "worker".
func (c Config) Runs(role string) bool {
	return slices.Contains(c.Role, role) || slices.Contains(c.Role, "all")
}

// AllPlans are the allowances of all plans.
func (c Config) AllPlans() account.Plans {
	return account.Plans{account.PlanFree: c.Plans.Free, account.PlanPro: c.Plans.Pro, account.PlanUltra: c.Plans.Ultra}
}

// Rules are the settings on which the rules of the core depend.
func (c Config) Rules() boardwatch.Rules {
	return boardwatch.Rules{
		CloseAfter: c.Checks.CloseAfter, CloseHold: c.Checks.CloseHold, SuspectHold: c.Checks.SuspectHold, MaxRoles: c.Checks.MaxRoles,
		Details: boardwatch.Details(c.Roles.Details), Texts: boardwatch.TextRule(c.Roles.Texts),
		RetrySchedule: c.Webhook.RetrySchedule, DisableAfter: c.Webhook.DisableAfter,
	}
}

// Trusted are the networks of the proxies in front of the service.
func (c Config) Trusted() []netip.Prefix {
	var list []netip.Prefix
	for _, s := range c.TrustedProxies {
		if p, err := parseNetwork(s); err == nil { // else it was refused before
			list = append(list, p.Masked())
		}
	}
	return list
}

// Least is the least level that is logged.
func (l Log) Least() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.Level)); err != nil {
		return slog.LevelInfo
	}
	return level
}

// PlanNames are the names of all plans.
func PlanNames() []string {
	var words []string
	for _, name := range account.PlanNames() {
		words = append(words, string(name))
	}
	return words
}
