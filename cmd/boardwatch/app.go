package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// app is the service put together from a Config: what commands and doors stand on. Nothing runs by itself.
type app struct {
	cfg      config.Config
	log      *slog.Logger
	traces   *traces // nil when there are none
	key      []byte  // the secret key; nil where nothing is encrypted
	store    *storage.Store
	client   *outbound.Client
	pace     *paceMetrics     // of the client
	browser  *browser.Browser // nil when none is to be used
	scraper  *scraper.Scraper
	hasher   *account.Hasher // one for all: it bounds how many passwords are hashed at once
	accounts *account.Manager
	keys     *account.Keys
	gate     *account.Gate
	tracker  *track.Tracker // the operator's; doors have lists
	lists    *track.Tracker // counts what accounts add and remove
}

// presence says what happens when there is no database yet.
type presence bool

const (
	mustExist    presence = false // it is an error, see openStore
	madeIfAbsent presence = true
)

// openApp opens the database and puts the parts together. Webhook secrets can be read only with the key; a nil key
// leaves them alone.
func openApp(ctx context.Context, cfg config.Config, log *slog.Logger, t *traces, key []byte, p presence) (*app, error) {
	if p == madeIfAbsent {
		if err := makeDataDir(cfg); err != nil {
			return nil, err
		}
	}
	store, err := openStore(ctx, cfg, storage.Options{
		Plans: cfg.AllPlans(), Growth: int(cfg.Checks.MaxGrowth), NoCreate: p == mustExist, SealKey: key, Log: log,
		Trace: t.storage(cfg),
	})
	if err != nil {
		return nil, err
	}
	asking := clientOptions(cfg)
	pace := newPaceMetrics(store)
	asking.Turns, asking.Paced, asking.Trace = store, pace.observe, t.exchange()
	client := outbound.New(asking)
	chromium := newBrowser(cfg, log, nil)
	reading := scraperOptions(cfg, chromium)
	reading.GivesWay = true
	reading.Teacher, reading.Browser = newTeacher(cfg, log), t.renderer(reading.Browser)
	reader := scraper.New(client, reading)
	options := account.Options{Plans: cfg.AllPlans()}
	hasher := account.NewHasher()
	tracker := track.New(store, reader.Recognize, track.Options{Plans: cfg.AllPlans()})
	return &app{
		cfg: cfg, log: log, traces: t, key: key, hasher: hasher, store: store, pace: pace, client: client, browser: chromium, scraper: reader,
		accounts: account.NewManager(store, hasher, options),
		keys:     account.NewKeys(store, options),
		gate:     account.NewGate(store, options),
		tracker:  tracker,
		lists:    tracker.Within(store),
	}, nil
}

func (a *app) close() error {
	a.client.CloseIdleConnections()
	return errors.Join(closeBrowser(a.browser), a.store.Close())
}

// ping asks the database whether it answers.
func (a *app) ping(ctx context.Context) error { return a.store.Ping(ctx) }

// watcher reads the boards; metrics and observe may be nil.
func (a *app) watcher(m *metrics, observe func(watch.CheckReport)) *watch.Watcher {
	var store boardwatch.CheckStore = a.store
	var source boardwatch.Source = signposted{a.scraper, a.cfg}
	report := observe
	if m != nil {
		store, source = meteredStore{store, m}, meteredSource{source, m}
		report = func(r watch.CheckReport) {
			m.observe(r)
			if observe != nil {
				observe(r)
			}
		}
	}
	w := watch.New(store, source, watch.Options{
		Rules: a.cfg.Rules(), Concurrency: a.cfg.Checks.Concurrency, Timeout: a.cfg.Checks.Timeout,
		Log: a.log, Begin: a.traces.check(), Observe: report,
	})
	if m != nil {
		m.registry.MustRegister(newCrowdMetrics(w.Crowded))
	}
	return w
}

// withApp runs a command's work on the parts, and puts them away afterwards.
func (c *cli) withApp(cmd *cobra.Command, work func(ctx context.Context, a *app) error) (err error) {
	return c.withPresentApp(cmd, mustExist, work)
}

// withPresentApp is withApp for commands that may make the database.
func (c *cli) withPresentApp(cmd *cobra.Command, p presence, work func(ctx context.Context, a *app) error) (err error) {
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	a, err := openApp(cmd.Context(), cfg, c.logger(cfg), nil, nil, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	return work(cmd.Context(), a)
}

// makeDataDir makes the data directory when something will be kept in it. It is for the service's own user only.
func makeDataDir(cfg config.Config) error {
	if file, ok := sqliteFile(cfg); !ok || filepath.Dir(file) != filepath.Clean(cfg.DataDir) {
		return nil
	}
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return fail(fmt.Errorf("make the data directory: %w", err), "Name another with --data-dir, or a database with --database.")
	}
	return nil
}
