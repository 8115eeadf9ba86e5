// Package config holds every setting of the program in one table. Flags, environment variables, the settings file, the
// sample file and the documentation are all derived from it. Load reads, merges and validates the settings once.
package config

import (
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
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
