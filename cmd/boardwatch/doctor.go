package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
)

// findingState says how serious a finding is.
type findingState string

const (
	stateOK      findingState = "ok"
	stateWarning findingState = "warning" // works, but a person should know
	stateFault   findingState = "fault"   // does not work
)

// finding is one thing that the doctor looked at.
type finding struct {
	Check  string       `json:"check"`
	State  findingState `json:"state"`
	Detail string       `json:"detail"`
}

func newDoctorCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Examine this installation for problems; exit 1 if there is a fault",
		Long: `Examine the settings, the database, the data directory, the browser, proxies, the mail server, the clock and the
boards, and the hosts that refuse requests, and report what is wrong with them. Nothing is changed, and nothing leaves this machine except a greeting to
the mail server.

  boardwatch doctor
  boardwatch doctor -o json`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(c, cmd) },
	}
	config.AddFlags(cmd.Flags(), "listen", "base_url")
	return cmd
}

func runDoctor(c *cli, cmd *cobra.Command) error {
	l, err := c.load(cmd)
	if err != nil {
		if printErr := c.printFindings([]finding{{"config", stateFault, "the settings are wrong"}}); printErr != nil {
			return printErr
		}
		return err
	}
	home := examineDataDir(l)
	findings := []finding{examineFile(l), home}
	if l.Dev {
		findings = append(findings, finding{"dev", stateWarning, "dev is true: " + devOpens})
	}
	if f, ok := examineProxiesInFront(l.Config, inContainer()); ok {
		findings = append(findings, f)
	}
	key, keyErr := knownKey(l.Config)
	if keyErr != nil && home.State != stateFault { // which says it already
		findings = append(findings, finding{"secrets key", stateFault, keyErr.Error()})
	}
	if f, ok := examineKeyFile(l.Config); ok {
		findings = append(findings, f)
	}
	findings = append(findings, examineDatabase(cmd.Context(), c, l.Config, key, keyErr == nil)...)
	findings = append(findings, examineBrowsers(l.Config)...)
	findings = append(findings, c.examineProxy(l.HTTP), examineBaseURL(l.Config), examineMail(cmd.Context(), l.Config))
	if err := c.printFindings(findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == stateFault {
			return errNegative()
		}
	}
	return nil
}

func (c *cli) printFindings(findings []finding) error {
	err := printList(c, findings,
		column[finding]{"STATE", finding.mark},
		column[finding]{"CHECK", func(f finding) string { return f.Check }},
		column[finding]{"DETAIL", func(f finding) string { return f.Detail }},
	)
	if err != nil || c.format() != outputTable {
		return err
	}
	faults, warnings := 0, 0
	for _, f := range findings {
		switch f.State {
		case stateOK:
		case stateWarning:
			warnings++
		case stateFault:
			faults++
		}
	}
	_, err = fmt.Fprintf(c.Out, "%s, %s\n", count(faults, "fault"), count(warnings, "warning"))
	return err
}

// mark is a finding's state as a sign in a table.
func (f finding) mark() string {
	switch f.State {
	case stateFault:
		return "✗"
	case stateWarning:
		return "!"
	case stateOK:
		return "✓"
	default:
		return "?"
	}
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func examineFile(l config.Loaded) finding {
	if l.File == "" {
		return finding{"config", stateOK, "no settings file; defaults, environment and flags"}
	}
	return finding{"config", stateOK, l.File}
}

// examineDataDir tries to write where the service will have to.
func examineDataDir(l config.Loaded) finding {
	dir := l.DataDir
	info, err := os.Stat(dir)
	_, holdsDatabase := sqliteFile(l.Config)
	holdsKey := l.Secrets.Key == "" && l.Secrets.KeyFile == ""
	switch {
	case errors.Is(err, fs.ErrNotExist) && !holdsDatabase && !holdsKey:
		return finding{"data directory", stateOK, dir + " is not there, and nothing needs it"}
	case errors.Is(err, fs.ErrNotExist):
		return finding{"data directory", stateWarning, dir + " is not there yet; it is made on first start"}
	case err != nil:
		return finding{"data directory", stateFault, dir + ": " + config.PlainReadError(err).Error()}
	case !info.IsDir():
		return finding{"data directory", stateFault, dir + " is not a directory"}
	}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return finding{"data directory", stateFault, dir + " cannot be written: " + config.PlainReadError(err).Error()}
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return finding{"data directory", stateFault, dir + " cannot be written: " + err.Error()}
	}
	if info.Mode().Perm()&0o007 != 0 {
		return finding{"data directory", stateWarning, dir + " is open to every user of this machine; run chmod o-rwx on it"}
	}
	return finding{"data directory", stateOK, dir + " can be written"}
}

