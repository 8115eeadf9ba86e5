package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/service"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport"
)

const (
	demoEmail   = "demo@boardwatch.example"
	demoCadence = time.Second // of the checks
)

// serveDemo runs the service on invented companies whose careers pages are in this very process.
func serveDemo(ctx context.Context, c *command.CLI, l config.Loaded, t *observe.Traces) (err error) {
	cfg, discard, err := demoConfig(l)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discard()) }()
	listener, err := demoListen(ctx, cfg.Listen, l.Origins["listen"].Source == "default")
	if err != nil {
		return err
	}
	log := c.Logger(cfg)
	siteListener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(fmt.Errorf("listen for the demo's web site: %w", err), listener.Close())
	}
	careers := "http://" + siteListener.Addr().String() + "/careers"
	world := demo.NewWorld(c.Now)
	password, err := demoHistory(ctx, cfg, world, careers)
	if err != nil {
		return errors.Join(err, siteListener.Close(), listener.Close())
	}
	announcer := newAnnouncer(c.Out, c.Now)

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return transport.NewServer(world.Home, transport.Options{Log: log, Quiet: service.Routine}).Serve(ctx, siteListener)
	})
	group.Go(func() error {
		return service.Run(ctx, cfg, log, listener, service.Hooks{
			Traces: t,
			Prepare: func(a *app.App) {
				a.Client, a.Scraper = world.Reader(app.ClientOptions(cfg), app.ScraperOptions(cfg, a.Browser))
			},
			Observe: announcer.observe,
			Notify:  notifyManager(c),
			Ready: func(ctx context.Context, a *app.App, url string) error {
				created, err := demoAccount(ctx, a, world, careers)
				if err != nil {
					return err
				}
				key, err := demoKey(ctx, a)
				if err != nil {
					return err
				}
				defer announcer.begin()
				return errors.Join(introduceDemo(c, cfg, careers, url, cmp.Or(password, created)), introduceDemoKey(c.Out, url, key))
			},
		})
	})
	return group.Wait()
}

// demoConfig makes everything quick, allows the site on this machine, and takes a directory of its own unless one was
// named. discard removes it again.
func demoConfig(l config.Loaded) (demo config.Config, discard func() error, err error) {
	cfg := l.Config
	discard = func() error { return nil }
	unnamed := func(key string) bool { // what the service on this machine has is not the demo's
		return l.Origins[key].Source == "default" || filepath.Dir(l.Origins[key].From) == config.ServiceDir
	}
	if unnamed("data_dir") {
		dir, err := os.MkdirTemp("", "boardwatch-demo-")
		if err != nil {
			return cfg, discard, fmt.Errorf("make a directory for the demo: %w", err)
		}
		cfg.DataDir = dir
		discard = func() error { return os.RemoveAll(dir) }
	}
	if unnamed("database") {
		cfg.Database = config.Secret(demoDatabase(cfg))
	}
	if unnamed("log.level") {
		cfg.Log.Level = "error" // the demo tells its own story
	}
	cfg.Dev = true
	cfg.Role = []string{"all"}
	cfg.Plans.Ultra.Cadence = demoCadence
	cfg.Checks.CloseAfter, cfg.Checks.CloseHold = 2, 0
	return cfg, discard, nil
}

// demoListen takes any free port when nobody has named one and the usual one is taken: nothing must stand between a
// newcomer and the demo.
func demoListen(ctx context.Context, address string, unnamed bool) (net.Listener, error) {
	l, err := service.Listen(ctx, "listen", address)
	if unnamed && errors.Is(err, syscall.EADDRINUSE) {
		return service.Listen(ctx, "listen", "127.0.0.1:0")
	}
	return l, err
}

// demoAccount makes the account, unless it is there, and puts the companies on its list. The site on this machine has another
// port each time, so the boards of earlier ones go. The password is that of a new account; one that was there before keeps its
// own.
func demoAccount(ctx context.Context, a *app.App, world *demo.World, careers string) (password string, err error) {
	owner, err := a.Accounts.Show(ctx, demoEmail)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		owner, password, err = newDemoAccount(ctx, a.Accounts)
	}
	if err != nil {
		return "", err
	}
	old, err := a.Tracker.Boards(ctx, owner, "")
	if err != nil {
		return "", err
	}
	for _, b := range old {
		if strings.HasPrefix(b.CareersURL, "http://127.0.0.1:") && b.CareersURL != careers {
			if err := a.Tracker.Remove(ctx, owner, b.ID); err != nil {
				return "", err
			}
		}
	}
	return password, world.Settle(ctx, a.Tracker, a.Store, a.Scraper, owner, careers)
}

func newDemoAccount(ctx context.Context, accounts *account.Manager) (owner account.Account, password string, err error) {
	password = boardwatch.NewID()
	owner, err = accounts.Create(ctx, account.NewAccount{
		Email: demoEmail, Plan: account.PlanUltra, Verified: true, Admin: true, Password: password,
	})
	return owner, password, err
}

