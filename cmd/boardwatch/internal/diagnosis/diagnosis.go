// Package diagnosis examines an installation: its settings, files, database, browser, mail server and boards. "boardwatch doctor"
// and the operator's page show what it finds.
package diagnosis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
)

// State says how serious a finding is.
type State string

// The states.
const (
	OK      State = "ok"
	Warning State = "warning" // works, but a person should know
	Fault   State = "fault"   // does not work
)

// Finding is one thing that the doctor looked at.
type Finding struct {
	Check  string `json:"check"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
}

// Mark is a finding's state as a sign in a table.
func (f Finding) Mark() string {
	switch f.State {
	case Fault:
		return "✗"
	case Warning:
		return "!"
	case OK:
		return "✓"
	default:
		return "?"
	}
}

// NoSettings is all that can be said when the settings cannot be read.
func NoSettings() Finding { return Finding{"config", Fault, "the settings are wrong"} }

// Examine looks at everything that an installation needs. env looks up a variable of the environment.
func Examine(
	ctx context.Context, l config.Loaded, env func(name string) (string, bool), now func() time.Time,
) []Finding {
	home := examineDataDir(l)
	findings := []Finding{examineFile(l), home}
	if l.Dev {
		findings = append(findings, Finding{"dev", Warning, "dev is true: " + app.DevOpens})
	}
	if f, ok := examineProxiesInFront(l.Config, InContainer()); ok {
		findings = append(findings, f)
	}
	key, keyErr := app.KnownKey(l.Config)
	if keyErr != nil && home.State != Fault { // which says it already
		findings = append(findings, Finding{"secrets key", Fault, keyErr.Error()})
	}
	if f, ok := examineKeyFile(l.Config); ok {
		findings = append(findings, f)
	}
	findings = append(findings, examineDatabase(ctx, now, l.Config, key, keyErr == nil)...)
	findings = append(findings, examineBrowsers(l.Config)...) //nolint:contextcheck // a browser has a time of its own
	return append(findings, examineProxy(l.HTTP, env), examineBaseURL(l.Config), examineMail(ctx, l.Config))
}

// Service looks at what a running service depends on.
func Service(ctx context.Context, cfg config.Config, store *storage.Store) []Finding {
	ctx, cancel := context.WithTimeoutCause(ctx, databaseTimeout, errors.New("no answer in time"))
	defer cancel()
	found := examineStore(ctx, store, time.Now, cfg.Database.String())
	if file, ok := cfg.SQLiteFile(); ok {
		found = append(found, examineDisk(freeSpace(file)))
	}
	return append(append(found, conditionOf(ctx, store)...), examineMail(ctx, cfg))
}

func examineFile(l config.Loaded) Finding {
	if l.File == "" {
		return Finding{"config", OK, "no settings file; defaults, environment and flags"}
	}
	return Finding{"config", OK, l.File}
}

// examineDataDir tries to write where the service will have to.
func examineDataDir(l config.Loaded) Finding {
	dir := l.DataDir
	info, err := os.Stat(dir)
	_, holdsDatabase := l.SQLiteFile()
	holdsKey := l.Secrets.Key == "" && l.Secrets.KeyFile == ""
	switch {
	case errors.Is(err, fs.ErrNotExist) && !holdsDatabase && !holdsKey:
		return Finding{"data directory", OK, dir + " is not there, and nothing needs it"}
	case errors.Is(err, fs.ErrNotExist):
		return Finding{"data directory", Warning, dir + " is not there yet; it is made on first start"}
	case err != nil:
		return Finding{"data directory", Fault, dir + ": " + config.PlainReadError(err).Error()}
	case !info.IsDir():
		return Finding{"data directory", Fault, dir + " is not a directory"}
	}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return Finding{"data directory", Fault, dir + " cannot be written: " + config.PlainReadError(err).Error()}
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return Finding{"data directory", Fault, dir + " cannot be written: " + err.Error()}
	}
	if info.Mode().Perm()&0o007 != 0 {
		return Finding{"data directory", Warning, dir + " is open to every user of this machine; run chmod o-rwx on it"}
	}
	return Finding{"data directory", OK, dir + " can be written"}
}

// examineProxy says how boards are reached.
func examineProxy(cfg config.HTTP, env func(name string) (string, bool)) Finding {
	if cfg.Proxy != "" {
		return Finding{"proxy", OK, "http.proxy " + cfg.Proxy.String()}
	}
	var set []string
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"} {
		value, ok := env(name)
		if !ok {
			value, ok = env(strings.ToLower(name))
		}
		switch {
		case !ok:
		case name == "NO_PROXY":
			set = append(set, name+" "+value)
		case config.CheckURL(value, "http", "https", "socks5") != nil && config.CheckURL("http://"+value, "http") != nil:
			return Finding{"proxy", Fault, name + " is not the address of a proxy"}
		default:
			set = append(set, name+" "+config.Secret(value).String())
		}
	}
	if len(set) == 0 {
		return Finding{"proxy", OK, "none"}
	}
	return Finding{"proxy", OK, strings.Join(set, ", ")}
}

// examineBaseURL says whether the public address suits what the service listens on.
func examineBaseURL(cfg config.Config) Finding {
	base := cfg.PublicURL(cfg.Listen)
	u, err := url.Parse(base)
	if err != nil {
		return Finding{"base url", Fault, "base_url is not an address"}
	}
	switch {
	case cfg.BaseURL == "" && !config.OnLoopback(cfg.Listen):
		return Finding{"base url", Warning, "the service listens on " + cfg.Listen + " and base_url is empty: links in mail and sign-in will say " + base}
	case u.Scheme == "http" && !boardwatch.IsLocalhost(u.Hostname()):
		return Finding{"base url", Warning, base + " is not https: passwords and keys travel in the open"}
	default:
		return Finding{"base url", OK, base}
	}
}

// maxSkew is how far this machine's clock may be from the database's.
const maxSkew = 2 * time.Second

// examineClock compares this machine's clock with the one that every stamp comes from.
func examineClock(now, store time.Time) Finding {
	skew := now.Sub(store).Abs().Round(time.Millisecond)
	if skew > maxSkew {
		return Finding{"clock", Warning, fmt.Sprintf("this machine and the database are %s apart; synchronise both", skew)}
	}
	return Finding{"clock", OK, fmt.Sprintf("%s off the database's", skew)}
}

// examineAccounts says whether somebody may operate the installation from the app. The first start sees to it itself
// when there is no account at all.
func examineAccounts(accounts []account.Account) Finding {
	f := Finding{"accounts", OK, fmt.Sprintf("%d %s", len(accounts), english.PluralWord(len(accounts), "account", ""))}
	if len(accounts) > 0 && !slices.ContainsFunc(accounts, func(a account.Account) bool { return a.Admin }) {
		f.State = Warning
		f.Detail += `, none of them an operator's; "boardwatch account create --admin --verified --email EMAIL --password-stdin" makes one`
	}
	return f
}