// examineProxy says how boards are reached.
func (c *cli) examineProxy(cfg config.HTTP) finding {
	if cfg.Proxy != "" {
		return finding{"proxy", stateOK, "http.proxy " + cfg.Proxy.String()}
	}
	var set []string
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"} {
		value, ok := c.env(name)
		if !ok {
			value, ok = c.env(strings.ToLower(name))
		}
		switch {
		case !ok:
		case name == "NO_PROXY":
			set = append(set, name+" "+value)
		case config.CheckURL(value, "http", "https", "socks5") != nil && config.CheckURL("http://"+value, "http") != nil:
			return finding{"proxy", stateFault, name + " is not the address of a proxy"}
		default:
			set = append(set, name+" "+config.Secret(value).String())
		}
	}
	if len(set) == 0 {
		return finding{"proxy", stateOK, "none"}
	}
	return finding{"proxy", stateOK, strings.Join(set, ", ")}
}

// examineBaseURL says whether the public address suits what the service listens on.
func examineBaseURL(cfg config.Config) finding {
	base := cfg.PublicURL(cfg.Listen)
	u, err := url.Parse(base)
	if err != nil {
		return finding{"base url", stateFault, "base_url is not an address"}
	}
	host, _, err := net.SplitHostPort(cfg.Listen)
	local := err == nil && boardwatch.IsLocalhost(host)
	switch {
	case cfg.BaseURL == "" && !local:
		return finding{"base url", stateWarning, "the service listens on " + cfg.Listen + " and base_url is empty: links in mail and sign-in will say " + base}
	case u.Scheme == "http" && !boardwatch.IsLocalhost(u.Hostname()):
		return finding{"base url", stateWarning, base + " is not https: passwords and keys travel in the open"}
	default:
		return finding{"base url", stateOK, base}
	}
}

// maxSkew is how far this machine's clock may be from the database's.
const maxSkew = 2 * time.Second

// examineClock compares this machine's clock with the one that every stamp comes from.
func examineClock(now, store time.Time) finding {
	skew := now.Sub(store).Abs().Round(time.Millisecond)
	if skew > maxSkew {
		return finding{"clock", stateWarning, fmt.Sprintf("this machine and the database are %s apart; synchronise both", skew)}
	}
	return finding{"clock", stateOK, fmt.Sprintf("%s off the database's", skew)}
}

// examineKey says whether the key for webhook secrets is the one that the database was made with; no key is one that
// was not made yet.
func examineKey(ctx context.Context, store *storage.Store, key []byte) finding {
	err := store.CheckSealKey(ctx)
	switch {
	case errors.Is(err, storage.ErrSealKey) && key == nil:
		return finding{"secrets key", stateFault, "webhook secrets in the database are encrypted, and their key is gone: copy secret.key into the data directory, or set secrets.key or secrets.key_file; if it is lost, \"boardwatch rotate-key --lost\" deletes all webhooks and begins with a new one"}
	case errors.Is(err, storage.ErrSealKey):
		return finding{"secrets key", stateFault, err.Error() + `; if that is lost, "boardwatch rotate-key --lost" deletes all webhooks and goes on with this one`}
	case err != nil:
		return finding{"secrets key", stateFault, err.Error()}
	case key == nil:
		return finding{"secrets key", stateOK, "not made yet; it is made on first start"}
	default:
		return finding{"secrets key", stateOK, "opens the webhook secrets in the database"}
	}
}

// examineAccounts says whether somebody may operate the installation from the app. The first start sees to it itself
// when there is no account at all.
func examineAccounts(accounts []account.Account) finding {
	f := finding{"accounts", stateOK, count(len(accounts), "account")}
	if len(accounts) > 0 && !slices.ContainsFunc(accounts, func(a account.Account) bool { return a.Admin }) {
		f.State = stateWarning
		f.Detail += `, none of them an operator's; "boardwatch account create --admin --verified --email EMAIL --password-stdin" makes one`
	}
	return f
}

