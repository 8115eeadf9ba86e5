package config

import (
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
)

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

// paceSettings are the paces of hosted systems. Systems of whose pace nothing is known have no default, and are not listed.
func paceSettings() []Setting {
	var table []Setting
	for _, a := range ats.All() {
		about := aboutOf(a)
		s := Setting{
			Key:   "http.pace." + a.Name(),
			field: func(c *Config) any { return c.HTTP.paceOf(a.Name()) },
			check: func(c Config) error { return positive(*c.HTTP.paceOf(a.Name())) },
			Doc:   "Time between the beginnings of two requests to a host of " + about.Name + ". [Why](ats.md#" + a.Name() + ").",
		}
		if about.Pace.Every > 0 {
			s.Default = ShortDuration(about.Pace.Every)
		} else {
			s.unlisted = true
		}
		table = append(table, s)
	}
	return table
}

// paceOf is where the pace of a system is kept.
func (h *HTTP) paceOf(system string) *time.Duration {
	if h.Pace == nil {
		h.Pace = make(map[string]*time.Duration)
	}
	if h.Pace[system] == nil {
		h.Pace[system] = new(time.Duration)
	}
	return h.Pace[system]
}

// noPause is from where on downwards an operator wants no pauses at all: tests and demonstrations, on hosts of their own.
const noPause = 10 * time.Millisecond

// Paces are the paces of the hosted systems that have one. With an http.pause of less than noPause, only paces that were
// changed count.
func (h HTTP) Paces() map[string]pace.Pace {
	paces := make(map[string]pace.Pace)
	for _, a := range ats.All() {
		known, every := aboutOf(a).Pace, h.Pace[a.Name()]
		if every == nil || *every <= 0 || h.Pause < noPause && *every == known.Every {
			continue
		}
		paces[a.Name()] = pace.Pace{Every: *every, AtOnce: atOnce(known, *every)}
	}
	return paces
}

// atOnce is how many requests may be under way at the operator's pace: more than usual, if that is faster than usual.
func atOnce(known ats.Pace, every time.Duration) int {
	usual, most := known.Every, max(1, known.AtOnce)
	if usual == 0 {
		usual = time.Second
	}
	if every >= usual {
		return most
	}
	return int((time.Duration(most)*usual + every - 1) / every)
}

func aboutOf(a ats.Adapter) ats.About {
	if d, ok := a.(ats.Described); ok {
		return d.About()
	}
	return ats.About{Name: a.Name()}
}