// examineBoards says what a person should know of the boards.
func examineBoards(stats account.BoardStats, failing []string) Finding {
	failed := stats.ByStatus[boardwatch.BoardFailed]
	f := Finding{"boards", OK, fmt.Sprintf("%d %s, %d ready, %d failed", stats.Total, english.PluralWord(stats.Total, "board", ""), stats.ByStatus[boardwatch.BoardReady], failed)}
	if failed > 0 {
		f.State = Warning
	}
	if len(failing) > 0 {
		f.Detail += ": " + strings.Join(failing, ", ")
	}
	if more := failed - len(failing); more > 0 && len(failing) > 0 {
		f.Detail += fmt.Sprintf(" and %d more", more)
	}
	if stats.PartialLong > 0 {
		f.State = Warning
		f.Detail += fmt.Sprintf("; %d were read only in part ten times or more in a row: no role on them is closed", stats.PartialLong)
	}
	return f
}

// failingNamed is how many boards that fail are named.
const failingNamed = 3

// failingBoards are the names of some boards that fail, of those that somebody tracks.
func failingBoards(ctx context.Context, store *storage.Store) ([]string, error) {
	accounts, err := store.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	var names []string
	for _, a := range accounts {
		boards, err := store.Tracked(ctx, a.ID, boardwatch.BoardFailed)
		if err != nil {
			return nil, err
		}
		for _, b := range boards {
			if len(names) == failingNamed {
				return names, nil
			}
			if !named[b.Board.ID] {
				named[b.Board.ID] = true
				names = append(names, cmp.Or(b.Subscription.CompanyOf(b.Board), b.Board.URL))
			}
		}
	}
	return names, nil
}