// examineBoards says what a person should know of the boards.
func examineBoards(stats account.BoardStats, failing []string) finding {
	failed := stats.ByStatus[boardwatch.BoardFailed]
	f := finding{"boards", stateOK, fmt.Sprintf("%s, %d ready, %d failed", count(stats.Total, "board"), stats.ByStatus[boardwatch.BoardReady], failed)}
	if failed > 0 {
		f.State = stateWarning
	}
	if len(failing) > 0 {
		f.Detail += ": " + strings.Join(failing, ", ")
	}
	if more := failed - len(failing); more > 0 && len(failing) > 0 {
		f.Detail += fmt.Sprintf(" and %d more", more)
	}
	if stats.PartialLong > 0 {
		f.State = stateWarning
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
				names = append(names, orText(b.Subscription.CompanyOf(b.Board), b.Board.URL))
			}
		}
	}
	return names, nil
}

// databaseTimeout is how long the database may take to answer the doctor.
const databaseTimeout = 10 * time.Second

// examineDatabase opens the database as it is; one that is not there yet is not made.
func examineDatabase(ctx context.Context, c *cli, cfg config.Config, key []byte, checkKey bool) []finding {
	where := cfg.Database.String()
	if file, ok := sqliteFile(cfg); ok {
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist): // openStore says so
		case err != nil:
			return []finding{{"database", stateFault, file + ": " + config.PlainReadError(err).Error()}}
		case info.IsDir():
			return []finding{{"database", stateFault, file + " is a directory"}}
		}
		where = file
		if err == nil {
			where += ", " + config.ByteSize(info.Size()+sizeOf(file+"-wal")).Rough()
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, databaseTimeout, errors.New("no answer in time"))
	defer cancel()
	store, err := openStore(ctx, cfg, storage.Options{NoMigrate: true, NoCreate: true, Now: c.Now, SealKey: key})
	if errors.Is(err, storage.ErrNoDatabase) {
		return []finding{{"database", stateWarning, where + " is not there yet; it is made on first start"}}
	}
	if err != nil {
		return []finding{{"database", stateFault, err.Error()}}
	}
	findings := examineStore(ctx, store, c.Now, where)
	file, alone := sqliteFile(cfg)
	if alone {
		findings = append(findings, examineDisk(freeSpace(file)))
	}
	if findings[0].State == stateOK {
		if !alone { // else the service has it in its memory
			findings = append(findings, examinePace(ctx, store))
		}
		findings = append(findings, conditionOf(ctx, store)...)
		if checkKey {
			findings = append(findings, examineKey(ctx, store, key))
		}
	}
	if err := store.Close(); err != nil {
		findings = append(findings, finding{"database", stateFault, err.Error()})
	}
	return findings
}

// examineStore looks into an open database.
func examineStore(ctx context.Context, store *storage.Store, now func() time.Time, where string) []finding {
	steps, err := store.Migrations(ctx)
	if errors.Is(err, storage.ErrNewerSchema) {
		return []finding{{"database", stateFault, where + ": " + storage.ErrNewerSchema.Error()}}
	}
	if err != nil {
		return []finding{{"database", stateFault, unreached(err).Error()}}
	}
	taken := 0
	for _, step := range steps {
		if !step.AppliedAt.IsZero() {
			taken++
		}
	}
	where += fmt.Sprintf(", schema %d of %d", taken, len(steps))
	if taken < len(steps) {
		return []finding{{"database", stateWarning, where + "; run \"boardwatch migrate\", or start the service, which does it too"}}
	}
	findings := []finding{{"database", stateOK, where}}
	clock, err := store.Now(ctx)
	if err != nil {
		return append(findings, finding{"clock", stateFault, err.Error()})
	}
	findings = append(findings, examineClock(now(), clock))
	accounts, err := store.Accounts(ctx)
	if err != nil {
		return append(findings, finding{"accounts", stateFault, err.Error()})
	}
	findings = append(findings, examineAccounts(accounts))
	stats, err := store.BoardStats(ctx)
	if err != nil {
		return append(findings, finding{"boards", stateFault, err.Error()})
	}
	var failing []string
	if stats.ByStatus[boardwatch.BoardFailed] > 0 {
		if failing, err = failingBoards(ctx, store); err != nil {
			return append(findings, finding{"boards", stateFault, err.Error()})
		}
	}
	return append(findings, examineBoards(stats, failing))
}
