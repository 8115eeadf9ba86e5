package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport"
)

const (
	demoEmail   = "demo@boardwatch.example"
	demoCadence = time.Second // of the checks
)

// serveDemo runs the service on invented companies whose careers pages are in this very process.
func (c *cli) serveDemo(ctx context.Context, l config.Loaded, t *traces) (err error) {
	cfg, discard, err := demoConfig(l)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discard()) }()
	listener, err := demoListen(ctx, cfg.Listen, l.Origins["listen"].Source == "default")
	if err != nil {
		return err
	}
	log := c.logger(cfg)
	siteListener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(fmt.Errorf("listen for the demo's web site: %w", err), listener.Close())
	}
	careers := "http://" + siteListener.Addr().String() + "/careers"
	world := newDemoWorld(c.Now)
	password, err := demoHistory(ctx, cfg, world, careers)
	if err != nil {
		return errors.Join(err, siteListener.Close(), listener.Close())
	}
	announcer := newAnnouncer(c.Out, c.Now)

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return transport.NewServer(world.home, transport.Options{Log: log, Quiet: routine}).Serve(ctx, siteListener)
	})
	group.Go(func() error {
		return runService(ctx, cfg, log, listener, serviceHooks{
			traces:  t,
			prepare: func(a *app) { a.client, a.scraper = world.reader(cfg, a.browser) },
			observe: announcer.observe,
			notify:  c.notifyManager,
			ready: func(ctx context.Context, a *app, url string) error {
				created, err := demoAccount(ctx, a, world, careers)
				if err != nil {
					return err
				}
				key, err := demoKey(ctx, a)
				if err != nil {
					return err
				}
				defer announcer.begin()
				return errors.Join(c.introduceDemo(cfg, careers, url, cmp.Or(password, created)), introduceDemoKey(c.Out, url, key))
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
	l, err := listen(ctx, "listen", address)
	if unnamed && errors.Is(err, syscall.EADDRINUSE) {
		return listen(ctx, "listen", "127.0.0.1:0")
	}
	return l, err
}

// demoAccount makes the account, unless it is there, and puts the companies on its list. The site on this machine has another
// port each time, so the boards of earlier ones go. The password is that of a new account; one that was there before keeps its
// own.
func demoAccount(ctx context.Context, a *app, world *demoWorld, careers string) (password string, err error) {
	owner, err := a.accounts.Show(ctx, demoEmail)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		owner, password, err = newDemoAccount(ctx, a.accounts)
	}
	if err != nil {
		return "", err
	}
	old, err := a.tracker.Boards(ctx, owner, "")
	if err != nil {
		return "", err
	}
	for _, b := range old {
		if strings.HasPrefix(b.CareersURL, "http://127.0.0.1:") && b.CareersURL != careers {
			if err := a.tracker.Remove(ctx, owner, b.ID); err != nil {
				return "", err
			}
		}
	}
	return password, world.settle(ctx, a.tracker, a.store, a.scraper, owner, careers)
}

func newDemoAccount(ctx context.Context, accounts *account.Manager) (owner account.Account, password string, err error) {
	password = boardwatch.NewID()
	owner, err = accounts.Create(ctx, account.NewAccount{
		Email: demoEmail, Plan: account.PlanUltra, Verified: true, Admin: true, Password: password,
	})
	return owner, password, err
}

func (c *cli) introduceDemo(cfg config.Config, careers, url, password string) error {
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

`, demoCompany, careers, demoEmail, cfg.Checks.CloseAfter, url, demoFlags(cfg), signIn, program(), len(demoCompanies())+1)
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