// databaseTimeout is how long the database may take to answer the doctor.
const databaseTimeout = 10 * time.Second

// examineDatabase opens the database as it is; one that is not there yet is not made.
func examineDatabase(ctx context.Context, now func() time.Time, cfg config.Config, key []byte, checkKey bool) []Finding {
	where := cfg.Database.String()
	if file, ok := cfg.SQLiteFile(); ok {
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist): // OpenStore says so
		case err != nil:
			return []Finding{{"database", Fault, file + ": " + config.PlainReadError(err).Error()}}
		case info.IsDir():
			return []Finding{{"database", Fault, file + " is a directory"}}
		}
		where = file
		if err == nil {
			size := info.Size()
			if wal, err := os.Stat(file + "-wal"); err == nil {
				size += wal.Size()
			}
			where += ", " + config.ByteSize(size).Rough()
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, databaseTimeout, errors.New("no answer in time"))
	defer cancel()
	store, err := app.OpenStore(ctx, cfg, storage.Options{NoMigrate: true, NoCreate: true, Now: now, SealKey: key})
	if errors.Is(err, storage.ErrNoDatabase) {
		return []Finding{{"database", Warning, where + " is not there yet; it is made on first start"}}
	}
	if err != nil {
		return []Finding{{"database", Fault, err.Error()}}
	}
	findings := examineStore(ctx, store, now, where)
	file, alone := cfg.SQLiteFile()
	if alone {
		findings = append(findings, examineDisk(freeSpace(file)))
	}
	if findings[0].State == OK {
		if !alone { // else the service has it in its memory
			findings = append(findings, examinePace(ctx, store))
		}
		findings = append(findings, conditionOf(ctx, store)...)
		if checkKey {
			findings = append(findings, examineKey(ctx, store, key))
		}
	}
	if err := store.Close(); err != nil {
		findings = append(findings, Finding{"database", Fault, err.Error()})
	}
	return findings
}

// examineStore looks into an open database.
func examineStore(ctx context.Context, store *storage.Store, now func() time.Time, where string) []Finding {
	steps, err := store.Migrations(ctx)
	if errors.Is(err, storage.ErrNewerSchema) {
		return []Finding{{"database", Fault, where + ": " + storage.ErrNewerSchema.Error()}}
	}
	if err != nil {
		return []Finding{{"database", Fault, app.Unreached(err).Error()}}
	}
	taken := 0
	for _, step := range steps {
		if !step.AppliedAt.IsZero() {
			taken++
		}
	}
	where += fmt.Sprintf(", schema %d of %d", taken, len(steps))
	if taken < len(steps) {
		return []Finding{{"database", Warning, where + "; run \"boardwatch migrate\", or start the service, which does it too"}}
	}
	findings := []Finding{{"database", OK, where}}
	clock, err := store.Now(ctx)
	if err != nil {
		return append(findings, Finding{"clock", Fault, err.Error()})
	}
	findings = append(findings, examineClock(now(), clock))
	accounts, err := store.Accounts(ctx)
	if err != nil {
		return append(findings, Finding{"accounts", Fault, err.Error()})
	}
	findings = append(findings, examineAccounts(accounts))
	stats, err := store.BoardStats(ctx)
	if err != nil {
		return append(findings, Finding{"boards", Fault, err.Error()})
	}
	var failing []string
	if stats.ByStatus[boardwatch.BoardFailed] > 0 {
		if failing, err = failingBoards(ctx, store); err != nil {
			return append(findings, Finding{"boards", Fault, err.Error()})
		}
	}
	return append(findings, examineBoards(stats, failing))
}
