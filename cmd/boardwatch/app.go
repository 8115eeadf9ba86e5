package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// app is the service put together from a Config: what commands and doors stand on. Nothing runs by itself.
type app struct {
	cfg      config.Config
	log      *slog.Logger
	traces   *observe.Traces // nil when there are none
	key      []byte          // the secret key; nil where nothing is encrypted
	store    *storage.Store
	client   *outbound.Client
	pace     *observe.Pace    // of the client
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
func openApp(ctx context.Context, cfg config.Config, log *slog.Logger, t *observe.Traces, key []byte, p presence) (*app, error) {
	if p == madeIfAbsent {
		if err := makeDataDir(cfg); err != nil {
			return nil, err
		}
	}
	store, err := openStore(ctx, cfg, storage.Options{
		Plans: cfg.AllPlans(), Growth: int(cfg.Checks.MaxGrowth), NoCreate: p == mustExist, SealKey: key, Log: log,
		Trace: t.Storage(cfg),
	})
	if err != nil {
		return nil, err
	}
	asking := clientOptions(cfg)
	pace := observe.NewPace(store)
	asking.Turns, asking.Paced, asking.Trace = store, pace.Observe, t.Exchange()
	client := outbound.New(asking)
	chromium := newBrowser(cfg, log, nil)
	reading := scraperOptions(cfg, chromium)
	reading.GivesWay = true
	reading.Teacher, reading.Browser = newTeacher(cfg, log), t.Renderer(reading.Browser)
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