func introduceDemo(c *command.CLI, cfg config.Config, careers, url, password string) error {
	signIn := "Sign in there as " + demoEmail + "."
	if password != "" {
		signIn = "Sign in there as " + demoEmail + " with the password " + password + "."
	}
	_, err := fmt.Fprintf(c.Out, `
The app is at %[5]s
%[7]s

%[9]d invented companies are watched there, with 90 days behind them. Their pages are inside this program, and are read
every second. Look for:
  Harbourlight Instruments  its own page, at %[2]s
                            Roles change every few seconds; now and then it is down, and nothing is closed by that.
  Ferncliff Robotics        hosted by Greenhouse, and growing; Tidewater Analytics, on Lever, is shrinking
  Northbeam Optics          a page rendered by JavaScript
  Vaultline Bank            behind a bot wall for six days: its roles stay as they were
  Copperfield Logistics     most of its roles have vanished at once: suspect, so none of them is closed yet
  Oakum & Sons              a page that was taught by example
A role that is missing from %[4]d healthy checks in a row counts as closed. Every change is printed here.

In another shell:
  %[8]s role list  --account %[3]s %[6]s
  %[8]s board list --account %[3]s %[6]s
  %[8]s health --url %[5]s
  %[8]s scrape --dev %[2]s
Ctrl-C ends the demo.

`, demo.Company, careers, demoEmail, cfg.Checks.CloseAfter, url, demoFlags(cfg), signIn, program(), len(demo.Companies())+1)
	return err
}

// program is how another shell calls this program: by its name where that leads to it.
func program() string {
	self, err := os.Executable()
	if err != nil {
		return "boardwatch"
	}
	if found, err := exec.LookPath("boardwatch"); err == nil && filepath.Clean(found) == self {
		return "boardwatch"
	}
	return self
}

// demoFlags are what leads another command to the demo's database and its key.
func demoFlags(cfg config.Config) string {
	flags := fmt.Sprintf("--data-dir %q", cfg.DataDir)
	if cfg.DatabaseURL() != demoDatabase(cfg) {
		flags += fmt.Sprintf(" --database %q", cfg.Database)
	}
	return flags
}

func demoDatabase(cfg config.Config) string {
	return "sqlite:" + filepath.Join(cfg.DataDir, "boardwatch.db")
}

// demoHistory gives a new database the account and its ninety days, and returns the account's password. The days are made
// by the same watcher, rules and store that run the service, with the companies' clock: every board is read once
// a day. A database that has the account keeps what it has; PostgreSQL has its own clock, and so no past.
func demoHistory(ctx context.Context, cfg config.Config, world *demo.World, careers string) (password string, err error) {
	if _, ok := cfg.SQLiteFile(); !ok {
		return "", nil
	}
	if err := app.MakeDataDir(cfg); err != nil {
		return "", err
	}
	lock, err := app.LockBoards(cfg)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	world.Pass(-demo.PastDays)
	defer world.Begin()
	store, err := app.OpenStore(ctx, cfg, storage.Options{Plans: cfg.AllPlans(), Now: world.Now})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	accounts := account.NewManager(store, account.NewHasher(), account.Options{Plans: cfg.AllPlans(), Now: world.Now})
	if _, err := accounts.Show(ctx, demoEmail); boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return "", err
	}
	if err := store.Reconcile(ctx); err != nil {
		return "", fmt.Errorf("apply the plans: %w", err)
	}
	owner, password, err := newDemoAccount(ctx, accounts)
	if err != nil {
		return "", err
	}
	client, reader := world.Reader(app.ClientOptions(cfg), app.ScraperOptions(cfg, nil))
	defer client.CloseIdleConnections()
	tracker := track.New(store, reader.Recognize, track.Options{Plans: cfg.AllPlans()})
	if err := world.Settle(ctx, tracker, store, reader, owner, careers); err != nil {
		return "", err
	}
	return password, world.Relive(ctx, cfg, store, reader)
}

const demoKeyName = "demo"

// demoKey makes a key for the demo's account. The one of an earlier demo in the same directory goes: nobody knows its
// secret any more.
func demoKey(ctx context.Context, a *app.App) (secret string, err error) {
	owner, err := a.Accounts.Show(ctx, demoEmail)
	if err != nil {
		return "", err
	}
	old, err := a.Keys.List(ctx, owner)
	if err != nil {
		return "", err
	}
	for _, k := range old {
		if k.Name != demoKeyName {
			continue
		}
		if err := a.Keys.Delete(ctx, owner, k.ID); err != nil {
			return "", err
		}
	}
	_, secret, err = a.Keys.Create(ctx, owner, demoKeyName)
	return secret, err
}

// introduceDemoKey shows what to do with the key.
func introduceDemoKey(out io.Writer, url, secret string) error {
	_, err := fmt.Fprintf(out, `The REST interface is described at %[1]s/docs. The demo's API key is
  %[2]s
which makes these work:
  curl -H "Authorization: Bearer %[2]s" %[1]s/v1/status
  curl -H "Authorization: Bearer %[2]s" %[1]s/v1/boards
  curl -H "Authorization: Bearer %[2]s" "%[1]s/v1/jobs?search=engineer&limit=3"

`, url, secret)
	return err
}
